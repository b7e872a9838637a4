"""Settings of the whole test run: kernels are compiled with bounds checks, in a cache folder of their own."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

import pytest

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "2")
os.environ.setdefault("MPLBACKEND", "Agg")

QUARTER = 4
FEW = 100
"""Arrays of kernels that a test may leave behind: in caches of Python, not one a call."""


@pytest.fixture(autouse=True)
def _what_kernels_make_is_freed() -> Iterator[None]:
    """Count the arrays that compiled code makes and frees: a leak shows in no result, only in long runs."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        yield
        return
    from numba.core.runtime import _nrt_python

    _nrt_python.memsys_enable_stats()
    before = _nrt_python.memsys_get_stats_mi_alloc() - _nrt_python.memsys_get_stats_mi_free()
    yield
    left = _nrt_python.memsys_get_stats_mi_alloc() - _nrt_python.memsys_get_stats_mi_free() - before
    assert left <= FEW, f"kernels made {left} arrays that nobody freed"


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
