"""The rules: what a position is, what is legal, what an action does. This file is compiled.

Plain Python over the fields of two records. `state` is the position; `rules` holds the parameters, which do not change
during a game. No lists, dicts or strings here: numbers, arrays of fixed length, `if`, `for` and `while`.
"""

import numpy as np

from sim.core.contract import FINISHED, OVER
from sim.core.jit import implements
from sim.core.params import ParameterModel, rule, rules_type
from sim.core.records import state_type
from sim.core.rng import keyed, to_below

TAKE = 2
"""The phase in which a player takes stones; 0 and 1 are RESOLVE and OVER in every game."""
EXTRA = 0
"""What a draw of the set-up is for: each has a number of its own."""
SEATS = 4
"""Most players."""
MOST = 9
"""Most stones that the parameters let anybody take."""


class Parameters(ParameterModel):
    """What a designer may turn: name, default, what it is, range."""

    stones: int = rule(12, "stones on the heap", ge=1, le=100)
    extra: int = rule(4, "at most so many more, drawn anew for each deal", ge=0, le=20)
    at_most: int = rule(3, "stones that one may take in a turn", ge=1, le=MOST)


Rules = rules_type("rock_garden", Parameters)

# beside phase, seat, players, turn and ended, which every state has
State = state_type("rock_garden", [("heap", np.int32), ("took", np.int32, (SEATS,)), ("last", np.int32)])


@implements("setup", State)
def setup(rules, state, entrants, who, seed):
    """Set every field: the record was used for the game before."""
    state.phase = TAKE
    state.players = rules.players
    state.seat = 0
    state.turn = 0
    state.ended = 0
    state.heap = rules.stones + to_below(keyed(seed, EXTRA, 0), rules.extra + 1)
    state.last = -1
    for seat in range(SEATS):
        state.took[seat] = 0


@implements("legal", State)
def legal(rules, state, out):
    """An action is a number of your own choice: here, how many stones are taken."""
    n = 0
    for stones in range(1, min(rules.at_most, state.heap) + 1):
        out[n] = stones
        n += 1
    return n


@implements("apply", State)
def apply(rules, state, action):
    state.heap -= action
    state.took[state.seat] += action
    state.last = state.seat
    state.turn += 1
    if state.heap == 0:
        state.phase = OVER
        state.ended = FINISHED
    else:
        state.seat = (state.seat + 1) % state.players


@implements("score", State)
def score(rules, state, seat):
    """Points if the game ended now; most points win."""
    return 1.0 if state.heap == 0 and state.last == seat else 0.0


@implements("features", State)
def features(rules, state, seat, out):
    """Numbers by which bots judge a position, named in game.py; without them it is the lead in points."""
    out[0] = score(rules, state, seat)
    out[1] = state.took[seat]
