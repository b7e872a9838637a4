"""The conditional logit of "who won" within a game, with errors that respect blocks.

In a game with seats s, covariates x_s and credit y_s (1/k for each of k tied winners, so that credits sum to
1), the chance of winning is ``p_s = exp(x_s b) / sum exp(x_t b)``. Only differences between the seats of one
game matter, which removes whatever all seats share. Ties enter as fractional credit (a quasi-likelihood with
the right score). Errors: sandwich with the scores of a game summed within blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.blocks import Blocks, covariance

Floats = NDArray[np.float64]

CHUNK = 8_192  # games a step: the temporary arrays stay in the cache, whatever the number of games
NEGLIGIBLE = 1e-8  # Newton decrement: the next step is below a ten-thousandth of a standard error
MANY = 160_000  # of more games an eighth of so many is fitted first
LEVERAGE = 200  # with fewer blocks, errors allow for each block's pull on the fit
LARGEST = 20.0  # log odds a unit beyond which an effect counts as separated (its piece always or never wins)
SEPARATED = 10.0
"""Log odds a unit beyond which an effect that came to rest still counts as separated: the likelihood is so flat there
that Newton's method stops by itself, and no number of games that anybody plays tells odds of 20,000 to one."""


@dataclass(frozen=True)
class LogitFit:
    """A fitted conditional logit.

    Attributes
    ----------
    beta : array (k,)
        Log odds a unit, of minimal length in the directions that the data cannot tell.
    scores : array (games, k), or `Residuals`
        Each game's score at `beta`.
    inverse : array (k, k)
        Pseudo-inverse of the information.
    known : array (k, k)
        Projector on the contrasts that the data can tell.
    blocks : Blocks
        Blocks of the games.
    slope : float
        Mean of ``p (1 - p)`` over games and seats: win share a unit of log odds.
    converged : bool
        False when effects run to infinity.
    """

    beta: Floats
    scores: Floats | Residuals
    inverse: Floats
    known: Floats
    blocks: Blocks
    slope: float
    converged: bool

    def identified(self, contrasts: Floats) -> NDArray[np.bool_]:
        """Which rows of `contrasts` (m, k) the data can tell."""
        missing = contrasts - contrasts @ self.known
        size = np.maximum(np.linalg.norm(contrasts, axis=1), 1e-12)
        return np.asarray(np.linalg.norm(missing, axis=1) / size < 1e-6)

    def finite(self, contrasts: Floats) -> NDArray[np.bool_]:
        """Which rows of `contrasts` (m, k) rest on no effect that is separated, though the fit came to rest."""
        apart = np.abs(self.beta) > SEPARATED
        return np.asarray((np.abs(contrasts[:, apart]) < 1e-9).all(axis=1))

    def influence(self, contrasts: Floats) -> Floats:
        """Each game's influence on the contrasts; (games, m)."""
        return np.asarray(self.scores @ (self.inverse @ contrasts.T))

    def contrast(self, contrasts: Floats) -> tuple[Floats, Floats]:
        """Estimates (m,) and block-robust covariance (m, m) of linear contrasts (m, k)."""
        return contrasts @ self.beta, covariance(self.influence(contrasts), self.blocks)


class Residuals:
    """Scores of games of two sides: difference of the covariates times what was won beyond what was expected.

    The product with a matrix is all that is ever asked of them, so they are not written out.
    """

    def __init__(self, apart: NDArray[np.generic], beyond: Floats) -> None:
        self.apart, self.beyond = apart, beyond

    def __len__(self) -> int:
        return len(self.beyond)

    def __matmul__(self, matrix: Floats) -> Floats:
        out = np.empty((len(self), matrix.shape[1]))
        for first in range(0, len(self), CHUNK):
            part = slice(first, first + CHUNK)
            np.matmul(self.apart[part].astype(np.float64), matrix, out=out[part])
            out[part] *= self.beyond[part, None]
        return out

    def __getitem__(self, rows: NDArray[np.int64]) -> Floats:
        return np.asarray(self.apart[rows].astype(np.float64) * self.beyond[rows, None])


