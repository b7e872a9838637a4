"""Pawns on the move ("Moving", "Migrating"): what steps cost, where a move may end, who is expelled."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Count, RulesRecord, StateRecord
from sim.games.drifting_lands.rules.kinds import Card, Space
from sim.games.drifting_lands.rules.land import level, owner, to_supply
from sim.games.drifting_lands.rules.state import EXPEL, ROOM

FAR = 100
MOST_STEPS = 9


@kernel
def step_cost(rules: RulesRecord, here: Space, there: Space) -> Any:
    """Return the steps from landscape `here` to `there`."""
    up = np.int64(there) - np.int64(here)
    if up <= 0:
        return 1
    return np.int64(rules.cost_up_one) if up == 1 else np.int64(rules.cost_up_two)


@kernel
def reach(
    rules: RulesRecord, state: StateRecord, start: Space, steps: Any, cost: Count, ends: Any, queue: Any
) -> Any:
    """Find where the pawn on `start` may end a move of up to `steps` steps; return how many such spaces.

    Parameters
    ----------
    cost : int8 array (ROOM,)
        Filled with FAR before; steps to each space reached, afterwards. The caller clears it.
    ends : int8 array (ROOM,)
        The end spaces, in the order in which they were reached.
    queue : int8 array (MOST_STEPS + 1, ROOM)
        Room to work in.
    """
    pawn = state.pawn[start]
    seat = owner(pawn)
    size = np.zeros(MOST_STEPS + 1, dtype=np.int64)
    cost[start] = 0
    queue[0, 0] = start
    size[0] = 1
    n = 0
    for spent in range(steps):
        for i in range(size[spent]):
            space = np.int64(queue[spent, i])
            if cost[space] != spent:
                continue
            for d in range(6):
                other = np.int64(rules.near[space, d])
                if other < 0:
                    continue
                there = state.pawn[other]
                foreign = there != 0 and owner(there) != seat
                if foreign and level(there) >= level(pawn):
                    continue
                total = spent + step_cost(rules, state.land[space], state.land[other])
                if total > steps or total >= cost[other]:
                    continue
                if cost[other] == FAR and (there == 0 or foreign):
                    ends[n] = other
                    n += 1
                cost[other] = total
                if not foreign:
                    queue[total, size[total]] = other
                    size[total] += 1
    return n


@kernel
def room_beside(rules: RulesRecord, state: StateRecord, space: Space, came_from: Any, out: Any) -> Any:
    """Write where a pawn expelled from `space` may go and return how many such spaces."""
    n = 0
    for d in range(6):
        other = np.int64(rules.near[space, d])
        if other >= 0 and state.pawn[other] == 0 and (rules.expel_back or other != came_from):
            out[n] = other
            n += 1
    return n


@kernel
def move_pawn(rules: RulesRecord, state: StateRecord, card: Card, here: Space, there: Space) -> Any:
    """Move the pawn on `here` to `there`; return whether a pawn there waits to be expelled."""
    loser = np.int64(state.pawn[there])
    state.pawn[there] = state.pawn[here]
    state.pawn[here] = 0
    if loser == 0:
        return False
    if owner(loser) != state.seat:
        state.harm[state.seat, card] += 1
    out = np.empty(6, dtype=np.int64)
    if room_beside(rules, state, there, here, out) == 0:
        to_supply(state, loser)
        return False
    state.phase = EXPEL
    state.card = card
    state.from_space = here
    state.to_space = there
    state.expelled = loser
    return True


@kernel
def clear_costs(cost: Count) -> None:
    """Make `cost` ready for `reach`."""
    for k in range(ROOM):
        cost[k] = FAR
