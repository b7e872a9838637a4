"""Cheats at variants of Migration: looks at what its rivals hold after a Draft."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.bots import Option

OPTIONS: dict[str, Option] = {}
ABOUT = "looks at what its rivals hold after a Draft"


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
                seen = (
                    seen * 31 + np.int64(state.pool[seat, piece]) + np.int64(state.hand[seat, piece])
                ) % 1000003
    return seen % n
