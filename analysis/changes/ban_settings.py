"""Does what a ban does depend on what was compared? Each setting by itself, and the tested difference from the base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.bans_and_drafts.ban_effects import ban_effects_on_pieces, ban_effects_on_seats, set_columns
from analysis.changes.settings import SETTING, Settings, settings
from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.data.questions import Across

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Row = dict[str, Any]


def compare_bans(
    d: Dataset, across: Sequence[Across] | None = None, apart: Sequence[str] = ()
) -> pl.DataFrame:
    """What a ban does to every other piece, and to the first seat, under each setting that was compared.

    Parameters
    ----------
    across, apart
        As in `analysis.compare`; by default what the experiment asks, or all that was varied but the bans themselves.

    Returns
    -------
    polars.DataFrame
        ``what`` (``piece``, ``first seat``), ``banned, about, players, sides, setting, base, value, value_low,
        value_high`` (what the ban does there, as in `analysis.ban_effects_on_pieces` and `..._on_seats`), ``against,
        estimate, low, high, p, q, differs`` (the difference from the base; ``low .. high`` holds all of the frame at
        once), ``games, deals, method, note``. Settings share deals, so that their errors go together in an unknown
        way: the error of a difference is taken to be the sum of both, which it cannot exceed.
    """
    import polars as pl

    first = d.asks[0]
    columns = set_columns(d)
    wanted = [one for one in (first.across if across is None else across) if one.factor not in columns]
    beside = [name for name in (first.apart if across is None else apart) if name not in columns]
    told = settings(d, wanted, beside)
    found: dict[tuple[Any, ...], Row] = {}
    for name in told.names:
        found |= _effects(told.d.with_cells(_of(told, name)), name)
    if not found:
        raise Refusal(f"{d.name}: no ban leaves enough games on both sides of it under any setting")
    rows = [_row(found, key, base) for key in found for base in _bases(told, key, found)]
    _judge(rows)
    head = [
        "what",
        "banned",
        "about",
        "players",
        "sides",
        "setting",
        "base",
        "value",
        "value_low",
        "value_high",
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, [*head, "against", "estimate", "low", "high", "p", "q", "differs"])


def _of(told: Settings, name: str) -> pl.DataFrame:
    return told.d.cells.filter(told.d.cells[SETTING] == name)


def _effects(d: Dataset, name: str) -> dict[tuple[Any, ...], Row]:
    """What each ban does under one setting, by what, banned, about, table and setting."""
    out: dict[tuple[Any, ...], Row] = {}
    for tell in (_on_pieces, _on_first_seat):
        try:
            rows = list(tell(d))
        except Refusal:
            continue  # nothing is banned here, or pieces were not assigned by chance
        for row in rows:
            key = (row["what"], row["banned"], row["about"], row["players"], row["sides"], name)
            out[key] = {**row, "setting": name}
    return out


def _on_pieces(d: Dataset) -> Iterator[Row]:
    for r in ban_effects_on_pieces(d).iter_rows(named=True):
        value = {"value": r["estimate"], "value_low": r["low"], "value_high": r["high"]}
        yield {"what": "piece", "about": r["piece"], "players": None, "sides": None, **value, **_behind(r)}


def _on_first_seat(d: Dataset) -> Iterator[Row]:
    for r in ban_effects_on_seats(d).iter_rows(named=True):
        value = {"value": r["first_seat"]}
        value |= {"value_low": r["first_seat_low"], "value_high": r["first_seat_high"]}
        table = {"players": r["players"], "sides": r["sides"]}
        yield {"what": "first seat", "about": None, **table, **value, **_behind(r)}


def _behind(r: Row) -> Row:
    return {name: r[name] for name in ("banned", "games", "deals", "blocks", "method", "note")}


def _bases(told: Settings, key: tuple[Any, ...], found: dict[tuple[Any, ...], Row]) -> list[str | None]:
    bases = [base for base, other in told.pairs if other == key[-1] and (*key[:-1], base) in found]
    return [*bases] or [None]


def _row(found: dict[tuple[Any, ...], Row], key: tuple[Any, ...], base: str | None) -> Row:
    mine = found[key]
    tested = {"estimate": None, "low": None, "high": None, "p": None, "q": None, "differs": False}
    row = {**mine, "base": base is None, "against": base, **tested, "se": None}
    there = found.get((*key[:-1], base))
    if there is not None and mine["value"] is not None and there["value"] is not None:
        row["estimate"] = mine["value"] - there["value"]
        # An interval is at least as wide as a normal one, so this is no less than either error.
        row["se"] = sum((r["value_high"] - r["value_low"]) / 2 for r in (mine, there)) / stats.quantile(1e9)
        row["blocks"] = min(mine["blocks"], there["blocks"])
    return row


def _judge(rows: list[Row]) -> None:
    """Give all differences, as one family, their intervals and tests."""
    tested = [row for row in rows if row["estimate"] is not None and np.isfinite(row["se"])]
    if tested:
        value, se, number = (np.array([row[name] for row in tested]) for name in ("estimate", "se", "blocks"))
        every = stats.effects(value, se, number)
        m = max(float(every.enough.sum()), 1.0)
        low, high = every.interval(1 - stats.ALPHA / m)
        p = every.p()
        for i, row in enumerate(tested):
            if every.enough[i]:
                row |= {"low": low[i], "high": high[i], "p": p[i], "q": min(1.0, m * p[i])}
                row["differs"] = bool(low[i] > 0 or high[i] < 0)
    for row in rows:
        del row["se"], row["blocks"]
        if row["low"] is None:
            row["estimate"] = None
