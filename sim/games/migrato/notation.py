"""Positions and actions as text, and the numbers behind an action."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from sim.core.contract import OVER
from sim.core.notation import LETTERS
from sim.games.migrato.rules import state as records
from sim.games.migrato.rules.params import SHORT, SPECIES

SEATS = LETTERS[:2]


def byte_text(byte: int) -> str:
    """Return a card of a column: face down in brackets, with ``?`` when its owner has forgotten it."""
    text = SHORT[(byte & records.CARD) - 1]
    if byte & records.DOWN:
        return f"({text}{'?' if byte & records.LOST else ''})"
    return text


def column_bytes(state: Any, seat: int, c: int) -> list[int]:
    """Return the bytes of a column, oldest card first."""
    column = int(state["column"][seat, c])
    return [
        column >> records.CARD_WIDTH * k & records.CARD_MASK for k in range(int(state["length"][seat, c]))
    ]


def columns_text(state: Any, seat: int) -> str:
    """Return the columns in flight of a seat."""
    columns = [column_bytes(state, seat, c) for c in range(int(state["n_columns"][seat]))]
    return " ".join("[" + " ".join(map(byte_text, cards)) + "]" for cards in columns) or "-"


def hand_text(state: Any, seat: int) -> str:
    """Return a hand; ``*`` marks what the other player knows."""
    size = int(state["hand_size"][seat])
    cards = zip(state["hand"][seat, :size], state["star"][seat, :size])
    return " ".join(SHORT[int(card) - 1] + "*" * int(star) for card, star in cards) or "-"


def pile_pieces(state: Any, seat: int, species: int) -> list[int]:
    """Return the pieces of an arrived pile, oldest first."""
    size = int(state["pile_size"][seat, species])
    return [int(card) - 1 for card in state["pile"][seat, species, :size]]


def arrived_text(state: Any, seat: int) -> str:
    """Return the arrived piles of a seat."""
    piles = [pile_pieces(state, seat, species) for species in range(len(SPECIES))]
    return " ".join("[" + " ".join(SHORT[p] for p in pile) + "]" for pile in piles if pile) or "-"


def deck_text(state: Any) -> str:
    """Return the deck, top first."""
    return " ".join(SHORT[int(card) - 1] for card in state["deck"][: int(state["deck_size"])][::-1]) or "-"


def discard_text(state: Any) -> str:
    """Return the discards, oldest first."""
    return " ".join(SHORT[int(card) - 1] for card in state["discard"][: int(state["discard_size"])]) or "-"


def seat_text(state: Any, seat: int) -> str:
    """Return everything of a seat on one line."""
    parts = (hand_text(state, seat), columns_text(state, seat), arrived_text(state, seat))
    return "hand {} | columns {} | arrived {}".format(*parts)


def position_text(state: Any) -> str:
    """Return a position as five lines, hidden things included."""
    phase = records.PHASES[int(state["phase"])]
    who = "over" if int(state["phase"]) == OVER else f"{SEATS[int(state['seat'])]}: {phase}"
    return "\n".join(
        [
            f"turn {int(state['turn'])}, {who}",
            *(f"{SEATS[seat]}: {seat_text(state, seat)}" for seat in range(2)),
            f"deck: {deck_text(state)}",
            f"discard: {discard_text(state)}",
        ]
    )


def happened(before: Any, after: Any) -> list[str]:
    """Return what one step between decisions brought: cards drawn or seen, discards shuffled, cards forgotten."""
    words = []
    if int(after["deck_size"]) > int(before["deck_size"]):
        words.append(f"the discards are shuffled; now in the deck: {deck_text(after)}")
    for seat, name in enumerate(SEATS):
        had, has = (Counter(_hand(state, seat)) for state in (before, after))
        new = " ".join(SHORT[piece] for piece in sorted((has - had).elements()))
        if new:
            drawn = int(before["todo"]) != records.TAKE_UNSEEN
            words.append(f"{name} {'draws' if drawn else 'finds'} {new}")
        forgotten = columns_text(after, seat).count("?") - columns_text(before, seat).count("?")
        if forgotten > 0 and int(before["n_columns"][seat]) == int(after["n_columns"][seat]):
            words.append(f"{name} forgets {forgotten} face-down card{'s' * (forgotten > 1)}")
    return words


def _hand(state: Any, seat: int) -> list[int]:
    return [int(card) - 1 for card in state["hand"][seat, : int(state["hand_size"][seat])]]


def action_text(action: int) -> str:
    """Return an action in words."""
    action = int(action)
    kind = action >> records.KIND_AT
    a, b = action >> records.FIRST_AT & records.PART_MASK, action & records.PART_MASK
    if kind == records.PLAY:
        return f"play {SHORT[a]} {'new' if b == records.NEW else f'on {b + 1}'}"
    if kind == records.SPLIT:
        return f"split {a + 1} after {b}"
    if kind == records.MERGE:
        return f"merge {a + 1} onto {b + 1}"
    if kind == records.MOVE:
        start, onto = divmod(b, records.PLACES)
        return f"move {a + 1} from {start + 1} {'new' if onto == records.NEW else f'onto {onto + 1}'}"
    if kind == records.STEAL:
        return f"{SHORT[a]} take {b + 1}"
    if kind == records.STEAL_PILE:
        return f"{SHORT[a]} take {SPECIES[b]} pile"
    if kind == records.WASTE:
        return f"{SHORT[a]} nothing"
    if kind == records.PASS_COLUMN:
        return f"discard column {a + 1}"
    if kind == records.DISCARD_CARD:
        return f"discard {SHORT[a]}"
    return {records.PASS_HAND: "discard hand", records.SHOW: "show", records.KEEP: "keep hidden"}[kind]


def kind_of(codes: Any) -> Any:
    """Return the kind of each action."""
    return (np.asarray(codes, dtype=np.int64) >> records.KIND_AT).astype(np.int16)


def piece_of(codes: Any) -> Any:
    """Return the piece that each action plays or discards, -1 for none."""
    codes = np.asarray(codes, dtype=np.int64)
    kinds = codes >> records.KIND_AT
    named = np.isin(kinds, records.WITH_CARD)
    return np.where(named, codes >> records.FIRST_AT & records.PART_MASK, -1).astype(np.int16)
