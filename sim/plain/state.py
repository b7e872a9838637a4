"""The state of a game whose positions are Python objects: what every state has, and one field that holds the object.

A copy of the state is a copy of a reference, which NumPy counts: a position lives as long as a state points to it.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from sim.core.records import FIELDS, quick_type


class World(Protocol):
    """An immutable position, as the verbs ask it; whatever is done makes another one."""

    phase: int
    seat: int
    players: int
    turn: int
    ended: int

    def codes(self) -> list[int]:
        """Return the legal actions as numbers."""

    def after(self, code: int) -> World:
        """Return the position after an action."""

    def resolved(self, stream: Any) -> World:
        """Return the position after what is due between decisions."""

    def guessed(self, seat: int, stream: Any) -> World:
        """Return a position in which everything is redrawn that `seat` cannot know."""

    def points(self, seat: int) -> float:
        """Return the points that `seat` would have if the game ended now."""

    def merit(self, seat: int, points: float) -> float:
        """Return what ranks `seat`."""

    def look(self, seat: int, out: Any) -> None:
        """Write the features."""

    def tally(self, seat: int, out: Any) -> None:
        """Write the measures of each piece."""

    def piece_of(self, code: int) -> int:
        """Return the piece that an action uses, -1 for none."""

    def seats(self) -> tuple[int, int]:
        """Return the first seat and that of the last turn."""

    def key(self) -> str:
        """Return a text that is the same for positions that are equal."""


def state_of(tag: str) -> Any:
    """Return the record type of the states of a game with this tag."""
    fields: list[tuple[Any, ...]] = [
        (tag, np.int32),
        *((name, np.int32) for name in FIELDS),
        ("world", object),
    ]
    return quick_type(np.dtype(fields, align=True))


def put(state: Any, world: World) -> None:
    """Let a state be this position."""
    state["phase"], state["seat"], state["players"] = world.phase, world.seat, world.players
    state["turn"], state["ended"] = world.turn, world.ended
    state["world"] = world
