"""What is due between decisions, done from plain Python; rules that never ask for one are refused."""

from __future__ import annotations

from collections.abc import Callable

from sim.core.contract import RESOLVE, resolve
from sim.core.errors import Refusal
from sim.core.kinds import Rules, State, Stream
from sim.core.loop import MOST_RESOLVES


def settle(rules: Rules, state: State, stream: Stream, where: Callable[[], str]) -> None:
    """Call `resolve` until a decision is due or the game is over.

    Raises
    ------
    Refusal
        That never comes; the line says where, in the words of `where`.
    """
    for _ in range(MOST_RESOLVES):
        if int(state["phase"]) != RESOLVE:
            return
        resolve(rules, state, stream)
    if int(state["phase"]) == RESOLVE:
        raise waits_for_ever(where())


def place(game: str, deal: str, plies: int, turn: int) -> str:
    """Return where a game waits, in words."""
    after = f"after {plies} actions, in turn {turn}" if plies else "after the set-up"
    return f"game {game!r}, {deal}, {after}"


def waits_for_ever(where: str) -> Refusal:
    """Return the refusal of rules that never ask for a decision."""
    return Refusal(
        f"{where}: `resolve` was called {MOST_RESOLVES:,} times and still the phase is RESOLVE; `setup`, `apply` or "
        f"`resolve` must set `state.phase` to what is asked for, or to OVER"
    )
