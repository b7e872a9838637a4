"""The same report for programs: its tables as a long frame, as JSON, as Markdown."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from analysis.report.blocks import Block, Command, Facts, Glance, Part, Picture, Statement, Table, Text

if TYPE_CHECKING:
    import polars as pl

FORMATS = ("html", "md", "json", "csv")
MOST_BYTES = 1_000_000
"""Of the tables inside a page; bigger ones are had by `--format csv`."""


def _tables(parts: Sequence[Part]) -> Iterator[tuple[str, str, Table]]:
    for part in parts:
        for section in part.sections:
            for block in section.blocks:
                if isinstance(block, Table):
                    yield part.name, section.key, block


def long_frame(parts: Sequence[Part]) -> pl.DataFrame:
    """All tables of a report, one row a cell of a table.

    Returns
    -------
    polars.DataFrame
        ``data_set, section, table, row, column, text, value``: ``value`` is the number behind the text, in the unit of
        the analysis (shares between 0 and 1), null where there is none.
    """
    import polars as pl

    rows = [
        (name, key, table.title, number, column.title, cell.text, _number(cell.sort))
        for name, key, table in _tables(parts)
        for number, row in enumerate(table.rows)
        for column, cell in zip(table.columns, row)
    ]
    names = ["data_set", "section", "table", "row", "column", "text"]
    schema = {name: pl.Int32 if name == "row" else pl.String for name in names}
    return pl.DataFrame(rows, schema={**schema, "value": pl.Float64}, orient="row")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def parquet_text(parts: Sequence[Part]) -> str:
    """The long frame as Parquet in base64; empty where it would make the page too big."""
    import polars as pl

    buffer = io.BytesIO()
    frame = long_frame(parts)
    names = [name for name in frame.columns if frame.schema[name] == pl.String]
    frame.with_columns(pl.col(names).cast(pl.Categorical)).write_parquet(buffer, compression="zstd")
    data = buffer.getvalue()
    return base64.b64encode(data).decode() if frame.height and len(data) <= MOST_BYTES else ""


def as_json(parts: Sequence[Part], comparison: Sequence[Block] = ()) -> str:
    """The report as JSON: the answer, its lines, and every section with its sentences and tables."""
    data = {"parts": [_part(part) for part in parts], "compared": [_block(block) for block in comparison]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _part(part: Part) -> dict[str, Any]:
    head = next((b for s in part.sections for b in s.blocks if isinstance(b, Glance)), None)
    return {
        "name": part.name,
        "question": part.question,
        "answer": None if head is None else {"text": head.head.whole, "verdict": head.head.verdict},
        "played": part.lead,
        "old": part.old,
        "alarm": part.alarm,
        "sections": [
            {"key": s.key, "title": s.title, "blocks": [_block(block) for block in s.blocks]}
            for s in part.sections
        ],
    }


def _block(block: Block) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": block.kind}
    if isinstance(block, Table):
        rows = [[{"text": cell.text, "value": cell.sort} for cell in row] for row in block.rows]
        return {
            **out,
            "title": block.title,
            "note": block.note,
            "columns": [c.title for c in block.columns],
            "rows": rows,
        }
    if isinstance(block, Glance):
        lines = [{"topic": line.topic, "text": line.whole, "verdict": line.verdict} for line in block.lines]
        return {**out, "text": block.head.whole, "verdict": block.head.verdict, "lines": lines}
    if isinstance(block, Picture):
        return {**out, "question": block.question, "note": block.note}
    if isinstance(block, Facts):
        return {**out, "title": block.title, "items": dict(block.items)}
    if isinstance(block, Statement):
        return {**out, "text": block.text, "verdict": block.verdict}
    return {**out, "text": block.text}


def as_markdown(parts: Sequence[Part], comparison: Sequence[Block] = ()) -> str:
    """The report as Markdown; pictures are left to the page."""
    out: list[str] = []
    for part in parts:
        out += [f"# {part.question}", f"*{part.title}.* {part.lead}"]
        out += (
            [f"**This study is of older rules or bots**: played with {'; with '.join(part.old)}."]
            if part.old
            else []
        )
        out += [f"**The data failed a check:** {line}" for line in part.alarm]
        for section in part.sections:
            out += [f"## {section.title}", *(text for block in section.blocks for text in _markdown(block))]
    if comparison:
        out += ["# Side by side", *(text for block in comparison for text in _markdown(block))]
    return "\n\n".join(out) + "\n"


def _markdown(block: Block) -> Iterator[str]:
    if isinstance(block, Glance):
        yield f"**{block.head.text}** {block.head.then}".rstrip()
        yield "\n".join(f"- **{line.topic}** ({line.verdict}): {line.whole}" for line in block.lines)
    elif isinstance(block, Table):
        if block.title:
            yield f"### {block.title}"
        heads = [column.title for column in block.columns]
        marks = ["---:" if column.number else "---" for column in block.columns]
        rows = [[cell.text.replace("|", "\\|").replace("\n", " ") for cell in row] for row in block.rows]
        yield "\n".join(f"| {' | '.join(row)} |" for row in [heads, marks, *rows])
        if block.note:
            yield block.note
    elif isinstance(block, Statement):
        yield f"- **{block.verdict}**: {block.text}".replace("\n", "\n  ")
    elif isinstance(block, Facts):
        yield "\n".join(f"- **{name}**: {text}" for name, text in block.items)
    elif isinstance(block, Command):
        yield f"```\n{block.text}\n```"
    elif isinstance(block, Text):
        yield block.text
