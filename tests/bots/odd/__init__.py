"""Bots that no player would want, for the conformance suite: each has the face of a bot in `sim.bots`."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from sim import bots

NAMES = ("peeking", "peeking_cards", "peeking_groups", "peeking_pools", "steady", "thirsty")


@contextmanager
def odd_bots() -> Iterator[None]:
    """Let runs name the bots of this folder, as if they were installed."""
    usual = bots.module_of

    def module_of(name: str) -> ModuleType:
        return importlib.import_module(f"{__name__}.{name}") if name in NAMES else usual(name)

    bots.module_of = module_of  # type: ignore[assignment]
    try:
        yield
    finally:
        bots.module_of = usual
