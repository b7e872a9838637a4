"""Numbers and verdicts as a reader says them: per cent beside the fair share, no bare coefficients."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.data.questions import short
from analysis.stats.verdicts import NO_VERDICT

SEAT_NAMES = "ABCDEFGH"
DASH = "–"

# What each verdict word of the analysis claims, as a designer would say it.
VERDICT_MEANS = {
    "strong": "shown to win more than the margin allows",
    "weak": "shown to win less than the margin allows",
    "favoured": "shown to win more than a fair share and the margin",
    "unfavoured": "shown to win less than a fair share and the margin",
    "above": "above the middle beyond chance, but not shown to lie beyond the margin",
    "below": "below the middle beyond chance, but not shown to lie beyond the margin",
    "balanced": "shown to lie within the stated margin",
    "unbalanced": "some seat is shown to lie outside the stated margin",
    "uneven": "some seat is off its fair share beyond chance, but not shown to lie beyond the margin",
    "undecided": "not enough games to say either",
    "too few to say": "fewer than ten independent deals",
    "not used by these bots": "in the game and hardly ever played, so that nothing can be said of its worth",
    "conditioned on an outcome": "the games were picked by how they went, so that nothing is judged",
}


def seat(number: int) -> str:
    """Return the name of a seat: 0 is Seat A."""
    return f"Seat {SEAT_NAMES[number]}" if 0 <= number < len(SEAT_NAMES) else f"Seat {number + 1}"


def seat_beside(row: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the name of a seat, with its partners among `rows` where seats play together: 'Seat A (with C)'."""
    if row["sides"] == row["players"]:
        return seat(row["seat"])
    partners = [
        seat(r["seat"]).removeprefix("Seat ")
        for r in rows
        if all(r[k] == row[k] for k in ("players", "sides", "side")) and r["seat"] != row["seat"]
    ]
    return f"{seat(row['seat'])} (with {listing(partners)})"


def missing(value: object) -> bool:
    """Return whether a cell of a frame holds nothing to print."""
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def percent(value: float | None, digits: int = 1) -> str:
    """Return a fraction in per cent, '36.2%'."""
    return DASH if missing(value) else f"{100 * float(value):.{digits}f}%"  # type: ignore[arg-type]


def points(value: float | None, digits: int = 1) -> str:
    """Return a difference of fractions in percentage points with its sign, '+1.8' or '−0.4'."""
    if missing(value):
        return DASH
    text = f"{100 * float(value):+.{digits}f}"  # type: ignore[arg-type]
    return text.replace("-", "−") if float(text) else f"{0:.{digits}f}"


def percent_range(low: float | None, high: float | None, digits: int = 1) -> str:
    """Return an interval of shares, '35.1 to 37.3%', cut to 0..100%: with few deals it may reach beyond."""
    if missing(low) or missing(high):
        return DASH
    bottom, top = max(0.0, float(low)), min(1.0, float(high))  # type: ignore[arg-type]
    return f"{100 * bottom:.{digits}f} to {100 * top:.{digits}f}%"


def points_range(low: float | None, high: float | None, digits: int = 1) -> str:
    """Return an interval of differences in percentage points, '+0.9 to +2.7'."""
    if missing(low) or missing(high):
        return DASH
    return f"{points(low, digits)} to {points(high, digits)}"


def carried(*ends: float | None, scale: float = 100.0) -> int:
    """Decimals that an interval carries: none where it is four units wide, more where it is narrower."""
    known = [float(end) for end in ends if not missing(end)]  # type: ignore[arg-type]
    half = scale * (max(known) - min(known)) / 2 if len(known) > 1 else 0.3
    return 0 if half >= 2 else 1 if half >= 0.1 or half == 0 else 2


def a_point(low: float | None, high: float | None) -> bool:
    """Whether an interval has no width but for rounding: all games were alike."""
    return abs(float(high) - float(low)) <= 1e-9 * max(abs(float(low)), 1.0)  # type: ignore[arg-type]


def exactly(value: float) -> str:
    """A measure that was alike in all games: 'exactly 40', 'exactly 30.3'."""
    return f"exactly {f'{value:,.1f}'.removesuffix('.0')}"


