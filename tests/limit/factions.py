"""Factions: unlike sides that move with a player. A faction is a piece; who brings it is a factor of the experiment."""

import numpy as np

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.game import Game
from sim.core.jit import implements
from sim.core.params import ParameterModel, rule, rules_type
from sim.core.records import state_type
from sim.core.rng import below, keyed, to_below

ACT = 2
STEADY, BOLD = 0, 1


class Parameters(ParameterModel):
    """The numbers of the game."""

    rounds: int = rule(5, "turns of each player", ge=1, le=20)
    bold: int = rule(5, "sides of the die of Foxes", ge=2, le=12)


Rules = rules_type("factions", Parameters)
State = state_type("factions", [("points", np.int32, (2,)), ("faction", np.int32, (2,)), ("risk", np.int32)])


@implements("setup", State)
def setup(rules, state, entrants, who, seed):
    state.phase = ACT
    state.players = 2
    state.seat = 0
    state.turn = 0
    state.ended = 0
    state.risk = 0
    for seat in range(2):
        state.points[seat] = 0
        player = who[seat]
        if entrants[player].has_deck:
            state.faction[seat] = 1 if entrants[player].deck[1] > 0 else 0
        else:
            state.faction[seat] = to_below(keyed(seed, 0, player), 2)


@implements("legal", State)
def legal(rules, state, out):
    out[0] = STEADY
    out[1] = BOLD
    return 2


@implements("apply", State)
def apply(rules, state, action):
    state.risk = action
    state.phase = RESOLVE


@implements("resolve", State)
def resolve(rules, state, stream):
    seat = state.seat
    sides = rules.bold if state.faction[seat] == 1 else 3
    state.points[seat] += below(stream, sides) + 1 if state.risk == BOLD else 2
    state.seat = 1 - seat
    state.turn += 1
    state.phase = ACT
    if state.turn == 2 * rules.rounds:
        state.phase = OVER
        state.ended = FINISHED


@implements("score", State)
def score(rules, state, seat):
    return np.float64(state.points[seat])


@implements("tally", State)
def tally(rules, state, seat, out):
    out[:, :] = 0
    out[5, :] = -1
    for piece in range(2):
        own = 1 if state.faction[seat] == piece else 0
        out[0, piece] = own
        out[3, piece] = own


class Factions(Game):
    name = "factions"
    title = "Factions"
    about = "Oxen and Foxes roll for points."
    min_players = 2
    max_players = 2
    max_actions = 2
    needs_jitter = False
    pieces = ("Ox", "Fox")
    has_decks = True
    kinds = ("steady", "bold")
    Parameters = Parameters
    State = State
    Rules = Rules

    def lever(self, parameters):
        return "each player's faction is drawn by lot, where no deck names it"

    def action_kind(self, codes):
        return np.asarray(codes)

    def action_text(self, action, rules, cell=None, state_=None):
        return self.kinds[action]

    def position_text(self, rules, state, cell=None):
        sides = ", ".join(
            f"{'AB'[s]} {self.pieces[state['faction'][s]]} {state['points'][s]}" for s in range(2)
        )
        return f"turn {state['turn']}, {'AB'[state['seat']]} to move\n{sides}"


GAME = Factions()
