"""Tables and notes that several sections share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text, verdict_cell

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context


def shares_table(
    frame: pl.DataFrame, names: Sequence[tuple[str, str]], title: str, context: Context
) -> Table:
    """A table of win shares beside the fair share, with verdicts."""
    rows = [
        [
            *(Cell(str(r[name])) for name, _ in names),
            Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.percent(r["fair"]), sort_key(r["fair"])),
            verdict_cell(r["verdict"], context.doubtful),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        *(Column(head) for _, head in names),
        Column("wins", True),
        Column("95% interval", True),
        Column("fair", True),
        Column("verdict"),
        Column("games / deals", True),
    ]
    return Table(heads, rows, title=title)


def notes(frame: pl.DataFrame) -> list[Block]:
    """What the analysis noted on its rows, each once."""
    found = list(dict.fromkeys(words.said(str(note)) for note in frame["note"] if note))
    return [Text(f"Note: {'; '.join(found[:4])}.", "note")] if found else []


def sort_key(value: float | None) -> float | str:
    """Return the number to sort by; an empty text sorts last."""
    return "" if words.missing(value) else round(float(value), 8)  # type: ignore[arg-type]


def absent(what: str, context: Context) -> Text:
    """A line that says why something could not be estimated."""
    return Text(f"Left out: {context.why_not.get(what, 'nothing of this kind is in the data')}.")
