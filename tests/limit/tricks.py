"""Tricks: hidden hands, a deck, chance and pieces in a hundred lines; the tests of `check-game` change one at a time.

Both play a card in turn, the higher one takes the trick (a tie goes to the second), and both draw.
"""

import numpy as np

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.game import Game
from sim.core.jit import implements, kernel
from sim.core.params import ParameterModel, rule, rules_type
from sim.core.records import state_type
from sim.core.rng import below, keyed, to_below

PLAY = 2
RANKS, COPIES, SEATS = 5, 3, 2


class Parameters(ParameterModel):
    """The numbers of the game."""

    hand: int = rule(3, "cards in a hand", ge=1, le=5)
    worth: int = rule(1, "points a trick", ge=1, le=3)


Rules = rules_type("tricks", Parameters, [("games", np.int32)])
State = state_type(
    "tricks",
    [
        ("hands", np.int8, (SEATS, RANKS)),
        ("dealt", np.int8, (SEATS, RANKS)),
        ("drawn", np.int8, (SEATS, RANKS)),
        ("deck", np.int8, (RANKS,)),
        ("table", np.int32),
        ("won", np.int32, (SEATS,)),
        ("last", np.int32),
    ],
)


@kernel
def card_from(cards, place):
    """Return the rank of the card at a place of a sorted heap."""
    for rank in range(RANKS):
        place -= cards[rank]
        if place < 0:
            return rank
    return RANKS


@implements("setup", State)
def setup(rules, state, entrants, who, seed):
    state.phase = PLAY
    state.players = SEATS
    state.seat = 0
    state.turn = 0
    state.ended = 0
    state.table = -1
    state.last = -1
    for rank in range(RANKS):
        state.deck[rank] = COPIES
    for seat in range(SEATS):
        state.won[seat] = 0
        for rank in range(RANKS):
            state.hands[seat, rank] = 0
            state.drawn[seat, rank] = 0
    for player in range(SEATS):
        seat = 0 if who[0] == player else 1
        for k in range(rules.hand):
            left = 0
            for rank in range(RANKS):
                left += state.deck[rank]
            rank = card_from(state.deck, to_below(keyed(seed, player, k), left))
            state.deck[rank] -= 1
            state.hands[seat, rank] += 1
        for rank in range(RANKS):
            state.dealt[seat, rank] = state.hands[seat, rank]


@implements("legal", State)
def legal(rules, state, out):
    n = 0
    for rank in range(RANKS):
        if state.hands[state.seat, rank] > 0:
            out[n] = rank
            n += 1
    return n


@implements("apply", State)
def apply(rules, state, action):
    seat = state.seat
    state.hands[seat, action] -= 1
    if state.table < 0:
        state.table = action
        state.seat = 1 - seat
        return
    taker = seat if action >= state.table else 1 - seat
    state.won[taker] += rules.worth
    state.last = taker
    state.table = -1
    state.seat = taker
    state.turn += 1
    state.phase = RESOLVE


@implements("resolve", State)
def resolve(rules, state, stream):
    state.phase = PLAY
    left = 0
    for rank in range(RANKS):
        left += state.deck[rank]
    if left >= SEATS:
        for seat in range(SEATS):
            rank = card_from(state.deck, below(stream, left - seat))
            state.deck[rank] -= 1
            state.hands[seat, rank] += 1
            state.drawn[seat, rank] += 1
    held = 0
    for rank in range(RANKS):
        held += state.hands[state.seat, rank]
    if held == 0:
        state.phase = OVER
        state.ended = FINISHED


@implements("score", State)
def score(rules, state, seat):
    return np.float64(state.won[seat])


@implements("determinize", State)
def determinize(rules, state, seat, stream):
    """What the other holds and what is in the deck is shuffled together and dealt anew."""
    other = 1 - seat
    held = 0
    for rank in range(RANKS):
        held += state.hands[other, rank]
    for rank in range(RANKS):
        state.deck[rank] += state.hands[other, rank]
        state.hands[other, rank] = 0
        state.dealt[other, rank] = 0
        state.drawn[other, rank] = 0
    left = 0
    for rank in range(RANKS):
        left += state.deck[rank]
    for _ in range(held):
        rank = card_from(state.deck, below(stream, left))
        left -= 1
        state.deck[rank] -= 1
        state.hands[other, rank] += 1


@implements("features", State)
def features(rules, state, seat, out):
    out[0] = state.won[seat] - state.won[1 - seat]
    out[1] = 0.0
    for rank in range(RANKS):
        out[1] += rank * state.hands[seat, rank]


@implements("tally", State)
def tally(rules, state, seat, out):
    out[:, :] = 0
    for rank in range(RANKS):
        out[0, rank] = state.dealt[seat, rank]
        out[1, rank] = -1
        out[2, rank] = -1
        out[3, rank] = state.dealt[seat, rank] + state.drawn[seat, rank]
        out[5, rank] = -1


class Tricks(Game):
    name = "tricks"
    title = "Tricks"
    about = "The higher card takes the trick."
    min_players = 2
    max_players = 2
    max_actions = RANKS
    pieces = ("One", "Two", "Three", "Four", "Five")
    phases = ("resolve", "over", "play")
    kinds = ("play",)
    features = ("ahead", "held")
    feature_help = {"ahead": "tricks ahead", "held": "ranks in hand"}
    weights = (1.0, 0.1)
    Parameters = Parameters
    State = State
    Rules = Rules

    def lever(self, parameters):
        return "hands are dealt at random"

    def action_piece(self, codes):
        return np.asarray(codes)

    def action_text(self, action, rules, cell=None, state_=None):
        return f"play {self.pieces[action]}"

    def position_text(self, rules, state, cell=None):
        hands = "; ".join(f"{'AB'[seat]} {state['hands'][seat].tolist()}" for seat in range(SEATS))
        return f"turn {state['turn']}, {'AB'[state['seat']]} to move\nhands  {hands}\nwon  {state['won'].tolist()}"


GAME = Tricks()
