"""Games of Drifting Lands played decision by decision with random actions, for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.checks.table import Table, make_cell, stream_of
from sim.core.rng import below
from sim.games.drifting_lands.game import GAME

SETTINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "two": (2, {}),
    "three, one card more or less": (3, {"lever": "both", "decline": True, "expelling": "may remove"}),
    "four, close land": (4, {"map": "gondwana", "ultra": "both", "drifting_phase": "may"}),
    "teams, land that stays apart": (
        4,
        {"team_variety": True, "continents_merge": False, "tile_value": "printed"},
    ),
    "two, any parts": (2, {"split_parts": "any", "mutating": "as one", "start_continents": "drawn"}),
    "three, dear land": (
        3,
        {"map": "bars", "orogeny_target": "any continent", "splitting_target": "any continent"},
    ),
}
"""Players and parameters that between them reach every rule."""


def play(name: str, seed: int) -> Iterator[tuple[Any, int | None]]:
    """Yield the table before every action with the action, and at the end with None."""
    players, parameters = SETTINGS[name]
    table = Table(GAME, make_cell(GAME, ["random"], players, parameters), seed)
    stream = stream_of(seed, 5)
    while not table.over:
        actions = table.actions()
        action = actions[int(below(stream, len(actions)))]
        yield table, action
        table.play(action)
    yield table, None


def pawns_on_board(state: Any) -> Any:
    """Return how many pawns of each seat and level stand on the board, as an array (4, 4)."""
    found = np.zeros((4, 4), dtype=int)
    for pawn in state["pawn"]:
        if pawn:
            found[(int(pawn) - 1) // 4, (int(pawn) - 1) % 4] += 1
    return found
