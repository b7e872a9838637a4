"""Plays any legal action, each as likely as the others. The yardstick that every other bot must beat."""

from __future__ import annotations

from typing import Any

from sim.core.bots import Option
from sim.core.rng import below

ABOUT = "any legal action, all equally likely"
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
    return below(stream, n)


def opinion(
    bot: Any, options: Any, desk: Any, actions: list[int], game: Any, rules: Any, state: Any
) -> list[dict[str, Any]]:
    """Return for each action how likely it is."""
    return [{"value": 1 / len(actions)} for _ in actions]
