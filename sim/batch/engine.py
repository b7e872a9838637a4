"""The door to the engine: what the batch asks of a game, loaded on first use.

A game that is not written over records (a test's, say) may bring `play_chunk` and `warm_up` of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def get_game(name: str, base: Path | None = None) -> Any:
    """Return a game by name, built in or installed, or by the place where it lies (`sim.core.game.get_game`)."""
    from sim.core.game import get_game as find

    return find(name, base)


def play_chunk(game: Any, cells: Sequence[Any], job: Any, log: str, bots: Sequence[str] = ()) -> Any:
    """Play the games of `job` and return their `Chunk`; `bots` are all of the run."""
    own = getattr(game, "play_chunk", None)
    if own is not None:
        return own(cells, job, log)
    from sim.core import play

    return play.play_chunk(game, list(cells), job, log, bots)


def warm_up(game: Any, bots: Sequence[str], log: str, cells: Sequence[Any] = ()) -> float:
    """Compile what a run of these cells needs, under a lock; return the seconds it took."""
    own = getattr(game, "warm_up", None)
    if own is not None:
        return float(own(bots, log))
    from sim.core import play

    return float(play.warm_up(game, list(bots), log, list(cells)))
