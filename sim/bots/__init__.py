"""Bots, written once for every game: they call the verbs of the contract and never import a game.

One bot a module (`sim.core.bots` says what it has). Those that come with the package are brought here.
"""

from __future__ import annotations

from sim.core.bots import register

for _name in ("random", "greedy", "flat", "search"):
    register(_name, f"{__name__}.{_name}")
