"""The section on people: seats among equally strong players, how strong each is, what goes with winning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.report import words
from analysis.report.blocks import TONES, Block, Cell, Column, Statement, Table, Text, Tone, verdict_cell
from analysis.report.tables import sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MOST_NAMED = 40
LARGE = 0.5
"""The share of a seat's raw gap that who sits there must make up to be named as what it comes of."""


def _frame(context: Context, name: str) -> pl.DataFrame | None:
    """An estimate on people's games; None for games of bots, who have no strength of their own."""
    if not context.whole.manifest.get("imported"):
        return None
    import analysis

    return context.ask(name, lambda: getattr(analysis, name)(context.d))


def among_equals(context: Context) -> list[Block]:
    """Sentences on the seats of equally strong players, beside the seats as they were."""
    frame = _frame(context, "seats_among_equals")
    if frame is None:
        return []
    blocks: list[Block] = []
    for _, part in context.by_table(frame):
        rows = part.to_dicts()
        # of two seats equally far off, the one that wins more is told
        row = max(rows, key=lambda r: abs(r["raw"] - r["fair"]) + 1e-9 * r["raw"])
        raw = f"{words.percent(row['raw'])} ({words.percent_range(row['raw_low'], row['raw_high'])})"
        equal = f"{words.percent(row['estimate'])} ({words.percent_range(row['low'], row['high'])})"
        table, where = words.table(row), words.seat(row["seat"])
        verdict = str(row["verdict"])
        if verdict == "cannot be told apart":
            text = (
                f"With {table} the same people mostly sat in the same seats: what is the seat's and what is theirs "
                f"cannot be told apart. {where} wins {raw}."
            )
        else:
            text = (
                f"With {table}, {where} wins {raw} as it was played, and {equal} among equally strong players, where "
                f"fair is {words.percent(row['fair'])}{_why(row)}."
            )
        blocks.append(
            Statement(text, words.soften(verdict, context.doubtful), TONES.get(verdict, "undecided"))
        )
    return blocks


def _why(row: dict[str, Any]) -> str:
    gap, sits = row["raw"] - row["fair"], row["sits"]
    beyond = row["raw_low"] is not None and not row["raw_low"] <= row["fair"] <= row["raw_high"]
    even = row["low"] is not None and row["low"] <= row["fair"] <= row["high"]
    if beyond and even and sits * gap > 0 and abs(sits) >= LARGE * abs(gap):
        word, who = ("favoured", "better") if gap > 0 else ("unfavoured", "weaker")
        return f": it looks {word} because the {who} players sit there (an association; nobody drew lots for seats)"
    return ""


def people(context: Context) -> list[Block]:
    """Seats among equals, players, decks and cards."""
    seats, held = _frame(context, "seats_among_equals"), _frame(context, "held_adjusted")
    blocks: list[Block] = []
    if seats is not None:
        blocks += [_seats(seats, context), *_players(context)]
    if held is not None:
        blocks.append(_held(held))
    if blocks:
        blocks.append(
            Text(
                "All of this is association: nobody was told by lot where to sit or what to play, so what is left "
                "after adjusting may still come of who chose it.",
                "note",
            )
        )
    return blocks


def _seats(frame: pl.DataFrame, context: Context) -> Table:
    rows = [
        [
            *([Cell(words.table(r), r["players"])] if context.many_tables else []),
            Cell(words.seat(r["seat"]), r["seat"]),
            Cell(words.percent(r["raw"]), r["raw"]),
            Cell(words.percent_range(r["raw_low"], r["raw_high"]), sort_key(r["raw_low"])),
            Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.percent(r["fair"]), r["fair"]),
            Cell(words.points(r["sits"]), sort_key(r["sits"])),
            verdict_cell(r["verdict"], context.doubtful),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        *([Column("table")] if context.many_tables else []),
        Column("seat"),
        Column("as played", True),
        Column("95% interval", True),
        Column("among equals", True, "if all players were equally strong"),
        Column("95% interval", True),
        Column("fair", True),
        Column(
            "who sits there",
            True,
            "points of win share by which they are stronger than the others at the table",
        ),
        Column("verdict"),
        Column("games / deals", True),
    ]
    first = frame.row(0, named=True)
    note = (
        f"{words.plural(first['named'], 'player')}, whose strengths spread by {first['spread']:.2f} in log odds; "
        f"{words.percent(first['own'], 0)} of what is known of the seats does not hang on who sat there."
    )
    return Table(heads, rows, title="Seats, as played and among equally strong players", note=note)


def _players(context: Context) -> list[Block]:
    frame = _frame(context, "rated_players")
    if frame is None:
        return []
    rows = [
        [
            Cell(str(r["player"])),
            context.count(r["games"]),
            Cell(words.percent(r["raw"]), r["raw"]),
            Cell(words.percent(r["fair"]), r["fair"]),
            Cell(words.percent(r["estimate"]), r["estimate"]),
            Cell(words.percent_range(r["low"], r["high"]), r["low"]),
        ]
        for r in frame.head(MOST_NAMED).iter_rows(named=True)
    ]
    heads = [
        Column("player"),
        Column("games", True),
        Column("wins", True),
        Column("fair", True),
        Column(
            "beats an average player",
            True,
            "seat allowed for, and drawn towards 50% the more the fewer games",
        ),
        Column("95% interval", True),
    ]
    return [Table(heads, rows, title="Players", folded=True)]


