"""A line or a quadratic through the means of levels that may share their deals: fit, choice, crossings, optimum.

All is linear in the means, so that every error follows from their one covariance (levels, levels).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis import stats

Floats = NDArray[np.float64]

FEWEST_LEVELS = 3
POINTS = {1: 1_001, 2: 81}
"""Points a number at which a set of crossings or optima is looked at, by how many numbers there are."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class Shape:
    """A polynomial in one or two numbers.

    Attributes
    ----------
    degree : int
        1 or 2.
    settings : array (settings, numbers)
        The levels that were played.
    beta, cov : arrays (k,), (k, k)
        Coefficients in scaled numbers (-1 .. 1 over what was tried), and their covariance.
    error, floor : float
        Root mean square by which settings that were left out are missed, and what chance alone would make it; NaN
        where the others do not tell the fit.
    lack : float
        p value that the means are of this shape; NaN where any would be.
    df : float
        Degrees of freedom of the covariance.
    """

    degree: int
    settings: Floats
    beta: Floats
    cov: Floats
    error: float
    floor: float
    lack: float
    df: float

    @property
    def numbers(self) -> int:
        """How many numbers were varied."""
        return int(self.settings.shape[1])

    @property
    def p_still(self) -> float:
        """p value that nothing moves."""
        return stats.wald(self.beta[1:], self.cov[1:, 1:], self.df)[2]

    @cached_property
    def _scale(self) -> tuple[Floats, Floats]:
        return _scale(self.settings)

    def at(self, levels: Floats) -> tuple[Floats, Floats]:
        """Fitted values and their standard errors at `levels` (points, numbers)."""
        middle, half = self._scale
        x = _terms((levels - middle) / half, self.degree)
        return x @ self.beta, np.sqrt(np.clip(np.einsum("ij,jk,ik->i", x, self.cov, x), 0.0, None))

    def slope(self, number: int) -> tuple[float, float]:
        """Change a unit of one number in the middle of what was tried, and half the width of its 95 % interval."""
        half, k = float(self._scale[1][number]), 1 + number
        far = stats.quantile(self.df) * float(np.sqrt(max(self.cov[k, k], 0.0)))
        return float(self.beta[k]) / half, far / half

    def tried(self, level: Floats) -> tuple[float, float]:
        """Least and largest first number that was tried beside the second one of `level`."""
        own = (self.settings[:, 1:] == level[1:]).all(axis=1)
        first = self.settings[own, 0]
        return float(first.min()), float(first.max())


def _scale(settings: Floats) -> tuple[Floats, Floats]:
    low, high = settings.min(axis=0), settings.max(axis=0)
    return (low + high) / 2, (high - low) / 2


def _terms(u: Floats, degree: int) -> Floats:
    """Columns 1, the numbers, and for a quadratic their squares and product: (points, k)."""
    columns = [np.ones(len(u)), *u.T]
    if degree > 1:
        columns += [u[:, i] * u[:, j] for i in range(u.shape[1]) for j in range(i, u.shape[1])]
    return np.stack(columns, axis=1)


def _gradients(u: Floats) -> Floats:
    """Derivatives of the terms of a quadratic by each number: (points, numbers, k)."""
    points, n = u.shape
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    out = np.zeros((points, n, 1 + n + len(pairs)))
    for number in range(n):
        out[:, number, 1 + number] = 1.0
        for k, (i, j) in enumerate(pairs, start=1 + n):
            out[:, number, k] = (i == number) * u[:, j] + (j == number) * u[:, i]
    return out


def _pull(x: Floats, weight: Floats) -> Floats | None:
    """What each mean adds to each coefficient (k, settings); None where the settings do not tell them all."""
    root = np.sqrt(weight / weight.mean())
    if len(x) < x.shape[1] or np.linalg.matrix_rank(x * root[:, None]) < x.shape[1]:
        return None
    return np.asarray(np.linalg.pinv(x * root[:, None]) * root)


def fit(settings: Floats, mean: Floats, cov: Floats, weight: Floats, degree: int, df: float) -> Shape | None:
    """Fit a polynomial to the means of settings; None where there are too few of them.

    Parameters
    ----------
    settings : array (settings, numbers)
    mean, cov : arrays (settings,), (settings, settings)
        Means of a measure and their covariance.
    weight : array (settings,)
        Games of each.
    """
    middle, half = _scale(settings)
    x = _terms((settings - middle) / half, degree)
    pull = _pull(x, weight)
    if pull is None:
        return None
    n = len(settings)
    missed = np.eye(n)
    for k in range(n):
        others = np.arange(n) != k
        part = _pull(x[others], weight[others])
        missed[k, others] = -(x[k] @ part) if part is not None else np.nan
    error = float(np.sqrt(np.mean(np.square(missed @ mean))))
    floor = float(np.sqrt(np.clip(np.mean(np.diag(missed @ cov @ missed.T)), 0.0, None)))
    off = np.eye(n) - x @ pull
    lack = stats.wald(off @ mean, off @ cov @ off.T, df)[2] if n > x.shape[1] else float("nan")
    return Shape(degree, settings, pull @ mean, pull @ cov @ pull.T, error, floor, lack, df)


