"""What may be done: the legal actions of every phase."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, implements, kernel, lowest
from sim.core.kinds import Actions, Count, Index, Mask, Piece, RulesRecord, Seat, StateRecord, Whether
from sim.games.migrato.rules.columns import (
    byte_at,
    first_cards,
    look,
    looks_like,
    looks_of_all,
    part_fits,
)
from sim.games.migrato.rules.state import (
    ACTION,
    BIRDS_ONLY,
    CARD_WIDTH,
    DISCARD,
    DISCARD_CARD,
    DOWN,
    FIRST_AT,
    HABITAT,
    HUNTER,
    KEEP,
    KIND_AT,
    LIGHT,
    MERGE,
    MOVE,
    N_BIRDS,
    N_SPECIES,
    NEW,
    NIGHT_OF,
    NOTHING_TO_TAKE,
    OPTIONAL,
    PASS_COLUMN,
    PASS_HAND,
    PILE_ANY,
    PLACES,
    PLAY,
    PROTECTED,
    REACH_PHASE,
    SHOW,
    SPECIES_OF,
    SPLIT,
    SPLIT_OR_MERGE,
    STEAL,
    STEAL_PILE,
    WASTE,
    WASTED,
    State,
)

# Numba counts the references of an array wherever it is handed on, which would cost half of the time of a game of
# random bots. So `legal` alone writes into `out`, and what it calls returns sets of choices as bits.


@implements("legal", State)
def legal(rules: RulesRecord, state: StateRecord, out: Actions) -> Count:
    if state.phase == ACTION:
        return actions(rules, state, out)
    if state.phase == DISCARD:
        return discards(rules, state, out)
    out[0] = SHOW << KIND_AT
    out[1] = KEEP << KIND_AT
    return np.int64(2)


@kernel
def discards(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    """Write the cards that may be the compulsory discard."""
    seat = np.int64(state.seat)
    n = np.int64(0)
    before = np.int64(0)
    any_card = rules.discard_kinds != BIRDS_ONLY and rules.discard_stolen != 0
    for k in range(state.hand_size[seat]):
        card = np.int64(state.hand[seat, k])
        if card != before and (any_card or may_discard(rules, state, seat, card)):
            out[n] = (DISCARD_CARD << KIND_AT) | ((card - 1) << FIRST_AT)
            n += 1
        before = card
    return n


@kernel
def actions(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    """Write the actions that a turn may begin with."""
    seat = np.int64(state.seat)
    n = np.int64(0)
    before = np.int64(0)
    columns = np.int64(state.n_columns[seat])
    for k in range(state.hand_size[seat]):
        card = np.int64(state.hand[seat, k])
        if card == before:  # equal cards give one action
            continue
        before = card
        piece = card - 1
        if card > N_BIRDS:  # play a Danger card
            targets = robbed_by(rules, state, 1 - seat, piece)
            if targets != 0:
                for b in range(NOTHING_TO_TAKE + 1):
                    if (targets >> b) & 1 != 0:
                        kind = STEAL if b < PLACES else STEAL_PILE if b < NOTHING_TO_TAKE else WASTE
                        out[n] = (kind << KIND_AT) | (piece << FIRST_AT) | (b % PLACES)
                        n += 1
        elif state.pile_size[seat, SPECIES_OF[piece]] == 0:  # play a Birds card
            for c in range(columns):
                if (state.open[seat, c] >> piece) & 1 != 0:
                    out[n] = (PLAY << KIND_AT) | (piece << FIRST_AT) | c
                    n += 1
            if columns < rules.max_columns:
                out[n] = (PLAY << KIND_AT) | (piece << FIRST_AT) | NEW
                n += 1
    looks = looks_of_all(state, seat) if rules.undo_moves == 0 else np.int64(0)
    printed = rules.rearrange == SPLIT_OR_MERGE
    for c in range(columns):
        size = np.int64(state.length[seat, c])
        if printed:
            if columns < rules.max_columns:  # dissociate a colony in two
                for k in range(1, size):
                    if rules.undo_moves != 0 or not undoes(state, seat, c, k, columns, looks):
                        out[n] = (SPLIT << KIND_AT) | (c << FIRST_AT) | k
                        n += 1
            looked = looks_of(state, seat, c)
            for onto in range(columns):  # associate two colonies into one
                if (
                    c != onto
                    and part_fits(rules, state, seat, onto, state.column[seat, c], size, looked)
                    and (rules.undo_moves != 0 or not undoes(state, seat, c, np.int64(0), onto, looks))
                ):
                    out[n] = (MERGE << KIND_AT) | (c << FIRST_AT) | onto
                    n += 1
        else:
            places = moves_of(rules, state, seat, c, looks)
            while places != 0:
                b = lowest(places)
                out[n] = (MOVE << KIND_AT) | (c << FIRST_AT) | b
                n += 1
                places &= places - 1
        out[n] = (PASS_COLUMN << KIND_AT) | (c << FIRST_AT)
        n += 1
    out[n] = PASS_HAND << KIND_AT
    return n + 1


@kernel
def robbed_by(rules: RulesRecord, state: StateRecord, other: Seat, danger: Piece) -> Mask:
    """Return what a Danger card can take from `other`, as bits: columns, PLACES + arrived species, NOTHING_TO_TAKE."""
    targets = np.int64(0)
    for c in range(state.n_columns[other]):
        if place_to_rob(rules, state, other, c, danger) >= 0:
            targets |= bit(c)
    if rules.steal_from_arrived != 0:
        for species in range(N_SPECIES):
            size = state.pile_size[other, species]
            if size >= 2:
                top = np.int64(state.pile[other, species, size - 1]) - 1
                if rules.pile_phase == PILE_ANY or reaches(danger, NIGHT_OF[top]):
                    targets |= bit(PLACES + species)
    if rules.steal == OPTIONAL or (targets == 0 and rules.danger_without_target == WASTED):
        targets |= bit(16)
    return targets


@kernel
def reaches(danger: Piece, night: Any) -> Whether:
    """Whether a danger card acts on night or day cards."""
    return danger == HABITAT or danger == (LIGHT if night else HUNTER)


@kernel
def place_to_rob(rules: RulesRecord, state: StateRecord, other: Seat, c: Index, danger: Piece) -> Any:
    """Return the place in the column of the card that `danger` takes, or -1."""
    size = np.int64(state.length[other, c])
    if size == 1 and rules.lone_card == PROTECTED:
        return np.int64(-1)
    column = state.column[other, c]
    for k in range(size - 1, -1, -1):
        if reaches(danger, (byte_at(column, k) & DOWN) != 0):
            return np.int64(k)
        if rules.danger_reach != REACH_PHASE:
            break
    return np.int64(-1)


@kernel
def looks_of(state: StateRecord, seat: Seat, c: Index) -> Any:
    """Return what `lay` has noted of `look` for a whole column."""
    return (
        np.int64(state.shown[seat, c]),
        np.int64(state.kind[seat, c]),
        np.int64(state.low[seat, c]),
        np.int64(state.high[seat, c]),
    )


@kernel
def moves_of(rules: RulesRecord, state: StateRecord, seat: Seat, c: Index, looks: Any) -> Mask:
    """Return where a card of column `c`, with all laid after it, may be moved, as bits: 8 x card + place."""
    columns = np.int64(state.n_columns[seat])
    size = np.int64(state.length[seat, c])
    places = np.int64(0)
    for k in range(size):
        part = state.column[seat, c] >> (CARD_WIDTH * k)
        room = columns < rules.max_columns if k > 0 else rules.null_move != 0
        if room and (rules.undo_moves != 0 or not undoes(state, seat, c, k, columns, looks)):
            places |= bit(PLACES * k + NEW)
        if columns == 1:
            continue
        looked = look(rules, part, size - k)
        for onto in range(columns):
            if (
                c != onto
                and part_fits(rules, state, seat, onto, part, size - k, looked)
                and (rules.undo_moves != 0 or not undoes(state, seat, c, k, onto, looks))
            ):
                places |= bit(PLACES * k + onto)
    return places


@kernel
def undoes(state: StateRecord, seat: Seat, c: Index, k: Index, onto: Index, looks: Any) -> Whether:
    """Whether moving the cards from number `k` of column `c` brings back what lay before the last own turn (A22).

    `onto` may be the number of columns: a new one. `looks` is what all columns look like now.
    """
    column = state.column[seat, c]
    size = np.int64(state.length[seat, c])
    looks -= looks_like(column, size)
    if k > 0:
        looks += looks_like(first_cards(column, k), k)
    part = column >> (CARD_WIDTH * k)
    if onto < state.n_columns[seat]:
        there = state.column[seat, onto]
        before = np.int64(state.length[seat, onto])
        looks -= looks_like(there, before)
        looks += looks_like(there | (part << (CARD_WIDTH * before)), before + size - k)
    else:
        looks += looks_like(part, size - k)
    return looks == state.looks[seat, 1]


@kernel
def may_discard(rules: RulesRecord, state: StateRecord, seat: Seat, card: Piece) -> Whether:
    """Whether a card of this kind may be the compulsory discard."""
    if not may_leave(rules, state, seat, card):
        return False
    if rules.discard_kinds != BIRDS_ONLY or card <= N_BIRDS:
        return True
    for k in range(state.hand_size[seat]):  # a danger card only if no bird card can go (A37)
        other = np.int64(state.hand[seat, k])
        if other <= N_BIRDS and may_leave(rules, state, seat, other):
            return False
    return True


@kernel
def may_leave(rules: RulesRecord, state: StateRecord, seat: Seat, card: Piece) -> Whether:
    """Whether a card is not kept because it was stolen in this turn (A25); the only card of a hand always goes."""
    if rules.discard_stolen != 0 or card != state.stolen or state.hand_size[seat] == 1:
        return True
    copies = 0
    for k in range(state.hand_size[seat]):
        if state.hand[seat, k] == card:
            copies += 1
    return copies > 1
