"""What a seat cannot know, redrawn from what it can: `determinize`, which never reads a hidden card.

Known to a seat: its hand, the cards of its columns that it has not forgotten, all that lies open, arrived piles,
the discards (all of them, or the top one alone), and the cards that it knows the other to hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel
from sim.core.rng import below
from sim.games.migrato.rules.columns import byte_at, falls, lay, piece_in
from sim.games.migrato.rules.dealing import forget_the_record
from sim.games.migrato.rules.lengths import may_fly
from sim.games.migrato.rules.state import (
    BRANT,
    DOWN,
    LOST,
    N_BIRDS,
    N_PIECES,
    N_SPECIES,
    NIGHT_OF,
    SPECIES_OF,
    STILT,
    TEAL,
    TOP_ONLY,
    UNKNOWN,
    State,
)

_TRIES = 8


@implements("determinize", State)
def determinize(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    """Redraw the deck, the other's hand and face-down cards, and what this seat has forgotten.

    The rival's columns are drawn as a sensible player lays them where the cards allow (one species, no rise), else
    of any night cards. What a rival has forgotten is taken for remembered.
    """
    seat = np.int64(seat)
    other = 1 - seat
    left = np.empty(N_PIECES, dtype=np.int64)
    unseen(rules, state, seat, left)
    forget_the_record(state)
    if seat != state.seat:
        state.stolen = 0
        state.stolen_known = 0
    if state.taken != 0 and (seat == state.seat or (state.taken & LOST) != 0):
        state.taken = (draw_night(left, UNKNOWN, stream) + 1) | DOWN
    for owner in (seat, other):
        hidden = np.int64(LOST if owner == seat else DOWN)
        for c in range(state.n_columns[owner]):
            redraw_column(rules, state, owner, np.int64(c), hidden, left, stream)
    redraw_hand(state, other, left, stream)
    for k in range(state.deck_size):
        state.deck[k] = draw_any(left, stream) + 1
    if rules.discard_memory == TOP_ONLY:
        for k in range(state.discard_size - 1):
            state.discard[k] = draw_any(left, stream) + 1
    for k in range(rules.left_out):
        state.apart[k] = draw_any(left, stream) + 1


@kernel
def unseen(rules: Any, state: Any, seat: Any, left: Any) -> None:
    """Write how many copies of each card this seat cannot place."""
    other = 1 - seat
    for piece in range(N_PIECES):
        left[piece] = rules.copies[piece]
    for k in range(state.hand_size[seat]):
        left[state.hand[seat, k] - 1] -= 1
    for k in range(state.hand_size[other]):
        if state.star[other, k] != 0:
            left[state.hand[other, k] - 1] -= 1
    for owner in (seat, other):
        hidden = np.int64(LOST if owner == seat else DOWN)
        for c in range(state.n_columns[owner]):
            for k in range(state.length[owner, c]):
                byte = byte_at(state.column[owner, c], k)
                if (byte & hidden) == 0:
                    left[piece_in(byte)] -= 1
        for species in range(N_SPECIES):
            for k in range(state.pile_size[owner, species]):
                left[state.pile[owner, species, k] - 1] -= 1
    if state.taken != 0 and seat != state.seat and (state.taken & LOST) == 0:
        left[piece_in(np.int64(state.taken))] -= 1
    first = state.discard_size - 1 if rules.discard_memory == TOP_ONLY else 0
    for k in range(max(first, 0), state.discard_size):
        left[state.discard[k] - 1] -= 1


@kernel
def draw_any(left: Any, stream: Any) -> Any:
    """Draw one of the cards that are left."""
    total = np.int64(0)
    for piece in range(N_PIECES):
        total += left[piece]
    pick = below(stream, total)
    for piece in range(N_PIECES):
        pick -= left[piece]
        if pick < 0:
            left[piece] -= 1
            return np.int64(piece)
    return np.int64(0)


@kernel
def nights_left(left: Any, species: Any) -> Any:
    """How many night cards (of a species, or UNKNOWN: of any) are left."""
    total = np.int64(0)
    for piece in range(N_BIRDS):
        if NIGHT_OF[piece] and (species == UNKNOWN or SPECIES_OF[piece] == species):
            total += left[piece]
    return total


@kernel
def draw_night(left: Any, species: Any, stream: Any) -> Any:
    """Draw one of the night cards that are left, of a species or (UNKNOWN) of any."""
    pick = below(stream, nights_left(left, species))
    for piece in range(N_BIRDS):
        if NIGHT_OF[piece] and (species == UNKNOWN or SPECIES_OF[piece] == species):
            pick -= left[piece]
            if pick < 0:
                left[piece] -= 1
                return np.int64(piece)
    return np.int64(0)


@kernel
def redraw_hand(state: Any, other: Any, left: Any, stream: Any) -> None:
    """Redraw the cards of a rival's hand that this seat does not know, and sort the hand again."""
    size = np.int64(state.hand_size[other])
    for k in range(size):
        if state.star[other, k] == 0:
            state.hand[other, k] = 127
    for k in range(1, size):  # known cards first, so that nothing is left of the old order
        j = k
        while j > 0 and state.hand[other, j - 1] > state.hand[other, j]:
            swap(state, other, j)
            j -= 1
    for k in range(size):
        if state.star[other, k] == 0:
            state.hand[other, k] = draw_any(left, stream) + 1
    for k in range(1, size):
        j = k
        while j > 0 and (
            state.hand[other, j - 1] > state.hand[other, j]
            or (
                state.hand[other, j - 1] == state.hand[other, j]
                and state.star[other, j - 1] > state.star[other, j]
            )
        ):
            swap(state, other, j)
            j -= 1


