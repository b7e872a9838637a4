"""Two tiny games that share verbs, to see that each state finds its own rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel, verb
from sim.core.records import record_type, state_type

Apples = state_type("apples", [("basket", np.int64)])
Pears = state_type("pears", [("basket", np.int64), ("bruised", np.int64)])
Nothing = record_type([("basket", np.int64)])
Figs = state_type("figs", [])

harvest = verb("harvest", "rules, state, more", "Pick `more` fruit and return what the basket is worth.")


def _no_wasps(rules: Any, state: Any, more: Any) -> Any:
    return more


wasps = verb("wasps", "rules, state, more", "How many wasps come for `more` fruit.", _no_wasps)


@implements("wasps", Pears)
def _wasps(rules: Any, state: Any, more: Any) -> Any:
    return more * 3


@kernel
def wasps_of_a_day(rules: Any, state: Any, more: Any) -> Any:
    """Call from compiled code a verb that one game leaves to its default."""
    return wasps(rules, state, more)


@implements("harvest", Apples)
def _apples(rules: Any, state: Any, more: Any) -> Any:
    state.basket += more
    return state.basket * 10


@implements("harvest", Pears)
def _pears(rules: Any, state: Any, more: Any) -> Any:
    state.basket += more
    state.bruised += 1
    return state.basket * 7 - state.bruised


@kernel
def whole_day(rules: Any, state: Any, hours: Any) -> Any:
    """Call the verb from compiled code, as bots do."""
    worth = np.int64(0)
    for _hour in range(hours):
        worth += harvest(rules, state, 2)
    return worth


def record(dtype: np.dtype[Any]) -> Any:
    """Return a blank record."""
    return np.zeros(1, dtype=dtype)[0]
