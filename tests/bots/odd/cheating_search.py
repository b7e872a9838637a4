"""Cheats in any game: a search that leaves out `determinize` and so plays in the world as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.bots import search
from sim.bots.search import clear_node, one_playout

ABOUT = "searches the hands that the others really have"
OPTIONS = search.OPTIONS
room = search.room


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
    seat = np.int64(state.seat)
    used = clear_node(desk.nodes, 0, 0, seat, 0.0)
    for _playout in range(options.playouts):
        desk.states[0] = state
        used = one_playout(bot, options, rules, desk, seat, used, stream)
    best = np.int64(desk.nodes[0].first)
    child = best
    while child >= 0:
        if desk.nodes[child].visits > desk.nodes[best].visits:
            best = child
        child = np.int64(desk.nodes[child].after)
    place = np.int64(0)
    while actions[place] != desk.nodes[best].action:
        place += 1
    return place
