"""The course of play: actions carried out, what follows by itself, whose turn is next, points."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import FINISHED, RESOLVE, TURN_CAP
from sim.core.jit import implements, kernel
from sim.core.kinds import Action, Count, Index, Piece, Points, RulesRecord, Seat, StateRecord, Stream
from sim.core.rng import unit
from sim.games.migrato.rules.arriving import after_adding, finish, go_on, test_arrival, turn_up
from sim.games.migrato.rules.cards import (
    discard,
    discard_cards,
    fill_hand,
    hide_nights,
    leave_hand,
    rebuild,
    take_in_hand,
)
from sim.games.migrato.rules.choices import place_to_rob
from sim.games.migrato.rules.columns import (
    byte_at,
    first_cards,
    lay,
    looks_of_all,
    piece_in,
    remove_column,
)
from sim.games.migrato.rules.kinds import Species
from sim.games.migrato.rules.lengths import some_arrive
from sim.games.migrato.rules.state import (
    ACTION,
    BIRDS_OF,
    CARD_WIDTH,
    DISCARD_CARD,
    DOWN,
    FILL_HAND,
    FINISH_TURN,
    FIRST_AT,
    KEEP,
    KIND_AT,
    LOST,
    MERGE,
    MOVE,
    N_SPECIES,
    NEW,
    NIGHT_OF,
    NO_DRAW,
    PART_MASK,
    PASS_COLUMN,
    PASS_HAND,
    PILE_LOST,
    PLACES,
    PLAY,
    REBUILD,
    SHOW,
    SPLIT,
    STEAL,
    STEAL_PILE,
    TAKE_UNSEEN,
    TIES_DRAW,
    TIES_SECOND,
    TURN_UP,
    State,
)


@implements("apply", State)
def apply(rules: RulesRecord, state: StateRecord, action: Action) -> None:
    seat = np.int64(state.seat)
    kind = np.int64(action) >> KIND_AT
    a = (np.int64(action) >> FIRST_AT) & PART_MASK
    b = np.int64(action) & PART_MASK
    if kind == PLAY:
        play(rules, state, seat, a, b)
    elif kind == SPLIT:
        move_part(rules, state, seat, a, b, NEW)
    elif kind == MERGE:
        move_part(rules, state, seat, a, 0, b)
    elif kind == MOVE:
        move_part(rules, state, seat, a, b // PLACES, b % PLACES)
    elif kind <= STEAL_PILE:
        play_danger(state, seat, a)
        if kind == STEAL:
            steal(rules, state, seat, a, b)
        else:
            steal_arrived(rules, state, seat, a, b)
    elif kind == PASS_COLUMN:
        column = state.column[seat, a]
        n = np.int64(state.length[seat, a])
        remove_column(state, seat, a)
        discard_cards(state, seat, column, n, True)
        end_turn(state, NO_DRAW)
        state.passed[seat] += 1
    elif kind == PASS_HAND:
        for k in range(state.hand_size[seat]):
            drop(state, seat, np.int64(state.hand[seat, k]) - 1)
            state.hand[seat, k] = 0
            state.star[seat, k] = 0
        state.hand_size[seat] = 0
        end_turn(state, FILL_HAND)
        state.passed[seat] += 1
    elif kind == SHOW:
        turn_up(rules, state, seat)
    elif kind == KEEP:
        go_on(rules, state, seat)
    elif kind == DISCARD_CARD:
        keeps = rules.discard_stolen == 0 and a + 1 == state.stolen
        leave_hand(state, seat, a, keeps and state.stolen_known != 0)
        drop(state, seat, a)
        end_turn(state, FILL_HAND)
    else:  # WASTE
        play_danger(state, seat, a)
        go_on(rules, state, seat)


@kernel
def end_turn(state: StateRecord, todo: Any) -> None:
    """Nothing more to decide in this turn."""
    state.phase = RESOLVE
    state.todo = todo


@kernel
def drop(state: StateRecord, seat: Seat, piece: Piece) -> None:
    """Discard a card of the hand unused."""
    discard(state, piece)
    state.discarded[seat, piece] += 1


@kernel
def note_played(state: StateRecord, seat: Seat, piece: Piece) -> None:
    """Count a card played."""
    if state.played[seat, piece] == 0:
        state.first_turn[seat, piece] = state.turn
    state.played[seat, piece] += 1


# --- play a Birds card, dissociate, associate ----------------------------------------------------------------


@kernel
def play(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece, c: Index) -> None:
    """Lay a card from the hand on a column, or as a new one; night cards lie face down."""
    leave_hand(state, seat, piece, False)
    note_played(state, seat, piece)
    byte = piece + 1
    if NIGHT_OF[piece]:
        byte |= DOWN
        hide_nights(state, seat)
    before = np.int64(0)
    column = np.int64(0)
    if c == NEW:
        c = np.int64(state.n_columns[seat])
        state.n_columns[seat] = c + 1
    else:
        before = np.int64(state.length[seat, c])
        column = state.column[seat, c]
    lay(rules, state, seat, c, column | (byte << (CARD_WIDTH * before)), before + 1)
    if some_arrive(rules, before + 1):
        after_adding(rules, state, seat, c, False)
    else:
        go_on(rules, state, seat)


@kernel
def move_part(rules: RulesRecord, state: StateRecord, seat: Seat, c: Index, k: Index, onto: Index) -> None:
    """Move the cards from number `k` of column `c`, in their order, to a new place or onto another column."""
    column = state.column[seat, c]
    n = np.int64(state.length[seat, c])
    part = column >> (CARD_WIDTH * k)
    if onto == NEW:
        if k == 0:
            remove_column(state, seat, c)
        else:
            lay(rules, state, seat, c, first_cards(column, k), k)
        new = np.int64(state.n_columns[seat])
        state.n_columns[seat] = new + 1
        lay(rules, state, seat, new, part, n - k)
        go_on(rules, state, seat)
        return
    before = np.int64(state.length[seat, onto])
    lay(rules, state, seat, onto, state.column[seat, onto] | (part << (CARD_WIDTH * before)), before + n - k)
    if k == 0:
        remove_column(state, seat, c)
        if c < onto:
            onto -= 1
    else:
        lay(rules, state, seat, c, first_cards(column, k), k)
    after_adding(rules, state, seat, onto, True)


# --- play a Danger card --------------------------------------------------------------------------------------


@kernel
def play_danger(state: StateRecord, seat: Seat, danger: Piece) -> None:
    """Lay a Danger card face up on the discard pile."""
    leave_hand(state, seat, danger, False)
    note_played(state, seat, danger)
    discard(state, danger)


@kernel
def steal(rules: RulesRecord, state: StateRecord, seat: Seat, danger: Piece, c: Index) -> None:
    """Take a card from the other player's column; one that lies face down is looked at only in `resolve`."""
    other = 1 - seat
    k = place_to_rob(rules, state, other, c, danger)
    column = state.column[other, c]
    n = np.int64(state.length[other, c])
    byte = byte_at(column, k)
    if n == 1:
        remove_column(state, other, c)
    else:
        lay(
            rules,
            state,
            other,
            c,
            first_cards(column, k) | ((column >> (CARD_WIDTH * (k + 1))) << (CARD_WIDTH * k)),
            n - 1,
        )
    state.harm[seat, danger] += 1
    if (byte & DOWN) != 0:
        state.taken = byte
        end_turn(state, TAKE_UNSEEN)
    else:
        receive(state, seat, piece_in(byte), 1)
        go_on(rules, state, seat)


