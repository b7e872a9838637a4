"""Did nothing else move, and is a change the same at all tables? (V2, V4)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.changes.rules import rule_changes
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import tidy
from analysis.data.measures import ENDER, FIRST, SHARED, STOPPED
from analysis.stats.blocks import FEWEST_BLOCKS

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

UNMOVED, MOVED, OPEN = "unmoved", "moved", "undecided"
SHARES = (
    STOPPED,
    SHARED,
    ENDER,
    FIRST,
)  # measures that are shares of games or wins: their margin is that of seats
PART = 0.05  # of its mean before the change a measure may move by, unless it is said otherwise


def no_harm(d: Dataset, margins: Mapping[str, float] | None = None, part: float = PART) -> pl.DataFrame:
    """Each measure under each change of a rule: shown not to have moved by more than a margin, moved, or undecided.

    Parameters
    ----------
    margins : dict, optional
        Margin of a measure by name, in its own units.
    part : float
        Margin of every other measure, as a part of its mean before the change. Shares of games and wins have the
        margin of `[judge]` for seats, pieces theirs.

    Returns
    -------
    polars.DataFrame
        ``change, measure, piece, players, sides, estimate, low, high, margin, p_same, q_same`` (equivalence,
        Schuirmann; corrected over the frame, Hochberg), ``q`` (that it moved at all), ``verdict`` (``unmoved``: within
        the margin; ``moved``: beyond chance, and not shown to be within; ``undecided``), ``p_tables, q_tables``
        (that the change is the same at all tables; on every row of that change and measure), ``without, with, games,
        deals, blocks, note``.
    """
    import polars as pl

    frame = rule_changes(d)
    known = set(frame["measure"])
    for name in margins or {}:
        if name not in known:
            raise Refusal(f"{d.name}: nothing called '{name}' is measured{nearest(name, sorted(known))}")
    rows: list[dict[str, Any]] = []
    for row in frame.iter_rows(named=True):
        margin = (margins or {}).get(row["measure"])
        if margin is None and row["piece"] is not None:
            low, high = d.judge.range_of(str(row["piece"]))
            margin = (high - low) / 2
        elif margin is None and (row["measure"] in SHARES or row["measure"] in OF_SEATS):
            margin = d.judge.seat
        elif margin is None:
            margin = part * abs(row["without"])
        rows.append({**row, "margin": margin, "se": _se(row)})
    value, se, blocks = (
        np.array([_number(row[name]) for row in rows]) for name in ("estimate", "se", "blocks")
    )
    margin_of = np.array([_number(row["margin"]) for row in rows])
    found = stats.effects(value, se, blocks, np.where(margin_of > 0, margin_of, 1.0))
    p = np.where(blocks >= FEWEST_BLOCKS, found.p_within(-margin_of, margin_of), np.nan)
    q_same = np.full(len(p), np.nan)
    told = np.isfinite(p)
    if told.any():
        q_same[told] = stats.hochberg(p[told])
    tables = _tables(rows)
    q_tables = dict(zip(tables, stats.bh(np.array(list(tables.values()))), strict=True))
    for k, row in enumerate(rows):
        key = _key(row)
        moved = row["q"] is not None and row["q"] < stats.ALPHA
        row |= {"p_same": p[k], "q_same": q_same[k]}
        row |= {"verdict": UNMOVED if q_same[k] < stats.ALPHA else (MOVED if moved else OPEN)}
        row |= {"p_tables": tables.get(key), "q_tables": q_tables.get(key)}
    out = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head = [
        "change",
        "measure",
        "piece",
        "players",
        "sides",
        "estimate",
        "low",
        "high",
        "margin",
        "p_same",
        "q_same",
    ]
    keep = [
        *head,
        "q",
        "verdict",
        "p_tables",
        "q_tables",
        "without",
        "with",
        "games",
        "deals",
        "blocks",
        "note",
    ]
    return tidy(out.select(keep), head)


OF_SEATS = ("seat gap", "first seat")


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["change"], row["measure"], row["piece"]


def _tables(rows: list[dict[str, Any]]) -> dict[tuple[Any, ...], float]:
    """p values that a change does the same at all tables: Cochran's Q over the tables, which share no game."""
    from scipy.stats import chi2

    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        if np.isfinite(_number(row["estimate"])) and row["se"] > 0:
            groups.setdefault(_key(row), []).append(row)
    out = {}
    for key, members in groups.items():
        if len(members) > 1:
            x, w = (np.array(v) for v in zip(*[(m["estimate"], m["se"] ** -2) for m in members], strict=True))
            q = float(np.sum(w * np.square(x - np.average(x, weights=w))))
            out[key] = float(chi2.sf(q, len(members) - 1))
    return out


def _se(row: dict[str, Any]) -> float:
    if row["low"] is None or row["high"] is None:
        return float("nan")
    return float((row["high"] - row["low"]) / (2 * stats.quantile(max(row["blocks"] - 1.0, 1.0))))


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
