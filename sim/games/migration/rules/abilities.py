"""The abilities that reach beyond their own placement, one function an Explorer.

Where the others act: Bass, Wolf (entry), Fly, Sparrow and Oak in `lines` (where a Town may be established and
where the Spirit may go before), Lizard and the Spirit's way back after a Cactus in `placing`, Rats and Jackal in
`scoring`; the burden of a Cactus on its neighbours is here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel, lowest, popcount
from sim.core.kinds import Mask, Region, RulesRecord, Seat, StateRecord, Whether
from sim.games.migration.rules.state import ENEMIES, OWN, POISON_OAK, SKUNK, WOLF


@kernel
def concerns(whom: Any, owner: Seat, other: Seat) -> Whether:
    """Whether an ability of `owner` that names `whom` (nobody, enemies, own, all) reaches `other`."""
    return (whom & OWN) != 0 if owner == other else (whom & ENEMIES) != 0


@kernel
def loud(rules: RulesRecord, towns: Mask) -> Any:
    """Return those of `towns` that affect their neighbours: all, unless a Mountain silences (C17)."""
    return towns & ~rules.shield if rules.mountain_silences != 0 else towns


@kernel
def skunk_block(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Regions on which `seat` may not establish Towns: next to a Skunk that holds its owner's Spirit (C11, C16)."""
    blocked = np.int64(0)
    skunks = state.kind[SKUNK]
    if skunks == 0 or rules.skunk_concerns == 0:
        return blocked
    skunks = loud(rules, skunks)
    for owner in range(state.players):
        h = np.int64(state.spirit[owner])
        if (
            h >= 0
            and (skunks & state.town[owner] & bit(h)) != 0
            and concerns(rules.skunk_concerns, owner, seat)
        ):
            blocked |= rules.near[h]
    return blocked & ~rules.shield


@kernel
def wolves_due(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Towns that the Wolves of `seat` flip at the end of its turn (C20 to C23)."""
    wolves = loud(rules, state.town[seat] & state.kind[WOLF])
    due = np.int64(0)
    if popcount(wolves) < rules.wolf_needs or rules.wolf_concerns == 0:
        return due
    for owner in range(state.players):
        if not concerns(rules.wolf_concerns, seat, owner):
            continue
        towns = state.town[owner] & ~rules.shield
        while towns != 0:
            h = lowest(towns)
            towns &= towns - 1
            count = popcount(rules.near[h] & wolves)
            if count == rules.wolf_needs or (count > rules.wolf_needs and rules.wolf_exactly == 0):
                due |= bit(h)
    return due


@kernel
def poison_due(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Seats (as bits) whose Spirits the Poison Oaks of `seat` remove at the end of its turn (C25, C26)."""
    oaks = loud(rules, state.town[seat] & state.kind[POISON_OAK])
    due = np.int64(0)
    if oaks == 0 or rules.poison_oak_concerns == 0:
        return due
    for owner in range(state.players):
        h = np.int64(state.spirit[owner])
        if h < 0 or not concerns(rules.poison_oak_concerns, seat, owner):
            continue
        if rules.mountain_shields_spirit != 0 and (rules.shield & bit(h)) != 0:
            continue
        if (rules.near[h] & oaks) != 0:
            due |= bit(owner)
    return due


@kernel
def cactus_burden(rules: RulesRecord, state: StateRecord, seat: Seat, h: Region, cactuses: Any) -> Any:
    """Points that the Cactuses beside the Town of `seat` at `h` take from it (C40, C41)."""
    if (rules.shield & bit(h)) != 0 or rules.cactus_penalty == 0:
        return np.int64(0)
    beside = rules.near[h] & loud(rules, cactuses)
    count = np.int64(0)
    for owner in range(state.players):
        if concerns(rules.cactus_concerns, owner, seat):
            count += popcount(beside & state.town[owner])
    if rules.cactus_stacks == 0:
        count = min(count, np.int64(1))
    return count * rules.cactus_penalty
