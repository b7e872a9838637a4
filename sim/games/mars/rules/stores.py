"""Cards, the treasury, kept events and the deck: nothing is made or lost here."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Count, Index, Piece, RulesRecord, Seat, StateRecord, Whether
from sim.games.mars.rules.params import STRUCTURES
from sim.games.mars.rules.state import (
    E12,
    KEPT_12,
    N_CARDS,
    NOTHING_DUE,
    OLY,
    RCU,
)

_CARD_PIECE = len(STRUCTURES)
_EVENT_PIECE = _CARD_PIECE + N_CARDS
_RING = 127


@kernel
def note_first(state: StateRecord, seat: Seat, piece: Piece) -> None:
    """Remember in which own turn a piece first came into play."""
    if state.first_turn[seat, piece] < 0:
        state.first_turn[seat, piece] = state.turns_taken[seat]


@kernel
def there(state: StateRecord, kind: Index) -> Whether:
    """Return whether the treasury has a card of `kind`."""
    return state.bank[kind] != 0


@kernel
def gain(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, n: Count) -> Any:
    """Give `n` cards from the treasury, or what it has (or then nothing: R10), and return how many."""
    if state.bank[kind] >= 0:
        if state.bank[kind] < n:
            n = np.int64(0) if rules.short_treasury == NOTHING_DUE else np.int64(state.bank[kind])
        state.bank[kind] -= n
    if n <= 0:
        return np.int64(0)
    state.cards[seat, kind] += n
    state.gained[seat, kind] += n
    note_first(state, seat, _CARD_PIECE + kind)
    if kind == RCU:
        settle_debt(state, seat)
    return n


@kernel
def give_back(state: StateRecord, seat: Seat, kind: Index, n: Count) -> None:
    """Return `n` cards to the treasury."""
    state.cards[seat, kind] -= n
    state.spent[seat, kind] += n
    if state.bank[kind] >= 0:
        state.bank[kind] += n


@kernel
def settle_debt(state: StateRecord, seat: Seat) -> None:
    """Pay event 12 as soon as there is an R.C.U. for it (R81)."""
    while state.kept[seat, KEPT_12] > 0 and state.cards[seat, RCU] > 0:
        give_back(state, seat, np.int64(RCU), np.int64(1))
        state.kept[seat, KEPT_12] -= 1
        to_bottom(state, np.int64(E12))


@kernel
def pay_price(state: StateRecord, seat: Seat, price: Count) -> None:
    """Pay Metal, Water and Stone with plain cards, and with Olympium what is missing."""
    for k in range(3):
        n = min(np.int64(price[k]), np.int64(state.cards[seat, k]))
        if n > 0:
            give_back(state, seat, np.int64(k), n)
        if price[k] > n:
            give_back(state, seat, np.int64(OLY), np.int64(price[k]) - n)


@kernel
def to_bottom(state: StateRecord, kind: Index) -> None:
    """Put an event card to the bottom of the deck, where everybody sees it."""
    state.deck[(state.top + state.deck_size) & _RING] = kind
    state.deck_size += 1
    state.seen += 1


@kernel
def draw_card(state: StateRecord, seat: Seat) -> Any:
    """Take the next event card for the seat (its dealt one first) and return its kind; -1 without one."""
    if state.dealt[seat] >= 0:
        kind = np.int64(state.dealt[seat])
        state.dealt[seat] = -1
    else:
        if state.deck_size == 0:
            return np.int64(-1)
        kind = np.int64(state.deck[state.top])
        state.top = (state.top + 1) & _RING
        state.deck_size -= 1
        state.seen = min(state.seen, state.deck_size)
    state.drawn[seat, kind] += 1
    note_first(state, seat, _EVENT_PIECE + kind)
    return kind
