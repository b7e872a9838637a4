"""Rules are called by symbols: code from the cache finds them in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.core.jit import COMPILED

PROGRAM = """
import sys
import numpy as np
import sim.core.jit
if sys.argv[1] == "large":
    sim.core.jit._SMALL = 0
from tests.core import small_game as game
for kind in (game.Apples, game.Pears):
    state = game.record(kind)
    print(game.whole_day(np.zeros(1), state, 3), state.basket, end=" ")
print(sum(game.whole_day.stats.cache_hits.values()), sum(game.whole_day.stats.cache_misses.values()))
print(len({name for name in __import__("sim.core.linking").core.linking._KNOWN}))
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_code_from_the_cache_finds_the_rules_that_it_calls(tmp_path: Path) -> None:
    """Two games in one process, then the same from the cache, with nothing compiled."""
    compiled, loaded = (printed("large", tmp_path) for _ in range(2))
    assert compiled[:4] == loaded[:4] == ["120", "6", "78", "6"]
    assert compiled[4:6] == ["0", "2"]
    assert loaded[4:6] == ["2", "0"]
    assert compiled[6] == loaded[6] == "2", "one symbol for each game's verb"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_rules_of_a_few_lines_are_taken_in_instead(tmp_path: Path) -> None:
    assert printed("small", tmp_path) == ["120", "6", "78", "6", "0", "2", "0"]


def printed(size: str, cache: Path) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, size],
        env={**os.environ, "WHIMBREL_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()
