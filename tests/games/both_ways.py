"""Whole games as JSON, to compare the compiled rules with the same source run as plain Python.

``NUMBA_DISABLE_JIT=1 python -W error::RuntimeWarning -m tests.games.both_ways [GAMES]``
"""

from __future__ import annotations

import json
import sys
from typing import Any

from sim.checks.table import make_job
from sim.core.game import Entrant, get_game
from sim.core.play import play_chunk
from sim.core.seeds import deal_seed

WEIGHTS = {"Bass": 2.0, "Wolf": 1.0, "Rats": 3.5, "Sparrow": 2.0, "Cactus": 1.0, "Fly": 1.0, "Lizard": 1.0}
DECK = {"Bass": 3, "Oak": 2, "Rats": 2, "Sparrow": 2, "Lizard": 2, "Poison Oak": 1}
TABLES: dict[str, tuple[dict[str, Any], list[Entrant]]] = {
    "2 random": ({"bans": "random 3"}, [Entrant("a", "random"), Entrant("b", "random")]),
    "2 greedy": ({}, [Entrant("a", "greedy"), Entrant("b", "greedy", {"jitter": 0.5})]),
    "2 mixed, decks": (
        {"map": "wilds", "migrate_over_ocean": "paid", "sparrow_must_cover": False},
        [Entrant("a", "greedy", deck="deck", deck_counts=DECK), Entrant("b", "random")],
    ),
    "2 mixed, weights": (
        {"map": "lagoon", "lizard_trigger": "any move", "jackal_counts": "piece", "end_rule": "full round"},
        [Entrant("a", "greedy", deck="w", deck_counts=WEIGHTS), Entrant("b", "random", bans=["Oak"])],
    ),
    "3 founder": (
        {"map": "founder", "bans": "random 2", "first_player": "drawn", "short_payment": "what you can"},
        [Entrant(name, bot) for name, bot in (("a", "greedy"), ("b", "random"), ("c", "greedy"))],
    ),
    "4 founder": (
        {"map": "founder", "plate_shapes": "bars", "enclosed_sea": "neither", "skunk_concerns": "all"},
        [Entrant(name, bot) for name, bot in zip("abcd", ["random", "greedy"] * 2)],
    ),
    "2 drafted": (
        {"draft": True, "age_mode": "era", "bans": "random 2"},
        [Entrant("a", "greedy"), Entrant("b", "random")],
    ),
    "3 agenda, oaths": (
        {"age_mode": "agenda", "oaths": True, "teams": "bot", "adjacent_migration": True},
        [Entrant(name, bot) for name, bot in (("a", "greedy"), ("b", "random"), ("c", "greedy"))],
    ),
    "2 scenario": ({"age_mode": "scenario"}, [Entrant("a", "greedy"), Entrant("b", "random")]),
    "4 basic": ({"abilities": False, "comeback": False}, [Entrant(name, "random") for name in "abcd"]),
    "drifting_lands: 2": ({"lever": "both"}, [Entrant("a", "greedy"), Entrant("b", "random")]),
    "drifting_lands: 3": (
        {
            "map": "gondwana",
            "split_parts": "any",
            "ultra": "both",
            "start_continents": "drawn",
            "decline": True,
        },
        [Entrant(name, bot) for name, bot in (("a", "random"), ("b", "greedy"), ("c", "random"))],
    ),
    "drifting_lands: teams": (
        {"team_variety": True, "continents_merge": False, "tile_value": "printed", "expelling": "may remove"},
        [Entrant(name, bot) for name, bot in zip("abcd", ["random", "greedy"] * 2)],
    ),
    "migrato: printed": ({"left_out": "random 2"}, [Entrant("a", "greedy"), Entrant("b", "random")]),
    "migrato: digital": ({"rules": "digital"}, [Entrant("a", "greedy"), Entrant("b", "greedy")]),
    "migrato: free": (
        {
            "rules": "digital",
            "memory": 0.7,
            "mixed": "allowed",
            "undo_moves": False,
            "incomplete_reveal": "return",
            "discard_stolen": False,
            "end": "settlements",
            "finish": "round",
            "ties": "settlements then second",
        },
        [Entrant("a", "random"), Entrant("b", "greedy")],
    ),
    "mars: 2": (
        {"turn_cap": 20, "start_building": "choice", "dealt_event": "random"},
        [Entrant("a", "greedy"), Entrant("b", "random")],
    ),
    "mars: 4": (
        {
            "turn_cap": 60,
            "trade_offers": 3,
            "trading": "up to two",
            "link": "tunnels",
            "cards": "hidden",
            "never": "random 1",
            "injury_med": "choice",
        },
        [Entrant(name, "random") for name in "abcd"],
    ),
}
"""Parameters and players; a name may begin with the game, else it is Migration."""


def games(name: str, count: int) -> list[dict[str, Any]]:
    """Return the first `count` games of a table: everything that was drawn, chosen and scored."""
    game = get_game(name.partition(": ")[0] if ": " in name else "migration")
    parameters, entrants = TABLES[name]
    cell = game.prepare(parameters, len(entrants), entrants)
    seeds = [int(seed) for seed in deal_seed(11, range(count))]
    chunk = play_chunk(game, [cell], make_job([cell], seeds), "decisions")
    assert chunk.decisions is not None
    assert chunk.pieces is not None
    found = []
    for g, seed in enumerate(seeds):
        mine = chunk.decisions["game"] == g
        row: dict[str, Any] = {"table": name, "seed": seed, "drawn": chunk.drawn[g].tolist()}
        row |= {field: values[g].item() for field, values in chunk.games.items()}
        row |= {f"seat {field}": values[g].tolist() for field, values in chunk.seats.items()}
        row |= {f"pieces {field}": values[g].tolist() for field, values in chunk.pieces.items()}
        row |= {f"at {field}": values[mine].tolist() for field, values in chunk.decisions.items()}
        found.append(row)
    return found


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    print(json.dumps([row for table in TABLES for row in games(table, number)]))
