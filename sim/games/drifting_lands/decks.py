"""Decks as data: copies and basic points of each card, in TOML files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.core.files import Parts, read_numbers, read_part
from sim.games.drifting_lands.rules.params import CARDS

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


def read_deck(path: Path, where: str) -> Deck:
    """Return the deck that a file describes; `Refusal` names what is wrong."""
    data = read_part(path, where, _KEYS)
    counts = by_card(data.get("counts"), f"{where}: [counts]", MOST_COPIES)
    points = by_card(data.get("points"), f"{where}: [points]", MOST_POINTS)
    about, grade = (str(data.get(key, "")) for key in ("about", "grade"))
    return Deck(path.stem, about, grade, counts, points)


def by_card(table: Any, where: str, most: int) -> tuple[int, ...]:
    """Return a table of whole numbers by card in the order of the cards; a card left out has 0."""
    found = read_numbers(table, CARDS, "card", where, most)
    return tuple(found.get(card, 0) for card in CARDS)


DECKS = Parts("deck", Path(__file__).resolve().parent / "decks", read_deck)
