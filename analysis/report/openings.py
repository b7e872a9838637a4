"""The plain sentence that each chapter opens with: what was found, where it can be said in one, else what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.bans_and_drafts.ban_effects import done_word, set_columns
from analysis.data.errors import Refusal
from analysis.report import words
from analysis.report.blocks import Block, Text
from analysis.report.clauses import cap
from analysis.report.drafted import details
from analysis.report.first import length_text
from analysis.report.found import found_of, lengths_of
from analysis.report.seat_clauses import seat_part, seat_units

if TYPE_CHECKING:
    from analysis.report.context import Context

SHOWS = {
    "answer": "Each question that was asked, with its answer and a badge that says how sure it is.",
    "screen": "Which numbers of the rules move the game, the strongest first.",
    "levels": "What each thing that was drawn by lot for a deal changes, against the deals without it.",
    "seat-levels": "How those fare who had each of the things of which a seat has one.",
    "matchups": "How often each one wins against each other, and against all of them.",
    "roles": "Whether it pays to have the lead or the first turn, and whether a whole series evens that out.",
    "people": "Who played, how often, and how they fared.",
    "harm": "What each {piece} does to the others at the table.",
    "claims": "What the game's author says of the game, tried on these games and this play.",
    "ladder": "How much better each stronger way of play is, and what it costs in time.",
    "closer": "What else these games show, each only where there is something to say.",
    "luck": "How often the better player finishes ahead; the rest is luck.",
    "played": "What was played, and the lines that play it again.",
    "stand-ins": "What the rulebook leaves out or leaves open, and how it was filled in here.",
    "definitions": "Each word and figure of this page, and what it claims.",
    "factors": "What changes from one setting to another, and by how much.",
}


def opening(name: str, blocks: list[Block], context: Context) -> list[Block]:
    """The blocks of a section with its plain sentence in front; as they are where they begin with one."""
    if name == "glance" or (blocks and isinstance(blocks[0], Text) and blocks[0].tone == "plain"):
        return blocks
    text = _found(name, context) or SHOWS.get(name, "")
    if not text:
        return blocks
    text = text.format(piece=context.word("piece")) if "{" in text else text
    return [Text(text), *blocks]


def _found(name: str, context: Context) -> str:
    try:
        if name == "seats":
            return _seats(context)
        if name == "pieces":
            return _pieces(context)
        if name == "bans":
            return _bans(context)
        if name == "drafts":
            told = [clause.text for _, _, clause in details(context)]
            return f"{cap('; '.join(told))}, {context.play}." if told else ""
        if name == "pace" and (found := lengths_of(context)):
            return f"{cap(length_text(context, found))}, {context.play}."
    except Refusal:
        return ""
    return ""


def _seats(context: Context) -> str:
    groups = seat_units(context)
    total = sum(len(units) for units in groups.values())
    fairs = {unit[1].fair for units in groups.values() for unit in units}
    told = [seat_part(context, word, units, total, len(fairs) > 1) for word, units in groups.items()]
    return f"{cap('; '.join(told))}, {context.play}." if told else ""


def _pieces(context: Context) -> str:
    found = found_of(context, "piece")
    if not found:
        return ""
    count = {word: len({one.about for one in found if one.verdict == word}) for word in ("strong", "weak")}
    every = len({one.about for one in found})
    settings = len({one.setting for one in found})
    where = " with at least one setting" if settings > 1 else ""
    if not any(count.values()):
        return f"Among {every} {context.word('pieces')} none is shown to be strong or weak, {context.play}."
    return (
        f"Of {every} {context.word('pieces')} {count['strong']} {'is' if count['strong'] == 1 else 'are'} "
        f"shown to be strong "
        f"and {count['weak']} weak{where}, {context.play}."
    )


def _bans(context: Context) -> str:
    frame = context.bans_on_seats
    if frame is None or frame["first_seat"].is_null().all():
        return ""
    rows = [row for row in frame.iter_rows(named=True) if row["first_seat"] is not None]
    far = max(rows, key=lambda row: abs(row["first_seat"]))
    size = words.change(far["first_seat"], far["first_seat_low"], far["first_seat_high"])
    did = words.listing(done_word(context.d, name) for name in set_columns(context.d))
    sure = (
        ""
        if far["first_seat_q"] is not None and far["first_seat_q"] < context.alpha
        else ", which may be chance"
    )
    table = f" with {words.table(far)}" if context.many_tables else ""
    return (
        f"With {far['banned']} {did} Seat A moves most{table}: {size} points of win share{sure}, "
        f"{context.play}."
    )
