"""Clauses of the first sentence on drafts, of drafted games only: is it fair, what is taken, does what is taken win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.data.questions import Question
from analysis.report import words
from analysis.report.axes import at
from analysis.report.clauses import BEYOND, Clause
from analysis.report.found import Found
from analysis.report.seat_clauses import seat_part, seat_units
from analysis.report.sparks import Mark, spark

if TYPE_CHECKING:
    from analysis.report.context import Context

MOST_PARTS = 2
"""Settings with drafts that the sentence tells of."""
EAGER, SHY = 2, 1
"""Pieces named of those that are taken eagerly, and of those that are left."""


def drafted_parts(context: Context) -> list[tuple[str, Context]]:
    """The settings under which games were drafted."""
    return [(name, part) for name, part in context.parts() if part.made("draft_seats") is not None]


def drafts(context: Context, question: Question) -> list[Clause]:
    """Whether drafted games are fair to the seats, and who splits first; what is taken; whether it wins."""
    parts = drafted_parts(context)
    out: list[Clause] = []
    for name, part in parts[:MOST_PARTS]:
        place = at(context, name) if len(parts) > 1 else ""
        out += [*_seats(context, name), *_order(part, place), *_taken(part, place), *_wins(part, place)]
    return out


def _seats(context: Context, name: str) -> list[Clause]:
    """The seats of the drafted games, where any is shown to be off."""
    groups = seat_units(context, name)
    total = sum(len(units) for units in groups.values())
    fairs = {unit[1].fair for units in groups.values() for unit in units}
    told = [
        seat_part(context, word, units, total, len(fairs) > 1)
        for word, units in groups.items()
        if word in BEYOND
    ]
    if not told:
        return []
    rest = sum(len(units) for word, units in groups.items() if word not in BEYOND)
    more = f", and the other {'table is' if rest == 1 else 'tables are'} not decided" if rest else ""
    text = "; ".join(told).replace(f"{name}, ", "").replace(at(context, name), "")
    return [Clause(f"in drafted games {text}{more}", next(iter(groups)))]


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
        says = "and what they like wins" if top["estimate"] > 0 else "but what they like loses"
        return [Clause(f"{says}: {what}{place}", "beyond chance")]
    return [Clause(f"whether what they take wins is undecided: {what}{place}", "undecided")]
