"""Bots that no player would want, for checks: each has the face of a bot in `sim.bots`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sim.core import bots

NAMES = ("steady", "thirsty")


@contextmanager
def odd_bots(others: Mapping[str, str] | None = None) -> Iterator[None]:
    """Let runs name the bots of this folder, as if they were installed; `others`: modules by name."""
    named = {name: f"{__name__}.{name}" for name in NAMES} | dict(others or {})
    for name, module in named.items():
        bots.register(name, module)
    try:
        yield
    finally:
        for name in named:
            bots.forget(name)
