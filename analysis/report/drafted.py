"""Clauses on drafts, of drafted games only: are they fair, who splits first, what is taken, does what is taken win."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.data.questions import Question
from analysis.report import words
from analysis.report.axes import at
from analysis.report.clauses import BEYOND, Clause
from analysis.report.found import Found
from analysis.report.seat_clauses import Unit, seat_units
from analysis.report.sparks import Mark, spark

if TYPE_CHECKING:
    from analysis.report.context import Context

MOST_PARTS = 2
"""Settings with drafts that the sentence tells of."""
SEATS_NAMED = 2
"""Seats that it names."""
EAGER, SHY = 2, 1
"""Pieces named of those that are taken eagerly, and of those that are left."""


def drafted_parts(context: Context) -> list[tuple[str, Context]]:
    """The settings under which games were drafted."""
    return [(name, part) for name, part in context.parts() if part.made("draft_seats") is not None]


def drafts(context: Context, question: Question) -> list[Clause]:
    """Whether drafted games are fair to every seat, and whether what is taken wins; `details` tells the rest."""
    out: list[Clause] = []
    parts = drafted_parts(context)[:MOST_PARTS]
    for name, part in parts:
        place = at(context, name) if len(parts) > 1 else ""
        fair, order = _seats(context, name, place), _order(part, place)
        if fair and (fair[0].verdict in BEYOND or order[0].verdict not in BEYOND):
            out += fair
        else:
            out += [*order, *fair]
        out += _says(part, place)
    return out


def details(context: Context) -> list[tuple[str, str, Clause]]:
    """Key, topic and clause of what the first sentence leaves out: who splits first; what is taken, and does it win."""
    parts = drafted_parts(context)[:MOST_PARTS]
    out: list[tuple[str, str, Clause]] = []
    for key, topic, makers in (
        ("order", "Who splits first", (_order,)),
        ("taken", "What is taken", (_taken, _wins)),
    ):
        told = [
            clause
            for name, part in parts
            for make in makers
            for clause in make(part, at(context, name) if len(parts) > 1 else "")
        ]
        if told:
            text = "; ".join(clause.text for clause in told)
            out.append((key, topic, replace(told[0], text=text)))
    return out


def _seats(context: Context, name: str, place: str) -> list[Clause]:
    """Whether the drafted games are fair to every seat: those that are off, else the one that is furthest off."""
    units = [unit for some in seat_units(context, name).values() for unit in some]
    if not units:
        return []
    off = sorted((unit for unit in units if unit[1].verdict in BEYOND), key=lambda unit: -unit[1].gap)
    words_of = {unit[1].verdict for unit in units}
    if off:
        head, verdict = "drafted games are not fair to every seat", off[0][1].verdict
    elif words_of == {"balanced"}:
        margin = f"{100 * context.d.judge.seat:g} points"
        head, verdict = f"drafted games are fair to every seat within {margin}", "balanced"
    else:
        head, verdict = "whether drafted games are fair to every seat is undecided", "undecided"
    shown = off[:SEATS_NAMED] or [max(units, key=lambda unit: unit[1].gap)]
    far = "" if off else "furthest off, "
    sizes = words.listing(_size(context, unit) for unit in shown)
    more = f", and {len(off) - len(shown)} more" if len(off) > len(shown) else ""
    undecided = [unit[1] for unit in units if unit[1].verdict == "undecided"]
    text = f"{head}{place}: {far}{sizes}{more}"
    marks = [_off_fair(context, unit[1]) for unit in units]
    return [
        Clause(text, verdict, undecided, spark(marks, 0.0, context.d.judge.seat, f"Points off fair: {text}"))
    ]


def _off_fair(context: Context, one: Found) -> Mark:
    """A seat of a table as a mark: how far it is from its fair share."""
    table = f" of {one.players}" if context.many_tables else ""
    low, high = (math.nan if end is None else end for end in (one.low, one.high))
    fair = one.fair or 0.0
    off = one.value - fair
    return Mark(
        f"{words.seat(int(one.about))}{table}", off, low - fair, high - fair, one.tone, words.points(off)
    )


def _size(context: Context, unit: Unit) -> str:
    """'Seat A wins 65% (58 to 71%) with 2 players, where 50% is fair'."""
    found = unit[1]
    size = words.share(found.value, found.low, found.high, found.fair)
    table = {"players": found.players, "sides": found.sides}
    where = f" with {words.table(table)}" if context.many_tables else ""
    return f"{words.seat(int(found.about))} wins {size}{where}, where {words.fair_share(found.fair or 0)} is fair"


def _order(context: Context, place: str) -> list[Clause]:
    """Each kind of table: the place in the draft that is furthest from fair."""
    frame = context.made("draft_seats")
    if frame is None:
        return []
    rows = frame.to_dicts()
    judged = [str(row["verdict"]) for row in rows]
    beyond = [row for row in rows if row["verdict"] in BEYOND]
    far = max(beyond or rows, key=lambda row: abs(row["estimate"] - row["fair"]))
    if len([row for row in rows if row["players"] == far["players"]]) == 2:
        far = next(row for row in rows if row["players"] == far["players"] and row["position"] == 0)
    table = f" with {words.table(far)}" if context.many_tables else ""
    who = ORDER[min(far["position"], len(ORDER) - 1)]
    size = words.share(far["estimate"], far["low"], far["high"], far["fair"])
    told = f"who splits {who}{table} wins {size}, where {words.fair_share(far['fair'])} is fair"
    if beyond:
        return [Clause(f"it matters who splits first{place}: {told}", str(far["verdict"]))]
    if set(judged) == {"balanced"}:
        return [Clause(f"it does not matter who splits first{place}: furthest off, {told}", "balanced")]
    undecided = [_found(row) for row in rows if row["verdict"] == "undecided"]
    return [
        Clause(
            f"whether it matters who splits first is undecided{place}: furthest off, {told}",
            "undecided",
            undecided,
        )
    ]


ORDER = ("first", "second", "third", "fourth", "later")


def _found(row: dict[str, Any]) -> Found:
    return Found(
        "",
        "",
        row["estimate"],
        row["low"],
        row["high"],
        row["fair"],
        row["verdict"],
        None,
        None,
        row["games"],
    )


def _taken(context: Context, place: str) -> list[Clause]:
    frame = context.made("draft_picks")
    if frame is None:
        return []
    rows = frame.sort("estimate", descending=True, nulls_last=True).to_dicts()
    eager = [row for row in rows if row["flag"] == "eager"]
    shy = [row for row in rows[::-1] if row["flag"] == "reluctant"]
    if not eager and not shy:
        text = f"every {context.word('piece')} may be taken as eagerly as the average one{place}"
        return [Clause(text, "undecided")]
    parts = []
    if eager:
        parts.append(f"players take {_named(eager, EAGER)} most eagerly")
    if shy:
        parts.append(f"{'leave' if parts else 'players leave'} {_named(shy, SHY)}")
    text = f"{' and '.join(parts)} (points of chance that each copy adds to its pile){place}"
    marks = [
        Mark(
            str(row["piece"]),
            100 * row["estimate"],
            100 * row["low"],
            100 * row["high"],
            "balanced" if row["flag"] == "eager" else "undecided",
        )
        for row in rows
        if row["estimate"] is not None
    ]
    return [Clause(text, "beyond chance", (), spark(marks, 0.0, 0.0, f"How eagerly each is taken: {text}"))]


def _named(rows: Sequence[dict[str, Any]], most: int) -> str:
    told = [f"{row['piece']} {words.change(row['estimate'], row['low'], row['high'])}" for row in rows[:most]]
    return words.listing(told)


def _says(context: Context, place: str) -> list[Clause]:
    """Whether players take what wins, without figures."""
    return [
        Clause(SAYS[clause.verdict, "loses" in clause.text] + place, clause.verdict)
        for clause in _wins(context, "")
    ]


SAYS = {
    ("beyond chance", False): "players take what wins",
    ("beyond chance", True): "players take what loses",
    ("undecided", False): "whether players take what wins is undecided",
}


def _wins(context: Context, place: str) -> list[Clause]:
    """Whether a group that choosers like better wins more: groups are dealt by lot."""
    frame = context.made("pick_value")
    if frame is None:
        return []
    rows = frame.to_dicts()
    wanted = [r for r in rows if r["role"] == "choosing"] or rows
    top = min(wanted, key=lambda row: 1.0 if row["p"] is None else row["p"])
    size = words.change(top["estimate"], top["low"], top["high"])
    clear = top["q"] is not None and top["q"] < context.alpha
    first = min(int(row["round"]) for row in rows)
    what = (
        f"a group better liked by one standard deviation adds {size} points of win share in round "
        f"{int(top['round']) - first + 1}"
    )
    if clear:
        says = "what choosers like wins" if top["estimate"] > 0 else "what choosers like loses"
        return [Clause(f"{says}: {what}{place}", "beyond chance")]
    return [Clause(f"whether what they take wins is undecided: {what}{place}", "undecided")]
