"""The conditional logit of "who won" with effects that are drawn from a bell curve: players, cards, partners.

Many players with few games each have no estimate of their own: who won both of two games would be infinitely strong. So
the effects of a group of columns are drawn from a normal distribution with mean 0, whose spread is found from the data
(Laplace approximations of the marginal likelihood, Breslow and Clayton 1993, averaged over a grid), and columns of no
group are free. What is left of the errors is that of the posterior, or by blocks where games are clustered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.blocks import Blocks, covariance

Floats = NDArray[np.float64]

SPREADS = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.4, 2.0, 3.0)
"""Standard deviations of a group, in log odds, that are tried and averaged over."""
FREE = 1e-6  # precision of columns of no group: it only keeps directions without information still
FIXED = 1e8  # precision of a group whose spread is 0
TAKEN = 0.1  # less of the information on an effect left beside the others: it cannot be told from them
ROUNDS = 2  # over the groups, one spread after the other


@dataclass(frozen=True)
class MixedFit:
    """A fit: effects (k,), their covariance (k, k), the spread of each group, and what of each effect is its own.

    Attributes
    ----------
    beta : array (k,)
        Log odds a unit; of grouped columns drawn towards 0.
    covariance : array (k, k)
    spreads : list of float
        Standard deviation of each group.
    information : array (k, k)
        Of the likelihood alone, without what is drawn.
    slope : float
        Mean of ``p (1 - p)``: win share a unit of log odds.
    """

    beta: Floats
    covariance: Floats
    spreads: list[float]
    information: Floats
    slope: float

    def own(self, columns: NDArray[np.int64], others: NDArray[np.int64]) -> float:
        """The least share of the information on `columns` that is left when `others` are free too (0: none)."""
        whole = self.information[np.ix_(columns, columns)]
        cross = self.information[np.ix_(columns, others)]
        rest = np.linalg.pinv(self.information[np.ix_(others, others)], rcond=1e-9, hermitian=True)
        values, vectors = np.linalg.eigh(whole)
        keep = values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)
        if not keep.any():
            return 0.0
        half = vectors[:, keep] / np.sqrt(values[keep])
        left = half.T @ (whole - cross @ rest @ cross.T) @ half
        return float(np.clip(np.linalg.eigvalsh(left).min(), 0.0, 1.0))


def mixed_logit(
    x: NDArray[np.generic],
    credit: Floats,
    groups: Sequence[NDArray[np.int64]],
    blocks: Blocks,
    mask: NDArray[np.bool_] | None = None,
) -> MixedFit:
    """Fit by Newton's method, with the spread of each group found from the data.

    Parameters
    ----------
    x : array (games, sides, k)
        Covariates.
    credit : array (games, sides)
        Win shares; 0 beyond the sides of a game.
    groups : list of int arrays
        Columns of each group; columns of none are free.
    blocks : Blocks
        Blocks of the games; where they hold several games, errors are summed within them.
    mask : bool array (games, sides), optional
        Which sides exist.
    """
    wide = x.astype(np.float64)
    there = np.ones(credit.shape, dtype=bool) if mask is None else mask
    start = np.zeros(wide.shape[2])
    spreads = [0.5] * len(groups)
    for _ in range(ROUNDS if len(groups) > 1 else 1):
        for g in range(len(groups)):
            values = []
            for spread in SPREADS:
                tried = [*spreads[:g], spread, *spreads[g + 1 :]]
                found = _newton(wide, credit, there, _precision(wide.shape[2], groups, tried), start)
                start = found.beta
                values.append(_evidence(found, groups, tried))
            spreads[g] = _middle(values)
    precision = _precision(wide.shape[2], groups, spreads)
    found = _newton(wide, credit, there, precision, start)
    inverse = np.linalg.inv(found.information + np.diag(precision))
    cov: Floats = np.asarray(inverse)
    if not blocks.single:
        # By blocks, and never below what the draw itself leaves open.
        clustered = covariance(found.scores @ inverse, blocks)
        wider = np.sqrt(np.maximum(np.diag(inverse) / np.maximum(np.diag(clustered), 1e-300), 1.0))
        cov = clustered * np.outer(wider, wider)
    return MixedFit(found.beta, cov, spreads, found.information, found.slope)


@dataclass(frozen=True)
class _At:
    """What is known at the best effects: value of the likelihood, effects, information, scores (games, k)."""

    value: float
    beta: Floats
    information: Floats
    scores: Floats
    slope: float
    precision: Floats


def _precision(k: int, groups: Sequence[NDArray[np.int64]], spreads: Sequence[float]) -> Floats:
    out = np.full(k, FREE)
    for columns, spread in zip(groups, spreads, strict=True):
        out[columns] = FIXED if spread <= 0 else 1.0 / spread**2
    return out


def _evidence(found: _At, groups: Sequence[NDArray[np.int64]], spreads: Sequence[float]) -> float:
    """Laplace's approximation of the marginal log likelihood, up to a constant."""
    drawn = np.zeros(len(found.beta), dtype=bool)
    for columns, spread in zip(groups, spreads, strict=True):
        drawn[columns] = spread > 0
    kept = found.precision < FIXED
    inside = (found.information + np.diag(found.precision))[np.ix_(kept, kept)]
    prior = float(np.sum(found.precision[kept] * np.square(found.beta[kept]))) / 2
    half = float(np.sum(np.log(found.precision[drawn]))) / 2 - float(np.linalg.slogdet(inside)[1]) / 2
    return found.value - prior + half


def _middle(values: Sequence[float]) -> float:
    """The spread, averaged over all that were tried with what speaks for each (root of the mean square).

    The best spread alone may be 0, and would make every effect a certain 0.
    """
    at = np.array(SPREADS)
    weight = np.exp(np.array(values) - max(values)) * np.gradient(at)
    return float(np.sqrt(np.average(np.square(at), weights=weight)))


def _newton(x: Floats, credit: Floats, there: NDArray[np.bool_], precision: Floats, start: Floats) -> _At:
    beta = np.where(precision < FIXED, start, 0.0)
    now = _look(x, credit, there, beta)
    for _ in range(50):
        score = now[1].sum(axis=0) - precision * beta
        step = np.linalg.solve(now[2] + np.diag(precision), score)
        if float(step @ score) < 1e-9:
            break
        size, before = 1.0, now[0] - float(np.sum(precision * np.square(beta))) / 2
        while size > 1e-4:
            new = _look(x, credit, there, beta + size * step)
            if new[0] - float(np.sum(precision * np.square(beta + size * step))) / 2 >= before - 1e-10 * abs(
                before
            ):
                break
            size /= 2
        beta, now = beta + size * step, new
    return _At(now[0], beta, now[2], now[1], now[3], precision)


def _look(
    x: Floats, credit: Floats, there: NDArray[np.bool_], beta: Floats
) -> tuple[float, Floats, Floats, float]:
    """Log likelihood, scores (games, k), information, and the mean of p (1 - p)."""
    eta = np.where(there, x @ beta, -np.inf)
    eta = eta - eta.max(axis=1, keepdims=True)
    weight = np.exp(eta)
    total = weight.sum(axis=1, keepdims=True)
    p = weight / total
    value = float(np.sum(credit * np.where(there, eta, 0.0)) - np.log(total).sum())
    centred = x - np.einsum("gs,gsk->gk", p, x)[:, None, :]
    scores = np.einsum("gs,gsk->gk", credit - p, centred)
    flat = centred.reshape(-1, x.shape[2])
    information = flat.T @ (flat * p.reshape(-1, 1))
    return value, scores, information, float(np.sum(p * (1 - p)) / there.sum())
