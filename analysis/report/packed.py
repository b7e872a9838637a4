"""Long tables inside a page: the rows beyond the first ones, each different cell once, drawn by the page's script."""

from __future__ import annotations

import json
from collections.abc import Sequence

from analysis.report.blocks import Cell, Table

PLAIN = 40
"""Rows of a table that are written as they are, for readers without scripts; all others are packed."""
DIGITS = 6
"""Digits that count of a number that rows are sorted by."""


def packed(table: Table) -> str:
    """Return the rows beyond `PLAIN` as JSON that may stand inside a page; empty where there are none.

    The JSON is ``{"said": [[text, sort, tone, link], ...], "rows": [[place in said, ...], ...]}``, where what is
    empty at the end of a cell is left out.
    """
    rows = table.rows[PLAIN:]
    if not rows:
        return ""
    places: dict[tuple[object, ...], int] = {}
    numbers = [[places.setdefault(_key(cell), len(places)) for cell in row] for row in rows]
    text = json.dumps({"said": [*places], "rows": numbers}, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def plain_rows(table: Table) -> Sequence[Sequence[Cell]]:
    """The rows that are written as they are."""
    return table.rows[:PLAIN]


def _key(cell: Cell) -> tuple[object, ...]:
    sort = float(f"{cell.sort:.{DIGITS}g}") if isinstance(cell.sort, float) else cell.sort
    parts = [cell.text, sort, cell.tone, cell.href]
    while parts and not parts[-1] and parts[-1] != 0:
        parts.pop()
    return tuple(parts)
