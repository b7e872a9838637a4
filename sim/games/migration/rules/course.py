"""The course of play: what is due between decisions, from the first deal of cards to the end of the game."""

from __future__ import annotations

import numpy as np

from sim.core.contract import RUNNING
from sim.core.jit import implements, kernel, where
from sim.core.kinds import Points, RulesRecord, Seat, StateRecord, Stream
from sim.games.migration.rules.drafting import next_builder, next_group
from sim.games.migration.rules.game_end import able_now, end_of_game, finish
from sim.games.migration.rules.laying import next_step
from sim.games.migration.rules.scoring import points
from sim.games.migration.rules.state import (
    BUILDING,
    DRAFTING,
    FOUNDING,
    PLAYING,
    REVEAL,
    TURN,
    VARIANTS,
    State,
)
from sim.games.migration.rules.turn_end import must_choose_oaths
from sim.games.migration.rules.turns import after_enacting, begin_turn, next_seat, pass_by_force


@implements("resolve", State)
def resolve(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    if state.stage != PLAYING:
        prepare(rules, state, stream)
        return
    if after_enacting(rules, state):
        return
    seat = next_seat(state)
    able = seat >= 0 and able_now(rules, state, seat, False)
    how = end_of_game(rules, state, seat, able)
    if how != RUNNING:
        finish(state, how)
        return
    begin_turn(rules, state, seat)
    if able:
        state.phase = TURN
        return
    if able_now(
        rules, state, seat, True
    ):  # only the Oasis' first turn stands in the way: that is no pass to count
        state.stirred = 1
    pass_by_force(rules, state, seat)


@kernel
def _prepare(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    """One step of what comes before the first turn."""
    if state.stage == FOUNDING:
        next_step(rules, state)
    elif state.stage == DRAFTING:
        next_group(rules, state)
    elif state.stage == BUILDING:
        next_builder(rules, state, stream)
    else:
        prepare_oaths(rules, state)


@kernel
def _begin_at_once(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    state.stage = PLAYING


prepare = where(VARIANTS, "prepare", "rules, state, stream", _prepare, _begin_at_once)


@kernel
def prepare_oaths(rules: RulesRecord, state: StateRecord) -> None:
    """Ask each seat in order for the two Explorers that it shows (E38)."""
    if rules.oaths == 0 or state.asked == state.players:
        state.stage = PLAYING
        state.seat = (state.first + state.players - 1) % state.players
        return
    seat = np.int64(state.asked)
    if must_choose_oaths(state, seat):
        state.seat = seat
        state.phase = REVEAL
    else:
        state.asked += 1


@implements("score", State)
def score(rules: RulesRecord, state: StateRecord, seat: Seat) -> Points:
    return np.float64(points(rules, state, np.int64(seat), np.int64(0)))
