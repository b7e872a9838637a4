"""Bots that no player would want, for the conformance suite: each has the face of a bot in `sim.bots`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim.core import bots

NAMES = (
    "cheating_search",
    "peeking",
    "peeking_cards",
    "peeking_groups",
    "peeking_pools",
    "steady",
    "thirsty",
)


@contextmanager
def odd_bots() -> Iterator[None]:
    """Let runs name the bots of this folder, as if they were installed."""
    for name in NAMES:
        bots.register(name, f"{__name__}.{name}")
    try:
        yield
    finally:
        for name in NAMES:
            bots.forget(name)
