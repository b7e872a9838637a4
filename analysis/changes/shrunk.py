"""Seats and pieces at each level of a factor, shrunk towards what they are at all of them. (F2, F3)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.fairness.seats import seat_balance
from analysis.pieces.strength import piece_strength

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


def shrunk_levels(d: Dataset, factor: str) -> pl.DataFrame:
    """Each seat's and piece's worth at every level of a factor (map, tier, ...), with small samples shrunk.

    Parameters
    ----------
    factor : str
        A column of cells or games with several levels.

    Returns
    -------
    polars.DataFrame
        ``what`` (``seat``, ``piece``), ``about, players, sides, level, estimate, low, high`` (win share less fair share
        of a seat; win share a copy of a piece), ``eb, eb_low, eb_high`` (shrunk towards ``middle``, the weighted mean
        over the levels), ``p_alike, q_alike`` (that it is the same at all levels; corrected over seats and pieces),
        ``games, deals, blocks, method, note``.

    Notes
    -----
    Normal-normal shrinkage with the spread between levels by Paule and Mandel; with two levels nothing is shrunk.
    ``p_alike`` is Cochran's Q as if levels had no deal in common: where they have, it is too careful, and
    `analysis.depends_on` tests the differences deal by deal.
    """
    import polars as pl
    from scipy.stats import chi2

    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    frame = seat_balance(d, by=factor)
    level = next(name for name in frame.columns if name not in ("players", "sides", "seat") or name == factor)
    for row in frame.iter_rows(named=True):
        # Of two sides the second says the same as the first.
        if row["sides"] > 2 or row["seat"] == 0:
            own = {**row, "estimate": row["estimate"] - row["fair"]}
            own |= {name: None if row[name] is None else row[name] - row["fair"] for name in ("low", "high")}
            groups.setdefault(("seat", str(row["seat"]), row["players"], row["sides"]), []).append(own)
    if d.manifest.get("lever") and d.has("pieces"):
        for row in piece_strength(d, by=factor).iter_rows(named=True):
            if row["estimate"] is not None:
                groups.setdefault(("piece", str(row["piece"]), None, None), []).append(row)
    rows: list[dict[str, Any]] = []
    p: list[float] = []
    for key, members in groups.items():
        if len(members) < 2:
            continue
        value = np.array([m["estimate"] for m in members], dtype=np.float64)
        t = np.array([stats.quantile(max(m["blocks"] - 1.0, 1.0)) for m in members])
        width = np.array(
            [np.nan if m["low"] is None else m["high"] - m["low"] for m in members], dtype=np.float64
        )
        se = width / (2 * t)
        use = np.isfinite(value) & (se > 0)
        shrunk = stats.empirical_bayes(value, se)
        weight = np.where(use, np.square(1 / np.where(use, se, 1.0)), 0.0)
        middle = float(np.average(value[use], weights=weight[use])) if use.any() else float("nan")
        alike = (
            float(chi2.sf(np.sum(weight[use] * np.square(value[use] - middle)), use.sum() - 1))
            if use.sum() > 1
            else 1.0
        )
        for k, m in enumerate(members):
            row = dict(zip(("what", "about", "players", "sides"), key, strict=True))
            row |= {"level": str(m[level]), "estimate": value[k], "low": m["low"], "high": m["high"]}
            row |= {"eb": shrunk.estimate[k], "eb_low": shrunk.estimate[k] - t[k] * shrunk.se[k]}
            row |= {"eb_high": shrunk.estimate[k] + t[k] * shrunk.se[k], "middle": middle, "p_alike": alike}
            rows.append({**row, **{name: m[name] for name in ("games", "deals", "blocks", "method", "note")}})
        p.append(alike)
    if not rows:
        raise Refusal(f"{d.name}: {factor} has fewer than two levels at any table")
    q = iter(stats.bh(np.array(p)))
    known: dict[tuple[Any, ...], float] = {}
    for row in rows:
        key = (row["what"], row["about"], row["players"], row["sides"])
        if key not in known:
            known[key] = float(next(q))
        row["q_alike"] = known[key]
    head = [
        "what",
        "about",
        "players",
        "sides",
        "level",
        "estimate",
        "low",
        "high",
        "eb",
        "eb_low",
        "eb_high",
        "middle",
    ]
    return tidy(pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True), [*head, "p_alike", "q_alike"])
