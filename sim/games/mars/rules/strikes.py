"""Meteorites, Salvage, and how buildings are lost (R61 to R71)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Count, Index, RulesRecord, Seat, StateRecord, Whether
from sim.games.mars.rules.kinds import Tile
from sim.games.mars.rules.placing import strike_sites
from sim.games.mars.rules.population import capacity, house, house_all, lose_flag, perish
from sim.games.mars.rules.state import (
    EVENT,
    HABITAT,
    MED,
    METEORITES,
    MINES_DUE,
    N_STRUCTURES,
    NOTHING,
    RESOLVE,
    SALVAGE,
    STRIKE,
    TUNNEL,
    TUNNEL_BELOW,
    TUNNELS_OUT,
)
from sim.games.mars.rules.stores import give_back
from sim.games.mars.rules.tiles import bury, clear, crash, lift


@kernel
def bay_load(state: StateRecord, seat: Seat) -> Count:
    """Return how many buildings lie in the seat's Salvage bay."""
    load = np.int64(0)
    for kind in range(N_STRUCTURES):
        load += state.bay[seat, kind]
    return load


@kernel
def ask_strike(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Ask `seat` for a tile, if there is a meteorite and a tile for it (R62)."""
    low, high = strike_sites(rules, state)
    if (low | high) != 0 and state.bank[METEORITES] != 0:
        state.phase = STRIKE
        state.seat = seat


@kernel
def strike(rules: RulesRecord, state: StateRecord, by: Any, tile: Tile) -> None:
    """Let a meteorite fall on a legal tile; a building's owner is asked."""
    kind = np.int64(state.what[tile])
    owner = np.int64(state.owner[tile])
    if kind != NOTHING:
        lift(rules, state, tile)
    crash(rules, state, tile)
    if state.bank[METEORITES] > 0:
        state.bank[METEORITES] -= 1
    if kind == TUNNEL and rules.cleared == TUNNEL_BELOW:
        bury(state, owner, tile)
    elif kind == TUNNEL and rules.lost_tunnels == TUNNELS_OUT:
        state.tunnels_out[owner] += 1
    house_all(rules, state)
    if kind != NOTHING:
        state.lost[owner, kind] += 1
        if owner != by and kind != TUNNEL:
            if state.stage == EVENT:
                state.harm[by, state.event] += 1
        if kind != TUNNEL and state.gone[owner] == 0:
            lose_building(rules, state, owner, kind, False)


@kernel
def remove_meteorite(rules: RulesRecord, state: StateRecord, tile: Tile) -> None:
    """Take a meteorite off the terrain and back to the treasury."""
    clear(rules, state, tile)
    if rules.cleared == TUNNEL_BELOW:  # it may link to the Embassy again
        house_all(rules, state)
    if state.bank[METEORITES] >= 0:
        state.bank[METEORITES] += 1


@kernel
def lose_building(rules: RulesRecord, state: StateRecord, owner: Seat, kind: Index, defaulted: Any) -> None:
    """A building has left the board: into Salvage by itself (a default), or as its owner decides (R48).

    Population without other housing is held in `homeless` until the owner has answered.
    """
    if defaulted:
        if bay_load(state, owner) < rules.salvage_bay:
            state.bay[owner, kind] += 1
            return
        if rules.default_swap == 0:
            return
    state.struck = kind
    state.struck_owner = owner
    state.defaulted = 1 if defaulted else 0
    state.homeless = 0
    if kind == HABITAT:
        state.homeless = max(np.int64(0), np.int64(state.pop[owner]) - capacity(rules, state, owner))
    state.phase = SALVAGE
    state.seat = owner


@kernel
def _closed(rules: RulesRecord, state: StateRecord) -> None:
    owner = np.int64(state.struck_owner)
    for _k in range(state.homeless):
        perish(rules, state, owner)
    state.homeless = 0
    state.struck = -1
    state.struck_owner = -1
    if state.defaulted != 0 and state.stage == MINES_DUE:
        state.due -= 1
    state.defaulted = 0
    state.phase = RESOLVE
    house(rules, state, owner)


@kernel
def salvage(rules: RulesRecord, state: StateRecord, with_population: Whether) -> None:
    """The struck building goes into the bay, with one population for a Med Pack (R66)."""
    owner = np.int64(state.struck_owner)
    state.bay[owner, state.struck] += 1
    if with_population:
        give_back(state, owner, np.int64(MED), np.int64(1))
        state.bay_pop[owner] += 1
        state.pop[owner] -= 1
        state.homeless = max(np.int64(0), np.int64(state.homeless) - 1)
    _closed(rules, state)


@kernel
def let_go(rules: RulesRecord, state: StateRecord) -> None:
    """The struck building returns to stock; population without housing dies (R67)."""
    _closed(rules, state)


@kernel
def time_is_up(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """The seat's next turn is over: what it did not return from Salvage is lost, meteorites stay (R65)."""
    state.fresh[seat, :] = 0
    for kind in range(N_STRUCTURES):
        state.bay[seat, kind] = 0
    for _k in range(state.bay_pop[seat]):
        lose_flag(rules, state, seat)
    state.bay_pop[seat] = 0


@kernel
def discard(rules: RulesRecord, state: StateRecord, kind: Index, with_population: Whether) -> None:
    """Throw a building out of the bay; one that was lost by default then goes in by itself (R48, R68, R96)."""
    owner = np.int64(state.seat)
    state.bay[owner, kind] -= 1
    if with_population:
        state.bay_pop[owner] -= 1
        lose_flag(rules, state, owner)
    if state.defaulted != 0:
        state.bay[owner, state.struck] += 1
        _closed(rules, state)
