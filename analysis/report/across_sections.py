"""The sections on seats and pieces where something was compared: every setting by itself, beside the base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.blocks import TONES, Block, Cell, Column, Table, verdict_cell
from analysis.report.tables import sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

Row = dict[str, Any]

DIFFERS, SAME, OPEN = "differs", "the same", "may be chance"
PICTURED = 12  # settings that a picture of seats can hold
SERIES = 5  # more markers a piece cannot be told apart
ROWS_OPEN = 12
ROWS_SHOWN = 80


def seat_blocks(context: Context) -> list[Block]:
    """The section on seats: every seat at every setting, in a picture and in figures."""
    frame = context.every
    if frame is None:
        return []
    blocks: list[Block] = []
    seats = frame.filter(frame["what"] == "seat")
    for table, part in context.by_table(seats):
        names = part["setting"].n_unique()
        shown = _shown(part, [_seat(r, part) for r in part.iter_rows(named=True)])
        rows = [
            [
                Cell(r["setting"]),
                Cell(_seat(r, part), r["about"]),
                Cell(words.percent(r["value"]), sort_key(r["value"])),
                Cell(words.percent_range(r["value_low"], r["value_high"]), sort_key(r["value_low"])),
                Cell(words.percent(r["fair"]), r["fair"]),
                verdict_cell(r["verdict"], context.doubtful),
                *_tested(r),
                context.behind(r),
            ]
            for r in part.iter_rows(named=True)
        ]
        heads = [
            Column("setting"),
            Column("seat"),
            Column("wins", True),
            Column("95% interval", True),
            Column("fair", True),
            Column("verdict"),
            *TESTED,
            Column("games / deals", True),
        ]
        title = f"Seats in figures{table}, setting by setting"
        # The table is too wide to stand beside a picture, so it comes first.
        blocks.append(_table(heads, rows, title, ROWS_OPEN))
        if names <= PICTURED:
            ax = plots.factor_dots(
                shown,
                level="setting",
                series="who",
                margin=context.d.judge.seat,
                label="share of games won (dashed: fair)",
            )
            note = f"{context.scope.capitalize()}. 95% intervals of each setting by itself."
            blocks.append(context.picture(ax, f"Is any seat favoured{table}?", note))
    return blocks


def piece_blocks(context: Context) -> list[Block]:
    """The section on pieces: every piece at every setting, in a picture and in figures."""
    import polars as pl

    frame = context.every
    if frame is None:
        return []
    part = frame.filter((frame["what"] == "piece") & frame["value"].is_not_null())
    if part.is_empty():
        return []
    blocks: list[Block] = []
    names = list(dict.fromkeys(part["setting"].to_list()))
    strongest = {
        p: max(r["value"] for r in part.iter_rows(named=True) if r["about"] == p) for p in part["about"]
    }
    order = sorted(strongest, key=lambda p: -strongest[p])
    rows = sorted(
        part.iter_rows(named=True), key=lambda r: (order.index(r["about"]), names.index(r["setting"]))
    )
    table = [
        [
            Cell(r["about"]),
            Cell(r["setting"]),
            Cell(words.points(r["value"]), sort_key(r["value"])),
            Cell(words.points_range(r["value_low"], r["value_high"]), sort_key(r["value_low"])),
            verdict_cell(r["verdict"], context.doubtful),
            *_tested(r),
            context.behind(r),
        ]
        for r in rows
    ]
    heads = [
        Column(context.word("piece")),
        Column("setting"),
        Column(
            "each copy adds",
            True,
            f"points of win share that each copy adds, against the average other {context.word('piece')}",
        ),
        Column("95% interval", True),
        Column("verdict"),
        *TESTED,
        Column("games / deals", True),
    ]
    title = f"{context.word('pieces').capitalize()} in figures, setting by setting"
    blocks.append(_table(heads, table, title, 2 * ROWS_OPEN))
    if len(names) <= SERIES:
        sort = {(r["about"], r["setting"]): k for k, r in enumerate(rows)}
        at = [sort[r["about"], r["setting"]] for r in part.iter_rows(named=True)]
        part = part.with_columns(pl.Series("at", at)).sort("at")
        shown = _shown(part, part["setting"].to_list())
        ax = plots.factor_dots(
            shown,
            level="about",
            series="who",
            fair=None,
            signed=True,
            label=f"points of win share for each copy, against the average {context.word('piece')}",
        )
        note = f"What one more copy adds to the win share, under each setting by itself. {context.by_lot}"
        blocks.append(context.picture(ax, f"Which {context.word('pieces')} win games?", note))
    return [*blocks, *([matrix(rows, names, context)] if len(names) > SERIES else [])]


def _table(heads: Sequence[Column], rows: Sequence[Sequence[Cell]], title: str, open_to: int) -> Table:
    left = len(rows) - ROWS_SHOWN
    note = f"{left} more rows are left out." if left > 0 else ""
    return Table(heads, rows[:ROWS_SHOWN], title=title, note=note, folded=len(rows) > open_to)


TESTED = (
    Column("against the base", True, "the tested difference; points of win share"),
    Column("interval", True, "holds all differences at once, at 95%"),
    Column("tested"),
)


def _tested(row: Row) -> list[Cell]:
    if row["base"] or row["estimate"] is None:
        return [Cell("the base" if row["base"] else words.DASH), Cell(""), Cell("")]
    word = DIFFERS if row["differs"] else SAME if row["same"] else OPEN
    return [
        Cell(words.points(row["estimate"]), sort_key(row["estimate"])),
        Cell(words.points_range(row["low"], row["high"]), sort_key(row["low"])),
        verdict_cell(word),
    ]


def _shown(frame: pl.DataFrame, who: Sequence[str]) -> pl.DataFrame:
    """The estimates of each setting by itself, as plots take them."""
    import polars as pl

    shown = frame.select("setting", "about", "fair", estimate="value", low="value_low", high="value_high")
    return shown.with_columns(who=pl.Series(list(who), dtype=pl.String)).unique(
        ["setting", "about"], maintain_order=True
    )


def _seat(row: Row, frame: pl.DataFrame) -> str:
    """The name of a seat, with its partners where seats play together."""
    own = frame.filter(frame["setting"] == row["setting"])
    rows = [{**r, "seat": int(r["about"])} for r in own.iter_rows(named=True)]
    return words.seat_beside({**row, "seat": int(row["about"])}, rows)


def matrix(rows: Sequence[Row], names: Sequence[str], context: Context) -> Table:
    """Every setting by every piece."""
    every = list(dict.fromkeys(str(r["about"]) for r in rows))
    at = {(r["setting"], r["about"]): r for r in rows}
    body = []
    for name in names[:ROWS_SHOWN]:
        games = max((r["games"] for r in rows if r["setting"] == name), default=0)
        line = [Cell(name), Cell(words.number(games), games)]
        for piece in every:
            r = at.get((name, piece))
            line.append(
                Cell(words.DASH)
                if r is None
                else Cell(
                    words.change(r["value"], r["value_low"], r["value_high"]),
                    sort_key(r["value"]),
                    TONES.get(str(r["verdict"]), "undecided"),
                )
            )
        body.append(line)
    heads = [Column("setting"), Column("games", True), *(Column(piece, True) for piece in every)]
    shown = f"all {len(names)}" if len(body) == len(names) else f"{len(body)} of {len(names)}"
    title = f"Each {context.word('piece')} under each setting, in points of win share for each copy: {shown}"
    return Table(heads, body, title=title, folded=True)
