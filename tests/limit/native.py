"""The C programs in `tests/limit/c`, compiled with ``cc -O3`` and called from here: what the loop is measured by.

Each plays random games of its rules as the loop does (`sim.core.loop`): the same random numbers, the same lists of
actions in the same order, so that the same seeds are the same games.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

SOURCES = Path(__file__).parent / "c"
FLAGS = ("-O3", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


def compiler() -> str | None:
    """Return the C compiler of this machine, None where there is none."""
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


@cache
def library(name: str) -> Any:
    """Compile and load a program (``connect_four``, ``hex``)."""
    command = compiler()
    assert command is not None, "there is no C compiler"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{name}.so"
        subprocess.run([command, *FLAGS, "-o", str(made), str(SOURCES / f"{name}.c")], check=True)
        loaded = ctypes.CDLL(str(made))
    loaded.perft.restype = ctypes.c_int64
    return loaded


def play(name: str, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Play a random game for each seed (uint64); returns the turns and the winners (int32; -1: nobody)."""
    seeds = np.ascontiguousarray(seeds, dtype=np.uint64)
    turns, winners = np.zeros(len(seeds), np.int32), np.zeros(len(seeds), np.int32)
    given = [array.ctypes.data_as(ctypes.c_void_p) for array in (seeds, turns, winners)]
    library(name).play(given[0], ctypes.c_int64(len(seeds)), *given[1:])
    return turns, winners


def perft(name: str, depth: int) -> int:
    """Return how many lines of play of `depth` actions there are."""
    return int(library(name).perft(ctypes.c_int(depth)))
