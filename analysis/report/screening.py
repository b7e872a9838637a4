"""The section on a screen: which numbers of the rules matter, for what, and how the strongest move what they move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.changes.screening import DIFFERS, levers
from analysis.data.questions import Question
from analysis.report import words
from analysis.report.blocks import TONES, Block, Cell, Column, Statement, Table, Text
from analysis.report.levels import PLAIN, SHARES, measured, measured_range
from analysis.report.tables import notes, sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MATRIX, MEASURES, DOTS, TOLD, ROWS = 20, 8, 12, 8, 60
"""Numbers and measures of the picture at a glance; numbers of one measure; sentences; rows of the table."""


def short_answer(context: Context, question: Question) -> list[Block]:
    """A sentence for each number that matters, the strongest first, and one on those that do not."""
    frame = context.made("screen")
    if frame is None:
        return []
    blocks: list[Block] = []
    names = levers(frame, len(frame))
    for name in names[:TOLD]:
        rows = frame.filter((frame["factor"] == name) & (frame["verdict"] == DIFFERS)).to_dicts()
        told = "; ".join(f"{_measure(r, context.many_tables)} {_change(r)}" for r in rows[:3])
        more = f"; and {len(rows) - 3} more" if len(rows) > 3 else ""
        text = f"{_moved(rows[0])} matters {context.scope}: {told}{more}."
        blocks.append(Statement(text, words.soften(DIFFERS, context.doubtful), TONES[DIFFERS]))
    if len(names) > TOLD:
        blocks.append(Text(f"So do {words.listing(names[TOLD:], 20)}."))
    rest = [name for name in dict.fromkeys(frame["factor"]) if name not in names]
    if rest:
        blocks.append(
            Statement(
                f"Of {words.listing(sorted(rest), 12)} no effect is shown, within the levels that were played.",
                "may be chance",
                "undecided",
            )
        )
    return blocks


def screening(context: Context) -> list[Block]:
    """The picture at a glance, the measures one by one, and the figures."""
    import polars as pl

    frame = context.made("screen")
    if frame is None:
        return []
    frame = frame.with_columns(
        column=pl.Series([_measure(r, context.many_tables) for r in frame.iter_rows(named=True)])
    )
    names = list(dict.fromkeys(frame.filter(frame["verdict"] == DIFFERS)["factor"]))[:MATRIX]
    clear = frame.filter(frame["factor"].is_in(names) & (frame["verdict"] == DIFFERS))
    columns = list(dict.fromkeys(clear["column"]))
    shown = columns[:MEASURES]
    blocks: list[Block] = [Text(_method(context, frame))]
    if names:
        of = dict(zip(frame["column"], frame["measure"]))
        ax = plots.lever_matrix(
            frame.filter(frame["column"].is_in(shown)),
            names,
            [(column, column) for column in shown],
            lambda column, value: measured(of[column], value, True),
            title=None,
        )
        note = (
            "From the first level to the second, all other numbers alike on both sides; shares in points. The darker, "
            "the more margins; = shown to stay within the margin, · may be chance."
        )
        blocks.append(context.picture(ax, "Which numbers matter, and for what?", note, wide=True))
    for column in shown:
        part = frame.filter(frame["column"] == column)
        part = part.sort(pl.col("estimate").abs(), descending=True).head(DOTS)
        part = part.with_columns(label=pl.Series([_moved(r) for r in part.iter_rows(named=True)]))
        shares = part["measure"][0] in SHARES
        ax = plots.lever_dots(part, label=f"change of: {column}", shares=shares, title=None)
        note = "Intervals hold all numbers at once; the band is what nothing does: the noise floor."
        blocks.append(context.picture(ax, f"What moves this: {column}?", note))
    blocks += [_table(context, frame), *notes(frame)]
    return blocks


def curves(context: Context) -> list[Block]:
    """One curve for each number that was swept on fresh deals, of what it moves most."""
    frame = context.made("rule_changes")
    if frame is None:
        return []
    blocks: list[Block] = []
    for name in dict.fromkeys(frame["factor"]):
        own = frame.filter((frame["factor"] == name) & frame["q"].is_not_null())
        best: dict[tuple[Any, ...], float] = {}
        for r in own.iter_rows(named=True):
            key = (r["measure"], r["piece"], r["players"], r["sides"])
            if r["q"] < context.alpha and r["high"] > r["low"]:
                best[key] = max(best.get(key, 0.0), abs(r["estimate"]) / (r["high"] - r["low"]))
        if not best:
            blocks.append(Text(f"{name}: on fresh deals no change is shown."))
            continue
        for measure, piece, players, sides in sorted(best, key=lambda key: -best[key])[:2]:
            part = own.filter(own["measure"] == measure)
            for column, value in (("piece", piece), ("players", players), ("sides", sides)):
                part = part.filter(part[column].eq_missing(value))
            row = part.row(0, named=True)
            label = f"change of: {_measure(row, context.many_tables)}"
            ax = plots.lever_curve(part, row["before"], label=label, shares=measure in SHARES, title=None)
            note = (
                f"Fresh deals, {context.scope}; the open mark is the value now; 95% intervals, deal by deal."
            )
            blocks.append(context.picture(ax, f"{name}: {_measure(row, context.many_tables)}", note))
    return blocks


def _method(context: Context, frame: pl.DataFrame) -> str:
    told = context.d.manifest["screen"]
    numbers, spare = len(told["factors"]), len(told["spare"])
    settings = words.plural(context.d.cells.height, "setting")
    floor = (
        f"{words.plural(spare, 'spare column')} of the design measure the noise, and what three do only together"
        if spare
        else "there are no spare columns, and so no noise floor"
    )
    return (
        f"{words.plural(numbers, 'number')} at two levels in {settings}, {context.scope}. Each effect is the "
        f"difference between two halves of all games, on the same deals; {floor}. An effect is an average over the "
        "levels of the other numbers, and says nothing of what lies beyond its two levels."
    )


def _moved(row: dict[str, Any]) -> str:
    return f"{row['factor']} {row['from']} → {row['to']}"


def _measure(row: dict[str, Any], many: bool = True) -> str:
    if row["measure"] == "piece":
        return f"{row['piece']}: {SHARES['piece']}"
    said = SHARES.get(row["measure"]) or PLAIN.get(row["measure"], str(row["measure"]).replace("_", " "))
    return f"{said}, {words.table(row)}" if many and row["players"] is not None else said


def _change(row: dict[str, Any]) -> str:
    span = measured_range(row["measure"], row["low"], row["high"])
    return f"{measured(row['measure'], row['estimate'], True)} ({span})"


def line_of(row: dict[str, Any]) -> str:
    """Return an effect as one line: what was moved, and what that changes."""
    return f"{_moved(row):44} {_measure(row)}: {_change(row)}"


def _table(context: Context, frame: pl.DataFrame) -> Table:
    rows = [
        [
            Cell(_moved(r)),
            Cell(r["column"]),
            Cell(measured(r["measure"], r["estimate"], True), sort_key(r["estimate"])),
            Cell(measured_range(r["measure"], r["low"], r["high"]), sort_key(r["low"])),
            Cell(measured(r["measure"], r["floor"]), sort_key(r["floor"])),
            Cell(words.number(r["size"]), sort_key(r["size"])),
            Cell(r["verdict"], r["verdict"], TONES.get(r["verdict"], "undecided")),
            context.behind(r),
        ]
        for r in frame.head(ROWS).iter_rows(named=True)
    ]
    heads = [
        Column("number"),
        Column("what it changes"),
        Column("change", True),
        Column("interval", True, "holds all numbers of a measure at once, at 95%"),
        Column("noise floor", True, "the largest effect of nothing among so many numbers, at 95%"),
        Column("margins", True, "how many margins the change is"),
        Column("verdict"),
        Column("games / deals", True),
    ]
    more = frame.height - len(rows)
    return Table(
        heads,
        rows,
        "In figures",
        f"{more:,} smaller effects are left out." if more > 0 else "",
        len(rows) > 8,
    )