def _held(frame: pl.DataFrame) -> Table:
    rows = [
        [
            Cell(str(r["what"])),
            Cell(str(r["name"])),
            Cell(words.points(r["raw"]), sort_key(r["raw"])),
            Cell(words.points_range(r["raw_low"], r["raw_high"]), sort_key(r["raw_low"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            Cell(words.number(r["seats"]), r["seats"]),
        ]
        for r in frame.sort("estimate", descending=True).iter_rows(named=True)
    ]
    heads = [
        Column("what"),
        Column("name"),
        Column("by itself", True, "points of win share that go with one more"),
        Column("95% interval", True),
        Column("beside the others", True, "with seat, player and what else was held allowed for"),
        Column("95% interval", True),
        Column("q", True),
        Column("held by", True, "seats"),
    ]
    return Table(heads, rows, title="What goes with winning, by itself and beside the others")


def covered(contexts: Sequence[Context]) -> list[Block]:
    """Whether the bots' games cover those of people, for data sets of both in one report."""
    import analysis

    people = [c for c in contexts if c.whole.manifest.get("imported")]
    bots = [c for c in contexts if not c.whole.manifest.get("imported")]
    blocks: list[Block] = []
    for one in people:
        for other in bots:
            name = f"coverage {one.d.name} {other.d.name}"
            frame = one.ask(name, lambda one=one, other=other: analysis.coverage(one.d, other.d))  # type: ignore[misc]
            if frame is None:
                blocks.append(Text(f"{one.d.name} and {other.d.name}: {one.why_not[name]}.", "note"))
                continue
            blocks += [_told_of_coverage(frame, one, other), *_coverage_tables(frame, one, other)]
    return blocks


def _told_of_coverage(frame: pl.DataFrame, one: Context, other: Context) -> Statement:
    rows = list(frame.iter_rows(named=True))

    def named(verdict: str) -> list[str]:
        return [_measure(r, one.many_tables) for r in rows if r["verdict"] == verdict]

    parts = []
    for verdict, text in (
        ("covered", "at least 80% of the games people played lie within the range of the bots' games in {}"),
        ("not covered", "they do not in {}"),
        ("differs", "the win shares of {} differ"),
        ("the same", "those of {} are the same within the margin"),
        ("undecided", "there are too few games to tell of {}"),
    ):
        if found := named(verdict):
            parts.append(text.format(words.listing(found, 8)))
    verdicts = {r["verdict"] for r in rows}
    word = "undecided"
    if verdicts & {"not covered", "differs"}:
        word = "not covered"
    elif verdicts <= {"covered", "the same"}:
        word = "covered"
    tone: Tone = "weak" if word == "not covered" else "balanced" if word == "covered" else "undecided"
    head = f"Do the games of {other.d.name} ({other.d.play}) cover those of {one.d.name}?"
    told = "; ".join(parts)
    return Statement(f"{head} {told[:1].upper()}{told[1:]}.", word, tone)


def _measure(row: dict[str, Any], many: bool) -> str:
    name = (
        words.seat(int(row["about"])) if row["measure"] == "seat" else str(row["measure"]).replace("_", " ")
    )
    return f"{name} with {words.table(row)}" if many else name


def _coverage_tables(frame: pl.DataFrame, one: Context, other: Context) -> list[Block]:
    import polars as pl

    ranges = frame.filter(pl.col("measure") != "seat")
    seats = frame.filter(pl.col("measure") == "seat")
    blocks: list[Block] = []
    if ranges.height:
        rows = [
            [
                Cell(_measure(r, one.many_tables)),
                Cell(f"{words.number(r['range_low'])} to {words.number(r['range_high'])}", r["range_low"]),
                Cell(words.number(r["bots"]), r["bots"]),
                Cell(words.number(r["people"]), r["people"]),
                Cell(words.percent(r["estimate"], 0), r["estimate"]),
                Cell(words.percent_range(r["low"], r["high"], 0), sort_key(r["low"])),
                Cell(f"{words.percent(r['below'], 0)} / {words.percent(r['above'], 0)}", r["below"]),
                verdict_cell(r["verdict"], one.doubtful),
                one.behind(r),
            ]
            for r in ranges.iter_rows(named=True)
        ]
        heads = [
            Column("of a game"),
            Column("bots' middle 90%", True),
            Column("bots' median", True),
            Column("people's median", True),
            Column(
                "people inside",
                True,
                "share of people's games within the bots' middle 90%: about 90% if they are alike",
            ),
            Column("95% interval", True),
            Column("below / above", True),
            Column("verdict"),
            Column("games / deals", True),
        ]
        title = f"Games of {one.d.name} within the range of {other.d.name}"
        blocks.append(Table(heads, rows, title=title))
    rows = [
        [
            Cell(_measure(r, one.many_tables), r["about"]),
            Cell(words.percent(r["bots"]), r["bots"]),
            Cell(words.percent(r["people"]), r["people"]),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            verdict_cell(r["verdict"], one.doubtful),
        ]
        for r in seats.iter_rows(named=True)
    ]
    heads = [
        Column("seat"),
        Column("bots", True),
        Column("people", True),
        Column("difference", True, "points of win share, people less bots"),
        Column("95% interval", True),
        Column("q", True),
        Column("verdict"),
    ]
    return [*blocks, Table(heads, rows, title=f"Seats, {one.d.name} against {other.d.name}")]
