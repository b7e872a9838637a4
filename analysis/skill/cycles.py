"""Is there a best one, or does each beat another in turn? (M2)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.skill.pairings import read_pairings

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
DRAWS = 400


def cycles(d: Dataset, of: str | None = None, seed: int = 1) -> pl.DataFrame:
    """How much of who beats whom is a ladder, and how much goes round in circles.

    Parameters
    ----------
    of : str, optional
        ``deck``, ``player`` or ``bot``; by default the first of them of which there are several.
    seed : int
        Of the draws of blocks.

    Returns
    -------
    polars.DataFrame
        One row: ``of, names`` (how many), ``estimate, low, high`` (cyclic share of the squared scores, with the part
        that chance explains taken off: 0 a ladder, 1 rock, paper, scissors), ``p`` (that there is no cycle, by Wald's
        test of the triangles), ``strongest`` and ``rating`` (its score against the average other), ``cycle`` (the
        three that go round the most, as a text; empty below three), ``pairings, games, deals, blocks, method, note``.

    Notes
    -----
    Scores less 1/2 are an antisymmetric matrix, and split by least squares, weighted by how often a pair met, into
    differences of ratings and a rest that goes round (Jiang, Lim, Yao and Ye 2011, *Statistical ranking and
    combinatorial Hodge theory*). Interval: bootstrap by block, each draw rid of its own chance part.
    """
    import polars as pl

    pairs = read_pairings(d, of)
    k = len(pairs.names)
    code = pairs.first * k + pairs.second
    use = pairs.first != pairs.second
    met = np.unique(code[use])
    if k < 3 or len(met) < k:
        raise Refusal(f"{d.name}: a cycle takes three {pairs.of}s that all meet")
    place = np.searchsorted(met, code[use])
    game, score = pairs.game[use], pairs.score[use] - 0.5
    labels = np.unique(pairs.games.blocks.deal[game], return_inverse=True)[1].ravel()
    blocks = int(labels.max()) + 1
    total, often = (np.zeros((blocks, len(met))) for _ in range(2))
    np.add.at(total, (labels, place), score)
    np.add.at(often, (labels, place), 1.0)
    incidence = np.zeros((len(met), k))
    incidence[np.arange(len(met)), met // k], incidence[np.arange(len(met)), met % k] = 1.0, -1.0
    value, noise, rating = _share(total.sum(axis=0), often.sum(axis=0), total, often, incidence)
    rng = np.random.default_rng(seed)
    draws = []
    for _ in range(DRAWS):
        weight = rng.multinomial(blocks, np.full(blocks, 1 / blocks)).astype(np.float64)
        n = weight @ often
        if (n > 0).all():
            # A draw has the chance part twice: that of the data, and its own.
            draws.append(_share(weight @ total, n, total, often, incidence, 2.0)[0])
    low, high = np.quantile(draws, (0.025, 0.975)) if draws else (np.nan, np.nan)
    mean = total.sum(axis=0) / often.sum(axis=0)
    best = int(np.argmax(rating))
    members = np.unique(game)
    row: dict[str, Any] = {
        "of": pairs.of,
        "names": k,
        "estimate": value,
        "low": max(low, 0.0),
        "high": min(high, 1.0),
    }
    row |= {"p": noise, "strongest": pairs.names[best], "rating": float(rating[best] * k / (k - 1))}
    row |= {"cycle": _cycle(mean, met, pairs.names), "pairings": len(score)}
    behind = pairs.games.behind(members, "scores split into ratings and circles")
    frame = pl.DataFrame([{**row, **behind}], infer_schema_length=None, nan_to_null=True)
    return tidy(frame, ["of", "names", "estimate", "low", "high", "p", "strongest", "rating", "cycle"])


def _share(
    total: Floats, n: Floats, each: Floats, often: Floats, incidence: Floats, chance: float = 1.0
) -> tuple[float, float, Floats]:
    """Cyclic share without its chance part, p value that nothing is cyclic, and the ratings."""
    mean = total / n
    weight = n / n.sum()
    root = np.sqrt(weight)
    x = incidence * root[:, None]
    rating = np.linalg.pinv(x) @ (mean * root)
    hat = x @ np.linalg.pinv(x)
    rest = (np.eye(len(n)) - hat) @ (mean * root)
    influence = (each - often * mean) / n
    g = len(each)
    cov = (influence * root).T @ (influence * root) * g / max(g - 1, 1)
    around = np.eye(len(n)) - hat
    own = around @ cov @ around
    cyclic = float(rest @ rest) - chance * float(np.trace(own))
    every = float((mean * root) @ (mean * root)) - chance * float(np.trace(cov))
    free = round(float(np.trace(around)))
    p = float("nan")
    if free > 0 and g > free:
        values, vectors = np.linalg.eigh(own)
        kept = values > 1e-9 * max(values.max(), 1e-300)
        from scipy.stats import f

        wald = float(np.sum(np.square(vectors[:, kept].T @ rest) / values[kept]))
        m = int(kept.sum())
        p = float(f.sf(wald * (g - m) / (m * max(g - 1, 1)), m, g - m)) if m else float("nan")
    share = float(np.clip(cyclic / every, 0.0, 1.0)) if every > 0 else 0.0
    return share, p, np.asarray(rating - rating.mean())


def _cycle(mean: Floats, met: NDArray[np.int64], names: list[str]) -> str:
    """The three that go round the most: each beats the next by more than the others do."""
    k = len(names)
    beats = np.full((k, k), np.nan)
    for value, code in zip(mean, met, strict=True):
        beats[code // k, code % k], beats[code % k, code // k] = value, -value
    best, text = 0.0, ""
    for i in range(k):
        for j in range(k):
            for m in range(k):
                if i < j and i < m and j != m:
                    least = np.min([beats[i, j], beats[j, m], beats[m, i]])
                    if np.isfinite(least) and least > best:
                        best, text = float(least), f"{names[i]} > {names[j]} > {names[m]} > {names[i]}"
    return text
