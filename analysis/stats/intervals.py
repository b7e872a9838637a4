"""Intervals, tests of equivalence, corrections for many comparisons, and the rule of the verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

ALPHA = 0.05


def quantile(df: float, level: float = 0.95) -> float:
    """Two-sided t quantile; NaN without degrees of freedom, the normal one when there are very many."""
    from scipy.special import ndtri, stdtrit

    if not df > 0:
        return math.nan
    upper = 0.5 + level / 2
    return float(ndtri(upper)) if df > 1e6 else float(stdtrit(df, upper))


def interval(estimate: ArrayLike, se: ArrayLike, df: float, level: float = 0.95) -> tuple[Floats, Floats]:
    """Interval ``estimate -+ t * se``; NaN where it cannot be had."""
    middle, half = (
        np.asarray(estimate, dtype=np.float64),
        quantile(df, level) * np.asarray(se, dtype=np.float64),
    )
    return middle - half, middle + half


def two_sided(estimate: ArrayLike, se: ArrayLike, df: float, null: ArrayLike = 0.0) -> Floats:
    """p values of ``estimate = null`` by t; NaN where the error is unknown or 0."""
    from scipy.special import stdtr

    error = np.asarray(se, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(np.asarray(estimate, dtype=np.float64) - np.asarray(null, dtype=np.float64)) / np.where(
            error > 0, error, np.nan
        )
    return np.asarray(2 * stdtr(df if df > 0 else np.nan, -t))


def tost(estimate: ArrayLike, se: ArrayLike, low: ArrayLike, high: ArrayLike, df: float) -> Floats:
    """p values of the two one-sided tests: small means that the true value lies within ``low .. high``.

    Equivalent to the 90 % interval lying inside the margin when tested at 5 % (Schuirmann 1987).
    """
    from scipy.special import stdtr

    error = np.asarray(se, dtype=np.float64)
    error = np.where(error > 0, error, np.nan)
    middle = np.asarray(estimate, dtype=np.float64)
    degrees = df if df > 0 else np.nan
    above = stdtr(degrees, -(middle - np.asarray(low, dtype=np.float64)) / error)
    below = stdtr(degrees, -(np.asarray(high, dtype=np.float64) - middle) / error)
    return np.asarray(np.maximum(above, below))


def bh(p: ArrayLike) -> Floats:
    """Benjamini-Hochberg q values; NaN entries stay NaN and do not count."""
    from scipy.stats import false_discovery_control

    values = np.asarray(p, dtype=np.float64)
    q = np.full(values.shape, np.nan)
    known = np.isfinite(values)
    if known.any():
        q[known] = false_discovery_control(np.clip(values[known], 0.0, 1.0))
    return q


def wilson(share: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson interval of a share seen on `n` (effective) independent games; `n` need not be whole."""
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2))
    p, size = np.asarray(share, dtype=np.float64), np.asarray(n, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (p + z**2 / (2 * size)) / (1 + z**2 / size)
        half = z / (1 + z**2 / size) * np.sqrt(p * (1 - p) / size + z**2 / (4 * size**2))
    # The ends of nothing and of all are exact, and must not be lost to rounding.
    return np.where(p == 0, 0.0, np.clip(centre - half, 0, 1)), np.where(
        p == 1, 1.0, np.clip(centre + half, 0, 1)
    )


def score_test(share: ArrayLike, n: float, null: float) -> Floats:
    """p values of a share seen on `n` independent games against `null`: the test that belongs to `wilson`."""
    from scipy.special import ndtr

    z = (np.asarray(share, dtype=np.float64) - null) / np.sqrt(null * (1 - null) / n)
    return np.asarray(2 * ndtr(-np.abs(z)))


def score_equivalence(share: ArrayLike, n: float, low: float, high: float) -> Floats:
    """p values that a share seen on `n` independent games lies within ``low .. high``, by two score tests."""
    from scipy.special import ndtr

    p = np.asarray(share, dtype=np.float64)
    above = ndtr(-(p - low) / np.sqrt(low * (1 - low) / n)) if low > 0 else np.zeros_like(p)
    below = ndtr(-(high - p) / np.sqrt(high * (1 - high) / n)) if high < 1 else np.zeros_like(p)
    return np.asarray(np.maximum(above, below))


def share_interval(share: float, se: float, blocks: float, level: float = 0.95) -> tuple[float, float]:
    """Interval of one share near 0 or 1 from its block-robust error.

    The error is turned into the number of independent games that would have it (at most what the binomial
    allows), and Wilson's formula does the rest; with no spread at all every block counts once.
    """
    size = share * (1 - share) / se**2 if se > 1e-9 and 0 < share < 1 else blocks
    low, high = wilson(share, size, level)
    return float(low), float(high)


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


def joint_quantile(cov: Floats, df: float, level: float = 0.95, draws: int = 20_000) -> float:
    """Quantile c such that all ``estimate -+ c * se`` hold at once, by simulation of the largest t.

    The simulation has a fixed seed, so that the same data give the same band.
    """
    se = np.sqrt(np.diag(cov))
    if not np.isfinite(se).all() or not df > 0:
        return math.nan
    used = se > 0
    if used.sum() == 0:
        return quantile(df, level)
    correlation = cov[np.ix_(used, used)] / np.outer(se[used], se[used])
    values, vectors = np.linalg.eigh(correlation)
    rng = np.random.default_rng(20_011)
    normal = rng.standard_normal((draws, len(values))) * np.sqrt(np.clip(values, 0, None)) @ vectors.T
    scale = np.sqrt(rng.chisquare(df, draws) / df) if df < 1e6 else np.ones(draws)
    largest = np.max(np.abs(normal), axis=1) / scale
    return max(float(np.quantile(largest, level)), quantile(df, level))


def verdict(
    estimate: float,
    q: float,
    q_equivalence: float,
    low: float,
    high: float,
    words: Sequence[str] = ("strong", "weak"),
    enough: bool = True,
) -> str:
    """One word for an estimate against the range ``low .. high`` that is meant.

    ``balanced`` is a claim of its own: the equivalence test places the value inside the range. ``strong`` or
    ``weak`` needs an estimate beyond the range and a difference from the middle of the range beyond chance.
    Everything else is ``undecided``: a missing star is no proof of balance.
    """
    if not enough or not math.isfinite(estimate):
        return "undecided"
    if q_equivalence < ALPHA:
        return "balanced"
    if q < ALPHA and estimate > high:
        return words[0]
    if q < ALPHA and estimate < low:
        return words[1]
    return "undecided"
