"""The Supply Stop: expenses, supplies, shipment, new population (R42 to R52). One step a call."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Count, RulesRecord, Seat, StateRecord, Whether
from sim.games.mars.rules.kinds import Tile
from sim.games.mars.rules.placing import lacking
from sim.games.mars.rules.population import house, room, thirst
from sim.games.mars.rules.state import (
    ACCEPT,
    AT_REPORT,
    COLLECT,
    DEFAULT,
    DRAW,
    EVENT,
    HABITAT,
    HOSPITAL,
    MED,
    MINE,
    MINES_DUE,
    OLY,
    PLANT,
    RCU,
    RESOLVE,
    SHIPMENT,
    TAKE,
    UPKEEP,
    WATER_DUE,
    WELCOME,
)
from sim.games.mars.rules.stores import gain, give_back, pay_price, there
from sim.games.mars.rules.strikes import lose_building
from sim.games.mars.rules.tiles import lift


@kernel
def arrive(state: StateRecord) -> None:
    """Begin the sequence: each Habitat on the board is due."""
    state.stage = WATER_DUE
    state.due = state.built[state.mover, HABITAT]


@kernel
def settle(rules: RulesRecord, state: StateRecord, price: Count) -> Any:
    """Pay what is due one by one while that needs no decision; return whether one goes unpaid now.

    Plain cards must be paid, Olympium may (R42); the phase changes when the player is asked.
    """
    seat = np.int64(state.mover)
    while state.due > 0:
        lack = lacking(state, seat, price)
        if lack == 0 and rules.voluntary_default == 0:
            pay_price(state, seat, price)
            state.due -= 1
        elif lack <= state.cards[seat, OLY]:
            state.phase = UPKEEP
            state.seat = seat
            return False
        else:
            return True
    return False


@kernel
def lacks_upkeep(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return how much the seat lacks in plain cards for the Habitat or Mine in question (event 20: one Water)."""
    if state.stage == EVENT:
        return lacks_water(state, seat)
    if state.stage == MINES_DUE:
        return lacking(state, seat, rules.mine_upkeep)
    return lacking(state, seat, rules.habitat_upkeep)


@kernel
def lacks_water(state: StateRecord, seat: Seat) -> Whether:
    """Return whether the seat has no plain Water for event 20."""
    return 1 if state.cards[seat, 1] < 1 else 0


@kernel
def fouled(rules: RulesRecord, state: StateRecord) -> Any:
    """`settle` for event 20: one Water a Habitat, whatever their upkeep."""
    seat = np.int64(state.mover)
    while state.due > 0:
        lack = lacks_water(state, seat)
        if lack == 0 and rules.voluntary_default == 0:
            give_back(state, seat, np.int64(1), np.int64(1))
            state.due -= 1
        elif lack <= state.cards[seat, OLY]:
            state.phase = UPKEEP
            state.seat = seat
            return False
        else:
            return True
    return False


@kernel
def unpaid(rules: RulesRecord, state: StateRecord) -> None:
    """One Habitat or Mine is not paid for: thirst, or the choice of a Mine."""
    seat = np.int64(state.mover)
    if state.stage == MINES_DUE:
        state.phase = DEFAULT
        state.seat = seat
    elif not thirst(rules, state, seat):
        state.due -= 1


@kernel
def answer_upkeep(rules: RulesRecord, state: StateRecord, pays: Any) -> None:
    """The player has decided whether to pay for one."""
    state.phase = RESOLVE
    if not pays:
        unpaid(rules, state)
        return
    seat = np.int64(state.mover)
    if state.stage == EVENT:
        give_back(state, seat, np.int64(1 if state.cards[seat, 1] > 0 else OLY), np.int64(1))
    elif state.stage == MINES_DUE:
        pay_price(state, seat, rules.mine_upkeep)
    else:
        pay_price(state, seat, rules.habitat_upkeep)
    state.due -= 1


@kernel
def default_mine(rules: RulesRecord, state: StateRecord, tile: Tile) -> None:
    """One Mine is given up for lack of maintenance."""
    seat = np.int64(state.mover)
    state.phase = RESOLVE
    lift(rules, state, tile)
    house(rules, state, seat)
    state.lost[seat, MINE] += 1
    lose_building(rules, state, seat, np.int64(MINE), True)
    if state.phase == RESOLVE:  # else it counts until its owner has answered
        state.due -= 1


@kernel
def stop_step(rules: RulesRecord, state: StateRecord) -> None:
    """Do the next step of the sequence."""
    seat = np.int64(state.mover)
    if state.stage == WATER_DUE:
        if settle(rules, state, rules.habitat_upkeep):
            unpaid(rules, state)
        elif state.phase == RESOLVE:
            state.stage = MINES_DUE
            state.due = state.built[seat, MINE]
    elif state.stage == MINES_DUE:
        if settle(rules, state, rules.mine_upkeep):
            unpaid(rules, state)
        elif state.phase == RESOLVE:
            state.stage = COLLECT
    elif state.stage == COLLECT:
        gain(rules, state, seat, np.int64(RCU), np.int64(state.built[seat, PLANT]))
        gain(rules, state, seat, np.int64(MED), np.int64(state.built[seat, HOSPITAL]))
        state.stage = SHIPMENT
        if state.cut[seat] != 0:
            state.cut[seat] = 0
            state.stage = WELCOME
        else:
            ask_take(state, seat, True)
            if state.phase == RESOLVE:
                state.stage = WELCOME
    elif state.stage == WELCOME:
        if room(rules, state, seat):
            state.phase = ACCEPT
            state.seat = seat
        else:
            report(rules, state)


@kernel
def ask_take(state: StateRecord, seat: Seat, supplies: Any) -> None:
    """Let the seat choose a card, if the treasury has any."""
    some = there(state, 0) or there(state, 1) or there(state, 2)
    if some or (supplies and (there(state, MED) or there(state, RCU))):
        state.phase = TAKE
        state.seat = seat


@kernel
def report(rules: RulesRecord, state: StateRecord) -> None:
    """Announce the population (R86); an event follows."""
    seat = np.int64(state.mover)
    state.report = state.pop[seat]
    state.stage = DRAW
    state.phase = RESOLVE
    if rules.victory == AT_REPORT and state.report >= rules.target:
        state.winner = seat
