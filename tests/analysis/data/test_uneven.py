"""Cells that ended early: what is taken together must not lean to those that went on."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.changes.runs import _plain
from analysis.data.dataset import Dataset
from analysis.data.frames import read_games
from analysis.data.pooling import pool
from analysis.data.uneven import evened, shares
from tests.analysis.small import from_shares

pytestmark = pytest.mark.plain

COUNTS = (4000, 4000, 4000, 500)
"""Games of the cells (tide, wind): low and calm, low and storm, high and calm, high and storm, which ended early."""
SHARES = (0.5, 0.7, 0.5, 0.7)
"""What the first seat wins: by the wind alone, whatever the tide."""


def run(seed: int = 1, counts: tuple[int, ...] = COUNTS) -> Dataset:
    rng = np.random.default_rng(seed)
    cell = np.repeat(np.arange(4), counts)
    deal = np.concatenate([np.arange(n) for n in counts])
    won = (rng.random(len(cell)) < np.array(SHARES)[cell]).astype(float)
    d = from_shares(
        np.stack([won, 1 - won], axis=1),
        cell=cell.astype(np.int32),
        deal=deal,
        game_id=cell * 2**32 + deal,
        cells=pl.DataFrame(
            {
                "cell": np.arange(4, dtype=np.int32),
                "tide": ["low", "low", "high", "high"],
                "wind": ["calm", "storm", "calm", "storm"],
                "games": counts,
            }
        ),
    )
    closed = {str(k): n for k, n in enumerate(counts) if n < 4000}
    d.manifest["games_per_cell"] = 4000
    d.manifest["stop"] = {"games": [500, 1000, 2000, 4000], "look": 3, "alpha": 0.025, "closed": closed}
    return d


def difference(d: Dataset) -> tuple[float, float, float]:
    row = analysis.depends_on(d, "tide").row(0, named=True)
    return row["estimate"], row["low"], row["high"]


def test_a_factor_without_effect_is_not_found_beside_one_with() -> None:
    d = run()
    found, low, high = difference(d)
    assert low < 0 < high
    d.manifest["stop"] = None
    d.memo.clear()
    naive, low, high = difference(d)
    assert high < -0.04  # leaning to the cells that went on, tides differ by 8 points
    assert abs(found) < abs(naive) / 3


def test_each_setting_by_itself_has_all_its_games() -> None:
    d = run()
    games = read_games(d, ["tide", "wind"])
    assert [len(rows) for _, rows in games.groups(split_players=True)] == list(COUNTS)
    pooled = read_games(d, "tide")
    assert [len(rows) for _, rows in pooled.groups(split_players=True)] == [8000, 1000]
    assert all(
        (pooled.frame["deal"].to_numpy()[rows] < 500).all()
        for _, rows in [*pooled.groups(split_players=True)][1:]
    )


def test_a_view_has_the_same_deals_of_all_cells() -> None:
    d = run()
    view = evened(d)
    assert view.games.group_by("cell").len().collect()["len"].to_list() == [500] * 4
    assert evened(view).n_games == view.n_games
    whole = run(counts=(4000,) * 4)
    assert evened(whole) is whole
    assert shares(whole.manifest) == {}
    assert _plain(d).n_games == 2000


def test_two_runs_that_ended_apart_are_compared_evenly() -> None:
    """Each run leans to other cells; what tells them apart is nothing but that."""
    one, other = run(1), run(2, (4000, 500, 4000, 4000))
    other.manifest["design_version"] = "2"
    found = analysis.compare_runs(one, other, primary="first seat")
    (row,) = found.filter(pl.col("role") == "primary").to_dicts()
    assert row["low"] < 0 < row["high"]
    together = pool([one, other])
    assert together.manifest["stop"]["alpha"] == pytest.approx(0.05 / 8)
    assert shares(together.manifest) == {3: 0.125, 5: 0.125}
    (_, rows), *_ = read_games(together).groups(split_players=True)
    assert len(rows) == 8 * 500
