"""`design = "screen"`: many numbers of the rules at once, each at two levels, in few cells.

Columns of a Hadamard matrix H say which level each number has in each cell, and the cells are those of H and of its
mirror image (Plackett and Burman 1946, folded over: Box and Wilson 1951). So every number stands at either level in
half of the cells, with all others alike on both sides, and what two numbers do only together does not pass for the
effect of one of them (resolution IV). Columns that no number takes up are kept: an "effect" of nothing measures the
noise. Three numbers or fewer are simply played in all their combinations.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Signs = NDArray[np.int8]

SPARE = 4
"""At least so many columns stay without a number, for the noise floor."""
FULL = 3
"""So many numbers are played in all combinations."""
CROSSED = ("variant", "players.count")
"""What is not screened: the screen is played whole under each of its levels."""


@cache
def _paley(order: int) -> Signs | None:
    """Return the Hadamard matrix of an order p + 1, p a prime of the form 4k + 3 (Paley 1933); None for others."""
    p = order - 1
    if p < 3 or p % 4 != 3 or any(p % d == 0 for d in range(2, int(p**0.5) + 1)):
        return None
    squares = {i * i % p for i in range(1, p)}
    row = np.array([0] + [1 if i in squares else -1 for i in range(1, p)])
    core = np.array([np.roll(row, i) for i in range(p)])
    found = np.ones((order, order), dtype=np.int8)
    found[1:, 1:] = core + np.eye(p, dtype=np.int64)
    found[1:, 0] = -1
    signs = found * found[0]  # the first row all plus
    return (signs * signs[:, :1]).astype(np.int8)


@cache
def hadamard(order: int) -> Signs | None:
    """Return a Hadamard matrix with a first row and column of plus; None where none is known here."""
    if order in (1, 2):
        return np.array([[1, 1], [1, -1]], dtype=np.int8)[:order, :order]
    half = hadamard(order // 2) if order % 2 == 0 else None
    if half is not None and (order & (order - 1)) == 0:
        return np.kron(np.array([[1, 1], [1, -1]], dtype=np.int8), half)
    found = _paley(order)
    if found is None and half is not None:
        return np.kron(np.array([[1, 1], [1, -1]], dtype=np.int8), half)
    return found


def signs(numbers: int) -> tuple[Signs, Signs]:
    """Return the levels (-1, 1) of a screen.

    Returns
    -------
    array (cells, numbers)
    array (cells, spare)
        Columns that no number has, and that no single number moves.
    """
    if numbers <= FULL:
        rows = np.array(list(itertools.product((-1, 1), repeat=numbers)), dtype=np.int8)
        return rows, rows.prod(axis=1, keepdims=True)[:, : int(numbers == FULL)]
    order = -(-(numbers + SPARE) // 4) * 4
    while (base := hadamard(order)) is None:
        order += 4
    # Powers of two first: in matrices made by doubling, these columns are not products of each other.
    first = [0, *(2**k for k in range(order.bit_length()) if 2**k < order)]
    columns = [*first, *(c for c in range(order) if c not in first)]
    both = np.concatenate([base, -base])[:, columns]
    return both[:, :numbers], both[:, numbers:]


def screened(keys: Sequence[str]) -> list[str]:
    """Return those of the varied keys that are screened."""
    return [key for key in keys if key not in CROSSED]


def cells_of(sizes: Mapping[str, int]) -> list[tuple[int, ...]]:
    """Return the levels, by number, that each cell has of each factor; `sizes` tells how many levels there are."""
    numbers = screened(list(sizes))
    rows = (signs(len(numbers))[0] + 1) // 2
    crossed = [key for key in sizes if key not in numbers]
    found = []
    for picks in itertools.product(*(range(sizes[key]) for key in crossed)):
        settled = dict(zip(crossed, picks))
        for row in rows:
            levels = {**settled, **dict(zip(numbers, row.tolist()))}
            found.append(tuple(levels[key] for key in sizes))
    return found


def told(vary: Mapping[str, Sequence[Any]], cells: int) -> dict[str, Any]:
    """Return what a manifest says of a screen of so many cells, in the order of `cells_of`.

    Returns
    -------
    dict
        ``factors``: name, both levels, and a sign for each cell; ``spare``: signs for each cell, of each spare column.
    """
    numbers = screened(list(vary))
    rows, spare = signs(len(numbers))
    where = [at % len(rows) for at in range(cells)]  # the screen is played whole, again and again

    def text(column: Signs) -> str:
        return "".join("+" if column[at] > 0 else "-" for at in where)

    return {
        "factors": [
            {"name": key, "levels": list(vary[key]), "signs": text(rows[:, k])}
            for k, key in enumerate(numbers)
        ],
        "spare": [text(column) for column in spare.T],
    }
