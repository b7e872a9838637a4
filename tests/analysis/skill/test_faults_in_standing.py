"""Planted data that a faulty standing against the field does not pass."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares

# games of a against b, of a against c, of b against c, and how many the first won; a fifth of all is tied
MET = {("a", "b"): (1_000, 0.7), ("a", "c"): (100, 0.3), ("b", "c"): (100, 0.5)}


def met(**judge: float) -> tuple[Dataset, dict[tuple[str, str], np.ndarray]]:
    rng = np.random.default_rng(86)
    bots, shares, score = [], [], {}
    for pair, (games, chance) in MET.items():
        won = (rng.random(games) < chance).astype(float)
        won[rng.random(games) < 0.2] = 0.5
        score[pair] = won
        turned = np.arange(games) % 2 == 1
        shares.append(np.stack([np.where(turned, 1 - won, won), np.where(turned, won, 1 - won)], axis=1))
        bots += [pair[::-1] if t else pair for t in turned]
    d = from_shares(np.concatenate(shares), judge=judge or None)
    seats = d.seats.with_columns(bot=pl.Series(np.array(bots).ravel()))
    return with_tables(d, {"categories": {"bot": ["a", "b", "c"]}}, seats=seats), score


def test_standing_counts_opponents_and_not_games() -> None:
    """Ten times as many games against b as against c: each is half of the field, and of the error."""
    d, score = met()
    rows = {row["name"]: row for row in analysis.standing(d, "bot").iter_rows(named=True)}
    means = {pair: won.mean() for pair, won in score.items()}
    assert rows["a"]["estimate"] == pytest.approx((means["a", "b"] + means["a", "c"]) / 2)
    assert rows["b"]["estimate"] == pytest.approx((1 - means["a", "b"] + means["b", "c"]) / 2)
    assert {name: row["games"] for name, row in rows.items()} == {"a": 1_100, "b": 1_100, "c": 200}
    error = np.sqrt(sum(score[pair].var() / len(score[pair]) for pair in (("a", "b"), ("a", "c")))) / 2
    assert rows["a"]["high"] - rows["a"]["low"] == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_the_parts_of_a_pairing_add_up_whoever_sat_in_front() -> None:
    d, score = met()
    found = analysis.matchups(d, "bot")
    at = {(row["row"], row["column"]): row["estimate"] for row in found.iter_rows(named=True)}
    for (one, other), won in score.items():
        assert at[one, other] == pytest.approx(won.mean())
        assert at[other, one] == pytest.approx(1 - won.mean())


def test_pairings_are_judged_by_the_margin_of_seats() -> None:
    for seat, piece, word in ((0.02, 0.4, "ahead"), (0.4, 0.02, "balanced")):
        found = analysis.matchups(met(seat=seat, piece=piece)[0], "bot")
        row = found.row(by_predicate=(pl.col("row") == "a") & (pl.col("column") == "b"), named=True)
        assert row["verdict"] == word


def test_steps_of_a_long_ladder_are_corrected_together() -> None:
    """Eight rungs of equal strength, seven steps: at 5 % each a sixth of all ladders has a step upwards."""
    rng = np.random.default_rng(89)
    names = [f"search:playouts={2**k}" for k in range(3, 11)]
    alone = called = 0
    for _ in range(40):
        rung = np.array(list(itertools.permutations(range(len(names)), 2)) * 8)
        first = (rng.random(len(rung)) < 0.5).astype(float)
        first[rng.random(len(rung)) < 0.2] = 0.5
        d = from_shares(np.stack([first, 1 - first], axis=1))
        seats = d.seats.with_columns(bot=pl.Series(np.array(names)[rung.ravel()]))
        manifest = {"categories": {"bot": names}, "bots_used": names}
        found = analysis.ladder(with_tables(d, manifest, seats=seats))
        low = found["gain_low"].drop_nulls().to_numpy()
        alone += bool((low > 0).any())
        called += bool((found["verdict"] == "stronger").any())
    assert alone >= 4
    assert called <= 3
