"""Worked cases of any game: a deal, or fields of its position as they are to be, and actions in its own words.

A game whose positions are read from text has a table of its own; the others are laid out by the fields of their state::

    [[case]]
    id = "last stone"
    position = { heap = 1, to_move = "B" }
    do = ["take 1"]
    after = { ended = true, winner = "B", fields = { heap = 0 } }
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, ClassVar

import numpy as np

from sim.core.cases.checks import Check, compare
from sim.core.cases.given import Given
from sim.core.cases.table import Table
from sim.core.cases.words import Forms
from sim.core.contract import OVER, RESOLVE, apply, legal
from sim.core.errors import Refusal, nearest
from sim.core.game import Entrant
from sim.core.notation import LETTERS
from sim.core.records import FIELDS
from sim.core.rng import below
from sim.core.settling import settle

PLAYOUTS = 12
"""Games at random that show what actions look like."""


@cache
def simple_table(game: Any) -> type[Table]:
    """Return the table on which positions of `game` are laid out by the fields of their state."""

    class Simple(_SimpleTable):
        phases = game.phases
        max_actions = game.max_actions

    Simple.game = game
    return Simple


class _Words(Forms):
    """Actions by their looks: numbers apart, like one that was offered in a few games at random."""

    def __init__(self, known: set[str]) -> None:
        self._known = known

    def plain(self, text: str) -> str:
        words = " ".join(text.split())
        shapes = {_shape(one): one for one in sorted(self._known)}
        if _shape(words) not in shapes:
            alike = nearest(words, self._known) or f"; they look like {sorted(self._known)[0]!r}"
            raise Refusal(f"{text!r} is no action of this game{alike}")
        return words


def _shape(words: str) -> str:
    return re.sub(r"\d+", "#", words)


class _SimpleTable(Table):
    game: ClassVar[Any]
    letters = LETTERS[:8]
    keys = ("players",)

    def lay(self, dealt: bool) -> None:
        game = self.game
        players = self.given.number("players", game.min_players, game.min_players, game.max_players)
        self.seats = self.letters[:players]
        entrants = [Entrant(f"player {k + 1}", "random") for k in range(players)]
        self.cell = game.prepare(self.given.table("parameters"), players, entrants, self.base)
        self.rules = self.cell.rules[0]
        self.deal(self.rules, self.cell.entrants, game.State)
        self._opening = self.states[:1].copy()
        if not dealt:
            self._place()

    def _place(self) -> None:
        """Write the fields of the position over those of a deal."""
        tag = self.states.dtype.names[0]
        known = [name for name in self.states.dtype.names if name not in (tag, *FIELDS)]
        given = Given(
            self.given.table("position"), self.where, (*known, "to_move", "turn", "phase"), "position."
        )
        if "to_move" in given:
            self.state["seat"] = given.seat("to_move", self.seats)
        self.state["turn"] = given.number("turn", int(self.state["turn"]))
        if "phase" in given:
            phase = given.text("phase")
            if phase not in self.phases:
                raise given.refuse("phase", f"one of {', '.join(self.phases)}")
            self.state["phase"] = list(self.phases).index(phase)
        for name in known:
            if name in given:
                self.state[name] = read_field(self.state[name], given.values[name], f"{self.where}: {name}")

    def action_forms(self) -> Forms:
        return _Words(self._offered())

    def _offered(self) -> set[str]:
        """Return the words of what is offered in a few games at random, from a deal and from here."""
        found, here = set(self.actions()), self.states[:1].copy()
        stream = np.ones(1, dtype=np.uint64)
        for k in range(PLAYOUTS):
            state = (self._opening if k % 2 else here).copy()[0]
            for _ in range(self.game.most_plies):
                settle(self.rules, state, stream, lambda: self.where)
                if int(state["phase"]) == OVER:
                    break
                n = int(legal(self.rules, state, self.out))
                if n < 1:
                    break
                found |= {self._text(int(code), state) for code in self.out[:n]}
                apply(self.rules, state, np.int32(self.out[int(below(stream, n))]))
        return found

    def _text(self, action: int, state: Any) -> str:
        return " ".join(str(self.game.action_text(action, self.rules, self.cell, state)).split())

    def action_words(self, action: int) -> str:
        return self._text(action, self.state)

    def stand(self) -> None:
        if int(self.state["phase"]) == RESOLVE:
            self.settle()

    own_checks: ClassVar[dict[str, Check]] = {
        "fields": Check(lambda *a: _read_fields(*a), lambda *a: _test_fields(*a)),
    }


def read_field(there: Any, value: Any, what: str) -> Any:
    """Return what a field of a record should be: a number, or a list as long as the field."""
    try:
        found = np.asarray(value, dtype=there.dtype)
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None or found.shape != there.shape or not np.array_equal(found, np.asarray(value)):
        wanted = "a number" if not there.shape else f"{' x '.join(map(str, there.shape))} numbers"
        raise Refusal(f"{what} = {value!r} should be {wanted}")
    return found


def _read_fields(table: Any, value: Any, what: str) -> dict[str, Any]:
    names = table.states.dtype.names[1:]
    if not isinstance(value, dict) or not value:
        raise Refusal(f"{what} should be a table of fields of the state, as in {{ {names[-1]} = 0 }}")
    for name in value:
        if name not in names:
            raise Refusal(f"{what}: the state has no field {name!r}{nearest(name, names)}")
    return {name: read_field(table.state[name], one, f"{what}.{name}") for name, one in value.items()}


def _test_fields(table: Any, wanted: dict[str, Any], what: str) -> list[str]:
    return [
        problem
        for name, value in wanted.items()
        for problem in compare(f"{what}.{name}", value.tolist(), table.state[name].tolist())
    ]
