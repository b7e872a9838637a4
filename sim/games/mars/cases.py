"""Worked cases: a position, decisions, and what must hold before and after. Run by `whimbrel check` and the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core import cases
from sim.core.cases import CaseResult, compare, table_of
from sim.core.contract import OVER, RESOLVE, apply, legal, resolve, score, setup
from sim.core.errors import Refusal, nearest
from sim.games.mars import notation
from sim.games.mars.notation import BANK_NAMES, FACES, SEATS, chance_words
from sim.games.mars.positions import (
    counts_of,
    lay_out,
    make_cell,
    parts_of,
    seat_number,
    structures_of,
    tile_at,
)
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import CARDS
from sim.games.mars.rules.population import capacity

_CASE = (
    *("id", "title", "tag", "game", "players", "parameters", "position", "chance", "do", "before", "after"),
    *("illegal", "deal", "seed"),
)
_POSITION = (
    *(*SEATS, "board", "treasury", "corners", "deck", "storm", "doing", "report", "offers", "pending"),
    *("first", "turn", "to_move", "mover", "phase"),
)
_CHECKS = (
    *("legal", "includes", "illegal", "capacity", "linked", *SEATS, "board", "board_has", "board_lacks"),
    *("treasury", "corners", "deck", "deck_bottom", "to_move", "phase", "scores", "ended", "winner"),
    *("doing", "report", "pending", "storm", "offers", "turn", "first", "counts"),
)


class Table:
    """A position under way: rules, state, the legal actions as text, and what chance is told to bring."""

    def __init__(self, case: Mapping[str, Any], where: str, base: Path | None) -> None:
        self.where = where
        position = table_of(case, "position", where)
        for key in position:
            if key not in _POSITION:
                raise Refusal(f"{where}: unknown key position.{key}{nearest(key, _POSITION)}")
        players = case.get("players", 2)
        if players not in (2, 3, 4):
            raise Refusal(f"{where}: players = {players!r} should be 2, 3 or 4")
        self.cell = make_cell(table_of(case, "parameters", where), players, base)
        self.rules = self.cell.rules[0]
        self.out = np.zeros(records.MAX_ACTIONS + 1, dtype=np.int32)
        self.stream = np.ones(1, dtype=np.uint64)
        self.chance = [str(word) for word in case.get("chance", [])]
        self.told: list[str] = []
        if case.get("deal"):
            self.states = np.zeros(1, dtype=records.State)
            self.state = self.states[0]
            who = np.arange(players, dtype=np.int8)
            setup(self.rules, self.state, self.cell.entrants, who, np.uint64(int(case.get("seed", 1))))
            self.settle()
        else:
            self.states = lay_out(self.cell, position, where)
            self.state = self.states[0]

    def settle(self) -> None:
        """Let everything happen that follows by itself, chance as the case tells."""
        while int(self.state["phase"]) == RESOLVE:
            n = int(self.state["n_fates"])
            if self.chance:
                self.state["fate"] = self.outcome(self.chance[0])
            resolve(self.rules, self.state, self.stream)
            self.state["fate"] = -1
            words = chance_words(self.rules, self.state)[n:]
            self.told += words
            if words and self.chance:
                self.chance.pop(0)

    def outcome(self, word: str) -> int:
        """Return what `word` (``roll 4``, ``face injury``, ``tile 1,2``) sets chance to."""
        kind, _, rest = word.partition(" ")
        if kind == "roll" and rest.isdigit():
            return int(rest)
        if kind == "face" and rest in FACES:
            return FACES.index(rest)
        if kind == "tile":
            return tile_at(self.rules, rest, self.where)
        raise Refusal(f"{self.where}: chance {word!r} should be 'roll 4', 'face injury' or 'tile 1,2'")

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their text."""
        if int(self.state["phase"]) in (OVER, RESOLVE):
            return {}
        n = int(legal(self.rules, self.state, self.out))
        return {notation.action_text(int(code), self.rules): int(code) for code in self.out[:n]}

    def do(self, text: str) -> str | None:
        """Carry out an action; return a complaint if it is not legal."""
        known = self.actions()
        plain = " ".join(text.split())
        if plain not in known:
            legal_here = ", ".join(sorted(known)) or "nothing, the game is over"
            return f"{text!r} is not legal here; legal: {legal_here[:600]}"
        apply(self.rules, self.state, np.int32(known[plain]))
        self.settle()
        return None


def _seat(table: Table, seat: int, wanted: str, what: str) -> list[str]:
    """Compare the parts of a seat's line that are named."""
    found = parts_of(notation.seat_text(table.state, seat), what)
    problems = []
    for key, value in parts_of(wanted, what).items():
        if key == "cards":
            have = counts_of(found["cards"], CARDS, what)
            need = counts_of(value, CARDS, what)
            problems += compare(f"{what} cards", need, {name: have[name] for name in need})
        elif key in ("reserve", "bay"):
            need_, have_ = (sorted(structures_of(text, what)) for text in (value, found[key]))
            if need_ != have_:
                problems.append(f"{what} {key}: expected {value}, found {found[key]}")
        elif key == "square" and "+" not in value:
            problems += compare(f"{what} square", value, found[key].split()[0])
        else:
            problems += compare(f"{what} {key}", value.split(), found[key].split())
    return problems


