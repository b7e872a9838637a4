"""What a seat cannot know, redrawn from what it can: `determinize`, which never reads a hidden card.

Known to a seat: its hand, the cards of its columns that it has not forgotten, all that lies open, arrived piles,
the discards (all of them, or the top one alone), and the cards that it knows the other to hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel, room
from sim.core.kinds import Count, Counts, Index, RulesRecord, Seat, StateRecord, Stream
from sim.core.rng import below
from sim.games.migrato.rules.columns import byte_at, falls, lay, piece_in
from sim.games.migrato.rules.dealing import forget_the_record
from sim.games.migrato.rules.kinds import Species
from sim.games.migrato.rules.lengths import may_fly
from sim.games.migrato.rules.state import (
    BRANT,
    CARD_WIDTH,
    DOWN,
    LOST,
    MOST_CARDS,
    MOST_LENGTH,
    N_NIGHTS_OF,
    N_PIECES,
    N_SPECIES,
    NIGHTS_OF,
    SPECIES_OF,
    STILT,
    TEAL,
    TOP_ONLY,
    UNKNOWN,
    State,
)

_TRIES = 8
_PLACES = 48
_WORDS = _PLACES // 8
assert _PLACES >= N_PIECES
assert MOST_CARDS < 128  # sums of cards fit into a byte


@implements("determinize", State)
def determinize(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Redraw the deck, the other's hand and face-down cards, and what this seat has forgotten.

    The rival's columns are drawn as a sensible player lays them where the cards allow (one species, no rise), else
    of any night cards. What a rival has forgotten is taken for remembered.
    """
    seat = np.int64(seat)
    other = 1 - seat
    left = room(N_PIECES)
    unseen(rules, state, seat, left)
    forget_the_record(state)
    if seat != state.seat:
        state.stolen = 0
        state.stolen_known = 0
    if state.taken != 0 and (seat == state.seat or (state.taken & LOST) != 0):
        state.taken = (draw_night(left, UNKNOWN, nights_left(left, UNKNOWN), stream) + 1) | DOWN
    for owner in (seat, other):
        hidden = np.int64(LOST if owner == seat else DOWN)
        for c in range(state.n_columns[owner]):
            redraw_column(rules, state, owner, np.int64(c), hidden, left, stream)
    upto = room(_WORDS).view(np.int8)
    n = count_up(left, upto)
    n = redraw_hand(state, other, upto, n, stream)
    for k in range(state.deck_size):
        state.deck[k] = draw_any(upto, n, stream) + 1
        n -= 1
    if rules.discard_memory == TOP_ONLY:
        for k in range(state.discard_size - 1):
            state.discard[k] = draw_any(upto, n, stream) + 1
            n -= 1
    for k in range(rules.left_out):
        state.apart[k] = draw_any(upto, n, stream) + 1
        n -= 1


@kernel
def unseen(rules: RulesRecord, state: StateRecord, seat: Seat, left: Counts) -> None:
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
def count_up(left: Counts, upto: Count) -> Any:
    """Write how many cards are left of each piece and those before it; return how many there are."""
    n = np.int64(0)
    for piece in range(N_PIECES):
        n += max(left[piece], np.int64(0))
        upto[piece] = n
    for place in range(N_PIECES, _PLACES):
        upto[place] = n
    return n


@kernel
def draw_any(upto: Count, n: Count, stream: Stream) -> Any:
    """Draw one of the `n` cards that are left, as `count_up` counts them.

    Every place is looked at, and none differently: the compiler does 32 at once.
    """
    pick = np.int8(below(stream, n))
    beyond = np.int8(0)
    for place in range(_PLACES):
        more = np.int8(upto[place] > pick)
        upto[place] = np.int8(upto[place] - more)
        beyond = np.int8(beyond + more)
    return np.int64(_PLACES) - beyond if n > 0 else np.int64(0)


@kernel
def nights_left(left: Counts, species: Species) -> Any:
    """How many night cards (of a species, or UNKNOWN: of any) are left."""
    total = np.int64(0)
    for k in range(N_NIGHTS_OF[species]):
        total += left[NIGHTS_OF[species, k]]
    return total


@kernel
def draw_night(left: Counts, species: Species, there: Any, stream: Stream) -> Any:
    """Draw one of the night cards that are left (`there`: how many), of a species or (UNKNOWN) of any."""
    pick = below(stream, there)
    for k in range(N_NIGHTS_OF[species]):
        piece = np.int64(NIGHTS_OF[species, k])
        pick -= left[piece]
        if pick < 0:
            left[piece] -= 1
            return piece
    return np.int64(0)


