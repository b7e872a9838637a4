"""Connect four and Hex: counts of all lines of play, known from elsewhere, are met exactly; both keep the contract.

Connect four: 7 to the power of the depth, less the lines in which a column overflows (7 at depth 7) or that were over
before. Hex on 11 x 11: 121 * 120 * 119 at depth 3.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sim.checks.perft import check_perft, lines_of_play
from sim.checks.suite import KEPT, Settings, check_game
from sim.checks.table import Broken, make_cell
from tests.limit import connect_four, hex

ROOT = Path(__file__).parents[2]
COUNT = """
import json, sys
from importlib import import_module
from sim.checks.perft import lines_of_play
from sim.checks.table import make_cell
game = import_module(f"tests.limit.{sys.argv[1]}").GAME
cell = make_cell(game, ["random"], 2)
print(json.dumps([lines_of_play(game, cell, int(depth)) for depth in sys.argv[2:]]))
"""


def counted(name: str, *depths: int) -> list[int]:
    """Count in a process that compiles, with bounds checked, whatever this one does."""
    way = {"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", COUNT, name, *map(str, depths)],
        env={**os.environ, **way},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[int] = json.loads(done.stdout)
    return found


@pytest.mark.plain
@pytest.mark.parametrize(
    "module", [connect_four, pytest.param(hex, marks=pytest.mark.soak)], ids=["connect_four", "hex"]
)
def test_small_games_keep_every_promise(module: ModuleType) -> None:
    promises = list(check_game(module.GAME, Settings(module.GAME.name, games=2, compiled=False)))
    assert not [promise for promise in promises if not promise.ok]
    assert "perft" in {promise.name for promise in promises if promise.state == KEPT}


@pytest.mark.plain
def test_a_wrong_count_is_found() -> None:
    cell = make_cell(connect_four.GAME, ["random"], 2)
    assert lines_of_play(connect_four.GAME, cell, 4) == 2401
    with pytest.raises(Broken, match="343 lines of play at depth 3, not 344"):
        check_perft(connect_four.GAME, cell, (7, 49, 344))


@pytest.mark.compiled
def test_all_lines_of_connect_four_are_counted() -> None:
    assert counted("connect_four", 7, 8) == [823_536, 5_673_234]


@pytest.mark.soak
def test_all_lines_of_hex_are_counted() -> None:
    assert counted("hex", 3) == [1_727_880]
