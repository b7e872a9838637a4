"""Sentences of the short answer on the course of games: length, cap, ties, who ends them, luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.data.frames import CUT_SHORT
from analysis.data.measures import MINUTES, pace_of
from analysis.report import words
from analysis.report.blocks import TONES, Block, Statement

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context


def course(context: Context) -> list[Block]:
    """How long games are and how they end, each with its verdict."""
    return [*_length(context), *_enders(context)]


def _say(context: Context, text: str, verdict: str) -> Statement:
    return Statement(text, words.soften(verdict, context.doubtful), TONES.get(verdict, "note"))


def _length(context: Context) -> list[Block]:
    """How long a game is, how often it is stopped, how often it is tied; one sentence a kind of table."""
    frame, ties = context.made("length"), context.made("ties")
    if frame is None:
        return []
    blocks: list[Block] = []
    for _, part in context.by_table(frame):
        rows = {r["measure"]: r for r in part.iter_rows(named=True)}
        turns = rows.get("turns") or next(iter(rows.values()))
        unit = "turns of all players" if turns["measure"] == "turns" else turns["measure"]
        head = f"With {words.table(turns)} a" if context.many_tables else "A"
        text = f"{head} game takes {_size(turns)} {unit}"
        if MINUTES in rows and turns["measure"] != MINUTES:
            said = pace.label if (pace := pace_of(context.d)) else "recorded"
            text += f", about {words.number(rows[MINUTES]['estimate'], 0)} minutes ({said})"
        if turns["capped"]:
            span, by = _stopped(turns, context)
            text += f"; {words.percent(turns['capped'], _digits(turns))}{span} are stopped {by}"
        tie = _same_table(ties, turns)
        if tie and tie["estimate"]:
            share = words.percent_range(tie["low"], tie["high"])
            text += f"; {words.percent(tie['estimate'])} ({share}) end in a tie for the first place"
            text += ties_stopped(context, turns)
        blocks.append(_say(context, f"{text}, {context.play}.", "measured"))
    return blocks


def ties_stopped(context: Context, table: dict[str, Any]) -> str:
    """How many of the tied games of a kind of table were stopped before their end: nobody had won them yet."""
    import polars as pl

    have = context.d.games.collect_schema().names()
    if not {"ended", "tied"} <= set(have):
        return ""
    tied = context.d.games.filter((pl.col("players") == table["players"]) & (pl.col("tied") > 1))
    ends = tied.select(pl.col("ended").cast(pl.String).is_in(CUT_SHORT).fill_null(value=False)).collect()[
        "ended"
    ]
    count = int(ends.sum())
    if not count:
        return ""
    which = "all" if count == len(ends) else f"{count:,} of {len(ends):,}"
    return f", {which} of them in games that were stopped"


def _stopped(turns: dict[str, Any], context: Context) -> tuple[str, str]:
    """Return the interval of the share that was stopped, where one reason makes it up, and the reason."""
    ends = context.made("end_reasons")
    if ends is None:
        return "", "before their end"
    rows = [
        r
        for r in ends.iter_rows(named=True)
        if r["count"] and str(r["ended"]) in CUT_SHORT and all(r[k] == turns[k] for k in ("players", "sides"))
    ]
    if len(rows) != 1:
        return "", "before their end"
    span = f" ({words.percent_range(rows[0]['low'], rows[0]['high'], _digits(turns))})"
    return span, _STOPPED_BY.get(str(rows[0]["ended"]), "before their end")


_STOPPED_BY = {
    "turn_cap": "by the limit",
    "stopped": "by the players",
    "all_passed": "because all went on passing",
}


def _digits(turns: dict[str, Any]) -> int:
    """Decimals of the share that was stopped: more where it is small."""
    return 1 if turns["capped"] >= 0.01 else 2


def _same_table(frame: pl.DataFrame | None, row: dict[str, Any]) -> dict[str, Any] | None:
    if frame is None:
        return None
    found = [r for r in frame.iter_rows(named=True) if all(r[k] == row[k] for k in ("players", "sides"))]
    return found[0] if found else None


def _size(row: dict[str, Any]) -> str:
    """A mean with its interval; where all games are alike, only how long they are."""
    value, low, high = row["estimate"], row["low"], row["high"]
    if low is None:
        return words.number(value)
    if words.a_point(low, high):
        return words.exactly(value)
    digits = words.carried(low, high, scale=1.0)
    return f"{words.number(value, digits)} ({words.number(low, digits)} to {words.number(high, digits)})"


ENDS = {"favoured": "wins more", "unfavoured": "wins less", "above": "wins more", "below": "wins less"}
"""Of who ends a game: it is no seat that a rule favours."""


def _enders(context: Context) -> list[Block]:
    frame = context.made("enders")
    if frame is None:
        return []
    blocks: list[Block] = []
    for _, part in context.by_table(frame):
        r = part.row(0, named=True)
        if r["estimate"] == 1:
            continue  # the rules force it
        head = f"With {words.table(r)}, who" if context.many_tables else "Who"
        share = words.share(r["estimate"], r["low"], r["high"], r["fair"])
        text = (
            f"{head} ends the game wins {share} of these games, where a fair share is "
            f"{words.percent(r['fair'])}, {context.play}. {context.word('ending')}"
        )
        blocks.append(_say(context, text, ENDS.get(str(r["verdict"]), str(r["verdict"]))))
    return blocks


def luck(context: Context) -> list[Block]:
    """How often the better player finishes ahead."""
    frame = context.made("luck_and_skill")
    if frame is None:
        return []
    best = frame.row(0, named=True)
    share = f"{words.percent(best['estimate'])} ({words.percent_range(best['low'], best['high'])})"
    text = (
        f"Luck and skill: {best['better']} finishes ahead of {best['worse']} in {share} of their pairings, so about "
        f"{words.percent(best['luck'], 0)} of them fall like a coin."
    )
    return [_say(context, text, "beyond chance" if best["clear"] else "undecided")]
