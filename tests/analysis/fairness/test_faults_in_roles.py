"""Planted data that faulty effects of roles, series and endings do not pass; a fifth of the games are tied."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners

FOUNDER = {"card": {"words": {"role": "Founder"}}}


def tied(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A fifth of the games shared by all seats."""
    out = shares.copy()
    out[rng.random(len(out)) < 0.2] = 1 / out.shape[1]
    return out


def test_a_role_that_sits_in_the_good_seat_oftener() -> None:
    """The Founder sits in the favoured seat in 70 % of games; the role itself is worth nothing."""
    rng = np.random.default_rng(61)
    games = 9_000
    founder = np.where(rng.random(games) < 0.7, 0, rng.integers(0, 3, games))
    utility = rng.gumbel(size=(games, 3))
    utility[:, 0] += 0.9
    d = with_tables(from_shares(tied(winners(utility), rng), founder_seat=founder.astype(np.int8)), FOUNDER)
    found = analysis.role_effect(d)
    plain, apart = (found.row(by_predicate=pl.col("apart") == flag, named=True) for flag in (False, True))
    assert plain["low"] > 1 / 3 + 0.05
    assert plain["verdict"] == "favoured"
    assert apart["low"] < 1 / 3 < apart["high"]
    assert apart["verdict"] not in ("favoured", "above")


def test_games_without_the_role_are_left_out() -> None:
    """Half of the games have a Founder, who wins more; in the others there is none to win anything."""
    rng = np.random.default_rng(62)
    founder = np.where(np.arange(6_000) % 2 == 0, rng.integers(0, 2, 6_000), -1)
    utility = rng.gumbel(size=(6_000, 2))
    has = founder >= 0
    utility[has, founder[has]] += 0.8
    column = pl.Series([int(seat) if seat >= 0 else None for seat in founder], dtype=pl.Int8)
    d = with_tables(from_shares(tied(winners(utility), rng), founder_seat=column), FOUNDER)
    row = analysis.role_effect(d).row(0, named=True)
    truth = 0.1 + 0.8 / (1 + np.exp(-0.8))
    assert row["low"] < truth < row["high"]
    assert row["games"] == 3_000


def series_of(score: np.ndarray) -> Dataset:
    """Two games a series; the points of (games, players)."""
    number = np.repeat(np.arange(len(score) // 2), 2)
    founder = np.tile([0, 1], len(score) // 2)
    shares = (score == score.max(axis=1, keepdims=True)).astype(float)
    shares /= shares.sum(axis=1, keepdims=True)
    d = from_shares(shares, series=number, founder_seat=founder.astype(np.int8))
    seats = d.seats.with_columns(
        score=pl.Series(score.ravel().astype(np.float32)),
        founder=pl.Series((np.arange(2)[None, :] == founder[:, None]).ravel()),
    )
    return with_tables(d, FOUNDER, seats=seats)


def test_tied_series_are_shared() -> None:
    """A fifth of the series end level on points: half a win for each, so that wins add up to the series."""
    rng = np.random.default_rng(63)
    score = rng.integers(10, 30, (4_000, 2)).astype(float)
    level = np.flatnonzero(rng.random(2_000) < 0.2)
    score[2 * level + 1] = 40 - score[2 * level]
    score[2 * level + 1, 0] = score[2 * level].sum(axis=1) - score[2 * level, 0]
    score[2 * level + 1, 1] = score[2 * level, 0]
    total = score.reshape(2_000, 2, 2).sum(axis=1)
    assert (total[:, 0] == total[:, 1]).mean() > 0.2
    found = analysis.series_balance(series_of(score))
    won = found.filter((pl.col("measure") == "series won") & (pl.col("of") == "player"))
    assert won["estimate"].sum() == pytest.approx(1.0)
    assert won["estimate"][0] == pytest.approx(
        np.mean((total[:, 0] > total[:, 1]) + 0.5 * (total[:, 0] == total[:, 1]))
    )


def test_roles_and_enders_are_judged_by_the_margin_of_seats() -> None:
    """Three points over a fair share: beyond the margin of seats (1), within that of pieces (10)."""
    rng = np.random.default_rng(64)
    games = 40_000
    mark = rng.integers(0, 2, games)
    first = rng.random(games) < 0.5 + 0.03 / 0.8
    shares = np.zeros((games, 2))
    shares[np.arange(games), np.where(first, mark, 1 - mark)] = 1.0
    judge = {"seat": 0.01, "piece": 0.1}
    d = with_tables(
        from_shares(
            tied(shares, rng), founder_seat=mark.astype(np.int8), ended_by=mark.astype(np.int8), judge=judge
        ),
        FOUNDER,
    )
    assert set(analysis.role_effect(d)["verdict"]) == {"favoured"}
    assert analysis.enders(d)["verdict"].to_list() == ["favoured"]


def test_who_ends_a_game_of_partners_has_the_share_of_a_side() -> None:
    """Two sides of two: half of the games are a fair share, whoever ends them."""
    rng = np.random.default_rng(65)
    games, team = 4_000, [0, 1, 0, 1]
    side = winners(rng.gumbel(size=(games, 2)))
    shares = tied(side, rng)[:, team]
    d = from_shares(shares, team=team, ended_by=rng.integers(0, 4, games).astype(np.int8))
    row = analysis.enders(d).row(0, named=True)
    assert row["fair"] == 0.5
    assert row["low"] < 0.5 < row["high"]
    assert row["verdict"] not in ("favoured", "unfavoured")


def test_tie_breaks_that_favour_nobody_are_corrected_over_the_seats() -> None:
    """Six seats, level games decided by lot: at 5 % each one seat in four data sets would seem to gain."""
    rng = np.random.default_rng(66)
    alone = called = 0
    for _ in range(40):
        score = rng.integers(0, 6, (400, 6)).astype(float)
        d = from_shares(winners(score + 0.5 * rng.random(score.shape)))
        seats = d.seats.with_columns(score=pl.Series(score.ravel().astype(np.float32)))
        found = analysis.tie_breaks(with_tables(d, seats=seats))
        alone += bool((found["p"] < 0.05).any())
        called += bool((found["q"] < 0.05).any())
    assert alone > 6
    assert called <= 6
