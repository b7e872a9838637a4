"""Cells of one run that have unlike many games, because some were decided and got no more of them.

An average over such cells would lean to those that were hard to decide. Where cells are taken together, each counts as
the plan has it: with its first games, as many as the cell that ended first has. They are the same deals in all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset

Ints = NDArray[np.int64]


def shares(manifest: Mapping[str, Any]) -> dict[int, float]:
    """Cells that ended early, and which share of the games they have that cells which did not have."""
    told = manifest.get("stop") or {}
    if "shares" in told:  # of several runs together
        return {int(cell): float(share) for cell, share in told["shares"].items()}
    if not told.get("closed"):
        return {}
    most = max(int(manifest.get("games_per_cell") or 0), *told["closed"].values())
    return {int(cell): n / most for cell, n in told["closed"].items() if n < most}


def even(d: Dataset, rows: Ints) -> Ints:
    """Of the games `rows` those that all of their cells have in the same measure."""
    ended = shares(d.manifest)
    if not ended:
        return rows
    cell = d.columns.number("cell").astype(np.int64)
    own = {int(one): ended.get(int(one), 1.0) for one in np.unique(cell[rows])}
    least = min(own.values(), default=1.0)
    if least == max(own.values(), default=1.0):
        return rows
    planned = dict(d.cells.select("cell", "games").iter_rows())
    ids, kept = d.columns.ids, np.zeros(len(rows), dtype=bool)
    for one, share in own.items():
        mine = cell[rows] == one
        rank = (
            ids[rows] - ids[np.argmax(cell == one)]
        )  # numbers of a cell's games follow each other as planned
        kept |= mine & (rank < round(planned[one] * least / share))
    return rows if kept.all() else rows[kept]


def evened(d: Dataset) -> Dataset:
    """The view in which all cells have games in the same measure; the data set itself where they have."""
    import polars as pl

    if not shares(d.manifest):
        return d
    every = np.arange(d.n_games)
    kept = even(d, every)
    return d if len(kept) == len(every) else d.filter(pl.col("game_id").is_in(d.columns.ids[kept].tolist()))
