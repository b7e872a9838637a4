"""What an action does: `apply`. It never draws; what follows by itself is left to `resolve`."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel
from sim.core.kinds import Action, Index, RulesRecord, Seat, StateRecord
from sim.games.mars.rules.kinds import Tile
from sim.games.mars.rules.population import answer_save, house, house_all
from sim.games.mars.rules.state import (
    A_ACCEPT,
    A_BUILD,
    A_BUY,
    A_CLEAR,
    A_COUNTER,
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
    A_OFFER,
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
    ACT,
    BLUEPRINT,
    BUNDLE_MASK,
    E20,
    EVENT,
    FIRST_AT,
    HABITAT,
    KIND_AT,
    MED,
    MINING,
    MOVES_ONCE,
    NEXT_ONLY,
    OLY,
    PART_MASK,
    PLACE,
    RCU,
    RESOLVE,
    ROLL,
    RUIN,
    SHIPMENT,
    WATER_DUE,
    WELCOME,
    State,
)
from sim.games.mars.rules.stop import answer_upkeep, default_mine, report
from sim.games.mars.rules.stores import gain, give_back, note_first, pay_price
from sim.games.mars.rules.strikes import (
    discard,
    let_go,
    lose_building,
    remove_meteorite,
    salvage,
    strike,
    time_is_up,
)
from sim.games.mars.rules.tiles import lay, lift
from sim.games.mars.rules.trading import close, counter, propose, swap


@implements("apply", State)
def apply(rules: RulesRecord, state: StateRecord, action: Action) -> None:
    kind = np.int64(action) >> KIND_AT
    a = (np.int64(action) >> FIRST_AT) & PART_MASK
    bundle = np.int64(action) & BUNDLE_MASK
    c = bundle & PART_MASK
    seat = np.int64(state.seat)
    state.n_fates = 0
    if kind == A_ROLL:
        if rules.next_turn == NEXT_ONLY:
            time_is_up(rules, state, seat)
        state.phase = RESOLVE
        state.stage = ROLL
    elif kind == A_OFFER:
        propose(state, a, bundle)
    elif kind == A_DECLINE:
        close(state)
    elif kind == A_COUNTER:
        counter(state, bundle)
    elif kind == A_ACCEPT:
        swap(state)
        close(state)
    elif kind <= A_TO:
        _act(rules, state, seat, kind, a, c)
    elif kind == A_TAKE:
        gain(rules, state, seat, c, np.int64(1))
        if state.stage == SHIPMENT:
            state.stage = WELCOME
        elif state.stage == MINING:
            state.due -= 1
        state.phase = RESOLVE
    elif kind == A_WELCOME or kind == A_NO_POPULATION:
        if kind == A_WELCOME:
            state.pop[seat] += 1
            house(rules, state, seat)
        report(rules, state)
    elif kind == A_PAY or kind == A_PAY_OLY or kind == A_NOT_PAY:
        answer_upkeep(rules, state, kind != A_NOT_PAY)
    elif kind == A_USE_MED or kind == A_LET_DIE:
        answer_save(rules, state, kind == A_USE_MED)
        if state.stage == WATER_DUE or (state.stage == EVENT and state.event == E20):
            state.due -= 1
    elif kind == A_STRIKE:
        state.phase = RESOLVE
        strike(rules, state, seat, c)
    elif kind == A_SALVAGE or kind == A_RIDE:
        salvage(rules, state, kind == A_RIDE)
    elif kind == A_DISCARD:
        discard(rules, state, a, c != 0)
    elif kind == A_LET_GO:
        let_go(rules, state)
    elif kind == A_DEFAULT:
        default_mine(rules, state, c)
    elif kind == A_GIVE:
        give_back(state, seat, c, np.int64(1))
        state.due -= 1
        state.phase = RESOLVE
    elif kind == A_PAY_RCU:
        give_back(state, seat, np.int64(RCU), np.int64(1))
        state.phase = RESOLVE
    elif kind == A_PUT_AWAY:
        state.phase = RESOLVE
        lost = lift(rules, state, c)
        house(rules, state, seat)
        state.lost[seat, lost] += 1
        lose_building(rules, state, seat, lost, True)
    elif kind == A_START_WITH:
        state.reserve[seat, a] += 1
        state.phase = RESOLVE


@kernel
def _act(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, a: Any, c: Any) -> None:
    """Phase 1: what is paid for."""
    if kind == A_BUILD:
        if a != RUIN and state.reserve[seat, a] > 0:
            state.reserve[seat, a] -= 1
        else:
            pay_structure(rules, state, seat, a)
        place(rules, state, seat, a, c)
        if a == RUIN:
            state.corners -= 1
            house_all(rules, state)
    elif kind == A_BUY:
        pay_structure(rules, state, seat, a)
        state.reserve[seat, a] += 1
    elif kind == A_RETURN:
        give_back(state, seat, np.int64(RCU), np.int64(rules.salvage_return_rcu))
        state.bay[seat, a] -= 1
        lay(rules, state, seat, a, c)
        if a == HABITAT and state.bay_pop[seat] > 0:
            state.bay_pop[seat] -= 1
            state.pop[seat] += 1
            state.phase = RESOLVE
        house(rules, state, seat)
    elif kind == A_POPULATION:
        give_back(state, seat, np.int64(OLY), np.int64(rules.oly_per_pop))
        state.pop[seat] += 1
        state.grown = 1
        house(rules, state, seat)
        state.phase = RESOLVE
    elif kind == A_CLEAR:
        give_back(state, seat, np.int64(RCU), np.int64(rules.remove_meteorite_rcu))
        remove_meteorite(rules, state, c)
    elif kind == A_EXCHANGE:
        rate = np.int64(rules.export_resource if c < MED else rules.export_supply)
        plain = min(rate, np.int64(state.cards[seat, a]))
        give_back(state, seat, a, plain)
        if rate > plain:
            give_back(state, seat, np.int64(OLY), rate - plain)
        gain(rules, state, seat, c, np.int64(1))
    elif kind == A_MOVE or kind == A_STEAL:
        take_up(rules, state, seat, c)
    else:
        put_down(rules, state, seat, c)


@kernel
def take_up(rules: RulesRecord, state: StateRecord, seat: Seat, tile: Tile) -> None:
    """Pay for a piece that is moved or stolen, and lift it: it is not put back, for that would be no move (R99)."""
    lifted = lift(rules, state, tile)
    if lifted == RUIN:
        pay_structure(rules, state, seat, np.int64(RUIN))
    else:
        give_back(state, seat, np.int64(RCU), np.int64(rules.reposition_rcu))
        if rules.moves == MOVES_ONCE or rules.reposition_rcu == 0:
            state.moved = 1
    state.lifted = lifted
    state.lifted_from = tile
    state.phase = PLACE


@kernel
def put_down(rules: RulesRecord, state: StateRecord, seat: Seat, tile: Tile) -> None:
    """Put the lifted piece down."""
    lifted = np.int64(state.lifted)
    state.lifted = -1
    state.lifted_from = -1
    if lifted == RUIN:
        place(rules, state, seat, lifted, tile)
    else:
        lay(rules, state, seat, lifted, tile)
    house_all(rules, state)
    state.phase = ACT


@kernel
def pay_structure(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index) -> None:
    """Pay the price of a structure."""
    pay_price(state, seat, rules.cost[kind])
    state.bought[seat, kind] += 1
    if kind == RUIN:
        give_back(state, seat, np.int64(OLY), np.int64(rules.ruin_oly))
        give_back(state, seat, np.int64(BLUEPRINT), np.int64(rules.ruin_blueprint))


@kernel
def place(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, tile: Tile) -> None:
    """Put a new structure on the board."""
    lay(rules, state, seat, kind, tile)
    if kind != RUIN:
        house(rules, state, seat)
    state.placed[seat, kind] += 1
    note_first(state, seat, kind)
