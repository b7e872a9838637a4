"""What the data say of the seats beyond a verdict: the size of an advantage that they rule out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.report import words

if TYPE_CHECKING:
    from analysis.report.context import Context

WHOLE = 0.05  # gaps beyond it are told in whole points


def ruled_out(rows: Sequence[Mapping[str, Any]]) -> str:
    """The sentence on what is ruled out, by the joint band of all seats; empty where nothing is.

    Parameters
    ----------
    rows
        Seats of one kind of table, as of `analysis.seat_balance`.
    """
    high = max((r["high_joint"] - r["fair"] for r in rows if r["high_joint"] is not None), default=None)
    low = max((r["fair"] - r["low_joint"] for r in rows if r["low_joint"] is not None), default=None)
    if high is None or low is None or any(r["verdict"] == "too few to say" for r in rows):
        return ""
    fair = rows[0]["fair"]
    parts = []
    if 0 < high < 1 - fair - 1e-9:
        parts.append(f"a seat advantage above {points(high)}")
    if 0 < low < fair - 1e-9 and rows[0]["sides"] > 2:
        parts.append(f"a disadvantage above {points(low)}")
    if not parts:
        return ""
    return f"Ruled out: {words.listing(parts)}, at any seat."


def points(gap: float) -> str:
    """A gap in points that is surely as large: whole points where it is wide, else with one decimal."""
    scale = 1 if gap > WHOLE else 10
    said = f"{math.ceil(100 * gap * scale - 1e-9) / scale:g}"
    return f"{said} point{'' if said == '1' else 's'}"


def seat_sentences(context: Context) -> list[str]:
    """Plain lines on the seats of each kind of table, for the terminal."""
    frame, tests = context.seats, context.seat_tests
    if frame is None or tests is None:
        return [f"nothing can be said of the seats: {context.why_not.get('seats', '')}"]
    lines = []
    for test in tests.iter_rows(named=True):
        rows = [r for r in frame.iter_rows(named=True) if _same(r, test)]
        games = words.plural(test["games"], "game")
        lines.append(f"With {words.table(test)}, {games}, fair is {words.percent(rows[0]['fair'])}:")
        for r in rows:
            low, high = words.percent_range(r["low"], r["high"]), p_value(r["p"])
            corrected = f", corrected {p_value(r['q'])}" if r["q"] is not None and r["q"] > r["p"] else ""
            lines.append(
                f"  {words.seat(r['seat'])} wins {words.percent(r['estimate'])} ({low}): {r['verdict']}, p "
                f"{high}{corrected}"
            )
        lines.append(f"  all seats: {test['verdict']}. {ruled_out(rows)}".rstrip())
    return lines


def p_value(value: float | None) -> str:
    """A p value as it is quoted: small ones with two digits that count."""
    return f"{value:.4f}" if value is not None and 0.001 <= value < 0.01 else words.p_value(value)


def _same(row: Mapping[str, Any], test: Mapping[str, Any]) -> bool:
    return all(row[k] == test[k] for k in ("players", "sides"))