def choose(line: Shape, curve: Shape | None) -> Shape:
    """The shape that foretells settings it has not seen; the line as long as chance alone explains what it misses."""
    if curve is None:
        return line
    if not np.isfinite(curve.error):
        return curve if line.lack < stats.ALPHA else line
    better = curve.error < line.error and line.error > line.floor + ROUNDING * float(np.abs(line.beta).max())
    return curve if better else line


def crossings(shape: Shape, level: Floats, target: float) -> list[tuple[float, float, float]]:
    """Where the fit reaches a target along the first number, beside the second one of `level`, within what was tried.

    Returns
    -------
    list of (at, low, high)
        At most two. ``low .. high``: the numbers around it at which the 95 % interval of the fit holds the target.
        Where the fit does not reach it but its interval does: one, `at` is NaN and ``low .. high`` spans all of them.
    """
    low, high = shape.tried(level)
    if not high > low:
        return []
    x = np.linspace(low, high, POINTS[1])
    value, se = shape.at(np.column_stack([x, np.tile(level[1:], (len(x), 1))]))
    away = value - target
    out = np.flatnonzero(np.abs(away) > stats.quantile(shape.df) * se)
    found = []
    for k in np.flatnonzero((away[:-1] * away[1:] < 0) | (away[:-1] == 0)):
        step = away[k] / (away[k] - away[k + 1]) if away[k] != away[k + 1] else 0.0
        # To the next point outside: a set is told too wide by a point, never too narrow.
        left, right = out[out <= k], out[out > k]
        ends = (x[left[-1]] if len(left) else low, x[right[0]] if len(right) else high)
        found.append((float(x[k] + step * (x[k + 1] - x[k])), float(ends[0]), float(ends[1])))
    if away[-1] == 0:
        left = out[out < len(x) - 1]
        found.append((high, float(x[left[-1]] if len(left) else low), high))
    if not found and len(out) < len(x):
        held = np.setdiff1d(np.arange(len(x)), out)
        found = [(float("nan"), float(x[max(held[0] - 1, 0)]), float(x[min(held[-1] + 1, len(x) - 1)]))]
    return found[:2]


@dataclass(frozen=True)
class Optimum:
    """Where a quadratic is highest or lowest: arrays (numbers,), and whether the interval ends with what was tried."""

    at: Floats
    low: Floats
    high: Floats
    kind: str
    at_end: bool


def optimum(shape: Shape) -> Optimum | None:
    """The optimum of a quadratic within what was tried; None where there is none, or where its bend may be chance.

    The interval of each number spans all points at which the gradient may be 0 (95 %, of both numbers at once).
    """
    from scipy.special import fdtri

    n = shape.numbers
    if shape.degree < 2 or shape.df <= n:
        return None
    gradient = _gradients(np.eye(n, dtype=np.float64))
    constant = _gradients(np.zeros((1, n)))[0]
    bend = np.stack([(g - constant) @ shape.beta for g in gradient])
    values, vectors = np.linalg.eigh((bend + bend.T) / 2)
    for value, v in zip(values, vectors.T, strict=True):
        along = np.einsum("i,ijk,j->k", v, gradient - constant, v)
        se = float(np.sqrt(max(along @ shape.cov @ along, 0.0)))
        if not abs(value) > stats.quantile(shape.df) * se:
            return None
    if not (values.min() > 0 or values.max() < 0):
        return None
    top = np.linalg.solve(bend, -(constant @ shape.beta))
    if not _inside(shape, top[None])[0]:
        return None
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, POINTS[n])] * n, indexing="ij"), axis=-1).reshape(-1, n)
    grid = grid[_inside(shape, grid)]
    g = _gradients(grid)
    slope = g @ shape.beta
    spread = np.einsum("pik,kl,pjl->pij", g, shape.cov, g)
    size = np.einsum("pi,pij,pj->p", slope, np.linalg.pinv(spread, hermitian=True), slope)
    limit = n * shape.df / (shape.df - n + 1) * float(fdtri(n, shape.df - n + 1, 1 - stats.ALPHA))
    held = np.vstack([grid[size <= limit], top])
    step = 2 / (POINTS[n] - 1)
    low, high = np.maximum(held.min(axis=0) - step, -1), np.minimum(held.max(axis=0) + step, 1)
    middle, half = shape._scale
    ends = bool((low <= -1).any() or (high >= 1).any())
    kind = "lowest" if values.min() > 0 else "highest"
    return Optimum(middle + half * top, middle + half * low, middle + half * high, kind, ends)


def _inside(shape: Shape, points: Floats) -> NDArray[np.bool_]:
    """Which scaled points lie between the settings that were tried."""
    if shape.numbers == 1:
        return np.asarray((np.abs(points) <= 1).all(axis=1))
    from scipy.spatial import Delaunay

    middle, half = shape._scale
    return np.asarray(Delaunay((shape.settings - middle) / half).find_simplex(points, tol=1e-9) >= 0)