@kernel
def redraw_hand(state: StateRecord, other: Seat, upto: Count, n: Count, stream: Stream) -> Any:
    """Redraw the cards of a rival's hand that this seat does not know, sort it, and return how many of `n` are left."""
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
            state.hand[other, k] = draw_any(upto, n, stream) + 1
            n -= 1
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
    return n


@kernel
def swap(state: StateRecord, seat: Seat, j: Any) -> None:
    """Exchange a card of a hand with the one before it."""
    card = state.hand[seat, j]
    star = state.star[seat, j]
    state.hand[seat, j] = state.hand[seat, j - 1]
    state.star[seat, j] = state.star[seat, j - 1]
    state.hand[seat, j - 1] = card
    state.star[seat, j - 1] = star


@kernel
def redraw_column(
    rules: RulesRecord, state: StateRecord, owner: Seat, c: Index, hidden: Any, left: Counts, stream: Stream
) -> None:
    """Redraw the cards of a column whose byte has `hidden` (DOWN or LOST) set."""
    n = np.int64(state.length[owner, c])
    column = state.column[owner, c]
    known = np.int64(0)
    unknown = 0
    for k in range(n):
        byte = byte_at(column, k)
        if (byte & hidden) == 0:
            known |= byte << (CARD_WIDTH * k)
        else:
            unknown += 1
    if unknown == 0:
        return
    mark = np.int64(DOWN | LOST) if hidden == LOST else np.int64(DOWN)
    species = likely_species(rules, state, owner, known, n, unknown, left, stream)
    drawn = room(MOST_LENGTH)
    there = nights_left(left, species)
    for _attempt in range(_TRIES):
        if species == UNKNOWN:
            break
        for k in range(unknown):  # pieces of one species go up with their birds: laid from the highest
            sort_in(drawn, k, draw_night(left, species, there - k, stream))
        found = known
        j = unknown
        for k in range(n):
            if byte_at(known, k) == 0:
                j -= 1
                found |= ((drawn[j] + 1) | mark) << (CARD_WIDTH * k)
        if falls(found, n):
            lay(rules, state, owner, c, found, n)
            return
        for k in range(unknown):
            left[drawn[k]] += 1
    found = known
    there = nights_left(left, UNKNOWN)
    for k in range(n):
        if byte_at(known, k) == 0:
            found |= ((draw_night(left, UNKNOWN, there, stream) + 1) | mark) << (CARD_WIDTH * k)
            there -= 1
    lay(rules, state, owner, c, found, n)


@kernel
def sort_in(numbers: Any, n: Count, number: Any) -> None:
    """Add a number to `n` that go up."""
    while n > 0 and numbers[n - 1] > number:
        numbers[n] = numbers[n - 1]
        n -= 1
    numbers[n] = number


@kernel
def likely_species(
    rules: RulesRecord,
    state: StateRecord,
    owner: Seat,
    known: Any,
    n: Count,
    unknown: Any,
    left: Counts,
    stream: Stream,
) -> Any:
    """Draw the species of a column from the cards known in it and the night cards left; UNKNOWN if none fits."""
    for k in range(n):
        byte = byte_at(known, k)
        if byte != 0:
            known_species = np.int64(SPECIES_OF[piece_in(byte)])
            return known_species if nights_left(left, known_species) >= unknown else np.int64(UNKNOWN)
    brants = weight_of(rules, state, owner, BRANT, n, unknown, left)
    stilts = weight_of(rules, state, owner, STILT, n, unknown, left)
    teals = weight_of(rules, state, owner, TEAL, n, unknown, left)
    if brants + stilts + teals == 0:
        return np.int64(UNKNOWN)
    pick = below(stream, brants + stilts + teals)
    if pick < brants:
        return np.int64(BRANT)
    return np.int64(STILT if pick < brants + stilts else TEAL)


@kernel
def weight_of(
    rules: RulesRecord,
    state: StateRecord,
    owner: Seat,
    species: Species,
    n: Count,
    unknown: Any,
    left: Counts,
) -> Any:
    """How likely a column that lies all face down is of a species: by the cards that are left of it."""
    there = nights_left(left, species)
    if there < unknown or state.pile_size[owner, species] > 0:
        return np.int64(0)
    if not may_fly(rules, n, species):
        return np.int64(0)
    return there
