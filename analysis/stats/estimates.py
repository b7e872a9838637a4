"""Estimates and the one interval that each has: exact for shares, Student's t for everything else.

A share (of wins, of games) lies in [0, 1] and its error depends on itself, so a normal interval runs out of the
range and rejects fair tables too often. Its block-robust variance is turned into the number of independent games
that would have it (``p (1 - p) / V``, the design effect of Kish 1965), and the binomial does the rest (Clopper and
Pearson 1934; for clusters Korn and Graubard 1998). With independent games and no ties that is the exact test.
Where blocks hold several games the variance itself is an estimate, and the tails are read by Student's t.

An estimate without any spread between blocks has no standard error. Its interval says how much the blocks that
were not seen may still hold: of ``n`` blocks that are all alike, at most the share ``1 - alpha^(1/n)`` is unlike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.blocks import FEWEST_BLOCKS, Blocks
from analysis.stats.sums import Sums

Floats = NDArray[np.float64]

ROUNDING = 1e-9  # of what can be reached: smaller differences and errors are rounding, and count as none
STILL = 0.6  # blocks that agree by luck are worth at most p (1 - p) n^2 / STILL games


@dataclass(frozen=True)
class Estimates:
    """Estimates (k,) with what their errors are known by.

    Attributes
    ----------
    value, se : arrays (k,)
        Estimates and standard errors; NaN where there is none.
    number : array (k,)
        Effective number of independent blocks.
    df : array (k,)
        Degrees of freedom of the error; infinite where the share alone gives it.
    size : array (k,)
        Independent games that a share is worth; NaN for what is no share.
    reach : array (k,)
        How far the quantity reaches: 1 for differences of shares, the spread of a measure.
    """

    value: Floats
    se: Floats
    number: Floats
    df: Floats
    size: Floats
    reach: Floats

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, rows: NDArray[np.generic] | slice | Sequence[int]) -> Estimates:
        return Estimates(*(getattr(self, f.name)[rows] for f in fields(self)))

    @property
    def enough(self) -> NDArray[np.bool_]:
        """Whether there are blocks enough to say anything."""
        return np.asarray(self.number >= FEWEST_BLOCKS)

    def interval(self, level: float | Floats = 0.95) -> tuple[Floats, Floats]:
        """Ends of the interval, at one level or one each; NaN below two blocks or without an estimate."""
        from scipy.special import betaincinv, ndtr, stdtrit

        level = np.broadcast_to(level, self.value.shape)
        tail = (1 - level) / 2
        with np.errstate(invalid="ignore", over="ignore"):
            t = -stdtrit(np.where(self.df > 0, np.minimum(self.df, 1e9), np.nan), tail)
            low, high = self.value - t * self.se, self.value + t * self.se
        still = self._still
        if still.any():
            unseen = 1 - (1 - level[still]) ** (1 / np.maximum(self.number[still], 1))
            half = 2 * np.maximum(np.abs(self.value[still]), self.reach[still]) * unseen
            low[still], high[still] = self.value[still] - half, self.value[still] + half
        share = np.isfinite(self.size)
        if share.any():
            n, x = self.size[share], self.value[share] * self.size[share]
            beyond = ndtr(-t[share])
            # The ends of nothing and of all are exact, and must not be lost to rounding.
            with np.errstate(invalid="ignore"):
                low[share] = np.where(x <= 0, 0.0, betaincinv(np.maximum(x, 1e-300), n - x + 1, beyond))
                high[share] = np.where(x >= n, 1.0, betaincinv(x + 1, np.maximum(n - x, 1e-300), 1 - beyond))
        known = np.isfinite(self.value) & (self.number > 1 + ROUNDING)
        return np.where(known, low, np.nan), np.where(known, high, np.nan)

    def p(self, null: ArrayLike = 0.0) -> Floats:
        """p values, two-sided, that the true value is `null`: below 5 % where the interval leaves it out."""
        less, more = self._tails(np.broadcast_to(np.asarray(null, dtype=np.float64), self.value.shape))
        return np.asarray(np.minimum(1.0, 2 * np.minimum(less, more)))

    def p_within(self, low: ArrayLike, high: ArrayLike) -> Floats:
        """p values of equivalence: small means that the true value lies within ``low .. high``.

        Two one-sided tests (Schuirmann 1987): below 5 % where the 90 % interval lies inside.
        """
        ends = [np.broadcast_to(np.asarray(end, dtype=np.float64), self.value.shape) for end in (low, high)]
        return np.asarray(np.maximum(self._tails(ends[0])[1], self._tails(ends[1])[0]))

    @property
    def _still(self) -> NDArray[np.bool_]:
        """No share, and no spread between blocks beyond rounding."""
        return np.asarray(~np.isfinite(self.size) & (self.se <= ROUNDING * self.reach))

    def _tails(self, null: Floats) -> tuple[Floats, Floats]:
        """Chance of a value as low as this and of one as high, if the truth were `null`."""
        from scipy.special import betainc, ndtri, stdtr

        with np.errstate(invalid="ignore", divide="ignore"):
            t = (self.value - null) / np.where(self.se > 0, self.se, np.nan)
            df = np.where(self.df > 0, np.minimum(self.df, 1e9), np.nan)
            less, more = stdtr(df, t), stdtr(df, -t)
        still = self._still
        if still.any():
            away = self.value[still] - null[still]
            reach = 2 * np.maximum(np.abs(self.value[still]), self.reach[still])
            # As likely as all blocks seen being of the kind that the truth would have least of.
            p = np.clip(1 - np.abs(away) / reach, 0.0, 1.0) ** self.number[still] / 2
            less[still], more[still] = np.where(away < 0, p, 1 - p), np.where(away > 0, p, 1 - p)
            same = np.abs(away) <= ROUNDING * self.reach[still]
            less[still], more[still] = np.where(same, 1.0, less[still]), np.where(same, 1.0, more[still])
        share = np.isfinite(self.size)
        if share.any():
            n, x, at = self.size[share], self.value[share] * self.size[share], np.clip(null[share], 0.0, 1.0)
            as_low = np.where(x >= n, 1.0, 1 - betainc(x + 1, np.maximum(n - x, 1e-300), at))
            as_high = np.where(x <= 0, 1.0, betainc(np.maximum(x, 1e-300), n - x + 1, at))
            few = np.isfinite(df[share]) & (df[share] < 1e9)
            for p in (as_low, as_high):
                p[few] = stdtr(df[share][few], ndtri(np.clip(p[few], 1e-300, 1.0)))
            # A margin beyond 0 or 1 is never crossed.
            less[share] = np.where(null[share] > 1, 0.0, as_low)
            more[share] = np.where(null[share] < 0, 0.0, as_high)
        known = np.isfinite(self.value) & (self.number > 1 + ROUNDING)
        return np.where(known, less, np.nan), np.where(known, more, np.nan)


def quantile(df: float, level: float = 0.95) -> float:
    """Two-sided t quantile; NaN without degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(min(df, 1e9), 0.5 + level / 2)) if df > 0 else float("nan")


