"""Worked cases of Mars: how a position is laid out, what chance is told to bring, what may be asked of a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from sim.core import cases
from sim.core.cases import Check, Forms, Gap, Given, checks, names_gap
from sim.core.cases.given import read_flag, read_one_or_more, read_seat, read_text
from sim.core.contract import RESOLVE, resolve
from sim.core.errors import Refusal, nearest
from sim.core.notation import read_name
from sim.games.mars import notation
from sim.games.mars.impossible import faults
from sim.games.mars.notation import BANK_NAMES, FACES, TRADED_NAMES, chance_words, tile_at, tile_text
from sim.games.mars.positions import (
    counts_of,
    lay_out,
    make_cell,
    parts_of,
    piece_of_text,
    structures_of,
)
from sim.games.mars.rules import acting, choices, dealing, hidden, turns, views  # noqa: F401  (register the verbs)
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import CARDS, STRUCTURES
from sim.games.mars.rules.population import capacity

_COMMON = ("board", "treasury", "corners", "deck", "storm", "doing", "report", "offers", "pending")
_TURN = ("first", "turn", "to_move", "mover", "phase")
_FORMS = (
    *("roll", "build {structure} {tile}", "buy {structure}", "return {structure} {tile}"),
    *("move {structure} {tile}", "steal {structure} {tile}", "clear {tile}", "exchange {card} for {card}"),
    *("population", "offer {seat} {bundle} for {bundle}", "to {tile}", "accept", "decline"),
    *("counter {bundle} for {bundle}", "pay", "pay with Oly", "do not pay", "default {tile}", "use Med"),
    *("let die", "take {card}", "accept population", "no population", "strike {tile}", "salvage"),
    *("salvage with population", "discard {starred}", "let go", "give {card}", "pay RCU"),
    *("put away {tile}", "start with {structure}"),
)


class Table(cases.Table):
    """A position of Mars under way, and what chance is told to bring."""

    keys = ("players", "chance", "game")
    phases = records.PHASES
    max_actions = records.MAX_ACTIONS

    def lay(self, dealt: bool) -> None:
        given, where = self.given, self.where
        self.seats = self.letters[: given.number("players", 2, 2, records.MAX_PLAYERS)]
        self.cell = make_cell(given.table("parameters"), len(self.seats), self.base)
        self.rules = self.cell.rules[0]
        self.chance = given.texts("chance")
        self.told: list[str] = []
        self.tells = list(self.chance)
        for word in self.chance:
            self.outcome(word)
        if dealt:
            self.deal(self.rules, self.cell.entrants, records.State)
            return
        keys = (*self.seats, *_COMMON, *_TURN)
        self.position = Given(given.table("position"), where, keys, "position.")
        self.states = lay_out(self.cell, self.position)

    def faults(self) -> Iterator[str]:
        return faults(self.rules, self.state, self.position)

    # --- chance ------------------------------------------------------------------------------------------

    def settle(self) -> None:
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
        sides = int(self.rules["move_die"])
        if kind == "roll" and rest.isdecimal() and 1 <= int(rest) <= sides:
            return int(rest)
        if kind == "face" and rest in FACES:
            return FACES.index(rest)
        if kind == "tile":
            return tile_at(self.rules, rest, self.where)
        hint = nearest(rest, FACES) if kind == "face" else f" (1 to {sides})" if kind == "roll" else ""
        raise Refusal(f"{self.where}: chance {word!r} should be 'roll 4', 'face injury' or 'tile 1,2'{hint}")

    def at_the_end(self) -> list[str]:
        if "deal" in self.given and "chance" not in self.given:  # a given game has the chance of its seed
            return []
        if not self.chance and self.told == self.tells:
            return []
        return [f"chance: the case tells {checks.said(self.tells)}; the game drew {checks.said(self.told)}"]

    # --- actions -----------------------------------------------------------------------------------------

    def action_forms(self) -> Forms:
        def bundle(words: str) -> str:
            number, _, kind = words.rpartition(" ")
            if number == "0":
                raise Refusal(f"{words!r}: no card is none to trade")
            return notation.bundle_text(
                TRADED_NAMES.index(read_name(kind, TRADED_NAMES, "card")), int(number or 1)
            )

        def seat(word: str) -> str:
            return self.seats[read_seat(word, self.seats, "offer")]

        def starred(word: str) -> str:
            return read_name(word.rstrip("*"), STRUCTURES, "structure") + "*" * word.endswith("*")

        gaps = {
            "structure": names_gap(STRUCTURES, "structure"),
            "starred": Gap(r"\S+", starred),
            "tile": Gap(r"\S+", lambda word: tile_text(self.rules, tile_at(self.rules, word, "action"))),
            "card": names_gap(TRADED_NAMES, "card"),
            "seat": Gap(r"\S+", seat),
            "bundle": Gap(r"(?:\d+ )?\S+", bundle),
        }
        return Forms(_FORMS, gaps)

    def action_words(self, action: int) -> str:
        return notation.action_text(action, self.rules)

    # --- what may be asked -------------------------------------------------------------------------------

    def winner(self) -> str:
        winner = int(self.state["winner"])
        return self.seats[winner] if self.over and winner >= 0 else "none"

    def known_checks(self) -> dict[str, Check]:
        lines = {seat: Check(_read_seat, _seat_test(number)) for number, seat in enumerate(self.seats)}
        return {**super().known_checks(), **lines}

    own_checks: ClassVar[dict[str, Check]] = {
        "capacity": checks.by_seat(lambda t, seat: int(capacity(t.rules, t.state, np.int64(seat)))),
        "linked": checks.by_seat(lambda t, seat: bool(t.state["linked"][seat]), read_flag),
        "board": checks.text(
            lambda t: " ; ".join(sorted(_pieces_there(t))),
            lambda t, text: " ; ".join(
                sorted(_piece(t, piece) for piece in text.split(";") if piece.strip())
            ),
        ),
        "board_has": Check(
            lambda t, value, what: _read_pieces(t, value, what),
            lambda t, wanted, what: [
                f"{what}: {piece!r} is not on the board" for piece in wanted if piece not in _pieces_there(t)
            ],
        ),
        "board_lacks": Check(
            lambda t, value, what: _read_pieces(t, value, what),
            lambda t, wanted, what: [
                f"{what}: {piece!r} is on the board" for piece in wanted if piece in _pieces_there(t)
            ],
        ),
        "treasury": Check(
            lambda t, value, what: counts_of(read_text(value, what), BANK_NAMES, what),
            lambda t, wanted, what: checks.compare(
                what, wanted, {name: int(t.state["bank"][BANK_NAMES.index(name)]) for name in wanted}
            ),
        ),
        "corners": checks.number(lambda t: int(t.state["corners"])),
        "deck": Check(
            lambda t, value, what: _read_deck(value, what),
            lambda t, wanted, what: checks.compare(what, wanted, _deck(t)),
        ),
        "deck_bottom": Check(
            lambda t, value, what: _read_deck(value, what),
            lambda t, wanted, what: checks.compare(what, wanted, _deck(t)[len(_deck(t)) - len(wanted) :]),
        ),
        "doing": checks.text(lambda t: notation.doing_text(t.state)),
        "report": Check(
            lambda t, value, what: str(value),
            lambda t, wanted, what: checks.compare(
                what, wanted, str(report) if (report := int(t.state["report"])) >= 0 else "-"
            ),
        ),
        "pending": checks.text(lambda t: notation.pending_text(t.rules, t.state)),
        "storm": checks.seat(lambda t: storm if (storm := int(t.state["storm"])) >= 0 else "-", ("-",)),
        "offers": checks.text(lambda t: notation.offers_text(t.rules, t.state)),
        "counts": checks.by_name(lambda t: _counts(t)),
    }


def _read_seat(table: Table, value: Any, what: str) -> dict[str, str]:
    """Return the parts of a seat's line; each must be well written."""
    parts = parts_of(read_text(value, what), what)
    for key, text in parts.items():
        if key == "cards":
            counts_of(text, CARDS, what)
        elif key in ("reserve", "bay"):
            structures_of(text, what)
    return parts


