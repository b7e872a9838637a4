"""Looks at a run that is going on: games in planned order, and intervals that hold at every look at once.

Who looks again and again at 95 % intervals and stops when one looks good is wrong far more often than in 5 % of
cases. A confidence sequence holds at all looks together: that of a normal mixture (Robbins 1970), for means of blocks
as they come (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021), narrowest where the run is planned to end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset


def planned_games(d: Dataset) -> int:
    """Games that the run is to have in all; 0 where nobody planned any."""
    cells = d.cells
    return int(cells["games"].sum()) if "games" in cells.columns else 0


def going_on(d: Dataset) -> bool:
    """Whether games of the plan are still missing."""
    return d.n_games < planned_games(d)


def in_planned_order(d: Dataset) -> Dataset:
    """The games up to the first chunk that is missing: a worker that is quick must not choose what is seen first."""
    import polars as pl

    told = [entry for entry in d.commits if "chunk" in entry]
    numbers = sorted(
        k for entry in told for k in range(int(entry["chunk"]), int(entry.get("last", entry["chunk"])) + 1)
    )
    gap = next((k for k, chunk in enumerate(numbers) if chunk != k), None)
    if gap is None:
        return d
    later = [e["first_game_id"] for e in d.commits if e.get("chunk", 0) > gap and "first_game_id" in e]
    return d.filter(pl.col("game_id") < min(later)) if later else d


def width(alpha: float, share: float) -> float:
    """Standard errors to either side of a confidence sequence at `share` of the planned blocks.

    Parameters
    ----------
    alpha : float
        Chance that the sequence ever leaves out the truth.
    share : float
        Blocks seen by blocks planned; the sequence is narrowest near 1.
    """
    k = max(share, 1e-9) * (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1))
    return math.sqrt((1 + 1 / k) * 2 * math.log(math.sqrt(k + 1) / alpha))


def at_looks(z: np.ndarray, share: float) -> np.ndarray:
    """p values that hold at all looks, from z values at this one: the least alpha whose sequence leaves out the null.

    Parameters
    ----------
    z : array
        Distances from the null in standard errors, at least 0.
    share : float
        Blocks seen by blocks planned.
    """
    out = np.ones(len(z))
    for i, value in enumerate(z):
        low, high = -700.0, math.log(0.999)
        if not math.isfinite(value) or width(math.exp(high), share) > value:
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if width(math.exp(middle), share) > value else (low, middle)
        out[i] = math.exp(high)
    return out
