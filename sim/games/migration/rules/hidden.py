"""What a seat cannot know, redrawn from what it can: `determinize`, which never reads a hidden field."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.jit import bit, implements, kernel, where
from sim.core.kinds import Count, Counts, Index, Piece, RulesRecord, Seat, StateRecord, Stream, Whether
from sim.core.rng import below
from sim.games.migration.rules.drafting import (
    added_piece,
    chooser_of,
    close_pool,
    owner_of_piece,
    piece_in,
    put_piece,
    splitter_of,
)
from sim.games.migration.rules.state import (
    AGENDA,
    BASS,
    BASS_EXTRA,
    BUILDING,
    DRAFTING,
    ERA,
    FOUNDING,
    GROUP,
    MAX_HIDDEN,
    MAX_PLAYERS,
    N_PIECES,
    PLAYING,
    SPLIT,
    TRIES,
    VARIANTS,
    VOID,
    WOLF,
    State,
)


@implements("determinize", State)
def determinize(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Redraw rivals' hidden pieces and the cards that nobody has seen.

    A rival's team is any legal one that fits what was seen: its Towns so far, what it shows under Oaths, the sizes of
    its hand and payments (ruling G10: drawn evenly from the set without the banned). After a Draft it comes from a pool
    that holds what this seat saw the rival take; the groups that it has not looked at, not yet dealt out or split and
    chosen by others, are redrawn from the pieces that it has not seen.
    """
    redraw(rules, state, np.int64(seat), stream)


