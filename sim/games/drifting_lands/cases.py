"""Worked cases: a position, decisions, and what must hold before and after. Run by `whimbrel check` and the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core import cases
from sim.core.cases import CaseResult, compare, table_of
from sim.core.contract import OVER, apply, legal, merit, score, setup, side
from sim.core.errors import Refusal, nearest
from sim.core.game import Entrant
from sim.games.drifting_lands.notation import (
    SEATS,
    action_text,
    groups_of,
    pending_text,
    plain_text,
    seat_parts,
    tile_text,
)
from sim.games.drifting_lands.positions import (
    board_of,
    empty_states,
    lay,
    model_of,
    parts_of,
    rules_for,
    seat_from,
    seat_number,
)
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.scoring import continent_points, pawn_count
from sim.games.drifting_lands.rules.turns import begin_round, next_selector
from sim.games.drifting_lands.setup_cell import make_entrants

_CASE = (
    *("id", "title", "tag", "parameters", "board", "players", "position", "deal", "do", "before", "after"),
    "illegal",
)
_POSITION = ("land", *SEATS, "round", "first", "to_move", "phase")
_PHASES = ("start", "drift", "select", "play")
"""Phases that a position may be in; the others follow from an action."""


class Table:
    """A position under way: rules, state, and the legal actions as text."""

    def __init__(self, case: Mapping[str, Any], where: str, base: Path) -> None:
        self.where = where
        position = table_of(case, "position", where)
        for key in position:
            if key not in _POSITION:
                raise Refusal(f"{where}: unknown key position.{key}{nearest(key, _POSITION)}")
        named = [seat for seat in SEATS if seat in position]
        players = int(case.get("players", max([2, *(SEATS.index(seat) + 1 for seat in named)])))
        if not 2 <= players <= records.MAX_PLAYERS or any(SEATS.index(seat) >= players for seat in named):
            raise Refusal(f"{where}: players = {players} does not fit the seats of the position")
        board = board_of(str(case.get("board", "devonian")), base)
        self.bank = rules_for(board, players, table_of(case, "parameters", where), base)
        self.rules = self.bank[0]
        self.states = empty_states(self.rules, players)
        self.state = self.states[0]
        self.out = np.zeros(records.MAX_ACTIONS + 1, dtype=np.int32)
        if case.get("deal"):
            self.deal(players, table_of(case, "parameters", where), base)
        else:
            self.lay_out(position)

    def deal(self, players: int, parameters: Mapping[str, Any], base: Path) -> None:
        """Set the game up as usual, every player with the deck of the parameters."""
        model = model_of(parameters, base)
        bank = make_entrants(model, players, [Entrant(seat, "random") for seat in SEATS[:players]])
        setup(self.rules, self.state, bank, np.arange(players, dtype=np.int8), np.uint64(1))

    def lay_out(self, position: Mapping[str, Any]) -> None:
        """Lay out the position of a case."""
        rules, state, where = self.rules, self.state, self.where
        if "land" in position:
            lay(rules, state, str(position["land"]), where)
        for seat in SEATS[: int(state["players"])]:
            seat_from(rules, state, SEATS.index(seat), str(position.get(seat, "pawns -")), f"{where}, {seat}")
        state["round_no"] = int(position.get("round", 1)) - 1
        state["first"] = seat_number(position.get("first", "A"), where)
        mover = seat_number(position.get("to_move", position.get("first", "A")), where)
        phase = position.get("phase", "play")
        if phase not in _PHASES:
            raise Refusal(f"{where}: phase {phase!r} should be one of {', '.join(_PHASES)}")
        state["asked"] = (mover - int(state["first"])) % int(state["players"])
        state["seat"] = mover
        state["phase"] = records.PHASES.index(phase)
        if phase == "start":
            state["asked"] = int((state["start"][: int(state["players"])] >= 0).sum())
        elif phase == "select":
            next_selector(rules, state)
        elif phase == "drift" and mover == int(state["first"]):
            begin_round(rules, state)

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their text."""
        if int(self.state["phase"]) == OVER:
            return {}
        n = int(legal(self.rules, self.state, self.out))
        return {action_text(int(code), self.rules, self.state): int(code) for code in self.out[:n]}

    def plain(self, text: str) -> str:
        """Return an action's text as the engine writes it."""
        return plain_text(text, self.rules, self.state)

    def do(self, text: str) -> str | None:
        """Carry out an action; return a complaint if it is not legal."""
        known = self.actions()
        plain = self.plain(text)
        if plain not in known:
            legal_here = ", ".join(sorted(known)) or "nothing, the game is over"
            return f"{text!r} is not legal here; legal: {legal_here[:600]}"
        apply(self.rules, self.state, np.int32(known[plain]))
        return None

    def winner(self) -> str:
        """Return who has won: a seat, a side (``A+C``), those who tie, or ``tie`` when all do."""
        seats = range(int(self.state["players"]))
        points = [float(score(self.rules, self.state, s)) for s in seats]
        merits = [float(merit(self.rules, self.state, s, points[s])) for s in seats]
        best = [s for s in seats if merits[s] == max(merits)]
        sides = {int(side(self.rules, self.state, s)) for s in best}
        if len(best) == len(merits) and len(sides) > 1:
            return "tie"
        return "+".join(SEATS[s] for s in best)


