"""How many lines of play there are: a count by depth that finds a wrong rule wherever it hides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.checks.table import Table, keep
from sim.core.contract import OVER, RESOLVE, apply, legal, resolve
from sim.core.game import Cell
from sim.core.jit import kernel
from sim.core.kinds import Actions, Count, Counts, Records, Rules, Stream

SEED = 1
MOST_PLAIN = 20_000
"""Lines that are counted without compiling."""


@kernel
def count_lines(
    rules: Rules,
    states: Records,
    actions: Actions,
    sizes: Counts,
    places: Counts,
    stream: Stream,
    depth: Count,
) -> Count:
    """Return how many sequences of `depth` actions there are from ``states[0]``.

    Parameters
    ----------
    states : records (depth + 1,); actions : int32 array (depth + 1, room); sizes, places : int64 arrays (depth + 1,)
        Room to work in.
    stream
        Chance, for games that have it: counts then are of one course of it.
    """
    total = np.int64(0)
    level = np.int64(0)
    sizes[0] = -1
    while level >= 0:
        if sizes[level] < 0:
            while states[level].phase == RESOLVE:
                resolve(rules, states[level], stream)
            if states[level].phase == OVER:
                level -= 1
                continue
            sizes[level] = legal(rules, states[level], actions[level])
            places[level] = 0
            if level == depth - 1:
                total += sizes[level]
                level -= 1
                continue
        if places[level] >= sizes[level]:
            level -= 1
            continue
        action = actions[level, places[level]]
        places[level] += 1
        states[level + 1] = states[level]
        level += 1
        sizes[level] = -1
        apply(rules, states[level], action)
    return total


def lines_of_play(game: Any, cell: Cell, depth: int) -> int:
    """Return how many sequences of `depth` actions the deal of seed 1 allows."""
    table = Table(game, cell, SEED)
    states = np.zeros(depth + 1, dtype=game.State)
    states[0] = table.states[0]
    room = np.zeros((depth + 1, len(table.out)), dtype=np.int32)
    sizes, places = np.zeros(depth + 1, dtype=np.int64), np.zeros(depth + 1, dtype=np.int64)
    return int(count_lines(table.rules, states, room, sizes, places, table.chance, depth))


def check_perft(game: Any, cell: Cell, counts: Sequence[int], most: int | None = None) -> int:
    """Compare counts by depth (from 1 on) with the game's, up to `most` lines; return the last depth.

    Raises
    ------
    Broken
        There are more or fewer lines of play.
    """
    depth = 0
    for wanted in counts:
        if most is not None and wanted > most:
            break
        depth += 1
        found = lines_of_play(game, cell, depth)
        keep(found == wanted, f"{found:,} lines of play at depth {depth}, not {wanted:,}")
    return depth
