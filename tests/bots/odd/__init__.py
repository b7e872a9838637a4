"""Bots that cheat, for the conformance suite: each has the face of a bot in `sim.bots`."""

from __future__ import annotations

from contextlib import AbstractContextManager

from sim.checks import odd

NAMES = ("cheating_search", "peeking", "peeking_cards", "peeking_groups", "peeking_pools")


def odd_bots() -> AbstractContextManager[None]:
    """Let runs name the bots of this folder and those of `sim.checks.odd`, as if they were installed."""
    return odd.odd_bots({name: f"{__name__}.{name}" for name in NAMES})
