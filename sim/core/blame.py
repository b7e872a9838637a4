"""Who is to blame when a game cannot go on: one line that names the game, the seat and the bot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sim.core.bot_doors import kind_of, reason_of, shown
from sim.core.errors import Refusal

_SIM = Path(__file__).resolve().parent.parent
_SEATS = "ABCDEFGH"


def mover(names: Sequence[str], seated: Any, state: Any) -> str:
    """Return the bot whose decision it is, of a set of bots and their records by seat."""
    return names[int(seated[int(state["seat"])]["common"]["kind"])]


def whose(game: Any, name: str, state: Any) -> str:
    """Return whose decision it is: ``migration, seat B, bot 'my_bot.py'``."""
    return f"{game.name}, seat {_SEATS[int(state['seat'])]}, bot {shown(name)!r}"


def astray(game: Any, name: str, state: Any, picked: int, n: int) -> Refusal:
    """Return what to tell of a bot that chose what is no action."""
    return Refusal(
        f"{whose(game, name, state)}: chose number {picked}, but actions are numbered 0 to {n - 1}"
    )


@contextmanager
def naming_the_bot(game: Any, names: Sequence[str], seated: Any, states: Any) -> Iterator[None]:
    """Tell of an error that a bot from outside raises in one line; the position is in ``states[0]``."""
    try:
        yield
    except Exception as error:
        for name in names:
            source = kind_of(name).source
            if isinstance(error, Refusal) and f"cannot be compiled: {source.name}, line" in str(error):
                what = str(error).partition(" cannot be compiled: ")[2]
                raise Refusal(f"{game.name}, bot {shown(name)!r} cannot be compiled: {what}") from error
        name = mover(names, seated, states[0])
        source = kind_of(name).source
        if _SIM in source.parents or "cannot be compiled" in str(error):
            raise
        verb = "" if isinstance(error, Refusal) else "raised "
        raise Refusal(f"{whose(game, name, states[0])}: {verb}{reason_of(error, source)}") from error
