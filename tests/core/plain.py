"""What the kernels of the core answer to fixed questions, as JSON: run with and without compiling.

``NUMBA_DISABLE_JIT=1 python -W error::RuntimeWarning -m tests.core.plain``
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from sim.core import hexgrid, rng
from sim.core.jit import kernel, lowest, popcount, room

SEEDS = (0, 1, 12345, 2**31, 2**63, 2**64 - 1)
FLAKE = [(0, 0), (1, 0), (3, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1), (0, 4), (-31, 31)]


@kernel
def count_and_find(mask: Any) -> Any:
    """Return how many bits are set and the lowest, as rules use them."""
    return popcount(mask), lowest(mask)


@kernel
def _square(k: Any) -> Any:
    mine = room(2)
    mine[1] += k * k
    return mine[0] + mine[1]


@kernel
def squares_below(n: Any) -> Any:
    """Return the sum of the squares below `n` (at most 8), kept in `room` while other calls use theirs."""
    squares = room(8)
    for k in range(n):
        squares[k] += _square(k)
    return squares.sum()


def tables(cells: list[tuple[int, int]], use: int, cross: bool, longest: int = 16) -> dict[str, Any]:
    """Return the tables of `hexgrid` for some cells."""
    q = np.array([cell[0] for cell in cells], dtype=np.int8)
    r = np.array([cell[1] for cell in cells], dtype=np.int8)
    n = len(cells)
    where = np.empty((hexgrid.SPAN, hexgrid.SPAN), dtype=np.int8)
    near = np.zeros(n, dtype=np.int64)
    ray, gaps = np.full((2, n, 6, longest), -1, dtype=np.int8)
    length = np.zeros((n, 6), dtype=np.int8)
    hexgrid.index_cells(q, r, n, where)
    hexgrid.neighbours(q, r, n, where, near)
    most = hexgrid.rays(q, r, n, where, np.int64(use), cross, ray, gaps, length)
    return {"near": near, "ray": ray, "gaps": gaps, "length": length, "longest": int(most)}


def answers() -> dict[str, Any]:
    """Return everything as plain numbers."""
    found: dict[str, Any] = {}
    for seed in SEEDS:
        stream = np.array([seed], dtype=np.uint64)
        found[f"u64 {seed}"] = [int(rng.u64(stream)) for _ in range(5)]
        found[f"below {seed}"] = [int(rng.below(stream, n)) for n in (1, 2, 6, 1000, 2**31 - 1)]
        found[f"unit {seed}"] = [float(rng.unit(stream)) for _ in range(3)]
        key = np.uint64(rng.keyed(np.uint64(seed), rng.TEAM, 77))
        found[f"keyed {seed}"] = [int(key), float(rng.to_unit(key)), int(rng.to_below(key, 12))]
        rng.start(stream, np.uint64(seed), rng.BOT, 3)
        found[f"start {seed}"] = int(stream[0])
    for mask in (1, 2, 3, 2**40 + 2**7, 2**62, 2**63 - 1):
        found[f"bits {mask}"] = [int(x) for x in count_and_find(np.int64(mask))]
    found["squares"] = [int(squares_below(n)) for n in (0, 3, 8, 3)]
    for cross in (False, True):
        for use in (2 ** len(FLAKE) - 1, 0b1011111011):
            for name, table in tables(FLAKE, use, cross).items():
                found[f"{name} {use} {cross}"] = table if name == "longest" else table.tolist()
    return found


if __name__ == "__main__":
    print(json.dumps(answers()))
