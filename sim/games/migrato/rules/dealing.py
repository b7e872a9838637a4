"""Placing: the shuffled deck and the opening hands, by keyed draws.

Every single card has a number that belongs to the deal: leaving one out changes as little as possible of the rest.
"""

from __future__ import annotations

import numpy as np

from sim.core.jit import implements, kernel
from sim.core.kinds import Entrants, RulesRecord, Seating, Seed, StateRecord
from sim.core.rng import BANS, DEAL, keyed
from sim.games.migrato.rules.cards import take_in_hand
from sim.games.migrato.rules.columns import clear_column
from sim.games.migrato.rules.state import ACTION, MOST_CARDS, MOST_COLUMNS, N_PIECES, State

_MOST_COPIES = 128


@kernel
def clear(state: StateRecord) -> None:
    """Make the state an empty table with seat 0 to act."""
    state.phase = ACTION
    state.seat = 0
    state.players = 2
    state.turn = 0
    state.ended = 0
    state.todo = 0
    state.at = 0
    state.by_move = 0
    state.taken = 0
    state.stolen = 0
    state.stolen_known = 0
    state.ending = 0
    state.ender = -1
    state.last_seat = -1
    state.n_columns[:] = 0
    for seat in range(2):
        for c in range(MOST_COLUMNS):
            clear_column(state, seat, c)
    state.hand_size[:] = 0
    state.hand[:, :] = 0
    state.star[:, :] = 0
    state.pile_size[:, :] = 0
    state.pile[:, :, :] = 0
    state.deck_size = 0
    state.deck[:] = 0
    state.discard_size = 0
    state.discard[:] = 0
    state.apart[:] = 0
    state.looks[:, :] = -1
    state.passed[:] = 0
    forget_the_record(state)
    state.first_turn[:, :] = -1


@kernel
def forget_the_record(state: StateRecord) -> None:
    """Clear what is kept for logs only."""
    state.dealt[:, :] = 0
    state.held[:, :] = 0
    state.played[:, :] = 0
    state.first_turn[:, :] = 0
    state.discarded[:, :] = 0
    state.lost[:, :] = 0
    state.harm[:, :] = 0


@kernel
def set_apart(rules: RulesRecord, state: StateRecord, seed: Seed) -> None:
    """Draw single cards of different kinds that stay out of this deal."""
    for place in range(rules.left_out):
        best = np.int64(-1)
        lowest = np.uint64(0)
        for piece in range(N_PIECES):
            taken = False
            for k in range(place):
                if state.apart[k] == piece + 1:
                    taken = True
            if taken:
                continue
            for copy in range(rules.copies[piece]):
                key = keyed(seed, BANS, piece * _MOST_COPIES + copy)
                if best < 0 or key < lowest:
                    best = np.int64(piece)
                    lowest = key
        state.apart[place] = best + 1


@implements("setup", State)
def setup(rules: RulesRecord, state: StateRecord, entrants: Entrants, who: Seating, seed: Seed) -> None:
    clear(state)
    set_apart(rules, state, seed)
    keys = np.empty(MOST_CARDS, dtype=np.uint64)
    order = np.empty(MOST_CARDS, dtype=np.int64)
    n = np.int64(0)
    for piece in range(N_PIECES):
        copies = np.int64(rules.copies[piece])
        for k in range(rules.left_out):
            if state.apart[k] == piece + 1:
                copies -= 1
        for copy in range(copies):
            key = keyed(seed, DEAL, piece * _MOST_COPIES + copy)
            place = n
            while place > 0 and keys[place - 1] > key:
                keys[place] = keys[place - 1]
                order[place] = order[place - 1]
                place -= 1
            keys[place] = key
            order[place] = piece
            n += 1
    for seat in range(2):
        player = np.int64(who[seat])
        for k in range(rules.hand_size):
            piece = order[2 * k + player]
            take_in_hand(state, seat, piece, 0)
            state.dealt[seat, piece] += 1
    left = n - 2 * rules.hand_size
    for k in range(left):
        state.deck[k] = order[n - 1 - k] + 1
    state.deck_size = left
