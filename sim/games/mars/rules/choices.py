"""What the seat to move may do: `legal`. An action is packed as `state.KIND_AT` tells."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel, lowest
from sim.core.kinds import Actions, Count, Index, Mask, RulesRecord, Seat, StateRecord
from sim.games.mars.rules.placing import (
    can_move,
    can_pay,
    in_stock,
    move_sites,
    sites,
    strike_sites,
    withheld,
)
from sim.games.mars.rules.population import room
from sim.games.mars.rules.state import (
    A_ACCEPT,
    A_BUILD,
    A_BUY,
    A_CLEAR,
    A_DECLINE,
    A_DEFAULT,
    A_DISCARD,
    A_EXCHANGE,
    A_GIVE,
    A_LET_DIE,
    A_LET_GO,
    A_MOVE,
    A_NO_POPULATION,
    A_NOT_PAY,
    A_PAY,
    A_PAY_OLY,
    A_PAY_RCU,
    A_POPULATION,
    A_PUT_AWAY,
    A_RETURN,
    A_RIDE,
    A_ROLL,
    A_SALVAGE,
    A_START_WITH,
    A_STEAL,
    A_STRIKE,
    A_TAKE,
    A_TO,
    A_USE_MED,
    A_WELCOME,
    ACCEPT,
    ACT,
    ANSWER,
    BREAKDOWN,
    COUNTER,
    DEFAULT,
    DISCARD_AT_WILL,
    E33,
    EVENT,
    EXPORT,
    FIRST_AT,
    GIVE,
    HABITAT,
    HOSPITAL,
    KIND_AT,
    MED,
    MINE,
    MINING,
    N_STRUCTURES,
    NEXT_ONLY,
    OLY,
    ONCE_A_TURN,
    PLACE,
    RCU,
    RIDE_OPTIONAL,
    RUIN,
    SALVAGE,
    SAVE,
    START,
    STRIKE,
    TAKE,
    TUNNELS_TOO,
    UPKEEP,
    WORD,
    State,
)
from sim.games.mars.rules.stop import lacks_upkeep
from sim.games.mars.rules.stores import there
from sim.games.mars.rules.strikes import bay_load
from sim.games.mars.rules.trading import can_accept, list_counters, list_offers


@kernel
def tiles(out: Any, n: Count, head: Any, low: Mask, high: Mask) -> Any:
    """Write one action a tile of a set."""
    while low != 0:
        out[n] = head | lowest(low)
        n += 1
        low &= low - 1
    while high != 0:
        out[n] = head | (lowest(high) + WORD)
        n += 1
        high &= high - 1
    return n


@kernel
def code(kind: Index, a: Any, c: Any) -> Any:
    """Return an action."""
    return np.int64(kind) << KIND_AT | np.int64(a) << FIRST_AT | np.int64(c)


@implements("legal", State)
def legal(rules: RulesRecord, state: StateRecord, out: Actions) -> Count:
    seat = np.int64(state.seat)
    phase = state.phase
    n = np.int64(0)
    if phase == ACT:
        n = _acts(rules, state, seat, out)
    elif phase == ANSWER or phase == COUNTER:
        if can_accept(state):
            out[n] = code(A_ACCEPT, 0, 0)
            n += 1
        out[n] = code(A_DECLINE, 0, 0)
        n += 1
        if phase == ANSWER and rules.counter_offers != 0:
            n = list_counters(rules, state, out, n)
    elif phase == PLACE:
        low, high = move_sites(rules, state, seat)
        n = tiles(out, n, code(A_TO, 0, 0), low, high)
    elif phase == STRIKE:
        low, high = strike_sites(rules, state)
        n = tiles(out, n, code(A_STRIKE, 0, 0), low, high)
    elif phase == TAKE:
        resources = state.stage == MINING or (state.stage == EVENT and state.event == E33)
        for kind in range(3 if resources else RCU + 1):
            if there(state, kind):
                out[n] = code(A_TAKE, 0, kind)
                n += 1
    elif phase == ACCEPT:
        out[0] = code(A_WELCOME, 0, 0)
        out[1] = code(A_NO_POPULATION, 0, 0)
        n = np.int64(2)
    elif phase == SAVE:
        out[0] = code(A_USE_MED, 0, 0)
        out[1] = code(A_LET_DIE, 0, 0)
        n = np.int64(2)
    elif phase == UPKEEP:
        lacks = lacks_upkeep(rules, state, seat) > 0
        out[0] = code(A_PAY_OLY if lacks else A_PAY, 0, 0)
        out[1] = code(A_NOT_PAY, 0, 0)
        n = np.int64(2)
    elif phase == SALVAGE:
        n = _salvage(rules, state, seat, out)
    elif phase == GIVE:
        for kind in range(3):
            if state.cards[seat, kind] > 0:
                out[n] = code(A_GIVE, 0, kind)
                n += 1
    elif phase == START:
        for kind in range(HABITAT, RUIN):
            if not withheld(state, seat, kind) and in_stock(rules, state, seat, kind):
                out[n] = code(A_START_WITH, kind, 0)
                n += 1
    elif phase == DEFAULT:
        n = _own(rules, state, seat, MINE, out, n, code(A_DEFAULT, 0, 0))
    elif phase == BREAKDOWN:
        if state.cards[seat, RCU] > 0:
            out[n] = code(A_PAY_RCU, 0, 0)
            n += 1
        low, high = np.int64(state.production[seat, 0]), np.int64(state.production[seat, 1])
        n = tiles(out, n, code(A_PUT_AWAY, 0, 0), low, high)
    return n


@kernel
def _own(
    rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, out: Any, n: Count, head: Any
) -> Any:
    """Write one action for each production building of `kind`."""
    for w in range(2):
        mask = np.int64(state.production[seat, w])
        while mask != 0:
            tile = lowest(mask) + WORD * w
            if state.what[tile] == kind:
                out[n] = head | tile
                n += 1
            mask &= mask - 1
    return n


@kernel
def _acts(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """Phase 1 of a turn: everything that is paid for, then the roll (R1, R2)."""
    out[0] = code(A_ROLL, 0, 0)
    n = np.int64(1)
    plant_low = np.int64(-1)  # the sites of production buildings are the same for all four kinds
    plant_high = np.int64(0)
    for kind in range(N_STRUCTURES):
        free = state.reserve[seat, kind] > 0
        buys = can_pay(rules, state, seat, kind)
        if not free and not buys:
            continue
        if withheld(state, seat, kind):
            continue
        buys = buys and in_stock(rules, state, seat, kind)
        if free or buys:
            if kind < HOSPITAL or kind == RUIN:
                low, high = sites(rules, state, seat, kind)
            else:
                if plant_low == -1:
                    plant_low, plant_high = sites(rules, state, seat, kind)
                low, high = plant_low, plant_high
            n = tiles(out, n, code(A_BUILD, kind, 0), low, high)
        if buys and rules.buy_to_reserve != 0 and kind != RUIN:
            out[n] = code(A_BUY, kind, 0)
            n += 1
    buys_more = rules.oly_pop != ONCE_A_TURN or state.grown == 0
    if buys_more and state.cards[seat, OLY] >= rules.oly_per_pop and room(rules, state, seat):
        out[n] = code(A_POPULATION, 0, 0)
        n += 1
    if rules.salvage_discard == DISCARD_AT_WILL:
        n = _discards(state, seat, out, n)
    if state.cards[seat, RCU] >= rules.salvage_return_rcu:
        for kind in range(HABITAT, RUIN):
            if state.bay[seat, kind] > 0:
                low, high = sites(rules, state, seat, kind)
                n = tiles(out, n, code(A_RETURN, kind, 0), low, high)
    n = _moves(rules, state, seat, out, n)
    if state.cards[seat, RCU] >= rules.remove_meteorite_rcu:
        low, high = np.int64(state.meteor[0]), np.int64(state.meteor[1])
        if rules.next_turn == NEXT_ONLY:
            low &= state.fresh[seat, 0]
            high &= state.fresh[seat, 1]
        n = tiles(out, n, code(A_CLEAR, 0, 0), low, high)
    if state.built[seat, EXPORT] > 0:
        n = _exchanges(rules, state, seat, out, n)
    return list_offers(rules, state, seat, out, n)


@kernel
def _moves(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """Repositioning of own buildings (R37), and Ruins to be stolen (R84), where they have somewhere to go (R99)."""
    if state.moved == 0 and state.cards[seat, RCU] >= rules.reposition_rcu:
        for w in range(2):
            mask = np.int64(state.habitat[seat, w] | state.lsc[seat, w] | state.production[seat, w])
            if rules.movable == TUNNELS_TOO:
                mask |= state.tunnel[seat, w]
            while mask != 0:
                tile = lowest(mask) + WORD * w
                mask &= mask - 1
                if can_move(rules, state, seat, tile):
                    out[n] = code(A_MOVE, state.what[tile], tile)
                    n += 1
    if state.corners == 0 and not withheld(state, seat, RUIN) and can_pay(rules, state, seat, RUIN):
        low, high = sites(rules, state, seat, np.int64(RUIN))
        if (low | high) != 0:
            n = tiles(out, n, code(A_STEAL, RUIN, 0), np.int64(state.ruin[0]), np.int64(state.ruin[1]))
    return n


@kernel
def _exchanges(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """Exchange with the treasury at an Export Station (R75, R77)."""
    for give in range(3):
        have = np.int64(state.cards[seat, give])
        if have == 0:
            continue
        if rules.export_oly != 0:
            have += state.cards[seat, OLY]
        for get in range(RCU + 1):
            rate = rules.export_resource if get < MED else rules.export_supply
            if get != give and have >= rate and there(state, get):
                out[n] = code(A_EXCHANGE, give, get)
                n += 1
    if rules.export_oly != 0 and rules.export_oly_alone != 0:
        for get in range(RCU + 1):
            rate = rules.export_resource if get < MED else rules.export_supply
            if state.cards[seat, OLY] >= rate and there(state, get):
                out[n] = code(A_EXCHANGE, OLY, get)
                n += 1
    return n


@kernel
def _discards(state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """What may be thrown out of the bay, a Habitat empty or with its population (R68, R96)."""
    for kind in range(HABITAT, RUIN):
        with_population = np.int64(state.bay_pop[seat]) if kind == HABITAT else np.int64(0)
        if state.bay[seat, kind] > with_population:
            out[n] = code(A_DISCARD, kind, 0)
            n += 1
        if with_population > 0:
            out[n] = code(A_DISCARD, kind, 1)
            n += 1
    return n


@kernel
def _salvage(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """The owner's answers to the loss of a building (R66 to R70)."""
    n = np.int64(0)
    if bay_load(state, seat) < rules.salvage_bay:
        out[n] = code(A_SALVAGE, 0, 0)
        n += 1
        rides = state.homeless > 0 or (rules.ride == RIDE_OPTIONAL and state.pop[seat] > 0)
        if state.struck == HABITAT and rides and state.cards[seat, MED] > 0:
            out[n] = code(A_RIDE, 0, 0)
            n += 1
    else:
        n = _discards(state, seat, out, n)
    out[n] = code(A_LET_GO, 0, 0)
    return n + 1