# --- what must hold ------------------------------------------------------------------------------------------


def _by_seat(wanted: Any, found: Callable[[int], int]) -> dict[str, int]:
    return {seat: found(SEATS.index(seat)) for seat in wanted}


def _continents(table: Table) -> list[int]:
    points = np.zeros(records.MAX_PLAYERS, dtype=np.int64)
    continent_points(table.rules, table.state, points)
    return points.tolist()


def _land(table: Table, text: str) -> Any:
    """Return land as it can be compared: tiles with their marks, in groups where the text has groups."""
    rules, state = table.rules, table.state
    found = [sorted(tile_text(rules, state, space) for space in group) for group in groups_of(state)]
    return sorted(found) if "[" in text else sorted(tile for group in found for tile in group)


def _wanted_land(table: Table, text: str) -> Any:
    other = Table.__new__(Table)
    other.rules, other.where = table.rules, table.where
    other.states = empty_states(table.rules, int(table.state["players"]))
    other.state = other.states[0]
    lay(other.rules, other.state, text, table.where)
    return _land(other, text)


_CHECKS: dict[str, Callable[[Table, Any, str], list[str]]] = {
    "legal": lambda t, v, w: compare(w, sorted({t.plain(x) for x in v}), sorted(t.actions())),
    "includes": lambda t, v, w: compare(w, [], [x for x in v if t.plain(x) not in t.actions()]),
    "illegal": lambda t, v, w: compare(
        w, [], [x for x in ([v] if isinstance(v, str) else v) if t.plain(x) in t.actions()]
    ),
    "land": lambda t, v, w: compare(w, _wanted_land(t, v), _land(t, v)),
    "pending": lambda t, v, w: compare(w, v, pending_text(t.rules, t.state)),
    "to_move": lambda t, v, w: compare(w, v, SEATS[int(t.state["seat"])]),
    "phase": lambda t, v, w: compare(w, v, records.PHASES[int(t.state["phase"])]),
    "round": lambda t, v, w: compare(w, v, int(t.state["round_no"]) + 1),
    "first": lambda t, v, w: compare(w, v, SEATS[int(t.state["first"])]),
    "scores": lambda t, v, w: compare(w, v, _by_seat(v, lambda s: int(score(t.rules, t.state, s)))),
    "continent_scores": lambda t, v, w: compare(w, v, _by_seat(v, lambda s: _continents(t)[s])),
    "pawns_on_board": lambda t, v, w: compare(
        w, v, _by_seat(v, lambda s: int(pawn_count(t.rules, t.state, s)))
    ),
    "cards": lambda t, v, w: compare(
        w, v, _by_seat(v, lambda s: sum(int(t.state[k][s].sum()) for k in ("deck", "hand", "discard")))
    ),
    "ended": lambda t, v, w: compare(w, v, int(t.state["phase"]) == OVER),
    "winner": lambda t, v, w: compare(w, v, t.winner()),
}


def _check(table: Table, wanted: Mapping[str, Any], when: str) -> list[str]:
    """Return what does not hold of a before or after table."""
    problems: list[str] = []
    for key, value in wanted.items():
        what = f"{when}.{key}"
        if key in SEATS:
            found = seat_parts(table.rules, table.state, SEATS.index(key))
            for part, text in parts_of(str(value), table.where).items():
                problems += compare(f"{what} {part}", _in_order(table, part, text), found[part])
        elif key in _CHECKS:
            problems += _CHECKS[key](table, value, what)
        else:
            raise Refusal(f"{table.where}: unknown key {what}{nearest(key, [*_CHECKS, *SEATS])}")
    return problems


def _in_order(table: Table, part: str, text: str) -> str:
    """Return a part of a seat's line as the engine writes it."""
    from sim.games.drifting_lands.notation import cards_text, parse_cards, space_at

    if part == "pawns" and text != "-":
        return " ".join(sorted(text.split(), key=lambda word: space_at(table.rules, word.split(":")[0])))
    return cards_text(parse_cards(text, table.where)) if part in ("hand", "deck", "discard") else text


def run_case(case: Mapping[str, Any], file: str, base: Path) -> CaseResult:
    """Run one case."""
    result, where = cases.begin_case(case, file, _CASE, [*_CHECKS, *SEATS])
    table = Table(case, where, base)
    result.problems += _check(table, table_of(case, "before", where), "before")
    for text in case.get("do", []):
        complaint = table.do(text)
        if complaint:
            result.problems.append(complaint)
            return result
    result.problems += _check(table, table_of(case, "after", where), "after")
    if "illegal" in case:
        result.problems += _check(table, {"illegal": case["illegal"]}, "at the end,")
    return result


def check_file(path: Path) -> list[CaseResult]:
    """Run all cases of a file; `Refusal` when it is none."""
    return cases.check_file(path, run_case)
