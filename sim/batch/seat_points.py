"""Points that a seat is given at the end: the compensation that needs no rule, as in `seat_points.B = 2`.

Any game that points decide takes them, under ``[parameters]``, in ``[vary]``, in a variant. They are added when a game
is over and nobody played for them: what is played is just what `whimbrel balance` and `whimbrel handicap` prove. Seats
that come level by them tie; a game that points did not decide stays as it ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.core.errors import Refusal
from sim.core.notation import LETTERS

TABLE = "seat_points"
HELP = "points that Seat {} is given at the end; nobody plays for them"


def is_key(key: str) -> bool:
    """Whether a dotted key gives points to a seat."""
    return key.partition(".")[0] == TABLE


def key_of(seat: int) -> str:
    """Return the key that gives points to a seat."""
    return f"{TABLE}.{LETTERS[seat]}"


def check_key(key: str, most: int) -> None:
    """Refuse a key that names no seat of a game for up to `most` players."""
    seat = key.partition(".")[2]
    if len(seat) != 1 or seat not in LETTERS[:most]:
        raise Refusal(f"'{key}': points are given to a seat, {key_of(0)} to {key_of(most - 1)}")


def check_value(key: str, value: Any) -> None:
    """Refuse what is no number of points."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
        raise Refusal(f"'{key}' must be a number of points from 0 up, not {value!r}")


def told(settings: Mapping[str, Any]) -> dict[int, float]:
    """Return the points of each seat that settings name, by seat."""
    return {LETTERS.index(key.partition(".")[2]): float(v) for key, v in settings.items() if is_key(key)}


def rows_of(points: Sequence[Mapping[int, float]]) -> list[dict[str, Any]]:
    """Return what a data set's card says of the seats that are given points in some cell, as of parameters."""
    seats = sorted({seat for given in points for seat in given})
    return [
        {
            "name": key_of(seat),
            "type": "float",
            "default": 0,
            "range": [0, None],
            "help": HELP.format(LETTERS[seat]),
            "ruling": "",
            "value": points[0].get(seat, 0.0),
        }
        for seat in seats
    ]
