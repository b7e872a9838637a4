"""Housing, gaining population, injury and death (R53 to R60, R89)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Count, RulesRecord, Seat, StateRecord, Whether
from sim.games.mars.rules.state import (
    BY_CHOICE,
    BY_OWNERS_CHOICE,
    CUT_DIES,
    E11,
    EMBASSY_FIRST,
    FLAGS_OUT,
    HABITAT,
    KEPT_11,
    KEPT_12,
    MED,
    RESOLVE,
    SAVE,
)
from sim.games.mars.rules.stores import give_back, to_bottom


@kernel
def homes(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return the housing units of HQ and Habitats, unlinked ones too."""
    return np.int64(rules.hq_housing) + state.built[seat, HABITAT]


@kernel
def capacity(rules: RulesRecord, state: StateRecord, seat: Seat) -> Count:
    """Return how many the colony can house: in a cut-off Embassy only who lives there already (R56)."""
    more = rules.embassy_housing if state.linked[seat] != 0 else np.int64(state.embassy[seat])
    return homes(rules, state, seat) + more


@kernel
def room(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Return whether one more may be accepted: housing, a flag, and no unpaid event 12."""
    return (
        state.pop[seat] < capacity(rules, state, seat)
        and state.pop[seat] + state.bay_pop[seat] < state.flag_limit[seat]
        and state.kept[seat, KEPT_12] == 0
    )


@kernel
def fills_embassy_first(rules: RulesRecord) -> Whether:
    """Return whether a linked colony fills the Embassy before its homes (R97).

    Where a cut leaves them there, every inhabitant of the Embassy is room kept; where it kills them, a risk.
    """
    if rules.house_order == BY_OWNERS_CHOICE:
        return rules.embassy_cut != CUT_DIES
    return rules.house_order == EMBASSY_FIRST


@kernel
def house(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Say who lives in the Embassy after any change (R97)."""
    if state.linked[seat] != 0:
        there = np.int64(state.pop[seat])
        if not fills_embassy_first(rules):
            there = max(np.int64(0), there - homes(rules, state, seat))
        state.embassy[seat] = min(there, np.int64(rules.embassy_housing))
        return
    if rules.embassy_cut == CUT_DIES:
        for _k in range(state.embassy[seat]):
            perish(rules, state, seat)
        state.embassy[seat] = 0
    state.embassy[seat] = min(state.embassy[seat], state.pop[seat])


@kernel
def house_all(rules: RulesRecord, state: StateRecord) -> None:
    """`house` for everybody: after a Ruin moved, or a strike."""
    for seat in range(state.players):
        if state.gone[seat] == 0:
            house(rules, state, np.int64(seat))


@kernel
def grow(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Add one population if there is room; else it is lost (R58)."""
    if room(rules, state, seat):
        state.pop[seat] += 1
        house(rules, state, seat)


@kernel
def lose_flag(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Count a death; its flag goes back to stock, or out of the game (R53)."""
    state.deaths[seat] += 1
    if rules.dead_flags == FLAGS_OUT:
        state.flag_limit[seat] -= 1


@kernel
def perish(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Let one housed population die."""
    state.pop[seat] -= 1
    lose_flag(rules, state, seat)


@kernel
def die(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Let one die, from the homes first."""
    if state.pop[seat] > 0:
        perish(rules, state, seat)
        house(rules, state, seat)


@kernel
def injure(rules: RulesRecord, state: StateRecord, seat: Seat, by_die: Whether) -> None:
    """Pay a Med Pack or lose one population (R59); event 11 helps against the die alone (R60)."""
    if state.pop[seat] == 0:
        return
    if by_die and state.kept[seat, KEPT_11] > 0:
        state.kept[seat, KEPT_11] -= 1
        to_bottom(state, np.int64(E11))
    elif state.cards[seat, MED] > 0:
        if rules.injury_med == BY_CHOICE:
            state.phase = SAVE
            state.seat = seat
        else:
            give_back(state, seat, np.int64(MED), np.int64(1))
    else:
        die(rules, state, seat)


@kernel
def thirst(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """One Habitat is unpaid: one population dies unless a Med Pack saves it; return whether the seat is asked."""
    if state.pop[seat] == 0:
        return False
    if rules.thirst_med != 0 and state.cards[seat, MED] > 0:
        state.phase = SAVE
        state.seat = seat
        return True
    die(rules, state, seat)
    return False


@kernel
def answer_save(rules: RulesRecord, state: StateRecord, uses_med: Any) -> None:
    """The seat in phase `save` has decided."""
    seat = np.int64(state.seat)
    if uses_med:
        give_back(state, seat, np.int64(MED), np.int64(1))
    else:
        die(rules, state, seat)
    state.phase = RESOLVE
