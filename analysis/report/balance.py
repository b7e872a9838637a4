"""Sections on balance: health of the data, seats, pieces, bans, and what the varied factors change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text, verdict_cell
from analysis.report.variants import ban_sets

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MARKS = {"strong": "▲", "weak": "▼", "balanced": "●"}  # other verdicts: ○
ROWS_SHOWN = 80


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
            [badge, Cell(str(row["check"])), Cell(words.plain(row["value"])), Cell(row["detail"] or "")]
        )
    fine = sum(ok is True for ok in frame["ok"])
    if context.doubtful:
        lead = "The data failed a check: until it is mended or explained, no verdict of this report stands."
    else:
        lead = f"Nothing in the data speaks against the verdicts: {fine} checks passed, none failed."
    heads = [Column("result"), Column("check"), Column("value"), Column("what was found")]
    blocks: list[Block] = [Text(lead)]
    open_rows = [row for row in rows if row[0].text != "fine"]
    if open_rows:
        blocks.append(Table(heads, open_rows, title="What to know"))
    passed = [row for row in rows if row[0].text == "fine"]
    return [*blocks, Table(heads, passed, title=f"{len(passed)} checks passed", folded=True)]


def seats(context: Context) -> list[Block]:
    """Win share of each seat beside the fair share, and whether the seats may be called balanced."""
    frame, tests = context.seats, context.seat_tests
    if frame is None or tests is None:
        return [_absent("seats", context)]
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
            Cell(_seat(r, frame), r["seat"]),
            Cell(words.percent(r["estimate"]), _sort(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), _sort(r["low"])),
            Cell(words.percent(r["fair"]), r["fair"]),
            Cell(f"{r['estimate'] / r['fair']:.2f}", r["estimate"] / r["fair"]),
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
        Column("par", True, "wins divided by fair: 1.00 is fair"),
        Column("verdict"),
        Column("games / deals", True),
    ]
    blocks.append(Table(heads, rows, title="Seats in figures"))
    blocks += [Text(_test_line(t, context), "note") for t in tests.iter_rows(named=True)]
    blocks += _notes(frame)
    blocks += _seats_by_cell(context)
    return blocks


def _seat(row: dict[str, Any], frame: pl.DataFrame) -> str:
    """Return the name of a seat, with its partners where seats play together."""
    if row["sides"] == row["players"]:
        return words.seat(row["seat"])
    partners = [
        words.seat(r["seat"]).removeprefix("Seat ")
        for r in frame.iter_rows(named=True)
        if all(r[k] == row[k] for k in ("players", "sides", "side")) and r["seat"] != row["seat"]
    ]
    return f"{words.seat(row['seat'])} (with {words.listing(partners)})"


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
    names = [name for name in d.factors if name in d.cells.columns and name != "players"]
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
            Cell(words.points(r["estimate"]), _sort(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), _sort(r["low"])),
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
    return [Table(heads, rows, title="Seats, cell by cell", note=note, folded=len(rows) > 8)]


def pieces(context: Context) -> list[Block]:
    """Strength of each piece where pieces were assigned at random, and what merely goes with winning."""
    frame = context.pieces
    blocks: list[Block] = []
    if frame is None:
        blocks.append(_absent("pieces", context))
    else:
        lever = (context.d.manifest.get("lever") or {}).get("text", "random assignment")
        known = frame.filter(frame["estimate"].is_not_null())
        ax = plots.piece_forest(known if known.height else frame, margin=context.d.judge.piece, title=None)
        note = (
            f"What one more copy adds to the win share, {context.scope}. A cause, because "
            f"{context.word('pieces')} were assigned at random ({lever})."
        )
        blocks += [
            context.picture(ax, f"Which {context.word('pieces')} win games?", note),
            _strength_table(frame, context),
        ]
        blocks += _notes(frame)
        blocks += _pieces_by(context)
    blocks += _goes_with(context)
    return blocks


def _strength_table(frame: pl.DataFrame, context: Context) -> Table:
    import polars as pl

    beside = _beside(context)
    alone = frame["alone"].is_not_null().any()
    one = context.word("piece")
    known = frame.filter(pl.col("estimate").is_not_null()).sort("estimate", descending=True)
    rows = [
        [
            Cell(str(r["piece"])),
            Cell(words.points(r["estimate"]), _sort(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), _sort(r["low"])),
            verdict_cell(r["verdict"], context.doubtful),
            *(
                [
                    Cell(words.points(r["alone"]), _sort(r["alone"])),
                    Cell(words.points_range(r["alone_low"], r["alone_high"]), _sort(r["alone_low"])),
                ]
                if alone
                else []
            ),
            Cell(words.points(r["eb"]), _sort(r["eb"])),
            Cell(words.p_value(r["q"]), _sort(r["q"])),
            *(
                [Cell(words.points(beside.get(str(r["piece"]))), _sort(beside.get(str(r["piece"]))))]
                if beside
                else []
            ),
            context.behind(r),
        ]
        for r in known.iter_rows(named=True)
    ]
    heads = [
        Column(one),
        Column("a copy", True, f"points of win share a copy adds, against the average other {one}"),
        Column("95% interval", True),
        Column("verdict"),
        *(
            [
                Column("over none", True, "points of win share that a copy adds over having none"),
                Column("95% interval", True),
            ]
            if alone
            else []
        ),
        Column("shrunk", True, "pulled toward 0 as far as the noise asks: the best guess for ranking"),
        Column("q", True, f"chance of a false alarm, corrected for the number of {context.word('pieces')}"),
        *(
            [
                Column(
                    "goes with winning",
                    True,
                    "no cause: points by which those who played (else owned) one win more than those who did not",
                )
            ]
            if beside
            else []
        ),
        Column("games / deals", True),
    ]
    left = [str(r["piece"]) for r in frame.filter(pl.col("estimate").is_null()).iter_rows(named=True)]
    note = f"Not estimated: {words.listing(left, 12)}." if left else ""
    return Table(heads, rows, title=f"{context.word('pieces').capitalize()} in figures", note=note)


def _beside(context: Context) -> dict[str, float]:
    """What goes with winning, by piece: of those played, else of those owned."""
    frame = context.associations
    if frame is None:
        return {}
    out: dict[str, float] = {}
    for r in frame.iter_rows(named=True):
        if r["estimate"] is not None and (r["measure"] == "played" or str(r["piece"]) not in out):
            out[str(r["piece"])] = r["estimate"]
    return out


def _pieces_by(context: Context) -> list[Block]:
    """Strength by table size and by each factor with few levels, one column a level."""
    frames = ((name, context.pieces_by(name)) for name in context.factors)
    return [_wide(frame, name, context) for name, frame in frames if frame is not None]


def _wide(frame: pl.DataFrame, by: str, context: Context) -> Table:
    levels = list(dict.fromkeys(frame[by].to_list()))
    cells: dict[str, dict[Any, Cell]] = {}
    for r in frame.iter_rows(named=True):
        sign = MARKS.get(r["verdict"], "○")
        text = words.DASH if r["estimate"] is None else f"{sign} {words.points(r['estimate'])}"
        cells.setdefault(str(r["piece"]), {})[r[by]] = Cell(text, _sort(r["estimate"]))
    heads = [
        Column(context.word("piece")),
        *(Column(words.level([by], {by: level}), True) for level in levels),
    ]
    rows = [
        [Cell(name), *(found.get(level, Cell(words.DASH)) for level in levels)]
        for name, found in cells.items()
    ]
    note = "Points of win share a copy. ▲ strong, ▼ weak, ● balanced, ○ undecided, each level by itself."
    if context.doubtful:
        note += " All in doubt: the data failed a check."
    return Table(heads, rows, title=f"Strength of each {context.word('piece')} by {by}", note=note)


def _goes_with(context: Context) -> list[Block]:
    frame = context.associations
    if frame is None:
        return []
    rows = [
        [
            Cell(str(r["piece"])),
            Cell(str(r["measure"])),
            Cell(words.percent(r["share"], 0), _sort(r["share"])),
            Cell(words.points(r["estimate"]), _sort(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), _sort(r["low"])),
            Cell(words.DASH if r["par"] is None else f"{r['par']:.2f}", _sort(r["par"])),
        ]
        for r in frame.iter_rows(named=True)
        if r["share"]
    ]
    heads = [
        Column(context.word("piece")),
        Column("measure"),
        Column("of seats", True, "share of seats that have at least one"),
        Column("wins more by", True, "points of win share, with against without"),
        Column("95% interval", True),
        Column("par", True, "win share of those who have it, divided by fair"),
    ]
    note = "No cause: who is winning plays more. Nothing here is called strong or weak."
    return [Table(heads, rows, title="Goes with winning", note=note, folded=context.pieces is not None)]


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
                ax = plots.ban_bars(part.filter(pl.col("estimate").is_not_null()), title=None)
                note = (
                    "Change of the typical distance of a seat from its fair share; left is more even. Filled: "
                    "the 95% interval leaves out 0; hatched: may be chance."
                )
                question = f"Which {context.word('pieces')} make the seats more even when {did}{table}?"
                blocks.append(context.picture(ax, question, note))
            blocks.append(_ban_seat_table(mine, did, context))
    blocks += ban_sets(context)
    return blocks or [_absent("bans", context)]


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
            Cell(words.points(r["estimate"]), _sort(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), _sort(r["low"])),
            Cell(words.points(r["without_ban"]), _sort(r["without_ban"])),
            Cell(words.points(r["with_ban"]), _sort(r["with_ban"])),
            Cell(words.p_value(r["q"]), _sort(r["q"])),
            Cell(words.number(r["games_with"]), r["games_with"]),
        ]
        for r in shown.iter_rows(named=True)
    ]
    heads = [
        Column(did),
        Column(context.word("piece")),
        Column("change", True, "points of win share a copy"),
        Column("95% interval", True),
        Column("without", True, "points a copy in games in which it was not"),
        Column("with", True, "points a copy in games in which it was"),
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
            Cell(words.points(r["estimate"]), _sort(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), _sort(r["low"])),
            Cell(words.p_value(r["q"]), _sort(r["q"])),
            Cell(words.points(r["first_seat"]), _sort(r["first_seat"])),
            Cell(words.points_range(r["first_seat_low"], r["first_seat_high"]), _sort(r["first_seat_low"])),
            Cell(words.p_value(r["first_seat_q"]), _sort(r["first_seat_q"])),
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


def _notes(frame: pl.DataFrame) -> list[Block]:
    """The notes that the analysis attached to its rows (few deals, repeated lines), each once."""
    if "note" not in frame.columns:
        return []
    notes = list(dict.fromkeys(str(note) for note in frame["note"] if note))
    return [Text(f"Note: {'; '.join(notes[:4])}.", "note")] if notes else []


def _absent(what: str, context: Context) -> Text:
    return Text(f"Left out: {context.why_not.get(what, 'nothing of this kind is in the data')}.")


def _sort(value: float | None) -> float | str:
    """Return the number to sort by; an empty text sorts last."""
    return "" if words.missing(value) else round(float(value), 8)  # type: ignore[arg-type]
