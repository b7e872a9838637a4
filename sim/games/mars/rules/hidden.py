"""What a seat cannot know, redrawn: the order of the deck, dealt events, and hidden hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel
from sim.core.kinds import Counts, RulesRecord, Seat, StateRecord, Stream
from sim.core.rng import below
from sim.games.mars.rules.state import (
    ANSWER,
    COUNTER,
    FIXED_RANDOM,
    HIDDEN,
    MAX_PLAYERS,
    N_CARDS,
    N_EVENTS,
    State,
)

_RING = 127


@implements("determinize", State)
def determinize(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Redraw the unseen part of the deck with events dealt but not drawn, and hidden hands.

    Which cards these are in all is known to everybody (open discards, the treasury); only which is where is not.
    """
    redraw_deck(rules, state, stream)
    if rules.cards == HIDDEN:
        redraw_hands(state, np.int64(seat), stream)


@kernel
def _draw(counts: Counts, stream: Stream) -> Any:
    """Draw one of the counted things and take it out."""
    total = np.int64(0)
    for k in range(counts.shape[0]):
        total += counts[k]
    pick = below(stream, total)
    for k in range(counts.shape[0]):
        if pick < counts[k]:
            counts[k] -= 1
            return np.int64(k)
        pick -= counts[k]
    return np.int64(-1)


@kernel
def redraw_deck(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    """Shuffle what nobody has seen."""
    counts = np.zeros(N_EVENTS, dtype=np.int64)
    unseen = state.deck_size - state.seen
    for k in range(unseen):
        counts[state.deck[(state.top + k) & _RING]] += 1
    if rules.first_event == FIXED_RANDOM:
        for other in range(state.players):
            if state.dealt[other] >= 0:
                counts[state.dealt[other]] += 1
        for other in range(state.players):
            if state.dealt[other] >= 0:
                state.dealt[other] = _draw(counts, stream)
                state.event_given[other] = state.dealt[other]
    for k in range(unseen):
        state.deck[(state.top + k) & _RING] = _draw(counts, stream)


@kernel
def redraw_hands(state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Deal the cards of the others anew, as many to each as it has; what lies on the table stays with its owner."""
    counts = np.zeros(N_CARDS, dtype=np.int64)
    sizes = np.zeros(MAX_PLAYERS, dtype=np.int64)
    for other in range(state.players):
        if other != seat:
            for kind in range(N_CARDS):
                counts[kind] += state.cards[other, kind]
                sizes[other] += state.cards[other, kind]
                state.cards[other, kind] = 0
    bound = np.int64(-1)
    kind_bound = np.int64(0)
    n_bound = np.int64(0)
    if state.phase == ANSWER and state.giver != seat:
        bound, kind_bound, n_bound = (
            np.int64(state.giver),
            np.int64(state.give_kind),
            np.int64(state.give_count),
        )
    elif state.phase == COUNTER and state.other != seat:
        bound, kind_bound, n_bound = (
            np.int64(state.other),
            np.int64(state.get_kind),
            np.int64(state.get_count),
        )
    if bound >= 0 and kind_bound < N_CARDS:
        state.cards[bound, kind_bound] = n_bound
        counts[kind_bound] -= n_bound
        sizes[bound] -= n_bound
    for other in range(state.players):
        if other != seat:
            for _k in range(sizes[other]):
                state.cards[other, _draw(counts, stream)] += 1
