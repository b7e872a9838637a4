"""Blocks: one deal, played once for each order in which differing players take the seats."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np

from sim.batch.cells import Player

_FOUR = ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))
"""A Latin square in which, besides, every player sits once right before every other (Williams 1949)."""


def series_orders(players: int) -> np.ndarray:
    """Return who sits where in each game of a series: everybody moves on by one seat from game to game.

    Returns
    -------
    int8 array (games, seats)
        Every player once in every seat, and so once in the Founder's.
    """
    seats = np.arange(players)
    return ((seats[None, :] + seats[:, None]) % players).astype(np.int8)


def orders(players: Sequence[Player], moves: bool, seating: Sequence[int] = ()) -> np.ndarray:
    """Return who sits where in each game of a block.

    Parameters
    ----------
    players
        The players of a cell.
    moves
        Whether anything moves with them; if nothing does, a deal is played once.
    seating
        The one order to be played; empty: all.

    Returns
    -------
    int8 array (games of a block, seats)
        Two or three players: all orders; four and more: a balanced set, every player once in every seat.
        Orders that differ only by players who are alike are played once.
    """
    n = len(players)
    if seating:
        return np.array([seating], dtype=np.int8)
    if not moves:
        return np.arange(n, dtype=np.int8)[None, :]
    if n <= 3:
        rows = list(itertools.permutations(range(n)))
    elif n == 4:
        rows = list(_FOUR)
    else:
        rows = [tuple((seat + shift) % n for seat in range(n)) for shift in range(n)]
    # A team that is drawn, or that a bot builds by a drawn taste, is the player's own: no two players are alike.
    kinds = [(p.kind, i if p.deck == "random" or p.builder else -1) for i, p in enumerate(players)]
    looks = Counter(tuple(kinds[who] for who in row) for row in rows)
    if len(set(looks.values())) == 1 and len(looks) < len(rows):
        first: dict[tuple[object, ...], tuple[int, ...]] = {}
        for row in rows:
            first.setdefault(tuple(kinds[who] for who in row), row)
        rows = list(first.values())
    return np.array(rows, dtype=np.int8)
