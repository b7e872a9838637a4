"""The event cards: 1 to 12 by the rulebook, the others stand-ins of our own (`facts/stand_ins.toml`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Index, RulesRecord, Seat, StateRecord, Stream
from sim.games.mars.rules.chance import tile_of
from sim.games.mars.rules.kinds import Tile
from sim.games.mars.rules.placing import in_stock, strike_sites, withheld
from sim.games.mars.rules.population import grow, injure
from sim.games.mars.rules.state import (
    BREAKDOWN,
    E1,
    E2,
    E3,
    E5,
    E7,
    E8,
    E9,
    E11,
    E12,
    E13,
    E15,
    E17,
    E18,
    E20,
    E21,
    E22,
    E23,
    E24,
    E25,
    E26,
    E27,
    E28,
    E29,
    E30,
    E31,
    E32,
    E33,
    E34,
    END,
    EVENT,
    EXPLORE,
    GIVE,
    HABITAT,
    KEPT_8,
    KEPT_11,
    KEPT_12,
    MED,
    METAL,
    METEORITES,
    OLY,
    RCU,
    RESOLVE,
    ROLL_AGAIN,
    RUIN_CORNER,
    STAYS_AT_STOP,
    STONE,
    TUNNEL,
    WATER,
)
from sim.games.mars.rules.stop import ask_take, fouled, unpaid
from sim.games.mars.rules.stores import draw_card, gain, give_back, settle_debt, to_bottom
from sim.games.mars.rules.strikes import ask_strike, strike


@kernel
def draw_event(rules: RulesRecord, state: StateRecord) -> None:
    """The player whose turn it is draws an event card."""
    kind = draw_card(state, np.int64(state.mover))
    if kind < 0:
        state.stage = END
        return
    state.stage = EVENT
    state.event = kind
    state.go = 0


@kernel
def finish(state: StateRecord, stage: Any) -> None:
    """The card is done and goes to the bottom of the deck."""
    to_bottom(state, np.int64(state.event))
    state.event = -1
    state.stage = stage


@kernel
def keep(state: StateRecord, seat: Seat, place: Tile) -> None:
    """The card is kept until it is used or paid."""
    state.kept[seat, place] += 1
    state.event = -1
    state.stage = END


@kernel
def event_step(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    """Carry out the next step of the event; `go` counts the players, or steps, that are done."""
    event = np.int64(state.event)
    seat = np.int64(state.mover)
    if event == E17 or event == E21 or event == E24 or event == E33:
        _next_go(rules, state, event)
    elif event == E20:
        if state.go == 0:
            state.go = 1
            state.due = state.built[seat, HABITAT]
        if fouled(rules, state):
            unpaid(rules, state)
        elif state.phase == RESOLVE:
            finish(state, END)
    elif event == E26:
        if state.go == 0:
            state.go = 1
            state.due = 2
        if state.due > 0 and _resources(state, seat) > 0:
            state.phase = GIVE
            state.seat = seat
        else:
            state.due = 0
            finish(state, END)
    elif state.go > 0:
        finish(state, END)
    else:
        state.go = 1
        _single(rules, state, event, seat, stream)


@kernel
def _resources(state: StateRecord, seat: Seat) -> Any:
    return state.cards[seat, METAL] + state.cards[seat, WATER] + state.cards[seat, STONE]


@kernel
def _single(rules: RulesRecord, state: StateRecord, event: Index, seat: Seat, stream: Stream) -> None:
    """Events that concern the drawer alone and need one decision at most."""
    one = np.int64(1)
    if event == E1:
        ask_take(state, seat, True)
    elif (event == E2 or event == E9) and rules.event_after_stop == STAYS_AT_STOP and state.report >= 0:
        finish(state, END)  # the own stop is not left before the next turn (R98)
    elif event == E2:
        finish(state, ROLL_AGAIN)
    elif event == E3:
        gain(rules, state, seat, np.int64(MED), one)
    elif event == E5:
        if in_stock(rules, state, seat, TUNNEL) and not withheld(state, seat, TUNNEL):
            state.reserve[seat, TUNNEL] += 1
    elif event == E7:
        gain(rules, state, seat, np.int64(RCU), one)
    elif event == E8:
        keep(state, seat, KEPT_8)
    elif event == E9:
        finish(state, EXPLORE)
        go_to_corner(rules, state, seat)
    elif event == E11:
        keep(state, seat, KEPT_11)
    elif event == E12:
        keep(state, seat, KEPT_12)
        settle_debt(state, seat)
    elif event == E13:
        ask_strike(rules, state, seat)
    elif event == E15:
        low, high = strike_sites(rules, state)
        if (low | high) != 0 and state.bank[METEORITES] != 0:
            strike(rules, state, seat, tile_of(rules, state, stream, low, high))
    elif event == E18:
        injure(rules, state, seat, False)
    elif event == E22:
        state.storm = seat
    elif event == E23:
        state.dust[seat] = 1
    elif event == E25:
        if state.cards[seat, RCU] > 0 or (state.production[seat, 0] | state.production[seat, 1]) != 0:
            state.phase = BREAKDOWN
            state.seat = seat
    elif event == E27:
        state.cut[seat] = 1
    elif event == E28:
        gain(rules, state, seat, np.int64(METAL), np.int64(2))
    elif event == E29:
        gain(rules, state, seat, np.int64(WATER), np.int64(2))
    elif event == E30:
        gain(rules, state, seat, np.int64(STONE), np.int64(2))
    elif event == E31:
        gain(rules, state, seat, np.int64(OLY), one)
    elif event == E32:
        grow(rules, state, seat)
    elif event == E34:
        gain(rules, state, seat, np.int64(MED), one)
        gain(rules, state, seat, np.int64(RCU), one)


@kernel
def _next_go(rules: RulesRecord, state: StateRecord, event: Index) -> None:
    """Let the next player, clockwise from the drawer, have its go (R83)."""
    while state.phase == RESOLVE and state.struck < 0:
        if state.go == state.players:
            finish(state, END)
            return
        seat = (np.int64(state.mover) + state.go) % state.players
        state.go += 1
        if state.gone[seat] != 0:
            continue
        if event == E17:
            ask_strike(rules, state, seat)
        elif event == E21:
            injure(rules, state, seat, False)
        elif event == E33:
            ask_take(state, seat, False)
        elif state.cards[seat, RCU] > 0:
            give_back(state, seat, np.int64(RCU), np.int64(1))
        elif _resources(state, seat) > 0:
            state.phase = GIVE
            state.seat = seat


@kernel
def go_to_corner(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Move the rover on to the next ruin corner (R16)."""
    square = np.int64(state.square[seat])
    steps = np.int64(0)
    while True:
        square += 1
        steps += 1
        if square == rules.n_squares:
            square = np.int64(0)
        if rules.square_kind[square] == RUIN_CORNER:
            break
    state.square[seat] = square
    state.lap[seat] = (np.int64(state.lap[seat]) + steps) % rules.n_squares
