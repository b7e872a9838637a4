"""The optional part of the contract: what only games with a Founder, with drafts or with series have.

A game that has them implements the verbs below, and its face adds the classes below to `sim.core.game.Game`::

    class Migration(WithFounder, WithDrafts, Game): ...
"""

from __future__ import annotations

from typing import Any

from sim.core import defaults
from sim.core.errors import Refusal
from sim.core.jit import verb

carry = verb(
    "carry",
    "rules, state, standing",
    """Take over, after `setup`, what each seat has won in the games before of a series.

    `standing` is a float64 array by seat. By default nothing is taken over: each game is played for itself.
    """,
    defaults.nothing_carried,
)
founder = verb(
    "founder",
    "rules, state",
    "Return the seat that founded the land; -1 (the default) where there is no such role.",
    defaults.no_founder,
)
drafted = verb(
    "drafted",
    "rules, state, out",
    """Write one row a drafted piece into `out` (int16 array, 6 columns: round, splitter, chooser, piece, pile,
    taken by the chooser) and return how many; 0 (the default) where nothing was drafted.""",
    defaults.nothing_drafted,
)


class WithFounder:
    """The face of a game in which one player has a role that a series gives to each in turn."""

    def check_series(self, parameters: dict[str, Any], players: int) -> None:
        """Refuse settings with which a turn around the table does not give every player each role once."""


class WithDrafts:
    """The face of a game in which pieces are drafted: there is a table of drafts.

    Attributes
    ----------
    most_drafted
        Most pieces that are drafted in a game.
    """

    most_drafted: int = 0


def check_series(game: Any, parameters: dict[str, Any], players: int) -> None:
    """Refuse a series of a game that has no Founder, or with settings that give the roles unevenly."""
    check = getattr(game, "check_series", None)
    if check is None:
        raise Refusal(f"'series' makes each player Founder once; {game.name} has no Founder")
    check(parameters, players)
