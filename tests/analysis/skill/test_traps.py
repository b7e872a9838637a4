"""Planted truth where weak play or shared places mislead: tiers of bots, ties at a table of five."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.skill.over_play import MOVING
from tests.analysis.draftset import with_tables
from tests.analysis.skill.test_planted_over_play import TIERS, planted
from tests.analysis.small import from_shares

MISUSED = {  # worth 0.35 to who can use it, and a burden to who cannot: over all tiers a piece like any other
    TIERS[0]: (-0.35, 0.1, 0.1, 0.1, 0.05),
    TIERS[1]: (0.0, 0.0, 0.0, 0.0, 0.0),
    TIERS[2]: (0.35, -0.1, -0.1, -0.1, -0.05),
}


def test_pt10_a_piece_that_weak_bots_misuse_is_no_average_piece() -> None:
    d = planted((9_000, 9_000, 9_000), 104, MISUSED)
    pooled = analysis.piece_strength(d.all_tiers).row(0, named=True)
    assert abs(pooled["estimate"]) < 0.02
    assert analysis.piece_strength(d.at_tier()).row(0, named=True)["verdict"] == "strong"
    found = analysis.over_play(d).row(by_predicate=pl.col("about") == "steady", named=True)
    assert (found["badge"], found["way"]) == (MOVING, "turns")
    assert found["at_first"] < -0.04 < 0.04 < found["at_last"]
    assert found["q"] < 0.001


def test_pt21_third_place_is_not_above_two_who_share_the_first() -> None:
    """Five players who always finish in the places 1, 1, 2, 3, 4, from seats that change."""
    games = 400
    names = ["a", "b", "c", "d", "e"]
    order = np.argsort(np.random.default_rng(105).random((games, 5)), axis=1)
    place = np.array([0, 0, 1, 2, 3])[order]
    d = from_shares((place == 0) / 2)
    rank = pl.Series(place.ravel().astype(np.int8))
    seats = d.seats.with_columns(bot=pl.Series(np.array(names)[order].ravel()), rank=rank)
    d = with_tables(d, {"categories": {"bot": names}, "bots_used": names}, seats=seats)
    found = analysis.standing(d, "bot")
    estimate = dict(zip(found["name"], found["estimate"], strict=True))
    # Against four opponents each: half a point for the one at the same place, one for each behind.
    wanted = {"a": 3.5 / 4, "b": 3.5 / 4, "c": 2 / 4, "d": 1 / 4, "e": 0.0}
    assert estimate == pytest.approx(wanted)
    pair = analysis.matchups(d, "bot").row(
        by_predicate=(pl.col("row") == "a") & (pl.col("column") == "b"), named=True
    )
    assert pair["estimate"] == 0.5
    shares = analysis.win_share_by(d, "cell", of="bot").filter(pl.col("what") == "level")
    share = dict(zip(shares["who"], shares["estimate"], strict=True))
    assert share == pytest.approx({"a": 0.5, "b": 0.5, "c": 0.0, "d": 0.0, "e": 0.0})
