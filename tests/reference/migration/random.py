"""Boards of Migration as the referee takes them, and random games over all its parameters."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from tests.reference.migration.ages import CARDS, MODES, SWITCHES
from tests.reference.migration.position import DEFAULTS, PIECES, TERRAINS, Hex, neighbours
from tests.reference.migration.referee import Referee

Board = dict[Hex, dict[str, Any]]

# Per parameter the values to draw from.
ALTERNATIVES: dict[str, list[Any]] = {
    name: [True, False] for name, default in DEFAULTS.items() if isinstance(default, bool)
} | {
    "abilities": [True, True, True, False],
    "rats_points": [0, 2, 3],
    "jackal_base": [0, 1],
    "jackal_points": [0, 1, 2],
    "fertile_points": [0, 1, 2],
    "desert_penalty": [0, 1, 2],
    "cactus_penalty": [0, 1, 2],
    "wolf_needs": [1, 2, 3],
    "migrate_over_ocean": ["never", "free", "paid"],
    "enclosed_sea": ["coastal", "neither"],
    "covered_forest": ["lost", "kept"],
    "short_payment": ["illegal", "what you can"],
    "jackal_counts": ["region", "piece"],
    "end_rule": ["auto", "position", "full round"],
    "oak_from": ["anywhere", "board", "never"],
    "fly_lands_by": ["both", "expansion", "migration", "never"],
    "skunk_concerns": ["nobody", "enemies", "own", "all"],
    "wolf_concerns": ["nobody", "enemies", "own", "all"],
    "poison_oak_concerns": ["nobody", "enemies", "own", "all"],
    "cactus_concerns": ["nobody", "enemies", "own", "all"],
    "lizard_trigger": ["established", "any move"],
    "cactus_after_oak": ["start", "oak"],
    "oasis_first_turn": ["own", "game", "round"],
    "persistent": [[], ["Deep Woods"], ["Fertile", "Mountain", "Desert"], list(DEFAULTS["persistent"])],
    "bass_enters": ["coast", "anywhere", "nowhere"],
    "wolf_enters": ["forest", "anywhere", "nowhere"],
}


def land(
    hexes: Iterable[Hex],
    terrain: dict[Hex, str] | None = None,
    forest: Iterable[Hex] = (),
    sea: Iterable[Hex] = (),
) -> Board:
    """A board with at most one modifier a hex; Deserts in the sea are among `hexes` and named in `sea`."""
    terrain = terrain or {}
    return {
        h: {"terrain": {terrain[h]} if h in terrain else set(), "forest": h in forest, "sea": h in sea}
        for h in hexes
    }


def random_board(rng: random.Random) -> Board:
    """A connected patch of 8 to 22 hexes with a few modifiers, forests and Deserts in the sea."""
    hexes, size = [(0, 0)], rng.randint(8, 22)
    while len(hexes) < size:
        h = rng.choice(neighbours(rng.choice(hexes)))
        if h not in hexes:
            hexes.append(h)
    terrain = {h: rng.choice(TERRAINS) for h in hexes if rng.random() < 0.3}
    forest = [h for h in hexes if rng.random() < 0.3]
    shore = sorted({n for h in hexes for n in neighbours(h)} - set(hexes))
    sea = rng.sample(shore, rng.randint(0, 2))
    return land([*hexes, *sea], terrain | dict.fromkeys(sea, "Desert"), forest, sea)


def random_params(rng: random.Random) -> dict[str, Any]:
    """The defaults, three parameters drawn, or all of them drawn, equally often."""
    chosen = rng.sample(sorted(ALTERNATIVES), rng.choice([0, 3, len(ALTERNATIVES)]))
    return {name: rng.choice(ALTERNATIVES[name]) for name in chosen}


def random_teams(rng: random.Random) -> list[dict[str, int]]:
    """Two to four teams of 3 to 12 Explorers, at most three of a type."""
    teams = []
    for _ in range(rng.randint(2, 4)):
        pool = rng.sample([kind for kind in PIECES for _ in range(3)], rng.randint(3, 12))
        teams.append({kind: pool.count(kind) for kind in PIECES})
    return teams


def random_variant_params(rng: random.Random) -> dict[str, Any]:
    """Values for `VARIANTS`, drawn apart from `random_params`, whose seeds so keep their games."""
    return {"oaths": rng.random() < 0.5, "adjacent_migration": rng.random() < 0.3}


def random_ages(
    rng: random.Random, seats: int = 4, mode: str | None = None, only: list[str] | None = None
) -> dict[str, Any]:
    """A mode and a shuffled deck: the nine cards, or some of them among own ones of one to three switches.

    The deck has a card for each of `seats` at least, so that it serves for an Agenda of fewer players too. `mode` and
    the cards (`only` these) may be given.
    """
    mode = mode or rng.choice(MODES[1:])
    if only:
        return {"mode": mode, "cards": {name: set(CARDS[name]) for name in only}, "deck": only}
    cards = {name: set(switches) for name, switches in CARDS.items()}
    if rng.random() < 0.5:
        kept = rng.sample(sorted(CARDS), rng.randint(0, 4))
        own = {f"Own{i}": set(rng.sample(SWITCHES, rng.randint(1, 3))) for i in range(seats)}
        cards = {name: CARDS[name] for name in kept} | own
    deck = rng.sample(sorted(cards), len(cards))
    if mode == "scenario":
        deck = deck[:1]
    elif mode == "agenda":
        deck = deck[:seats]
    return {"mode": mode, "cards": cards, "deck": deck}


def random_game(rng: random.Random, params: dict[str, Any], ages: dict[str, Any] | None = None) -> Referee:
    """A fresh game on a random board with random teams."""
    return Referee(random_board(rng), random_teams(rng), params, ages=ages)
