"""Sections on balance: health of the data, seats, and sets of pieces that were banned or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import across_sections, words
from analysis.report.blocks import Block, Cell, Column, Table, Text, verdict_cell
from analysis.report.tables import absent, notes, sort_key
from analysis.report.variants import ban_sets

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

ROWS_SHOWN = 80
BARS = 24
"""Rows of the picture of bans: half of them the most helpful ones, half the least helpful."""


def health(context: Context) -> list[Block]:
    """Every check of the data, failed ones first."""
    frame = context.audit
    if frame is None:
        return [Text(f"The data were not checked: {context.why_not['health']}.")]
    rows = []
    for row in sorted(frame.iter_rows(named=True), key=lambda r: {False: 0, None: 1, True: 2}[r["ok"]]):
        badge = {
            False: Cell("failed", 0, "alarm"),
            None: Cell("note", 1, "note"),
            True: Cell("fine", 2, "balanced"),
        }[row["ok"]]
        rows.append(
            [
                badge,
                Cell(words.said(str(row["check"]))),
                Cell(words.plain(row["value"])),
                Cell(words.said(row["detail"] or "")),
            ]
        )
    fine = sum(ok is True for ok in frame["ok"])
    if context.doubtful:
        lead = "The data failed a check: until it is mended or explained, no verdict of this report stands."
    else:
        lead = (
            f"{fine} checks passed and none failed: games were dealt, played and logged as planned. How "
            f"sure a verdict is, "
            "its own interval says."
        )
    heads = [Column("result"), Column("check"), Column("value"), Column("what was found")]
    blocks: list[Block] = [Text(lead)]
    open_rows = [row for row in rows if row[0].text != "fine"]
    if open_rows:
        blocks.append(Table(heads, open_rows, title="What to know"))
    passed = [row for row in rows if row[0].text == "fine"]
    return [*blocks, Table(heads, passed, title=f"{len(passed)} checks passed", folded=True)]


def seats(context: Context) -> list[Block]:
    """Win share of each seat beside the fair share, and whether the seats may be called balanced."""
    if not context.single:
        return across_sections.seat_blocks(context)
    context = context.parts()[0][1]
    frame, tests = context.seats, context.seat_tests
    if frame is None or tests is None:
        return [absent("seats", context)]
    margin = context.d.judge.seat
    question = "Is any seat favoured?"
    ax = plots.seat_dots(frame, margin=margin, title=None)
    note = (
        f"Thick: 95% interval of one seat; thin: all seats at once. Dashed: a fair share; band: within "
        f"±{100 * margin:g} points of it."
    )
    blocks: list[Block] = [context.picture(ax, question, note)]
    many = context.many_tables
    rows = [
        [
            *([Cell(words.table(r), r["players"])] if many else []),
            Cell(words.seat_beside(r, frame.to_dicts()), r["seat"]),
            Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.percent(r["fair"]), r["fair"]),
            verdict_cell(r["verdict"], context.doubtful),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        *([Column("table")] if many else []),
        Column("seat"),
        Column("wins", True),
        Column("95% interval", True),
        Column("fair", True),
        Column("verdict"),
        Column("games / deals", True),
    ]
    blocks.append(Table(heads, rows, title="Seats in figures"))
    blocks += [Text(_test_line(t, context), "note") for t in tests.iter_rows(named=True)]
    blocks += notes(frame)
    blocks += _seats_by_cell(context)
    return blocks


def _test_line(test: dict[str, Any], context: Context) -> str:
    band = words.points_range(test["low"], test["high"])
    return (
        f"{words.table(test)}: {words.soften(test['verdict'], context.doubtful)}. Largest gap "
        f"{words.points(test['estimate'])} points ({band}, all seats at once) at {words.seat(test['seat'])}; "
        f"all seats equal: p {words.p_value(test['p'])}; within the margin: "
        f"p {words.p_value(test['p_equivalence'])}."
    )


def _seats_by_cell(context: Context) -> list[Block]:
    import analysis

    d = context.d
    names = context.cell_factors
    if d.cells.height < 2 or not names or names == ["players.count"]:
        return []
    tests = context.ask("seats by cell", lambda: analysis.seat_tests(d, by=names))
    if tests is None:
        return []
    sizes = context.many_tables and "players.count" not in names
    rows = [
        [
            *(Cell(words.plain(r[name])) for name in names),
            *([Cell(words.table(r), r["players"])] if sizes else []),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.seat(r["seat"])),
            verdict_cell(r["verdict"], context.doubtful),
            context.count(r["games"]),
        ]
        for r in tests.head(ROWS_SHOWN).iter_rows(named=True)
    ]
    heads = [
        *(Column(name) for name in names),
        *([Column("table")] if sizes else []),
        Column("largest gap", True, "points of win share above or below fair"),
        Column("interval", True),
        Column("at"),
        Column("verdict"),
        Column("games", True),
    ]
    note = f"{tests.height - len(rows)} more rows are left out." if tests.height > len(rows) else ""
    return [Table(heads, rows, title="Seats, setting by setting", note=note, folded=len(rows) > 8)]


def bans(context: Context) -> list[Block]:
    """What banning a piece does to the other pieces and to the seats."""
    import polars as pl

    blocks: list[Block] = []
    frame, on_seats = context.bans_on_pieces, context.bans_on_seats
    for column, did in _sets(frame, on_seats):
        one = context.word("piece")
        if frame is not None and column in frame["column"]:
            part = frame.filter(pl.col("column") == column)
            ax = plots.ban_heat(part, title=None)
            note = f"Change of the win share that one more copy gives, {context.scope}."
            question = f"What does it do to the others when one {one} is {did}?"
            blocks += [context.picture(ax, question, note, wide=True), _ban_table(part, did, context)]
        if on_seats is not None and column in on_seats["column"]:
            mine = on_seats.filter(pl.col("column") == column)
            for table, part in context.by_table(mine):
                known = part.filter(pl.col("estimate").is_not_null()).sort("estimate")
                shown = (
                    known
                    if known.height <= BARS
                    else pl.concat([known.head(BARS // 2), known.tail(BARS // 2)])
                )
                ax = plots.ban_bars(shown, title=None)
                note = (
                    "Change of the typical distance of a seat from its fair share; left is more even. Filled: "
                    "the 95% interval leaves out 0; hatched: may be chance."
                )
                if shown.height < known.height:
                    note += f" The {BARS // 2} most helpful and the {BARS // 2} least helpful of {known.height:,}."
                sets = known["banned"].str.contains("+", literal=True).any()
                what = "sets" if sets else context.word("pieces")
                question = f"Which {what} make the seats more even when {did}{table}?"
                blocks.append(context.picture(ax, question, note))
            blocks.append(_ban_seat_table(mine, did, context))
    blocks += ban_sets(context)
    return blocks or [absent("bans", context)]


def _sets(*frames: pl.DataFrame | None) -> list[tuple[str, str]]:
    found = [pair for frame in frames if frame is not None for pair in frame.select("column", "did").rows()]
    return list(dict.fromkeys(found))


def _ban_table(frame: pl.DataFrame, did: str, context: Context) -> Table:
    import polars as pl

    clear = frame.filter(pl.col("q") < 0.05).height
    shown = frame.sort(pl.col("estimate").abs(), descending=True, nulls_last=True).head(max(clear, 15))
    rows = [
        [
            Cell(str(r["banned"])),
            Cell(str(r["piece"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.points(r["without_ban"]), sort_key(r["without_ban"])),
            Cell(words.points(r["with_ban"]), sort_key(r["with_ban"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            Cell(words.number(r["games_with"]), r["games_with"]),
        ]
        for r in shown.iter_rows(named=True)
    ]
    heads = [
        Column(did),
        Column(context.word("piece")),
        Column("change", True, "points of win share for each copy"),
        Column("95% interval", True),
        Column("without", True, "points for each copy in games in which it was not"),
        Column("with", True, "points for each copy in games in which it was"),
        Column("q", True, "chance of a false alarm, corrected for all pairs"),
        Column("games with", True),
    ]
    title = f"The {len(rows)} largest changes of {frame.height}"
    return Table(heads, rows, title=title, folded=True)


def _ban_seat_table(frame: pl.DataFrame, did: str, context: Context) -> Table:
    rows = [
        [
            Cell(str(r["banned"])),
            *([Cell(words.table(r), r["players"])] if context.many_tables else []),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            Cell(words.points(r["first_seat"]), sort_key(r["first_seat"])),
            Cell(
                words.points_range(r["first_seat_low"], r["first_seat_high"]), sort_key(r["first_seat_low"])
            ),
            Cell(words.p_value(r["first_seat_q"]), sort_key(r["first_seat_q"])),
        ]
        for r in frame.sort("players", "estimate", nulls_last=True).iter_rows(named=True)
    ]
    heads = [
        Column(did),
        *([Column("table")] if context.many_tables else []),
        Column("gap", True, "change of the typical distance of a seat from fair, points of win share"),
        Column("95% interval", True),
        Column("q", True),
        Column("Seat A", True, "change of Seat A's win share, points"),
        Column("95% interval", True),
        Column("q", True),
    ]
    return Table(heads, rows, title=f"{did.capitalize()}, and the seats", folded=True)
