"""Connect four: the smallest compiled game. Nothing is hidden, nothing is drawn, there are no pieces to speak of."""

import numpy as np

from sim.core.contract import FINISHED, OVER
from sim.core.game import Game
from sim.core.jit import bit, implements, kernel
from sim.core.params import ParameterModel, rule, rules_type
from sim.core.records import state_type

MOVE = 2
COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1


class Parameters(ParameterModel):
    """The numbers of the game."""

    in_a_row: int = rule(4, "stones in a row that win", ge=3, le=6)


Rules = rules_type("connect_four", Parameters)
State = state_type(
    "connect_four",
    [("stones", np.int64, (2,)), ("winner", np.int32)],
)
"""`stones`: those of each seat as bits, `STRIDE` to a column from below; the bit above a column is never set."""


@implements("setup", State)
def setup(rules, state, entrants, who, seed):
    state.phase = MOVE
    state.players = 2
    state.seat = 0
    state.turn = 0
    state.ended = 0
    state.winner = -1
    state.stones[0] = 0
    state.stones[1] = 0


@implements("legal", State)
def legal(rules, state, out):
    n = 0
    stones = state.stones[0] | state.stones[1]
    for x in range(COLUMNS):  # written in any case: no branch to be guessed wrong
        out[n] = x
        n += (stones >> (x * STRIDE + ROWS - 1)) & 1 == 0
    return n


@kernel
def wins(stones, line):
    """Whether `line` of these stones stand in a row, in any of the four directions."""
    won = False
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        left = stones
        for _ in range(line - 1):
            left = stones & (left >> step)
        won |= left != 0
    return won


@implements("apply", State)
def apply(rules, state, action):
    column = bit(ROWS) - 1 << action * STRIDE
    stones = state.stones[0] | state.stones[1]
    state.stones[state.seat] |= (stones + bit(action * STRIDE)) & column & ~stones  # the lowest that is free
    state.turn += 1
    if wins(state.stones[state.seat], rules.in_a_row):
        state.winner = state.seat
    if state.winner >= 0 or state.turn == COLUMNS * ROWS:
        state.phase = OVER
        state.ended = FINISHED
    else:
        state.seat = 1 - state.seat


@implements("score", State)
def score(rules, state, seat):
    return 1.0 if state.winner == seat else 0.0


class ConnectFour(Game):
    name = "connect_four"
    title = "Connect four"
    about = "Drop stones into seven columns; four in a row win."
    min_players = 2
    max_players = 2
    max_actions = COLUMNS
    perft = (7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234)
    Parameters = Parameters
    State = State
    Rules = Rules

    def action_text(self, action, rules, cell=None, state_=None):
        return f"drop {'abcdefg'[action]}"

    def position_text(self, rules, state, cell=None):
        def stone(x, y):
            one, other = (int(stones) >> (x * STRIDE + y) & 1 for stones in state["stones"])
            return "XO"[other] if one or other else "."

        rows = ["".join(stone(x, y) for x in range(COLUMNS)) for y in range(ROWS)]
        return "\n".join([f"turn {state['turn']}, {'AB'[state['seat']]} to move", *rows[::-1], "abcdefg"])


GAME = ConnectFour()
