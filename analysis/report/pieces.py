"""The section on what pieces are worth: by the lever where there is one, and what merely goes with winning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import across_sections, words
from analysis.report.alive import ranks_and_pairs
from analysis.report.blocks import Block, Cell, Column, Table, Text, verdict_cell
from analysis.report.tables import absent, notes, sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MARKS = {"strong": "▲", "weak": "▼", "above": "△", "below": "▽", "balanced": "●"}  # other verdicts: ○


def pieces(context: Context) -> list[Block]:
    """Strength of each piece where pieces were assigned at random, and what merely goes with winning."""
    parts = context.parts(sizes=True)
    if len(parts) > 1 and (blocks := across_sections.piece_blocks(context)):
        return [*blocks, *_goes_with(context)]
    context = parts[0][1] if len(parts) == 1 else context
    frame = context.pieces
    blocks = []
    if frame is None:
        blocks.append(absent("pieces", context))
    elif (known := frame.filter(frame["estimate"].is_not_null())).is_empty():
        text = f"There are too few games to say what any {context.word('piece')} is worth."
        blocks += [Text(text), *notes(frame)]
    else:
        ax = plots.piece_forest(known, margin=context.d.judge.piece, title=None)
        about = (context.d.manifest.get("lever") or {}).get("about", "")
        note = f"What one more copy adds to the win share, {context.scope}. {context.by_lot}"
        note += f" {about[:1].upper()}{about[1:]}." if about else ""
        blocks += [
            context.picture(ax, f"Which {context.word('pieces')} win games?", note),
            _strength_table(frame, context),
        ]
        blocks += notes(frame)
        blocks += ranks_and_pairs(context)
        blocks += _pieces_by(context)
    blocks += _goes_with(context)
    return blocks


def _strength_table(frame: pl.DataFrame, context: Context) -> Table:
    import polars as pl

    beside, one = _beside(context), context.word("piece")
    extra: list[tuple[Column, Callable[[dict[str, Any]], Cell]]] = []
    if frame["alone"].is_not_null().any():
        about = "points of win share that a copy adds over having none"
        extra.append(
            (Column("over none", True, about), lambda r: Cell(words.points(r["alone"]), sort_key(r["alone"])))
        )
        extra.append((Column("95% interval", True), _alone_range))
    if beside:
        about = (
            "goes with winning only: points by which those who played (else owned) one win more than "
            "those who did not"
        )

        extra.append(
            (
                Column("goes with winning", True, about),
                lambda r: Cell(words.points(beside.get(r["piece"])), sort_key(beside.get(r["piece"]))),
            )
        )
    known = frame.filter(pl.col("estimate").is_not_null()).sort("estimate", descending=True)
    rows = [
        [
            Cell(str(r["piece"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            verdict_cell(r["verdict"], context.doubtful),
            *(make(r) for _, make in extra),
            Cell(words.points(r["eb"]), sort_key(r["eb"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            context.behind(r),
        ]
        for r in known.iter_rows(named=True)
    ]
    heads = [
        Column(one),
        Column(
            "each copy adds",
            True,
            f"points of win share that each copy adds, against the average other {one}",
        ),
        Column("95% interval", True),
        Column("verdict"),
        *(column for column, _ in extra),
        Column("shrunk", True, "pulled toward 0 as far as the noise asks: the best guess for ranking"),
        Column("q", True, f"chance of a false alarm, corrected for the number of {context.word('pieces')}"),
        Column("games / deals", True),
    ]
    left = [str(r["piece"]) for r in frame.filter(pl.col("estimate").is_null()).iter_rows(named=True)]
    note = f"Not estimated: {words.listing(left, 12)}." if left else ""
    apart = list(dict.fromkeys(str(g) for g in frame["group"] if g))
    if apart:
        note = (
            f"Assigned apart, so against the average other one of their kind: {words.listing(apart)}. {note}"
        )
    return Table(heads, rows, title=f"{context.word('pieces').capitalize()} in figures", note=note)


def _alone_range(row: dict[str, Any]) -> Cell:
    return Cell(words.points_range(row["alone_low"], row["alone_high"]), sort_key(row["alone_low"]))


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
    import polars as pl

    levels = list(dict.fromkeys(frame[by].to_list()))
    cells: dict[str, dict[Any, Cell]] = {}
    known = frame.filter(pl.col("estimate").is_not_null().any().over("piece"))
    for r in known.iter_rows(named=True):
        sign = MARKS.get(r["verdict"], "○")
        size = words.change(r["estimate"], r["low"], r["high"])
        text = words.DASH if r["estimate"] is None else f"{sign} {size}"
        cells.setdefault(str(r["piece"]), {})[r[by]] = Cell(text, sort_key(r["estimate"]))
    games = {r[by]: int(r["games"] or 0) for r in known.iter_rows(named=True)}
    heads = [
        Column(context.word("piece")),
        *(
            Column(f"{words.level([by], {by: level})} ({words.plural(games[level], 'game')})", True)
            for level in levels
        ),
    ]
    rows = [
        [Cell(name), *(found.get(level, Cell(words.DASH)) for level in levels)]
        for name, found in cells.items()
    ]
    note = (
        "Points of win share for each copy. ▲ strong, ▼ weak, △ ▽ above or below the average, how far "
        "is open, ● within the margin, ○ undecided."
    )

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
            Cell(words.percent(r["share"], 0), sort_key(r["share"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
        ]
        for r in frame.iter_rows(named=True)
        if r["share"] and r["estimate"] is not None
    ]
    heads = [
        Column(context.word("piece")),
        Column("measure"),
        Column("of seats", True, "share of seats that have at least one"),
        Column("wins more by", True, "points of win share, with against without"),
        Column("95% interval", True),
    ]
    note = "Who is winning plays more, so this does not tell what a copy is worth. It gets no verdict."
    return [Table(heads, rows, title="Goes with winning", note=note, folded=context.pieces is not None)]
