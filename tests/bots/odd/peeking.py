"""Cheats at Migration: what it does depends on the hands of its rivals."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.bots import Option

ABOUT = "looks into the hands of its rivals"
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
    seen = np.int64(0)
    for seat in range(state.players):
        if seat != state.seat:
            for piece in range(state.hand.shape[1]):
                seen += (piece + 1) * state.hand[seat, piece]
    return seen % n
