"""Worked cases: a position, decisions, and what must hold before and after. Run by `whimbrel check` and the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core import cases
from sim.core.cases import CaseResult, compare, table_of
from sim.core.contract import OVER, RESOLVE, apply, legal, resolve, score
from sim.core.errors import Refusal, nearest
from sim.games.migration.age_cards import deck_of
from sim.games.migration.board import Board
from sim.games.migration.board_text import load_map, parse_list
from sim.games.migration.notation import SEATS, action_text, board_text, hand_text, hex_of, parse_action
from sim.games.migration.positions import empty_states, lay_cards, lay_groups, parse_hand, place, rules_for
from sim.games.migration.rules import state as records
from sim.games.migration.rules.params import AGE_CARDS

_CASE = (
    "id",
    "title",
    "tag",
    "map",
    "parameters",
    "position",
    "hands",
    "to_move",
    "turns",
    "do",
    "before",
    "after",
    "active",
    "deck",
    "agenda",
    "revealed",
    "groups",
    "splitter",
)
_CHECKS = (
    "scores",
    "legal",
    "legal_includes",
    "legal_excludes",
    "targets",
    "illegal",
    "position",
    "spirits",
    "hands",
    "phase",
    "to_move",
    "over",
    "interior",
    "coastal",
    "passes",
    "active",
    "face_up",
    "revealed",
    "pools",
)


class Table:
    """A position under way: rules, state, and the legal actions as text."""

    def __init__(self, case: Mapping[str, Any], where: str, base: Path) -> None:
        self.where = where
        hands = table_of(case, "hands", where)
        seats = sorted(hands)
        if seats != list(SEATS[: len(seats)]) or len(seats) < 2:
            raise Refusal(f"{where}: hands must name the players A, B (and C, D)")
        board = _board(str(case.get("map", "")), len(seats), where, base)
        parameters = table_of(case, "parameters", where)
        names = [str(name) for name in parameters.get("age_cards", AGE_CARDS)]
        deck = deck_of(names, str(parameters.get("age_file", "")), base)
        self.cards = tuple(deck)
        self.bank = rules_for(board, len(seats), parameters, deck)
        self.rules = self.bank[0]
        turns = table_of(case, "turns", where)
        self.states = empty_states(
            self.rules,
            [parse_hand(str(hands[s]), f"{where}: hands") for s in seats],
            [int(turns.get(s, 1)) for s in seats],
        )
        self.state = self.states[0]
        self.out = np.zeros(records.MAX_ACTIONS + 1, dtype=np.int32)
        self.stream = np.zeros(1, dtype=np.uint64)
        place(self.rules, self.state, str(case.get("position", "")), where)
        self.lay_variants(case, seats)
        mover = _seat(case.get("to_move", "A"), where)
        self.state["seat"] = (mover - 1) % len(seats)
        self.settle()

    def lay_variants(self, case: Mapping[str, Any], seats: list[str]) -> None:
        """Lay out Age Cards, what is revealed, and the groups of a Draft."""
        state, rules = self.state, self.rules
        state["banned"] = rules["banned"]

        def card(name: Any) -> int:
            if name not in self.cards:
                raise Refusal(f"{self.where}: there is no Age Card {name!r}{nearest(name, self.cards)}")
            return self.cards.index(name)

        scenario = int(rules["fixed_card"])
        deck = [card(name) for name in case.get("deck", [])] or ([scenario] if scenario >= 0 else [])
        lay_cards(rules, state, deck)
        for seat, name in table_of(case, "agenda", self.where).items():
            state["agenda"][_seat(seat, self.where)] = card(name)
        if "active" in case:
            state["active_card"] = card(case["active"])
            state["switches"] = rules["card_switches"][card(case["active"])]
        for seat, text in table_of(case, "revealed", self.where).items():
            for piece, count in parse_hand(text, f"{self.where}: revealed").items():
                state["revealed"][_seat(seat, self.where)][piece] = count
            state["stage"] = records.PLAYING
        if "groups" in case:
            lay_groups(state, [str(text) for text in case["groups"]], self.where)
            state["splitter"] = _seat(case.get("splitter", "A"), self.where)

    def settle(self) -> None:
        """Let forced passes and the end test happen."""
        while int(self.state["phase"]) == RESOLVE:
            resolve(self.rules, self.state, self.stream)

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their text."""
        if int(self.state["phase"]) == OVER:
            return {}
        n = int(legal(self.rules, self.state, self.out))
        return {
            action_text(int(code), self.rules, self.cards, self.state): int(code) for code in self.out[:n]
        }

    def plain(self, text: str) -> str:
        """Return an action's text as the engine writes it."""
        if text.startswith("split "):
            piles = [" ".join(sorted(pile.split())) for pile in text.removeprefix("split ").split("|")]
            ways = ["split " + " | ".join(order) for order in (piles, piles[::-1])]
            return next((way for way in ways if way in self.actions()), ways[0])
        return action_text(parse_action(text, self.rules, self.cards), self.rules, self.cards, self.state)

    def do(self, text: str) -> str | None:
        """Carry out an action; return a complaint if it is not legal."""
        known = self.actions()
        plain = self.plain(text)
        if plain not in known:
            return f"{text!r} is not legal here; legal: {', '.join(sorted(known)) or 'nothing, the game is over'}"
        apply(self.rules, self.state, np.int32(known[plain]))
        self.settle()
        return None


