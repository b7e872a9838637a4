"""What a seat learns of what another does, or of chance: told by what would look the same to it.

`determinize` rebuilds a position from what a seat may know and from nothing else. So two positions that it rebuilds
alike, with the same stream, are one to that seat; and what it hears is what all actions that lead there have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.core.contract import apply, determinize, resolve
from sim.core.records import same_position
from sim.core.rng import CHANCE, start
from sim.core.table import Table
from sim.show.hidden import seen_alike

TRIES = 12
"""Other luck that is tried to tell what a seat learns of chance."""


def redrawn(table: Table, position: Any, seat: int, number: int = 0) -> Any:
    """Return a copy of a position with everything redrawn that `seat` cannot know; `number` tells worlds apart."""
    states = np.zeros(1, dtype=table.game.State)
    states[0] = position
    determinize(table.rules, states[0], np.int64(seat), _stream(table, 1000 + number))
    return states[0]


def _stream(table: Table, item: int) -> Any:
    stream = np.zeros(1, dtype=np.uint64)
    start(stream, np.uint64(table.seed), CHANCE, item)
    return stream


def action_heard(
    table: Table, seat: int, position: Any, actions: Sequence[int], action: int, words: str
) -> list[str]:
    """Return an action of another seat, one of `actions` in `position`, as `seat` hears of it."""

    def after(code: int) -> Any:
        states = np.zeros(1, dtype=table.game.State)
        states[0] = position
        apply(table.rules, states[0], np.int32(code))
        return redrawn(table, states[0], seat)

    seen = after(action)
    alike = [words]
    for other in actions:
        if other != action and same_position(after(other), seen):
            alike.append(str(table.game.action_text(other, table.rules, table.cell, position)))
    return [seen_alike(alike)]


def came_heard(table: Table, seat: int, before: Any, after: Any, words: list[str]) -> list[str]:
    """Return what went by itself as `seat` hears of it: what all luck that looks the same has in common."""
    if not words:
        return words
    seen = redrawn(table, after, seat)
    alike = ["\n".join(words)]
    for number in range(TRIES):
        states = np.zeros(1, dtype=table.game.State)
        states[0] = before
        resolve(table.rules, states[0], _stream(table, 2000 + number))
        if same_position(redrawn(table, states[0], seat), seen):
            alike.append("\n".join(table.game.happened(table.rules, before, states[0], table.cell)))
    return seen_alike(alike).splitlines()
