"""Decks as data: copies and basic points of each card, in TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sim.core.errors import Refusal, nearest
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


def deck_names() -> list[str]:
    """Return the names of the decks that come with the game."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load_deck(name: str, base: Path | None = None) -> Deck:
    """Return the deck `name`, or read a file of one (path relative to `base`).

    Raises
    ------
    Refusal
        There is no such deck, or the file is none.
    """
    if name.endswith(".toml"):
        return read_deck((base or Path()) / name)
    if name not in deck_names():
        raise Refusal(f"deck = {name!r}: there is no such deck{nearest(name, deck_names())}")
    return _built_in(name)


@cache
def _built_in(name: str) -> Deck:
    return read_deck(FOLDER / f"{name}.toml")


def read_deck(path: Path) -> Deck:
    """Read a deck file; `Refusal` names what is wrong."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise Refusal(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path}: {error}") from None
    for key in data:
        if key not in _KEYS:
            raise Refusal(f"{path}: unknown key {key!r}{nearest(key, _KEYS)}")
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