def shares(
    value: ArrayLike, variance: ArrayLike, blocks: Blocks | Sums, *, fitted: bool = False
) -> Estimates:
    """Shares of games, each with its block-robust variance; all over the same games.

    Parameters
    ----------
    value, variance : scalars or arrays (k,)
    blocks : Blocks or Sums
        Those of the games.
    fitted : bool
        The shares come from a model, whose error is an estimate even where every game is a block of its own.
    """
    mean = np.atleast_1d(np.asarray(value, dtype=np.float64))
    spread = np.broadcast_to(np.asarray(variance, dtype=np.float64), mean.shape)
    number = blocks.number
    own = np.clip(mean * (1 - mean), 0.0, None)
    labels = max(blocks.distinct, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(spread > 0, own / (spread * (1 if fitted else (labels - 1) / labels)), np.inf)
    size = np.minimum(size, np.maximum(number, own * number**2 / STILL))
    size = np.where(own > 1e-12, size, number)
    size = np.where(np.isfinite(mean) & (np.isfinite(spread) | (own <= 1e-12)), size, np.nan)
    df = np.inf if blocks.single and not fitted else blocks.df
    full = np.full(mean.shape, 1.0)
    # A model may place a share beyond 0 or 1; the interval stays inside.
    inside = np.where(np.isfinite(size), np.clip(mean, 0.0, 1.0), mean)
    return Estimates(inside, np.sqrt(spread), number * full, df * full, size, full)


def effects(value: ArrayLike, se: ArrayLike, number: ArrayLike, reach: ArrayLike = 1.0) -> Estimates:
    """Estimates that are no shares: differences, slopes, means of a measure; with t at ``number - 1`` degrees.

    Parameters
    ----------
    number : scalar or array (k,)
        Effective number of blocks; of a difference of two groups that of the smaller one.
    reach : scalar or array (k,)
        1 for differences of shares, the spread of a measure for changes of it. What is smaller than a billionth of
        it is rounding: such a value is 0.
    """
    middle = np.atleast_1d(np.asarray(value, dtype=np.float64))
    error, blocks, far = (
        np.broadcast_to(np.asarray(x, dtype=np.float64), middle.shape) for x in (se, number, reach)
    )
    far = np.where(far > 0, far, 1.0)
    nothing = (np.abs(middle) <= ROUNDING * far) & (error <= ROUNDING * far)
    middle, error = np.where(nothing, 0.0, middle), np.where(error <= ROUNDING * far, 0.0, error)
    df = np.maximum(blocks - 1.0, 0.0)
    return Estimates(middle, error, blocks * 1.0, df, np.full(middle.shape, np.nan), far)


def join(parts: Sequence[Estimates]) -> Estimates:
    """All estimates of several groups, in their order."""
    return Estimates(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Estimates)))
