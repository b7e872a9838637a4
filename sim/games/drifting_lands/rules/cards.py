"""What each card may do: its legal targets, and how breeding and evolving change pawns ("About Cards")."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel
from sim.core.kinds import Count, Index, RulesRecord, StateRecord, Whether
from sim.games.drifting_lands.rules.kinds import Card, Pawn, Space
from sim.games.drifting_lands.rules.land import (
    beside_ocean,
    can_shift,
    level,
    own_continents,
    owner,
    pawn_of,
    tiles_of,
)
from sim.games.drifting_lands.rules.moving import MOST_STEPS, clear_costs, reach
from sim.games.drifting_lands.rules.splitting import parts
from sim.games.drifting_lands.rules.state import (
    ANY_CONTINENT,
    AS_ONE,
    BREED,
    CARD_AT,
    CARD_DRIFT,
    CARD_SPLIT,
    DO_DRIFT,
    DRIFTING,
    EVOLVE,
    EVOLVE_INSTEAD,
    EVOLVING,
    FIRST_AT,
    KIND_AT,
    LEVELS,
    MIGRATING,
    MOVE,
    MOVING,
    MUTATING,
    NO_MOVE,
    OROGENY,
    PLAIN,
    RAISE,
    ROOM,
    SPLITTING,
    ULTRA_ANY,
    ULTRA_DRIFTING,
    ULTRA_SPLITTING,
    ULTRA_TWO,
)


@kernel
def act(kind: Index, card: Card, a: Any, b: Any) -> Count:
    """Return the number of an action."""
    return np.int64(kind) << KIND_AT | np.int64(card) << CARD_AT | np.int64(a) << FIRST_AT | np.int64(b)


@kernel
def span_of(rules: RulesRecord, card: Card) -> Count:
    """Return how many spaces a card moves tiles."""
    ultra = card == ULTRA_DRIFTING or card == ULTRA_SPLITTING
    return 2 if ultra and rules.ultra != ULTRA_ANY else 1


@kernel
def targets_any(rules: RulesRecord, card: Card) -> Whether:
    """Return whether a card may target a continent without an own pawn."""
    from_ultra = rules.ultra != ULTRA_TWO
    if card == OROGENY:
        return rules.orogeny_target == ANY_CONTINENT
    if card == DRIFTING or card == ULTRA_DRIFTING:
        return rules.drifting_target == ANY_CONTINENT or (card == ULTRA_DRIFTING and from_ultra)
    return rules.splitting_target == ANY_CONTINENT or (card == ULTRA_SPLITTING and from_ultra)


@kernel
def targeted(rules: RulesRecord, state: StateRecord, card: Card) -> Any:
    """Return the mask of continents that a card (-1: the Drifting phase) may target."""
    if card >= 0 and targets_any(rules, card):
        every = np.int64(0)
        for k in range(state.n_tiles):
            every |= bit(state.label[state.tile[k]])
        return every
    return own_continents(state)


@kernel
def list_drifts(rules: RulesRecord, state: StateRecord, card: Card, out: Any, n: Count) -> Any:
    """Add every continent and direction that may be moved (`card` -1: the Drifting phase)."""
    labels = targeted(rules, state, card)
    spaces = span_of(rules, card)
    for k in range(state.n_tiles):  # a continent is named by its first tile
        label = state.label[state.tile[k]]
        if labels & bit(label) == 0:
            continue
        labels &= ~bit(label)
        mask = tiles_of(state, label)
        for d in range(6):
            if can_shift(rules, state, mask, d, spaces):
                kind = DO_DRIFT if card < 0 else CARD_DRIFT
                out[n] = act(kind, max(card, 0), state.tile[k], d)
                n += 1
    return n


@kernel
def list_splits(rules: RulesRecord, state: StateRecord, card: Card, out: Any, n: Count) -> Any:
    """Add every continent and direction for which a part may be split off."""
    labels = targeted(rules, state, card)
    spaces = span_of(rules, card)
    one = np.empty(1, dtype=np.int32)
    for k in range(state.n_tiles):
        label = state.label[state.tile[k]]
        if labels & bit(label) == 0:
            continue
        labels &= ~bit(label)
        mask = tiles_of(state, label)
        for d in range(6):
            if parts(rules, state, mask, d, spaces, 1, one) > 0:
                out[n] = act(CARD_SPLIT, card, state.tile[k], d)
                n += 1
    return n


@kernel
def hangs_together_without(rules: RulesRecord, state: StateRecord, space: Space) -> Whether:
    """Return whether the continent of `space` stays in one piece without the tile there."""
    label = state.label[space]
    stack = np.empty(ROOM, dtype=np.int64)
    seen = np.zeros(ROOM, dtype=np.int8)
    total = 0
    found = 0
    top = 0
    for k in range(state.n_tiles):
        tile = np.int64(state.tile[k])
        if tile == space or state.label[tile] != label:
            continue
        total += 1
        if total == 1:
            stack[0] = tile
            seen[tile] = 1
            top = 1
    while top > 0:
        top -= 1
        here = stack[top]
        found += 1
        for d in range(6):
            other = np.int64(rules.near[here, d])
            if other >= 0 and other != space and state.label[other] == label and seen[other] == 0:
                seen[other] = 1
                stack[top] = other
                top += 1
    return found == total


@kernel
def list_orogeny(rules: RulesRecord, state: StateRecord, out: Any, n: Count) -> Any:
    """Add every plain tile beside the ocean with every plain tile next to it."""
    labels = targeted(rules, state, OROGENY)
    for k in range(state.n_tiles):
        a = np.int64(state.tile[k])
        if state.land[a] != PLAIN or labels & bit(state.label[a]) == 0 or not beside_ocean(rules, state, a):
            continue
        if not rules.orogeny_cut and not hangs_together_without(rules, state, a):
            continue
        for d in range(6):
            b = rules.near[a, d]
            if b >= 0 and state.land[b] == PLAIN:
                out[n] = act(RAISE, OROGENY, a, b)
                n += 1
    return n


@kernel
def list_moves(
    rules: RulesRecord, state: StateRecord, moving: Whether, migrating: Whether, out: Any, n: Count
) -> Any:
    """Add every move of every own pawn, for each of the two cards that is in hand."""
    cost = np.empty(ROOM, dtype=np.int8)
    ends = np.empty(ROOM, dtype=np.int8)
    queue = np.empty((MOST_STEPS + 1, ROOM), dtype=np.int8)
    short = np.int64(rules.steps_moving) if moving else np.int64(0)
    long = np.int64(rules.steps_migrating) if migrating else np.int64(0)
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn == 0 or owner(pawn) != state.seat:
            continue
        clear_costs(cost)
        found = reach(rules, state, space, max(short, long), cost, ends, queue)
        for i in range(found):
            if cost[ends[i]] <= short:
                out[n] = act(MOVE, MOVING, space, ends[i])
                n += 1
            if cost[ends[i]] <= long:
                out[n] = act(MOVE, MIGRATING, space, ends[i])
                n += 1
    if moving:
        out[n] = act(NO_MOVE, MOVING, 0, 0)
        n += 1
    if migrating:
        out[n] = act(NO_MOVE, MIGRATING, 0, 0)
        n += 1
    return n


@kernel
def list_births(
    rules: RulesRecord, state: StateRecord, kind: Index, instead: Whether, card: Card, out: Any, n: Count
) -> Any:
    """Add every space for a new pawn, or (`instead`) every pawn that may rise if there is none in supply."""
    if state.supply[state.seat, 0] <= 0:
        return list_rises(rules, state, instead, card, out, n)
    seen = np.zeros(ROOM, dtype=np.int8)
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn == 0 or owner(pawn) != state.seat:
            continue
        for d in range(6):
            other = rules.near[space, d]
            if other >= 0 and state.pawn[other] == 0 and seen[other] == 0:
                seen[other] = 1
                out[n] = act(kind, card, 0, other)
                n += 1
    return n


@kernel
def risen(rules: RulesRecord, state: StateRecord, pawn: Pawn, card: Card) -> Any:
    """Return the level to which `pawn` would rise by a card, 0 if it cannot."""
    now = level(pawn)
    two = card == MUTATING
    up = now + 2 if two else now + 1
    if up <= LEVELS and state.supply[owner(pawn), up - 1] > 0:
        return up
    if two and rules.mutating == AS_ONE and now < LEVELS and state.supply[owner(pawn), now] > 0:
        return now + 1
    return 0


@kernel
def list_rises(rules: RulesRecord, state: StateRecord, kind: Index, card: Card, out: Any, n: Count) -> Any:
    """Add every own pawn that may rise."""
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn != 0 and owner(pawn) == state.seat and risen(rules, state, pawn, card) > 0:
            out[n] = act(kind, card, 0, space)
            n += 1
    return n


@kernel
def breed(state: StateRecord, space: Space) -> None:
    """Put a new level-1 pawn of the seat to move on `space`."""
    state.supply[state.seat, 0] -= 1
    state.pawn[space] = pawn_of(state.seat, 1)


@kernel
def evolve(rules: RulesRecord, state: StateRecord, space: Space, card: Card) -> None:
    """Exchange the pawn on `space` for the higher one from the supply."""
    pawn = state.pawn[space]
    up = risen(rules, state, pawn, card)
    state.supply[state.seat, up - 1] -= 1
    state.supply[state.seat, level(pawn) - 1] += 1
    state.pawn[space] = pawn_of(state.seat, up)


@kernel
def list_card(rules: RulesRecord, state: StateRecord, card: Card, out: Any, n: Count) -> Any:
    """Add everything that a card other than Moving and Migrating can do."""
    if card == DRIFTING or card == ULTRA_DRIFTING:
        return list_drifts(rules, state, card, out, n)
    if card == SPLITTING or card == ULTRA_SPLITTING:
        return list_splits(rules, state, card, out, n)
    if card == OROGENY:
        return list_orogeny(rules, state, out, n)
    if card == EVOLVING or card == MUTATING:
        return list_rises(rules, state, EVOLVE, card, out, n)
    return list_births(rules, state, BREED, EVOLVE_INSTEAD, card, out, n)
