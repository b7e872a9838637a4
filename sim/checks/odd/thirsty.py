"""Plays as `steady` does, but draws from its stream all the while."""

from __future__ import annotations

from typing import Any

from sim.core.bots import Option
from sim.core.rng import below, u64

ABOUT = "the action in the middle of the list, after many useless draws"
OPTIONS: dict[str, Option] = {}


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
    for _draw in range(3 + below(stream, 5)):
        u64(stream)
    return n // 2
