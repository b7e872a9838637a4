"""Worked cases: a position, actions, and what must hold before and after. Run by `whimbrel check` and the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core import cases
from sim.core.cases import CaseResult, compare, table_of
from sim.core.contract import ENDED_NAMES, OVER, RESOLVE, apply, facts, legal, merit, resolve, score, setup
from sim.core.errors import Refusal, nearest
from sim.games.migrato import notation
from sim.games.migrato.notation import SEATS
from sim.games.migrato.positions import parse_cards, parse_groups, position, rules_for, seat_parts
from sim.games.migrato.rules import choices, dealing, hidden, turns, views  # noqa: F401  (register the verbs)
from sim.games.migrato.rules import state as records

_CASE = ("id", "title", "tag", "parameters", "position", "do", "before", "after", "illegal", "deal", "note")
_POSITION = ("A", "B", "deck", "discard", "to_move", "phase", "turn")
_CHECKS = (
    *("A", "B", "deck", "discard", "to_move", "phase", "turn", "scores", "legal", "illegal", "includes"),
    *("ended", "how", "winner", "ended_by", "counts"),
)


class Table:
    """A position under way: rules, state, and the legal actions as text."""

    def __init__(self, case: Mapping[str, Any], where: str, base: Path | None = None) -> None:
        self.where = where
        self.rules = rules_for(table_of(case, "parameters", where))[0]
        self.out = np.zeros(records.MAX_ACTIONS + 1, dtype=np.int32)
        self.stream = np.ones(1, dtype=np.uint64)
        if case.get("deal"):
            if "position" in case:
                raise Refusal(f"{where}: deal = true and a position do not go together")
            self.states = np.zeros(3, dtype=records.State)
            entrants = np.zeros(2, dtype=records.Entrant)
            setup(self.rules, self.states[0], entrants, np.arange(2, dtype=np.int8), np.uint64(1))
        else:
            given = table_of(case, "position", where)
            for key in given:
                if key not in _POSITION:
                    raise Refusal(f"{where}: unknown key position.{key}{nearest(key, _POSITION)}")
            self.states = position(self.rules, given, where)
        self.state = self.states[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self.state["phase"]) == OVER

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their text."""
        if self.over:
            return {}
        n = int(legal(self.rules, self.state, self.out))
        return {notation.action_text(int(code)): int(code) for code in self.out[:n]}

    def do(self, text: str) -> str | None:
        """Carry out an action; return a complaint if it is not legal."""
        known = self.actions()
        plain = " ".join(text.split())
        if plain not in known:
            return f"{text!r} is not legal here; legal: {', '.join(sorted(known)) or 'nothing, the game is over'}"
        apply(self.rules, self.state, np.int32(known[plain]))
        while int(self.state["phase"]) == RESOLVE:
            resolve(self.rules, self.state, self.stream)
        return None

    def winner(self) -> str:
        """Return who is ahead by the rules on ties: A, B or tie."""
        merits = [merit(self.rules, self.state, s, score(self.rules, self.state, s)) for s in range(2)]
        return "tie" if merits[0] == merits[1] else SEATS[int(merits[1] > merits[0])]


def _seat_parts(text: str, where: str) -> dict[str, Any]:
    """Return the parts of a seat's text in a form that can be compared."""
    parts: dict[str, Any] = {}
    for name, rest in seat_parts(text, where).items():
        if name == "hand":
            words = [word for word in rest.split() if word != "-"]
            parts[name] = sorted(
                (*parse_cards(word.rstrip("*"), where), word.endswith("*")) for word in words
            )
        else:
            parts[name] = parse_groups(rest, where)
    return parts


def _check_seat(table: Table, seat: int, text: str, what: str) -> list[str]:
    found = _seat_parts(notation.seat_text(table.state, seat), table.where)
    problems = []
    for name, wanted in _seat_parts(text, table.where).items():
        here = found[name]
        if name == "hand" and "*" not in text:  # who knows a card matters only where a case says so
            here, wanted = ([card[0] for card in cards] for cards in (here, wanted))
        if name == "arrived":
            here, wanted = sorted(here), sorted(wanted)
        if here != wanted:
            problems.append(f"{what}: expected {text}, found {notation.seat_text(table.state, seat)}")
            break
    return problems


def _counts(state: Any) -> dict[str, int]:
    return {
        "A": int(state["hand_size"][0]),
        "B": int(state["hand_size"][1]),
        "deck": int(state["deck_size"]),
        "discard": int(state["discard_size"]),
    }


def _check(table: Table, wanted: Mapping[str, Any], when: str) -> list[str]:
    """Return what does not hold of a [case.before] or [case.after] table."""
    rules, state = table.rules, table.state
    problems: list[str] = []
    known = table.actions()
    for key, value in wanted.items():
        what = f"{when} {key}"
        if key in SEATS:
            problems += _check_seat(table, SEATS.index(key), str(value), what)
        elif key in ("deck", "discard"):
            text = notation.deck_text(state) if key == "deck" else notation.discard_text(state)
            problems += compare(what, parse_cards(str(value), table.where), parse_cards(text, table.where))
        elif key == "to_move":
            problems += compare(what, value, SEATS[int(state["seat"])])
        elif key == "phase":
            problems += compare(what, value, records.PHASES[int(state["phase"])])
        elif key == "turn":
            problems += compare(what, value, int(state["turn"]))
        elif key == "scores":
            problems += compare(what, value, {s: int(score(rules, state, SEATS.index(s))) for s in value})
        elif key == "legal":
            problems += compare(what, sorted(value), sorted(known))
        elif key == "includes":
            missing = sorted(set(_list(value)) - set(known))
            problems += [f"{what}: not offered: {missing}"] if missing else []
        elif key == "illegal":
            present = sorted(set(_list(value)) & set(known))
            problems += [f"{what}: offered: {present}"] if present else []
        elif key == "ended":
            problems += compare(what, value, table.over)
        elif key == "how":
            ended = int(state["ended"])
            problems += compare(what, value, ENDED_NAMES[ended - 1] if ended else "running")
        elif key == "winner":
            problems += compare(what, value, table.winner())
        elif key == "ended_by":
            out = np.zeros(3, dtype=np.int32)
            facts(rules, state, out)
            problems += compare(what, value, SEATS[int(out[2])] if out[2] >= 0 else "nobody")
        else:
            found = _counts(state)
            problems += compare(what, value, {name: found.get(name) for name in value})
    return problems


def _list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def run_case(case: Mapping[str, Any], file: str, base: Path | None = None) -> CaseResult:
    """Run one case."""
    result, where = cases.begin_case(case, file, _CASE, _CHECKS)
    table = Table(case, where, base)
    for when in ("before", "after"):
        wanted = table_of(case, when, where)
        if when == "after":
            for text in case.get("do", []):
                complaint = table.do(text)
                if complaint:
                    result.problems.append(complaint)
                    return result
        result.problems += _check(table, wanted, when)
    if "illegal" in case:
        result.problems += _check(table, {"illegal": case["illegal"]}, "after")
    return result


def check_file(path: Path) -> list[CaseResult]:
    """Run all cases of a file; `Refusal` when it is none."""
    return cases.check_file(path, run_case)
