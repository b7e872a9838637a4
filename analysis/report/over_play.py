"""The section on verdicts over play: what holds, fades or turns from tier to tier, and the badge of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text
from analysis.report.tables import notes, sort_key
from analysis.skill.control import HELPS
from analysis.skill.over_play import HOLDS, MOVING

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MOST_NAMED = 4
DRAWN = 12
"""Pieces of the picture: more names than that lie over each other."""


def badge(context: Context) -> str | None:
    """What the head of the report says of play: measured where there are tiers, else for which play alone it holds."""
    frame = context.made("over_play")
    if frame is None:
        return context.competence
    moving = [_about(row, context) for row in frame.iter_rows(named=True) if row["badge"] == MOVING]
    held = int((frame["badge"] == HOLDS).sum())
    if moving:
        return f"{MOVING}: {words.listing(moving, MOST_NAMED)}"
    return HOLDS if held == len(frame) else f"{held} of {len(frame)} hold over play, the rest is open"


def over_play(context: Context) -> list[Block]:
    """How what is found of seats and pieces moves from tier to tier."""
    frame = context.made("over_play")
    if frame is None:
        return []
    rows = list(frame.iter_rows(named=True))
    blocks: list[Block] = [Text(_sentence(rows, context))]
    shown = context.by_tier()
    if shown is not None:
        drawn = _furthest(shown)
        left = shown["piece"].n_unique() - drawn["piece"].n_unique()
        ax = plots.tier_lines(
            drawn, title=None, label=f"win share for each copy, against the average {context.word('piece')}"
        )
        note = (
            f"The {DRAWN} that are furthest from the average at {rows[0]['tier']}; {left} more below."
            if left
            else ""
        )
        blocks.append(
            context.picture(ax, f"Do the {context.word('pieces')} hold when play gets better?", note)
        )
    spans = _spans(context)
    several = [("at_below", "below")] if rows[0]["first"] != rows[0]["below"] else []
    table = [
        [
            Cell(_about(r, context)),
            *(
                Cell(_at(r, name, tier, spans), sort_key(r[name]))
                for name, tier in (("at_first", "first"), *several, ("at_last", "tier"))
            ),
            Cell(words.points(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(r["badge"]),
            Cell(r["way"] or words.DASH),
            context.behind(r),
        ]
        for r in rows
    ]
    first, below, last = rows[0]["first"], rows[0]["below"], rows[0]["tier"]
    heads = [
        Column("of"),
        Column(first, True, "points of win share at the weakest tier"),
        *([Column(below, True, "at the next to strongest tier")] if several else []),
        Column(last, True, "at the strongest tier, where verdicts are read"),
        Column("last step", True, f"from {below} to {last}, on shared deals"),
        Column("95% interval", True),
        Column("badge", False, "holds over play: the last step is shown to lie within the margin"),
        Column(f"since {first}", False, "a tested difference between the weakest and the strongest tier"),
        Column("games / deals", True),
    ]
    return [
        *blocks,
        Table(heads, table, title="From tier to tier"),
        *_with_cheap_games(context),
        *notes(frame),
    ]


def _furthest(frame: pl.DataFrame) -> pl.DataFrame:
    """The pieces that are furthest from the average at the strongest tier: as many as a picture has room to name."""
    import polars as pl

    known = frame.filter(pl.col("estimate").is_not_null())
    last = known.filter(pl.col("tier") == list(dict.fromkeys(known["tier"]))[-1]) if known.height else frame
    names = last.sort(pl.col("estimate").abs(), descending=True)["piece"].head(DRAWN)
    return (
        frame.filter(pl.col("piece").is_in(names.to_list())) if frame["piece"].n_unique() > DRAWN else frame
    )


def _spans(context: Context) -> dict[tuple[Any, ...], tuple[float | None, float | None, float]]:
    """The interval of each piece, and of each seat against its fair share, at each tier."""
    import analysis

    pieces = context.by_tier()
    seats = context.ask("seats by tier", lambda: analysis.seat_balance(context.whole, by="tier"))
    found: dict[tuple[Any, ...], tuple[float | None, float | None, float]] = {}
    for r in pieces.iter_rows(named=True) if pieces is not None else ():
        found["piece", str(r["piece"]), str(r["tier"]), None] = (r["low"], r["high"], 0.0)
    for r in seats.iter_rows(named=True) if seats is not None else ():
        found["seat", str(r["seat"]), str(r["tier"]), r["players"]] = (r["low"], r["high"], r["fair"])
    return found


def _at(row: dict[str, Any], name: str, tier: str, spans: dict[tuple[Any, ...], Any]) -> str:
    """The value at one tier with its interval there."""
    players = row.get("players") if row["what"] == "seat" else None
    low, high, fair = spans.get((row["what"], str(row["about"]), str(row[tier]), players), (None, None, 0.0))
    if low is None or high is None:
        return words.points(row[name])
    return words.change(row[name], low - fair, high - fair)


def _with_cheap_games(context: Context) -> list[Block]:
    """What the many games of the weaker tier add, where they add something, in small print."""
    frame = context.made("with_cheap_games")
    told = [
        f"{_about({'what': 'seat', 'about': r['seat'], **r}, context)} {words.percent(r['estimate'])} "
        f"({words.percent(r['low'])} to {words.percent(r['high'])}) instead of {words.percent(r['plain'])} "
        f"({words.percent(r['plain_low'])} to {words.percent(r['plain_high'])}), "
        f"as good as {r['worth']:,.0f} games instead of {r['games']:,}"
        for r in (frame.iter_rows(named=True) if frame is not None else ())
        if r["worth"] >= HELPS * r["games"]
    ]
    if frame is None or not told:
        return []
    return [Text(f"Set right by the games of {frame['below'][0]} on more deals: {'; '.join(told)}.", "note")]


def _about(row: dict[str, Any], context: Context) -> str:
    if row["what"] == "piece":
        return str(row["about"])
    seat = words.seat(int(row["about"]))
    return seat if len(context.d.tables) == 1 else f"{seat} ({words.table(row)})"


def _sentence(rows: list[dict[str, Any]], context: Context) -> str:
    last, below, first = rows[0]["tier"], rows[0]["below"], rows[0]["first"]
    named = {word: [_about(r, context) for r in rows if r["badge"] == word] for word in (HOLDS, MOVING)}
    text = f"Verdicts are read at {last}. From {below} to {last} "
    text += f"{len(named[HOLDS])} of {len(rows)} hold within the margin"
    text += (
        f"; still moving: {words.listing(named[MOVING])}." if named[MOVING] else "; none is shown to move."
    )
    ways = {way: [_about(r, context) for r in rows if r["way"] == way] for way in ("fades", "turns", "grows")}
    told = [
        f"{words.listing(names)} {way if len(names) == 1 else way[:-1]}"
        for way, names in ways.items()
        if names
    ]
    return text + (f" Since {first}: {'; '.join(told)}." if told else "")
