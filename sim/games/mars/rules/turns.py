"""The course of a turn after the roll: `resolve` does one step a call, and asks where somebody must decide."""

from __future__ import annotations

import numpy as np

from sim.core.contract import FINISHED, OVER, RESOLVE, TURN_CAP
from sim.core.jit import implements, kernel
from sim.core.kinds import Count, Index, RulesRecord, Seat, StateRecord, Stream, Whether
from sim.games.mars.rules.chance import face, roll
from sim.games.mars.rules.events import draw_event, event_step
from sim.games.mars.rules.population import grow, injure
from sim.games.mars.rules.state import (
    ACT,
    ACTING,
    AT_ONCE,
    AT_REPORT,
    BEGIN,
    BLUEPRINT,
    CHOOSING,
    DRAW,
    E8,
    E11,
    E12,
    END,
    EVENT,
    EXPLORE,
    EXPLORED,
    F_BLUEPRINT,
    F_INJURY,
    F_METEORITE,
    F_OLYMPIUM,
    F_POPULATION,
    KEPT_8,
    KEPT_11,
    KIND_BY_CHOICE,
    MINE,
    MINING,
    N_CARDS,
    N_STRUCTURES,
    OLY,
    PASS,
    ROLL,
    ROLL_AGAIN,
    RUIN_CORNER,
    START,
    State,
)
from sim.games.mars.rules.stop import arrive, ask_take, stop_step
from sim.games.mars.rules.stores import gain, give_back, to_bottom
from sim.games.mars.rules.strikes import ask_strike
from sim.games.mars.rules.tiles import holds


