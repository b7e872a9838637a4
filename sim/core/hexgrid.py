"""Hexagons in axial coordinates (q, r): neighbours and straight lines, as tables for the rules.

Directions in order: E, NE, NW, W, SW, SE; a board is a list of cells, its regions are numbered in that order.
"""

from __future__ import annotations

import numpy as np

from sim.core.jit import bit, kernel
from sim.core.kinds import Coordinates, Count, Grid, Index, Mask, Masks, Rays, Region, Whether

DIRECTIONS = np.array([[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]], dtype=np.int8)
DIRECTION_NAMES = ("E", "NE", "NW", "W", "SW", "SE")
SPAN = 64
"""Coordinates lie in -SPAN/2 .. SPAN/2 - 1."""
_HALF = SPAN // 2


@kernel
def index_cells(q: Coordinates, r: Coordinates, n: Count, where: Grid) -> None:
    """Write the number of each of the `n` cells into the grid `where` (int8, SPAN x SPAN; -1: no cell)."""
    where[:, :] = -1
    for cell in range(n):
        where[q[cell] + _HALF, r[cell] + _HALF] = cell


@kernel
def cell_at(where: Grid, q: Index, r: Index) -> Region:
    """Return the number of the cell at (q, r), or -1 (also outside the grid)."""
    x = q + _HALF
    y = r + _HALF
    if x < 0 or y < 0 or x >= SPAN or y >= SPAN:
        return -1
    return np.int64(where[x, y])


@kernel
def neighbours(q: Coordinates, r: Coordinates, n: Count, where: Grid, near: Masks) -> None:
    """Write each cell's neighbours as a bit mask into `near` (int64, one a cell)."""
    for cell in range(n):
        mask = np.int64(0)
        for d in range(6):
            other = cell_at(where, q[cell] + DIRECTIONS[d, 0], r[cell] + DIRECTIONS[d, 1])
            if other >= 0:
                mask |= bit(other)
        near[cell] = mask


@kernel
def rays(
    q: Coordinates,
    r: Coordinates,
    n: Count,
    where: Grid,
    use: Mask,
    cross: Whether,
    ray: Rays,
    gaps: Rays,
    length: Rays,
) -> Count:
    """Write the straight lines from every cell: what one meets going in each direction.

    Parameters
    ----------
    q, r, n, where
        The cells and their grid (`index_cells`).
    use : int64
        Mask of the cells that lie on lines; others count as sea.
    cross : bool
        Whether lines go on beyond sea.
    ray, gaps : int8 arrays (cells, 6, longest)
        Cell met as the k-th, and sea hexes crossed before it.
    length : int8 array (cells, 6)

    Returns
    -------
    int
        The longest line met; more than ``ray.shape[2]`` means that lines were cut.
    """
    longest = 0
    for cell in range(n):
        for d in range(6):
            x = np.int64(q[cell])
            y = np.int64(r[cell])
            k = 0
            sea = 0
            for _step in range(SPAN):
                x += DIRECTIONS[d, 0]
                y += DIRECTIONS[d, 1]
                other = cell_at(where, x, y)
                if other >= 0 and (use & bit(other)) != 0:
                    if k < ray.shape[2]:
                        ray[cell, d, k] = other
                        gaps[cell, d, k] = sea
                    k += 1
                else:
                    if not cross:
                        break
                    sea += 1
            longest = max(longest, k)
            length[cell, d] = min(k, ray.shape[2])
    return longest
