"""Several data sets side by side, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.changes.runs import SHARE_MEASURES
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text, verdict_cell
from analysis.report.context import Context
from analysis.report.levels import measured
from analysis.report.pieces import MARKS


def side_by_side(contexts: Sequence[Context]) -> list[Block]:
    """One row a data set and table size, and the strength of every piece that they have in common."""
    rows = []
    for context in contexts:
        for name, part, test in _tests(context):
            rows.append(
                [
                    Cell(f"{context.d.name}, {name}" if name else context.d.name),
                    Cell(str(context.d.manifest.get("design_version") or words.DASH)),
                    Cell(part.scope),
                    Cell(words.table(test), test["players"]),
                    verdict_cell(test["verdict"], context.doubtful),
                    Cell(f"{words.points(test['estimate'])} at {words.seat(test['seat'])}", test["estimate"]),
                    Cell(words.points_range(test["low"], test["high"]), test["low"]),
                    context.count(test["games"]),
                ]
            )
    heads = [
        Column("data set"),
        Column("design"),
        Column("holds"),
        Column("table"),
        Column("seats"),
        Column("largest gap", True, "points of win share above or below fair"),
        Column("interval", True),
        Column("games", True),
    ]
    note = "Each data set is judged by itself."
    blocks: list[Block] = [*_tested(contexts), Table(heads, rows, title="Seats", note=note)]
    table = _pieces(contexts)
    return [*blocks, table] if table else blocks


def _tested(contexts: Sequence[Context]) -> list[Block]:
    """Of two data sets of one game: what the second changes against the first, tested."""
    import analysis

    if len(contexts) != 2:
        return []
    first, second = contexts
    frame = first.ask("runs", lambda: analysis.compare_runs(first.whole, second.whole))
    if frame is None:
        return [Text(f"The two are not set against each other: {first.why_not['runs']}.", "note")]
    rows = frame.to_dicts()
    moved = [row for row in rows if row["verdict"] == "differs"]
    how = "deal by deal, on the deals that both have" if rows[0]["paired"] else "without deals in common"
    lead = (
        f"Of {len(rows)} answers {len(moved)} differ from {first.d.name} (before) to {second.d.name} "
        f"(after), {how}."
    )

    order = {"differs": 0, "undecided": 1, "the same": 2}
    body = [
        [
            Cell(row["piece"] or row["measure"]),
            *(
                [Cell(words.DASH if row["players"] is None else words.table(row))]
                if first.many_tables
                else []
            ),
            Cell(_size(row, "before"), row["before"]),
            Cell(_size(row, "after"), row["after"]),
            Cell(_size(row, "estimate", True), row["estimate"]),
            Cell(f"{_size(row, 'low', True)} to {_size(row, 'high', True)}", row["low"]),
            verdict_cell(row["verdict"], first.doubtful or second.doubtful),
            Cell(words.number(row["games"]), row["games"]),
        ]
        for row in sorted(rows, key=lambda row: order.get(row["verdict"], 3))
    ]
    names = ["answer", *(["table"] if first.many_tables else [])]
    numbers = [Column(name, True) for name in ("before", "after", "difference", "95% interval")]
    heads = [*(Column(name) for name in names), *numbers, Column("tested"), Column("games", True)]
    return [Text(lead), Table(heads, body, title="What differs", folded=len(body) > 12)]


def _size(row: dict[str, Any], name: str, change: bool = False) -> str:
    measure = "piece" if row["piece"] else row["measure"]
    if row["piece"] or row["measure"] in SHARE_MEASURES:
        return words.points(row[name]) if change or row["piece"] else words.percent(row[name])
    return measured(measure, row[name], change)


MOST_PARTS = 8  # settings of one data set that are told side by side with another


def _tests(context: Context) -> Iterator[tuple[str, Context, dict[str, Any]]]:
    """The seats under each setting that was compared, by itself."""
    for name, part in context.parts()[:MOST_PARTS]:
        tests = part.seat_tests
        for test in tests.iter_rows(named=True) if tests is not None else []:
            yield name, part, test


def _pieces(contexts: Sequence[Context]) -> Table | None:
    parts = [
        (f"{context.d.name}, {name}" if name else context.d.name, part.pieces)
        for context in contexts
        for name, part in context.parts(sizes=True)[:MOST_PARTS]
    ]
    frames = [(name, frame) for name, frame in parts if frame is not None]
    if len(frames) < 2:
        return None
    names = list(dict.fromkeys(str(piece) for _, frame in frames for piece in frame["piece"]))
    cells: dict[str, list[Cell]] = {name: [] for name in names}
    for _, frame in frames:
        found = {str(r["piece"]): r for r in frame.iter_rows(named=True)}
        for name in names:
            row = found.get(name)
            if row is None or row["estimate"] is None:
                cells[name].append(Cell(words.DASH, ""))
            else:
                text = f"{MARKS.get(row['verdict'], '○')} {words.change(row['estimate'], row['low'], row['high'])}"
                cells[name].append(Cell(text, row["estimate"]))
    heads = [Column(contexts[0].word("piece")), *(Column(name, True) for name, _ in frames)]
    note = (
        "Points of win share for each copy. ▲ strong, ▼ weak, △ ▽ above or below the average, how far "
        "is open, ● within the margin, ○ undecided."
    )

    if any(context.doubtful for context in contexts):
        note += " Data sets that failed a check are in doubt."
    return Table(
        heads,
        [[Cell(name), *row] for name, row in cells.items()],
        title=contexts[0].word("pieces").capitalize(),
        note=note,
    )
