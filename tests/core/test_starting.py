"""Machine code that comes from the cache: the same answers without all that Numba can compile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

RULES = """
import numpy as np

import sim.core.starting
from sim.core.jit import kernel


@kernel
def steps(n):
    return n * 3 + 1


@kernel
def named(n):
    none = np.zeros(1)  # only kernels that make arrays can make texts
    return hash("ox" if n else "fox") + int(none[0])
"""
ASK = """
import sys
sys.path.insert(0, {folder!r})
import little
answer = {what}
print(answer, sum(little.{name}.stats.cache_hits.values()), "numba.np.linalg" in sys.modules)
"""


def _asked(folder: Path, name: str, what: str) -> list[str]:
    """Return the answer of a fresh process, whether it came from the cache, and whether all of Numba was loaded."""
    run = subprocess.run(
        [sys.executable, "-c", ASK.format(folder=str(folder), name=name, what=what)],
        env={**os.environ, "WHIMBREL_CACHE": str(folder / "cache"), "PYTHONHASHSEED": "5"},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


def test_what_was_compiled_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "little.py").write_text(RULES)
    assert _asked(tmp_path, "steps", "little.steps(4)") == ["13", "0", "True"]
    assert _asked(tmp_path, "steps", "little.steps(4)") == ["13", "1", "False"]


def test_code_that_needs_more_of_numba_gets_it(tmp_path: Path) -> None:
    (tmp_path / "little.py").write_text(RULES)
    compiled = _asked(tmp_path, "named", "little.named(1) - hash('ox')")
    assert compiled == ["0", "0", "True"]
    assert _asked(tmp_path, "named", "little.named(1) - hash('ox')") == ["0", "1", "True"]