def share(value: float | None, low: float | None, high: float | None, fair: float | None = None) -> str:
    """Return a share with its interval as the interval carries it: '59% (56 to 63%)'.

    An end that would read as the `fair` share and is not gets one decimal more.
    """
    if missing(low) or missing(high) or a_point(low, high):
        return percent(value)
    digits = carried(low, high)
    if fair is not None and any(_hides(end, fair, digits) for end in (low, high)):
        digits += 1
    return f"{percent(value, digits)} ({percent_range(low, high, digits)})"


def change(value: float | None, low: float | None, high: float | None) -> str:
    """Return a difference of shares in points with its interval as the interval carries it: '+13 (+10 to +16)'."""
    if missing(low) or missing(high) or a_point(low, high):
        return points(value)
    digits = carried(low, high)
    if any(_hides(end, 0.0, digits) for end in (low, high)):
        digits += 1
    if points(low, digits) == points(high, digits):
        return points(value, digits)
    return f"{points(value, digits)} ({points_range(low, high, digits)})"


def _hides(end: float | None, point: float, digits: int) -> bool:
    """Whether rounding would put the end of an interval onto a point that it is beside."""
    beside = 100 * (float(end) - point)  # type: ignore[arg-type]
    return beside != 0 and round(abs(beside), digits) == 0


def fair_share(value: float) -> str:
    """Return a fair share: '50%', '33.3%'."""
    return f"{round(100 * value, 1):g}%"


def number(value: float | int | None, digits: int = 1) -> str:
    """Return a plain number with thousands set apart; whole numbers without decimals."""
    if missing(value):
        return DASH
    if isinstance(value, int):
        return f"{value:,}"
    return f"{float(value):,.{digits}f}".replace("-", "−")  # type: ignore[arg-type]


def p_value(value: float | None) -> str:
    """Return a p or q value; tiny ones as a bound."""
    if missing(value):
        return DASH
    return "<0.001" if float(value) < 0.001 else f"{float(value):.3f}"  # type: ignore[arg-type]


def listing(items: Iterable[object], most: int = 6) -> str:
    """Return 'a, b and c', and 'a, b, c and 7 more' for long lists."""
    names = [str(item) for item in items]
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return '1 game', '2,000 games'."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def table(row: Mapping[str, object]) -> str:
    """Return the kind of table of a row: '4 players', or '4 players in 2 sides' where seats play together."""
    n, sides = row["players"], row.get("sides")
    return f"{n} players" if sides is None or sides == n else f"{n} players in {sides} sides"


def tables(kinds: Iterable[tuple[int, int]]) -> str:
    """Return '2, 3 and 4 players', with the sides where seats play together."""
    alone = [n for n, sides in kinds if n == sides]
    joint = [table({"players": n, "sides": sides}) for n, sides in kinds if n != sides]
    return listing([*([f"{listing(alone)} players"] if alone else []), *joint])


def said(text: str) -> str:
    """What an analysis says, in a reader's words: a cell of the design is a setting, "a copy" is for each copy."""
    text = re.sub(r"\bcell(s?)\b", r"setting\1", text)
    return re.sub(r"(?<=\w) a copy\b", " for each copy", text)


def an(noun: str) -> str:
    """Return a noun with its article: 'an event'."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def soften(verdict: str, doubtful: bool) -> str:
    """Return the verdict word, in doubt when the data failed their checks."""
    return f"perhaps {verdict}" if doubtful and verdict not in NO_VERDICT else verdict


def level(names: Sequence[str], row: dict[str, object]) -> str:
    """Return the levels of several factors of a row as one label, 'small, hand_size 2'.

    Text levels speak for themselves; numbers and switches need their name.
    """
    return ", ".join(_level(name, row[name]) for name in names)


def _level(name: str, value: object) -> str:
    if name in ("players", "players.count"):
        return f"{value} players"
    return short(value) if isinstance(value, str) else f"{name} {plain(value)}"


def plain(value: object) -> str:
    """Return any parameter value as short text."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, dict):
        return ", ".join(f"{k} {plain(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(plain(v) for v in value) or "none"
    return str(value)
