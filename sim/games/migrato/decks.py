"""The deck: presets, files of one's own, and the check of what the rulebooks say of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sim.core.errors import Refusal, nearest
from sim.core.files import read_numbers, read_part
from sim.games.migrato.rules.params import DANGERS, MOST_CARDS, N_BIRDS, PIECES, SHORT, SPECIES

TOTALS = {"Brant": 14, "Kite": 11, "Stilt": 11, "Bee-eater": 8, "Teal": 5}
"""Cards of each species by the printed rules."""


def _preset(**changes: str) -> dict[str, int]:
    """Return copies by piece from rows such as ``"3:2 4:3 5:2"`` (birds:copies) for a species and phase."""
    rows = {
        "Brant_day": "3:2 4:3 5:2",
        "Brant_night": "3:2 4:3 5:2",
        "Kite": "2:2 3:4 4:3 5:2",
        "Stilt": "1:2 2:2 3:3 4:2 5:2",
        "Bee-eater": "1:2 2:2 3:2 4:2",
        "Teal_day": "1:1 3:1 5:1",
        "Teal_night": "2:1 4:1",
        **changes,
    }
    counts = {}
    for row, text in rows.items():
        species, _, phase = row.partition("_")
        for part in text.split():
            birds, copies = part.split(":")
            counts[f"{species} {birds} {phase}".strip()] = int(copies)
    return counts


PRESETS: dict[str, dict[str, int]] = {
    "stand_in_v1": _preset(),
    "stilt_six": _preset(Stilt="1:1 2:2 3:2 4:2 5:2 6:2"),
    "flat": _preset(Kite="1:2 2:2 3:3 4:2 5:2", Stilt="1:2 2:2 3:3 4:2 5:2"),
    "teal_swapped_phases": _preset(Teal_day="1:1 2:1 5:1", Teal_night="3:1 4:1"),
    "house_12234": _preset(Teal_day="1:1 2:1 3:1", Teal_night="2:1 4:1"),
    "house_12334": _preset(Teal_day="1:1 3:2", Teal_night="2:1 4:1"),
}
HOUSE_RULES = ("house_12234", "house_12334")
"""Presets that leave the published Teal cards on purpose."""


def piece_code(name: str, where: str) -> int:
    """Return the number of a piece by its name ("Kite 3") or short form ("K3")."""
    for names in (PIECES, SHORT):
        for code, piece in enumerate(names):
            if piece.replace(" ", "").lower() == name.replace(" ", "").lower():
                return code
    raise Refusal(f"{where}: there is no card {name!r}{nearest(name, PIECES)}")


def read_deck(path: Path) -> dict[str, int]:
    """Read a deck file: ``[card]``, one line a card and its copies.

    Raises
    ------
    Refusal
        It cannot be read, or holds something else than cards and copies.
    """
    where = f"deck '{path.name}'"
    table = read_part(path, where, ("game", "name", "about", "card")).get("card")
    if not table:
        raise Refusal(f'{where}: a table [card] names the cards, such as "Kite 3" = 4')
    return read_numbers(table, PIECES, "card", f"{where}: [card]", MOST_CARDS, SHORT)


def copies_of(deck: str, dangers: Mapping[str, int], check: bool, base: Path | None) -> list[int]:
    """Return the copies of every piece of a deck, by code.

    Parameters
    ----------
    deck
        A preset, or a TOML file (relative to `base`).
    dangers
        Copies of the danger cards, unless the file names some itself.
    check
        Whether `validate_deck` must hold (house rules among the presets are spared).
    """
    if deck.endswith(".toml"):
        counts = read_deck((base or Path()) / deck)
    elif deck in PRESETS:
        counts = PRESETS[deck]
    else:
        raise Refusal(f"deck = {deck!r}: there is no such deck{nearest(deck, PRESETS)}")
    if not any(name in counts for name in DANGERS):
        counts = {**counts, **dangers}
    copies = [counts.get(piece, 0) for piece in PIECES]
    if sum(copies) > MOST_CARDS:
        raise Refusal(f"deck = {deck!r}: {sum(copies)} cards are more than {MOST_CARDS}")
    if check and deck not in HOUSE_RULES:
        validate_deck(copies, deck)
    return copies


def validate_deck(copies: list[int], deck: str) -> None:
    """Refuse a deck that breaks the printed totals or what the rules say of single cards (deductions 1 and 2)."""
    hint = "; check_deck = false allows it"

    def refuse(text: str) -> None:
        raise Refusal(f"deck = {deck!r}: {text}{hint}")

    by_name = dict(zip(PIECES, copies))
    for species, total in TOTALS.items():
        found = sum(n for piece, n in list(by_name.items())[:N_BIRDS] if piece.split()[0] == species)
        if found != total:
            refuse(f"{found} {species} cards, the rulebook has {total}")
    for piece, n in by_name.items():
        species = piece.split()[0]
        birds = next((int(word) for word in piece.split() if word.isdecimal()), 0)
        if species == "Brant" and n and birds not in (3, 4, 5):
            refuse(f"{piece}, but Brants fly at 3, 4 or 5")
        if species == "Teal" and n and birds not in (1, 2, 3, 4, 5):
            refuse(f"{piece}, but Teals fly at 1 to 5, one of each")
    for name in ("Brant 5 night", "Stilt 1", "Kite 3", "Teal 5 day", "Teal 4 night", "Teal 1 day"):
        if not by_name[name]:
            refuse(f"no {name}, which the rulebooks name")
    for birds in range(1, 6):
        found = by_name[f"Teal {birds} day"] + by_name[f"Teal {birds} night"]
        if found != 1:
            refuse(f"{found} Teals with {birds} birds, but there is one of each from 1 to 5")


assert all(sum(counts.values()) == sum(TOTALS.values()) for counts in PRESETS.values())
assert set(TOTALS) == set(SPECIES)
