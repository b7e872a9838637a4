"""Room that is handed to the rules: for legal actions, and for the rows of turns and decisions."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.kinds import Actions, Numbers, Rows

ROOM = 1 << 22
"""Actions that a list has room for, however few a game declares; only what is written takes memory."""


def action_room(game: Any, lists: int | None = None) -> Actions:
    """Return room for the legal actions of one position, or of `lists` of them (int32).

    `legal` writes without looking how long its list is: a check at each action would cost time in every game. Yet a
    list longer than the game's `max_actions` must not reach the memory behind it. So there is room for millions,
    which the system hands out only as far as it is written to. Who calls `legal` compares what it returns with
    `max_actions`.
    """
    size = max(ROOM, int(game.max_actions) + 1)
    return np.empty(size if lists is None else (lists, size), dtype=np.int32)


_FIRST = 64.0
"""Rows a game that there is room for before anything is known."""
_SEEN: dict[tuple[Any, int], tuple[float, float]] = {}
"""Most rows of turns and of decisions a game, by state and seats, that a chunk of this process took."""


class RowRoom:
    """Room for rows of turns and decisions, whose number is known only when the games are played.

    It begins with what games like these took before in this process, in the pilot for one; when it is full it grows,
    and what is there is kept.

    Attributes
    ----------
    turns, scores, decisions
        int32 (rows, 3), float32 (rows, seats), int32 (rows, 7); no rows where none are wanted.
    """

    def __init__(self, game: Any, games: int, width: int, turns: bool, decisions: bool) -> None:
        self.key, self.games, self.width = (game.State, width), games, width
        each = _SEEN.get(self.key, (_FIRST, _FIRST))
        self.turns, self.scores, self.decisions = self._blank(
            self._size(each[0]) if turns else 0, self._size(each[1]) if decisions else 0
        )

    def _size(self, each: float) -> int:
        return int(self.games * each * 1.1) + 256

    def _blank(self, turns: int, decisions: int) -> tuple[Rows, Numbers, Rows]:
        return (
            np.empty((turns, 3), dtype=np.int32),
            np.empty((turns, self.width), dtype=np.float32),
            np.empty((decisions, 7), dtype=np.int32),
        )

    def grow(self, done: int, turns: int, decisions: int) -> None:
        """Make more room, by what the games that are `done` took, and keep their rows."""
        wanted = []
        for there, used in ((self.turns, turns), (self.decisions, decisions)):
            by_rate = self._size(used / done) if done else 0
            wanted.append(max(2 * len(there), by_rate))
        more = self._blank(*wanted)
        for new, old, used in zip(more, (self.turns, self.scores, self.decisions), (turns, turns, decisions)):
            new[:used] = old[:used]
        self.turns, self.scores, self.decisions = more

    def learn(self, turns: int, decisions: int) -> None:
        """Keep for the next chunk how many rows a game took."""
        before = _SEEN.get(self.key, (0.0, 0.0))
        games = max(self.games, 1)
        _SEEN[self.key] = (
            max(before[0], turns / games if len(self.turns) else _FIRST),
            max(before[1], decisions / games if len(self.decisions) else _FIRST),
        )
