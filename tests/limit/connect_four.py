"""Connect four: the smallest compiled game. Nothing is hidden, nothing is drawn, there are no pieces to speak of."""

import numpy as np

from sim.core.contract import FINISHED, OVER
from sim.core.game import Game
from sim.core.jit import implements, kernel
from sim.core.params import ParameterModel, rule, rules_type
from sim.core.records import state_type

MOVE = 2
COLUMNS, ROWS = 7, 6


class Parameters(ParameterModel):
    """The numbers of the game."""

    in_a_row: int = rule(4, "stones in a row that win", ge=3, le=6)


Rules = rules_type("connect_four", Parameters)
State = state_type(
    "connect_four",
    [("board", np.int8, (COLUMNS, ROWS)), ("height", np.int8, (COLUMNS,)), ("winner", np.int32)],
)


@implements("setup", State)
def setup(rules, state, entrants, who, seed):
    state.phase = MOVE
    state.players = 2
    state.seat = 0
    state.turn = 0
    state.ended = 0
    state.winner = -1
    for x in range(COLUMNS):
        state.height[x] = 0
        for y in range(ROWS):
            state.board[x, y] = 0


@implements("legal", State)
def legal(rules, state, out):
    n = 0
    for x in range(COLUMNS):
        if state.height[x] < ROWS:
            out[n] = x
            n += 1
    return n


@kernel
def reach(state, x, y, dx, dy):
    """Return how many stones of the same colour follow (x, y) in a direction."""
    colour = state.board[x, y]
    n = 0
    x += dx
    y += dy
    while 0 <= x < COLUMNS and 0 <= y < ROWS and state.board[x, y] == colour:
        n += 1
        x += dx
        y += dy
    return n


@kernel
def wins(state, x, y, line):
    """Whether the stone at (x, y) stands in a row that is long enough."""
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        if 1 + reach(state, x, y, dx, dy) + reach(state, x, y, -dx, -dy) >= line:
            return True
    return False


@implements("apply", State)
def apply(rules, state, action):
    y = state.height[action]
    state.board[action, y] = state.seat + 1
    state.height[action] = y + 1
    state.turn += 1
    if wins(state, action, y, rules.in_a_row):
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
        rows = ["".join(".XO"[stone] for stone in state["board"][:, y]) for y in range(ROWS)]
        return "\n".join([f"turn {state['turn']}, {'AB'[state['seat']]} to move", *rows[::-1], "abcdefg"])


GAME = ConnectFour()
