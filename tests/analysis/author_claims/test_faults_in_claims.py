"""Planted data on which faulty claims say more than was shown; a fifth of the games are tied."""

from __future__ import annotations

import numpy as np
import polars as pl

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.author_claims.test_planted_claims import claim, tried
from tests.analysis.false_verdicts import pieces
from tests.analysis.small import from_shares, winners


def long_games(games: int, mean: float, seed: int, *, cells: int = 1) -> Dataset:
    """Games of about `mean` turns with a spread of 8, ten more in each further cell; the seats are alike."""
    rng = np.random.default_rng([86, seed])
    cell = np.arange(games) % cells
    turns = np.rint(mean + 10 * cell + rng.normal(0, 8, games)).astype(np.int32)
    shares = winners(rng.gumbel(size=(games, 2)))
    shares[rng.random(games) < 0.2] = 0.5
    names = pl.DataFrame(
        {"cell": pl.Series(range(cells), dtype=pl.Int32), "map": [f"m{k}" for k in range(cells)]}
    )
    d = from_shares(shares, turns=turns, cell=cell.astype(np.int32), cells=names)
    return Dataset(
        {**d.manifest, "experiment": {"vary": {"map": names["map"].to_list()}}}, d.cells, d._tables
    )


def test_above_must_be_clear_among_all_claims() -> None:
    """Pieces that are alike: one merely above beyond chance is luck beside thirty claims on something else."""
    listed = [claim("piece_above_average", piece=f"P{k}") for k in range(3)]
    listed += [claim("mean_above", column="lead_changes", than=2.0)] * 30
    modest = reproduced = 0
    for seed in range(150):
        rng = np.random.default_rng([87, seed])
        d = pieces(300, kinds=3)(rng)
        games = d.games.with_columns(lead_changes=pl.Series(rng.integers(0, 5, 300).astype(np.int16)))
        found = tried(Dataset(d.manifest, d.cells, {**d._tables, "games": games}), *listed)
        own = found.filter(pl.col("kind") == "piece_above_average")
        modest += bool(own["note"].str.contains("verdict: above").any())
        reproduced += bool((own["status"] == "reproduced").any())
    assert modest > 2
    assert reproduced <= modest / 2


def test_denials_are_corrected_over_all_claims() -> None:
    """Seven true claims of what lies on the margin: at 5 % each, one in six data sets would deny one."""
    denied = 0
    listed = [claim("stronger_than", piece="P0", than=f"P{b}") for b in range(1, 8)]
    for seed in range(80):
        d = pieces(4_000, 0.03, kinds=8)(np.random.default_rng([88, seed]))
        denied += "not" in tried(d, *listed)["status"].to_list()
    assert denied <= 8


def test_what_is_undecided_among_the_pieces_is_no_claim_reproduced() -> None:
    """One claim on one piece that leads by luck: by itself beyond chance, among the eight pieces that it is of not."""
    met = 0
    for seed in range(60):
        d = pieces(400)(np.random.default_rng([90, seed]))
        row = analysis.piece_strength(d).sort("estimate", descending=True).row(0, named=True)
        if row["p"] < 0.045 and row["verdict"] == "undecided":
            met += 1
            found = tried(d, claim("piece_above_average", piece=row["piece"]))
            assert found["status"].to_list() == ["cannot tell"]
    assert met > 3


def test_a_range_must_be_shown() -> None:
    """Twelve games with a mean near 40: no proof that it lies between 38 and 42, and none that it does not."""
    within = claim("mean_between", column="turns", low=38, high=42)
    assert tried(long_games(12, 40, 1), within)["status"].to_list() == ["cannot tell"]
    assert tried(long_games(4_000, 40, 1), within)["status"].to_list() == ["reproduced"]
    assert tried(long_games(4_000, 50, 1), within)["status"].to_list() == ["not"]


def test_a_claim_is_tried_on_each_setting() -> None:
    """40 turns on one map, 50 on the other: on neither does the mean over both hold."""
    d = long_games(4_000, 40, 2, cells=2)
    found = tried(
        d,
        claim("mean_between", column="turns", low=44, high=46),
        claim("mean_below", column="turns", than=45),
    )
    assert found.filter(pl.col("kind") == "mean_between")["status"].to_list() == ["not", "not"]
    assert found.filter(pl.col("kind") == "mean_below")["status"].to_list() == ["reproduced", "not"]
