"""What may be done: the legal actions of every phase."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel
from sim.games.migrato.rules.columns import (
    byte_at,
    card_fits,
    first_cards,
    looks_like,
    looks_of_all,
    part_fits,
)
from sim.games.migrato.rules.state import (
    ACTION,
    BIRDS_ONLY,
    DISCARD,
    DISCARD_CARD,
    DOWN,
    HABITAT,
    HUNTER,
    KEEP,
    LIGHT,
    MERGE,
    MOVE,
    N_BIRDS,
    N_SPECIES,
    NEW,
    NIGHT_OF,
    OPTIONAL,
    PASS_COLUMN,
    PASS_HAND,
    PILE_ANY,
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
    encode,
)


@implements("legal", State)
def legal(rules: Any, state: Any, out: Any) -> Any:
    seat = np.int64(state.seat)
    if state.phase == DISCARD:
        return discards(rules, state, seat, out)
    if state.phase != ACTION:
        out[0] = encode(SHOW, 0, 0)
        out[1] = encode(KEEP, 0, 0)
        return 2
    n = np.int64(0)
    before = 0
    for k in range(state.hand_size[seat]):
        card = np.int64(state.hand[seat, k])
        if card != before:  # equal cards give one action
            if card <= N_BIRDS:
                n = plays(rules, state, seat, card - 1, out, n)
            else:
                n = steals(rules, state, seat, card - 1, out, n)
        before = card
    if rules.rearrange == SPLIT_OR_MERGE:
        n = splits_and_merges(rules, state, seat, out, n)
    else:
        n = moves(rules, state, seat, out, n)
    for c in range(state.n_columns[seat]):
        out[n] = encode(PASS_COLUMN, c, 0)
        n += 1
    out[n] = encode(PASS_HAND, 0, 0)
    return n + 1


@kernel
def plays(rules: Any, state: Any, seat: Any, piece: Any, out: Any, n: Any) -> Any:
    """Play a Birds card: on a column, or as a new one."""
    if state.pile_size[seat, SPECIES_OF[piece]] > 0:
        return n
    columns = state.n_columns[seat]
    for c in range(columns):
        if card_fits(rules, state, seat, c, piece):
            out[n] = encode(PLAY, piece, c)
            n += 1
    if columns < rules.max_columns:
        out[n] = encode(PLAY, piece, NEW)
        n += 1
    return n


@kernel
def steals(rules: Any, state: Any, seat: Any, danger: Any, out: Any, n: Any) -> Any:
    """Play a Danger card: what it can take from the other player."""
    other = 1 - seat
    begun = n
    for c in range(state.n_columns[other]):
        if place_to_rob(rules, state, other, c, danger) >= 0:
            out[n] = encode(STEAL, danger, c)
            n += 1
    if rules.steal_from_arrived != 0:
        for species in range(N_SPECIES):
            size = state.pile_size[other, species]
            if size >= 2:
                top = np.int64(state.pile[other, species, size - 1]) - 1
                if rules.pile_phase == PILE_ANY or reaches(danger, NIGHT_OF[top]):
                    out[n] = encode(STEAL_PILE, danger, species)
                    n += 1
    nothing = n == begun and rules.danger_without_target == WASTED
    if nothing or rules.steal == OPTIONAL:
        out[n] = encode(WASTE, danger, 0)
        n += 1
    return n


@kernel
def reaches(danger: Any, night: Any) -> Any:
    """Whether a danger card acts on night or day cards."""
    return danger == HABITAT or danger == (LIGHT if night else HUNTER)


@kernel
def place_to_rob(rules: Any, state: Any, other: Any, c: Any, danger: Any) -> Any:
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
def splits_and_merges(rules: Any, state: Any, seat: Any, out: Any, n: Any) -> Any:
    """Dissociate a colony in two, or associate two into one (printed rules)."""
    columns = np.int64(state.n_columns[seat])
    looks = looks_of_all(state, seat) if rules.undo_moves == 0 else np.int64(0)
    if columns < rules.max_columns:
        for c in range(columns):
            for k in range(1, state.length[seat, c]):
                if rules.undo_moves != 0 or not undoes(state, seat, c, k, columns, looks):
                    out[n] = encode(SPLIT, c, k)
                    n += 1
    for c in range(columns):
        for onto in range(columns):
            if c != onto and part_fits(
                rules, state, seat, onto, state.column[seat, c], np.int64(state.length[seat, c])
            ):
                if rules.undo_moves != 0 or not undoes(state, seat, c, 0, onto, looks):
                    out[n] = encode(MERGE, c, onto)
                    n += 1
    return n


@kernel
def moves(rules: Any, state: Any, seat: Any, out: Any, n: Any) -> Any:
    """Move a card and all laid after it, to a new place or onto another column (digital rules)."""
    columns = np.int64(state.n_columns[seat])
    looks = looks_of_all(state, seat) if rules.undo_moves == 0 else np.int64(0)
    for c in range(columns):
        size = np.int64(state.length[seat, c])
        for k in range(size):
            room = columns < rules.max_columns if k > 0 else rules.null_move != 0
            if room and (rules.undo_moves != 0 or not undoes(state, seat, c, k, columns, looks)):
                out[n] = encode(MOVE, c, 8 * k + NEW)
                n += 1
            part = state.column[seat, c] >> (8 * k)
            for onto in range(columns):
                if c != onto and part_fits(rules, state, seat, onto, part, size - k):
                    if rules.undo_moves != 0 or not undoes(state, seat, c, k, onto, looks):
                        out[n] = encode(MOVE, c, 8 * k + onto)
                        n += 1
    return n


@kernel
def undoes(state: Any, seat: Any, c: Any, k: Any, onto: Any, looks: Any) -> Any:
    """Whether moving the cards from number `k` of column `c` brings back what lay before the last own turn (A22).

    `onto` may be the number of columns: a new one. `looks` is what all columns look like now.
    """
    column = state.column[seat, c]
    size = np.int64(state.length[seat, c])
    looks -= looks_like(column, size)
    if k > 0:
        looks += looks_like(first_cards(column, k), k)
    part = column >> (8 * k)
    if onto < state.n_columns[seat]:
        there = state.column[seat, onto]
        before = np.int64(state.length[seat, onto])
        looks -= looks_like(there, before)
        looks += looks_like(there | (part << (8 * before)), before + size - k)
    else:
        looks += looks_like(part, size - k)
    return looks == state.looks[seat, 1]


@kernel
def discards(rules: Any, state: Any, seat: Any, out: Any) -> Any:
    """Discard one of the remaining cards."""
    n = np.int64(0)
    only_birds = rules.discard_kinds == BIRDS_ONLY and may_discard_bird(rules, state, seat)
    for k in range(state.hand_size[seat]):
        card = np.int64(state.hand[seat, k])
        if k > 0 and card == state.hand[seat, k - 1]:
            continue
        if only_birds and card > N_BIRDS:
            continue
        if may_discard(rules, state, seat, card):
            out[n] = encode(DISCARD_CARD, card - 1, 0)
            n += 1
    return n


@kernel
def may_discard(rules: Any, state: Any, seat: Any, card: Any) -> Any:
    """Whether a card of this kind can go: where that is forbidden (A25), not the stolen one, unless it is all."""
    if rules.discard_stolen != 0 or card != state.stolen or state.hand_size[seat] == 1:
        return True
    copies = 0
    for k in range(state.hand_size[seat]):
        if state.hand[seat, k] == card:
            copies += 1
    return copies > 1


@kernel
def may_discard_bird(rules: Any, state: Any, seat: Any) -> Any:
    """Whether there is a bird card that can go."""
    for k in range(state.hand_size[seat]):
        card = np.int64(state.hand[seat, k])
        if card <= N_BIRDS and may_discard(rules, state, seat, card):
            return True
    return False
