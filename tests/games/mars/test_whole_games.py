"""Whole games of Migration: Mars: how they end, who wins them, what is dealt by lot."""

from __future__ import annotations

import numpy as np
import pytest

from sim.checks.table import make_cell, make_job
from sim.core.contract import TURN_CAP
from sim.core.play import play_chunk
from sim.games.mars.game import GAME


def test_a_game_at_the_cap_has_no_winner_and_is_counted() -> None:
    cell = make_cell(GAME, ["random"], 4, {"turn_cap": 30})
    chunk = play_chunk(GAME, [cell], make_job([cell], range(1, 6)), "pieces")
    assert (chunk.games["ended"] == TURN_CAP - 1).all()
    assert (chunk.games["turns"] == 30).all()
    assert (chunk.games["winner"] == -1).all()
    np.testing.assert_allclose(chunk.seats["win_share"], 0.25)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_beats_random(players: int) -> None:
    cell = make_cell(GAME, ["greedy", *["random"] * (players - 1)], players)
    who = [[(k + shift) % players for k in range(players)] for shift in range(players)]
    chunk = play_chunk(GAME, [cell], make_job([cell], range(1, 6), who), "games")
    won = [seats[w] == 0 for seats, w in zip(who * 5, chunk.games["winner"]) if w >= 0]
    assert len(won) >= len(who) * 4
    assert np.mean(won) > 0.9


def test_levers_assign_one_of_their_kind() -> None:
    for parameters, total in (
        ({"start_building": "random"}, 1),
        ({"dealt_event": "random"}, 1),
        ({"never": "random 1"}, 3),
    ):
        cell = make_cell(GAME, ["random"], 3, {"turn_cap": 5, **parameters})
        assert cell.piece_total == total
        chunk = play_chunk(GAME, [cell], make_job([cell], range(1, 9)), "pieces")
        assert chunk.pieces is not None
        given = chunk.pieces["assigned"]
        assert (np.where(given > 0, given, 0).sum(axis=2) == total).all()
        assert len(np.unique(given, axis=1)) > 1
