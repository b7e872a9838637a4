"""Planted truth for no harm, the same change at all tables, and levels that are shrunk."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.small import from_shares, winners


def changed(
    deals: int, longer: float = 0.0, tables: tuple[int, ...] = (2,), seed: int = 1
) -> analysis.Dataset:
    """Two versions on the same deals; in the new one games of two take `longer` turns more, of three no more."""
    rng = np.random.default_rng(seed)
    shares, turns, deal, cell, rows = [], [], [], [], []
    for n in tables:
        base = rng.normal(20, 4, deals)
        for version in (0, 1):
            shares.append(winners(rng.gumbel(size=(deals, n))))
            grown = version * longer * (n == 2)
            turns.append(np.round(base + grown + rng.normal(0, 2, deals)).astype(np.int32))
            deal.append(np.arange(deals) + 10**6 * n)
            cell.append(np.full(deals, len(rows), dtype=np.int32))
            rows.append({"cell": len(rows), "fast": bool(version), "players.count": n})
    cells = pl.DataFrame(rows).with_columns(pl.col("cell").cast(pl.Int32))
    data = from_shares(
        shares, turns=np.concatenate(turns), deal=np.concatenate(deal), cell=np.concatenate(cell), cells=cells
    )
    manifest = {**data.manifest, "factors": ["fast", *(["players.count"] if len(tables) > 1 else [])]}
    manifest["experiment"] = {"vary": {name: [] for name in manifest["factors"]}}
    return analysis.Dataset(manifest, data.cells, data._tables)


def test_no_harm_is_shown_and_harm_is_seen() -> None:
    same = analysis.no_harm(changed(3_000)).filter(pl.col("measure") == "turns").row(0, named=True)
    assert same["verdict"] == "unmoved"
    assert same["margin"] == pytest.approx(0.05 * same["without"])
    moved = (
        analysis.no_harm(changed(3_000, longer=3.0)).filter(pl.col("measure") == "turns").row(0, named=True)
    )
    assert moved["verdict"] == "moved"
    assert moved["low"] < 3.0 < moved["high"]
    few = analysis.no_harm(changed(30)).filter(pl.col("measure") == "turns").row(0, named=True)
    assert few["verdict"] == "undecided"
    wide = analysis.no_harm(changed(3_000, longer=3.0), margins={"turns": 5.0})
    assert wide.filter(pl.col("measure") == "turns")["verdict"][0] == "unmoved"
    with pytest.raises(analysis.Refusal, match="nothing called 'turn'"):
        analysis.no_harm(changed(30), margins={"turn": 1.0})


def test_a_change_that_differs_between_tables_is_told() -> None:
    apart = analysis.no_harm(changed(800, longer=3.0, tables=(2, 3))).filter(pl.col("measure") == "turns")
    turns = apart.filter(pl.col("change").str.contains("fast"))
    assert len(turns) == 2
    assert turns["q_tables"].max() < 0.001
    alike = analysis.no_harm(changed(800, tables=(2, 3))).filter(pl.col("measure") == "turns")
    assert alike.filter(pl.col("change").str.contains("fast"))["p_tables"].min() > 0.001


def test_levels_are_shrunk_as_far_as_they_are_alike() -> None:
    """Ten maps with few games each: the truth is nearer to the shrunk values than to the plain ones."""
    rng = np.random.default_rng(3)
    truth = rng.normal(0.3, 0.1, 10)
    shares, cell = [], []
    for k, lead in enumerate(truth):
        shares.append(winners(rng.gumbel(size=(250, 2)) + np.array([lead, 0.0])))
        cell.append(np.full(250, k, dtype=np.int32))
    cells = pl.DataFrame({"cell": np.arange(10, dtype=np.int32), "map": [f"map {k}" for k in range(10)]})
    found = analysis.shrunk_levels(
        from_shares(np.concatenate(shares), cell=np.concatenate(cell), cells=cells), "map"
    )
    real = 1 / (1 + np.exp(-truth)) - 0.5
    off = {name: np.square(found[name].to_numpy() - real).mean() for name in ("estimate", "eb")}
    assert off["eb"] < 0.7 * off["estimate"]
    assert found["level"].to_list() == [f"map {k}" for k in range(10)]
    assert found["middle"][0] == pytest.approx(found["estimate"].mean(), abs=0.01)


def test_levels_that_differ_are_not_shrunk_away() -> None:
    rng = np.random.default_rng(4)
    shares = [winners(rng.gumbel(size=(900, 2)) + np.array([lead, 0.0])) for lead in (-1.0, 0.0, 1.0)]
    cells = pl.DataFrame({"cell": np.arange(3, dtype=np.int32), "map": ["a", "b", "c"]})
    data = from_shares(np.concatenate(shares), cell=np.repeat(np.arange(3, dtype=np.int32), 900), cells=cells)
    found = analysis.shrunk_levels(data, "map")
    assert found["q_alike"].max() < 1e-6
    assert (found["eb"] - found["estimate"]).abs().max() < 0.01
