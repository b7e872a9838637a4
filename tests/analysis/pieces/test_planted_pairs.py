"""Planted truth for pairs of pieces, and for when a piece comes."""

from __future__ import annotations

import numpy as np
import polars as pl

import analysis
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners

PIECES = ("Rats", "Oak", "Fly", "Bass", "Wolf")


def test_synergy_and_counter_are_found_where_they_were_planted_and_nowhere_else() -> None:
    rng = np.random.default_rng(2)
    own = rng.multinomial(5, [0.2] * 5, size=(9_000, 2))
    other = own[:, ::-1]
    worth = 0.2 * own[..., 0] - 0.1 * own[..., 3]
    worth = worth + 0.3 * own[..., 0] * own[..., 1] + 0.2 * own[..., 2] * other[..., 4]
    data = from_shares(winners(worth + rng.gumbel(size=(9_000, 2))), counts=own, pieces=PIECES)
    found = analysis.piece_pairs(data)
    assert len(found) == 20
    clear = found.filter(pl.col("verdict") != "may be chance")
    planted = {("together", "Rats", "Oak", "more"), ("against", "Fly", "Wolf", "more")}
    assert planted <= set(clear.select("what", "piece", "other", "verdict").rows())
    assert set(found.head(2).select("what", "piece", "other", "verdict").rows()) == planted
    row = clear.filter((pl.col("what") == "together") & (pl.col("piece") == "Rats")).row(0, named=True)
    # In win share: the log odds times p (1 - p), which is 0.25 where games are even and less where they are not.
    assert row["low"] < 0.3 * 0.25
    assert row["high"] > 0.3 * 0.2
    assert abs(row["eb"]) < abs(row["estimate"])


def test_pieces_that_only_add_up_make_no_pairs() -> None:
    alarms = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        own = rng.multinomial(3, [1 / 3] * 3, size=(700, 2))
        worth = own @ np.array([0.5, 0.0, -0.5])
        data = from_shares(winners(worth + rng.gumbel(size=(700, 2))), counts=own, pieces=PIECES[:3])
        alarms += int((analysis.piece_pairs(data)["verdict"] != "may be chance").sum())
    assert alarms <= 1


def test_a_piece_that_does_nothing_does_nothing_at_any_time() -> None:
    """Set against the seats that could still have it; games differ in length and in who wins the long ones."""
    rng = np.random.default_rng(4)
    n = 6_000
    turns = rng.integers(5, 40, n)
    when = rng.integers(1, 40, size=(n, 2))
    had = when <= turns[:, None]
    first = rng.random(n) < np.where(turns < 20, 0.7, 0.3)
    won = np.stack([first, ~first], axis=1).astype(float)
    counts = np.stack([had, ~had], axis=2).astype(int)
    data = from_shares(won, counts=counts, pieces=("Rats", "Oak"), turns=turns.astype(np.int32))
    first_turn = np.stack([np.where(had, when, 0), np.ones((n, 2))], axis=2).ravel().astype(np.int16)
    pieces = data.pieces.collect().with_columns(first_turn=pl.Series(first_turn))
    found = analysis.value_by_turn(with_tables(data, {}, pieces=pieces.lazy())).filter(
        pl.col("piece") == "Rats"
    )
    assert len(found) >= 3
    assert ((found["low"] < 0) & (found["high"] > 0)).sum() >= len(found) - 1
    assert found["estimate"].abs().max() < 0.05
    assert (found["turn_from"][1:] > found["turn_to"][:-1]).all()


def test_a_piece_that_decides_when_it_comes_early_shows_it() -> None:
    rng = np.random.default_rng(6)
    n = 4_000
    when = rng.integers(1, 21, size=(n, 2))
    won = winners(np.where(when <= 4, 1.0, 0.0) + rng.gumbel(size=(n, 2)))
    data = from_shares(won, counts=np.ones((n, 2, 1), dtype=int), pieces=("Rats",))
    pieces = data.pieces.collect().with_columns(first_turn=pl.Series(when.ravel().astype(np.int16)))
    found = analysis.value_by_turn(with_tables(data, {}, pieces=pieces.lazy()))
    assert found["low"][0] > 0.1
    assert found["turn_to"][0] in (4, 5)
    late = found.filter(pl.col("turn_from") > 5)
    assert len(late) >= 3
    assert (late["estimate"].abs() < 0.04).all()
