"""What cannot be seen: which cards the others have selected, and their taste. Decks and discards are public."""

from __future__ import annotations

from sim.core.jit import implements
from sim.core.kinds import RulesRecord, Seat, StateRecord, Stream
from sim.core.rng import below, u64
from sim.games.drifting_lands.rules.state import N_CARDS, State
from sim.games.drifting_lands.rules.turns import cards_in


@implements("determinize", State)
def determinize(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    for other in range(state.players):
        if other == seat:
            continue
        state.taste[other] = u64(stream)
        hand = state.hand[other]
        deck = state.deck[other]
        wanted = cards_in(hand)
        if wanted == 0:
            continue
        for card in range(N_CARDS):  # what has not been played is public; which of it is in the hand is not
            deck[card] += hand[card]
            hand[card] = 0
        left = cards_in(deck)
        for _ in range(wanted):
            place = below(stream, left)
            for card in range(N_CARDS):
                if place < deck[card]:
                    deck[card] -= 1
                    hand[card] += 1
                    break
                place -= deck[card]
            left -= 1
