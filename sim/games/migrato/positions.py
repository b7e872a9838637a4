"""Positions from text: hands, columns, piles, deck and discards. For worked cases and tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.cases.given import Given
from sim.core.errors import Refusal
from sim.core.game import validated
from sim.core.notation import read_parts
from sim.core.params import nested
from sim.games.migrato.decks import piece_code
from sim.games.migrato.notation import SEATS
from sim.games.migrato.rules import state as records
from sim.games.migrato.rules.cards import take_in_hand
from sim.games.migrato.rules.columns import lay
from sim.games.migrato.rules.dealing import clear
from sim.games.migrato.rules.params import (
    MOST_CARDS,
    MOST_COLUMNS,
    MOST_HAND,
    MOST_LENGTH,
    SPECIES,
    Parameters,
)
from sim.games.migrato.setup_cell import make_rules
from sim.show.texts import read_lines

PARTS = ("hand", "columns", "arrived")
"""Parts of a seat's line."""


def rules_for(parameters: Mapping[str, Any] | None = None, base: Path | None = None) -> Any:
    """Return a rules record (array of length 1); dotted keys are read as tables."""
    return make_rules(validated(Parameters, nested(parameters or {})), base, any_deck=True)


def parse_cards(text: str, where: str) -> list[int]:
    """Return the pieces of a text such as ``"K5 S1 Xd"``; ``-`` is none."""
    return [piece_code(word, where) for word in text.split() if word != "-"]


def parse_groups(text: str, where: str) -> list[list[str]]:
    """Return the cards within each pair of square brackets; ``-`` is none."""
    if text.strip() in ("", "-"):
        return []
    if not re.fullmatch(r"\s*(\[[^\[\]]*\]\s*)+", text):
        raise Refusal(f"{where}: {text!r} should look like [K5 K4] [(S3)]")
    return [group.split() for group in re.findall(r"\[([^\[\]]*)\]", text)]


def lay_seat(rules: Any, state: Any, seat: int, text: str, where: str) -> None:
    """Lay out hand, columns and arrived piles of one seat."""
    parts = read_parts(text, PARTS, where)
    for word in parts.get("hand", "-").split():
        if word != "-":
            if int(state["hand_size"][seat]) >= MOST_HAND:
                raise Refusal(f"{where}: a hand holds {MOST_HAND} cards at most")
            take_in_hand(state, seat, piece_code(word.rstrip("*"), where), int(word.endswith("*")))
    columns = parse_groups(parts.get("columns", "-"), where)
    if len(columns) > MOST_COLUMNS or any(not 0 < len(cards) <= MOST_LENGTH for cards in columns):
        raise Refusal(f"{where}: at most {MOST_COLUMNS} columns of 1 to {MOST_LENGTH} cards")
    state["n_columns"][seat] = len(columns)
    for c, cards in enumerate(columns):
        column = 0
        for k, word in enumerate(cards):
            column |= _byte(word, where) << records.CARD_WIDTH * k
        lay(rules, state, seat, c, np.int64(column), len(cards))
    for cards in parse_groups(parts.get("arrived", "-"), where):
        pieces = [piece_code(word, where) for word in cards]
        kinds = {int(records.SPECIES_OF[piece]) for piece in pieces}
        if len(kinds) != 1 or -1 in kinds or len(pieces) > MOST_LENGTH:
            raise Refusal(f"{where}: an arrived pile holds birds of one species")
        species = kinds.pop()
        if state["pile_size"][seat, species]:
            raise Refusal(f"{where}: two piles of {SPECIES[species]}s: a species arrives once")
        state["pile_size"][seat, species] = len(pieces)
        state["pile"][seat, species, : len(pieces)] = [piece + 1 for piece in pieces]


def _byte(word: str, where: str) -> int:
    plain = word.strip("()")
    byte = piece_code(plain.rstrip("?"), where) + 1
    if byte > len(records.SPECIES_OF) - 3:
        raise Refusal(f"{where}: {plain} does not fly in a column")
    down = bool(records.NIGHT_OF[byte - 1])
    if word.startswith("(") != down:
        raise Refusal(f"{where}: night cards lie face down, written (S3); day cards open: {word!r}")
    return byte | down * records.DOWN | plain.endswith("?") * records.LOST


def position(rules: Any, given: Given) -> Any:
    """Return states (array of 3), the first one as described.

    Parameters
    ----------
    given
        ``A``, ``B``, ``deck`` (top first), ``discard`` (oldest first), ``to_move``, ``phase``, ``turn``; what is left
        out is empty, A's, ``action``, 0.
    """
    where = given.where
    states = np.zeros(3, dtype=records.State)
    state = states[0]
    clear(state)
    for seat, name in enumerate(SEATS):
        lay_seat(rules, state, seat, given.text(name, "hand -"), f"{where}: {name}")
    deck = parse_cards(given.text("deck", "-"), f"{where}: deck")
    discards = parse_cards(given.text("discard", "-"), f"{where}: discard")
    if len(deck) + len(discards) > MOST_CARDS - 20:
        raise Refusal(f"{where}: more than {MOST_CARDS - 20} cards in deck and discard")
    state["deck"][: len(deck)] = [piece + 1 for piece in deck[::-1]]
    state["deck_size"] = len(deck)
    state["discard"][: len(discards)] = [piece + 1 for piece in discards]
    state["discard_size"] = len(discards)
    state["seat"] = given.seat("to_move", SEATS)
    phase = given.text("phase", "action")
    if phase not in records.PHASES[2:]:
        raise given.refuse("phase", f"one of {', '.join(records.PHASES[2:])}")
    state["phase"] = records.PHASES.index(phase)
    state["turn"] = given.number("turn", 0)
    return states


def case_of(text: str, board: str = "") -> tuple[dict[str, Any], int | None]:
    """Return a position's text as a case lays it out, and how many turns were taken."""
    lines = read_lines(text, "A")
    if board:
        raise Refusal("Migrato has no map")
    found: dict[str, Any] = {**lines.said}
    decider = lines.decider()
    if decider:
        found |= {"to_move": decider[0], "phase": decider[1]}
    return {"position": found}, lines.turn()