def conditional_logit(
    x: NDArray[np.generic],
    credit: Floats,
    blocks: Blocks,
    mask: NDArray[np.bool_] | None = None,
    start: Floats | None = None,
    weight: Floats | None = None,
) -> LogitFit:
    """Fit by Newton's method.

    Parameters
    ----------
    x : array (games, seats, k)
        Covariates; small integer types are welcome (they are widened chunk by chunk).
    credit : array (games, seats)
        Win shares; 0 beyond the players of a game.
    mask : bool array (games, seats), optional
        Which seats exist.
    start : array (k,), optional
        Where Newton's method begins; it saves passes, and never changes what is found.
    weight : array (games,), optional
        How much each game counts; by default all count 1.

    Notes
    -----
    Directions without information (piece counts that sum to a constant, a piece that never occurs) are left
    at zero; `LogitFit.identified` tells which contrasts avoid them. Many games are fitted from where some of them
    lead, which saves passes over all of them.
    """
    if start is None and len(x) > MANY:
        some = slice(None, None, len(x) // (MANY // 8))
        first = conditional_logit(
            x[some],
            credit[some],
            Blocks(np.arange(len(x[some]))),
            None if mask is None else mask[some],
            weight=None if weight is None else weight[some],
        )
        start = first.beta if first.converged else None
    beta = np.zeros(x.shape[2]) if start is None else np.where(np.isfinite(start), start, 0.0)
    two = mask is None and x.shape[1] == 2 and bool((np.abs(credit.sum(axis=1) - 1) < 1e-9).all())
    if two:
        x = _apart(x)
    now = _pass(x, credit, mask, beta, weight)
    converged = False
    for _ in range(40):
        inverse, _ = _pinv(now.information)
        step = inverse @ now.score
        if float(step @ now.score) < NEGLIGIBLE:
            # The scores stay those before this step, which is too small to show in them.
            beta, converged = beta + step, True
            break
        size = 1.0
        while True:
            new = _pass(x, credit, mask, beta + size * step, weight)
            if new.value >= now.value - 1e-9 * abs(now.value) or size < 1e-4:
                break
            size /= 2
        beta, now = beta + size * step, new
        if np.max(np.abs(beta), initial=0.0) > LARGEST:
            break
    inverse, known = _pinv(now.information)
    scores = now.scores
    if len(blocks.labels) == 1 and converged and blocks.number < LEVERAGE:
        scores = _without_own_block(x, mask, beta, now, blocks.labels[0], weight)
    return LogitFit(beta, scores, inverse, known, blocks, now.slope, converged)


def _without_own_block(
    x: NDArray[np.generic],
    mask: NDArray[np.bool_] | None,
    beta: Floats,
    now: _Pass,
    labels: NDArray[np.int64],
    weight: Floats | None,
) -> Floats:
    """Scores scaled so that a block's sum gives its jackknife influence (CR3), for few blocks.

    With few blocks a fit bends towards each of them, and plain scores are too small. Leaving block g out moves
    the estimate by ``(A - A_g)^-1 s_g``; the scores become ``A (A - A_g)^-1 s_g``, times ``(G-1)/G`` because
    `covariance` multiplies by ``G/(G-1)`` where the jackknife has ``(G-1)/G``.
    """
    codes, where = np.unique(labels, return_inverse=True)
    out = np.empty((len(now.scores), len(beta)))
    for g in range(len(codes)):
        rows = np.flatnonzero(where == g)
        there, counts = None if mask is None else mask[rows], None if weight is None else weight[rows]
        own = _pass(x[rows], np.zeros((len(rows), now.sides)), there, beta, counts)
        rest, _ = _pinv(now.information - own.information)
        out[rows] = now.scores[rows] @ rest @ now.information
    return out * ((len(codes) - 1) / len(codes))


@dataclass(frozen=True)
class _Pass:
    """Log likelihood, score, information, each game's score, and the mean of p (1 - p) over seats."""

    value: float
    score: Floats
    information: Floats
    scores: Floats | Residuals
    slope: float
    sides: int


def _pass(
    x: NDArray[np.generic],
    credit: Floats,
    mask: NDArray[np.bool_] | None,
    beta: Floats,
    counts: Floats | None = None,
) -> _Pass:
    if x.ndim == 2:
        return _pass_of_two(x, credit, beta, counts)
    games, sides, k = x.shape
    value, slope, rows = 0.0, 0.0, 0.0
    information, scores = np.zeros((k, k)), np.empty((games, k))
    for first in range(0, games, CHUNK):
        part = slice(first, first + CHUNK)
        wide = x[part].astype(np.float64)
        eta = wide @ beta
        if mask is not None:
            eta[~mask[part]] = -np.inf
        eta -= eta.max(axis=1, keepdims=True)
        weight = np.exp(eta)
        total = weight.sum(axis=1, keepdims=True)
        p = weight / total
        y = credit[part]
        each = np.ones((len(p), 1)) if counts is None else counts[part, None]
        found = y * np.where(np.isfinite(eta), eta, 0.0)
        value += float(np.sum(each * found) - np.sum(each * np.log(total)))
        wide -= np.matmul(p[:, None, :], wide)
        scores[part] = each * np.matmul((y - p)[:, None, :], wide)[:, 0, :]
        flat = wide.reshape(-1, k)
        information += flat.T @ (flat * (each * p).reshape(-1, 1))
        slope += float(np.sum(each * p * (1 - p)))
        rows += float((each * mask[part]).sum() if mask is not None else each.sum() * p.shape[1])
    return _Pass(value, scores.sum(axis=0), information, scores, slope / rows if rows > 0 else 0.0, sides)


def _apart(x: NDArray[np.generic]) -> NDArray[np.generic]:
    """Covariates of the second side less those of the first, in a type that holds them."""
    if x.dtype == np.int8:
        return np.subtract(x[:, 1], x[:, 0], dtype=np.int16)
    return np.asarray(x[:, 1] - x[:, 0])  # type: ignore[operator]


def _pass_of_two(x: NDArray[np.generic], credit: Floats, beta: Floats, counts: Floats | None) -> _Pass:
    """The same where two sides play: who wins hangs on the difference of their covariates (games, k) alone."""
    games, k = x.shape
    value, slope, rows = 0.0, 0.0, 0.0
    score, information, beyond = np.zeros(k), np.zeros((k, k)), np.empty(games)
    for first in range(0, games, CHUNK):
        part = slice(first, first + CHUNK)
        wide = x[part].astype(np.float64)
        eta = wide @ beta
        each = np.ones(len(wide)) if counts is None else counts[part]
        p = 1 / (1 + np.exp(-np.clip(eta, -700, 700)))
        y = credit[part, 1]
        value += float(each @ (y * eta - np.logaddexp(0.0, eta)))
        beyond[part] = each * (y - p)
        score += beyond[part] @ wide
        both = each * p * (1 - p)
        information += wide.T @ (wide * both[:, None])
        slope += float(both.sum())
        rows += float(each.sum())
    return _Pass(value, score, information, Residuals(x, beyond), slope / rows if rows > 0 else 0.0, 2)


def _pinv(information: Floats) -> tuple[Floats, Floats]:
    """Pseudo-inverse of an information matrix and the projector on the directions that it knows."""
    scale = np.sqrt(np.clip(np.diag(information), 0.0, None))
    scale = np.where(scale > 1e-12 * max(float(scale.max(initial=0.0)), 1e-300), scale, np.inf)
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    known = values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)
    kept = vectors[:, known]
    inverse = (kept / values[known]) @ kept.T / np.outer(scale, scale)
    # What is known in scaled units spans diag(scale) * kept in units of the covariates.
    span = kept * np.where(np.isfinite(scale), scale, 0.0)[:, None]
    basis, _ = np.linalg.qr(span) if span.size else (span, span)
    return inverse, np.asarray(basis @ basis.T)
