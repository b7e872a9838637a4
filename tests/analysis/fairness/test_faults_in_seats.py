"""Planted data that a faulty verdict on seats, or a faulty share of a bot, does not pass."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners


def seats_with(wins: list[int]) -> np.ndarray:
    """Win shares of games of which seat k won ``wins[k]``."""
    return np.eye(len(wins))[np.repeat(np.arange(len(wins)), wins)]


@pytest.mark.parametrize("margin", [1e-6, 0.02])
def test_one_seat_of_four_beyond_its_own_band_only_is_no_verdict(margin: float) -> None:
    """4,000 games of four: the first seat is 2.2 errors beyond the margin (p .028, among four seats .11)."""
    error = np.sqrt(4_000 * 0.25 * 0.75)
    extra = round(4_000 * margin + 2.2 * error)
    wins = [1_000 + extra, *[1_000 - extra // 3] * 2]
    d = from_shares(seats_with([*wins, 4_000 - sum(wins)]), judge={"seat": margin, "piece": margin})
    first = analysis.seat_balance(d).row(0, named=True)
    assert first["low"] > 0.25 + margin > first["low_joint"]
    assert first["verdict"] == ("undecided" if margin < 0.01 else "above")
    assert analysis.seat_tests(d)["verdict"][0] == ("undecided" if margin < 0.01 else "uneven")


def test_seats_are_judged_by_the_margin_of_seats() -> None:
    """53.5 % of 20,000 games: beyond a margin of 2 points, well inside one of 5."""
    shares = seats_with([10_700, 9_300])
    wide, narrow = (from_shares(shares, judge={"seat": seat, "piece": 0.07 - seat}) for seat in (0.05, 0.02))
    assert analysis.seat_balance(narrow)["verdict"].to_list() == ["favoured", "unfavoured"]
    assert analysis.seat_balance(wide)["verdict"].to_list() == ["balanced"] * 2
    assert analysis.seat_tests(narrow)["verdict"].to_list() == ["unbalanced"]
    assert analysis.seat_tests(wide)["verdict"].to_list() == ["balanced"]


def test_a_bot_counts_in_the_games_that_it_was_in() -> None:
    """Of 400 games `rush` was in 100 and won 60; a fifth of all games is tied."""
    rng = np.random.default_rng(81)
    shares = winners(rng.random((400, 2)))
    shares[:100] = seats_with([60, 40])
    shares[100:180] = 0.5
    d = from_shares(shares, turns=np.arange(400, dtype=np.int32))
    there = (pl.col("game_id") < 100) & (pl.col("seat") == 0)
    other = pl.when(pl.col("seat") == 0).then(pl.lit("wild")).otherwise(pl.lit("greedy"))
    seats = d.seats.with_columns(bot=pl.when(there).then(pl.lit("rush")).otherwise(other))
    d = with_tables(d, {"bots_used": ["greedy", "rush", "wild"]}, seats=seats)
    rows = analysis.win_share_by(d, "cell", of="bot").filter(pl.col("what") == "level")
    at = {row["who"]: row for row in rows.iter_rows(named=True)}
    assert {who: row["games"] for who, row in at.items()} == {"rush": 100, "wild": 300, "greedy": 400}
    assert at["rush"]["estimate"] == pytest.approx(0.6)
    assert at["wild"]["estimate"] == pytest.approx(shares[100:, 0].mean())
    assert at["greedy"]["estimate"] == pytest.approx(shares[:, 1].mean())
    # 60 of 100 by Clopper and Pearson.
    assert (at["rush"]["low"], at["rush"]["high"]) == pytest.approx((0.4972, 0.6967), abs=5e-4)


def test_the_seat_furthest_from_fair_may_be_a_weak_one() -> None:
    found = analysis.seat_tests(from_shares(seats_with([1_100, 1_100, 800]))).row(0, named=True)
    assert (found["seat"], found["verdict"]) == (2, "unbalanced")
    assert found["estimate"] == pytest.approx(800 / 3_000 - 1 / 3)
    assert found["low"] < found["estimate"] < found["high"] < -0.02


def test_a_deal_is_one_block_whatever_the_seeds_of_its_games() -> None:
    """40 deals, each replayed 10 times under other seeds with the same winner: 40 results, not 400."""
    first = (np.arange(40) < 26).astype(float)
    once = np.stack([first, 1 - first], axis=1)
    deal = np.repeat(np.arange(40), 10)
    seed = np.arange(400).astype(np.uint64)
    often = analysis.seat_balance(from_shares(once[deal], deal=deal, seed=seed)).row(0, named=True)
    alone = analysis.seat_balance(from_shares(once)).row(0, named=True)
    assert often["blocks"] == 40
    assert often["high"] - often["low"] == pytest.approx(alone["high"] - alone["low"], rel=0.06)
    assert often["verdict"] == alone["verdict"] == "undecided"