@kernel
def receive(state: StateRecord, seat: Seat, piece: Piece, known: Any) -> None:
    """Put a stolen card into the hand."""
    take_in_hand(state, seat, piece, known)
    state.stolen = piece + 1
    state.stolen_known = known
    state.lost[1 - seat, piece] += 1


@kernel
def steal_arrived(
    rules: RulesRecord, state: StateRecord, seat: Seat, danger: Piece, species: Species
) -> None:
    """Take the top card of an arrived pile (digital rules)."""
    other = 1 - seat
    size = np.int64(state.pile_size[other, species]) - 1
    piece = np.int64(state.pile[other, species, size]) - 1
    state.pile[other, species, size] = 0
    state.harm[seat, danger] += 1
    if rules.reduced_pile == PILE_LOST and size < rules.objective[species]:
        for k in range(size):
            rest = np.int64(state.pile[other, species, k]) - 1
            discard(state, rest)
            state.lost[other, rest] += 1
            state.pile[other, species, k] = 0
        size = np.int64(0)
    state.pile_size[other, species] = size
    receive(state, seat, piece, 1)
    go_on(rules, state, seat)


# --- what follows by itself ----------------------------------------------------------------------------------


@implements("resolve", State)
def resolve(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    # short, so that the references of `stream` need not be counted (see `choices`)
    if go_through(rules, state):
        go_through_with_chance(rules, state, stream)


@kernel
def go_through(rules: RulesRecord, state: StateRecord) -> Any:
    """Do what is due without chance; return whether chance must help."""
    seat = np.int64(state.seat)
    if state.todo == TAKE_UNSEEN:
        byte = np.int64(state.taken)
        state.taken = 0
        state.todo = 0
        receive(state, seat, piece_in(byte), 0 if (byte & LOST) != 0 else 1)
        go_on(rules, state, seat)
        return False
    if state.todo == TURN_UP:
        state.todo = 0
        test_arrival(rules, state, seat)
        return False
    if state.todo == FILL_HAND and fill_hand(rules, state, seat):
        state.todo = REBUILD
        return True
    if rules.memory < 1.0:
        return True
    next_turn(rules, state, seat)
    return False


@kernel
def go_through_with_chance(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    """Rebuild the deck as often as it takes to fill the hand, forget cards, and end the turn."""
    seat = np.int64(state.seat)
    if state.todo == REBUILD:
        rebuild(state, stream)
        while fill_hand(rules, state, seat):
            rebuild(state, stream)
    if rules.memory < 1.0:
        forget(rules, state, seat, stream)
    next_turn(rules, state, seat)


@kernel
def forget(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Let each face-down card of the seat that it still remembers slip its memory by chance."""
    for c in range(state.n_columns[seat]):
        column = state.column[seat, c]
        for k in range(state.length[seat, c]):
            byte = byte_at(column, k)
            if (byte & DOWN) != 0 and (byte & LOST) == 0 and unit(stream) >= rules.memory:
                column |= np.int64(LOST) << (CARD_WIDTH * k)
        if column != state.column[seat, c]:
            lay(rules, state, seat, np.int64(c), column, np.int64(state.length[seat, c]))


@kernel
def next_turn(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """End the turn: the game is over, or the other player is to act."""
    if state.ending != 0 and (rules.finish == FINISH_TURN or seat == 1):
        finish(state, FINISHED)
        return
    if state.turn + 1 >= rules.turn_cap:
        finish(state, TURN_CAP)
        return
    if rules.undo_moves == 0:
        state.looks[seat, 1] = state.looks[seat, 0]
        state.looks[seat, 0] = looks_of_all(state, seat)
    state.turn += 1
    state.last_seat = seat
    state.stolen = 0
    state.stolen_known = 0
    state.at = 0
    state.by_move = 0
    state.todo = 0
    state.seat = 1 - seat
    state.phase = ACTION


# --- points --------------------------------------------------------------------------------------------------


@implements("score", State)
def score(rules: RulesRecord, state: StateRecord, seat: Seat) -> Points:
    points = 0
    for species in range(N_SPECIES):
        size = state.pile_size[seat, species]
        if size > 0:
            points += BIRDS_OF[state.pile[seat, species, size - 1] - 1]
    return np.float64(points)


@kernel
def settlements_of(state: StateRecord, seat: Seat) -> Count:
    """Return how many species have arrived."""
    count = 0
    for species in range(N_SPECIES):
        if state.pile_size[seat, species] > 0:
            count += 1
    return count


@implements("merit", State)
def merit(rules: RulesRecord, state: StateRecord, seat: Seat, points: Points) -> Any:
    """Points; ties may be broken by settlements and then for the second player."""
    value = 100.0 * points
    if rules.ties != TIES_DRAW:
        value += 10.0 * settlements_of(state, seat)
        if rules.ties == TIES_SECOND:
            value += np.float64(seat)
    return value
