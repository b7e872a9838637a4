"""Linear least squares over rows that belong to games, with errors by block.

For outcomes that a logit cannot take (points, passes), and for choices that a bot makes without ever
erring, where a logit runs to infinity.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.blocks import Blocks, covariance

Floats = NDArray[np.float64]

CHUNK = 16_384  # rows a step: the temporary arrays stay in the cache


@dataclass(frozen=True)
class LinearFit:
    """A fitted linear model.

    Attributes
    ----------
    beta : array (k, m)
        Coefficients of each of the m outcomes.
    x, left : arrays (rows, k), (rows, m)
        Covariates, and what the fit leaves of the outcomes.
    game : int array (rows,)
        The game of each row.
    inverse, known : arrays (k, k)
        Pseudo-inverse of ``x'x``, and the projector on the contrasts that the data can tell.
    blocks : Blocks
        Blocks of the games.
    """

    beta: Floats
    x: NDArray[np.generic]
    left: Floats
    game: NDArray[np.int64]
    inverse: Floats
    known: Floats
    blocks: Blocks

    def identified(self, contrasts: Floats) -> NDArray[np.bool_]:
        """Which rows of `contrasts` (c, k) the data can tell."""
        missing = contrasts - contrasts @ self.known
        size = np.maximum(np.linalg.norm(contrasts, axis=1), 1e-12)
        return np.asarray(np.linalg.norm(missing, axis=1) / size < 1e-6)

    def contrast(self, contrasts: Floats, outcome: int = 0) -> tuple[Floats, Floats]:
        """Estimates (c,) and block-robust covariance (c, c) of linear contrasts (c, k) of one outcome."""
        pull, games = self.inverse @ contrasts.T, len(self.blocks)
        influence = np.zeros((games, len(contrasts)))
        # Some games at a time: what their rows add up to is all that is kept.
        ordered = _in_order(self.game, games)
        step = CHUNK if ordered else max(games, 1)
        for first in range(0, games, step):
            last = min(first + step, games)
            ends = np.searchsorted(self.game, (first, last)) if ordered else (0, len(self.x))
            rows = slice(int(ends[0]), int(ends[1]))
            each = (self.x[rows].astype(np.float64) @ pull) * self.left[rows, outcome, None]
            influence[first:last] = _by_game(each, self.game[rows] - (first if ordered else 0), last - first)
        return contrasts @ self.beta[:, outcome], covariance(influence, self.blocks)


def linear(x: NDArray[np.generic], y: Floats, game: NDArray[np.int64], blocks: Blocks) -> LinearFit:
    """Fit ``y = x b`` by least squares.

    Parameters
    ----------
    x : array (rows, k)
        Covariates, with a column of ones or dummies that add up to one when a level is wanted.
    y : array (rows,) or (rows, m)
        Outcomes.
    game : int array (rows,)
        The game of each row: 0, 1, ... in the order of `blocks`.
    blocks : Blocks
        One entry a game.
    """
    x = np.asarray(x)
    outcome = np.asarray(y, dtype=np.float64).reshape(len(x), -1)
    gram, moment = np.zeros((x.shape[1], x.shape[1])), np.zeros((x.shape[1], outcome.shape[1]))
    for first in range(0, len(x), CHUNK):
        wide = x[first : first + CHUNK].astype(np.float64)
        gram += wide.T @ wide
        moment += wide.T @ outcome[first : first + CHUNK]
    scale = np.sqrt(np.clip(np.diag(gram), 0.0, None))
    scale = np.where(scale > 0, scale, np.inf)
    values, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
    kept = values > 1e-9 * max(float(values.max(initial=0.0)), 1e-300)
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T / np.outer(scale, scale)
    span = vectors[:, kept] * np.where(np.isfinite(scale), scale, 0.0)[:, None]
    basis, _ = np.linalg.qr(span) if span.size else (span, span)
    beta = inverse @ moment
    left = np.empty_like(outcome)
    for first in range(0, len(x), CHUNK):
        part = slice(first, first + CHUNK)
        left[part] = outcome[part] - x[part].astype(np.float64) @ beta
    return LinearFit(beta, x, left, game, inverse, np.asarray(basis @ basis.T), blocks)


def _by_game(each: Floats, game: NDArray[np.int64], games: int) -> Floats:
    """Sums (games, c) of rows (rows, c) over the games that they belong to."""
    return np.stack([np.bincount(game, weights=column, minlength=games) for column in each.T], axis=1)


def _in_order(game: NDArray[np.int64], games: int) -> bool:
    """Whether the rows of each game stand together, game after game, and none has no row."""
    step = np.diff(game)
    return bool(
        len(game) and game[0] == 0 and game[-1] == games - 1 and (step >= 0).all() and (step <= 1).all()
    )


def against_rest(present: NDArray[np.bool_], width: int | None = None) -> Floats:
    """Contrasts (k, width) of each column that is present against the mean of the others that are; NaN elsewhere.

    `width` allows for covariates after the k columns, which get weight 0.
    """
    k = len(present)
    out = np.full((k, width or k), np.nan)
    for i in np.flatnonzero(present):
        rest = np.flatnonzero(present & (np.arange(k) != i))
        if len(rest):
            out[i] = 0.0
            out[i, i] = 1.0
            out[i, rest] = -1.0 / len(rest)
    return out
