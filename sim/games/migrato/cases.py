"""Worked cases of Migrato: how a position is laid out, what may be asked of one, how actions are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from sim.core import cases
from sim.core.cases import Check, Forms, Gap, Given, checks, names_gap
from sim.core.cases.given import read_text
from sim.core.errors import Refusal
from sim.core.notation import read_parts
from sim.games.migrato import notation
from sim.games.migrato.decks import piece_code
from sim.games.migrato.impossible import faults
from sim.games.migrato.positions import PARTS, parse_cards, parse_groups, position, rules_for
from sim.games.migrato.rules import choices, dealing, hidden, turns, views  # noqa: F401  (register the verbs)
from sim.games.migrato.rules import state as records
from sim.games.migrato.rules.params import MOST_COLUMNS, MOST_LENGTH, SHORT, SPECIES

_FORMS = (
    *("play {card} new", "play {card} on {column}", "split {column} after {length}"),
    *("merge {column} onto {column}", "move {length} from {column} new"),
    *("move {length} from {column} onto {column}", "{danger} take {column}", "{danger} take {species} pile"),
    *("{danger} nothing", "discard column {column}", "discard hand", "discard {card}", "show", "keep hidden"),
)


class Table(cases.Table):
    """A position of Migrato under way."""

    letters = notation.SEATS
    phases = records.PHASES
    max_actions = records.MAX_ACTIONS

    def lay(self, dealt: bool) -> None:
        self.seats = self.letters
        self.rules = rules_for(self.given.table("parameters"), self.base)[0]
        if dealt:
            self.deal(self.rules, np.zeros(2, dtype=records.Entrant), records.State)
            return
        keys = (*self.seats, "deck", "discard", "to_move", "phase", "turn")
        given = Given(self.given.table("position"), self.where, keys, "position.")
        self.states = position(self.rules, given)

    def faults(self) -> Iterator[str]:
        return faults(self.rules, self.state)

    def action_forms(self) -> Forms:
        def card(word: str) -> str:
            return SHORT[piece_code(word, "action")]

        gaps = {
            "card": Gap(r"\S+", card),
            "danger": names_gap(SHORT[-3:], "danger card"),
            "species": names_gap(SPECIES, "species"),
            "column": Gap(r"\S+", lambda word: _number(word, MOST_COLUMNS, "column")),
            "length": Gap(r"\S+", lambda word: _number(word, MOST_LENGTH, "card")),
        }
        return Forms(_FORMS, gaps)

    def action_words(self, action: int) -> str:
        return notation.action_text(action)

    own_checks: ClassVar[dict[str, Check]] = {
        "A": Check(lambda *a: _read_seat(*a), lambda *a: _seat_test(0, *a)),
        "B": Check(lambda *a: _read_seat(*a), lambda *a: _seat_test(1, *a)),
        "deck": checks.text(lambda t: notation.deck_text(t.state), lambda t, text: _cards(t, text)),
        "discard": checks.text(lambda t: notation.discard_text(t.state), lambda t, text: _cards(t, text)),
        "counts": checks.by_name(
            lambda t: {
                "A": int(t.state["hand_size"][0]),
                "B": int(t.state["hand_size"][1]),
                "deck": int(t.state["deck_size"]),
                "discard": int(t.state["discard_size"]),
            }
        ),
        "ended_by": checks.seat(lambda t: ender if (ender := t.facts(1)) >= 0 else "nobody", ("nobody",)),
    }


def _number(word: str, most: int, kind: str) -> str:
    if not word.isdecimal() or not 0 < int(word) <= most:
        raise Refusal(f"there is no {kind} {word!r}; they are numbered from 1 to {most} at most")
    return str(int(word))


def _cards(table: Table, text: str) -> str:
    return " ".join(SHORT[piece] for piece in parse_cards(text, "cards")) or "-"


def _read_seat(table: Table, value: Any, what: str) -> dict[str, str]:
    """Return the parts of a seat's line as they can be compared, by name."""
    return _plain_parts(read_text(value, what), what)


def _plain_parts(line: str, what: str) -> dict[str, str]:
    parts = {}
    for name, text in read_parts(line, PARTS, what).items():
        if name == "hand":
            words = [word for word in text.split() if word != "-"]
            cards = sorted((parse_cards(word.rstrip("*"), what)[0], word.endswith("*")) for word in words)
            parts[name] = " ".join(SHORT[piece] + "*" * known for piece, known in cards)
        else:
            groups = [
                " ".join(_column_card(word, what) for word in group) for group in parse_groups(text, what)
            ]
            parts[name] = " ".join(
                f"[{group}]" for group in (groups if name == "columns" else sorted(groups))
            )
        parts[name] = parts[name] or "-"
    return parts


def _column_card(word: str, what: str) -> str:
    """Return a card as columns show it: short, in brackets where it lies face down."""
    plain = word.strip("()")
    text = SHORT[piece_code(plain.rstrip("?"), what)] + "?" * plain.endswith("?")
    return f"({text})" if word.startswith("(") else text


def _seat_test(seat: int, table: Table, wanted: dict[str, str], what: str) -> list[str]:
    found = _plain_parts(notation.seat_text(table.state, seat), what)
    problems = []
    for name, text in wanted.items():
        here = found[name]
        if name == "hand" and "*" not in text:  # who knows a card matters only where a case says so
            here = here.replace("*", "")
        problems += checks.compare(f"{what} {name}", text, here)
    return problems


run_case, check_file = Table.run_case, Table.check_file
