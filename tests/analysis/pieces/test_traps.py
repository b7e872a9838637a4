"""Planted truth for the worth of a piece where maps, the course of games or the choice of opponents hide it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners

GAMES = 12_000
TIES = 0.2


def odds_with_ties(odds: float) -> float:
    """What log odds come to where `TIES` of all games of two are shared."""
    share = (1 - TIES) / (1 + np.exp(-odds)) + TIES / 2
    return float(np.log(share / (1 - share)))


def tied(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    shares[rng.random(len(shares)) < TIES] = 1 / shares.shape[1]
    return shares


def as_counts(held: np.ndarray) -> np.ndarray:
    return np.stack([held, ~held], axis=2).astype(np.int16)


def piece_a(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("piece") == "A")


def test_pt4_a_good_piece_that_is_had_where_its_owner_loses() -> None:
    """A is worth 0.3 on both maps; the first seat loses on the one where it mostly has A, and wins on the other."""
    rng = np.random.default_rng(101)
    bad = np.arange(GAMES) % 2 == 0
    often = np.stack([np.where(bad, 0.8, 0.2), np.full(GAMES, 0.5)], axis=1)
    held = rng.random((GAMES, 2)) < often
    utility = 0.3 * held + rng.gumbel(size=(GAMES, 2))
    utility[:, 0] += np.where(bad, -1.2, 1.2)
    shares = tied(winners(utility), rng)
    assert shares[held].mean() - shares[~held].mean() < -0.05
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["bad", "good"]})
    d = from_shares(
        shares, counts=as_counts(held), pieces=["A", "B"], cell=(~bad).astype(np.int32), cells=cells
    )
    found = piece_a(analysis.piece_strength(d, by="map"))
    assert found["map"].to_list() == ["bad", "good"]
    assert found["low"].min() > 0
    assert found["log_odds"].to_numpy() == pytest.approx(np.full(2, 0.22), abs=0.1)


def test_pt6_a_null_card_that_is_seen_in_long_games_only() -> None:
    """Half of the fast decks hold a null card and draw it in long games, which they lose; as assigned it is null."""
    rng = np.random.default_rng(102)
    fast = np.stack([np.arange(GAMES) % 2 == 0, np.arange(GAMES) % 2 == 1], axis=1)
    held = fast & (rng.random((GAMES, 2)) < 0.5)
    long = rng.random(GAMES) < 0.5
    shares = tied(winners(np.where(long[:, None], -0.8, 0.8) * fast + rng.gumbel(size=(GAMES, 2))), rng)
    played = held & long[:, None]
    assert shares[fast].mean() == pytest.approx(0.5, abs=0.02)
    assert shares[played].mean() < 0.4
    d = from_shares(shares, counts=as_counts(held), pieces=["A", "B"])
    seen = np.stack([played, ~held], axis=2).astype(np.int16)
    pieces = d.pieces.with_columns(played=pl.Series(seen.ravel()))
    deck = pl.Series(np.where(fast.ravel(), "fast", "slow"))
    d = with_tables(d, {"lever": d.manifest["lever"]}, pieces=pieces, seats=d.seats.with_columns(deck=deck))
    row = piece_a(analysis.piece_strength(d)).row(0, named=True)
    assert row["low"] < 0 < row["high"]
    assert row["verdict"] == "balanced"


def test_pt24_opponents_chosen_for_even_games_do_not_hide_a_strong_piece() -> None:
    """A is worth 0.4, and who has it mostly meets `sage`, better by 0.6: it wins half of its games."""
    rng = np.random.default_rng(103)
    held = np.stack([np.arange(GAMES) % 2 == 0, np.arange(GAMES) % 2 == 1], axis=1)
    sage = ~held & (rng.random((GAMES, 2)) < 0.7)
    shares = tied(winners(0.4 * held + 0.6 * sage + rng.gumbel(size=(GAMES, 2))), rng)
    assert shares[held].mean() == pytest.approx(0.5, abs=0.015)
    d = from_shares(shares, counts=as_counts(held), pieces=["A", "B"])
    bot = pl.Series(np.where(sage.ravel(), "sage", "greedy"))
    d = with_tables(d, {"lever": d.manifest["lever"]}, seats=d.seats.with_columns(bot=bot))
    row = piece_a(analysis.piece_strength(d)).row(0, named=True)
    assert row["log_odds_low"] < odds_with_ties(0.4) < row["log_odds_high"]
    assert row["verdict"] == "strong"
