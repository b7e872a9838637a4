"""Stones: take one to three stones from a heap; who takes the last one wins. A whole game in one file."""

from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.game import Cell, Game, validated
from sim.core.jit import implements, kernel
from sim.core.params import fill_rules, flatten, rule_fields
from sim.core.records import record_type, state_type
from sim.core.rng import keyed, to_below

TAKE = 2


class Parameters(BaseModel):
    """The numbers of the game."""

    model_config = ConfigDict(extra="forbid", strict=True)

    stones: int = Field(12, description="stones at the start", ge=1, le=1000)
    at_most: int = Field(3, description="stones that one may take", ge=1, le=100)


Rules = record_type([("stones_rules", np.int32), *rule_fields(Parameters)])
Entrant = record_type([("stones_entrant", np.int32)])
State = state_type("stones", [("heap", np.int32), ("took", np.int32, (2,))])


@kernel
def some_more(seed):
    return to_below(keyed(seed, 1, 0), 3)


@implements("setup", State)
def setup(rules, state, entrants, who, seed):
    state.phase = TAKE
    state.players = 2
    state.turn = 0
    state.ended = 0
    state.seat = 0
    state.heap = rules.stones + some_more(seed)
    for seat in range(2):
        state.took[seat] = 0


@implements("legal", State)
def legal(rules, state, out):
    n = 0
    for k in range(1, min(rules.at_most, state.heap) + 1):
        out[n] = k
        n += 1
    return n


@implements("apply", State)
def apply(rules, state, action):
    state.heap -= action
    state.took[state.seat] += action
    state.phase = RESOLVE


@implements("resolve", State)
def resolve(rules, state, stream):
    state.turn += 1
    if state.heap == 0:
        state.phase = OVER
        state.ended = FINISHED
    else:
        state.seat = 1 - state.seat
        state.phase = TAKE


@implements("score", State)
def score(rules, state, seat):
    return 1.0 if state.heap == 0 and state.seat == seat else 0.0


@implements("determinize", State)
def determinize(rules, state, seat, stream):
    return


@implements("features", State)
def features(rules, state, seat, out):
    out[0] = state.took[seat]
    out[1] = state.heap


@implements("tally", State)
def tally(rules, state, seat, out):
    out[:, 0] = -1
    out[3, 0] = state.took[seat]
    out[4, 0] = state.took[seat]
    out[6:, 0] = 0


@implements("drawn", State)
def drawn(rules, state, out):
    out[0] = 0


class Stones(Game):
    """The face of the game."""

    name = "stones"
    title = "Stones"
    about = "Take stones from a heap; who takes the last one wins."
    version = "1"
    pieces = ("Stone",)
    min_players = 2
    max_players = 2
    max_actions = 100
    most_plies = 5000
    needs_jitter = True
    phases = ("resolve", "over", "take")
    kinds = ("take",)
    features = ("took", "heap")
    feature_help: ClassVar = {"took": "stones taken", "heap": "stones left"}
    weights = (1.0, -0.1)
    harm = "nothing"
    Parameters = Parameters
    State = State
    Rules = Rules

    def prepare(self, parameters, n_players, entrants, base: Path | None = None) -> Cell:
        found = validated(Parameters, parameters)
        rules = np.zeros(1, dtype=Rules)
        fill_rules(found, rules[0])
        return Cell(
            parameters=flatten(found),
            players=n_players,
            drawn={},
            rules=rules,
            entrants=np.zeros(n_players, dtype=Entrant),
            bots=[(entrant.bot, dict(entrant.bot_options)) for entrant in entrants],
            lever=None,
            piece_total=None,
            moves=len({(entrant.bot, str(entrant.bot_options)) for entrant in entrants}) > 1,
        )

    def own_card(self):
        return {}

    def drawn_columns(self, cell, drawn):
        return {}

    def action_kind(self, codes):
        return np.zeros_like(codes)

    def action_piece(self, codes):
        return np.zeros_like(codes)

    def action_text(self, action, rules, cell=None, state_=None):
        return f"take {action}"

    def position_text(self, rules, state, cell=None):
        return f"heap {state['heap']}, seat {state['seat']}"

    def draw(self, rules, state, ax):
        ax.set_title(self.position_text(rules, state))

    def check_cases(self, path):
        return []


GAME = Stones()
