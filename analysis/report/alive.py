"""What is told from the scores turn by turn, of the deal's part, and of pairs of pieces: where the data have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text
from analysis.report.tables import notes, sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MOST_FITTED = 300_000  # what takes many fits reads no more games than that
PAIRS_SHOWN = 12
MEASURES = {
    "led for good": "the winner led for good after this share of the turns",
    "decided": "from this share of the turns on the leader's chance of winning was at least 90%",
    "behind": "share of the turns at which the winner was behind",
    "drama": "how far behind the winner was, in final margins (Browne's drama)",
}


def alive(context: Context) -> list[Block]:
    """When games are decided, what a lead is worth, and whether it grows by itself; empty without turns."""
    if not context.d.has("turns"):
        return []
    decided, surface = context.made("when_decided"), context.made("comeback_surface")
    runaway = context.made("runaway_leader")
    if decided is None:
        return []
    heads = [
        *_table_head(context),
        Column("of games with one winner"),
        Column("mean", True),
        Column("95% interval", True),
    ]
    heads += [Column("10%", True), Column("median", True), Column("90%", True)]
    rows = [
        [
            *_table_cell(context, r),
            Cell(MEASURES[r["measure"]]),
            *(_number(r, name) for name in ("estimate",)),
            Cell(_span(r), sort_key(r["low"])),
            *(_number(r, name) for name in ("q10", "q50", "q90")),
        ]
        for r in decided.iter_rows(named=True)
    ]
    blocks: list[Block] = [Text(s) for s in _sentences(decided, runaway, context)]
    blocks.append(Table(heads, rows, title="Is it alive to the end?", folded=True))
    if surface is not None:
        blocks.append(_surface(surface, context))
    return blocks


def _sentences(decided: pl.DataFrame, runaway: pl.DataFrame | None, context: Context) -> list[str]:
    import polars as pl

    out = []
    for name, part in context.by_table(decided):
        at = {row["measure"]: row for row in part.iter_rows(named=True)}
        text = (
            f"The winner of a game{name} leads for good after {words.percent(at['led for good']['estimate'], 0)} of "
            f"the turns on average, and is behind in {words.percent(at['behind']['estimate'], 0)} of them."
        )
        out.append(text)
    if runaway is not None:
        for name, part in context.by_table(runaway):
            clear = part.filter(pl.col("q") < 0.05)
            grows, shrinks = (clear.filter(sign * pl.col("estimate") > 0) for sign in (1, -1))
            if len(grows) > len(part) / 2:
                out.append(f"Leads{name} grow by themselves: who is ahead gains more in what follows.")
            elif len(shrinks) > len(part) / 2:
                out.append(f"Leads{name} are caught up with: who is ahead loses part of it in what follows.")
    return out


def _surface(surface: pl.DataFrame, context: Context) -> Table:
    rows = [
        [
            *_table_cell(context, r),
            Cell(words.percent(r["share"], 0), r["share"]),
            Cell(f"{r['lead_from']:+g} to {r['lead_to']:+g}", r["lead"]),
            Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            context.behind(r),
        ]
        for r in surface.iter_rows(named=True)
    ]
    points = context.word("points")
    heads = [*_table_head(context), Column("turns over", True), Column(f"ahead by ({points})", True)]
    heads += [Column("wins", True), Column("95% interval", True), Column("games / deals", True)]
    return Table(heads, rows, title="What is a lead worth?", folded=True)


ALIKE = {
    "player": "the same player does alike in the games of one deal, in whatever seat",
    "seat": "the same seat does alike in the games of one deal, whoever sits there",
}


def set_up(context: Context) -> list[Block]:
    """The deal's part in who wins; empty where each deal was played once."""
    frame = context.made("set_up_luck")
    if frame is None:
        return []
    texts = []
    for row in frame.iter_rows(named=True):
        if row["estimate"] <= 0 or row["low"] is None:
            continue  # what the other of hand and place decides works against it
        name = f" with {words.table(row)}" if context.many_tables else ""
        low, high = words.percent(max(row["low"], 0.0), 0), words.percent(row["high"], 0)
        texts.append(
            f"The deal decides at least {words.percent(row['estimate'], 0)} ({low} to {high}) of the differences in "
            f"who wins{name}: so far {ALIKE[row['what']]}."
        )
    return [*(Text(text) for text in texts), *notes(frame)]


def ranks_and_pairs(context: Context) -> list[Block]:
    """Which ranks of the pieces are real, and which pairs are more or less than the sum of their parts."""
    import polars as pl

    blocks: list[Block] = []
    ranks = context.made("rank_intervals")
    one = context.word("piece")
    if ranks is not None:
        rows = [
            [
                Cell(str(r["piece"])),
                Cell(
                    f"{r['rank_low']} to {r['rank_high']}"
                    if r["rank_low"] < r["rank_high"]
                    else str(r["rank_low"]),
                    r["rank"],
                ),
                Cell(r["tier"]),
                Cell(str(r["beaten"]), r["beaten"]),
            ]
            for r in ranks.iter_rows(named=True)
        ]
        heads = [
            Column(one),
            Column("rank", True, "all of them hold at once, at 95%"),
            Column("tier", False, NO_DIFFERENCE),
        ]
        heads.append(Column("shown stronger than", True))
        blocks.append(Table(heads, rows, title="Which ranks are real?", folded=True))
    few = context.of_at_most(MOST_FITTED)
    pairs = few.made("piece_pairs")
    clear = None if pairs is None else pairs.filter(pl.col("verdict") != "may be chance")
    if clear is not None and clear.height:
        blocks += [*(few.says_so() if few is not context else []), _pairs(clear, one)]
    return blocks


NO_DIFFERENCE = "those that share a letter are not shown to differ"


def _pairs(clear: pl.DataFrame, one: str) -> Table:
    rows = [
        [
            Cell(str(r["piece"])),
            Cell("with" if r["what"] == "together" else "against"),
            Cell(str(r["other"])),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
        ]
        for r in clear.head(PAIRS_SHOWN).iter_rows(named=True)
    ]
    heads = [
        Column(one),
        Column(""),
        Column("other"),
        Column("beyond the sum", True, "points of win share for each copy of both"),
    ]
    heads.append(Column("95% interval", True))
    left = clear.height - len(rows)
    note = (
        f"{left} more are left out."
        if left
        else "Of all pairs, those beyond chance (false discoveries below 5%)."
    )
    return Table(
        heads, rows, title="Pairs that are more or less than their sum", note=note, folded=len(rows) > 6
    )


def _number(row: dict[str, Any], name: str) -> Cell:
    value = row[name]
    text = f"{value:.2f}" if row["measure"] == "drama" else words.percent(value, 0)
    return Cell(text, sort_key(value))


def _span(row: dict[str, Any]) -> str:
    if row["low"] is None or row["high"] is None:
        return words.DASH
    if row["measure"] == "drama":
        return f"{row['low']:.2f} to {row['high']:.2f}"
    return words.percent_range(row["low"], row["high"], 0)


def _table_head(context: Context) -> list[Column]:
    return [Column("table")] if context.many_tables else []


def _table_cell(context: Context, row: dict[str, Any]) -> list[Cell]:
    return [Cell(words.table(row), row["players"])] if context.many_tables else []
