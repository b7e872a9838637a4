"""Columns: their cards, how they look to the test of what may be laid on them, and that test itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.rng import mix
from sim.games.migrato.rules.state import (
    ALL_LOST,
    AT_MOST,
    BEE_EATER,
    BIRDS_OF,
    BY_VISIBLE,
    CARD,
    DAY_ONLY,
    DAY_TEAL_1,
    DAY_TEAL_5,
    DOWN,
    KITE,
    MIXED_ALLOWED,
    NIGHT_TEAL_4,
    NIGHTS,
    OF_SPECIES,
    ORDER_IGNORED,
    SPECIES_OF,
    TRUE_CARDS,
    UNKNOWN,
)

_S12 = np.uint64(12)
ANY_BIRDS = 9
"""More birds than any card shows: nothing bounds what may follow."""


@kernel
def byte_at(column: Any, k: Any) -> Any:
    """Return the byte of the card number `k` (0: the oldest) of a column."""
    return (column >> (8 * k)) & 0xFF


@kernel
def piece_in(byte: Any) -> Any:
    """Return the piece that a byte of a column stands for."""
    return (byte & CARD) - 1


@kernel
def lay(rules: Any, state: Any, seat: Any, c: Any, column: Any, n: Any) -> None:
    """Make the cards `column` (how many: `n`) the column number `c`, and note what the test of placing asks for."""
    shown = 0
    kind: Any = UNKNOWN
    low: Any = ANY_BIRDS
    high: Any = 0
    byte = np.int64(0)
    for k in range(n):
        byte = (column >> (8 * k)) & 0xFF
        if (byte & DOWN) == 0:
            piece = byte - 1
            shown += 1
            kind = np.int64(SPECIES_OF[piece])
            low = min(low, np.int64(BIRDS_OF[piece]))
            high = max(high, np.int64(BIRDS_OF[piece]))
    last = (byte & CARD) - 1
    if rules.hidden_check == TRUE_CARDS:
        kind = np.int64(SPECIES_OF[last])
        low = np.int64(BIRDS_OF[last])
        high = np.int64(BIRDS_OF[(column & CARD) - 1])
    elif rules.hidden_order == ORDER_IGNORED:
        low = np.int64(BIRDS_OF[last]) if (byte & DOWN) == 0 else ANY_BIRDS
        high = first_birds(rules, column, high)
    state.column[seat, c] = column
    state.length[seat, c] = n
    state.shown[seat, c] = shown
    state.kind[seat, c] = kind
    state.low[seat, c] = low
    state.high[seat, c] = high
    state.last[seat, c] = byte
    state.open[seat, c] = what_fits(rules, column, np.int64(n), shown, kind, low, byte)


@kernel
def first_birds(rules: Any, part: Any, highest: Any) -> Any:
    """Return the birds that bind the first card of a part laid elsewhere (`highest`: the highest visible ones)."""
    first = part & 0xFF
    if rules.hidden_check == TRUE_CARDS:
        return np.int64(BIRDS_OF[piece_in(first)])
    if rules.hidden_order == ORDER_IGNORED:  # neighbours that both lie open are compared, nothing else
        return np.int64(BIRDS_OF[piece_in(first)]) if (first & DOWN) == 0 else np.int64(0)
    return np.int64(highest)


@kernel
def what_fits(rules: Any, column: Any, n: Any, shown: Any, kind: Any, low: Any, last: Any) -> Any:
    """Return the cards (bits) that may be laid on a column, as far as their species has not arrived."""
    if n >= rules.max_column_length:
        return np.int64(0)
    fits = AT_MOST[low]
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
        return not_banned(rules, column, n, shown, last, fits)
    return fits


@kernel
def not_banned(rules: Any, column: Any, n: Any, shown: Any, last: Any, fits: Any) -> Any:
    """Return those of the cards `fits` that can come right: Kite and Bee-eater never with night cards, the Teals."""
    if shown < n:
        fits &= ~DAY_ONLY
    if rules.mixed == MIXED_ALLOWED and day_only(column, n):
        fits &= ~NIGHTS
    if last == DAY_TEAL_1 + 1:
        fits &= NIGHTS if rules.night_on_teal1 != 0 else 0
    fits &= ~(1 << DAY_TEAL_5)
    if not (rules.teal4_on_day5 != 0 and last == DAY_TEAL_5 + 1):
        fits &= ~(1 << NIGHT_TEAL_4)
    return fits


@kernel
def clear_column(state: Any, seat: Any, c: Any) -> None:
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
def remove_column(state: Any, seat: Any, c: Any) -> None:
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
def first_cards(column: Any, k: Any) -> Any:
    """Return the first `k` cards of a column."""
    return column & ((np.int64(1) << (8 * k)) - 1)


@kernel
def forgets_something(state: Any, seat: Any) -> Any:
    """Whether `seat` has forgotten one of its own face-down cards."""
    found = np.int64(0)
    for c in range(state.n_columns[seat]):
        found |= state.column[seat, c]
    return (found & ALL_LOST) != 0


@kernel
def complete(rules: Any, n: Any, species: Any, by_move: Any) -> Any:
    """Whether `n` cards are what `species` needs to arrive; five Stilts too where the rules say so."""
    return (rules.full[1 if by_move else 0, n] >> species) & 1 != 0


@kernel
def part_fits(
    rules: Any,
    state: Any,
    seat: Any,
    c: Any,
    part: Any,
    size: Any,
    shown: Any,
    kind: Any,
    high: Any,
    last: Any,
) -> Any:
    """Whether the cards `part`, taken from another column, may be laid on column `c`.

    Parameters
    ----------
    size, shown
        How many they are, and how many of them lie open.
    kind, high
        Their species or UNKNOWN, and what binds the first of them, as `lay` notes it.
    last
        The byte of the last of them.
    """
    n = state.length[seat, c] + size
    if n > rules.max_column_length or high > state.low[seat, c]:
        return False
    mixed = rules.mixed == MIXED_ALLOWED
    there = state.kind[seat, c]
    if kind != there and kind != UNKNOWN and there != UNKNOWN and not mixed:
        return False
    shown_there = state.shown[seat, c]
    if shown > 0 and shown_there == 0 and rules.day_on_hidden == 0:
        return False
    if rules.deduction_bans != 0:
        if shown + shown_there < n and (
            day_only(state.column[seat, c], state.length[seat, c]) or day_only(part, size)
        ):
            return False
        first = part & 0xFF
        if first == DAY_TEAL_5 + 1:
            return False
        known_teal_4 = rules.hidden_check == TRUE_CARDS and (first & CARD) == NIGHT_TEAL_4 + 1
        if known_teal_4 and not (rules.teal4_on_day5 != 0 and state.last[seat, c] == DAY_TEAL_5 + 1):
            return False
        if state.last[seat, c] == DAY_TEAL_1 + 1 and not ((first & DOWN) != 0 and rules.night_on_teal1 != 0):
            return False
    species = kind if kind != UNKNOWN else there
    if mixed:
        species = np.int64(SPECIES_OF[piece_in(last)])
        if rules.hidden_check != TRUE_CARDS and (last & DOWN) != 0:  # its owner may have forgotten it
            return True
    return species == UNKNOWN or (rules.move_to[n] >> species) & 1 != 0


@kernel
def day_only(column: Any, n: Any) -> Any:
    """Whether some cards show a species that only flies by day."""
    for k in range(n):
        byte = byte_at(column, k)
        if (byte & DOWN) == 0:
            species = SPECIES_OF[piece_in(byte)]
            if species == KITE or species == BEE_EATER:
                return True
    return False


@kernel
def looks_like(column: Any, n: Any) -> Any:
    """Return a number for what both players see of a column: face-down cards are alike."""
    seen = np.int64(0)
    for k in range(n):
        byte = byte_at(column, k)
        seen |= (np.int64(DOWN) if (byte & DOWN) != 0 else byte) << (8 * k)
    return np.int64(mix(np.uint64(seen)) >> _S12)


@kernel
def looks_of_all(state: Any, seat: Any) -> Any:
    """Return a number for all columns of a seat, in whatever order they lie."""
    total = np.int64(0)
    for c in range(state.n_columns[seat]):
        total += looks_like(state.column[seat, c], state.length[seat, c])
    return total
