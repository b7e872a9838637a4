"""The first screen: the experiment's question answered in one sentence, and at most six lines that go on from it.

Every sentence is made from the same estimates as the sections below, and names what it is about, how much, how sure and
for whose play.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.data.questions import DRAFTS
from analysis.report import over_play, words
from analysis.report.axes import again, at, axis, settling
from analysis.report.blocks import TONES, Block, Glance, Line
from analysis.report.clauses import BEYOND, Clause, cap
from analysis.report.drafted import details
from analysis.report.first import first, length_text
from analysis.report.found import Found, found_of, lengths_of, tables_of
from analysis.report.levels import measured, measured_range
from analysis.report.piece_clauses import SIDES, piece_text
from analysis.report.seat_clauses import over_maps, seat_part, seat_units
from analysis.report.sparks import Mark, spark

if TYPE_CHECKING:
    from analysis.report.context import Context

NAMED = 4
"""Pieces that one line names."""
IN_DRAFTS = ("seats", "pieces")
"""Lines that give way to those on the draft, where that is what was asked: its sentence tells of the seats."""


def glance(context: Context) -> list[Block]:
    """The first screen, or nothing where the data allow no answer yet."""
    head = first(context)
    said = "" if head is None else head.text.lower()
    made = [_seats(context, said), _pieces(context, said), *(make(context) for make in LINES)]
    lines = [line for line in made if line is not None]
    if context.asks and context.asks[0].what == DRAFTS:
        told = [_drafted(context, *one) for one in details(context)]
        dropped = IN_DRAFTS if len(told) == len(IN_DRAFTS) else ()
        lines = [*told, *(line for line in lines if line.key not in dropped)]
    head = head or (lines[0] if lines else None)
    if head is None:
        return []
    picture = next((line.svg for line in lines if line.key == head.key and line.svg), "")
    shown = [
        line if line.svg != picture else replace(line, svg="")
        for line in lines
        if line is not head and line.text
    ]
    return [Glance(replace(head, svg=picture or head.svg), shown)]


def _drafted(context: Context, key: str, topic: str, clause: Clause) -> Line:
    line = _line(
        context, key, topic, f"{cap(clause.text)}, {context.play}.", clause.verdict, clause.svg, "drafts"
    )
    return replace(line, then=settling(context, clause.open) if clause.verdict == "undecided" else "")


# -- seats and pieces ----------------------------------------------------------------------------------------


def _unsaid(parts: Sequence[str], said: str) -> list[str]:
    """What the first sentence has left out."""
    return [part for part in parts if part and part.lower() not in said]


def _seats(context: Context, said: str) -> Line | None:
    """What is found of the seats, without what the first sentence says already; without a text where it says all."""
    groups, units = seat_units(context), tables_of(found_of(context, "seat"))
    if not groups:
        return None
    fairs = sorted({found.fair for _, mine in units for found in mine if found.fair is not None})
    parts = [seat_part(context, word, some, len(units), len(fairs) > 1) for word, some in groups.items()]
    fair = f" A fair share is {words.fair_share(fairs[0])}." if len(fairs) == 1 else ""
    every = [*parts, over_maps(context, groups)]
    left = _unsaid(every, said)
    text = f"{cap('; '.join(left))}, {context.play}.{fair}" if left else ""
    then = ""
    if open_ones := [unit[1] for unit in groups.get("undecided", [])]:
        then = settling(context, open_ones)
    far = [max(mine, key=lambda f: f.gap) if len(mine) > 2 else mine[0] for _, mine in units]
    marks = (
        [_mark(found, words.seat(int(found.about)), percent=True) for found in units[0][1]]
        if len(units) == 1
        else [_mark(found, setting, percent=True) for (setting, _), found in zip(units, far)]
    )
    reference = fairs[0] if len(fairs) == 1 else None
    verdict = next(iter(groups)) if len(groups) == 1 else "it depends"
    picture = spark(
        marks, reference, context.d.judge.seat, f"Win shares: {'; '.join(part for part in every if part)}"
    )
    return replace(_line(context, "seats", "Seats", text, verdict, picture, "seats"), then=then)


def _pieces(context: Context, said: str) -> Line | None:
    """The same of the pieces."""
    found = found_of(context, "piece")
    if not found:
        return None
    settings = list(dict.fromkeys(one.setting for one in found))
    one, several = context.word("piece"), context.word("pieces")
    parts: list[str] = []
    for verdict, says in SIDES.items():
        by: dict[str, list[Found]] = {}
        for item in found:
            if item.verdict == verdict:
                by.setdefault(item.about, []).append(item)
        if by:
            order = sorted(by.items(), key=lambda item: (-len(item[1]), -max(one.gap for one in item[1])))
            names = (piece_text(context, *item, len(settings)) for item in order)
            parts.append(f"{says.format(piece=one, pieces=several)}: {words.listing(names, NAMED)}")
    every = parts or [f"no {one} is shown to be strong or weak"]
    if even := sum(item.verdict == "balanced" for item in found):
        every.append(
            f"{even} of {len(found)} lie within {100 * context.d.judge.piece:g} points of the average"
        )
    unit = f"In points of win share that each copy adds, against the average {one}."
    left = _unsaid(every, said)
    text = f"{cap('; '.join(left))}, {context.play}. {unit}" if left else ""
    base = [item for item in found if item.setting == settings[0]]
    marks = [_mark(item, item.about) for item in sorted(base, key=lambda item: -item.value)]
    verdict = (
        "not alike"
        if any(item.verdict in BEYOND for item in found)
        else _common([item.verdict for item in found])
    )
    of = f" ({settings[0]})" if len(settings) > 1 else ""
    picture = spark(marks, 0.0, context.d.judge.piece, f"{cap(several)}{of}: {'; '.join(every)}")
    return _line(context, "pieces", cap(several), text, verdict, picture, "pieces")


# -- what was varied -----------------------------------------------------------------------------------------


def _varied(context: Context) -> Line | None:
    if context.single or context.every is None:
        return None
    rows = [row for row in context.every.iter_rows(named=True) if row["estimate"] is not None]
    if not rows:
        return None
    clear = [row for row in rows if row["differs"]]
    question = context.asks[0]
    by = words.listing([*(one.factor for one in question.across), *question.apart])
    if not clear:
        same = sum(bool(row["same"]) for row in rows)
        within = f"; {same:,} are shown to lie within the margin" if same else ""
        text = f"All {len(rows):,} tested differences by {by} may be chance{within}, {context.play}."
        return _line(context, "varied", "What was varied", text, "may be chance", "", "factors")
    parts = []
    for what in ("seat", "piece", ""):
        mine = [r for r in clear if (r["what"] == what if what else r["what"] not in ("seat", "piece"))]
        if mine:
            parts.append(_moved(context, max(mine, key=lambda row: abs(row["estimate"]))))
    text = (
        f"Of {len(rows):,} tested differences by {by} {len(clear):,} {'is' if len(clear) == 1 else 'are'} beyond "
        f"chance; largest: {'; '.join(parts)}, {context.play}."
    )
    return _line(context, "varied", "What was varied", text, "differs", "", "factors")


def _moved(context: Context, row: dict[str, Any]) -> str:
    """A tested difference: what moves, by how much, between which settings."""
    if row["what"] == "seat":
        text = (
            f"{words.seat(int(row['about']))} {words.change(row['estimate'], row['low'], row['high'])} points"
        )
    elif row["what"] == "piece":
        text = f"{row['about']} {words.change(row['estimate'], row['low'], row['high'])} points for each copy"
    else:
        what = row["what"]
        span = measured_range(what, row["low"], row["high"])
        text = f"games {measured(what, row['estimate'], True)} {what} ({span})"
    return f"{text} {axis(context)[0]} {row['setting']} against {row['against']}"


# -- pace, health, what next ---------------------------------------------------------------------------------


def _pace(context: Context) -> Line | None:
    found = lengths_of(context)
    if not found:
        return None
    unit = "turns of all players" if found[0].about == "turns" else found[0].about
    text = f"{cap(length_text(context, found))}, {context.play}."
    several = len({one.value for one in found}) > 1
    marks = [_mark(one, one.setting or unit) for one in found]
    picture = spark(marks, None, 0.0, f"Length: {text}") if several else ""
    return _line(context, "length", "Pace", text, "measured", picture, "pace")


def _health(context: Context) -> Line | None:
    if context.audit is None:
        return None
    checks = context.audit.height
    if context.doubtful:
        failed = len(context.alarm)
        text = (
            f"{failed} of {checks} checks of the data failed: until that is explained, nothing here stands."
        )
        return Line("health", "Health", text, "failed", "alarm", "", "health")
    notes = sum(ok is None for ok in context.audit["ok"])
    passed = checks - notes
    text = f"{passed} checks of the data passed" + (
        f", {words.plural(notes, 'thing')} to know." if notes else "."
    )
    badge = over_play.badge(context)
    if badge:
        text += f" How far play is to be trusted: {badge}."
    elif len(context.whole.tiers) < 2:
        text += " One level of play was tried; stronger play may say otherwise."
    return Line("health", "Health", text, "sound", "balanced", "", "health")


def _next(context: Context) -> Line | None:
    if context.whole.manifest.get("experiment") is None:
        return None
    where = context.folder_name
    if context.doubtful:
        text = f"Find out what failed, then play again: whimbrel verify {where}"
        return _line(context, "next", "What to do next", text, "first", "", "health")
    seats = [
        replace(one, setting=name)
        for name, mine in tables_of(found_of(context, "seat"))
        for one in (mine if len(mine) > 2 else mine[:1])  # of two seats the other one says the same
    ]
    found = [*seats, *found_of(context, "piece")]
    undecided = [one for one in found if one.verdict in ("undecided", "too few to say")]
    off = [one for one in found if one.verdict in BEYOND]
    worst = max(off, key=lambda one: one.gap, default=None)
    text = "Nothing is shown to lie beyond its margin."
    if worst is not None:
        name = words.seat(int(worst.about)) if worst.fair else worst.about
        size = words.share if worst.fair else words.change
        text = (
            f"Look first at {name}{at(context, worst.setting)}: {size(worst.value, worst.low, worst.high)}."
        )
    if context.competence is not None:
        text += (
            " Let stronger bots judge before you change a number: add [tiers] to the experiment, as in "
            'bots = ["greedy", "search:playouts=100"].'
        )
    elif undecided:
        more = 4 * int(context.whole.manifest.get("games_per_cell") or 0)
        text += (
            f" {len(undecided):,} of {len(found):,} verdicts are undecided; four times the games halve each interval: "
            f"{again(context, more)}"
        )
    return _line(context, "next", "What to do next", text, "next", "", "played")


# -- what the lines share ------------------------------------------------------------------------------------


def _mark(found: Found, name: str, percent: bool = False) -> Mark:
    size = words.percent(found.value) if percent else f"{found.value:.3g}"
    low, high = (math.nan if end is None else end for end in (found.low, found.high))
    return Mark(name, found.value, low, high, found.tone, size)


def _common(verdicts: Sequence[str]) -> str:
    return verdicts[0] if len(set(verdicts)) == 1 else "open"


def _line(
    context: Context, key: str, topic: str, text: str, verdict: str, picture: str, section: str
) -> Line:
    tone = TONES.get(verdict, "note")
    return Line(key, topic, text, words.soften(verdict, context.doubtful), tone, picture, section)


LINES: tuple[Callable[[Context], Line | None], ...] = (_varied, _pace, _health, _next)
