"""Positions that cannot occur in Migrato, with the place and the rule, for worked cases."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.games.migrato.notation import SEATS, column_bytes, pile_pieces
from sim.games.migrato.rules import state as records
from sim.games.migrato.rules.columns import banned_next, never_with
from sim.games.migrato.rules.lengths import complete, may_fly
from sim.games.migrato.rules.params import MOST_LENGTH, PIECES, SHORT, SPECIES


def faults(rules: Any, state: Any) -> Iterator[str]:
    """Say what cannot be in a position."""
    yield from _card_faults(rules, state)
    for seat in range(2):
        hand, most = int(state["hand_size"][seat]), int(rules["hand_size"])
        if hand > most:
            yield f"{SEATS[seat]} has {hand} cards in hand, a hand has {most} (hand_size)"
        columns = int(state["n_columns"][seat])
        if columns > rules["max_columns"]:
            yield f"{SEATS[seat]} has {columns} columns in flight, {int(rules['max_columns'])} are allowed (A20)"
        for c in range(columns):
            yield from _column_faults(rules, state, seat, c)
        for species in range(len(SPECIES)):
            yield from _pile_faults(rules, state, seat, species)
    yield from _end_faults(rules, state)


def _card_faults(rules: Any, state: Any) -> Iterator[str]:
    """More copies of a card than the deck has."""
    there: Counter[int] = Counter()
    for seat in range(2):
        there.update(int(card) - 1 for card in state["hand"][seat] if card)
        for c in range(int(state["n_columns"][seat])):
            there.update(_piece(byte) for byte in column_bytes(state, seat, c))
        for species in range(len(SPECIES)):
            there.update(pile_pieces(state, seat, species))
    for field in ("deck", "discard"):
        there.update(int(card) - 1 for card in state[field][: int(state[f"{field}_size"])])
    for piece, n in sorted(there.items()):
        copies = int(rules["copies"][piece])
        if n > copies:
            yield f"{SHORT[piece]} ({PIECES[piece]}) is there {n} times, the deck has {copies}"


def _piece(byte: int) -> int:
    return (byte & records.CARD) - 1


def _column_faults(rules: Any, state: Any, seat: int, c: int) -> Iterator[str]:
    """A column that no row of plays and moves could have made."""
    cards = column_bytes(state, seat, c)
    name = f"column {c + 1} of {SEATS[seat]}"
    if len(cards) > rules["max_column_length"]:
        yield f"{name} has {len(cards)} cards, {int(rules['max_column_length'])} are allowed (D8)"
    bound = cards  # the cards that the rules hold a player to
    if rules["hidden_check"] != records.TRUE_CARDS:
        bound = [byte for byte in cards if not byte & records.DOWN]
    pieces = [_piece(byte) for byte in bound]
    kinds = sorted({int(records.SPECIES_OF[piece]) for piece in pieces})
    mixed = rules["mixed"] == records.MIXED_ALLOWED
    if len(kinds) > 1 and not mixed:
        yield f"{name} mixes {' and '.join(SPECIES[kind] for kind in kinds)} (A1)"
    yield from _order_faults(rules, cards, pieces, name)
    if rules["deduction_bans"]:
        yield from _ban_faults(rules, cards, name)
    if len(kinds) != 1 or mixed:
        return
    (kind,) = kinds
    if state["pile_size"][seat][kind]:
        yield f"{name} flies {SPECIES[kind]}s, which have arrived: none may fly on (D12, D13)"
    yield from _length_faults(rules, state, seat, c, kind, name)


def _order_faults(rules: Any, cards: list[int], pieces: list[int], name: str) -> Iterator[str]:
    """Values that rise, among the cards that a player is held to."""
    pairs = list(itertools.pairwise(pieces))
    if rules["hidden_check"] != records.TRUE_CARDS and rules["hidden_order"] == records.ORDER_IGNORED:
        open_pairs = [pair for pair in itertools.pairwise(cards) if not (pair[0] | pair[1]) & records.DOWN]
        pairs = [(_piece(before), _piece(after)) for before, after in open_pairs]
    for before, after in pairs:
        if not records.equal_or_less(records.BIRDS_OF[after], records.BIRDS_OF[before]):
            yield f"{name}: {SHORT[after]} lies on {SHORT[before]}, but birds must not become more"


def _ban_faults(rules: Any, cards: list[int], name: str) -> Iterator[str]:
    """What the list of bans keeps out of a column (D10)."""
    pieces = [_piece(byte) for byte in cards]
    there = sum({1 << piece for piece in pieces})
    day_only = [piece for piece in pieces if records.DAY_ONLY >> piece & 1]
    if there & int(never_with(np.int64(there))):
        yield f"{name}: {SHORT[day_only[0]]} flies by day only, never with night cards (D10)"
    for before, after in itertools.pairwise(cards):
        if banned_next(rules, np.int64(before), np.int64(after)):
            yield f"{name}: {SHORT[_piece(after)]} lies on {SHORT[_piece(before)]}, which the bans forbid (D10)"


def _length_faults(rules: Any, state: Any, seat: int, c: int, kind: int, name: str) -> Iterator[str]:
    """A column of one known species that is longer than it needs, or should have arrived."""
    n, goal = int(state["length"][seat][c]), int(rules["objective"][kind])
    hidden = int(state["shown"][seat][c]) == 0
    if not may_fly(rules, n, kind):
        yield f"{name} has {n} cards, {SPECIES[kind]}s need {goal} (D9)"
    if (
        complete(rules, n, kind, False)
        and rules["merge_arrives"]
        and not (hidden and rules["optional_reveal"])
    ):
        yield f"{name} has the {goal} cards that {SPECIES[kind]}s need: it would have arrived"


def _pile_faults(rules: Any, state: Any, seat: int, species: int) -> Iterator[str]:
    pieces = pile_pieces(state, seat, species)
    if not pieces:
        return
    name, goal = f"the pile of {SPECIES[species]}s of {SEATS[seat]}", int(rules["objective"][species])
    lengths = [n for n in range(1, MOST_LENGTH + 1) if complete(rules, n, species, True)]
    for before, after in itertools.pairwise(pieces):
        if not records.equal_or_less(records.BIRDS_OF[after], records.BIRDS_OF[before]):
            yield f"{name}: {SHORT[after]} lies on {SHORT[before]}, a column in wrong order is void"
    least = 1 if rules["steal_from_arrived"] and rules["reduced_pile"] != records.PILE_LOST else min(lengths)
    if not least <= len(pieces) <= max(lengths):
        yield f"{name} has {len(pieces)} cards, an arrival has {goal}"


def _end_faults(rules: Any, state: Any) -> Iterator[str]:
    """A position after the game has ended."""
    arrived = [[int(size) > 0 for size in state["pile_size"][seat]] for seat in range(2)]
    by_piles = rules["end"] == records.END_SETTLEMENTS
    reached = sum(map(sum, arrived)) if by_piles else sum(a or b for a, b in zip(*arrived))
    if reached >= len(SPECIES) and rules["finish"] == records.FINISH_AT_ONCE:
        what = f"{reached} piles" if by_piles else "all five species"
        yield f"{what} have arrived: the game is over (A42)"
