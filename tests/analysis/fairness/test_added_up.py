"""Seats of games that are added up part by part are those of all games at once."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import analysis
from analysis import stats
from analysis.data import sampling
from analysis.data.dataset import Dataset
from tests.analysis.synthetic import make

pytestmark = pytest.mark.plain
CELLS = {"rats_points": [1, 2], "players.count": [2, 3]}


def as_a_run(d: Dataset, games: pl.LazyFrame | None = None) -> Dataset:
    tables = {**d._tables} if games is None else {**d._tables, "games": games}
    return Dataset({**d.manifest, "experiment_hash": "planted"}, d.cells, tables)


@pytest.mark.parametrize("by", [None, "rats_points"])
def test_parts_add_up_to_the_whole(by: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make(deals=900, factors=CELLS, seat=(0.3, 0.0, 0.1)).dataset()
    whole, tests = analysis.seat_balance(made, by), analysis.seat_tests(made, by)
    monkeypatch.setattr(sampling, "MOST_GAMES", 1_700)
    d = as_a_run(made)
    views = list(sampling.parts(d, by))
    assert len(views) == 6
    ids = pl.concat([view.games.select("game_id").collect() for view in views])["game_id"]
    assert sorted(ids.to_list()) == sorted(made.games.collect()["game_id"].to_list())
    assert_frame_equal(analysis.seat_balance(d, by), whole, abs_tol=1e-9, rel_tol=1e-7)
    left = "lines_used"
    assert_frame_equal(analysis.seat_tests(d, by).drop(left), tests.drop(left), abs_tol=1e-9, rel_tol=1e-7)
    part = d.filter(rats_points=2)
    assert_frame_equal(
        analysis.seat_balance(part), analysis.seat_balance(made.filter(rats_points=2)), abs_tol=1e-9
    )


def test_lines_that_repeat_are_not_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make(deals=900, players=2).dataset()
    few = made.games.with_columns(line=(pl.col("deal") % 50).cast(pl.UInt64))
    expected = analysis.seat_balance(as_a_run(made, few))
    monkeypatch.setattr(sampling, "MOST_GAMES", 500)
    d = as_a_run(made, few)
    assert list(sampling.parts(d)) == [d]
    assert_frame_equal(analysis.seat_balance(d), expected)
    assert expected["blocks"][0] < 60


def test_sums_know_a_share_without_spread() -> None:
    deal = np.repeat(np.arange(40), 2)
    won = np.tile([[1.0, 0.0], [0.0, 1.0]], (40, 1))
    blocks = stats.make_blocks(deal)
    sums = stats.Sums.of(won[:30], blocks[np.arange(30)], np.array([0.4, 0.6]))
    sums += stats.Sums.of(won[30:], blocks[np.arange(30, 80)], np.array([0.4, 0.6]))
    mean, cov = stats.block_means(won, blocks)
    assert sums.mean == pytest.approx(mean)
    assert sums.variance == pytest.approx(np.diag(cov), abs=1e-15)
    assert (len(sums), sums.number, sums.distinct, sums.single, sums.df) == (80, 40.0, 40, False, 39.0)
    low, high = stats.shares(sums.mean, sums.variance, sums).interval()
    exact = stats.shares(mean, np.diag(cov), blocks).interval()
    assert (low, high) == (pytest.approx(exact[0]), pytest.approx(exact[1]))
    assert sums.note() == blocks.note()
