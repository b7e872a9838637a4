"""Dice and shuffles from the project's streams: the same game is played again to the same end."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any, TypeVar

import numpy as np

from sim.core.rng import CARDS, below, keyed, unit

T = TypeVar("T")


class Luck:
    """A source of chance: a stream of a game or of a bot.

    Parameters
    ----------
    stream : uint64 array of length 1
    """

    is_shared = True  # a copy of a table draws from the same stream

    def __init__(self, stream: Any, seed: Any = 0) -> None:
        self._stream, self._seed = stream, seed
        self.used = False

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to `n` - 1."""
        self.used = True
        return int(below(self._stream, n))

    def roll(self, sides: int = 6) -> int:
        """Roll a die: 1 to `sides`."""
        return 1 + self.below(sides)

    def unit(self) -> float:
        """Draw a number from 0 to below 1."""
        self.used = True
        return float(unit(self._stream))

    def pick(self, things: Sequence[T]) -> T:
        """Draw one of `things`, which stay as they are."""
        return things[self.below(len(things))]

    def take(self, things: MutableSequence[T]) -> T:
        """Draw one of `things` and take it away from them."""
        return things.pop(self.below(len(things)))

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Put `things` into a random order."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def mixed(self, deck: Mapping[str, int], number: int) -> list[str]:
        """Return all pieces of set `number` in an order that belongs to the deal.

        Each copy has a key of its own: what is dealt by the smallest ones changes little when a piece more or less is
        in the deck.
        """
        self.used = True
        seed = np.uint64(self._seed)
        keys = [
            (int(keyed(seed, CARDS, (number * 1024 + place) * 256 + copy)), name)
            for place, (name, copies) in enumerate(deck.items())
            for copy in range(copies)
        ]
        return [name for _, name in sorted(keys)]
