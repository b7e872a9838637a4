"""Uncompiled twins: no kernel that takes a position is reached from them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sim.bots import flat, greedy, random, search
from sim.core.jit import COMPILED
from sim.core.loop import play_games
from sim.core.twins import _KEPT, uncompiled

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled here: kernels are their own twins")


def _reached(function: Callable[..., Any], seen: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield every name that a function and those it calls look up, with what it stands for."""
    scope = function.__globals__
    for name in function.__code__.co_names:
        value = scope.get(name)
        if callable(value) and f"{function.__module__}.{name}" not in seen:
            seen.add(f"{function.__module__}.{name}")
            yield name, value
            if type(value) is type(_reached) and str(value.__module__).startswith(
                ("sim.bots", "sim.core.loop")
            ):
                yield from _reached(value, seen)


@pytest.mark.parametrize("kernel", [play_games, *(bot.choose for bot in (flat, greedy, random, search))])
def test_twins_call_twins_only(kernel: Any) -> None:
    twin = uncompiled(kernel)
    assert not hasattr(twin, "py_func")
    names = dict(_reached(twin, set()))
    assert names
    for name, value in names.items():
        compiled = hasattr(value, "py_func")
        assert not compiled or (value.py_func.__module__, name) in _KEPT, f"{name} is compiled"


def test_the_module_itself_keeps_its_kernels() -> None:
    uncompiled(play_games)
    assert hasattr(importlib.import_module("sim.core.loop").play_games, "py_func")
