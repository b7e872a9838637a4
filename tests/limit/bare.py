"""Bare playouts in Numba: each game as one function over a few arrays, without contract, records, bots or tables.

What remains of the playing loop's time when everything general is taken away. The random numbers, the lists of actions
and so the games are those of the loop (`sim.core.loop`) and of the C programs in `tests/limit/c`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel
from sim.core.rng import BOT, GOLDEN, keyed, mix

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1
SIDE = 11
CELLS = SIDE * SIDE
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
S32 = np.uint64(32)


@kernel
def pick(streams: Any, seat: Any, n: Any) -> Any:
    """Draw a number below `n` from the stream of `seat`."""
    streams[seat] = np.add(streams[seat], GOLDEN)
    return np.int64(np.multiply(mix(streams[seat]) >> S32, np.uint64(n)) >> S32)


@kernel
def row(stones: Any, step: Any) -> Any:
    """Whether four of these stones stand in a row."""
    pairs = stones & (stones >> step)
    return (pairs & (pairs >> (2 * step))) != 0


@kernel
def play_connect_four(seeds: Any, turns: Any, winners: Any, actions: Any, streams: Any) -> Any:
    """Play a random game for each seed; write its turns and its winner (-1: nobody)."""
    for g in range(seeds.shape[0]):
        for s in range(2):
            streams[s] = keyed(seeds[g], BOT, s)
        mine = theirs = np.int64(0)
        seat, turn, winner = 0, 0, -1
        while winner < 0 and turn < COLUMNS * ROWS:
            n = 0
            for x in range(COLUMNS):
                actions[n] = x
                n += ((mine | theirs) >> (x * STRIDE + ROWS - 1)) & 1 == 0
            x = actions[pick(streams, seat, n) if n > 1 else 0]
            mine |= (mine | theirs) + bit(x * STRIDE) & (bit(ROWS) - 1 << x * STRIDE) & ~(mine | theirs)
            turn += 1
            if row(mine, 1) | row(mine, STRIDE - 1) | row(mine, STRIDE) | row(mine, STRIDE + 1):
                winner = seat
            seat = 1 - seat
            mine, theirs = theirs, mine
        turns[g] = turn
        winners[g] = winner


def connect_four(seeds: Any, turns: Any, winners: Any) -> None:
    """Play connect four."""
    play_connect_four(seeds, turns, winners, np.zeros(COLUMNS, np.int32), np.zeros(2, np.uint64))


@kernel
def head_of(chain: Any, cell: Any) -> Any:
    """Return the cell that stands for the chain of a stone, and shorten the way to it."""
    while chain[cell] != cell:
        chain[cell] = chain[chain[cell]]
        cell = chain[cell]
    return cell


@kernel
def play_hex(
    seeds: Any,
    turns: Any,
    winners: Any,
    near: Any,
    edge: Any,
    stone: Any,
    chain: Any,
    touches: Any,
    actions: Any,
    streams: Any,
) -> Any:
    """Play a random game for each seed; write its turns and its winner."""
    for g in range(seeds.shape[0]):
        for cell in range(CELLS):
            stone[cell] = 0
            chain[cell] = cell
            touches[cell] = 0
        for s in range(2):
            streams[s] = keyed(seeds[g], BOT, s)
        seat, turn, winner = 0, 0, -1
        while winner < 0:
            n = 0
            for cell in range(CELLS):
                actions[n] = cell
                n += stone[cell] == 0
            cell = actions[pick(streams, seat, n) if n > 1 else 0]
            stone[cell] = seat + 1
            turn += 1
            touched = edge[seat, cell]
            for k in range(6):
                other = near[cell, k]
                if other >= 0 and stone[other] == seat + 1:
                    head = head_of(chain, other)
                    touched |= touches[head]
                    chain[head] = cell
            touches[cell] = touched
            if touched == 3:
                winner = seat
            seat = 1 - seat
        turns[g] = turn
        winners[g] = winner


def hex(seeds: Any, turns: Any, winners: Any) -> None:
    """Play Hex on 11 x 11."""
    near, edge = np.full((CELLS, 6), -1, np.int16), np.zeros((2, CELLS), np.int8)
    for cell in range(CELLS):
        y, x = divmod(cell, SIDE)
        for k, (dx, dy) in enumerate(STEPS):
            if 0 <= x + dx < SIDE and 0 <= y + dy < SIDE:
                near[cell, k] = (y + dy) * SIDE + x + dx
        edge[0, cell] = (y == 0) + 2 * (y == SIDE - 1)
        edge[1, cell] = (x == 0) + 2 * (x == SIDE - 1)
    stone, chain, touches = (np.zeros(CELLS, kind) for kind in (np.int8, np.int16, np.int8))
    actions, streams = np.zeros(CELLS, np.int32), np.zeros(2, np.uint64)
    play_hex(seeds, turns, winners, near, edge, stone, chain, touches, actions, streams)