@kernel
def swap(state: Any, seat: Any, j: Any) -> None:
    """Exchange a card of a hand with the one before it."""
    card = state.hand[seat, j]
    star = state.star[seat, j]
    state.hand[seat, j] = state.hand[seat, j - 1]
    state.star[seat, j] = state.star[seat, j - 1]
    state.hand[seat, j - 1] = card
    state.star[seat, j - 1] = star


@kernel
def redraw_column(rules: Any, state: Any, owner: Any, c: Any, hidden: Any, left: Any, stream: Any) -> None:
    """Redraw the cards of a column whose byte has `hidden` (DOWN or LOST) set."""
    n = np.int64(state.length[owner, c])
    column = state.column[owner, c]
    known = np.int64(0)
    unknown = 0
    for k in range(n):
        byte = byte_at(column, k)
        if (byte & hidden) == 0:
            known |= byte << (8 * k)
        else:
            unknown += 1
    if unknown == 0:
        return
    mark = np.int64(DOWN | LOST) if hidden == LOST else np.int64(DOWN)
    species = likely_species(rules, state, owner, known, n, unknown, left, stream)
    drawn = np.empty(n, dtype=np.int64)
    for _attempt in range(_TRIES):
        if species == UNKNOWN:
            break
        for k in range(unknown):
            drawn[k] = draw_night(left, species, stream)
        drawn[:unknown].sort()  # pieces of one species go up with their birds: laid from the highest
        found = known
        j = unknown
        for k in range(n):
            if byte_at(known, k) == 0:
                j -= 1
                found |= ((drawn[j] + 1) | mark) << (8 * k)
        if falls(found, n):
            lay(rules, state, owner, c, found, n)
            return
        for k in range(unknown):
            left[drawn[k]] += 1
    found = known
    for k in range(n):
        if byte_at(known, k) == 0:
            found |= ((draw_night(left, UNKNOWN, stream) + 1) | mark) << (8 * k)
    lay(rules, state, owner, c, found, n)


@kernel
def likely_species(
    rules: Any, state: Any, owner: Any, known: Any, n: Any, unknown: Any, left: Any, stream: Any
) -> Any:
    """Draw the species of a column from the cards known in it and the night cards left; UNKNOWN if none fits."""
    for k in range(n):
        byte = byte_at(known, k)
        if byte != 0:
            known_species = np.int64(SPECIES_OF[piece_in(byte)])
            return known_species if nights_left(left, known_species) >= unknown else np.int64(UNKNOWN)
    total = np.int64(0)
    for species in (BRANT, STILT, TEAL):
        total += weight_of(rules, state, owner, species, n, unknown, left)
    if total == 0:
        return np.int64(UNKNOWN)
    pick = below(stream, total)
    for species in (BRANT, STILT, TEAL):
        pick -= weight_of(rules, state, owner, species, n, unknown, left)
        if pick < 0:
            return np.int64(species)
    return np.int64(UNKNOWN)


@kernel
def weight_of(rules: Any, state: Any, owner: Any, species: Any, n: Any, unknown: Any, left: Any) -> Any:
    """How likely a column that lies all face down is of a species: by the cards that are left of it."""
    there = nights_left(left, species)
    if there < unknown or state.pile_size[owner, species] > 0:
        return np.int64(0)
    if not may_fly(rules, n, species):
        return np.int64(0)
    return there
