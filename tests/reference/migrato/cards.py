"""The cards of Migrato, its decks, and how cards on the table are written and read.

Notation: species letter, birds, phase (``B5D``, ``T2N``); Kites and Bee-eaters fly by day only and Stilts by
night only, so they are written without phase (``K3``). Dangers are ``Xd``, ``Xn`` and ``Xdn``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

SPECIES = {"B": "Brant", "K": "Kite", "S": "Stilt", "E": "Bee-eater", "T": "Teal"}
DAY_ONLY, NIGHT_ONLY = "KE", "S"
NIGHT_SPECIES = "BST"
DANGERS = {"Xd": "Hunter", "Xn": "Light Pollution", "Xdn": "Habitat Destruction"}
_CARD = re.compile(r"([KSE])([1-6])|([BT])([1-6])([DN])|(Xdn|Xd|Xn)")


@dataclass(eq=False)
class Card:
    """One card; two cards of a kind are still two cards.

    `forgotten`: it lies face down and its owner does not know it any more. `known`: it is in a hand and the
    opponent, from whom it was stolen, knows it.
    """

    text: str
    species: str = field(init=False)  # a letter; X for a danger
    birds: int = field(init=False)  # 0 for a danger
    night: bool = field(init=False)  # of a bird
    forgotten: bool = False
    known: bool = False

    def __post_init__(self) -> None:
        match = _CARD.fullmatch(self.text)
        if match is None:
            raise ValueError(f"no card of Migrato: {self.text!r}")
        self.species = self.text[0]
        self.birds = 0 if self.danger else int(self.text[1])
        self.night = not self.danger and (self.species in NIGHT_ONLY or self.text.endswith("N"))

    @property
    def danger(self) -> bool:
        return self.text[0] == "X"

    @property
    def order(self) -> tuple[int, int, int]:
        """The place in the order of pieces: by species, birds, day before night; then the dangers."""
        if self.danger:
            return len(SPECIES), list(DANGERS).index(self.text), 0
        return list(SPECIES).index(self.species), self.birds, int(self.night)

    @property
    def piece(self) -> str:
        """The name of the kind, such as ``Brant 4 night`` or ``Kite 3``."""
        if self.danger:
            return DANGERS[self.text]
        phase = "" if self.species in DAY_ONLY + NIGHT_ONLY else " night" if self.night else " day"
        return f"{SPECIES[self.species]} {self.birds}{phase}"

    def hits(self, target: Card) -> bool:
        """Whether this danger concerns the phase in which the bird `target` flies."""
        return ("n" if target.night else "d") in self.text[1:]


# -------------------------------------------------------------------- decks

_STAND_IN = {
    "B": {"3D": 2, "4D": 3, "5D": 2, "3N": 2, "4N": 3, "5N": 2},
    "K": {"2": 2, "3": 4, "4": 3, "5": 2},
    "S": {"1": 2, "2": 2, "3": 3, "4": 2, "5": 2},
    "E": {"1": 2, "2": 2, "3": 2, "4": 2},
    "T": {"1D": 1, "3D": 1, "5D": 1, "2N": 1, "4N": 1},
}
_ONE_TO_FIVE = {"1": 2, "2": 2, "3": 3, "4": 2, "5": 2}
DECKS = {
    "stand_in_v1": _STAND_IN,
    "stilt_six": _STAND_IN | {"S": {"1": 1, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2}},
    "flat": _STAND_IN | {"K": _ONE_TO_FIVE, "S": _ONE_TO_FIVE},
    "teal_swapped_phases": _STAND_IN | {"T": {"1D": 1, "2D": 1, "5D": 1, "3N": 1, "4N": 1}},
    "house_12234": _STAND_IN | {"T": {"1D": 1, "2D": 1, "3D": 1, "2N": 1, "4N": 1}},
    "house_12334": _STAND_IN | {"T": {"1D": 1, "3D": 2, "2N": 1, "4N": 1}},
}


def deck_of(name: str, dangers: dict[str, int], left_out: Iterable[str] = ()) -> list[str]:
    """All cards of a deck, as texts in piece order; `left_out` names pieces that lack one copy each."""
    kinds = {letter + rest: n for letter, counts in DECKS[name].items() for rest, n in counts.items()}
    kinds |= {text: dangers[piece] for text, piece in DANGERS.items()}
    cards = sorted((Card(text) for text, n in kinds.items() for _ in range(n)), key=lambda card: card.order)
    for piece in left_out:
        cards.remove(next(card for card in cards if card.piece == piece))
    return [card.text for card in cards]


# -------------------------------------------------------------------- writing and reading


def open_text(cards: Iterable[Card]) -> str:
    """Cards that lie open, or whose faces are written anyway, in the order given."""
    return " ".join(card.text for card in cards) or "-"


def hand_text(cards: Iterable[Card]) -> str:
    """A hand in piece order; of two copies the one that the opponent does not know comes first."""
    ordered = sorted(cards, key=lambda card: (card.order, card.known))
    return " ".join(card.text + "*" * card.known for card in ordered) or "-"


def column_text(column: Iterable[Card]) -> str:
    """A column in flight: night cards lie face down."""
    cards = (f"({card.text}{'?' * card.forgotten})" if card.night else card.text for card in column)
    return f"[{' '.join(cards)}]"


def read_card(text: str) -> Card:
    """A card with its marks: ``(S3)``, ``(S3?)``, ``S3*``."""
    bare = text.strip("()?*")
    return Card(bare, forgotten="?" in text, known="*" in text)


def read_cards(text: str) -> list[Card]:
    """Cards between blanks; ``-`` for none."""
    return [] if text.strip() in ("", "-") else [read_card(word) for word in text.split()]


def read_columns(text: str) -> list[list[Card]]:
    """Columns or piles in square brackets."""
    return [read_cards(part) for part in re.findall(r"\[([^\]]*)\]", text)]


def read_player(text: str) -> dict[str, str]:
    """The parts of a player's line by name: hand, columns, arrived."""
    parts = {}
    for part in text.split("|"):
        name, _, rest = part.strip().partition(" ")
        if name not in ("hand", "columns", "arrived"):
            raise ValueError(f"no part of a player's line: {part!r}")
        parts[name] = rest.strip()
    return parts
