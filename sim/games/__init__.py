"""The games that come with Whimbrel, one folder a game. None imports another.

The package can also be called: ``sim.games("migration").parameters`` is a frame of that game's parameters.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.face import GameFacts


class _Games(ModuleType):
    """Makes the package callable."""

    def __call__(self, name: str) -> GameFacts:
        """Return what there is to know about the game called `name`."""
        from sim.core.game import get_game
        from sim.face import GameFacts

        return GameFacts(name, get_game(name).card())


sys.modules[__name__].__class__ = _Games