@kernel
def _redraw_all(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Redraw cards, groups, pools and hands."""
    shuffle_cards(rules, state, seat, stream)
    if state.stage == DRAFTING or (state.stage == FOUNDING and rules.draft != 0):
        redraw_draft(rules, state, seat, stream)
        return
    if rules.draft != 0:
        redraw_draft(rules, state, seat, stream)
        for other in range(state.players):
            if other != seat:
                close_pool(rules, state, np.int64(other))
    for other in range(state.players):
        if other == seat:
            continue
        if state.stage == BUILDING:
            redraw_building(rules, state, np.int64(other), stream)
        else:
            redraw_hand(rules, state, np.int64(other), stream)


@kernel
def _redraw_hands(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Redraw rivals' hands and payments."""
    for other in range(state.players):
        if other != seat:
            redraw_hand(rules, state, np.int64(other), stream)


redraw = where(VARIANTS, "redraw", "rules, state, seat, stream", _redraw_all, _redraw_hands)


@kernel
def _of_the_pool(rules: RulesRecord, state: StateRecord, other: Seat, piece: Piece) -> Any:
    """How many of a piece `other` can have in its team: what is in its pool, and the extra one."""
    if rules.draft == 0:
        return np.int64(rules.set_counts[piece])
    extra = 1 if rules.draft_bass == BASS_EXTRA and piece == added_piece(state, other) else 0
    return np.int64(state.pool[other, piece]) + extra


@kernel
def _of_the_set(rules: RulesRecord, state: StateRecord, other: Seat, piece: Piece) -> Any:
    """How many of a piece `other` can have in its team."""
    return np.int64(rules.set_counts[piece])


copies = where(VARIANTS, "copies", "rules, state, other, piece", _of_the_pool, _of_the_set)


@kernel
def redraw_hand(rules: RulesRecord, state: StateRecord, other: Seat, stream: Stream) -> None:
    """Redraw what a rival holds and has paid."""
    pool = np.empty(MAX_HIDDEN, dtype=np.int8)
    known = state.stage == PLAYING and rules.oaths != 0
    out = state.banned | state.own_bans[other]
    for _attempt in range(TRIES):
        n = 0
        hand = np.int64(state.hand_size[other])
        hidden = hand + state.paid_size[other]
        for piece in range(N_PIECES):
            shown = np.int64(state.revealed[other, piece]) if known else np.int64(0)
            state.hand[other, piece] = shown
            state.paid[other, piece] = 0
            hand -= shown
            hidden -= shown
            if (out & bit(piece)) == 0:
                free = copies(rules, state, other, piece) - state.played[other, piece] - shown
                for _copy in range(max(0, free)):
                    pool[n] = piece
                    n += 1
        for k in range(min(hidden, n)):
            swap = k + below(stream, n - k)
            pool[k], pool[swap] = pool[swap], pool[k]
            if k < hand:
                state.hand[other, pool[k]] += 1
            else:
                state.paid[other, pool[k]] += 1
        starts = state.played[other, BASS] + state.hand[other, BASS] + state.paid[other, BASS]
        starts += state.played[other, WOLF] + state.hand[other, WOLF] + state.paid[other, WOLF]
        if starts > 0 or rules.first_town_on_coast != 0:
            break
    if rules.oaths != 0 and not known:  # what it has sworn is still secret
        redraw_oath(state, other, stream)


@kernel
def redraw_oath(state: StateRecord, other: Seat, stream: Stream) -> None:
    """Redraw a first reveal that is not yet public; nothing when the seat was not asked yet."""
    if other >= state.asked:
        return
    state.revealed[other, :] = 0
    size = np.int64(state.hand_size[other])
    for _pick in range(min(size, np.int64(2))):
        left = below(stream, max(size, np.int64(1)))
        for piece in range(N_PIECES):
            free = np.int64(state.hand[other, piece]) - np.int64(state.revealed[other, piece])
            if free > 0:
                if left < free:
                    state.revealed[other, piece] += 1
                    size -= 1
                    break
                left -= free


@kernel
def redraw_building(rules: RulesRecord, state: StateRecord, other: Seat, stream: Stream) -> None:
    """Redraw the part of a rival's team that it has built: only its size is known."""
    pool = np.empty(MAX_HIDDEN, dtype=np.int8)
    n = 0
    for piece in range(N_PIECES):
        state.hand[other, piece] = 0
        for _copy in range(state.pool[other, piece]):
            pool[n] = piece
            n += 1
    held = np.int64(state.hand_size[other])
    for k in range(min(held, np.int64(n))):
        swap = k + below(stream, n - k)
        pool[k], pool[swap] = pool[swap], pool[k]
        state.hand[other, pool[k]] += 1


@kernel
def shuffle_cards(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Redraw the Age Cards that nobody has seen: the deck below the top, others' agendas."""
    if rules.age_mode == ERA:
        sort_hidden(state)
        for k in range(state.deck_place + 1, state.deck_size):
            swap = k + below(stream, state.deck_size - k)
            state.deck[k], state.deck[swap] = state.deck[swap], state.deck[k]
    elif rules.age_mode == AGENDA:
        used = np.int64(0)
        if state.agenda[seat] >= 0:
            used |= bit(state.agenda[seat])
        used |= state.cards_seen
        for other in range(state.players):
            if other == seat or state.agenda[other] < 0:
                continue
            seen = 0
            best = np.int64(-1)
            for card in range(rules.n_cards):
                if (used & bit(card)) == 0:
                    seen += 1
                    if below(stream, seen) == 0:
                        best = np.int64(card)
            if best >= 0:
                state.agenda[other] = best
                used |= bit(best)


@kernel
def redraw_draft(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Redraw all groups that this seat has not looked at, and with them rivals' pools.

    Sizes of piles are seen by all; which piece lay in which pile only by splitter and chooser. What a rival has since
    played or shown, and was not seen to take, must have been in the groups that this seat has not looked at.
    """
    unseen = np.empty(MAX_HIDDEN, dtype=np.int8)
    owed = np.zeros((MAX_PLAYERS, N_PIECES), dtype=np.int64)
    n = list_unseen(rules, state, seat, unseen)
    if state.stage == PLAYING:
        list_owed(rules, state, seat, owed)
    taken = np.int64(0)
    laid = np.int64(0)  # places that hold what is owed: five bits a group
    for sure in (True, False):
        for group in range(state.n_groups):
            if looked_at(state, seat, group):
                continue
            for k in range(GROUP):
                if piece_in(state, group, k) < 0 or taken >= n or (laid & bit(group * GROUP + k)) != 0:
                    continue
                place = taken + below(stream, n - taken) if not sure else np.int64(-1)
                if sure and group < chosen_groups(state):
                    place = owed_place(unseen, taken, n, owed[owner_of_piece(state, group, k)])
                if place < 0:
                    continue
                laid |= bit(group * GROUP + k) if sure else np.int64(0)
                unseen[taken], unseen[place] = unseen[place], unseen[taken]
                put_piece(state, group, k, unseen[taken])
                taken += 1
    for other in range(state.players):
        if other != seat:
            state.pool[other, :] = 0
    for group in range(chosen_groups(state)):
        for k in range(GROUP):
            piece = piece_in(state, group, k)
            owner = owner_of_piece(state, group, k)
            if piece >= 0 and owner != seat:
                state.pool[owner, piece] += 1


@kernel
def list_unseen(rules: RulesRecord, state: StateRecord, seat: Seat, unseen: Counts) -> Any:
    """List the pieces of both sets that this seat has not looked at; return how many."""
    n = 0
    for piece in range(N_PIECES):
        if (state.banned & bit(piece)) != 0 and rules.draft_bans != VOID:
            continue
        left = 2 * np.int64(rules.set_counts[piece])
        for group in range(state.n_groups):
            if looked_at(state, seat, group):
                for k in range(GROUP):
                    if piece_in(state, group, k) == piece:
                        left -= 1
        for _copy in range(left):
            unseen[n] = piece
            n += 1
    return np.int64(n)


@kernel
def list_owed(rules: RulesRecord, state: StateRecord, seat: Seat, owed: Count) -> None:
    """Count by seat the pieces that it has played or shown and that this seat did not see it take."""
    for other in range(state.players):
        for piece in range(N_PIECES):
            owed[other, piece] = state.played[other, piece]
            owed[other, piece] += state.revealed[other, piece] if rules.oaths != 0 else 0
        owed[other, added_piece(state, np.int64(other))] -= 1
    for group in range(state.n_groups):
        if looked_at(state, seat, group):
            for k in range(GROUP):
                piece = piece_in(state, group, k)
                if piece >= 0:
                    owed[owner_of_piece(state, group, k), piece] -= 1


@kernel
def owed_place(unseen: Counts, taken: Any, n: Count, owed: Count) -> Any:
    """Return where a piece that is owed lies among the unseen ones, and count it as paid; -1 if there is none."""
    for k in range(taken, n):
        if owed[unseen[k]] > 0:
            owed[unseen[k]] -= 1
            return np.int64(k)
    return np.int64(-1)


@kernel
def looked_at(state: StateRecord, seat: Seat, group: Index) -> Whether:
    """Whether `seat` has seen the pieces of a group: as its splitter, or as its chooser."""
    if group < state.group:
        return splitter_of(state, group) == seat or chooser_of(state, group) == seat
    if group == state.group and state.chooser >= 0:
        return state.splitter == seat or (state.phase != SPLIT and state.chooser == seat)
    return False


@kernel
def chosen_groups(state: StateRecord) -> Any:
    """How many groups have been chosen from; the last of them lies there until the next one is turned up."""
    chosen = np.int64(state.group) + (1 if state.phase == RESOLVE and state.chooser >= 0 else 0)
    return min(chosen, np.int64(state.n_groups))


@kernel
def sort_hidden(state: StateRecord) -> None:
    """Put the hidden part of the deck in order, so that what is drawn next depends on the stream only."""
    for k in range(state.deck_place + 1, state.deck_size):
        place = k
        while place > state.deck_place + 1 and state.deck[place - 1] > state.deck[place]:
            state.deck[place], state.deck[place - 1] = state.deck[place - 1], state.deck[place]
            place -= 1
