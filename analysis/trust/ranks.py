"""Which ranks of a list are real? (X6)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.pieces.strength import piece_model

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]


def rank_intervals(d: Dataset) -> pl.DataFrame:
    """The ranks that the strength of each piece may have: 1 is the strongest.

    Returns
    -------
    polars.DataFrame
        ``piece, rank, rank_low, rank_high, estimate, low, high, tier, beaten`` (how many pieces it is shown to be
        stronger than), ``above_it`` (how many are shown to be stronger), ``games, deals, blocks, method, note``,
        strongest first. All rank intervals hold at once, at 95 %. Pieces that share a letter of ``tier`` are not shown
        to differ.

    Notes
    -----
    Every difference of two pieces is tested in one conditional logit, with the errors of the difference, corrected
    over all of them (Holm): a rank lies between one more than the pieces shown to be stronger, and as many as there
    are less those shown to be weaker (Mogstad, Romano, Shaikh and Wilhelm 2024). The letters are the compact display
    of Piepho (2004), by runs of the ordered list.
    """
    import polars as pl

    model = piece_model(d)
    rows = np.arange(len(model.games))
    fit = model.fit(rows)
    present = model.present(rows)
    wanted, _ = model.contrasts(present, [fit])
    known = np.flatnonzero(np.isfinite(wanted).all(axis=1)) if fit.converged else np.zeros(0, dtype=int)
    if len(known) < 2:
        raise Refusal(f"{d.name}: fewer than two pieces can be told apart")
    value, cov = fit.contrast(wanted[known])
    value, cov = fit.slope * value, fit.slope**2 * cov
    order = np.argsort(-value, kind="stable")
    value, cov = value[order], cov[np.ix_(order, order)]
    names = [model.names[known[k]] for k in order]
    k = len(names)
    above = _clear(value, cov, fit.blocks.number)
    single = stats.effects(value, np.sqrt(np.diag(cov)), fit.blocks.number)
    low, high = single.interval()
    behind = model.games.average(rows, "all differences of two pieces, in one conditional logit", teams=True)
    tiers = _letters(above)
    out: list[dict[str, Any]] = []
    for i, name in enumerate(names):
        beaten, beating = int(above[i].sum()), int(above[:, i].sum())
        row = {"piece": name, "rank": i + 1, "rank_low": 1 + beating, "rank_high": k - beaten}
        row |= {"estimate": value[i], "low": low[i], "high": high[i], "tier": tiers[i]}
        out.append({**row, "beaten": beaten, "above_it": beating, **behind})
    frame = pl.DataFrame(out, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, ["piece", "rank", "rank_low", "rank_high", "estimate", "low", "high", "tier"])


def _clear(value: Floats, cov: Floats, number: float) -> NDArray[np.bool_]:
    """Which row is shown to lie above which column: all pairs, corrected by Holm."""
    k = len(value)
    pairs = np.array([(i, j) for i in range(k) for j in range(i + 1, k)])
    gap = value[pairs[:, 0]] - value[pairs[:, 1]]
    spread = cov[pairs[:, 0], pairs[:, 0]] + cov[pairs[:, 1], pairs[:, 1]] - 2 * cov[pairs[:, 0], pairs[:, 1]]
    p = stats.effects(gap, np.sqrt(np.clip(spread, 0.0, None)), number).p()
    above = np.zeros((k, k), dtype=bool)
    for step, at in enumerate(np.argsort(p, kind="stable")):
        if not p[at] * (len(p) - step) < stats.ALPHA:
            break
        i, j = pairs[at] if gap[at] > 0 else pairs[at][::-1]
        above[i, j] = True
    return above


def _letters(above: NDArray[np.bool_]) -> list[str]:
    """Letters of the rows of an ordered list: one for each longest run of which no two are shown to differ."""
    k = len(above)
    differ = above | above.T
    runs: list[tuple[int, int]] = []
    for i in range(k):
        last = i
        while last + 1 < k and not differ[i : last + 2, i : last + 2].any():
            last += 1
        if not runs or last > runs[-1][1]:
            runs.append((i, last))
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [
        "".join(alphabet[n % 26] for n, (first, last) in enumerate(runs) if first <= i <= last)
        for i in range(k)
    ]
