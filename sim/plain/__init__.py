"""Plain games: a whole game as one Python class, for prototypes. Slow to play, quick to write.

A file with such a class is a game: ``game = "./my_game.py"``. CONTRIBUTING tells how one is written.
"""

from __future__ import annotations

from sim.plain.game import Parameter, PlainGame, Table
from sim.plain.luck import Luck

__all__ = ["Luck", "Parameter", "PlainGame", "Table"]
