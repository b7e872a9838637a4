"""Planted data that a faulty strength of pieces, or a faulty verdict on them, does not pass."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners

NAMES = [f"P{k}" for k in range(12)]


def one_piece_each(games: int, effect: np.ndarray, margin: float, seed: int) -> Dataset:
    """Two seats with one piece each of `NAMES`; a fifth of the games is tied."""
    rng = np.random.default_rng([seed, 83])
    kind = rng.integers(0, len(NAMES), (games, 2))
    shares = winners(effect[kind] + rng.gumbel(size=(games, 2)))
    shares[rng.random(games) < 0.2] = 0.5
    counts = (kind[..., None] == np.arange(len(NAMES))).astype(np.int16)
    return from_shares(shares, counts=counts, pieces=NAMES, judge={"seat": 0.02, "piece": margin})


def test_win_share_a_copy_at_tables_of_two_and_of_five() -> None:
    """Without any effect a seat's p (1 - p) is 1/4 at two, 4/25 at five; its mean goes over the seats that exist."""
    rng = np.random.default_rng(84)
    games, shares, counts = 4_000, [], []
    for n in (2, 5):
        kind = rng.integers(0, 3, (games, n))
        counts.append((kind[..., None] == np.arange(3)).astype(np.int16))
        shares.append(winners(0.3 * (kind == 0) + rng.gumbel(size=(games, n))))
    found = analysis.piece_strength(from_shares(shares, counts=counts, pieces=["A", "B", "C"]))
    slope = (found["estimate"] / found["log_odds"]).to_numpy()
    assert slope == pytest.approx(np.full(3, (2 * 0.25 + 5 * 0.16) / 7), rel=0.03)


def test_strong_is_said_of_what_is_clear_among_all_pieces() -> None:
    """Twelve equal pieces and no margin to speak of: at 5 % each, half of all data sets have a piece that is off."""
    alone = called = 0
    for seed in range(60):
        found = analysis.piece_strength(one_piece_each(600, np.zeros(12), 1e-6, seed))
        alone += bool((found["p"] < 0.05).any())
        called += bool(found["verdict"].is_in(["strong", "weak", "above", "below"]).any())
        joint = (found["low_joint"] > 0) | (found["high_joint"] < 0)
        assert ((found["p"] * 12 < 0.05) == joint).all()
    assert alone > 20
    assert called <= 8  # 5 % of 60 are 3, and 8 with the luck of one in a hundred


def test_balanced_is_said_of_what_is_clear_among_all_pieces() -> None:
    """Six pieces lie a margin above the average of the others, six below: none is balanced."""
    # One more copy against the average of the others: 12/11 of the planted distance from the mean.
    effect = np.where(np.arange(12) % 2 == 0, 0.2, -0.2)
    margin = 0.2 * 12 / 11 * 0.8 * 0.245
    alone = called = 0
    for seed in range(60):
        found = analysis.piece_strength(one_piece_each(3_000, effect, margin, seed))
        alone += bool((found["p_equivalence"] < 0.05).any())
        called += bool((found["verdict"] == "balanced").any())
    assert alone > 12
    assert called <= 8


@pytest.mark.parametrize("players", [2, 4])
def test_ties_count_half_in_the_strength_of_a_piece(players: int) -> None:
    """A fifth of the games is shared by all: a copy is worth four fifths of what it is worth without ties.

    Left out, tied games would leave the odds of the others, 1.0.
    """
    rng = np.random.default_rng(85)
    games = 20_000
    held = rng.random((games, players)) < 0.5
    shares = winners(1.0 * held + rng.gumbel(size=(games, players)))
    shares[rng.random(games) < 0.2] = 1 / players
    counts = np.stack([held, ~held], axis=2).astype(np.int16)
    d = from_shares(shares, counts=counts, pieces=["A", "B"])
    row = analysis.piece_strength(d).row(by_predicate=pl.col("piece") == "A", named=True)
    mixed = held.any(axis=1) & ~held.all(axis=1)
    if players == 2:  # with one pair of kinds the odds are those of the mean share itself
        share = 0.8 / (1 + np.exp(-1.0)) + 0.1
        truth = np.log(share / (1 - share))
        assert row["log_odds_low"] < truth < row["log_odds_high"]
        seen = shares[mixed][held[mixed]].mean()
        assert row["log_odds"] == pytest.approx(np.log(seen / (1 - seen)), abs=0.01)
    assert row["log_odds_high"] < 0.9


def test_a_better_bot_that_holds_a_piece_oftener_does_not_colour_it() -> None:
    """PT5a: `sage` wins more and was assigned A in 75 %, its rival in 25 %; a fifth of the games is tied."""
    rng = np.random.default_rng(88)
    games = 12_000
    sage = np.stack([np.arange(games) % 2 == 0, np.arange(games) % 2 == 1], axis=1)
    held = rng.random((games, 2)) < np.where(sage, 0.75, 0.25)
    shares = winners(1.2 * sage + rng.gumbel(size=(games, 2)))
    shares[rng.random(games) < 0.2] = 0.5
    naive = shares[held].mean() - shares[~held].mean()
    assert naive > 0.1
    counts = np.stack([held, ~held], axis=2).astype(np.int16)
    d = from_shares(shares, counts=counts, pieces=["A", "B"])
    bot = np.where(sage.ravel(), "sage", "fool")
    d = with_tables(d, {"lever": d.manifest["lever"]}, seats=d.seats.with_columns(bot=pl.Series(bot)))
    row = analysis.piece_strength(d).row(by_predicate=pl.col("piece") == "A", named=True)
    assert row["log_odds_low"] < 0 < row["log_odds_high"]
    assert row["verdict"] == "balanced"


def test_a_piece_is_set_against_the_others_and_not_itself() -> None:
    """One of three kinds is worth 0.9: it stands 0.9 above the others; against a mean with itself in it, 0.6."""
    rng = np.random.default_rng(92)
    kind = rng.integers(0, 3, (20_000, 2))
    counts = (kind[..., None] == np.arange(3)).astype(np.int16)
    shares = winners(0.9 * (kind == 0) + rng.gumbel(size=kind.shape))
    found = analysis.piece_strength(from_shares(shares, counts=counts, pieces=["A", "B", "C"]))
    assert found["log_odds"].to_numpy() == pytest.approx([0.9, -0.45, -0.45], abs=0.1)
