"""Plays the action in the middle of the list and draws nothing."""

from __future__ import annotations

from typing import Any

ABOUT = "the action in the middle of the list"
OPTIONS: dict[str, dict[str, Any]] = {}


def choose(
    bot: Any,
    options: Any,
    rules: Any,
    state: Any,
    actions: Any,
    n: Any,
    stream: Any,
    scratch: Any,
    numbers: Any,
) -> Any:
    return n // 2
