"""Which pieces are worth more together, and which beat which? (P5, P6)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.pieces.strength import PieceModel, piece_model
from analysis.stats.blocks import FEWEST_BLOCKS

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

TOGETHER, AGAINST = "together", "against"


def piece_pairs(d: Dataset) -> pl.DataFrame:
    """What two pieces are worth beyond the sum of each: in one hand, and against each other.

    Returns
    -------
    polars.DataFrame
        ``what`` (``together``: synergy; ``against``: the first counters the second), ``piece, other, estimate, low,
        high`` (win share for a copy of each; above 0: more than the sum of parts, or `piece` does better against
        `other` than its strength says), ``p, q, verdict`` (``more``, ``less`` or ``may be chance``), ``eb, eb_low,
        eb_high`` (shrunk towards 0 over the pairs of its kind), ``games, deals, blocks, method, note``; furthest from 0
        first. Each pair has one row; a counter is its mirror with the sign changed.

    Notes
    -----
    One conditional logit for each pair, on the copies of all pieces, seat and bot, and the product of the two counts
    (against: own by theirs less theirs by own, halved, so that it has no level). Pieces were assigned at
    random, so the products of other pairs are no confounders of one. q is Benjamini and Hochberg's over all pairs of
    both kinds. Shrinkage by `analysis.stats.empirical_bayes`.
    """
    import polars as pl

    model = piece_model(d)
    games = model.games
    rows = np.arange(len(games))
    start = model.fit(rows)
    if not start.converged:
        raise Refusal(f"{d.name}: some piece always or never wins, so that pairs cannot be told")
    present = model.present(rows)
    names = [k for k in range(len(model.names)) if present[k]]
    pairs = [(i, j) for n, i in enumerate(names) for j in names[n + 1 :]]
    if not pairs:
        raise Refusal(f"{d.name}: fewer than two pieces set seats apart")
    faced = games.of_others(model.counts.astype(np.int16)).astype(np.int16)
    out: list[dict[str, Any]] = []
    behind = games.average(rows, "conditional logit with the product of two pieces", teams=True)
    for what in (TOGETHER, AGAINST):
        found = [_pair(model, faced, start, what, i, j) for i, j in pairs]
        every = stats.effects([f[0] for f in found], [f[1] for f in found], start.blocks.number)
        shrunk = stats.empirical_bayes(every.value, every.se, centre=0.0)
        low, high = every.interval()
        t = stats.quantile(float(every.df[0]))
        for k, (i, j) in enumerate(pairs):
            row = {"what": what, "piece": model.names[i], "other": model.names[j], "estimate": every.value[k]}
            row |= {"low": low[k], "high": high[k], "p": every.p()[k], "eb": shrunk.estimate[k]}
            row |= {
                "eb_low": shrunk.estimate[k] - t * shrunk.se[k],
                "eb_high": shrunk.estimate[k] + t * shrunk.se[k],
            }
            out.append({**row, **behind})
    q = stats.bh([row["p"] for row in out])
    for row, value in zip(out, q, strict=True):
        clear = value < stats.ALPHA and start.blocks.number >= FEWEST_BLOCKS and not games.conditioned
        row |= {
            "q": value,
            "verdict": ("more" if row["estimate"] > 0 else "less") if clear else "may be chance",
        }
    out.sort(key=lambda row: -abs(row["eb"]) if np.isfinite(row["eb"]) else 1.0)
    frame = pl.DataFrame(out, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, ["what", "piece", "other", "estimate", "low", "high", "p", "q", "verdict", "eb"])


def _pair(
    model: PieceModel, faced: NDArray[np.int16], start: stats.LogitFit, what: str, i: int, j: int
) -> tuple[float, float]:
    """Win share that the product of two pieces adds, and its error."""
    games = model.games
    own = model.counts.astype(np.int16)
    if what == TOGETHER:
        both = own[:, i].astype(np.float32) * own[:, j]
    else:
        # Half for one seat and half against the other: all of it is what the pair does between two seats.
        both = (own[:, i] * faced[:, j] - own[:, j] * faced[:, i]).astype(np.float32) / 2
    x, credit, mask = games.choices(
        np.concatenate([both[:, None], own, model.others], axis=1), np.arange(len(games))
    )
    fit = stats.conditional_logit(x, credit, games.blocks, mask, np.append(0.0, start.beta))
    one = np.zeros((1, len(fit.beta)))
    one[0, 0] = 1.0
    if not fit.converged or not fit.identified(one)[0]:
        return float("nan"), float("nan")
    value, cov = fit.contrast(one)
    return float(fit.slope * value[0]), float(fit.slope * np.sqrt(cov[0, 0]))
