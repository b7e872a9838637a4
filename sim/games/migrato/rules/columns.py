"""Columns: their cards, how they look to the test of what may be laid on them, and that test itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel
from sim.core.rng import mix
from sim.games.migrato.rules.state import (
    ALL_LOST,
    BEE_EATER,
    BIRDS_OF,
    BY_VISIBLE,
    CARD,
    DAY_TEAL_1,
    DAY_TEAL_5,
    DOWN,
    KITE,
    MIXED_ALLOWED,
    NIGHT_OF,
    NIGHT_TEAL_4,
    ORDER_IGNORED,
    OVERLEN_FORBIDDEN,
    SPECIES_OF,
    STILT,
    STILTS_ANY,
    STILTS_MOVE,
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
    kind = UNKNOWN
    low = ANY_BIRDS
    byte = np.int64(0)
    for k in range(n):
        byte = byte_at(column, k)
        if (byte & DOWN) == 0:
            piece = piece_in(byte)
            shown += 1
            kind = np.int64(SPECIES_OF[piece])
            low = min(low, np.int64(BIRDS_OF[piece]))
    last = piece_in(byte)
    if rules.hidden_check == TRUE_CARDS:
        kind = np.int64(SPECIES_OF[last])
        low = np.int64(BIRDS_OF[last])
    elif rules.hidden_order == ORDER_IGNORED:
        low = np.int64(BIRDS_OF[last]) if (byte & DOWN) == 0 else ANY_BIRDS
    state.column[seat, c] = column
    state.length[seat, c] = n
    state.shown[seat, c] = shown
    state.kind[seat, c] = kind
    state.low[seat, c] = low
    state.last[seat, c] = byte


@kernel
def clear_column(state: Any, seat: Any, c: Any) -> None:
    """Leave no trace of a column."""
    state.column[seat, c] = 0
    state.length[seat, c] = 0
    state.shown[seat, c] = 0
    state.kind[seat, c] = 0
    state.low[seat, c] = 0
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
    if n == rules.objective[species]:
        return True
    if species != STILT or n != 5 or rules.objective[STILT] > 5:
        return False
    return rules.five_stilts == STILTS_ANY or (rules.five_stilts == STILTS_MOVE and by_move)


@kernel
def too_long(rules: Any, n: Any, species: Any, by_move: Any) -> Any:
    """Whether a column of `n` cards is longer than `species` may fly."""
    if rules.overlen != OVERLEN_FORBIDDEN or n <= rules.objective[species]:
        return False
    return not complete(rules, n, species, by_move)


@kernel
def card_fits(rules: Any, state: Any, seat: Any, c: Any, piece: Any) -> Any:
    """Whether a bird card from the hand may be laid on column `c` (its species has not arrived)."""
    n = state.length[seat, c] + 1
    birds = np.int64(BIRDS_OF[piece])
    if birds > state.low[seat, c] or n > rules.max_column_length:
        return False
    species = np.int64(SPECIES_OF[piece])
    kind = state.kind[seat, c]
    mixed = rules.mixed == MIXED_ALLOWED
    if kind != UNKNOWN and kind != species and not mixed:
        return False
    night = NIGHT_OF[piece]
    shown = state.shown[seat, c]
    if rules.day_on_hidden == 0 and not night and shown == 0:
        return False
    if rules.deduction_bans != 0:
        if (species == KITE or species == BEE_EATER) and shown < n - 1:
            return False
        if mixed and night and day_only(state.column[seat, c], n - 1):
            return False
        last = state.last[seat, c]
        if last == DAY_TEAL_1 + 1 and not (night and rules.night_on_teal1 != 0):
            return False
        if piece == DAY_TEAL_5:
            return False
        if piece == NIGHT_TEAL_4 and not (rules.teal4_on_day5 != 0 and last == DAY_TEAL_5 + 1):
            return False
    if rules.overlen_by == BY_VISIBLE and rules.hidden_check != TRUE_CARDS and night and shown == 0:
        return True
    return not too_long(rules, n, species, False)


@kernel
def part_fits(rules: Any, state: Any, seat: Any, c: Any, part: Any, size: Any) -> Any:
    """Whether the cards `part` (how many: `size`), taken from another column, may be laid on column `c`."""
    n = state.length[seat, c] + size
    if n > rules.max_column_length:
        return False
    true_cards = rules.hidden_check == TRUE_CARDS
    shown = 0
    kind = UNKNOWN
    high = 0
    byte = np.int64(0)
    for k in range(size):
        byte = byte_at(part, k)
        if (byte & DOWN) == 0:
            piece = piece_in(byte)
            shown += 1
            kind = np.int64(SPECIES_OF[piece])
            high = max(high, np.int64(BIRDS_OF[piece]))
    first = byte_at(part, 0)
    last_species = np.int64(SPECIES_OF[piece_in(byte)])
    if true_cards:
        kind = last_species
        high = np.int64(BIRDS_OF[piece_in(first)])
    elif rules.hidden_order == ORDER_IGNORED:  # neighbours that both lie open are compared, nothing else
        high = np.int64(BIRDS_OF[piece_in(first)]) if (first & DOWN) == 0 else 0
    if high > state.low[seat, c]:
        return False
    mixed = rules.mixed == MIXED_ALLOWED
    there = state.kind[seat, c]
    if kind != UNKNOWN and there != UNKNOWN and kind != there and not mixed:
        return False
    shown_there = state.shown[seat, c]
    if rules.day_on_hidden == 0 and shown > 0 and shown_there == 0:
        return False
    if rules.deduction_bans != 0:
        hidden = shown + shown_there < n
        if hidden and (day_only(state.column[seat, c], state.length[seat, c]) or day_only(part, size)):
            return False
        if first == DAY_TEAL_5 + 1:
            return False
        if state.last[seat, c] == DAY_TEAL_1 + 1 and not ((first & DOWN) != 0 and rules.night_on_teal1 != 0):
            return False
    species = kind if kind != UNKNOWN else there
    if mixed:
        species = last_species
        if not true_cards and (byte & DOWN) != 0:  # its owner may have forgotten it
            species = UNKNOWN
    return species == UNKNOWN or not too_long(rules, n, species, True)


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
