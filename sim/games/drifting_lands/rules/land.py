"""Continents: which tiles hang together, and how they move ("Drifting", "Splitting", "Orogeny")."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel
from sim.core.kinds import Count, Mask, RulesRecord, Seat, StateRecord, Whether
from sim.games.drifting_lands.rules.kinds import Card, Direction, Pawn, Space
from sim.games.drifting_lands.rules.state import LEVELS, MOUNTAIN, OCEAN, PRINTED, TILES

LEVEL_BITS = LEVELS.bit_length() - 1
assert 1 << LEVEL_BITS == LEVELS  # so that the seat and the level of a pawn are bits of its number


@kernel
def survey(rules: RulesRecord, state: StateRecord) -> None:
    """Number the tiles in reading order, find the continents anew where they merge, and add up their points."""
    n = 0
    merge = rules.continents_merge != 0
    for space in range(rules.n_spaces):
        if state.land[space] == OCEAN:
            state.number[space] = -1
            state.label[space] = -1
        else:
            state.tile[n] = space
            state.number[space] = n
            n += 1
            if merge:
                state.label[space] = -1
    state.n_tiles = n
    if merge:
        find_continents(rules, state)
    add_up(rules, state)


@kernel
def find_continents(rules: RulesRecord, state: StateRecord) -> None:
    """Label the tiles (-1 before) by what hangs together, in reading order."""
    stack = np.empty(TILES, dtype=np.int64)
    label = 0
    for k in range(state.n_tiles):
        if state.label[state.tile[k]] >= 0:
            continue
        stack[0] = state.tile[k]
        state.label[stack[0]] = label
        top = 1
        while top > 0:
            top -= 1
            space = stack[top]
            for d in range(6):
                other = np.int64(rules.near[space, d])
                if other >= 0 and state.land[other] != OCEAN and state.label[other] < 0:
                    state.label[other] = label
                    stack[top] = other
                    top += 1
        label += 1


@kernel
def tile_points(rules: RulesRecord, state: StateRecord, space: Space) -> Count:
    """Return the points of the tile on `space`."""
    points = np.int64(state.worth[space]) if rules.tile_value == PRINTED else np.int64(rules.value[space])
    return points * rules.mountain_factor if state.land[space] == MOUNTAIN else points


@kernel
def add_up(rules: RulesRecord, state: StateRecord) -> None:
    """Note the points of each continent's tiles."""
    state.continent[:] = 0
    most = np.int64(0)
    for k in range(state.n_tiles):
        space = np.int64(state.tile[k])
        label = np.int64(state.label[space])
        most = max(most, label + 1)
        state.continent[label] += tile_points(rules, state, space)
    state.n_continents = most


@kernel
def owner(pawn: Pawn) -> Any:
    """Return the seat of a pawn."""
    return (np.int64(pawn) - 1) >> LEVEL_BITS


@kernel
def level(pawn: Pawn) -> Any:
    """Return the level (1 to 4) of a pawn."""
    return ((np.int64(pawn) - 1) & (LEVELS - 1)) + 1


@kernel
def pawn_of(seat: Seat, its_level: Any) -> Any:
    """Return the number under which a space holds a pawn."""
    return 1 + LEVELS * np.int64(seat) + np.int64(its_level) - 1


@kernel
def to_supply(state: StateRecord, pawn: Pawn) -> None:
    """Put a pawn that leaves the board back into its owner's supply."""
    state.supply[owner(pawn), level(pawn) - 1] += 1
    state.lost[owner(pawn), level(pawn) - 1] += 1


@kernel
def remove_pawn(state: StateRecord, space: Space, card: Card) -> None:
    """Remove the pawn on `space`, if any, by what the mover does (`card` -1: the Drifting phase)."""
    pawn = state.pawn[space]
    if pawn == 0:
        return
    state.pawn[space] = 0
    to_supply(state, pawn)
    if card >= 0 and owner(pawn) != state.seat:
        state.harm[state.seat, card] += 1


@kernel
def tiles_of(state: StateRecord, label: Any) -> Any:
    """Return the mask of the tiles of a continent."""
    mask = np.int64(0)
    for k in range(state.n_tiles):
        if state.label[state.tile[k]] == label:
            mask |= bit(k)
    return mask


@kernel
def own_continents(state: StateRecord) -> Any:
    """Return the mask of continents with a pawn of the seat to move on them."""
    mask = np.int64(0)
    for k in range(state.n_tiles):
        space = state.tile[k]
        if state.pawn[space] != 0 and owner(state.pawn[space]) == state.seat:
            mask |= bit(state.label[space])
    return mask


@kernel
def can_shift(rules: RulesRecord, state: StateRecord, mask: Mask, d: Direction, spaces: Mask) -> Whether:
    """Return whether the tiles of `mask` can all go `spaces` spaces in direction `d`, step by step."""
    for k in range(state.n_tiles):
        if mask & bit(k) == 0:
            continue
        space = np.int64(state.tile[k])
        for _ in range(spaces):
            space = np.int64(rules.near[space, d])
            if space < 0:
                return False
            if state.number[space] >= 0 and mask & bit(state.number[space]) == 0:
                return False
    return True


@kernel
def shift(
    rules: RulesRecord, state: StateRecord, mask: Mask, d: Direction, spaces: Mask, card: Card, new_label: Any
) -> None:
    """Move the tiles of `mask` with all that is on them; pawns in the ocean before them are removed.

    `new_label` is the continent that the tiles are from now on (where continents do not merge), -1: as before.
    """
    where = np.empty(TILES, dtype=np.int64)
    held = np.empty((TILES, 4), dtype=np.int64)
    n = 0
    for k in range(state.n_tiles):
        if mask & bit(k) == 0:
            continue
        space = np.int64(state.tile[k])
        where[n] = space
        held[n, 0] = state.land[space]
        held[n, 1] = state.pawn[space]
        held[n, 2] = state.label[space]
        held[n, 3] = state.worth[space]
        state.land[space] = OCEAN
        state.pawn[space] = 0
        state.worth[space] = 0
        n += 1
    for _ in range(spaces):
        for i in range(n):
            where[i] = rules.near[where[i], d]
            remove_pawn(state, where[i], card)
    for i in range(n):
        state.land[where[i]] = held[i, 0]
        state.pawn[where[i]] = held[i, 1]
        state.label[where[i]] = held[i, 2] if new_label < 0 else new_label
        state.worth[where[i]] = held[i, 3]
    survey(rules, state)


@kernel
def free_label(state: StateRecord) -> Any:
    """Return the lowest number that no continent has."""
    used = np.int64(0)
    for k in range(state.n_tiles):
        used |= bit(state.label[state.tile[k]])
    label = 0
    while used & bit(label) != 0:
        label += 1
    return label


@kernel
def beside_ocean(rules: RulesRecord, state: StateRecord, space: Space) -> Whether:
    """Return whether an ocean space of the map lies next to `space`."""
    for d in range(6):
        other = rules.near[space, d]
        if other >= 0 and state.land[other] == OCEAN:
            return True
    return False


@kernel
def stack_tile(rules: RulesRecord, state: StateRecord, a: Any, b: Any, card: Card) -> None:
    """Flip the tile on `a` to its mountain side and lay it on the tile on `b` ("Orogeny")."""
    remove_pawn(state, a, card)
    remove_pawn(state, b, card)
    state.land[b] += 1
    if rules.tile_value == PRINTED:
        state.worth[b] = state.worth[a]
    state.worth[a] = 0
    state.land[a] = OCEAN
    survey(rules, state)
