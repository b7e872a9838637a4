"""Uncompiled twins: kernels as the plain Python functions that they were written as, with all the kernels they call.

A game whose positions are Python objects cannot be compiled, and bots and loop are not written twice for it: their twin
is the same code, bound to names under which every kernel is a twin too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import update_wrapper
from types import FunctionType
from typing import Any

from sim.core.jit import COMPILED

_KEPT = frozenset(("sim.core.rng", name) for name in ("start", "u64", "below", "unit"))
"""Kernels that are faster compiled even when Python calls them: they take a stream, and what they return is given to no
other kernel as a number of 64 bits (Python's integers have no width)."""
_TWINS: dict[Callable[..., Any], Callable[..., Any]] = {}
_SCOPES: dict[str, dict[str, Any]] = {}


def uncompiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the twin of a kernel, or of a plain function that calls kernels."""
    plain: Any = getattr(function, "py_func", function)
    if not COMPILED or (plain.__module__, plain.__name__) in _KEPT:
        return function
    if plain not in _TWINS:
        scope = _scope(plain.__module__)
        twin = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__, plain.__closure__)
        _TWINS[plain] = update_wrapper(twin, plain)
    return _TWINS[plain]


def _scope(module: str) -> dict[str, Any]:
    """Return the names of a module, with twins in the place of kernels."""
    if module not in _SCOPES:
        names = _SCOPES[module] = dict(vars(sys.modules[module]))
        for name, value in vars(sys.modules[module]).items():
            if hasattr(value, "py_func"):
                names[name] = uncompiled(value)
    return _SCOPES[module]