def _seat_test(seat: int) -> Any:
    def test(table: Table, wanted: dict[str, str], what: str) -> list[str]:
        found = parts_of(notation.seat_text(table.state, seat), what)
        problems = []
        for key, value in wanted.items():
            if key == "cards":
                have, need = (counts_of(text, CARDS, what) for text in (found["cards"], value))
                problems += checks.compare(f"{what} cards", need, {name: have[name] for name in need})
            elif key in ("reserve", "bay"):
                if sorted(structures_of(value, what)) != sorted(structures_of(found[key], what)):
                    problems.append(f"{what} {key}: expected {value}, found {found[key]}")
            else:
                there = found[key].split()[0] if key == "square" and "+" not in value else found[key]
                problems += checks.compare(f"{what} {key}", " ".join(value.split()), there)
        return problems

    return test


def _piece(table: Table, text: str) -> str:
    """Return a piece on a tile, such as ``-3,0 A:Tunnel``, as the engine writes it."""
    tile, name = piece_of_text(table.rules, text, table.seats)
    return f"{tile_text(table.rules, tile)} {name}"


def _read_pieces(table: Table, value: Any, what: str) -> list[str]:
    try:
        return [_piece(table, piece) for piece in checks.checked(what, read_one_or_more(value, what))]
    except Refusal as refusal:
        raise Refusal(f"{what}: {refusal}") from None


def _pieces_there(table: Table) -> list[str]:
    return notation.board_text(table.rules, table.state).split(" ; ")


def _read_deck(value: Any, what: str) -> list[str]:
    words = read_text(value, what).partition("|")[0].split()
    return [] if words == ["-"] else [read_name(word, notation.EVENT_WORDS, "event") for word in words]


def _deck(table: Table) -> list[str]:
    return [notation.event_text(kind) for kind in notation.deck_kinds(table.state)]


def _counts(table: Table) -> dict[str, int]:
    """Return numbers of things in the whole game: event cards, tiles by ground (overlays are craters)."""
    rules = table.rules
    grounds = {"flat": "plain", "rocky": "rocky", "crater": "crater"}
    return {
        "deck": int(table.state["deck_size"]),
        "tiles": int(rules["n_tiles"]),
        **{name: sum(int(word).bit_count() for word in rules[field]) for name, field in grounds.items()},
    }


run_case, check_file = Table.run_case, Table.check_file
