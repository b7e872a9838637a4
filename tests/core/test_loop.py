"""The result of a game: who wins, alone or as a side, and what ties are worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.jit import implements
from sim.core.loop import GAME_ROW, MAX_SEATS, SEAT_ROW, finish_rows
from sim.core.records import state_type

End = state_type(
    "of_ends",
    [
        ("sides", np.int32),
        ("points", np.int32, (4,)),
        ("late", np.int32, (4,)),
    ],
)
"""A game that is over: points by seat, `late` breaks ties, seats that sit opposite may be one side."""


@implements("score", End)
def _score(rules: Any, state: Any, seat: Any) -> Any:
    return float(state.points[seat])


@implements("side", End)
def _side(rules: Any, state: Any, seat: Any) -> Any:
    return seat % state.sides


@implements("merit", End)
def _merit(rules: Any, state: Any, seat: Any, points: Any) -> Any:
    total = 0.0
    for other in range(state.players):
        if other % state.sides == seat % state.sides:
            total += state.points[other] + state.late[other] / 100
    return total


def result(points: list[int], sides: int, late: list[int] | None = None) -> tuple[Any, Any]:
    """Return the rows of a game that ended like this."""
    state = np.zeros(1, dtype=End)[0]
    state.players, state.sides, state.ended = len(points), sides, 1
    state.points[: len(points)] = points
    state.late[: len(points)] = late or [0] * len(points)
    game, rows = np.zeros(1, dtype=GAME_ROW), np.zeros(MAX_SEATS, dtype=SEAT_ROW)
    scores, merits = np.zeros(MAX_SEATS), np.zeros(MAX_SEATS)
    counts = np.zeros(MAX_SEATS, dtype=np.int64)
    finish_rows(np.zeros(1), state, scores, merits, counts, counts, np.zeros(3, np.int32), game[0], rows)
    return game[0], rows[: len(points)]


@pytest.mark.parametrize(
    ("points", "sides", "late", "shares", "ranks", "winner", "margin"),
    [
        ([3, 5, 4], 3, None, [0, 1, 0], [3, 1, 2], 1, 1),
        ([5, 5, 4], 3, None, [0.5, 0.5, 0], [1, 1, 3], -1, 0),
        ([5, 5, 4], 3, [0, 1, 0], [0, 1, 0], [2, 1, 3], 1, 0),
        ([4, 4, 4, 4], 4, None, [0.25] * 4, [1] * 4, -1, 0),
        # two sides of two: 3 + 9 against 6 + 5
        ([3, 6, 9, 5], 2, None, [1, 0, 1, 0], [1, 2, 1, 2], 0, 1),
        ([3, 8, 4, 5], 2, None, [0, 1, 0, 1], [2, 1, 2, 1], 1, 6),
        ([3, 6, 9, 6], 2, None, [0.5] * 4, [1] * 4, -1, 0),
        ([3, 6, 9, 6], 2, [0, 2, 1, 0], [0, 1, 0, 1], [2, 1, 2, 1], 1, 0),
    ],
)
def test_who_wins(
    points: list[int],
    sides: int,
    late: list[int] | None,
    shares: list[float],
    ranks: list[int],
    winner: int,
    margin: float,
) -> None:
    game, rows = result(points, sides, late)
    assert rows["win_share"].tolist() == pytest.approx(shares)
    assert rows["rank"].tolist() == ranks
    assert rows["score"].tolist() == points
    assert rows["side"].tolist() == [seat % sides for seat in range(len(points))]
    assert (game.winner, game.margin) == (winner, margin)
    assert game.tied == sum(share > 0 for share in shares[:sides])
    assert (game.ended_by, game.founder_seat, game.first_seat) == (-1, -1, 0)
