"""One tested target in words: how much it is, within what, what it is meant to be, and what would settle it."""

from __future__ import annotations

import math
from typing import Any

from analysis.targets.table import MEASURES, part_of
from analysis.targets.verdicts import PROVEN, REFUTED, TOO_FEW


def line(row: dict[str, Any]) -> str:
    """One row in words: what, how much, within what, and what would settle it."""
    told = f", {row['setting']},"  # of which the table may be a part
    where = ", ".join(part for part in (row["setting"], row["table"]) if part)
    where = row["setting"] if f", {row['table']}," in told else where
    head = f"{row['target']}" + (f" ({row['about']})" if row["about"] != row["target"] else "")
    said = value_of(row, "estimate")
    text = f"{head}{': ' if not where else ', ' + where + ': '}{said}"
    low, high = value_of(row, "low"), value_of(row, "high")
    if row["low"] is not None and not low == said == high:  # an interval that is a point tells nothing
        text += f" ({low} to {high})"
    text += f", meant {meant(row)}"
    if row["verdict"] in (PROVEN, REFUTED):
        return text
    if row["verdict"] == TOO_FEW:  # more games of the few that differ would tell no more
        return f"{text}; {row['note'] or 'it takes ten deals that differ'}"
    if row["more_games"]:
        return f"{text}; about {rounded(row['more_games'])} more games would settle it, if it is as it looks"
    return (
        f"{text}; it lies at the edge: no number of games is sure to settle it"
        if row["low"] is not None
        else text
    )


def meant(row: dict[str, Any]) -> str:
    """The band of a target."""
    if row["low_bound"] is None or math.isinf(row["low_bound"]):
        return f"at most {value_of(row, 'high_bound')}"
    if row["high_bound"] is None or math.isinf(row["high_bound"]):
        return f"at least {value_of(row, 'low_bound')}"
    return f"{value_of(row, 'low_bound')} to {value_of(row, 'high_bound')}"


def value_of(row: dict[str, Any], key: str) -> str:
    """A number of a row as a reader says it: a plain one of measures, points of pieces, per cent of shares."""
    value = row[key]
    measure, _, of = row["target"].partition(".")
    if value is None or math.isnan(value):
        return "–"
    if measure in MEASURES and part_of(of) is None:
        return f"{value:,.1f}".replace("-", "−")
    if row["target"].startswith("piece"):
        return f"{100 * value:+.1f}".replace("-", "−") if round(value, 3) else "0.0"
    return f"{100 * value:.1f}%"


def rounded(number: int) -> str:
    """A number of games with two digits that count, rounded up."""
    scale = 10 ** max(len(str(number)) - 2, 0)
    return f"{-(-number // scale) * scale:,}"
