"""Positions in words: a line for each thing on the table, seat by seat."""

from __future__ import annotations

from typing import Any

SEATS = "ABCDEFGH"


def lines_of(things: dict[str, Any], players: int) -> list[str]:
    """Return "name: value" for each thing on the table; what each seat has stands apart."""
    return [f"{name}: {_value(value, players)}" for name, value in things.items()]


def by_seat(values: dict[int, Any]) -> str:
    """Return values by seat, as in ``A 3 | B 5``."""
    return " | ".join(f"{SEATS[seat]} {value}" for seat, value in values.items())


def _value(value: Any, players: int) -> str:
    if isinstance(value, list | tuple) and len(value) == players:
        return by_seat({seat: _inner(entry) for seat, entry in enumerate(value)})
    return _inner(value)


def _inner(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={_inner(entry)}" for key, entry in value.items()) or "none"
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple):
        rows = any(isinstance(entry, list | tuple) for entry in value)
        return (" ; " if rows else ", ").join(map(_inner, value)) or "none"
    return "-" if value is None else str(value)
