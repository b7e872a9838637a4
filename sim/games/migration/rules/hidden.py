"""What a seat cannot know, redrawn from what it can: `determinize`, which never reads a hidden field."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.jit import bit, implements, kernel, where
from sim.core.rng import below
from sim.games.migration.rules.drafting import (
    chooser_of,
    owner_of_piece,
    piece_in,
    put_piece,
    splitter_of,
)
from sim.games.migration.rules.state import (
    AGENDA,
    BASS,
    BUILDING,
    DRAFTING,
    ERA,
    FOUNDING,
    GROUP,
    N_PIECES,
    PLAYING,
    SPLIT,
    VARIANTS,
    VOID,
    WOLF,
    State,
)


@implements("determinize", State)
def determinize(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    """Redraw rivals' hidden pieces and the cards that nobody has seen.

    A rival's team is any legal one that fits what was seen: its Towns so far, what it shows under Oaths, the sizes of
    its hand and payments (ruling G10: drawn evenly from the set, from two sets after a Draft, without the banned).
    Before play: groups not yet dealt out and rivals' pools are redrawn from what this seat has not seen.
    """
    redraw(rules, state, np.int64(seat), stream)


@kernel
def _redraw_all(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    """Redraw cards, groups, pools and hands."""
    shuffle_cards(rules, state, seat, stream)
    if state.stage == DRAFTING or state.stage == FOUNDING:
        redraw_draft(rules, state, seat, stream)
        return
    for other in range(state.players):
        if other == seat:
            continue
        if state.stage == BUILDING:
            redraw_building(rules, state, np.int64(other), stream)
        else:
            redraw_hand(rules, state, np.int64(other), stream)


@kernel
def _redraw_hands(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    """Redraw rivals' hands and payments."""
    for other in range(state.players):
        if other != seat:
            redraw_hand(rules, state, np.int64(other), stream)


redraw = where(VARIANTS, "redraw", "rules, state, seat, stream", _redraw_all, _redraw_hands)


@kernel
def copies(rules: Any, piece: Any) -> Any:
    """How many of a piece a team can hold at most."""
    return np.int64(rules.set_counts[piece]) * (2 if rules.draft != 0 else 1) + (1 if rules.draft != 0 else 0)


@kernel
def redraw_hand(rules: Any, state: Any, other: Any, stream: Any) -> None:
    """Redraw what a rival holds and has paid."""
    pool = np.empty(N_PIECES * 25, dtype=np.int8)
    known = state.stage == PLAYING and rules.oaths != 0
    out = state.banned | state.own_bans[other]
    for _attempt in range(64):
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
                for _copy in range(max(0, copies(rules, piece) - state.played[other, piece] - shown)):
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
def redraw_oath(state: Any, other: Any, stream: Any) -> None:
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
def redraw_building(rules: Any, state: Any, other: Any, stream: Any) -> None:
    """Redraw a rival's pool (after a Draft) and the part of its team that it has built: only their sizes are known."""
    pool = np.empty(N_PIECES * 25, dtype=np.int8)
    size = np.int64(0)
    for piece in range(N_PIECES):
        size += state.pool[other, piece]
    if rules.draft != 0:
        n = fill_from_set(rules, state, other, pool)
        state.pool[other, :] = 0
        for k in range(min(size, n)):
            swap = k + below(stream, n - k)
            pool[k], pool[swap] = pool[swap], pool[k]
            state.pool[other, pool[k]] += 1
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
def fill_from_set(rules: Any, state: Any, other: Any, pool: Any) -> Any:
    """List every copy that `other` may have drafted; return how many."""
    n = 0
    out = state.banned | state.own_bans[other]
    for piece in range(N_PIECES):
        if (out & bit(piece)) == 0:
            for _copy in range(copies(rules, piece)):
                pool[n] = piece
                n += 1
    return n


@kernel
def shuffle_cards(rules: Any, state: Any, seat: Any, stream: Any) -> None:
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
def redraw_draft(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    """Redraw all groups that this seat has not looked at, and with them rivals' pools.

    Sizes of piles are seen by all; which piece lay in which pile only by splitter and chooser.
    """
    unseen = np.empty(N_PIECES * 25, dtype=np.int8)
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
    taken = 0
    for group in range(state.n_groups):
        if looked_at(state, seat, group):
            continue
        for k in range(GROUP):
            if piece_in(state, group, k) >= 0 and taken < n:
                swap = taken + below(stream, n - taken)
                unseen[taken], unseen[swap] = unseen[swap], unseen[taken]
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
def looked_at(state: Any, seat: Any, group: Any) -> Any:
    """Whether `seat` has seen the pieces of a group: as its splitter, or as its chooser."""
    if group < state.group:
        return splitter_of(state, group) == seat or chooser_of(state, group) == seat
    if group == state.group and state.chooser >= 0:
        return state.splitter == seat or (state.phase != SPLIT and state.chooser == seat)
    return False


@kernel
def chosen_groups(state: Any) -> Any:
    """How many groups have been chosen from; the last of them lies there until the next one is turned up."""
    return np.int64(state.group) + (1 if state.phase == RESOLVE and state.chooser >= 0 else 0)


@kernel
def sort_hidden(state: Any) -> None:
    """Put the hidden part of the deck in order, so that what is drawn next depends on the stream only."""
    for k in range(state.deck_place + 1, state.deck_size):
        place = k
        while place > state.deck_place + 1 and state.deck[place - 1] > state.deck[place]:
            state.deck[place], state.deck[place - 1] = state.deck[place - 1], state.deck[place]
            place -= 1
