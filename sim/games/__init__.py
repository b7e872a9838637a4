"""The games that come with Whimbrel, one folder a game. None imports another.

The package can also be called: ``sim.games()`` lists the games, and ``sim.games("migration").parameters`` is a frame of
that game's parameters.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import polars as pl


class _Games(ModuleType):
    """Makes the package callable."""

    @overload
    def __call__(self) -> list[str]: ...

    @overload
    def __call__(self, name: str) -> GameFacts: ...

    def __call__(self, name: str | None = None) -> list[str] | GameFacts:
        """Return the names of all games, or what there is to know about the one called `name`.

        Raises
        ------
        Refusal
            There is no such game.
        """
        from sim.core.game import game_names, get_game

        return game_names() if name is None else GameFacts(name, get_game(name).card())


@dataclass(frozen=True)
class GameFacts:
    """What there is to know about a game, as frames.

    Attributes
    ----------
    card
        Everything as plain data, as in a manifest.
    """

    name: str
    card: dict[str, Any]

    @property
    def parameters(self) -> pl.DataFrame:
        """Every parameter: name, type, default, range, help, ruling."""
        return _frame(self.card["parameters"])

    @property
    def pieces(self) -> pl.DataFrame:
        """Every piece."""
        return _frame(self.card["pieces"])

    @property
    def maps(self) -> pl.DataFrame:
        """Every map family."""
        return _frame(self.card["maps"])

    @property
    def bots(self) -> pl.DataFrame:
        """Every bot."""
        return _frame(self.card["bots"])

    @property
    def stand_ins(self) -> pl.DataFrame:
        """Facts that the rulebook leaves out, with what stands in for them."""
        return _frame(self.card["stand_ins"])

    @property
    def rulings(self) -> pl.DataFrame:
        """Readings of unclear rules."""
        return _frame(self.card["rulings"])


def _frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a frame; a column of mixed or nested values becomes text."""
    import polars as pl

    names = list(dict.fromkeys(name for row in rows for name in row))
    columns: dict[str, list[Any]] = {}
    for name in names:
        values = [row.get(name) for row in rows]
        kinds = {type(value) for value in values if value is not None}
        plain = len(kinds) <= 1 and kinds <= {str, int, float, bool}
        columns[name] = values if plain else [None if value is None else _words(value) for value in values]
    return pl.DataFrame(columns)


def _words(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


sys.modules[__name__].__class__ = _Games
