"""What Towns are worth. A position may be judged with some Regions counted as covered by Wasteland already."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel, lowest, popcount
from sim.core.kinds import Mask, Region, RulesRecord, Seat, StateRecord
from sim.games.migration.rules.abilities import cactus_burden
from sim.games.migration.rules.state import BY_PIECE, CACTUS, JACKAL, RATS


@kernel
def jackal_bonus(rules: RulesRecord, state: StateRecord, h: Region, covered: Mask) -> Any:
    """Extra points of a Jackal at `h`: for each adjacent Wasteland, by Region or by piece (B7, C18)."""
    beside = rules.near[h] & (state.waste | covered)
    if rules.jackal_counts != BY_PIECE:
        return np.int64(popcount(beside)) * rules.jackal_points
    pieces = np.int64(popcount(beside & covered))
    while beside != 0:
        other = lowest(beside)
        beside &= beside - 1
        pieces += np.int64(state.face_down[other])
    return pieces * rules.jackal_points


@kernel
def town_worth(rules: RulesRecord, state: StateRecord, seat: Seat, h: Region, covered: Mask) -> Any:
    """Points of the Town of `seat` at `h`: never below 0, clamped once at the end (B30)."""
    here = bit(h)
    worth = np.int64(1)
    if (state.kind[RATS] & here) != 0:
        worth = np.int64(rules.rats_points)
    elif (state.kind[JACKAL] & here) != 0:
        worth = rules.jackal_base + jackal_bonus(rules, state, h, covered)
    if (rules.desert & here) != 0 and rules.desert_lasts != 0:
        worth -= rules.desert_penalty
    cactuses = state.kind[CACTUS] & ~covered
    if cactuses != 0:
        worth -= cactus_burden(rules, state, seat, h, cactuses)
    extra = np.int64(0)
    if (rules.fertile & here) != 0 and rules.fertile_lasts != 0:
        extra = np.int64(rules.fertile_points)
    if rules.fertile_after_floor != 0:
        return max(worth, np.int64(0)) + extra
    return max(worth + extra, np.int64(0))


@kernel
def points(rules: RulesRecord, state: StateRecord, seat: Seat, covered: Mask) -> Any:
    """Points of `seat` if the game ended now and the Regions `covered` were Wasteland."""
    towns = state.town[seat] & ~covered
    poorer = rules.desert & towns
    cactuses = state.kind[CACTUS] & ~covered
    while cactuses != 0:
        poorer |= rules.near[lowest(cactuses)] & towns
        cactuses &= cactuses - 1
    total = np.int64(0)
    towns &= ~poorer
    while poorer != 0:  # only these can meet the floor of 0; the others are counted by kind
        total += town_worth(rules, state, seat, np.int64(lowest(poorer)), covered)
        poorer &= poorer - 1
    total += popcount(towns) + popcount(towns & state.kind[RATS]) * (np.int64(rules.rats_points) - 1)
    if rules.fertile_lasts != 0:
        total += popcount(towns & rules.fertile) * np.int64(rules.fertile_points)
    jackals = towns & state.kind[JACKAL]
    while jackals != 0:
        h = np.int64(lowest(jackals))
        jackals &= jackals - 1
        total += rules.jackal_base - 1 + jackal_bonus(rules, state, h, covered)
    return total


@kernel
def cactus_harm(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Points that the Cactuses of `seat` take from the Towns of others (as the difference without them)."""
    own = state.town[seat] & state.kind[CACTUS]
    if own == 0:
        return np.int64(0)
    before = np.int64(0)
    after = np.int64(0)
    for other in range(state.players):
        if other != seat:
            before += points(rules, state, other, np.int64(0))
    state.kind[CACTUS] &= ~own
    for other in range(state.players):
        if other != seat:
            after += points(rules, state, other, np.int64(0))
    state.kind[CACTUS] |= own
    return after - before
