"""Empirical-Bayes shrinkage: many small estimates borrow from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shrunk:
    """Shrunken estimates (k,), their standard errors (k,), and the fitted spread of the true values."""

    estimate: Floats
    se: Floats
    centre: float
    spread: float


def empirical_bayes(estimate: ArrayLike, se: ArrayLike, centre: float | None = None) -> Shrunk:
    """Normal-normal shrinkage with the spread of the true values by Paule and Mandel's moment equation.

    Parameters
    ----------
    estimate, se : arrays (k,)
        NaN entries are passed through.
    centre : float, optional
        Where to shrink to; by default the weighted mean of the estimates. Contrasts against the average other
        piece have centre 0 by construction.

    Notes
    -----
    The spread s solves ``sum (x - m)^2 / (s^2 + se^2) = k - 1`` (k with a fixed centre), 0 when even s = 0
    falls short of it. With fewer than three entries nothing is shrunk.
    """
    from scipy.optimize import brentq

    values, errors = np.asarray(estimate, dtype=np.float64), np.asarray(se, dtype=np.float64)
    use = np.isfinite(values) & np.isfinite(errors) & (errors > 0)
    x, s2 = values[use], np.square(errors[use])
    if len(x) < 3:
        return Shrunk(values.copy(), errors.copy(), float("nan"), float("nan"))

    def middle(t2: float) -> float:
        return centre if centre is not None else float(np.average(x, weights=1 / (t2 + s2)))

    freedom = len(x) - (centre is None)

    def excess(t2: float) -> float:
        return float(np.sum(np.square(x - middle(t2)) / (t2 + s2))) - freedom

    t2 = 0.0
    if excess(0.0) > 0:
        top = float(np.var(x) + np.mean(np.square(x - middle(0.0)))) + float(s2.max())
        while excess(top) > 0:
            top *= 4
        t2 = float(brentq(excess, 0.0, top, xtol=1e-14))
    m = middle(t2)
    keep = t2 / (t2 + s2)
    out, out_se = values.copy(), errors.copy()
    out[use] = m + keep * (x - m)
    out_se[use] = np.sqrt(keep * s2)
    return Shrunk(out, out_se, m, float(np.sqrt(t2)))
