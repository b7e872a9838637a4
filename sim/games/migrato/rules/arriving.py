"""Arrival: when a column is turned up, what voids it, the pile that it becomes, and the end that this may bring."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.jit import kernel
from sim.core.kinds import Count, Index, RulesRecord, Seat, StateRecord, Whether
from sim.games.migrato.rules.cards import discard, discard_cards
from sim.games.migrato.rules.columns import (
    byte_at,
    falls,
    forgets_something,
    lay,
    piece_in,
    remove_column,
)
from sim.games.migrato.rules.kinds import Card, Column, Species
from sim.games.migrato.rules.lengths import complete, hidden_may_arrive
from sim.games.migrato.rules.state import (
    ALL_LOST,
    BY_CONTENTS,
    CARD,
    CARD_WIDTH,
    DISCARD,
    DOWN,
    END_SETTLEMENTS,
    FILL_HAND,
    FINISH_AT_ONCE,
    MIXED_ALLOWED,
    N_SPECIES,
    NO_DRAW,
    OFFER_ANY,
    PURGE_ALL,
    PURGE_COLUMNS,
    RETURNED,
    REVEAL,
    SPECIES_OF,
    TRUE_CARDS,
    TURN_UP,
    UNKNOWN,
)


@kernel
def go_on(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """After the action: the compulsory discard, if there is a card for it."""
    if state.hand_size[seat] > 0:
        state.phase = DISCARD
        return
    state.phase = RESOLVE
    state.todo = FILL_HAND


@kernel
def after_adding(rules: RulesRecord, state: StateRecord, seat: Seat, c: Index, by_move: Whether) -> None:
    """Cards were added to column `c`. A player who has forgotten cards learns only then what comes of it."""
    state.at = c
    state.by_move = 1 if by_move else 0
    if rules.memory < 1.0 and forgets_something(state, seat):
        state.phase = RESOLVE
        state.todo = TURN_UP
    else:
        test_arrival(rules, state, seat)


@kernel
def test_arrival(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Turn the column `state.at` up if it has the length, or offer it, or go on."""
    c = np.int64(state.at)
    by_move = state.by_move != 0
    n = np.int64(state.length[seat, c])
    hidden = state.shown[seat, c] == 0
    if by_move and rules.merge_arrives == 0:
        go_on(rules, state, seat)
    elif by_move and hidden and rules.optional_reveal != 0:
        if rules.reveal_offer == OFFER_ANY or hidden_may_arrive(rules, n):
            state.phase = REVEAL
        else:
            go_on(rules, state, seat)
    else:
        species = species_that_counts(rules, state, seat, c)
        if species != UNKNOWN and complete(rules, n, species, by_move):
            turn_up(rules, state, seat)
        else:
            go_on(rules, state, seat)


@kernel
def species_that_counts(rules: RulesRecord, state: StateRecord, seat: Seat, c: Index) -> Any:
    """Return the species whose objective column `c` is measured by, or UNKNOWN."""
    last = np.int64(SPECIES_OF[piece_in(np.int64(state.last[seat, c]))])
    if rules.mixed == MIXED_ALLOWED:
        return last
    if rules.hidden_check == TRUE_CARDS or state.shown[seat, c] > 0:
        return np.int64(state.kind[seat, c])
    if rules.reveal_by == BY_CONTENTS:
        return only_species(state.column[seat, c], np.int64(state.length[seat, c]))
    return last


@kernel
def only_species(column: Column, n: Count) -> Any:
    """Return the one species of some cards, or UNKNOWN when they are mixed."""
    species = np.int64(SPECIES_OF[piece_in(byte_at(column, 0))])
    for k in range(1, n):
        if SPECIES_OF[piece_in(byte_at(column, k))] != species:
            return np.int64(UNKNOWN)
    return species


@kernel
def turn_up(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Turn the column `state.at` up: it arrives, or it is void and discarded."""
    c = np.int64(state.at)
    column = state.column[seat, c]
    n = np.int64(state.length[seat, c])
    species = only_species(column, n)
    good = species != UNKNOWN and falls(column, n) and state.pile_size[seat, species] == 0
    if good and complete(rules, n, species, state.by_move != 0):
        arrive(rules, state, seat, c, species)
    elif good and rules.incomplete_reveal == RETURNED:
        lay(rules, state, seat, c, column & ~np.int64(ALL_LOST), n)
        go_on(rules, state, seat)
    else:
        remove_column(state, seat, c)
        discard_cards(state, seat, column, n, False)
        if rules.void_ends_turn != 0 and not good:
            state.phase = RESOLVE
            state.todo = NO_DRAW
        else:
            go_on(rules, state, seat)


@kernel
def arrive(rules: RulesRecord, state: StateRecord, seat: Seat, c: Index, species: Species) -> None:
    """Make the column a pile, purge the other columns, and see whether that ends the game."""
    n = np.int64(state.length[seat, c])
    for k in range(n):
        state.pile[seat, species, k] = byte_at(state.column[seat, c], k) & CARD
    state.pile_size[seat, species] = n
    remove_column(state, seat, c)
    purge(rules, state, seat, species)
    if state.ending == 0 and end_is_reached(rules, state):
        state.ending = 1
        state.ender = seat
        if rules.finish == FINISH_AT_ONCE:
            finish(state, FINISHED)
            return
    go_on(rules, state, seat)


@kernel
def purge(rules: RulesRecord, state: StateRecord, seat: Seat, species: Species) -> None:
    """Discard what else flies of the species that has arrived, column by column."""
    c = np.int64(0)
    while c < state.n_columns[seat]:
        column = state.column[seat, c]
        n = np.int64(state.length[seat, c])
        whole = rules.arrival_purge == PURGE_COLUMNS and concerned(rules, column, n, species)
        kept = np.int64(0)
        left = np.int64(0)
        for k in range(n):
            byte = byte_at(column, k)
            if whole or goes(rules, byte, species):
                discard(state, piece_in(byte))
                state.lost[seat, piece_in(byte)] += 1
            else:
                kept |= byte << (CARD_WIDTH * left)
                left += 1
        if left == 0:
            remove_column(state, seat, c)
        else:
            if left < n:
                lay(rules, state, seat, c, kept, left)
            c += 1


@kernel
def goes(rules: RulesRecord, byte: Card, species: Species) -> Whether:
    """Whether the purge takes this card."""
    if SPECIES_OF[piece_in(byte)] != species:
        return False
    return rules.arrival_purge == PURGE_ALL or (byte & DOWN) == 0


@kernel
def concerned(rules: RulesRecord, column: Column, n: Count, species: Species) -> Whether:
    """Whether the purge takes something of a column."""
    for k in range(n):
        if goes(rules, byte_at(column, k), species):
            return True
    return False


@kernel
def end_is_reached(rules: RulesRecord, state: StateRecord) -> Whether:
    """Whether five species (over both players), or five settlements in all, have arrived."""
    species = 0
    settlements = 0
    for k in range(N_SPECIES):
        here = 0  # no sum of comparisons: uncompiled, two true ones make one
        for seat in range(2):
            if state.pile_size[seat, k] > 0:
                here += 1
        settlements += here
        species += 1 if here > 0 else 0
    return (settlements if rules.end == END_SETTLEMENTS else species) >= N_SPECIES


@kernel
def finish(state: StateRecord, how: Any) -> None:
    """End the game; the turn under way counts."""
    state.turn += 1
    state.last_seat = state.seat
    state.ended = how
    state.phase = OVER
    state.todo = 0
    state.at = 0
    state.by_move = 0
    state.stolen = 0
    state.stolen_known = 0
