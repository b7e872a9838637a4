"""A position of a game of OpenSpiel (`sim.plain.state.World`): a state of the library that is never changed."""

from __future__ import annotations

from typing import Any

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.errors import Refusal
from sim.core.rng import unit

CHOOSE = 2
PHASES = ("resolve", "over", "move")


class SpielPosition:
    """One moment of a game.

    Attributes
    ----------
    state
        The library's; whoever changes it works on a clone.
    sees_all
        Whether it is a game of perfect information.
    came
        In words, what chance did last.
    """

    __slots__ = (
        *("_codes", "came", "ended", "first", "last", "phase"),
        *("players", "seat", "sees_all", "state", "turn", "where"),
    )

    def __init__(self, state: Any, before: SpielPosition | None, where: str, sees_all: bool) -> None:
        self.state, self.where, self.sees_all = state, where, sees_all
        self.players = int(state.num_players())
        self.turn: int = 0 if before is None else before.turn
        self.first: int = -1 if before is None else before.first
        self.last: int = -1 if before is None else before.last
        self.came: tuple[str, ...] = ()
        self._codes: list[int] | None = None
        self.seat, self.ended = max(self.last, 0), 0
        if state.is_terminal():
            self.phase, self.ended = OVER, FINISHED
        elif state.is_chance_node():
            self.phase = RESOLVE
        else:
            self.phase, self.seat = CHOOSE, int(state.current_player())
            if self.first < 0:
                self.first = self.seat

    def _called(self, what: str, *given: Any) -> Any:
        try:
            return getattr(self.state, what)(*given)
        except Exception as error:
            raise Refusal(f"{self.where}: {what} of OpenSpiel says: {error}") from error

    def codes(self) -> list[int]:
        """Return the legal actions."""
        if self._codes is None:
            self._codes = self._called("legal_actions")
        return self._codes

    def _applied(self, code: int) -> Any:
        state = self.state.clone()
        try:
            state.apply_action(code)
        except Exception as error:
            raise Refusal(f"{self.where}: action {code}: OpenSpiel says: {error}") from error
        return state

    def after(self, code: int) -> SpielPosition:
        """Return the position after an action; each counts as a turn."""
        found = SpielPosition(self._applied(code), self, self.where, self.sees_all)
        found.turn, found.last = self.turn + 1, self.seat
        return found

    def resolved(self, stream: Any) -> SpielPosition:
        """Return the position after chance has drawn once, by its odds."""
        outcomes = self._called("chance_outcomes")
        drawn, code = float(unit(stream)), outcomes[-1][0]
        for outcome, odds in outcomes:
            drawn -= odds
            if drawn < 0:
                code = outcome
                break
        words = self._called("action_to_string", self.state.current_player(), code)
        found = SpielPosition(self._applied(code), self, self.where, self.sees_all)
        found.came = (f"chance: {' '.join(words.split())}",)
        return found

    def guessed(self, seat: int, stream: Any) -> SpielPosition:
        """Return a position in which the library has made anew what `seat` cannot know."""
        if self.sees_all:
            return self
        state = self._called("resample_from_infostate", seat, lambda: float(unit(stream)))
        return SpielPosition(state, self, self.where, self.sees_all)

    def points(self, seat: int) -> float:
        """Return what `seat` has so far."""
        return float(self.state.returns()[seat])

    def merit(self, seat: int, points: float) -> float:
        """Rank by points."""
        return points

    def look(self, seat: int, out: Any) -> None:
        """Write how far `seat` is ahead; nothing where that could tell what it cannot see."""
        out[0] = 0.0
        if self.sees_all:
            returns = self.state.returns()
            out[0] = returns[seat] - max(value for s, value in enumerate(returns) if s != seat)

    def tally(self, seat: int, out: Any) -> None:
        """There are no pieces."""

    def piece_of(self, code: int) -> int:
        """Return -1: there are no pieces."""
        return -1

    def seats(self) -> tuple[int, int]:
        """Return the first seat and that of the last move."""
        return max(self.first, 0), self.last

    def key(self) -> str:
        """Return the moves that led here."""
        return f"{self.state.history()}"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, SpielPosition) and self.key() == other.key())

    def __hash__(self) -> int:
        return hash(self.key())
