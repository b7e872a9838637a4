"""Settings of the whole test run: kernels are compiled with bounds checks, in a cache folder of their own."""

from __future__ import annotations

import os
from collections import defaultdict

import pytest

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "2")
os.environ.setdefault("MPLBACKEND", "Agg")

QUARTER = 4


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of long tests over blocks of games, the first quarter is for `make soak`, the others are the `longest`."""
    blocks: dict[str, set[int]] = defaultdict(set)
    found: list[tuple[pytest.Item, str, int]] = []
    for item in items:
        call = getattr(item, "callspec", None)
        if call is not None and item.get_closest_marker("soak") and isinstance(call.params.get("block"), int):
            name = item.nodeid.partition("[")[0]
            blocks[name].add(call.params["block"])
            found.append((item, name, call.params["block"]))
    for item, name, block in found:
        if block >= -(-(1 + max(blocks[name])) // QUARTER):
            item.add_marker(pytest.mark.longest)
