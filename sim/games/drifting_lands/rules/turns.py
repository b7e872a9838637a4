"""The course of play: four phases a round, one small decision at a time ("Gameplay")."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import FINISHED, OVER
from sim.core.jit import implements, kernel
from sim.core.kinds import (
    Action,
    Actions,
    Count,
    Counts,
    Index,
    RulesRecord,
    Seat,
    StateRecord,
    Stream,
    Whether,
)
from sim.games.drifting_lands.rules.cards import (
    act,
    breed,
    evolve,
    list_births,
    list_card,
    list_drifts,
    list_moves,
    span_of,
)
from sim.games.drifting_lands.rules.kinds import Card
from sim.games.drifting_lands.rules.land import free_label, pawn_of, shift, stack_tile, tiles_of, to_supply
from sim.games.drifting_lands.rules.moving import move_pawn, room_beside
from sim.games.drifting_lands.rules.splitting import parts
from sim.games.drifting_lands.rules.state import (
    BREED,
    BREED_AGAIN,
    CARD_AT,
    CARD_DRIFT,
    CARD_MASK,
    CARD_SPLIT,
    CHOOSE_START,
    CHOSEN,
    DIAGONAL,
    DO_DRIFT,
    DRIFT,
    EVOLVE,
    EVOLVE_AGAIN,
    EVOLVE_INSTEAD,
    EVOLVING,
    EXPEL,
    EXPEL_TO,
    FIRST_AT,
    KIND_AT,
    LAST_FIRST,
    MAY,
    MAY_REMOVE,
    MIGRATING,
    MOVE,
    MOVING,
    N_CARDS,
    N_STARTS,
    NO_EFFECT,
    PART,
    PART_BIT,
    PLACE_MASK,
    PLAY,
    RAISE,
    REMOVE,
    REPRODUCING,
    SECOND,
    SELECT,
    START,
    STAY,
    STOP,
    TAKE_CARD,
    State,
)

# --- what is asked -------------------------------------------------------------------------------------------


@kernel
def list_starts(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    """Write the continents that may still be chosen; with two players the diagonal one is left to the second."""
    n = 0
    for c in range(N_STARTS):
        free = True
        for seat in range(state.players):
            taken = state.start[seat]
            if taken == c:
                free = False
            elif taken >= 0 and state.players == 2 and rules.two_player_start == DIAGONAL:
                free = free and (taken + 2) % N_STARTS == c
        if free:
            out[n] = act(CHOOSE_START, 0, 0, c)
            n += 1
    return n


@kernel
def list_plays(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    """Write every card of the hand with every target; a card that can do nothing is played without effect."""
    hand = state.hand[state.seat]
    n = 0
    for card in range(N_CARDS):
        if hand[card] == 0 or card == MOVING or card == MIGRATING:
            continue
        before = n
        n = list_card(rules, state, card, out, n)
        if n == before or rules.decline:
            out[n] = act(NO_EFFECT, card, 0, 0)
            n += 1
    if hand[MOVING] > 0 or hand[MIGRATING] > 0:
        n = list_moves(rules, state, hand[MOVING] > 0, hand[MIGRATING] > 0, out, n)
    return n


@implements("legal", State)
def legal(rules: RulesRecord, state: StateRecord, out: Actions) -> Count:
    phase = state.phase
    n = 0
    if phase == PLAY:
        n = list_plays(rules, state, out)
    elif phase == SELECT:
        for card in range(N_CARDS):
            if state.deck[state.seat, card] > 0:
                out[n] = act(TAKE_CARD, card, 0, 0)
                n += 1
    elif phase == DRIFT:
        n = list_drifts(rules, state, np.int64(-1), out, 0)
        if n == 0 or rules.drifting_phase == MAY:
            out[n] = act(STAY, 0, 0, 0)
            n += 1
    elif phase == PART:
        whole = tiles_of(state, state.label[state.from_space])
        spaces = span_of(rules, state.card)
        n = parts(rules, state, whole, np.int64(state.to_space), spaces, np.int64(rules.split_list), out)
        for i in range(n):
            out[i] |= PART_BIT
    elif phase == EXPEL:
        n = room_beside(rules, state, state.to_space, state.from_space, out)
        for i in range(n):
            out[i] = act(EXPEL_TO, 0, 0, out[i])
        if rules.expelling == MAY_REMOVE:
            out[n] = act(REMOVE, 0, 0, 0)
            n += 1
    elif phase == SECOND:
        n = list_births(rules, state, BREED_AGAIN, EVOLVE_AGAIN, 0, out, 0)
        if rules.decline:
            out[n] = act(STOP, 0, 0, 0)
            n += 1
    elif phase == START:
        n = list_starts(rules, state, out)
    return n


# --- what happens --------------------------------------------------------------------------------------------


@implements("apply", State)
def apply(rules: RulesRecord, state: StateRecord, action: Action) -> None:
    if action >= PART_BIT:
        split_off(rules, state, np.int64(action) - PART_BIT)
        end_turn(rules, state)
        return
    kind = np.int64(action) >> KIND_AT
    card = np.int64(action) >> CARD_AT & CARD_MASK
    a = np.int64(action) >> FIRST_AT & PLACE_MASK
    b = np.int64(action) & PLACE_MASK
    if kind == CHOOSE_START:
        settle(rules, state, state.seat, b)
        after_start(rules, state)
    elif kind == DO_DRIFT:
        shift(rules, state, tiles_of(state, state.label[a]), b, 1, np.int64(-1), np.int64(-1))
        after_drift(rules, state)
    elif kind == STAY:
        after_drift(rules, state)
    elif kind == TAKE_CARD:
        state.deck[state.seat, card] -= 1
        state.hand[state.seat, card] += 1
        if cards_in(state.hand[state.seat]) >= rules.cards_per_round or cards_in(state.deck[state.seat]) == 0:
            state.asked += 1
            next_selector(rules, state)
    elif kind == EXPEL_TO:
        state.pawn[b] = state.expelled
        end_turn(rules, state)
    elif kind == REMOVE:
        to_supply(state, state.expelled)
        end_turn(rules, state)
    elif kind == BREED_AGAIN:
        breed(state, b)
        end_turn(rules, state)
    elif kind == EVOLVE_AGAIN:
        evolve(rules, state, b, np.int64(EVOLVING))
        end_turn(rules, state)
    elif kind == STOP:
        end_turn(rules, state)
    else:
        play_card(rules, state, kind, card, a, b)


@kernel
def play_card(rules: RulesRecord, state: StateRecord, kind: Index, card: Card, a: Any, b: Any) -> None:
    """Play a card from the hand and do what it does, as far as no further decision is due."""
    state.hand[state.seat, card] -= 1
    state.discard[state.seat, card] += 1
    if state.first_turn[state.seat, card] < 0:
        state.first_turn[state.seat, card] = state.turn + 1
    pending = False
    if kind == NO_EFFECT:
        state.wasted[state.seat, card] += 1
    elif kind == CARD_DRIFT:
        whole = tiles_of(state, state.label[a])
        shift(rules, state, whole, b, span_of(rules, card), card, np.int64(-1))
    elif kind == CARD_SPLIT:
        state.phase = PART
        state.card = card
        state.from_space = a
        state.to_space = b
        pending = True
    elif kind == RAISE:
        stack_tile(rules, state, a, b, card)
    elif kind == MOVE:
        pending = move_pawn(rules, state, card, a, b)
    elif kind == BREED:
        breed(state, b)
    elif kind == EVOLVE_INSTEAD:
        evolve(rules, state, b, np.int64(EVOLVING))
    elif kind == EVOLVE:
        evolve(rules, state, b, card)
    if card == REPRODUCING and kind != NO_EFFECT:
        state.phase = SECOND
        state.card = card
        pending = can_breed(rules, state)
    if not pending:
        end_turn(rules, state)


@kernel
def can_breed(rules: RulesRecord, state: StateRecord) -> Whether:
    """Return whether the second half of Reproducing can do something."""
    out = np.empty(rules.n_spaces + 1, dtype=np.int32)
    return list_births(rules, state, BREED_AGAIN, EVOLVE_AGAIN, 0, out, 0) > 0


@kernel
def split_off(rules: RulesRecord, state: StateRecord, part: Any) -> None:
    """Move a part of the continent that was chosen; where continents do not merge it is a new one."""
    new_label = np.int64(-1) if rules.continents_merge else np.int64(free_label(state))
    spaces = span_of(rules, state.card)
    shift(rules, state, part, np.int64(state.to_space), spaces, np.int64(state.card), new_label)


@kernel
def settle(rules: RulesRecord, state: StateRecord, seat: Seat, continent: Any) -> None:
    """Place the first pawns of `seat` on its starting continent."""
    state.start[seat] = continent
    for k in range(rules.start_pawns):
        state.pawn[rules.start_space[continent, k]] = pawn_of(seat, 1)
        state.supply[seat, 0] -= 1


@kernel
def cards_in(counts: Counts) -> Count:
    """Return how many cards there are."""
    total = np.int64(0)
    for card in range(N_CARDS):
        total += counts[card]
    return total


# --- from phase to phase -------------------------------------------------------------------------------------


@kernel
def begin_start(rules: RulesRecord, state: StateRecord) -> None:
    """Ask for the starting continents."""
    if rules.start_continents != CHOSEN:
        begin_round(rules, state)
        return
    state.phase = START
    state.asked = 0
    state.seat = state.players - 1 if rules.start_order == LAST_FIRST else 0


@kernel
def after_start(rules: RulesRecord, state: StateRecord) -> None:
    """Go on to the next who chooses a continent, or to the first round."""
    state.asked += 1
    if state.asked >= state.players:
        begin_round(rules, state)
    else:
        state.seat = state.seat - 1 if rules.start_order == LAST_FIRST else state.seat + 1


@kernel
def begin_round(rules: RulesRecord, state: StateRecord) -> None:
    """Begin the Drifting phase of a round."""
    state.phase = DRIFT
    state.asked = 0
    state.seat = state.first


@kernel
def after_drift(rules: RulesRecord, state: StateRecord) -> None:
    """A turn of the Drifting phase is over."""
    state.last = state.seat
    state.turn += 1
    state.asked += 1
    if state.asked < state.players:
        state.seat = (state.seat + 1) % state.players
        return
    state.phase = SELECT
    state.asked = 0
    next_selector(rules, state)


@kernel
def next_selector(rules: RulesRecord, state: StateRecord) -> None:
    """Ask the next player with cards left to select; when all have, cards are played."""
    while state.asked < state.players:
        seat = (state.first + state.asked) % state.players
        if cards_in(state.deck[seat]) > 0 and cards_in(state.hand[seat]) < rules.cards_per_round:
            state.seat = seat
            return
        state.asked += 1
    next_player(rules, state, state.first)


@kernel
def next_player(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Let `seat` or the first after it with a card in hand play; without any card the round ends."""
    for k in range(state.players):
        other = (seat + k) % state.players
        if cards_in(state.hand[other]) > 0:
            state.phase = PLAY
            state.seat = other
            return
    state.asked = 0
    if state.round_no + 1 >= rules.rounds:
        state.phase = OVER
        state.ended = FINISHED
        return
    state.round_no += 1
    state.first = (state.first + 1) % state.players
    begin_round(rules, state)


@kernel
def end_turn(rules: RulesRecord, state: StateRecord) -> None:
    """A card has been played to its end."""
    state.card = -1
    state.from_space = -1
    state.to_space = -1
    state.expelled = 0
    state.last = state.seat
    state.turn += 1
    next_player(rules, state, (state.seat + 1) % state.players)


@implements("resolve", State)
def resolve(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    """Nothing is left to chance or to hidden hands: `apply` itself goes on to the next decision."""
