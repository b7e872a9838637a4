"""Clauses on seats: setting by setting, and over maps what goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.data.questions import SIZE, Question
from analysis.report import words
from analysis.report.axes import NAMED, at, where
from analysis.report.clauses import BEYOND, OFF, Clause
from analysis.report.found import Found, found_of, tables_of
from analysis.report.levels import measured
from analysis.stats import together

if TYPE_CHECKING:
    from analysis.report.context import Context


Unit = tuple[str, Found, bool]
"""A setting, its seat that is told (of two seats the first, else the one furthest from fair), whether it has two."""


def seat_units(context: Context, only: str = "") -> dict[str, list[Unit]]:
    """The settings by what is found of their seats, what is off first; `only` those of one setting."""
    groups: dict[str, list[Unit]] = {}
    found = [one for one in found_of(context, "seat") if not only or one.setting == only]
    for setting, mine in tables_of(found):
        two = len(mine) == 2
        word = mine[0].verdict if two else together([one.verdict for one in mine])
        groups.setdefault(word, []).append((setting, mine[0] if two else max(mine, key=lambda f: f.gap), two))
    order = [*BEYOND, "balanced", "undecided"]
    return dict(sorted(groups.items(), key=lambda item: order.index(item[0]) if item[0] in order else 99))


def seats(context: Context, question: Question) -> list[Clause]:
    """Whether the seats are even, setting by setting; over maps also what goes with it."""
    groups = seat_units(context)
    if not groups:
        return []
    total = sum(len(units) for units in groups.values())
    fairs = {unit[1].fair for units in groups.values() for unit in units}
    parts = [seat_part(context, word, units, total, len(fairs) > 1) for word, units in groups.items()]
    if len(fairs) == 1:
        parts[0] += f" where {words.fair_share(float(next(iter(fairs)) or 0))} is fair"
    more = parts[1:]
    first_word = next(iter(groups))
    asked = (context.whole.manifest.get("experiment") or {}).get("ask") or {}
    if "map" in (asked.get("compare") or ()) or list(asked) == ["seats"]:
        more.append(over_maps(context, groups))
    undecided = [unit[1] for unit in groups.get("undecided", [])]
    verdict = first_word if len(groups) == 1 else "it depends"
    return [Clause(parts[0], verdict, undecided, more=[text for text in more if text])]


def seat_part(context: Context, word: str, units: Sequence[Unit], total: int, fairs: bool) -> str:
    """What is said of the settings under which the seats are alike in verdict."""
    units = sorted(units, key=lambda unit: -unit[1].gap)
    two = all(unit[2] for unit in units)
    here = where(context, [unit[0] for unit in units], total)
    if word in OFF and two:
        head = f"{words.seat(0)} {OFF[word]}"
    elif word in BEYOND:
        head = "the seats are not even"
    elif word == "balanced":
        head = f"the seats are even within {100 * context.d.judge.seat:g} points"
    elif word == "undecided":
        head = "whether the seats are even is undecided"
    else:
        return f"there are too few games to judge the seats{here}"
    listed = len(units) <= NAMED and total > 1
    known = "" if not two or word not in OFF else "share" if word in ("above", "below") else "it"
    return f"{head}{'' if listed else here}: {_seat_sizes(context, units, total, fairs, known)}"


def _seat_sizes(context: Context, units: Sequence[Unit], total: int, fairs: bool, known: str) -> str:
    """Shares with their intervals; who wins them is said once.

    Parameters
    ----------
    known
        "it" where the seat was named already, "share" where its winning was; else empty.
    """
    same = len({unit[1].about for unit in units}) == 1

    def one(unit: Unit, named: bool, first: bool = False) -> str:
        setting, found, _ = unit
        size = words.share(found.value, found.low, found.high, found.fair)
        who = "it" if known else words.seat(int(found.about))
        head = "" if (same and not first) or known == "share" else f"{who} wins "
        fair = f", where {words.fair_share(found.fair or 0)} is fair" if fairs else ""
        return f"{head}{size}{at(context, setting) if named else ''}{fair}"

    if len(units) == 1:
        return one(units[0], total > 1, True)
    if len(units) <= NAMED:
        return words.listing([one(units[0], True, True), *(one(unit, True) for unit in units[1:])])
    if len(units) == total and same and known:
        low, high = sorted((units[0], units[-1]), key=lambda unit: unit[1].value)
        return f"{one(low, True, True)} to {one(high, True)}"
    return f"furthest off, {one(units[0], True, True)}"


def over_maps(context: Context, groups: dict[str, list[Unit]]) -> str:
    """What goes with it on the map that is furthest from even; empty where maps were not compared."""
    across = context.asks[0].across if context.asks else ()
    if [one.factor for one in across if one.factor != SIZE] != ["map"] or not groups:
        return ""
    return why(context, max((u for units in groups.values() for u in units), key=lambda u: u[1].gap)[0])


def why(context: Context, setting: str) -> str:
    """What the land is, and which tested differences go with it, on the map that is furthest from even."""
    name = setting.split(", ")[0]
    said = {
        str(entry.get("name")): str(entry.get("about") or "") for entry in context.d.card.get("maps") or []
    }
    about = said.get(name, "").split(". ")[0].rstrip(".")
    rows = (
        [] if context.every is None else context.every.filter(context.every["setting"] == setting).to_dicts()
    )
    clear = [row for row in rows if row["differs"] and row["what"] != "seat"]
    clear.sort(key=lambda row: (row["what"] == "piece", -abs(row["estimate"])))
    land = f" ({about[:1].lower()}{about[1:]})" if about else ""
    if not clear:
        return f"{name} is the least even{land}"
    told = words.listing(_goes_with(row) for row in clear[:2])
    return f"on {name}{land} {told} than on {clear[0]['against']}"


def _goes_with(row: dict[str, Any]) -> str:
    more = row["estimate"] > 0
    low, high = sorted((abs(row["low"]), abs(row["high"])))
    if row["what"] == "piece":
        size, span = words.change(abs(row["estimate"]), low, high).replace("+", "").split(" ", 1)
        return f"each copy of {row['about']} adds {size} points {span} {'more' if more else 'less'}"
    size = measured(row["what"], abs(row["estimate"]))
    span = f"({measured(row['what'], low)} to {measured(row['what'], high)})"
    return f"games are {size} {row['what']} {span} {'longer' if more else 'shorter'}"
