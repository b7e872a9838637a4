"""Ctrl-C: heard by Python where it can, and ending the process where compiled code does not come back."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading, time
from sim.cli.interrupt import interruptible
import numba
import numpy as np

@numba.njit(nogil=True)
def spin(stones):
    stones[1] = 1
    while stones[0] >= 0:
        stones[0] ^= 1
    return stones[0]

stones = np.zeros(2, dtype=np.int64)
stones[0] = -1
spin(stones)
stones[:] = 0

def tell():  # only once the compiled code runs: a signal that comes before it is heard by Python
    while stones[1] == 0:
        time.sleep(0.01)
    print("playing", flush=True)

try:
    with interruptible("stopped for good", 0.2):
        threading.Thread(target=tell, daemon=True).start()
        {what}
except KeyboardInterrupt:
    print("heard", flush=True)
    time.sleep(1)  # longer than the patience: whoever has heard is not ended
    sys.exit(7)
"""


def interrupted(what: str) -> tuple[int, str, str]:
    """Return exit code, output and errors of a program that gets Ctrl-C once it plays."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(what=what)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "playing\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    return child.returncode, out, err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_compiled_code_that_never_ends_is_ended() -> None:
    assert interrupted("spin(stones)") == (130, "", "stopped for good\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_python_that_hears_is_left_alone() -> None:
    assert interrupted("stones[1] = 1; time.sleep(60)") == (7, "heard\n", "")


def test_what_was_before_is_put_back() -> None:
    from sim.cli.interrupt import interruptible

    before = signal.getsignal(signal.SIGINT)
    with interruptible(""):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
