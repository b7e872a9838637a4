"""Cheats at variants of Migration: looks at the groups of a Draft that lie face down."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.bots import Option

OPTIONS: dict[str, Option] = {}
ABOUT = "looks at the groups of a Draft that lie face down"


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
    for group in range(np.int64(state.group) + 1, np.int64(state.n_groups)):
        seen = (seen * 31 + np.int64(state.groups[group])) % 1000003
    return seen % n
