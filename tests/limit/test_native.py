"""The programs that speed is measured by play the very games of the loop: in C, and as bare Numba functions."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sim.checks.table import make_cell, make_job
from sim.core.play import play_chunk
from sim.core.seeds import deal_seed
from tests.limit import bare, connect_four, hex, native

pytestmark = pytest.mark.plain
GAMES = pytest.mark.parametrize(
    ("module", "games"), [(connect_four, 60), (hex, 8)], ids=["connect_four", "hex"]
)
in_c = pytest.mark.skipif(native.compiler() is None, reason="this machine has no C compiler (cc, gcc, clang)")


def of_the_loop(game: Any, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    games = play_chunk(
        game, [make_cell(game, ["random"], 2)], make_job([make_cell(game, ["random"], 2)], seeds), "games"
    )
    return games.games["turns"], games.games["winner"]


@in_c
@GAMES
def test_the_same_seeds_are_the_same_games_in_c(module: ModuleType, games: int) -> None:
    seeds = deal_seed(7, np.arange(games))
    turns, winners = native.play(module.GAME.name, seeds)
    ours = of_the_loop(module.GAME, seeds)
    assert turns.tolist() == ours[0].tolist()
    assert winners.tolist() == ours[1].tolist()
    assert len(set(turns)) > 3
    assert {0, 1} <= set(winners)


@in_c
def test_c_counts_the_lines_of_play_that_are_known_from_elsewhere() -> None:
    assert [native.perft("connect_four", depth) for depth in range(1, 9)] == list(connect_four.GAME.perft)
    assert [native.perft("hex", depth) for depth in (1, 2, 3)] == list(hex.GAME.perft)


@GAMES
def test_the_same_seeds_are_the_same_games_as_bare_functions(module: ModuleType, games: int) -> None:
    seeds = deal_seed(6, np.arange(games))
    turns, winners = np.zeros(games, np.int32), np.zeros(games, np.int32)
    getattr(bare, module.GAME.name)(seeds, turns, winners)
    ours = of_the_loop(module.GAME, seeds)
    assert turns.tolist() == ours[0].tolist()
    assert winners.tolist() == ours[1].tolist()
