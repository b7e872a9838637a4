"""Hex on an 11 x 11 board: a chain of stones from edge to edge wins. Tables of the board are made once, in `fill`."""

import numpy as np

from sim.core.contract import FINISHED, OVER
from sim.core.game import Game
from sim.core.jit import implements, kernel
from sim.core.params import ParameterModel, rule, rules_type
from sim.core.records import state_type

PLACE = 2
MOST = 11
CELLS = MOST * MOST
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
NEAR, FAR = 1, 2
"""Bits of a chain: it touches the first edge of its colour, and the other one."""


class Parameters(ParameterModel):
    """The numbers of the game."""

    width: int = rule(11, "cells along an edge", ge=3, le=MOST)


Rules = rules_type(
    "hex", Parameters, [("cells", np.int32), ("near", np.int16, (CELLS, 6)), ("edge", np.int8, (2, CELLS))]
)
State = state_type(
    "hex",
    [
        ("stone", np.int8, (CELLS,)),
        ("chain", np.int16, (CELLS,)),
        ("touches", np.int8, (CELLS,)),
        ("winner", np.int32),
    ],
)


@implements("setup", State)
def setup(rules, state, entrants, who, seed):
    state.phase = PLACE
    state.players = 2
    state.seat = 0
    state.turn = 0
    state.ended = 0
    state.winner = -1
    for cell in range(CELLS):
        state.stone[cell] = 0
        state.chain[cell] = cell
        state.touches[cell] = 0


@implements("legal", State)
def legal(rules, state, out):
    n = 0
    for cell in range(rules.cells):  # written in any case: no branch that is guessed wrong half of the time
        out[n] = cell
        n += state.stone[cell] == 0
    return n


@kernel
def head_of(state, cell):
    """Return the cell that stands for the chain of a stone, and shorten the way to it."""
    while state.chain[cell] != cell:
        state.chain[cell] = state.chain[state.chain[cell]]
        cell = state.chain[cell]
    return cell


@implements("apply", State)
def apply(rules, state, action):
    seat = state.seat
    state.stone[action] = seat + 1
    state.turn += 1
    touched = rules.edge[seat, action]
    for k in range(6):
        other = rules.near[action, k]
        if other >= 0 and state.stone[other] == seat + 1:
            head = head_of(state, other)
            touched |= state.touches[head]
            state.chain[head] = action
    state.touches[action] = touched
    if touched == NEAR | FAR:
        state.winner = seat
        state.phase = OVER
        state.ended = FINISHED
    else:
        state.seat = 1 - seat


@implements("score", State)
def score(rules, state, seat):
    return 1.0 if state.winner == seat else 0.0


class Hex(Game):
    name = "hex"
    title = "Hex"
    about = "Place stones; a chain between two opposite edges wins."
    min_players = 2
    max_players = 2
    max_actions = CELLS
    perft = (121, 14_520, 1_727_880)
    Parameters = Parameters
    State = State
    Rules = Rules

    def fill(self, rules, parameters, n_players):
        size = parameters.width
        rules["cells"] = size * size
        rules["near"] = -1
        for x in range(size):
            for y in range(size):
                for k, (dx, dy) in enumerate(STEPS):
                    if 0 <= x + dx < size and 0 <= y + dy < size:
                        rules["near"][y * size + x, k] = (y + dy) * size + x + dx
                rules["edge"][0, y * size + x] = NEAR * (y == 0) + FAR * (y == size - 1)
                rules["edge"][1, y * size + x] = NEAR * (x == 0) + FAR * (x == size - 1)

    def action_text(self, action, rules, cell=None, state_=None):
        y, x = divmod(int(action), int(rules["width"]))
        return f"{'abcdefghijk'[x]}{y + 1}"

    def position_text(self, rules, state, cell=None):
        size = int(rules["width"])
        rows = [
            " " * y + " ".join(".XO"[stone] for stone in state["stone"][y * size : (y + 1) * size])
            for y in range(size)
        ]
        return "\n".join([f"turn {state['turn']}, {'AB'[state['seat']]} to move", *rows])


GAME = Hex()