def _pieces(text: str) -> list[str]:
    return sorted(" ".join(piece.split()) for piece in text.split(";") if piece.strip())


def _check(table: Table, wanted: Mapping[str, Any], when: str) -> list[str]:
    """Return what does not hold of a before or after table."""
    rules, state = table.rules, table.state
    known = table.actions()
    over = int(state["phase"]) == OVER
    winner = int(state["winner"])
    plain = {
        "corners": int(state["corners"]),
        "to_move": SEATS[int(state["seat"])],
        "phase": records.PHASES[int(state["phase"])],
        "ended": over,
        "winner": SEATS[winner] if over and winner >= 0 else "none",
        "doing": notation.doing_text(state),
        "pending": notation.pending_text(rules, state),
        "storm": SEATS[int(state["storm"])] if state["storm"] >= 0 else "-",
        "offers": notation.offers_text(rules, state),
        "turn": int(state["turn"]),
        "first": SEATS[int(state["first"])],
    }
    problems: list[str] = []
    for key, value in wanted.items():
        what = f"{when} {key}"
        if key in SEATS:
            problems += _seat(table, seat_number(key, what), value, what)
        elif key == "legal":
            problems += compare(what, sorted(value), sorted(known))
        elif key == "includes":
            missing = sorted(set([value] if isinstance(value, str) else value) - set(known))
            problems += [f"{what}: not offered: {missing}"] if missing else []
        elif key == "illegal":
            present = sorted(set([value] if isinstance(value, str) else value) & set(known))
            problems += [f"{what}: offered: {present}"] if present else []
        elif key == "capacity":
            found = {s: int(capacity(rules, state, np.int64(SEATS.index(s)))) for s in value}
            problems += compare(what, value, found)
        elif key == "linked":
            problems += compare(what, value, {s: bool(state["linked"][SEATS.index(s)]) for s in value})
        elif key == "scores":
            problems += compare(what, value, {s: int(score(rules, state, SEATS.index(s))) for s in value})
        elif key == "board":
            problems += compare(what, _pieces(value), _pieces(notation.board_text(rules, state)))
        elif key in ("board_has", "board_lacks"):
            there = set(_pieces(notation.board_text(rules, state)))
            for piece in value:
                if (" ".join(piece.split()) in there) != (key == "board_has"):
                    problems.append(
                        f"{what}: {piece!r} is {'not ' if key == 'board_has' else ''}on the board"
                    )
        elif key == "treasury":
            need = counts_of(value, BANK_NAMES, what)
            have = {name: int(state["bank"][BANK_NAMES.index(name)]) for name in need}
            problems += compare(what, need, have)
        elif key in ("deck", "deck_bottom"):
            deck = [notation.event_text(kind) for kind in notation.deck_kinds(state)]
            need_cards = [] if value == "-" else str(value).partition("|")[0].split()
            part = deck if key == "deck" else deck[len(deck) - len(need_cards) :]
            problems += compare(what, need_cards, part)
        elif key == "report":
            report = int(state["report"])
            problems += compare(what, str(value), str(report) if report >= 0 else "-")
        elif key == "counts":
            problems += compare(what, value, _counts(table, value))
        else:
            problems += compare(what, value, plain[key])
    return problems


def _counts(table: Table, wanted: Mapping[str, Any]) -> dict[str, int]:
    """Return numbers of things in the whole game: event cards, overlays' craters, open tiles."""
    rules, state = table.rules, table.state
    found = {
        "deck": int(state["deck_size"]),
        "tiles": int(rules["n_tiles"]),
        **{name: sum(int(word).bit_count() for word in rules[field_]) for name, field_ in _GROUNDS.items()},
    }
    return {key: found.get(key, -1) for key in wanted}


_GROUNDS = {"flat": "plain", "rocky": "rocky", "crater": "crater"}


def run_case(case: Mapping[str, Any], file: str, base: Path | None) -> CaseResult:
    """Run one case."""
    result, where = cases.begin_case(case, file, _CASE, _CHECKS)
    table = Table(case, where, base)
    result.problems += _check(table, table_of(case, "before", where), "before")
    told = list(table.chance)
    for text in case.get("do", []):
        complaint = table.do(str(text))
        if complaint:
            result.problems.append(complaint)
            return result
    if table.chance or table.told != told:
        result.problems.append(f"chance: the case tells {told}, the game drew {table.told}")
    if "illegal" in case:
        result.problems += _check(table, {"illegal": case["illegal"]}, "then")
    result.problems += _check(table, table_of(case, "after", where), "after")
    return result


def check_file(path: Path) -> list[CaseResult]:
    """Run all cases of a file; `Refusal` when it is none."""
    return cases.check_file(path, run_case)
