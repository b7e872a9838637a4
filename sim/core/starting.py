"""A quick start: machine code is loaded from the cache with what it needs of Numba, not with all that can be compiled.

Before it looks into a cache, Numba loads every implementation that it knows, with SciPy's linear algebra and a parser
of C behind them: a third of what a short run spends before it plays. None of it is used for code that was compiled
already, which needs Numba's runtime and its symbols; the compiler itself loads all the rest when there is something to
compile. Beside `sim.core.jit` and `sim.core.linking` this is the only place that touches Numba's insides. It changes
how the kernels of games, bots and loop are loaded, and no other function of the process. Import it before them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

from sim.core.jit import cache_root

LATE = (b"_numba_hashsecret",)
"""Beginnings of symbols that are told to the linker only when everything is loaded: those of hashes of texts."""

_caches: Any = FunctionCache
_whole = FunctionCache.load_overload


def load(kept: Any, signature: Any, context: Any) -> Any:
    """Return the machine code that is kept for a signature, or None; `kept` is Numba's cache of one function."""
    if cache_root() not in Path(kept.cache_path).parents:
        return _whole(kept, signature, context)
    rtsys.initialize(context)
    with kept._guard_against_spurious_io_errors():
        data = kept._cache_file.load(kept._index_key(signature, context.codegen())) if kept._enabled else None
        if data is None:
            return None
        if needs_all(data):
            context.refresh()
        return kept._impl.rebuild(context, data)


def needs_all(data: Any) -> bool:
    """Whether the machine code among what a cache holds of a function names a symbol of `LATE`."""
    _, _, code = data[0]
    return any(name in part for part in (code if isinstance(code, tuple) else (code,)) for name in LATE)


_caches.load_overload = load
