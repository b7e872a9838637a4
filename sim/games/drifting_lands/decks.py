"""Decks as data: copies and basic points of each card, in TOML files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sim.core.errors import Refusal, nearest
from sim.core.files import part_path, read_part
from sim.games.drifting_lands.rules.params import CARDS

FOLDER = Path(__file__).resolve().parent / "decks"
MOST_COPIES, MOST_POINTS = 12, 12
_KEYS = ("about", "grade", "counts", "points")


@dataclass(frozen=True)
class Deck:
    """A deck: what it is, and by card the copies and the points of one left unused."""

    name: str
    about: str
    grade: str
    counts: tuple[int, ...]
    points: tuple[int, ...]


def load_deck(name: str, base: Path | None = None) -> Deck:
    """Return the deck `name`, or read a file of one (path relative to `base`).

    Raises
    ------
    Refusal
        There is no such deck, or the file is none.
    """
    path = part_path(name, FOLDER, base, "deck")
    return _built_in(path) if path.parent == FOLDER else read_deck(path)


@cache
def _built_in(path: Path) -> Deck:
    return read_deck(path)


def read_deck(path: Path) -> Deck:
    """Read a deck file; `Refusal` names what is wrong."""
    data = read_part(path, str(path), _KEYS)
    counts = numbers(data.get("counts"), f"{path}: [counts]", MOST_COPIES)
    points = numbers(data.get("points"), f"{path}: [points]", MOST_POINTS)
    about, grade = (str(data.get(key, "")) for key in ("about", "grade"))
    return Deck(path.stem, about, grade, counts, points)


def numbers(table: Any, where: str, most: int) -> tuple[int, ...]:
    """Return a table of whole numbers by card in the order of the cards; a card left out has 0."""
    if not isinstance(table, Mapping):
        raise Refusal(f"{where} must be a table with a number for each card")
    for name, value in table.items():
        if name not in CARDS:
            raise Refusal(f"{where}: there is no card {name!r}{nearest(name, CARDS)}")
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise Refusal(f"{where}: {name} = {value!r} is no whole number from 0 to {most}")
    return tuple(int(table.get(card, 0)) for card in CARDS)
