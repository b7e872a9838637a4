"""Worked cases of plain games: they write over what lies on the table of a deal, and ask for what lies there after."""

from __future__ import annotations

from typing import Any, ClassVar

from sim.core.cases.checks import Check
from sim.core.cases.simple import simple_table
from sim.core.cases.table import Table
from sim.core.errors import Refusal, nearest
from sim.plain.copying import canonical
from sim.plain.position import Position
from sim.plain.state import put

OWN = ("to_move", "turn")


def plain_table(game: Any) -> type[Table]:
    """Return the table on which positions of a plain game are laid out by what lies on its table."""
    usual: Any = simple_table(game)

    class Plain(usual):
        own_checks: ClassVar[dict[str, Check]] = {"fields": Check(_read, _test)}

        def _place(self) -> None:
            given = self.given.table("position")
            before: Position = self.state["world"]
            t = before.table.copy()
            for name, value in given.items():
                if name not in OWN:
                    setattr(t, _known(t, name, self.where), value)
            if "turn" in given:
                t.turn = self._whole(given["turn"])
            if "to_move" in given:
                if given["to_move"] not in tuple(self.seats):
                    raise Refusal(
                        f"{self.where}: to_move = {given['to_move']!r} should be one of {', '.join(self.seats)}"
                    )
                t._asked = (self.seats.index(given["to_move"]),)
            put(self.state, Position(before, before.face, before.game, t))

        def _whole(self, value: Any) -> int:
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise Refusal(f"{self.where}: turn = {value!r} should be a whole number")
            return value

    return Plain


def _known(t: Any, name: str, what: str) -> str:
    things = t.things()
    if name not in things:
        hint = nearest(name, (*things, *OWN)) or f"; there are {', '.join(things)}"
        raise Refusal(f"{what}: there is no {name!r} on the table{hint}")
    return name


def _read(table: Any, value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise Refusal(f"{what} should be a table of what lies on the table, as in {{ points = [1, 0] }}")
    return {_known(table.state["world"].table, name, what): one for name, one in value.items()}


def _test(table: Any, wanted: dict[str, Any], what: str) -> list[str]:
    there = table.state["world"].table.things()
    return [
        f"{what}.{name}: wanted {value!r}, found {there[name]!r}"
        for name, value in wanted.items()
        if canonical(value) != canonical(there[name])
    ]
