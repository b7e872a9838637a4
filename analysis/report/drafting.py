"""The section on drafts: what is picked, what it buys, and whether drafting first is fair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text, verdict_cell
from analysis.report.tables import notes, shares_table, sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context


def drafts(context: Context) -> list[Block]:
    """What is picked, what it buys, what it is worth offered, taken and played, and who drafts well."""
    picks = context.made("draft_picks")
    if picks is None:
        return []
    note = (
        f"What one more copy adds to the chance that a pile is chosen, {context.play}. Choosers like big "
        f"piles: "
        f"{words.percent(picks['picked_all'][0], 0)} of all copies dealt lay in the pile chosen."
    )
    known = picks.filter(picks["estimate"].is_not_null())
    if known.is_empty():
        return []
    ax = plots.pick_forest(known, title=None)
    blocks: list[Block] = [
        context.picture(ax, f"Which {context.word('pieces')} are picked eagerly?", note),
        _picks(picks, context),
    ]
    return [*blocks, *notes(picks), *_offered(context), *_rounds(context), *_draft_seats(context)]


def _picks(frame: pl.DataFrame, context: Context) -> Table:
    rows = [
        [
            Cell(str(r["piece"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.percent(r["picked"], 0), sort_key(r["picked"])),
            Cell(words.percent_range(r["picked_low"], r["picked_high"], 0), sort_key(r["picked_low"])),
            Cell(str(r["flag"] or "average")),
            Cell(words.number(r["dealt"]), r["dealt"]),
        ]
        for r in frame.sort("estimate", descending=True).iter_rows(named=True)
        if r["estimate"] is not None
    ]
    left = [str(r["piece"]) for r in frame.iter_rows(named=True) if r["estimate"] is None]
    heads = [
        Column(context.word("piece")),
        Column(
            "pick value", True, "points of chance that a copy adds to its pile, against the average piece"
        ),
        Column("95% interval", True),
        Column("picked", True, "share of copies dealt that lay in the pile chosen"),
        Column("95% interval", True),
        Column("choosers are", False, "beyond chance, corrected for the number of pieces"),
        Column("dealt", True),
    ]
    note = f"Too seldom dealt to tell: {words.listing(left, 12)}." if left else ""
    return Table(heads, rows, title="Picks in figures", note=note)


def _offered(context: Context) -> list[Block]:
    import polars as pl

    frame = context.made("offered_taken_played")
    if frame is None:
        return [Text(f"Offered, taken and played: {context.why_not['offered_taken_played']}.", "note")]
    known = frame.filter(pl.col("estimate").is_not_null())
    if known.is_empty():
        return []
    order = known.filter(pl.col("measure") == known["measure"][0]).sort("estimate", descending=True)["piece"]
    shown = known.with_columns(pl.col("piece").cast(pl.Enum(list(dict.fromkeys([*order, *known["piece"]])))))
    shown = shown.sort("piece", maintain_order=True).with_columns(pl.col("piece").cast(pl.String))
    ax = plots.factor_dots(
        shown,
        level="piece",
        series="measure",
        signed=True,
        fair=None,
        label="points of win share for each copy",
    )
    note = (
        f"Against the average other piece, {context.scope}; seat, bot and the order of the draft "
        "taken off. What is dealt is "
        "chance, so what a copy to choose from (or offered at all) adds is its own doing in this play. "
        "Taken and played were chosen: "
        "they go with winning."
    )
    rows = [
        [
            Cell(str(r["piece"])),
            Cell(str(r["measure"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            verdict_cell(r["verdict"], context.doubtful) if r["cause"] else Cell("goes with winning"),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
        if r["estimate"] is not None
    ]
    heads = [
        Column(context.word("piece")),
        Column("measure"),
        Column("each copy adds", True, "points of win share, against the average other piece"),
        Column("95% interval", True),
        Column("verdict"),
        Column("q", True),
        Column("games / deals", True),
    ]
    table = Table(heads, rows, title="Offered, taken and played in figures", folded=True)
    question = f"Is {words.an(context.word('piece'))} strong, or does it only go with winning?"
    return [context.picture(ax, question, note), table]


def _rounds(context: Context) -> list[Block]:
    import polars as pl

    frame = context.made("pick_value")
    if frame is None:
        return []
    few = (
        frame.filter(pl.col("role") != "choosing rather than splitting")
        if frame["role"].n_unique() > 1
        else frame
    )
    shown = few.with_columns(level=pl.format("round {}", pl.col("round") - frame["round"].min() + 1))
    series = "role" if shown["role"].n_unique() > 1 else None
    ax = plots.factor_dots(
        shown, level="level", series=series, signed=True, fair=None, label="points of win share"
    )
    role = (
        ""
        if series
        else f" It says what {shown['role'][0]} it adds: at this table both seats share every group."
    )
    note = (
        f"Win share that a group of pieces better by one standard deviation adds, {context.play}; "
        "a group is as good as the "
        f"pick values of its pieces.{role}"
    )
    return [context.picture(ax, "What does a good group buy, round by round?", note)]


def _draft_seats(context: Context) -> list[Block]:
    import polars as pl

    frame = context.made("draft_seats")
    if frame is None:
        return []
    many = context.many_tables
    place = pl.format(
        "splits {}",
        (pl.col("position") + 1).replace_strict(
            {1: "first", 2: "second", 3: "third", 4: "fourth"}, default="later"
        ),
    )
    named = frame.with_columns(level=pl.format("{} of {}", place, pl.col("players")) if many else place)
    ax = plots.factor_dots(
        named, level="level", margin=context.d.judge.seat, label="share of games won (dashed: fair)"
    )
    note = f"By the order in which players first split a group, {context.scope}."
    if frame["adjusted"].all():
        note += " What the seat and the bot explain is taken off."
    blocks: list[Block] = [context.picture(ax, "Is it better to draft first?", note)]
    blocks.append(
        shares_table(named, [("level", "order of the draft")], "Order of the draft in figures", context)
    )
    return [*blocks, *notes(frame)]
