"""Plays the action in the middle of the list and draws nothing."""

from __future__ import annotations

from typing import Any

from sim.core.bots import Option

ABOUT = "the action in the middle of the list"
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
    return n // 2
