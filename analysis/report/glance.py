"""The first screen: the experiment's question answered in one sentence, and at most six lines that go on from it.

Every sentence is made from the same estimates as the sections below, and names what it is about, how much, how sure and
for whose play.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from analysis.data.questions import BANS, CLAIMS, DRAFTS, LENGTH, PIECES, PLAYERS, SEATS
from analysis.report import answer, over_play, words
from analysis.report.blocks import TONES, Block, Glance, Line, Statement
from analysis.report.found import Found, found_of, lengths_of, tables_of
from analysis.report.levels import measured, measured_range
from analysis.report.sparks import Mark, spark
from analysis.stats import together

if TYPE_CHECKING:
    from analysis.report.context import Context

NAMED = 4
"""Settings or pieces that one sentence names."""
BEYOND = ("favoured", "unfavoured", "unbalanced", "strong", "weak", "above", "below", "uneven")
SAID = {
    "favoured": "favoured",
    "unfavoured": "at a disadvantage",
    "unbalanced": "not even",
    "above": "off to its advantage beyond chance",
    "below": "off to its disadvantage beyond chance",
    "uneven": "off beyond chance",
    "balanced": "even",
    "undecided": "undecided",
    "too few to say": "too few games to say",
}


def glance(context: Context) -> list[Block]:
    """The first screen, or nothing where the data allow no answer yet."""
    lines = [line for line in (make(context) for make in LINES) if line is not None]
    if not lines:
        return []
    first = context.asks[0].what if context.asks else SEATS
    head = next((line for line in lines if line.key == LEADS.get(first)), None) or _first_statement(
        context, first
    )
    head = head or lines[0]
    return [Glance(head, [line for line in lines if line is not head])]


def _first_statement(context: Context, what: str) -> Line | None:
    """What the short answer says first of a question that has no line of its own."""
    question = context.asks[0]
    for block in answer.ANSWERS[what](context, question):
        if isinstance(block, Statement):
            text = block.text.replace(":\n", ": ").split("\n")
            return Line(
                what, "", " ".join(text[:2]), block.verdict, block.tone, "", SECTION.get(what, "answer")
            )
    return None


# -- seats ---------------------------------------------------------------------------------------------------


def _seats(context: Context) -> Line | None:
    units = tables_of(found_of(context, "seat"))
    if not units:
        return None
    groups: dict[str, list[tuple[str, Found, bool]]] = {}
    for setting, mine in units:
        two = len(mine) == 2
        word = mine[0].verdict if two else together([one.verdict for one in mine])
        groups.setdefault(word, []).append((setting, mine[0] if two else max(mine, key=lambda f: f.gap), two))
    words_in_order = [word for word in (*BEYOND, *SAID) if word in groups]
    told = dict.fromkeys(words_in_order)
    many = len(units) > 1
    parts = [_seat_part(word, groups[word], len(units)) for word in told]
    fairs = sorted({found.fair for _, mine in units for found in mine if found.fair is not None})
    fair = f"a fair share is {words.percent(fairs[0], 0)}" if len(fairs) == 1 else ""
    text = f"{_cap('; '.join(parts))}, {context.play}{f' ({fair})' if fair else ''}."
    far = [max(mine, key=lambda f: f.gap) if len(mine) > 2 else mine[0] for _, mine in units]
    marks = (
        [_mark(found, words.seat(int(found.about)), percent=True) for found in units[0][1]]
        if not many
        else [_mark(found, setting, percent=True) for (setting, _), found in zip(units, far)]
    )
    reference = fairs[0] if len(fairs) == 1 else None
    verdict = next(iter(told)) if len(told) == 1 else "it depends"
    picture = spark(marks, reference, context.d.judge.seat, f"Win shares: {text}")
    return _line(context, "seats", "Seats", text, verdict, picture, "seats")


def _seat_part(word: str, units: Sequence[tuple[str, Found, bool]], settings: int) -> str:
    setting, found, two = max(units, key=lambda unit: unit[1].gap)
    who = words.seat(int(found.about))
    share = f"{words.percent(found.value)} ({words.percent_range(found.low, found.high)})"
    where = ""
    if len(units) == settings > 2:
        where = f" with any of the {settings} settings"
    elif settings > 1:
        where = f" with {words.listing((name for name, _, _ in units), NAMED)}"
    there = f" with {setting}" if len(units) > 1 else ""
    subject = who if two else "the seats"
    if word not in (*BEYOND, "balanced", "undecided"):
        return f"nothing is said of the seats{where}: {SAID.get(word, word)}"
    if word == "undecided":
        return f"it is undecided whether the seats are even{where}; furthest off, {who} wins {share}{there}"
    if word == "balanced":
        return f"the seats are even within the margin{where}; furthest off, {who} wins {share}{there}"
    verb = "are" if subject == "the seats" else "is"
    return f"{subject} {verb} {SAID.get(word, word)}{where}: {who} wins {share}{there and f', most{there}'}"


# -- pieces --------------------------------------------------------------------------------------------------


def _pieces(context: Context) -> Line | None:
    found = found_of(context, "piece")
    if not found:
        return None
    settings = list(dict.fromkeys(one.setting for one in found))
    parts: list[str] = []
    for verdict in ("strong", "weak", "above", "below"):
        mine = [one for one in found if one.verdict == verdict]
        by: dict[str, list[Found]] = {}
        for item in mine:
            by.setdefault(item.about, []).append(item)
        if by:
            order = sorted(by.items(), key=lambda item: (-len(item[1]), -max(one.gap for one in item[1])))
            parts.append(
                f"{verdict}: {words.listing((_piece(*item, len(settings)) for item in order), NAMED)}"
            )
    one, several = context.word("piece"), context.word("pieces")
    if not parts:
        balanced = sum(item.verdict == "balanced" for item in found)
        within = f"; {balanced} of {len(found)} are shown to lie within the margin" if balanced else ""
        text = f"no {one} is shown to be strong or weak{within}"
    else:
        text = "; ".join(parts)
    text = f"{_cap(text)}, {context.play}. In points of win share a copy, against the average {one}."
    base = [one for one in found if one.setting == settings[0]]
    marks = [_mark(one, one.about) for one in sorted(base, key=lambda one: -one.value)]
    verdict = "not alike" if parts else _common([one.verdict for one in found])
    of = f" ({settings[0]})" if len(settings) > 1 else ""
    picture = spark(marks, 0.0, context.d.judge.piece, f"{_cap(several)}{of}: {text}")
    return _line(context, "pieces", _cap(several), text, verdict, picture, "pieces")


def _piece(name: str, mine: Sequence[Found], settings: int) -> str:
    top = max(mine, key=lambda one: one.gap)
    size = f"{words.points(top.value)} ({words.points_range(top.low, top.high)})"
    if settings == 1:
        return f"{name} {size}"
    return f"{name} {size} with {top.setting}" + (
        f", and with {len(mine) - 1} more of {settings}" if len(mine) > 1 else ""
    )


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
        text = f"None of {len(rows):,} tested differences by {by} is beyond chance{within}."
        return _line(context, "varied", "What was varied", text, "may be chance", "", "factors")
    parts = []
    for what, said in (("seat", _seat_moved), ("piece", _piece_moved), ("", _length_moved)):
        mine = [
            row for row in clear if (row["what"] == what if what else row["what"] not in ("seat", "piece"))
        ]
        if mine:
            parts.append(said(max(mine, key=lambda row: abs(row["estimate"]))))
    text = (
        f"Of {len(rows):,} tested differences by {by} {len(clear):,} {'is' if len(clear) == 1 else 'are'} beyond "
        f"chance; largest: {'; '.join(parts)}."
    )
    return _line(context, "varied", "What was varied", text, "differs", "", "factors")


def _against(row: dict[str, Any], change: str) -> str:
    return f"{change} with {row['setting']} against {row['against']}"


def _seat_moved(row: dict[str, Any]) -> str:
    change = f"{words.points(row['estimate'])} points ({words.points_range(row['low'], row['high'])})"
    return _against(row, f"{words.seat(int(row['about']))} {change}")


def _piece_moved(row: dict[str, Any]) -> str:
    change = f"{words.points(row['estimate'])} points a copy ({words.points_range(row['low'], row['high'])})"
    return _against(row, f"{row['about']} {change}")


def _length_moved(row: dict[str, Any]) -> str:
    what = row["what"]
    change = (
        f"{measured(what, row['estimate'], True)} {what} ({measured_range(what, row['low'], row['high'])})"
    )
    return _against(row, change)


# -- pace, health, what next ---------------------------------------------------------------------------------


def _pace(context: Context) -> Line | None:
    found = lengths_of(context)
    if not found:
        return None
    what, settings = found[0].about, len(found)
    unit = "turns of all players" if what == "turns" else what

    def size(one: Found) -> str:
        exact = one.low is None or one.high is None or one.low == one.high
        return measured(what, one.value) + (
            "" if exact else f" ({measured(what, one.low)} to {measured(what, one.high)})"
        )

    if settings == 1:
        text = f"A game takes {size(found[0])} {unit}, {context.play}."
    else:
        short, long = (end(found, key=lambda one: one.value) for end in (min, max))
        text = (
            f"A game takes from {size(short)} {unit} with {short.setting} to {size(long)} with {long.setting}, "
            f"{context.play}."
        )
    picture = (
        spark([_mark(one, one.setting or unit) for one in found], None, 0.0, f"Length: {text}")
        if settings > 1
        else ""
    )
    return _line(context, "pace", "Pace", text, "measured", picture, "pace")


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
        text += " Play was not varied, so that whether stronger play says the same is open."
    return Line("health", "Health", text, "sound", "balanced", "", "health")


def _next(context: Context) -> Line | None:
    if context.whole.manifest.get("experiment") is None:
        return None
    where = context.folder_name
    if context.doubtful:
        text = f"Find out what failed, then play again: whimbrel verify {where}"
        return _line(context, "next", "What to do next", text, "first", "", "health")
    found = [*found_of(context, "seat"), *found_of(context, "piece")]
    open_ones = sum(one.verdict in ("undecided", "too few to say") for one in found)
    if context.competence is not None:
        text = (
            "Let stronger bots judge before you change a number: add [tiers] to the experiment, as in "
            'bots = ["greedy", "search:playouts=100"].'
        )
    elif open_ones:
        games = int(context.whole.manifest.get("games_per_cell") or 0)
        text = (
            f"{open_ones} of {len(found)} verdicts are undecided; four times the games halve each interval: "
            f"whimbrel run {where}/experiment.toml -o {where} --games {4 * games}"
        )
    else:
        strong = [one for one in found if one.verdict in BEYOND]
        worst = max(strong, key=lambda one: one.gap, default=None)
        if worst is None:
            text = "All that was asked is decided, and nothing lies beyond its margin."
        else:
            name = words.seat(int(worst.about)) if worst.fair else worst.about
            text = (
                f"Begin with what is furthest off: {name}{f' with {worst.setting}' if worst.setting else ''}."
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


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


LINES: tuple[Callable[[Context], Line | None], ...] = (_seats, _pieces, _varied, _pace, _health, _next)
LEADS = {SEATS: "seats", PIECES: "pieces", LENGTH: "pace"}
"""The line that answers a question."""
SECTION = {PLAYERS: "matchups", BANS: "bans", DRAFTS: "drafts", CLAIMS: "claims"}
