"""What is drawn during play, and how it is told: each outcome is remembered until the next action."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Index, Mask, RulesRecord, StateRecord, Stream
from sim.core.rng import below
from sim.games.mars.rules.state import FATE_FACE, FATE_KIND, FATE_ROLL, FATE_TILE, MAX_FATES, N_FACES
from sim.games.mars.rules.tiles import nth, size


@kernel
def _told(state: StateRecord, kind: Index, outcome: Any) -> None:
    if state.n_fates < MAX_FATES:
        state.fates[state.n_fates] = kind * FATE_KIND + outcome
        state.n_fates += 1


@kernel
def roll(rules: RulesRecord, state: StateRecord, stream: Stream) -> Any:
    """Roll the numbered die: 1 .. sides."""
    number = np.int64(state.fate)
    if number < 0:
        number = below(stream, np.int64(rules.move_die)) + 1
    state.fate = -1
    _told(state, FATE_ROLL, number)
    return number


@kernel
def face(rules: RulesRecord, state: StateRecord, stream: Stream) -> Any:
    """Roll the exploration die and return the face."""
    shown = np.int64(state.fate)
    if shown < 0:
        sides = np.int64(0)
        for k in range(N_FACES):
            sides += rules.die[k]
        side = below(stream, sides)
        shown = np.int64(0)
        while side >= rules.die[shown]:
            side -= rules.die[shown]
            shown += 1
    state.fate = -1
    _told(state, FATE_FACE, shown)
    return shown


@kernel
def tile_of(rules: RulesRecord, state: StateRecord, stream: Stream, low: Mask, high: Mask) -> Any:
    """Draw one tile of a set that is not empty."""
    tile = np.int64(state.fate)
    if tile < 0:
        tile = nth(low, high, below(stream, size(low, high)))
    state.fate = -1
    _told(state, FATE_TILE, tile)
    return tile
