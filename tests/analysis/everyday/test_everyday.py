"""Everyday questions: plain numbers against what they are by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.skill.test_planted_matchups import CIRCLE, field
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make


def test_win_rate_counts_owners_and_clusters_them_by_game() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 3, size=(900, 2, 2))
    won = winners(0.5 * (counts[..., 0] > 0) + rng.gumbel(size=(900, 2)))
    data = from_shares(won, counts=counts, pieces=("Rats", "Oak"))
    row = analysis.win_rate(data, "Rats").row(0, named=True)
    own = counts[..., 0] > 0
    assert row["estimate"] == pytest.approx(won[own].mean())
    assert row["seats"] == own.sum()
    assert row["par"] == pytest.approx(2 * won[own].mean())
    # Two owners in one game win one of two between them, for certain: less error than as many independent seats.
    plain = 1.96 * np.sqrt(row["estimate"] * (1 - row["estimate"]) / own.sum())
    assert row["high"] - row["estimate"] < plain
    with pytest.raises(analysis.Refusal, match="Rats"):
        analysis.win_rate(data, "Rat")


def test_means_and_shares_by_level() -> None:
    turns = np.arange(400, dtype=np.int32) % 10 + 10
    cell = (np.arange(400) // 200).astype(np.int32)
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["plain", "ridge"]})
    data = from_shares(np.tile([[1.0, 0.0]], (400, 1)), turns=turns + 5 * cell, cell=cell, cells=cells)
    means = analysis.mean_of(data, "turns", by="map")
    assert means["map"].to_list() == ["plain", "ridge"]
    assert means["estimate"].to_list() == [14.5, 19.5]
    assert (means["low"] < means["estimate"]).all()
    long = analysis.share_where(data, pl.col("turns") >= 15, by="map")
    assert long["estimate"].to_list() == [0.5, 1.0]
    assert long["count"].to_list() == [100, 200]
    with pytest.raises(analysis.Refusal, match="nothing called 'turn'"):
        analysis.mean_of(data, "turn")


def test_the_mean_of_a_share_has_the_interval_of_a_share() -> None:
    """None of 40 games is not shown to be never, and nothing lies below 0 or above 1."""
    data = from_shares(
        np.tile([[1.0, 0.0]], (40, 1)), ended=pl.Series(["finished"] * 40), tied=np.ones(40, np.int32)
    )
    for measure, value in (("stopped", 0.0), ("shared", 0.0), ("first seat", 0.5)):
        row = analysis.mean_of(data, measure).row(0, named=True)
        assert row["estimate"] == value, measure
        assert (row["low"], row["high"]) != (value, value), measure
        bound = 0.5 if measure == "first seat" else 1.0
        assert bound - 1.0 <= row["low"] <= value <= row["high"] <= bound, measure
        exact = 1 - 0.025 ** (1 / 40)
        assert row["high"] - row["low"] == pytest.approx(exact, rel=0.05), measure


def test_head_to_head_is_the_same_either_way_round() -> None:
    data = field(CIRCLE, ["a", "b", "c"], 400)
    row = analysis.head_to_head(data, "a", "b").row(0, named=True)
    back = analysis.head_to_head(data, "b", "a").row(0, named=True)
    assert row["low"] < 0.7 < row["high"]
    assert row["estimate"] + back["estimate"] == pytest.approx(1)
    assert (row["won"], row["lost"]) == (back["lost"], back["won"])
    with pytest.raises(analysis.Refusal, match="no deck is called"):
        analysis.head_to_head(data, "a", "d")


def test_comebacks_are_those_of_the_turns_table() -> None:
    data = make(deals=60, players=2, seed=2).dataset()
    found = analysis.comeback_rate(data, at=0.5).row(0, named=True)
    turns = data.turns.collect()
    early = turns.filter(pl.col("turn") <= pl.col("turn").max().over("game_id") * 0.5).sort("game_id", "turn")
    half = early.group_by("game_id", maintain_order=True).last().sort("game_id")
    shares = data.seats.collect().sort("game_id", "seat")["win_share"].to_numpy().reshape(-1, 2)
    score = half.select("score_0", "score_1").to_numpy()
    behind = score < score.max(axis=1, keepdims=True)
    assert found["estimate"] == pytest.approx((shares * behind).sum(axis=1).mean())
    with pytest.raises(analysis.Refusal, match="between 0 and 1"):
        analysis.comeback_rate(data, at=50)
