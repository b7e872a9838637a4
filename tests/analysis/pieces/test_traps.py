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


def test_pt16_a_pair_that_works_together_is_not_counted_twice() -> None:
    """A with B adds .10, all three .06 more. Leaving one out of a full team says .38; over all teams it is .145."""
    rng = np.random.default_rng(16)
    games = 60_000
    held = (rng.random((games, 2, 3)) < 0.5).astype(np.int16)
    pair = held[..., 0] & held[..., 1]
    worth = 0.10 * pair + 0.06 * (pair & held[..., 2])
    first = rng.random(games) < 0.5 + worth[:, 0] - worth[:, 1]
    shares = np.stack([first, ~first], axis=1).astype(float)
    full = held.sum(axis=2) == 3
    left = []
    for k in range(3):
        without = (held.sum(axis=2) == 2) & (held[..., k] == 0)
        left.append(shares[full].mean() - shares[without].mean())
    assert sum(left) > 0.3
    d = from_shares(shares, counts=held, pieces=["A", "B", "C"])
    found = {row["piece"]: row for row in analysis.piece_strength(d).iter_rows(named=True)}
    for piece, truth in (("A", 0.065), ("B", 0.065), ("C", 0.015)):
        assert found[piece]["alone"] == pytest.approx(truth, abs=0.008)


def test_pt1b_two_pieces_of_the_same_games_are_no_independent_shares() -> None:
    """Two equal pieces, each held by one seat of every game, through the public function."""
    rng = np.random.default_rng(12)
    games, trials = 300, 150
    counts = np.zeros((games, 2, 2), dtype=np.int16)
    naive = ours = 0
    for _ in range(trials):
        swap = rng.random(games) < 0.5
        counts[:, 0, 0] = counts[:, 1, 1] = ~swap
        counts[:, 0, 1] = counts[:, 1, 0] = swap
        won = winners(rng.random((games, 2)))
        a = won[:, 0] * ~swap + won[:, 1] * swap
        p, q = a.mean(), 1 - a.mean()
        naive += abs(p - q) > 1.96 * np.sqrt((p * (1 - p) + q * (1 - q)) / games)
        frame = analysis.piece_strength(from_shares(won, counts=counts, pieces=["A", "B"]))
        ours += frame["p"][0] < 0.05
        assert (frame["q"] == frame["p"]).all()  # of two pieces one is the other's mirror
    assert naive / trials > 0.1
    assert ours / trials < 0.1


def test_pt8_and_pt9_many_pieces_and_rare_ones() -> None:
    """40 pieces, 4 of them real, some hardly ever dealt: few false flags, and no rare one tops the shrunk list."""
    rng = np.random.default_rng(89)
    kinds, games, naive, wrong, found_real, error = 40, 4_000, 0, 0, 0, []
    chance = np.exp(rng.uniform(np.log(1), np.log(60), kinds))
    chance /= chance.sum()
    order = np.argsort(-chance)
    effect = np.zeros(kinds)
    effect[order[:4]] = [0.35, -0.35, 0.35, -0.35]
    rare = np.isin(np.arange(kinds), order[-10:])
    for _ in range(4):
        counts = rng.multinomial(6, chance, size=(games, 2)).astype(np.int16)
        won = winners(counts @ effect + rng.gumbel(size=(games, 2)))
        won[rng.random(games) < 0.2] = 0.5
        frame = analysis.piece_strength(
            from_shares(won, counts=counts, pieces=[f"P{k:02}" for k in range(kinds)])
        )
        real = effect[[int(name[1:]) for name in frame["piece"]]] != 0
        low = rare[[int(name[1:]) for name in frame["piece"]]]
        naive += int(((frame["p"] < 0.05).to_numpy() & ~real).sum())
        wrong += bool(((frame["flag"] != "").to_numpy() & ~real).any())
        found_real += int(((frame["flag"] != "").to_numpy() & real).sum())
        raw, shrunk = frame["estimate"].to_numpy(), frame["eb"].to_numpy()
        error.append((np.square(raw[low]).mean(), np.square(shrunk[low]).mean()))
        assert not low[np.argsort(-np.abs(shrunk))[:4]].any()
    assert naive >= 3
    assert wrong <= 1
    assert found_real >= 12
    assert np.mean([one for _, one in error]) < 0.5 * np.mean([one for one, _ in error])
