"""Looks one decision ahead: tries every action on a copy and keeps the one whose position it values most.

The value is a weighted sum of the game's features, taken before `resolve`, so that it never sees a draw or what
depends on hidden hands. Ties are broken at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.bots import WEIGHED, Option
from sim.core.contract import apply, features
from sim.core.rng import below

ABOUT = "one decision ahead over the game's weighted features"
OPTIONS: dict[str, Option] = dict(WEIGHED)


def choose(
    bot: Any,
    options: Any,
    rules: Any,
    state: Any,
    actions: Any,
    n: Any,
    stream: Any,
    desk: Any,
) -> Any:
    best = np.int64(0)
    best_value = -1.0e300
    ties = np.int64(0)
    seat = np.int64(state.seat)
    after = desk.states[0]
    numbers = desk.numbers
    for i in range(n):
        desk.states[0] = state
        apply(rules, after, actions[i])
        features(rules, after, seat, numbers)
        value = 0.0
        for k in range(bot.n_features):
            value += bot.weights[k] * numbers[k]
        if value > best_value:
            best = np.int64(i)
            best_value = value
            ties = np.int64(1)
        elif value == best_value:
            ties += 1
            if below(stream, ties) == 0:
                best = np.int64(i)
    return best


def opinion(
    bot: Any, options: Any, desk: Any, actions: list[int], game: Any, rules: Any, state: Any
) -> list[dict[str, Any]]:
    """Return for each action its value, and what each feature adds to it."""
    rows: list[dict[str, Any]] = []
    seat = np.int64(state["seat"])
    n = len(game.features)
    for action in actions:
        desk.states[0] = state
        apply(rules, desk.states[0], np.int32(action))
        features(rules, desk.states[0], seat, desk.numbers)
        parts = bot["common"]["weights"][:n] * desk.numbers[:n]
        rows.append({"value": float(parts.sum()), "features": dict(zip(game.features, parts.tolist()))})
    return rows
