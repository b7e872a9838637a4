"""Bots that are a plain class with one method: what they get to see, and worlds to try actions in.

Slow (the games of such a bot are played uncompiled, call by call), and easy to write::

    class Careful:
        '''Takes the action after which it has most points.'''

        def choose(self, view):
            def points(action):
                world = view.world()
                world.play(action)
                return world.scores[view.seat]

            return max(view.actions, key=points)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.errors import Refusal

_GAMES: dict[str, Any] = {}
"""By the first field of its state, the game that is being played."""


def sit_down(game: Any) -> None:
    """Tell which game is played, so that actions and positions can be put into words."""
    _GAMES[game.State.names[0]] = game


class World:
    """A copy of a position in which the hidden things were redrawn: nothing that is done in it reaches the table.

    Attributes
    ----------
    seat
        Whose decision it is.
    players, turn
        How many play; turns completed.
    """

    def __init__(self, game: Any, rules: Any, states: Any, stream: Any) -> None:
        from sim.core.room import action_room

        self._game, self._rules, self._states, self._stream = game, rules, states, stream
        self._room = action_room(game)
        self._settle()

    @property
    def _state(self) -> Any:
        return self._states[0]

    def _settle(self) -> None:
        from sim.core.contract import RESOLVE, resolve

        while int(self._state["phase"]) == RESOLVE:
            resolve(self._rules, self._state, self._stream)

    @property
    def seat(self) -> int:
        """Whose decision it is."""
        return int(self._state["seat"])

    @property
    def players(self) -> int:
        """How many play."""
        return int(self._state["players"])

    @property
    def turn(self) -> int:
        """Turns completed."""
        return int(self._state["turn"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        from sim.core.contract import OVER

        return int(self._state["phase"]) == OVER

    @property
    def actions(self) -> list[int]:
        """The legal actions as numbers; empty at the end."""
        from sim.core.contract import legal

        if self.over:
            return []
        return [int(a) for a in self._room[: int(legal(self._rules, self._state, self._room))]]

    @property
    def words(self) -> list[str]:
        """The legal actions in words."""
        return [str(self._game.action_text(a, self._rules, None, self._state)) for a in self.actions]

    @property
    def text(self) -> str:
        """The position as text; what the seat cannot see is a guess."""
        return str(self._game.position_text(self._rules, self._state))

    @property
    def scores(self) -> list[float]:
        """The points of every seat if the game ended now."""
        from sim.core.contract import score

        return [float(score(self._rules, self._state, seat)) for seat in range(self.players)]

    def features(self, seat: int | None = None) -> dict[str, float]:
        """Return the game's named numbers, seen from `seat` (default: the one to move)."""
        from sim.core.bots import room_for
        from sim.core.contract import features

        numbers = np.zeros(room_for(self._game.features))
        features(self._rules, self._state, np.int64(self.seat if seat is None else seat), numbers)
        return dict(zip(self._game.features, numbers.tolist()))

    def play(self, action: int | str) -> None:
        """Carry out a legal action, given as a number or in words, and what follows by itself."""
        from sim.core.contract import apply

        code = _code_of(action, self.actions, lambda: self.words)
        if code is None:
            raise ValueError(f"{action!r} is no legal action in this world")
        apply(self._rules, self._state, np.int32(code))
        self._settle()

    def copy(self) -> World:
        """Return another world just like this one."""
        return World(self._game, self._rules, self._states.copy(), self._stream)


class View:
    """What a bot is asked with.

    Attributes
    ----------
    seat, players, turn
        The bot's seat; how many play; turns completed.
    actions, words
        The legal actions as numbers and in words, in the same order.
    options
        The bot's options by name.
    """

    def __init__(
        self, game: Any, rules: Any, state: Any, actions: Any, options: dict[str, Any], stream: Any
    ) -> None:
        self._game, self._rules, self._table, self._stream = game, rules, state, stream
        self.seat, self.players, self.turn = (int(state[name]) for name in ("seat", "players", "turn"))
        self.actions: list[int] = [int(action) for action in actions]
        self.options = options

    @property
    def words(self) -> list[str]:
        """The legal actions in words."""
        return [str(self._game.action_text(a, self._rules, None, self._table)) for a in self.actions]

    def world(self) -> World:
        """Return a new world: a copy of the position with everything redrawn that this seat cannot know."""
        from sim.core.contract import determinize

        states = np.zeros(1, dtype=self._game.State)
        states[0] = self._table
        determinize(self._rules, states[0], np.int64(self.seat), self._stream)
        return World(self._game, self._rules, states, self._stream)

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to `n` - 1 from the bot's own stream: bots draw from nothing else."""
        from sim.core.rng import below

        return int(below(self._stream, n))


def _code_of(action: Any, actions: list[int], words: Callable[[], list[str]]) -> int | None:
    """Return the number of an action that is given as a number or in words; None when it is not legal."""
    if isinstance(action, str):
        return dict(zip(words(), actions)).get(action)
    try:
        return int(action) if int(action) == action and int(action) in actions else None
    except (TypeError, ValueError):
        return None


def chooser(kind: type) -> Callable[..., Any]:
    """Return the function by which the loop asks objects of class `kind`.

    A new object is made for each decision: nothing is carried from one game to the next, whatever was played before.
    """

    def choose(
        bot: Any,
        options: Any,
        rules: Any,
        state: Any,
        actions: Any,
        n: Any,
        stream: Any,
        desk: Any,
    ) -> Any:
        own = {key: options[key].item() for key in options.dtype.names[1:] if options[key].ndim == 0}
        view = View(_GAMES[state.dtype.names[0]], rules, state, actions[:n], own, stream)
        answer = kind().choose(view)
        code = _code_of(answer, view.actions, lambda: view.words)
        if code is None:
            raise Refusal(f"chose {answer!r}, which is no legal action")
        return np.int64(view.actions.index(code))

    return choose
