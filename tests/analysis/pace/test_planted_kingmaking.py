"""Planted truth for kingmaking: a third player without hope, whose turns do or do not decide between the others."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.small import from_shares

pytestmark = pytest.mark.plain


def played(
    games: int, meddles: float, behind: float = 40.0, rounds: int = 15, seed: int = 1
) -> analysis.Dataset:
    """Seats A and B gain or lose a normal step in their own turns; in that of Seat C by `meddles`."""
    rng = np.random.default_rng(seed)
    score = np.zeros((games, 3 * rounds, 3))
    now = np.tile([50.0, 50.0, 50.0 - behind], (games, 1))
    for t in range(3 * rounds):
        step = rng.normal(0, 1, games)
        if t % 3 < 2:
            now[:, t % 3] += step
        else:
            now[:, 0] += meddles * step / 2
            now[:, 1] -= meddles * step / 2
            now[:, 2] += rng.normal(0, 1, games)
        score[:, t] = now
    won = (now == now.max(axis=1, keepdims=True)).astype(float)
    data = from_shares(won, turns=np.full(games, 3 * rounds, dtype=np.int32))
    frame = pl.DataFrame(
        {
            "game_id": np.repeat(np.arange(games), 3 * rounds),
            "turn": np.tile(np.arange(1, 3 * rounds + 1, dtype=np.int16), games),
            "seat": np.tile(np.arange(3 * rounds, dtype=np.int8) % 3, games),
            **{f"score_{s}": score[:, :, s].ravel() for s in range(3)},
        }
    )
    return analysis.Dataset(data.manifest, data.cells, {**data._tables, "turns": frame.lazy()})


def measured(data: analysis.Dataset) -> dict[str, dict[str, float]]:
    return {row["measure"]: row for row in analysis.kingmaking(data).iter_rows(named=True)}


def test_a_hopeless_player_who_moves_the_gap_as_much_as_the_others_decides_every_third_game() -> None:
    """All three kinds of turn move the gap alike, so each is as often the one in which the lead changes for good."""
    found = measured(played(2_500, 1.0))
    assert found["turns out"]["estimate"] == pytest.approx(1 / 3, abs=0.06)
    rest = found["made king"]
    # Games in which the lead never changed hands after the first tenth are in the denominator as well.
    assert 0.2 < rest["low"] < rest["high"] < 0.36
    assert found["swing"]["low"] > 0.02


def test_who_cannot_touch_the_others_makes_no_king() -> None:
    found = measured(played(800, 0.0))
    assert found["made king"]["estimate"] == 0
    assert found["made king"]["high"] < 0.01
    assert found["swing"]["estimate"] == pytest.approx(0, abs=1e-12)
    assert found["turns out"]["estimate"] > 0.25, "its turns were looked at, and did nothing"


def test_where_all_contend_nobody_is_out_of_it() -> None:
    found = measured(played(800, 0.3, behind=0.0))
    assert found["turns out"]["estimate"] < 0.15
    assert found["made king"]["estimate"] < 0.05


def test_two_sides_have_no_third_and_some_scores_are_needed() -> None:
    two = from_shares(np.tile([[1.0, 0.0]], (50, 1)))
    with pytest.raises(analysis.Refusal, match="no turns were logged"):
        analysis.kingmaking(two)
    data = played(40, 1.0)
    few = analysis.Dataset(data.manifest, data.cells, {**data._tables, "turns": data.turns.drop("seat")})
    with pytest.raises(analysis.Refusal, match="do not say who took them"):
        analysis.kingmaking(few)
