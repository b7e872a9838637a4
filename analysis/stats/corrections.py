"""Tests of many things at once: corrections for a family of p values, joint tests that all is even."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

ALPHA = 0.05


def bh(p: ArrayLike) -> Floats:
    """Benjamini-Hochberg q values; NaN entries stay NaN and do not count."""
    from scipy.stats import false_discovery_control

    values = np.asarray(p, dtype=np.float64)
    q = np.full(values.shape, np.nan)
    known = np.isfinite(values)
    if known.any():
        q[known] = false_discovery_control(np.clip(values[known], 0.0, 1.0))
    return q


def hochberg(p: ArrayLike) -> Floats:
    """Step-up corrected p values (Hochberg 1988): the chance of any false one is at most that of each."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(-values)
    out = np.empty(len(values))
    out[order] = np.minimum.accumulate(np.minimum(1.0, values[order] * np.arange(1, len(values) + 1)))
    return out


def wald(estimate: Floats, cov: Floats, df: float) -> tuple[float, int, float]:
    """Joint test that all entries are 0, by Hotelling's F for few blocks.

    Returns
    -------
    chi2 : float
    rank : int
        Entries that move freely (seat shares sum to 1, so one of them does not).
    p : float
    """
    from scipy.special import fdtrc

    if not np.isfinite(cov).all() or not np.any(np.diag(cov) > 0):
        return math.nan, 0, math.nan
    values, vectors = np.linalg.eigh(cov)
    free = values > values.max() * 1e-9
    rank = int(free.sum())
    chi2 = float(np.sum((vectors[:, free].T @ estimate) ** 2 / values[free]))
    left = df - rank + 1
    if left <= 0:
        return chi2, rank, math.nan
    return chi2, rank, float(fdtrc(rank, left, chi2 * left / (rank * df)))


def pearson(share: Floats, fair: float, size: Floats, df: float) -> tuple[float, int, float]:
    """Pearson's test that all sides have the `fair` share, with the first correction of Rao and Scott (1984).

    Parameters
    ----------
    share, size : arrays (sides,)
        Share of each side, and the independent games that it is worth.
    df : float
        Degrees of freedom of the sizes; infinite where every game is a block of its own.

    Returns
    -------
    chi2 : float
    degrees : int
    p : float
    """
    from scipy.special import chdtrc, fdtrc

    degrees = len(share) - 1
    if degrees < 1 or not np.isfinite(size).all() or not df > 0:
        return math.nan, max(degrees, 0), math.nan
    games = 1 / np.mean(1 / size)
    chi2 = float(np.sum(np.square(share - fair)) / fair * games)
    if df > 1e6:
        return chi2, degrees, float(chdtrc(degrees, chi2))
    return chi2, degrees, float(fdtrc(degrees, degrees * df, chi2 / degrees))
