"""A race with a die: bank what lies on the table, or roll for more; who has most after some turns wins."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.core.contract import OVER, RESOLVE
from sim.core.jit import implements
from sim.core.records import record_type, state_type
from sim.core.rng import below

STEADY, BOLD, WILD = range(3)
Rules = record_type([("dice_rules", np.int32), ("sides", np.int64), ("turns", np.int64)])
Dice = state_type("dice_race", [("points", np.int64, (2,)), ("way", np.int64)])


@implements("legal", Dice)
def _legal(rules: Any, state: Any, out: Any) -> Any:
    for k in range(3):
        out[k] = k
    return 3


@implements("apply", Dice)
def _apply(rules: Any, state: Any, action: Any) -> None:
    state.way = action
    state.phase = RESOLVE


@implements("resolve", Dice)
def _resolve(rules: Any, state: Any, stream: Any) -> None:
    if state.way == STEADY:
        state.points[state.seat] += (rules.sides + 1) // 2
    elif state.way == BOLD:
        state.points[state.seat] += below(stream, rules.sides) + 1
    elif below(stream, rules.sides) == 0:  # wild: all or little
        state.points[state.seat] += 2 * rules.sides
    state.turn += 1
    state.seat = 1 - state.seat
    state.phase = OVER if state.turn == rules.turns else 2


@implements("score", Dice)
def _score(rules: Any, state: Any, seat: Any) -> Any:
    return float(state.points[seat])


def game() -> Any:
    """Return what the solver asks of a game."""
    return SimpleNamespace(State=Dice, name="dice", max_actions=3)


def true_value(sides: int, turns: int, turn: int, mine: int, theirs: int) -> float:
    """Return the share of the win of the seat to move, by the rules of arithmetic."""

    @cache
    def value(turn: int, mine: int, theirs: int) -> float:
        if turn == turns:
            return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        return max(ways(turn, mine, theirs))

    def ways(turn: int, mine: int, theirs: int) -> list[float]:
        def then(more: int) -> float:
            return 1.0 - value(turn + 1, theirs, mine + more)

        bold = sum(then(k + 1) for k in range(sides)) / sides
        wild = (then(2 * sides) + (sides - 1) * then(0)) / sides
        return [then((sides + 1) // 2), bold, wild]

    return value(turn, mine, theirs)
