"""Worked cases of Drifting Lands: how a position is laid out, what may be asked of one, how actions are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from sim.core import cases
from sim.core.cases import Check, Forms, Gap, Given, checks, names_gap
from sim.core.cases.given import read_text
from sim.core.errors import Refusal
from sim.core.game import Entrant
from sim.core.hexgrid import DIRECTION_NAMES
from sim.games.drifting_lands.impossible import faults
from sim.games.drifting_lands.notation import (
    PART,
    action_text,
    cards_text,
    groups_of,
    parse_cards,
    pending_text,
    plain_text,
    seat_parts,
    space_at,
    space_text,
    tile_text,
)
from sim.games.drifting_lands.positions import (
    PHASES,
    board_of,
    empty_states,
    lay,
    model_of,
    parts_of,
    rules_for,
    seat_from,
)
from sim.games.drifting_lands.rules import dealing, hidden, turns, views  # noqa: F401  (register the verbs)
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.params import CARDS, STARTS
from sim.games.drifting_lands.rules.scoring import continent_points, pawn_count
from sim.games.drifting_lands.rules.turns import begin_round, next_selector
from sim.games.drifting_lands.setup_cell import make_entrants

_FORMS = (
    *("start {continent}", "drift {space} {direction}", "stay", "select {card}"),
    *("{drifter} {space} {direction}", "{orogeny} {space} onto {space}", "{mover} {space} to {space}"),
    *("{mover} stay", "{breeder} at {space}", "{breeder} evolve {space}", "{evolver} {space}"),
    *("{card} without effect", f"{PART} {{spaces}}", "expel to {space}", "remove", "at {space}"),
    *("evolve {space}", "stop"),
)
_GROUPS = {
    "card": CARDS,
    "drifter": CARDS[records.DRIFTING : records.OROGENY],
    "orogeny": (CARDS[records.OROGENY],),
    "mover": CARDS[records.MOVING : records.BREEDING],
    "breeder": CARDS[records.BREEDING : records.EVOLVING],
    "evolver": CARDS[records.EVOLVING :],
}


class Table(cases.Table):
    """A position of Drifting Lands under way."""

    keys = ("board", "players")
    phases = records.PHASES
    max_actions = records.MAX_ACTIONS

    def lay(self, dealt: bool) -> None:
        given, where = self.given, self.where
        named = [k + 1 for k, seat in enumerate(self.letters) if seat in given.table("position")]
        players = given.number("players", max([2, *named]), 2, records.MAX_PLAYERS)
        self.seats = self.letters[:players]
        parameters = given.table("parameters")
        model = model_of(parameters, self.base)
        self.bank = rules_for(
            board_of(given.text("board", "devonian"), self.base), players, parameters, self.base
        )
        self.rules = self.bank[0]
        self.deck = tuple(model.counts.model_dump().values())
        if dealt:
            people = [Entrant(seat, "random") for seat in self.seats]
            self.deal(self.rules, make_entrants(model, players, people), records.State)
            return
        keys = ("land", *self.seats, "round", "first", "to_move", "phase")
        self.position = Given(given.table("position"), where, keys, "position.")
        self.states = empty_states(self.rules, players)
        if "land" in self.position:
            lay(self.rules, self.state, self.position.text("land"), where)
        for number, seat in enumerate(self.seats):
            seat_from(self.rules, self.state, number, self.position.text(seat, "pawns -"), f"{where}, {seat}")
        self.begin()

    def begin(self) -> None:
        """Set round and phase, and who is asked."""
        rules, state, position = self.rules, self.state, self.position
        state["round_no"] = position.number("round", 1, 1, 99) - 1
        first = position.seat("first", self.seats)
        mover = position.seat("to_move", self.seats, self.seats[first])
        phase = position.text("phase", "play")
        if phase not in PHASES:
            raise position.refuse("phase", f"one of {', '.join(PHASES)}")
        state["first"] = first
        state["asked"] = (mover - first) % len(self.seats)
        state["seat"] = mover
        state["phase"] = records.PHASES.index(phase)
        if phase == "start":
            state["asked"] = int((state["start"][: len(self.seats)] >= 0).sum())
        elif phase == "select":
            next_selector(rules, state)
        elif phase == "drift" and mover == first:
            begin_round(rules, state)

    def faults(self) -> Iterator[str]:
        return faults(self.rules, self.state, self.position.text("land", "-"), self.deck)

    # --- actions -----------------------------------------------------------------------------------------

    def action_forms(self) -> Forms:
        rules = self.rules
        space = Gap(r"-?\d+ ?, ?-?\d+|\S+", lambda word: space_text(rules, space_at(rules, word)))
        gaps = {name: names_gap(group, _kind(group)) for name, group in _GROUPS.items()}
        gaps |= {
            "space": space,
            "spaces": Gap(".+", lambda words: " ".join(space.read(word) for word in words.split())),
            "continent": names_gap(STARTS, "continent"),
            "direction": names_gap(DIRECTION_NAMES, "direction"),
        }
        return Forms(_FORMS, gaps)

    def action_words(self, action: int) -> str:
        return action_text(action, self.rules, self.state)

    def here(self, words: str) -> str:
        return plain_text(words, self.rules, self.state)

    # --- what may be asked -------------------------------------------------------------------------------

    def known_checks(self) -> dict[str, Check]:
        lines = {seat: Check(_read_seat, _seat_test(number)) for number, seat in enumerate(self.seats)}
        return {**super().known_checks(), **lines}

    own_checks: ClassVar[dict[str, Check]] = {
        "first": checks.seat(lambda t: int(t.state["first"])),
        "round": checks.number(lambda t: int(t.state["round_no"]) + 1),
        "land": Check(
            lambda t, value, what: _wanted_land(t, read_text(value, what)), lambda *a: _land_test(*a)
        ),
        "pending": checks.text(lambda t: pending_text(t.rules, t.state)),
        "continent_scores": checks.by_seat(lambda t, seat: _continents(t)[seat]),
        "pawns_on_board": checks.by_seat(lambda t, seat: int(pawn_count(t.rules, t.state, seat))),
        "cards": checks.by_seat(
            lambda t, seat: sum(int(t.state[k][seat].sum()) for k in ("deck", "hand", "discard"))
        ),
    }


def _kind(group: tuple[str, ...]) -> str:
    return "card" if group == CARDS or len(group) == 1 else f"card like {group[0]}"


def _continents(table: Table) -> list[int]:
    points = np.zeros(records.MAX_PLAYERS, dtype=np.int64)
    continent_points(table.rules, table.state, points)
    return [int(n) for n in points]


def _wanted_land(table: Table, text: str) -> tuple[bool, list[str]]:
    """Return land as it can be compared, and whether the text has groups."""
    states = empty_states(table.rules, len(table.seats))
    lay(table.rules, states[0], text, table.where)
    grouped = "[" in text
    return grouped, _land(table.rules, states[0], grouped)


def _land(rules: Any, state: Any, grouped: bool) -> list[str]:
    """Return the tiles with their marks, or the continents, each as a text."""
    found = [sorted(tile_text(rules, state, space) for space in group) for group in groups_of(state)]
    if grouped:
        return sorted(f"[{' '.join(group)}]" for group in found)
    return sorted(tile for group in found for tile in group)


def _land_test(table: Table, wanted: tuple[bool, list[str]], what: str) -> list[str]:
    grouped, land = wanted
    return checks.compare(what, land, _land(table.rules, table.state, grouped))


def _read_seat(table: Table, value: Any, what: str) -> dict[str, str]:
    """Return the parts of a seat's line in the order of the engine."""
    parts = parts_of(read_text(value, what), what)
    for part, text in parts.items():
        if part in ("hand", "deck", "discard"):
            parts[part] = cards_text(parse_cards(text, what))
        elif part == "pawns" and text != "-":
            try:
                words = sorted(text.split(), key=lambda word: space_at(table.rules, word.split(":")[0]))
            except Refusal as refusal:
                raise Refusal(f"{what}: {refusal}") from None
            parts[part] = " ".join(words)
    return parts


def _seat_test(seat: int) -> Any:
    def test(table: Table, wanted: dict[str, str], what: str) -> list[str]:
        found = seat_parts(table.rules, table.state, seat)
        return [
            line
            for part, text in wanted.items()
            for line in checks.compare(f"{what} {part}", text, found[part])
        ]

    return test


run_case, check_file = Table.run_case, Table.check_file
