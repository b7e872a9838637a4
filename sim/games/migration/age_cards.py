"""Age Cards by name: the nine of the box, and a designer's own from a TOML file.

An own card is a set of the rule switches that the printed cards are made of::

    [card."Lean Years"]
    switches = ["famine", "no_expansion"]
    about = "hunger drives everybody on"
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.core.errors import Refusal, nearest
from sim.core.files import check_keys, read_part
from sim.games.migration.rules.params import AGE_CARDS, MAX_CARDS, SWITCHES

ABOUT = {
    "Exploration": "for each Region of a Migration the mover chooses whether to lay Wasteland",
    "Wandering": "at the beginning of a turn one own Town must move one space",
    "Cooperation": "the first Town of a turn may get a second one on top",
    "Treaties": "no Migration",
    "Nostalgia": "at the end of a turn the Spirit leaves and may return to a Town it did not visit",
    "Restlessness": "no Expansion",
    "Famine": "at the end of a turn one Wasteland must be laid beside the Spirit",
    "Aggression": "at the end of a turn an enemy Town beside the Spirit may be pushed one space",
    "Strife": "instead of a Town one may cover an enemy Town beside the Spirit",
}


def read_cards(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the own cards of a file: name and switches.

    Raises
    ------
    Refusal
        The file cannot be read, or a card names an unknown switch.
    """
    cards = read_part(path, f"Age Cards '{path}'", ("card", "game")).get("card")
    if not isinstance(cards, dict) or not cards:
        raise Refusal(f"Age Cards '{path}': there is no [card.NAME] in it")
    return {name: _switches(card, f"Age Cards '{path}', card {name!r}") for name, card in cards.items()}


def _switches(card: Any, where: str) -> tuple[str, ...]:
    if not isinstance(card, Mapping):
        raise Refusal(f"{where}: must be a table with switches = [...]")
    check_keys(card, ("switches", "about"), where)
    switches = card.get("switches")
    if not isinstance(switches, list) or not switches:
        raise Refusal(f"{where}: switches must be a list of some of {', '.join(SWITCHES)}")
    for name in switches:
        if name not in SWITCHES:
            raise Refusal(f"{where}: unknown switch {name!r}{nearest(name, SWITCHES)}")
    if {"no_migration", "no_expansion"} <= set(switches):
        raise Refusal(f"{where}: no_migration and no_expansion together leave nothing but entries")
    return tuple(switches)


def deck_of(names: list[str], age_file: str, base: Path | None) -> dict[str, tuple[str, ...]]:
    """Return the cards of the deck, in order: those named, of the box or of the file.

    With a file and the default names, the file's cards are added to the nine.
    """
    known: dict[str, tuple[str, ...]] = dict(AGE_CARDS)
    if age_file:
        own = read_cards((base or Path()) / age_file)
        twice = next((name for name in own if name in known), None)
        if twice is not None:
            raise Refusal(f"Age Cards '{age_file}': {twice!r} is the name of a printed card")
        known |= own
        if names == list(AGE_CARDS):
            names = list(known)
    for name in names:
        if name not in known:
            raise Refusal(f"age_cards: there is no Age Card {name!r}{nearest(name, known)}")
    if len(names) > MAX_CARDS or len(set(names)) < len(names):
        raise Refusal(f"age_cards: at most {MAX_CARDS} cards, each once")
    return {name: known[name] for name in names}


def mask_of(switches: tuple[str, ...]) -> int:
    """Return switches as bits."""
    return sum(1 << SWITCHES.index(name) for name in switches)
