"""Cards on their way: hands, the discard pile, the deck."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Count, Piece, RulesRecord, Seat, StateRecord, Stream
from sim.core.rng import below
from sim.games.migrato.rules.columns import byte_at, piece_in
from sim.games.migrato.rules.kinds import Column
from sim.games.migrato.rules.state import NIGHT_OF, WHEN_EMPTY


@kernel
def take_in_hand(state: StateRecord, seat: Seat, piece: Piece, known: Any) -> None:
    """Put a card into a hand, which stays sorted (of equal cards those that the other player knows come last)."""
    card = piece + 1
    k = np.int64(state.hand_size[seat])
    while k > 0 and (
        state.hand[seat, k - 1] > card
        or (state.hand[seat, k - 1] == card and state.star[seat, k - 1] > known)
    ):
        state.hand[seat, k] = state.hand[seat, k - 1]
        state.star[seat, k] = state.star[seat, k - 1]
        k -= 1
    state.hand[seat, k] = card
    state.star[seat, k] = known
    state.hand_size[seat] += 1
    state.held[seat, piece] += 1


@kernel
def leave_hand(state: StateRecord, seat: Seat, piece: Piece, known_last: Any) -> None:
    """Take a card out of a hand: of equal ones the one that the other player knows, or (`known_last`) another."""
    size = np.int64(state.hand_size[seat])
    k = size - 1
    while state.hand[seat, k] != piece + 1:
        k -= 1
    while known_last and k > 0 and state.hand[seat, k - 1] == piece + 1:
        k -= 1
    for j in range(k, size - 1):
        state.hand[seat, j] = state.hand[seat, j + 1]
        state.star[seat, j] = state.star[seat, j + 1]
    state.hand[seat, size - 1] = 0
    state.star[seat, size - 1] = 0
    state.hand_size[seat] = size - 1


@kernel
def hide_nights(state: StateRecord, seat: Seat) -> None:
    """After a card was laid face down nobody can tell which night cards are still in that hand."""
    for k in range(state.hand_size[seat]):
        if NIGHT_OF[state.hand[seat, k] - 1]:
            state.star[seat, k] = 0


@kernel
def discard(state: StateRecord, piece: Piece) -> None:
    """Lay a card on the discard pile, face up."""
    state.discard[state.discard_size] = piece + 1
    state.discard_size += 1


@kernel
def discard_cards(state: StateRecord, seat: Seat, column: Column, n: Count, by_choice: Any) -> None:
    """Lay all cards of a column on the discard pile, oldest first."""
    for k in range(n):
        piece = piece_in(byte_at(column, k))
        state.discard[state.discard_size] = piece + 1
        state.discard_size += 1
        if by_choice:
            state.discarded[seat, piece] += 1
        else:
            state.lost[seat, piece] += 1


@kernel
def rebuild(state: StateRecord, stream: Stream) -> None:
    """Shuffle the discards into a new deck."""
    n = np.int64(state.discard_size)
    for k in range(n):
        j = below(stream, k + 1)
        state.deck[k] = state.deck[j]
        state.deck[j] = state.discard[k]
        state.discard[k] = 0
    state.deck_size = n
    state.discard_size = 0


@kernel
def fill_hand(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Draw until the hand is full; return whether the discards must first become a new deck."""
    while state.hand_size[seat] < rules.hand_size:
        if state.deck_size == 0:
            return state.discard_size > 0
        top = state.deck_size - 1
        piece = np.int64(state.deck[top]) - 1
        state.deck[top] = 0
        state.deck_size = top
        take_in_hand(state, seat, piece, 0)
        if top == 0 and rules.rebuild == WHEN_EMPTY:
            return state.discard_size > 0
    return False
