"""A position of a plain game: a table that nobody changes, who is asked, and what was chosen in secret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.errors import Refusal
from sim.core.rng import DEAL, below, start
from sim.plain.copying import canonical
from sim.plain.game import PlainGame, Table
from sim.plain.luck import Luck
from sim.plain.words import by_seat

if TYPE_CHECKING:
    from sim.plain.face import PlainFace

CHOOSE, SECRET = 2, 3
PHASES = ("resolve", "over", "choose", "choose in secret")


class Position:
    """One moment of a game (`sim.plain.state.World`).

    Attributes
    ----------
    face, game
        The game's face, and its class with the parameters of the cell.
    table
        Not changed from here on: whoever changes it works on a copy.
    chosen
        What seats have chosen in secret.
    planned
        In a world that was redrawn, what the others will choose in secret, who have not yet.
    used
        (seat, piece, turn) of each action with a piece so far.
    by_chance
        Whether the set-up drew anything.
    came
        In words, what went by itself last.
    """

    __slots__ = (
        *("by_chance", "chosen", "came", "ended", "face", "first", "game", "last", "phase", "seat"),
        *("planned", "players", "table", "turn", "used", "_codes", "_points"),
    )

    def __init__(self, before: Position | None, face: PlainFace, game: PlainGame, table: Table) -> None:
        self.face, self.game, self.table = face, game, table
        self.players, self.turn = table.players, table.turn
        self.chosen: Mapping[int, Any] = {}
        self.planned: Mapping[int, Any] = {}
        self.used: tuple[tuple[int, int, int], ...] = () if before is None else before.used
        self.first: int = table._asked[0] if before is None else before.first
        self.last: int = -1 if before is None else before.last
        self.by_chance: bool = before is not None and before.by_chance
        self.came: tuple[str, ...] = ()
        self.seat, self.ended = table._asked[0], 0
        self.phase = CHOOSE if len(table._asked) == 1 else SECRET
        if table._over:
            self.phase, self.ended = OVER, FINISHED
        elif table._waits:
            self.phase = RESOLVE
        self._codes: dict[int, Any] | None = None
        self._points: list[float] | None = None

    # --- what happens ----------------------------------------------------------------------------------------

    @classmethod
    def begin(
        cls,
        face: PlainFace,
        game: PlainGame,
        who: Sequence[int],
        decks: Sequence[dict[str, int] | None],
        seed: Any,
    ) -> Position:
        """Return the position after the set-up of a deal, with the player at each seat."""
        stream = np.zeros(1, dtype=np.uint64)
        start(stream, np.uint64(seed), DEAL, 0)
        table = Table(who, Luck(stream, seed), face.deck(game), decks)
        face.call(game.setup, table)
        by_chance = table.luck.used
        table._luck = None
        table._said = ()
        table._asked = table._asked or (0,)
        found = cls(None, face, game, table)
        found.by_chance = by_chance
        return found

    def codes(self) -> list[int]:
        """Return the legal actions as numbers."""
        return list(self._listed())

    def _listed(self) -> dict[int, Any]:
        if self._codes is None:
            self._codes = self._list(self.seat)
            if self.seat in self.planned:
                wanted = self.planned[self.seat]
                self._codes = {code: action for code, action in self._codes.items() if action == wanted}
        return self._codes

    def _list(self, seat: int) -> dict[int, Any]:
        found: dict[int, Any] = {}
        for action in self.face.call(self.game.actions, self.table, seat):
            code = self.face.code(action)
            while (
                code in found
            ):  # two actions whose words have the same hash, or an action that is there twice
                if found[code] == action:
                    raise Refusal(f"{self.face.where}: actions lists {action!r} twice")
                code = (code + 1) % 2**31
            found[code] = action
        return found

    def action(self, code: int) -> Any:
        """Return the action behind a number."""
        return self._listed()[code]

    def after(self, code: int) -> Position:
        """Return the position after an action of the seat to move; a secret choice changes nothing on the table."""
        action, seat = self.action(code), self.seat
        if self.phase == SECRET:
            found = self._commit({**self.chosen, seat: action})
        else:
            table = self.table.copy()
            table._asked, table._said = (), ()
            self.face.call(self.game.apply, table, seat, action)
            found = self._next(table, (table.after(seat),), seat)
            found._uses(seat, action, self.turn)
        found.last = seat
        return found

    def _uses(self, seat: int, action: Any, turn: int) -> None:
        piece = self.face.piece_used(action)
        if piece >= 0:
            self.used = (*self.used, (seat, piece, turn))

    def _commit(self, chosen: Mapping[int, Any]) -> Position:
        found = Position(self, self.face, self.game, self.table)
        found.chosen = chosen
        found.planned = {seat: action for seat, action in self.planned.items() if seat not in chosen}
        waiting = [seat for seat in self.table._asked if seat not in chosen]
        if waiting:
            found.seat = waiting[0]
        else:
            found.phase = RESOLVE
        return found

    def _next(self, table: Table, usual: tuple[int, ...], mover: int) -> Position:
        """Return the position with what was done on `table`: who is next, and whether a turn has ended."""
        table._luck = None
        asked = table._asked
        table._asked = asked or usual
        if table._over or (not table._waits and table._asked != (mover,)):
            table.turn += 1
        if table._waits and not asked:
            table._asked = (mover,)
        found = Position(self, self.face, self.game, table)
        found.came = table._said
        return found

    def resolved(self, stream: Any) -> Position:
        """Return the position after secret choices are shown, or chance has done what is due."""
        table = self.table.copy()
        table._luck, table._said, mover = Luck(stream), (), self.last
        before, table._asked = table._asked, ()
        if self.chosen:
            self.face.call(self.game.reveal, table, dict(self.chosen))
            found = self._next(table, before, -1)
            for seat, action in self.chosen.items():
                found._uses(seat, action, self.turn)
            if not table._said:
                words = {seat: self.game.words(action) for seat, action in self.chosen.items()}
                found.came = (by_seat(words),)
            return found
        table._waits = False
        self.face.call(self.game.chance, table)
        return self._next(table, before if mover < 0 else (table.after(mover),), mover)

    def guessed(self, seat: int, stream: Any) -> Position:
        """Return a position with everything redrawn that `seat` cannot know.

        What others choose in secret is any of their actions, whether they have chosen already or not: so it makes no
        difference who is asked first.
        """
        if not self.face.hides and self.phase != SECRET and not self.chosen:
            return self
        table = self.table
        if self.face.hides:
            table = table.copy()
            table._luck = Luck(stream)
            self.face.call(self.game.guess, table, seat)
            table._luck = None
        found = Position(self, self.face, self.game, table)
        found.phase, found.seat, found.came = self.phase, self.seat, self.came
        if self.phase == SECRET or self.chosen:
            drawn = {}
            for other in table._asked:
                options = list(found._list(other).values()) if other != seat else []
                if options:
                    drawn[other] = options[int(below(stream, len(options)))]
            found.chosen = {other: drawn.get(other, action) for other, action in self.chosen.items()}
            found.planned = {other: action for other, action in drawn.items() if other not in self.chosen}
        return found

    # --- what it is ------------------------------------------------------------------------------------------

    def points(self, seat: int) -> float:
        """Return the points of `seat` if the game ended now."""
        if self._points is None:
            found = self.face.call(self.game.scores, self.table)
            try:
                self._points = [float(points) for points in found]
            except (TypeError, ValueError):
                raise Refusal(f"{self.face.where}: scores returned {found!r}, not a number a seat") from None
            if len(self._points) != self.players:
                raise Refusal(
                    f"{self.face.where}: scores returned {len(self._points)} numbers for {self.players} seats"
                )
        return self._points[seat]

    def merit(self, seat: int, points: float) -> float:
        """Return what ranks `seat`."""
        return float(self.face.call(self.game.merit, self.table, seat, points))

    def look(self, seat: int, out: Any) -> None:
        """Write what the position is worth to `seat`, who sees of the secret choices its own only."""
        table = self.table
        if seat in self.chosen:
            table = Table.__new__(Table)
            table.__dict__.update({**self.table.__dict__, "chosen": {seat: self.chosen[seat]}})
        found = self.face.call(self.game.value, table, seat)
        if not self.game.weights:
            out[0] = found
            return
        for k, name in enumerate(self.game.weights):
            out[k] = found[name]

    def tally(self, seat: int, out: Any) -> None:
        """Write what `seat` was dealt, held and played of each piece."""
        place = self.face.place_of
        out[:, :] = -1
        for row in (0, 3, 4, 6, 7, 8, 9):
            out[row, :] = 0
        for name in self.table._dealt[seat] if self.table._dealt else ():
            out[0, place[name]] += 1
        for name in self.face.call(self.game.held, self.table, seat):
            out[3, place[name]] += 1
        for who, piece, turn in self.used:
            if who == seat:
                out[4, piece] += 1
                if out[5, piece] < 0:
                    out[5, piece] = turn
        out[3, :] = np.maximum(out[3, :], out[4, :])
        if not self.table._dealt:
            out[0, :] = -1

    def piece_of(self, code: int) -> int:
        """Return the piece that an action uses, -1 for none."""
        return self.face.piece_used(self.action(code))

    def seats(self) -> tuple[int, int]:
        """Return the first seat and that of the last choice."""
        return self.first, self.last

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Position) and self.key() == other.key())

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> str:
        """Return a text that is the same for positions that are equal."""
        things = {
            name: value for name, value in self.table.__dict__.items() if name not in ("_luck", "_said")
        }
        secret = [dict(self.chosen), dict(self.planned)]
        return canonical([self.phase, self.seat, secret, self.used, things])