def _board(text: str, players: int, where: str, base: Path) -> Board:
    words = text.strip()
    if words and not words[0].isdigit() and words[0] != "-":
        name, _, number = words.partition("/")
        return load_map(name, int(number) if number.isdigit() else players, base)
    if not words:
        raise Refusal(f"{where}: a case needs a map")
    return parse_list(words, f"{where}: map")


def _seat(name: Any, where: str) -> int:
    if not isinstance(name, str) or name not in SEATS:
        raise Refusal(f"{where}: {name!r} is no player; players are A, B, C, D")
    return SEATS.index(name)


def _check(table: Table, wanted: Mapping[str, Any], when: str) -> list[str]:
    """Return what does not hold of a [case.before] or [case.after] table."""
    rules, state = table.rules, table.state
    problems: list[str] = []
    found: dict[str, Any]
    known = table.actions()
    for key, value in wanted.items():
        what = f"{when} {key}"
        if key == "scores":
            found = {s: int(score(rules, state, SEATS.index(s))) for s in value}
            problems += compare(what, value, found)
        elif key == "legal":
            problems += compare(what, sorted(_normal(table, value)), sorted(known))
        elif key == "legal_includes":
            missing = sorted(_normal(table, value) - set(known))
            problems += [f"{what}: not offered: {missing}"] if missing else []
        elif key in {"legal_excludes", "illegal"}:
            present = sorted(_normal(table, [value] if isinstance(value, str) else value) & set(known))
            problems += [f"{what}: offered: {present}"] if present else []
        elif key == "targets":
            for piece, hexes in value.items():
                reached = {t.rsplit(" ", 1)[1] for t in known if t.split(" ", 1)[-1].startswith(f"{piece} ")}
                problems += compare(f"{what} {piece}", sorted(hexes), sorted(reached))
        elif key == "position":
            problems += compare(what, _normal_board(value), _normal_board(board_text(rules, state)))
        elif key == "spirits":
            found = {s: _spirit(table, SEATS.index(s)) for s in value}
            problems += compare(what, value, found)
        elif key == "hands":
            expected = {s: parse_hand(text, table.where) for s, text in value.items()}
            found = {
                s: parse_hand(hand_text(state, SEATS.index(s)).replace("(empty)", ""), table.where)
                for s in value
            }
            problems += compare(what, expected, found)
        elif key == "phase":
            problems += compare(what, value, records.PHASES[int(state["phase"])])
        elif key == "to_move":
            problems += compare(what, value, SEATS[int(state["seat"])])
        elif key == "over":
            problems += compare(what, value, int(state["phase"]) == OVER)
        elif key == "active":
            active = int(state["active_card"])
            problems += compare(what, value, table.cards[active] if active >= 0 else "")
        elif key == "face_up":
            place_ = int(state["deck_place"])
            there = int(rules["age_mode"]) == records.ERA and place_ < int(state["deck_size"])
            problems += compare(what, value, table.cards[int(state["deck"][place_])] if there else "")
        elif key in {"revealed", "pools"}:
            field_ = "pool" if key == "pools" else key
            expected = {s: parse_hand(text, table.where) for s, text in value.items()}
            found = {
                s: parse_hand(hand_text(state, SEATS.index(s), field_).replace("(empty)", ""), table.where)
                for s in value
            }
            problems += compare(what, expected, found)
        elif key == "passes":
            problems += compare(what, value, {s: int(state["passes"][SEATS.index(s)]) for s in value})
        else:
            mask = int(rules["interior" if key == "interior" else "coast"])
            cells = [hex_of(rules, h) for h in range(int(rules["n_regions"])) if mask >> h & 1]
            problems += compare(what, sorted(value), sorted(cells))
    return problems


def _normal(table: Table, texts: list[str]) -> set[str]:
    return {table.plain(text) for text in texts}


def _normal_board(text: str) -> list[str]:
    plain = text.replace("Poison Oak", "PoisonOak").replace("(empty)", "")
    return sorted(" ".join(part.split()) for part in plain.split(";") if part.strip())


def _spirit(table: Table, seat: int) -> str:
    h = int(table.state["spirit"][seat])
    return "" if h < 0 else hex_of(table.rules, h)


def run_case(case: Mapping[str, Any], file: str, base: Path) -> CaseResult:
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
    return result


def check_file(path: Path) -> list[CaseResult]:
    """Run all cases of a file; `Refusal` when it is none."""
    return cases.check_file(path, run_case)
