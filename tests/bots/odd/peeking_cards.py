"""Cheats at variants of Migration: looks at the cards of its rivals and at the deck."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.bots import Option

OPTIONS: dict[str, Option] = {}
ABOUT = "looks at the cards of its rivals and at the deck"


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
            seen += (seat + 1) * (np.int64(state.agenda[seat]) + 1)
    for place in range(np.int64(state.deck_place) + 1, np.int64(state.deck_size)):
        seen = (seen * 17 + np.int64(state.deck[place])) % 1000003
    return seen % n
