"""The answer on targets as text, Markdown, and JUnit XML for continuous integration."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from analysis.report import words
from analysis.targets.judging import PROVEN, REFUTED, verdict_of
from analysis.targets.table import MEASURES, part_of

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


def line(row: dict[str, Any]) -> str:
    """One row in words: what, how much, within what, and what would settle it."""
    where = ", ".join(part for part in (row["setting"], row["table"]) if part)
    head = f"{row['target']}" + (f" ({row['about']})" if row["about"] != row["target"] else "")
    text = f"{head}{': ' if not where else ', ' + where + ': '}{_value(row, 'estimate')}"
    if row["low"] is not None:
        text += f" ({_value(row, 'low')} to {_value(row, 'high')})"
    text += f", meant {_meant(row)}"
    if row["verdict"] in (PROVEN, REFUTED):
        return text
    if row["more_games"]:
        return f"{text}; about {_rounded(row['more_games'])} more games would settle it, if it is as it looks"
    return (
        f"{text}; it lies at the edge: no number of games is sure to settle it"
        if row["low"] is not None
        else text
    )


def _meant(row: dict[str, Any]) -> str:
    if row["low_bound"] is None or math.isinf(row["low_bound"]):
        return f"at most {_value(row, 'high_bound')}"
    if row["high_bound"] is None or math.isinf(row["high_bound"]):
        return f"at least {_value(row, 'low_bound')}"
    return f"{_value(row, 'low_bound')} to {_value(row, 'high_bound')}"


def _value(row: dict[str, Any], key: str) -> str:
    value = row[key]
    measure, _, of = row["target"].partition(".")
    if measure in MEASURES and part_of(of) is None:
        return words.number(value)
    if row["target"].startswith("piece"):
        return words.points(value)
    return words.percent(value)


def _rounded(number: int) -> str:
    scale = 10 ** max(len(str(number)) - 2, 0)
    return f"{-(-number // scale) * scale:,}"


def as_text(frame: pl.DataFrame) -> str:
    """Lines for the terminal."""
    rows = list(frame.iter_rows(named=True))
    wide = max(len(r["verdict"]) for r in rows)
    lines = [f"{r['verdict']:<{wide}}  {line(r)}" for r in rows]
    counts = frame["verdict"].value_counts(sort=True)
    told = ", ".join(f"{n} {word}" for word, n in counts.rows())
    return "\n".join([*lines, f"{verdict_of(frame)}: {told}"])


def as_markdown(d: Dataset, frame: pl.DataFrame) -> str:
    """A Markdown table, for a comment on a change."""
    head = f"**{d.name}: {verdict_of(frame)}** ({words.plural(d.n_games, 'game')}, {d.play})"
    lines = [
        head,
        "",
        "| verdict | target | where | value | 95% | meant | more games |",
        "|---|---|---|--:|--:|--:|--:|",
    ]
    for r in frame.iter_rows(named=True):
        where = ", ".join(
            part for part in (r["setting"], r["table"], r["about"]) if part and part != r["target"]
        )
        span = f"{_value(r, 'low')} to {_value(r, 'high')}" if r["low"] is not None else words.DASH
        meant = _meant(r)
        more = _rounded(r["more_games"]) if r["more_games"] else words.DASH
        cells = [r["verdict"], r["target"], where, _value(r, "estimate"), span, meant, more]
        lines.append("| " + " | ".join(str(c).replace("|", "\\|") for c in cells) + " |")
    return "\n".join(lines) + "\n"


def as_junit(d: Dataset, frame: pl.DataFrame) -> str:
    """JUnit XML: a refuted target is a failure, an undecided one is skipped with what would settle it."""
    from xml.etree import ElementTree

    rows = list(frame.iter_rows(named=True))
    refuted = sum(r["verdict"] == REFUTED for r in rows)
    proven = sum(r["verdict"] == PROVEN for r in rows)
    counts = {
        "tests": str(len(rows)),
        "failures": str(refuted),
        "errors": "0",
        "skipped": str(len(rows) - refuted - proven),
    }
    suite = ElementTree.Element("testsuite", {"name": d.name, **counts})
    for r in rows:
        name = ", ".join(part for part in (r["target"], r["setting"], r["table"], r["about"]) if part)
        case = ElementTree.SubElement(suite, "testcase", {"classname": d.name, "name": name})
        if r["verdict"] == REFUTED:
            ElementTree.SubElement(case, "failure", {"message": line(r), "type": REFUTED})
        elif r["verdict"] != PROVEN:
            ElementTree.SubElement(case, "skipped", {"message": line(r)})
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