@implements("resolve", State)
def resolve(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    if rules.victory == AT_ONCE and state.winner < 0:
        for seat in range(state.players):
            if state.pop[seat] >= rules.target:
                state.winner = seat
                break
    if state.winner >= 0:
        state.ended = FINISHED
        state.phase = OVER
        state.last = state.mover
        return
    stage = state.stage
    if stage == ROLL or stage == ROLL_AGAIN:
        move(rules, state, roll(rules, state, stream))
        land(rules, state, stage == ROLL_AGAIN)
    elif stage == EXPLORE:
        explore(rules, state, stream)
    elif stage == EVENT:
        event_step(rules, state, stream)
    elif stage == ACTING:
        state.phase = ACT
        state.seat = state.mover
    elif stage != END:
        step_without_chance(rules, state)
    if state.phase == RESOLVE and state.stage == END and rules.victory != AT_ONCE:
        end_turn(rules, state)
        if state.phase == RESOLVE:
            begin_turn(rules, state)
    elif state.phase == RESOLVE and stage == END:
        end_turn(rules, state)


@kernel
def step_without_chance(rules: RulesRecord, state: StateRecord) -> None:
    """The stages in which nothing is drawn."""
    stage = state.stage
    if stage == BEGIN:
        begin_turn(rules, state)
    elif stage == EXPLORED:
        state.stage = END
    elif stage == DRAW:
        draw_event(rules, state)
    elif stage == CHOOSING:
        choose_next(state)
    elif stage == MINING:
        dig_next(state)
    else:
        stop_step(rules, state)


@kernel
def choose_next(state: StateRecord) -> None:
    """Let the next player choose its free building; after the last the first turn begins."""
    if state.go == state.players:
        state.stage = BEGIN
        state.go = 0
        return
    state.phase = START
    state.seat = (state.first + state.go) % state.players
    state.go += 1


@kernel
def begin_turn(rules: RulesRecord, state: StateRecord) -> None:
    """The next player's turn starts."""
    seat = np.int64(state.mover)
    if state.storm == seat:
        state.storm = -1
    if rules.quit[0] == seat and state.turn >= rules.quit[1] and state.gone[seat] == 0:
        leave(rules, state, seat)
        return
    state.turns_taken[seat] += 1
    state.stage = ACTING
    state.phase = ACT
    state.seat = seat
    state.asked = 0
    state.offers = 0
    state.moved = 0
    state.grown = 0
    state.report = -1


@kernel
def leave(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """A player quits: structures stay, all else goes (R91). The last one left wins."""
    state.gone[seat] = 1
    for kind in range(N_CARDS):
        n = np.int64(state.cards[seat, kind])
        if n > 0:
            give_back(state, seat, np.int64(kind), n)
    for place in range(3):
        for _k in range(state.kept[seat, place]):
            to_bottom(state, np.int64(E8 if place == KEPT_8 else E11 if place == KEPT_11 else E12))
        state.kept[seat, place] = 0
    if state.dealt[seat] >= 0:
        to_bottom(state, np.int64(state.dealt[seat]))
        state.dealt[seat] = -1
    for kind in range(N_STRUCTURES):
        state.reserve[seat, kind] = 0
        state.bay[seat, kind] = 0
    state.bay_pop[seat] = 0
    state.fresh[seat, :] = 0
    state.pop[seat] = 0
    state.embassy[seat] = 0
    state.dust[seat] = 0
    state.cut[seat] = 0
    left = np.int64(0)
    last = np.int64(-1)
    for other in range(state.players):
        if state.gone[other] == 0:
            left += 1
            last = np.int64(other)
    if left == 1:
        state.winner = last
    else:
        next_mover(state)


@kernel
def next_mover(state: StateRecord) -> None:
    """Pass the die on clockwise."""
    seat = np.int64(state.mover)
    while True:
        seat = (seat + 1) % state.players
        if state.gone[seat] == 0:
            break
    state.mover = seat
    state.stage = BEGIN


@kernel
def end_turn(rules: RulesRecord, state: StateRecord) -> None:
    """Judge victory (R86, R87), then pass the die on."""
    seat = np.int64(state.mover)
    reported = state.report >= rules.target or (rules.late_report != 0 and state.report >= 0)
    if rules.victory < AT_REPORT and reported and state.pop[seat] >= rules.target:
        state.winner = seat
    state.turn += 1
    state.last = seat
    if state.winner >= 0:
        state.ended = FINISHED
        state.phase = OVER
    elif state.turn >= rules.turn_cap:
        state.ended = TURN_CAP
        state.phase = OVER
    else:
        next_mover(state)


# --- the track -----------------------------------------------------------------------------------------------


@kernel
def move(rules: RulesRecord, state: StateRecord, pips: Count) -> None:
    """Move the rover, at most to the own Supply Stop (R5, R6)."""
    seat = np.int64(state.mover)
    lap = np.int64(state.lap[seat])
    steps = np.int64(pips)
    ahead = rules.n_squares - lap
    if rules.overshoot != PASS and steps > ahead:
        steps = ahead
    state.lap[seat] = (lap + steps) % rules.n_squares
    state.square[seat] = (state.square[seat] + steps) % rules.n_squares


@kernel
def land(rules: RulesRecord, state: StateRecord, by_event: Whether) -> None:
    """What the square gives (R7 to R13, R18); `by_event`: at the end of an event's extra move."""
    seat = np.int64(state.mover)
    square = np.int64(state.square[seat])
    kind = np.int64(rules.square_kind[square])
    if kind < RUIN_CORNER:
        state.stage = END
        collect(rules, state, seat, kind, by_event)
    elif kind == RUIN_CORNER:
        state.stage = EXPLORE
    elif square == rules.own_stop[seat]:
        arrive(state)
    else:
        whose = np.int64(rules.square_seat[square])
        there = whose >= 0 and state.gone[whose] == 0
        state.stage = DRAW if there or rules.unused_stop_event != 0 else END


@kernel
def collect(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, by_event: Whether) -> None:
    """Collect a resource, one more for each Mine (R11); event 8 of another player takes of it (R78, R79).

    Not of what an event's extra move yields (R95).
    """
    if state.storm >= 0:
        return
    due = np.int64(1)
    if state.dust[seat] != 0:
        state.dust[seat] = 0
    else:
        due += mines(rules, state, seat)
    if rules.mine_kind == KIND_BY_CHOICE and due > 1:
        state.stage = MINING
        state.due = due - 1
        due = np.int64(1)
    got = gain(rules, state, seat, kind, due)
    if got == 0 or (by_event and rules.event8_on_event_moves == 0):
        return
    for k in range(1, state.players):
        other = (seat + k) % state.players
        if state.kept[other, KEPT_8] > 0:
            n = got if rules.event8_all != 0 else np.int64(1)
            state.cards[seat, kind] -= n
            state.cards[other, kind] += n
            state.kept[other, KEPT_8] -= 1
            to_bottom(state, np.int64(E8))
            return


@kernel
def dig_next(state: StateRecord) -> None:
    """Let the player choose what its next Mine gives."""
    if state.due > 0:
        ask_take(state, np.int64(state.mover), False)
    if state.phase == RESOLVE:
        state.due = 0
        state.stage = END


@kernel
def mines(rules: RulesRecord, state: StateRecord, seat: Seat) -> Count:
    """Return how many Mines add to a collection (R12)."""
    if rules.unlinked_mines != 0 or state.built[seat, MINE] == 0:
        return np.int64(state.built[seat, MINE])
    n = np.int64(0)
    for tile in range(rules.n_tiles):
        if state.what[tile] == MINE and state.owner[tile] == seat and holds(rules, state.net[seat], tile):
            n += 1
    return n


@kernel
def explore(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    """A ruin corner: one Olympium, then the exploration die."""
    seat = np.int64(state.mover)
    gain(rules, state, seat, np.int64(OLY), np.int64(1))
    shown = face(rules, state, stream)
    state.stage = EXPLORED
    if shown == F_BLUEPRINT:
        gain(rules, state, seat, np.int64(BLUEPRINT), np.int64(1))
    elif shown == F_OLYMPIUM:
        gain(rules, state, seat, np.int64(OLY), np.int64(rules.olympium_bonus))
    elif shown == F_POPULATION:
        grow(rules, state, seat)
    elif shown == F_METEORITE:
        ask_strike(rules, state, seat)
    elif shown == F_INJURY:
        injure(rules, state, seat, True)
