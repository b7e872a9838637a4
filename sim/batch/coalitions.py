"""Which pieces one player may not use, in many ways: what a piece is worth to its owner is read from such bans.

``"player.owner.bans" = ["none", "every 1", "orders 20"]`` under ``[vary]`` stands for sets of banned pieces: none,
each set of so many, or the sets that come about when pieces are banned one after the other in so many random orders.
Along an order each set differs from the one before by one piece, which is what the worth of that piece is read from
(Shapley values by sampled orders: Castro, Gomez and Tejada 2009). What the game does not allow is left out by
``skip_impossible = true``.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from itertools import combinations

from sim.core.errors import Refusal

MOST_SETS = 5_000
"""More sets than this would be a slip of the pen."""


def is_key(key: str) -> bool:
    """Whether a setting says which pieces one player may not use."""
    return key.startswith("player.") and key.endswith(".bans")


def banned_sets(key: str, value: object, pieces: Sequence[str], seed: int) -> list[list[str]] | None:
    """Return the sets of pieces that a text stands for; None for what is no such text.

    Parameters
    ----------
    key
        The setting, for what is said of mistakes: ``player.owner.bans``.
    value
        ``"none"``, ``"every 2"`` or ``"orders 20"``.
    pieces
        The game's pieces.
    seed
        Of the experiment: asking for more orders keeps the first ones.

    Raises
    ------
    Refusal
        The number is missing, or too large.
    """
    if not isinstance(value, str):
        return None
    if value == "none":
        return [[]]
    word, _, number = value.partition(" ")
    if word not in ("every", "orders") or not number.isdecimal() or int(number) < 1:
        raise Refusal(
            f'\'{key}\' = {value!r}: write "none", "every 2" (all sets of two), "orders 20" or a list of pieces'
        )
    n = int(number)
    if word == "every":
        if n >= len(pieces):
            raise Refusal(f"'{key}' = {value!r}: there are {len(pieces)} pieces, and one must be left")
        if math.comb(len(pieces), n) > MOST_SETS:
            raise Refusal(f"'{key}' = {value!r} makes {math.comb(len(pieces), n):,} sets; use \"orders 20\"")
        return [list(chosen) for chosen in combinations(pieces, n)]
    if n * len(pieces) > MOST_SETS:
        raise Refusal(f"'{key}' = {value!r} makes up to {n * len(pieces):,} sets; use fewer orders")
    found: dict[frozenset[str], list[str]] = {frozenset(): []}
    for turn in range(n):
        order = sorted(pieces, key=lambda piece: _key(seed, turn, piece))
        for size in range(1, len(order)):
            chosen = frozenset(order[:size])
            found.setdefault(chosen, [piece for piece in pieces if piece in chosen])
    return list(found.values())


def _key(seed: int, turn: int, piece: str) -> bytes:
    return hashlib.blake2b(f"{seed}/order/{turn}/{piece}".encode(), digest_size=8).digest()
