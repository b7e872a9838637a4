"""Sections on what was drawn for each deal or each seat, and the words of the measures that such things change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.changes.levels import word_of
from analysis.data.measures import ENDER, MINUTES, POINTS, SHARED, STOPPED
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, verdict_cell
from analysis.report.tables import notes, sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

SHOWN = 80  # rows of a table
PLAIN = {  # measures in units of their own
    MINUTES: "minutes",
    "turns": "turns",
    "decisions": "decisions a game",
    "margin": "points between first and second",
    "lead_changes": "changes of the lead",
    POINTS: "points of a seat",
}
SHARES = {  # measures that are shares
    SHARED: "games tied at the top",
    STOPPED: "games stopped before their end",
    ENDER: "win share of who ends the game",
    "first seat": "win share of Seat A",
    "seat gap": "typical distance of a seat from fair",
    "piece": "win share for each copy",
}
PICTURED = (MINUTES, "turns", "margin")
QUESTIONS = {
    MINUTES: "Which {} takes more or fewer minutes",
    "turns": "Which {} makes games longer or shorter",
    "margin": "Which {} makes games closer",
}


def measured(measure: str, value: float | None, change: bool = False) -> str:
    """Return the value of a measure, or its change with a sign: shares in points, the rest as they are."""
    if words.missing(value):
        return words.DASH
    if measure in SHARES:
        return words.points(value) if change else words.percent(value)
    digits = 2 if abs(float(value)) < 10 else 1  # type: ignore[arg-type]
    return f"{value:+.{digits}f}".replace("-", "−") if change else f"{value:,.{digits}f}".replace("-", "−")


def measured_range(measure: str, low: float | None, high: float | None) -> str:
    """Return the interval of a change of a measure."""
    if words.missing(low) or words.missing(high):
        return words.DASH
    return f"{measured(measure, low, True)} to {measured(measure, high, True)}"


def levels(context: Context) -> list[Block]:
    """What each level that was drawn for a deal changes: length, ends, ties, seats, pieces."""
    frame = context.made("level_effects")
    if frame is None:
        return []
    blocks: list[Block] = []
    for (column,), part in frame.group_by("column", maintain_order=True):
        blocks += _of_column(part, str(column), context)
    return [*blocks, *notes(frame)]


def _of_column(frame: pl.DataFrame, column: str, context: Context) -> list[Block]:
    import polars as pl

    word, against = word_of(context.d, column), frame["against"][0]
    blocks: list[Block] = []
    wanted = [
        m for m in PICTURED if m in frame["measure"] and not (m == "turns" and MINUTES in frame["measure"])
    ]
    for measure in wanted:
        known = frame.filter((pl.col("measure") == measure) & pl.col("estimate").is_not_null())
        for table, rows in context.by_table(known) if not known.is_empty() else []:
            label = f"change in {PLAIN[measure]}, against {against}"
            ax = plots.plain_dots(rows, level="level", label=label)
            note = f"{context.scope.capitalize()}; filled marks are beyond chance."
            blocks.append(context.picture(ax, f"{QUESTIONS[measure].format(word)}{table}?", note))
    first = frame.filter((pl.col("measure") == "first seat") & pl.col("estimate").is_not_null())
    for table, rows in context.by_table(first) if not first.is_empty() else []:
        label = f"change of Seat A's win share in points, against {against}"
        ax = plots.factor_dots(
            rows.sort("estimate", descending=True), level="level", signed=True, fair=None, label=label
        )
        question = f"Which {word} helps or hurts Seat A{table}?"
        blocks.append(context.picture(ax, question, f"{context.scope.capitalize()}."))
    pieces = frame.filter((pl.col("measure") == "piece") & pl.col("estimate").is_not_null())
    if not pieces.is_empty():
        ax = plots.ban_heat(pieces.rename({"level": "banned"}), row="{}", title=None)
        one = context.word("piece")
        note = f"Change of the strength of each {one}, against {against}, {context.scope}."
        blocks.append(context.picture(ax, f"Which {word} makes which {one} strong?", note, wide=True))
    title = f"{word_of(context.d, column, many=True).capitalize()} in figures"
    return [*blocks, changes_table(frame, "level", word, title, context)]


def changes_table(frame: pl.DataFrame, name: str, head: str, title: str, context: Context) -> Table:
    """A table of changes of measures; of pieces, only those beyond chance."""
    import polars as pl

    clear = pl.col("q").fill_null(1.0) < 0.05
    kept = frame.filter((pl.col("piece").is_null() | clear) & pl.col("estimate").is_not_null())
    shown = kept.sort(name, "measure", "players", nulls_last=True, maintain_order=True)
    rows = [
        [
            Cell(str(r[name])),
            Cell(f"strength of {r['piece']}" if r["piece"] else _measure(r["measure"])),
            *([Cell(words.DASH if r["players"] is None else words.table(r))] if context.many_tables else []),
            Cell(measured(r["measure"], r["estimate"], True), sort_key(r["estimate"])),
            Cell(measured_range(r["measure"], r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"]), "note" if (r["q"] or 1.0) < 0.05 else None),
            Cell(words.number(r["games_with"]), r["games_with"]),
        ]
        for r in shown.head(2 * SHOWN).iter_rows(named=True)
    ]
    heads = [
        Column(head),
        Column("what"),
        *([Column("table")] if context.many_tables else []),
        Column("change", True, "turns, minutes and points as they are; shares in percentage points"),
        Column("95% interval", True),
        Column("q", True, "chance of a false alarm, corrected for all rows of one kind"),
        Column("games with", True),
    ]
    left = shown.height - len(rows)
    note = f"{left} more rows are left out." if left > 0 else ""
    if not frame.filter(pl.col("piece").is_not_null()).is_empty():
        note = f"Of {context.word('pieces')}, only changes beyond chance. {note}".strip()
    return Table(heads, rows, title=title, note=note, folded=len(rows) > 12)


def _measure(name: str) -> str:
    return {**PLAIN, **SHARES}.get(name, name.replace("_", " "))


def seat_levels(context: Context) -> list[Block]:
    """What each seat has one of (a continent, a leader), and how who has it fares."""
    import polars as pl

    frame = context.made("seat_level_effects")
    if frame is None:
        return []
    blocks: list[Block] = []
    for _, part in frame.group_by("column", maintain_order=True):
        word, chosen = part["word"][0], bool(part["chosen"][0])
        known = part.filter(pl.col("estimate").is_not_null())
        for table, rows in context.by_table(known) if not known.is_empty() else []:
            ax = plots.factor_dots(
                rows.sort("estimate", descending=True),
                level="level",
                signed=True,
                fair=None,
                label="points of win share, against the average other",
            )
            why = "it was chosen by the players, so it goes with winning: who is better may choose it"
            note = f"{context.scope.capitalize()}, seat and bot taken off; "
            note += f"{why}." if chosen else f"it was drawn by lot, so this is what it does {context.play}."
            blocks.append(context.picture(ax, f"Which {word} is worth more{table}?", note))
        blocks.append(_seat_table(part, word, context))
    return [*blocks, *notes(frame)]


def _seat_table(frame: pl.DataFrame, word: str, context: Context) -> Table:
    rows: list[list[Cell]] = [
        [
            Cell(str(r["level"])),
            *([Cell(words.table(r))] if context.many_tables else []),
            Cell(words.percent(r["held"]), sort_key(r["held"])),
            Cell(words.percent(r["raw"]), sort_key(r["raw"])),
            Cell(words.percent(r["fair"]), sort_key(r["fair"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell("goes with winning") if r["chosen"] else verdict_cell(r["verdict"], context.doubtful),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        Column(word),
        *([Column("table")] if context.many_tables else []),
        Column("of seats", True, "share of seats that have it"),
        Column("wins", True, "win share of who has it"),
        Column("fair", True),
        Column("worth", True, "points of win share against the average other; seat and bot taken off"),
        Column("95% interval", True),
        Column("verdict"),
        Column("q", True),
        Column("games / deals", True),
    ]
    return Table(heads, rows, title=f"{word.capitalize()} in figures", folded=len(rows) > 12)


def change_cell(row: dict[str, Any] | None) -> Cell:
    """Return a change with its interval, bold where it is beyond chance."""
    if row is None or row["estimate"] is None:
        return Cell(words.DASH, "")
    measure = row["measure"]
    text = measured(measure, row["estimate"], True)
    span = measured_range(measure, row["low"], row["high"])
    if span != f"{text} to {text}":  # ends that differ by less than can be read are a point
        text += f" ({span})"
    clear = row["q"] is not None and row["q"] < 0.05
    return Cell(text, sort_key(row["estimate"]), "note" if clear else None)
