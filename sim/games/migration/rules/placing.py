"""One placement: the Town, its payments, the Spirit; then Cactus, Lizard and Cooperation (ruling B5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel
from sim.core.kinds import Piece, Region, RulesRecord, Seat, StateRecord
from sim.games.migration.rules.abilities import skunk_block
from sim.games.migration.rules.lines import (
    all_towns,
    any_usable,
    can_enter,
    can_place_from,
    oasis_open,
    path_cost,
    sea_toll,
    toll,
)
from sim.games.migration.rules.state import (
    AFTER_OAK,
    ANY_MOVE,
    BONUS,
    CACTUS,
    LIZARD,
    PAY,
    STACK_SECOND,
)
from sim.games.migration.rules.turn_end import cover, end_of_turn


@kernel
def establish(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece, h: Region) -> None:
    """Put an Explorer from the hand on the board: it is a Town at once (B5)."""
    state.hand[seat, piece] -= 1
    state.hand_size[seat] -= 1
    if rules.oaths != 0:
        state.revealed[seat, piece] -= 1
    state.towns_made += 1
    state.played[seat, piece] += 1
    if state.first_turn[seat, piece] < 0:
        state.first_turn[seat, piece] = state.turns_taken[seat] + 1
    state.town[seat] |= bit(h)
    state.kind[piece] |= bit(h)
    state.waste &= ~bit(h)
    state.top[h] = piece
    state.piece = piece
    state.target = h
    state.stirred = 1


@kernel
def begin_payments(rules: RulesRecord, state: StateRecord, seat: Seat, target: Region) -> None:
    """Find the line to `target` and what must be paid on it."""
    origin = np.int64(state.spirit[seat])
    state.path_from = origin
    state.path_step = 0
    towns = all_towns(state)
    waste = np.int64(state.waste)
    for d in range(6):
        tolls = np.int64(0)
        for k in range(rules.ray_length[origin, d]):
            h = np.int64(rules.ray[origin, d, k])
            if h == target:
                state.path_direction = d
                state.path_end = k
                state.sea_owed = sea_toll(rules, rules.gaps[origin, d, k])
                state.must_pay = path_cost(state, tolls + np.int64(state.sea_owed))
                return
            tolls += toll(rules, towns, waste, bit(h))


@kernel
def continue_payments(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Ask for the next payment, or settle when all are made (B3: with "what you can", when the hand is empty)."""
    while state.path_step < state.path_end and state.hand_size[seat] > 0:
        h = np.int64(rules.ray[state.path_from, state.path_direction, state.path_step])
        if rules.pay_on_wasteland != 0 or state.waste & bit(h) == 0:
            state.phase = PAY
            return
        state.path_step += 1
    if state.hand_size[seat] > 0 and state.sea_owed > 0:
        state.phase = PAY
        return
    settle(rules, state, seat)


@kernel
def spend(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece) -> None:
    """Take a payment from the hand. Which piece it was stays hidden (B6); under Oaths a hidden copy goes first."""
    state.hand[seat, piece] -= 1
    state.hand_size[seat] -= 1
    if rules.oaths != 0:
        state.revealed[seat, piece] = min(state.revealed[seat, piece], state.hand[seat, piece])
    state.paid[seat, piece] += 1
    state.paid_size[seat] += 1


@kernel
def owner_at(state: StateRecord, h: Region) -> Any:
    """Return the seat that has the Town at `h`, or -1."""
    for owner in range(state.players):
        if (state.town[owner] & bit(h)) != 0:
            return np.int64(owner)
    return np.int64(-1)


@kernel
def settle(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """After the payments: the Spirit moves to the new Town; Cactus, Lizard, Cooperation; then the turn ends."""
    h = np.int64(state.target)
    state.spirit[seat] = h
    state.touched |= bit(h)
    cactus_return(rules, state, seat)
    lizard_flip(rules, state, seat)
    state.stack_on = h if cooperation_allows(rules, state, seat, h) else -1
    state.bonus_of = lizard_bonus(rules, state, seat, h)
    if state.bonus_of >= 0 or state.stack_on >= 0:
        state.phase = BONUS
    else:
        end_of_turn(rules, state, seat)


@kernel
def cactus_return(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Cactus: the Spirit goes back to the Town where the turn began, if that still stands (C35 to C38)."""
    if state.piece != CACTUS or rules.cactus_returns == 0:
        return
    back = np.int64(state.start_town)
    if rules.cactus_after_oak == AFTER_OAK and state.last_oak >= 0:
        back = np.int64(state.last_oak)
    if back >= 0 and (state.town[seat] & bit(back)) != 0:
        state.spirit[seat] = back


@kernel
def lizard_flip(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Lizard: the one whose bonus has just been played flips (C30, C31)."""
    used = np.int64(state.bonus_of)
    state.bonus_of = -1
    if used >= 0 and rules.lizard_flips != 0:
        cover(state, seat, used, LIZARD)


@kernel
def lizard_bonus(rules: RulesRecord, state: StateRecord, seat: Seat, h: Region) -> Any:
    """Lizard: return the Town from which another one may be established, -1 for none (C27, C29)."""
    spirit = np.int64(state.spirit[seat])
    if rules.lizard_bonus == 0 or spirit < 0 or (state.kind[LIZARD] & bit(spirit)) == 0:
        return np.int64(-1)
    if spirit != h and rules.lizard_trigger != ANY_MOVE:
        return np.int64(-1)
    blocked = skunk_block(rules, state, seat)
    if can_place_from(rules, state, seat, spirit, blocked):
        return spirit
    if rules.bonus_entry != 0 and can_enter(rules, state, seat, blocked, oasis_open(rules, state, seat)):
        return spirit
    return np.int64(-1)


@kernel
def cooperation_allows(rules: RulesRecord, state: StateRecord, seat: Seat, h: Region) -> Any:
    """Age of Cooperation: whether the first Town of this turn, at `h`, may get another on top (E12)."""
    if (state.switches & STACK_SECOND) == 0 or state.towns_made != 1 or not any_usable(rules, state, seat):
        return False
    return (skunk_block(rules, state, seat) & bit(h)) == 0


@kernel
def stack(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece, h: Region) -> None:
    """Age of Cooperation: establish a Town on top of the one just made, which is out of play (E13 to E15)."""
    below = np.int64(state.top[h])
    state.kind[below] &= ~bit(h)
    state.lost[seat, below] += 1
    state.stack_on = -1
    state.bonus_of = -1
    establish(rules, state, seat, piece, h)
    state.under[h] = below
