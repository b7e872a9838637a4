"""Planted truth for confounding, rank intervals and convergence."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.trust.convergence import FIRST_LOOK, sequence
from tests.analysis.small import from_shares, winners

PIECES = ("Rats", "Oak", "Fly", "Bass")


def held(games: int, effect: dict[str, float], seed: int = 3) -> analysis.Dataset:
    """Games of two with four copies each, drawn; a copy is worth its effect in log odds."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(4, [0.25] * 4, size=(games, 2))
    worth = np.array([effect.get(name, 0.0) for name in PIECES])
    return from_shares(winners(counts @ worth + rng.gumbel(size=(games, 2))), counts=counts, pieces=PIECES)


def test_pt4_simpson_over_maps_turns_round_when_the_maps_are_told_apart() -> None:
    """Rats help on both maps, and are had on the one where the seat that has them loses."""
    rng = np.random.default_rng(5)
    n = 6_000
    bad = rng.random(n) < 0.5
    counts = np.zeros((n, 2, 2), dtype=int)
    counts[:, 0, 0] = rng.random(n) < np.where(bad, 0.9, 0.1)
    counts[:, 1, 0] = rng.random(n) < 0.5
    counts[..., 1] = rng.random((n, 2)) < 0.5
    lead = np.where(bad, -1.5, 1.5)
    utility = 0.3 * counts[..., 0] + np.stack([lead, -lead], axis=1) / 2 + rng.gumbel(size=(n, 2))
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["good", "bad"]})
    data = from_shares(
        winners(utility), counts=counts, pieces=("Rats", "Oak"), cell=bad.astype(np.int32), cells=cells
    )
    found = {row["piece"]: row for row in analysis.confounding(data).iter_rows(named=True)}
    rats, oak = found["Rats"], found["Oak"]
    assert rats["pooled_high"] < 0 < rats["stratified_low"]
    assert rats["flips"]
    assert rats["differs"]
    assert rats["adjusted_low"] > 0
    assert not oak["flips"]
    assert not oak["differs"]


def test_ranks_are_told_apart_only_where_the_pieces_are() -> None:
    ranks = analysis.rank_intervals(held(8_000, {"Rats": 0.4, "Fly": -0.4}))
    at = {row["piece"]: row for row in ranks.iter_rows(named=True)}
    assert (at["Rats"]["rank_low"], at["Rats"]["rank_high"]) == (1, 1)
    assert (at["Fly"]["rank_low"], at["Fly"]["rank_high"]) == (4, 4)
    for name in ("Oak", "Bass"):
        assert (at[name]["rank_low"], at[name]["rank_high"], at[name]["tier"]) == (2, 3, "B")
    assert at["Rats"]["tier"] == "A"


def test_equal_pieces_seldom_get_ranks() -> None:
    """All rank intervals hold at once: among equal pieces a rank is told in one run of twenty, or so."""
    told = 0
    for seed in range(40):
        frame = analysis.rank_intervals(held(300, {}, seed))
        told += bool((frame["rank_high"] - frame["rank_low"] < 3).any())
    assert told <= 6


def test_a_confidence_sequence_holds_at_every_look() -> None:
    """Looking at each deal, a fair coin leaves its sequence seldom; intervals made for one look it leaves often."""
    rng = np.random.default_rng(1)
    outside = fooled = 0
    for _ in range(120):
        coin = (rng.random(1_500) < 0.5).astype(float)
        mean, low, high = sequence(coin, np.ones(1_500))
        outside += bool(((low > 0.5) | (high < 0.5)).any())
        half = 1.96 * 0.5 / np.sqrt(np.arange(1, 1_501))
        fooled += bool((np.abs(mean - 0.5) > half)[FIRST_LOOK:].any())
    assert outside <= 10
    assert fooled > 25


def test_seats_settle_and_halves_agree_on_pieces_that_differ() -> None:
    found = analysis.convergence(held(4_000, {"Rats": 0.5, "Oak": 0.2, "Fly": -0.4}))
    first = found.filter((pl.col("what") == "seat") & (pl.col("about") == "0")).drop_nulls("low")
    assert first["deals_so_far"].to_list()[-1] == 4_000
    assert first["low"][-1] < 0.5 < first["high"][-1]
    widths = (first["high"] - first["low"]).to_list()
    assert widths == sorted(widths, reverse=True)
    assert first["settled"].to_list()[-1] is None
    halves = found.filter(pl.col("what") == "pieces")["estimate"].to_list()
    assert halves[-1] == pytest.approx(1.0)
    noise = analysis.convergence(held(4_000, {})).filter(pl.col("what") == "pieces")["estimate"].to_list()
    assert min(noise) < 0.9


def test_one_deal_has_no_halves() -> None:
    data = held(1, {"Rats": 0.5})
    try:
        found = analysis.convergence(data)
    except analysis.Refusal:
        return
    assert "pieces" not in found["what"].to_list()
