"""Trading between players: one offer to one named player, an answer or one counter-offer (R72 to R74)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel, lowest
from sim.core.kinds import Count, Index, Mask, RulesRecord, Seat, StateRecord, Whether
from sim.games.mars.rules.kinds import Bundle
from sim.games.mars.rules.params import STRUCTURES
from sim.games.mars.rules.state import (
    A_COUNTER,
    A_OFFER,
    ACT,
    ANSWER,
    COUNT_AT,
    COUNTER,
    FIRST_AT,
    GIVEN_AT,
    HIDDEN,
    KIND_AT,
    N_CARDS,
    NO_TRADING,
    RCU,
    TERM_MASK,
    TRADED,
    UP_TO_TWO,
)
from sim.games.mars.rules.stores import note_first, settle_debt

_CARD_PIECE = len(STRUCTURES)


@kernel
def held(state: StateRecord, seat: Seat, kind: Index) -> Count:
    """Return how many of a traded kind (card or kept event) the seat has."""
    if kind < N_CARDS:
        return np.int64(state.cards[seat, kind])
    return np.int64(state.kept[seat, kind - N_CARDS])


@kernel
def kinds_held(rules: RulesRecord, state: StateRecord, seat: Seat, least: Count) -> Mask:
    """Return the kinds of which the seat has `least` or more, as bits."""
    bits = np.int64(0)
    for kind in range(N_CARDS):
        bits |= np.int64(state.cards[seat, kind] >= least) << kind
    for kind in range(3 if rules.trade_event12 != 0 else 2):
        bits |= np.int64(state.kept[seat, kind] >= least) << (N_CARDS + kind)
    return bits


@kernel
def kinds_asked(rules: RulesRecord, state: StateRecord, seat: Seat, least: Count) -> Any:
    """`kinds_held` as others may know it: with hidden cards all cards, and the events that lie open (R93)."""
    bits = kinds_held(rules, state, seat, least)
    if rules.cards == HIDDEN:
        bits |= (np.int64(1) << N_CARDS) - 1
    return bits


@kernel
def terms(give_kind: Index, give_count: Count, get_kind: Index, get_count: Count) -> Any:
    """Return a bundle for a bundle as the low bits of an action."""
    return (give_kind | give_count << COUNT_AT) << GIVEN_AT | get_kind | get_count << COUNT_AT


@kernel
def list_offers(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """Write the offers that the player may make: one a turn to each other player."""
    if rules.trading == NO_TRADING or state.offers >= rules.trade_offers:
        return n
    gives = kinds_held(rules, state, seat, 1)
    if gives == 0:
        return n
    shapes = 3 if rules.trading == UP_TO_TWO else 1
    for other in range(state.players):
        if other == seat or state.gone[other] != 0 or (state.asked >> other) & 1 != 0:
            continue
        for shape in range(shapes):  # one for one, two for one, one for two
            give_count = 2 if shape == 1 else 1
            get_count = 2 if shape == 2 else 1
            head = (
                np.int64(A_OFFER) << KIND_AT
                | np.int64(other) << FIRST_AT
                | terms(0, give_count, 0, get_count)
            )
            givable = kinds_held(rules, state, seat, 2) if shape == 1 else gives
            askable = kinds_asked(rules, state, np.int64(other), get_count)
            while givable != 0:
                give = lowest(givable)
                givable &= givable - 1
                asks = askable & ~(np.int64(1) << give)
                for ask in range(
                    TRADED
                ):  # written without a branch: an entry that does not count is overwritten
                    out[n] = head | give << GIVEN_AT | ask
                    n += (asks >> ask) & 1
    return n


@kernel
def list_counters(rules: RulesRecord, state: StateRecord, out: Any, n: Count) -> Any:
    """Write the counter-offers: one card more, or another kind on one side."""
    give, get = np.int64(state.give_kind), np.int64(state.get_kind)
    give_n, get_n = np.int64(state.give_count), np.int64(state.get_count)
    head = np.int64(A_COUNTER) << KIND_AT
    mine = kinds_held(rules, state, np.int64(state.other), 1)
    theirs = kinds_asked(rules, state, np.int64(state.giver), 1)
    keeps = held(state, np.int64(state.other), get) >= get_n
    more = rules.cards == HIDDEN and give < N_CARDS
    if keeps and give_n < 3 and (more or held(state, np.int64(state.giver), give) > give_n):
        out[n] = head | terms(give, give_n + 1, get, get_n)
        n += 1
    kinds = ~(np.int64(1) << give | np.int64(1) << get)
    if keeps:
        theirs &= kinds
        while theirs != 0:
            out[n] = head | terms(lowest(theirs), np.int64(1), get, get_n)
            n += 1
            theirs &= theirs - 1
    mine &= kinds
    while mine != 0:
        out[n] = head | terms(give, give_n, lowest(mine), np.int64(1))
        n += 1
        mine &= mine - 1
    return n


@kernel
def propose(state: StateRecord, partner: Seat, bundle: Bundle) -> None:
    """Put an offer on the table and ask the partner."""
    state.giver = state.seat
    state.other = partner
    put_terms(state, bundle)
    state.asked |= np.int32(1) << np.int32(partner)
    state.offers += 1
    state.phase = ANSWER
    state.seat = partner


@kernel
def counter(state: StateRecord, bundle: Bundle) -> None:
    """Put a counter-offer on the table and ask the proposer."""
    put_terms(state, bundle)
    state.phase = COUNTER
    state.seat = state.giver


@kernel
def put_terms(state: StateRecord, bundle: Bundle) -> None:
    """Write a bundle for a bundle into the state."""
    state.give_kind = (bundle >> GIVEN_AT) & TERM_MASK
    state.give_count = (bundle >> GIVEN_AT + COUNT_AT) & TERM_MASK
    state.get_kind = bundle & TERM_MASK
    state.get_count = (bundle >> COUNT_AT) & TERM_MASK


@kernel
def close(state: StateRecord) -> None:
    """The trade is over; the proposer goes on."""
    state.phase = ACT
    state.seat = state.mover
    state.giver = -1
    state.other = -1


@kernel
def can_accept(state: StateRecord) -> Whether:
    """Return whether the asked player holds what is asked of it."""
    if state.phase == ANSWER:
        return held(state, np.int64(state.other), np.int64(state.get_kind)) >= state.get_count
    return held(state, np.int64(state.giver), np.int64(state.give_kind)) >= state.give_count


@kernel
def hand_over(state: StateRecord, source: Seat, target: Seat, kind: Index, n: Count) -> None:
    """Move cards or kept events from one player to another."""
    if kind < N_CARDS:
        state.cards[source, kind] -= n
        state.cards[target, kind] += n
        state.traded[target, kind] += n
        note_first(state, target, _CARD_PIECE + kind)
    else:
        state.kept[source, kind - N_CARDS] -= n
        state.kept[target, kind - N_CARDS] += n


@kernel
def swap(state: StateRecord) -> None:
    """Carry out what is on the table; debts of event 12 are paid at once."""
    giver, other = np.int64(state.giver), np.int64(state.other)
    give, get = np.int64(state.give_kind), np.int64(state.get_kind)
    hand_over(state, giver, other, give, np.int64(state.give_count))
    hand_over(state, other, giver, get, np.int64(state.get_count))
    if give >= RCU or get >= RCU:
        settle_debt(state, giver)
        settle_debt(state, other)
