"""Two tiny games whose best play is known: one for thinking ahead, one for not looking."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.core.bots import bot_set
from sim.core.contract import OVER, RESOLVE, choose
from sim.core.jit import implements
from sim.core.records import record_type, state_type
from sim.core.rng import BOT, below, start

MOST = 3
Rules = record_type([("sides", np.int32)])
Nim = state_type("nim", [("heap", np.int64), ("last", np.int32)])
Cups = state_type("cups", [("ball", np.int64), ("answer", np.int64)])
SURE = 3


# --- Nim: take 1 to 3 of a heap; who takes the last one wins, with its team ------------------------------------


@implements("legal", Nim)
def _nim_legal(rules: Any, state: Any, out: Any) -> Any:
    n = min(np.int64(MOST), state.heap)
    for k in range(n):
        out[k] = k + 1
    return n


@implements("apply", Nim)
def _nim_apply(rules: Any, state: Any, action: Any) -> None:
    state.heap -= action
    state.last = state.seat
    state.phase = RESOLVE


@implements("resolve", Nim)
def _nim_resolve(rules: Any, state: Any, stream: Any) -> None:
    state.turn += 1
    state.seat = (state.seat + 1) % state.players
    state.phase = OVER if state.heap == 0 else 2


@implements("side", Nim)
def _nim_side(rules: Any, state: Any, seat: Any) -> Any:
    return seat % rules.sides


@implements("score", Nim)
def _nim_score(rules: Any, state: Any, seat: Any) -> Any:
    return 1.0 if state.heap == 0 and state.last % rules.sides == seat % rules.sides else 0.0


@implements("determinize", Nim)
def _nim_determinize(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    return


@implements("features", Nim)
def _nim_features(rules: Any, state: Any, seat: Any, out: Any) -> None:
    out[0] = 0.0


@implements("piece_of", Nim)
def _nim_piece(rules: Any, state: Any, action: Any) -> Any:
    return action - 1


# --- Cups: a ball lies under one of three; name the cup and win, be wrong and lose, or take an even split ------


@implements("legal", Cups)
def _cups_legal(rules: Any, state: Any, out: Any) -> Any:
    for k in range(4):
        out[k] = k
    return 4


@implements("apply", Cups)
def _cups_apply(rules: Any, state: Any, action: Any) -> None:
    state.answer = action
    state.phase = RESOLVE


@implements("resolve", Cups)
def _cups_resolve(rules: Any, state: Any, stream: Any) -> None:
    state.phase = OVER


@implements("score", Cups)
def _cups_score(rules: Any, state: Any, seat: Any) -> Any:
    if state.answer == SURE:
        return 1.0
    return 1.0 if (state.answer == state.ball) == (seat == 0) else 0.0


@implements("determinize", Cups)
def _cups_determinize(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    state.ball = below(stream, 3)


@implements("features", Cups)
def _cups_features(rules: Any, state: Any, seat: Any, out: Any) -> None:
    out[0] = 0.0


def game(kind: Any) -> Any:
    """Return what `bot_set` asks of a game."""
    return SimpleNamespace(
        State=kind,
        features=("nothing",),
        weights=(1.0,),
        pieces=("one", "two", "three"),
        max_actions=4,
        needs_jitter=False,
        plain=False,
    )


def pick(kind: Any, bot: str, options: dict[str, Any], seed: int, sides: int = 2, **fields: int) -> int:
    """Return the action that a bot chooses in a position; fields not named are 0 (players: 2)."""
    toy = game(kind)
    table = SimpleNamespace(bots=[(bot, options)], players=fields.get("players", 2), parameters={})
    _, bank, desks = bot_set(toy, [table])
    rules, states = np.zeros(1, dtype=Rules), np.zeros(1, dtype=kind)
    rules["sides"] = sides
    for name, value in {"phase": 2, "players": 2, **fields}.items():
        states[name] = value
    actions = np.zeros(8, dtype=np.int32)
    n = (_nim_legal if kind is Nim else _cups_legal)(rules[0], states[0], actions)
    stream = np.zeros(1, dtype=np.uint64)
    start(stream, np.uint64(seed), BOT, 0)
    return int(actions[choose(bank[0, 0], rules[0], states[0], actions, n, stream, desks)])
