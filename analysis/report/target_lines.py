"""The answer on targets as text, Markdown, and JUnit XML for continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.report import words
from analysis.targets.judging import PROVEN, REFUTED, verdict_of
from analysis.targets.lines import line, meant, rounded, value_of

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


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
        span = f"{value_of(r, 'low')} to {value_of(r, 'high')}" if r["low"] is not None else words.DASH
        band = meant(r)
        more = rounded(r["more_games"]) if r["more_games"] else words.DASH
        cells = [r["verdict"], r["target"], where, value_of(r, "estimate"), span, band, more]
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
