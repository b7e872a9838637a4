"""Columns: their cards, how they look to the test of what may be laid on them, and that test itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel
from sim.core.kinds import Count, Index, Mask, RulesRecord, Seat, StateRecord, Whether
from sim.core.rng import mix
from sim.games.migrato.rules.kinds import Card, Column
from sim.games.migrato.rules.lengths import may_fly
from sim.games.migrato.rules.state import (
    ALL_LOST,
    ANY_BIRDS,
    BIRDS_OF,
    BY_VISIBLE,
    CARD,
    CARD_MASK,
    CARD_WIDTH,
    DAY_ONLY,
    DAY_TEAL_1,
    DAY_TEAL_5,
    DOWN,
    FALLING,
    LOST,
    MIXED_ALLOWED,
    NIGHT_TEAL_4,
    NIGHTS,
    OF_SPECIES,
    ORDER_IGNORED,
    SPECIES_OF,
    TRUE_CARDS,
    UNKNOWN,
    equal_or_less,
)

_S12 = np.uint64(12)
may_follow = kernel(equal_or_less)


@kernel
def byte_at(column: Column, k: Index) -> Any:
    """Return the byte of the card number `k` (0: the oldest) of a column."""
    return (column >> (CARD_WIDTH * k)) & CARD_MASK


@kernel
def piece_in(byte: Card) -> Any:
    """Return the piece that a byte of a column stands for."""
    return (byte & CARD) - 1


@kernel
def look(rules: RulesRecord, cards: Any, n: Count) -> Any:
    """Return what the test of placing asks of `n` cards that lie together, as their owner is held to them.

    Returns
    -------
    (shown, kind, low, high)
        How many lie open; their species or UNKNOWN; the birds after which the next card must come; the birds that
        bind what they may be laid after.
    """
    shown = np.int64(0)
    kind = np.int64(UNKNOWN)
    low = np.int64(ANY_BIRDS)
    high = np.int64(0)
    byte = np.int64(0)
    for k in range(n):
        byte = (cards >> (CARD_WIDTH * k)) & CARD_MASK
        if (byte & DOWN) == 0:
            piece = byte - 1
            shown += 1
            kind = np.int64(SPECIES_OF[piece])
            low = min(low, np.int64(BIRDS_OF[piece]))
            high = max(high, np.int64(BIRDS_OF[piece]))
    first = cards & CARD_MASK
    if rules.hidden_check == TRUE_CARDS:
        kind = np.int64(SPECIES_OF[piece_in(byte)])
        low = np.int64(BIRDS_OF[piece_in(byte)])
        high = np.int64(BIRDS_OF[piece_in(first)])
    elif rules.hidden_order == ORDER_IGNORED:  # neighbours that both lie open are compared, nothing else
        low = np.int64(BIRDS_OF[piece_in(byte)]) if (byte & DOWN) == 0 else np.int64(ANY_BIRDS)
        high = np.int64(BIRDS_OF[piece_in(first)]) if (first & DOWN) == 0 else np.int64(0)
    return shown, kind, low, high


@kernel
def lay(rules: RulesRecord, state: StateRecord, seat: Seat, c: Index, column: Column, n: Count) -> None:
    """Make the cards `column` (how many: `n`) the column number `c`, and note what the test of placing asks for."""
    shown, kind, low, high = look(rules, column, n)
    state.column[seat, c] = column
    state.length[seat, c] = n
    state.shown[seat, c] = shown
    state.kind[seat, c] = kind
    state.low[seat, c] = low
    state.high[seat, c] = high
    state.last[seat, c] = byte_at(column, n - 1)
    state.open[seat, c] = what_fits(rules, column, np.int64(n), shown, kind, low)


# --- what may be laid on a column ----------------------------------------------------------------------------


@kernel
def never_with(cards: Any) -> Any:
    """The bans of what shares a column: cards (bits) that can never come right with `cards`.

    Kites and Bee-eaters fly by day alone, and what lies face down flies by night.
    """
    banned = np.int64(0)
    if (cards & NIGHTS) != 0:
        banned |= DAY_ONLY
    if (cards & DAY_ONLY) != 0:
        banned |= NIGHTS
    return banned


@kernel
def never_after(rules: RulesRecord, last: Any) -> Any:
    """The bans of the Teals: cards (bits) that can never come right next after the card `last` (a byte).

    The day Teal 5 and the night Teal 4 lie after no card (A5), and none after the day Teal 1 (A6).
    """
    banned = bit(DAY_TEAL_5)
    if rules.teal4_on_day5 == 0 or last != DAY_TEAL_5 + 1:
        banned |= bit(NIGHT_TEAL_4)
    if last == DAY_TEAL_1 + 1:
        banned = ~np.int64(NIGHTS) | banned if rules.night_on_teal1 != 0 else np.int64(-1)
    return banned


@kernel
def banned_next(rules: RulesRecord, last: Any, byte: Card) -> Whether:
    """Whether a card may not lie next after `last` (both bytes), face down or not: its owner knows it.

    One that he has forgotten may be any night card: whether it is banned must not tell him which.
    """
    may_be = np.int64(NIGHTS) if (byte & LOST) != 0 else bit(piece_in(byte))
    return (may_be & ~never_after(rules, last)) == 0


@kernel
def cards_in(column: Column, n: Count) -> Mask:
    """Return which cards a column has, as bits."""
    cards = np.int64(0)
    for k in range(n):
        cards |= bit(piece_in(byte_at(column, k)))
    return cards


@kernel
def what_fits(rules: RulesRecord, column: Column, n: Count, shown: Any, kind: Index, low: Count) -> Any:
    """Return the cards (bits) that may be played on a column, as far as their species has not arrived."""
    if n >= rules.max_column_length:
        return np.int64(0)
    fits = FALLING[low]
    if kind != UNKNOWN and rules.mixed != MIXED_ALLOWED:
        fits &= OF_SPECIES[kind]
    if shown == 0 and rules.day_on_hidden == 0:
        fits &= NIGHTS
    by_visible = rules.overlen_by == BY_VISIBLE and rules.hidden_check != TRUE_CARDS
    if by_visible and (
        shown == 0 or rules.mixed == MIXED_ALLOWED
    ):  # the last card would lie face down: no limit
        fits &= rules.play_to[n + 1] | NIGHTS
    else:
        fits &= rules.play_to[n + 1]
    if rules.deduction_bans != 0:
        fits &= ~(never_with(cards_in(column, n)) | never_after(rules, byte_at(column, n - 1)))
    return fits


@kernel
def part_fits(
    rules: RulesRecord, state: StateRecord, seat: Seat, c: Index, part: Column, size: Count, looked: Any
) -> Whether:
    """Whether the `size` cards `part` of another column may be laid on column `c`; `looked` is `look` of them."""
    shown, kind, _low, high = looked
    n = state.length[seat, c] + size
    if n > rules.max_column_length or not may_follow(high, state.low[seat, c]):
        return False
    mixed = rules.mixed == MIXED_ALLOWED
    there = np.int64(state.kind[seat, c])
    if kind != there and kind != UNKNOWN and there != UNKNOWN and not mixed:
        return False
    if shown > 0 and state.shown[seat, c] == 0 and rules.day_on_hidden == 0:
        return False
    if rules.deduction_bans != 0 and join_is_banned(rules, state, seat, c, part, size):
        return False
    species = kind if kind != UNKNOWN else there
    if mixed:
        last = byte_at(part, size - 1)
        species = np.int64(SPECIES_OF[piece_in(last)])
        if rules.hidden_check != TRUE_CARDS and (last & DOWN) != 0:  # its owner may have forgotten it
            return True
    return species == UNKNOWN or may_fly(rules, n, species)


@kernel
def join_is_banned(
    rules: RulesRecord, state: StateRecord, seat: Seat, c: Index, part: Column, size: Count
) -> Whether:
    """Whether the bans keep the cards `part` off column `c` (A4)."""
    there = cards_in(state.column[seat, c], state.length[seat, c])
    if (cards_in(part, size) & never_with(there)) != 0:
        return True
    return banned_next(rules, np.int64(state.last[seat, c]), part & CARD_MASK)


# --- columns as they come and go -----------------------------------------------------------------------------


@kernel
def clear_column(state: StateRecord, seat: Seat, c: Index) -> None:
    """Leave no trace of a column."""
    state.column[seat, c] = 0
    state.length[seat, c] = 0
    state.shown[seat, c] = 0
    state.kind[seat, c] = 0
    state.low[seat, c] = 0
    state.high[seat, c] = 0
    state.open[seat, c] = 0
    state.last[seat, c] = 0


@kernel
def remove_column(state: StateRecord, seat: Seat, c: Index) -> None:
    """Take a column away; later ones move down."""
    last = state.n_columns[seat] - 1
    for k in range(c, last):
        state.column[seat, k] = state.column[seat, k + 1]
        state.length[seat, k] = state.length[seat, k + 1]
        state.shown[seat, k] = state.shown[seat, k + 1]
        state.kind[seat, k] = state.kind[seat, k + 1]
        state.low[seat, k] = state.low[seat, k + 1]
        state.high[seat, k] = state.high[seat, k + 1]
        state.open[seat, k] = state.open[seat, k + 1]
        state.last[seat, k] = state.last[seat, k + 1]
    clear_column(state, seat, last)
    state.n_columns[seat] = last


@kernel
def first_cards(column: Column, k: Index) -> Any:
    """Return the first `k` cards of a column."""
    return column & ((np.int64(1) << (CARD_WIDTH * k)) - 1)


@kernel
def forgets_something(state: StateRecord, seat: Seat) -> Whether:
    """Whether `seat` has forgotten one of its own face-down cards."""
    found = np.int64(0)
    for c in range(state.n_columns[seat]):
        found |= state.column[seat, c]
    return (found & ALL_LOST) != 0


@kernel
def falls(column: Column, n: Count) -> Whether:
    """Whether no card shows more birds than the one before it."""
    for k in range(1, n):
        before = np.int64(BIRDS_OF[piece_in(byte_at(column, k - 1))])
        if not may_follow(np.int64(BIRDS_OF[piece_in(byte_at(column, k))]), before):
            return False
    return True


@kernel
def looks_like(column: Column, n: Count) -> Any:
    """Return a number for what both players see of a column: face-down cards are alike."""
    seen = np.int64(0)
    for k in range(n):
        byte = byte_at(column, k)
        seen |= (np.int64(DOWN) if (byte & DOWN) != 0 else byte) << (CARD_WIDTH * k)
    return np.int64(mix(np.uint64(seen)) >> _S12)


@kernel
def looks_of_all(state: StateRecord, seat: Seat) -> Any:
    """Return a number for all columns of a seat, in whatever order they lie."""
    total = np.int64(0)
    for c in range(state.n_columns[seat]):
        total += looks_like(state.column[seat, c], state.length[seat, c])
    return total
