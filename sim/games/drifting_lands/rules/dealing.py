"""Set-up: land, pawns, decks; which card is withheld or given; drawn starting continents."""

from __future__ import annotations

import numpy as np

from sim.core.jit import implements, kernel
from sim.core.kinds import Count, Entrants, RulesRecord, Seating, Seed, StateRecord
from sim.core.rng import CARDS, DEAL, FOUNDING, TASTE, TEAM, keyed, to_below
from sim.games.drifting_lands.rules.land import survey
from sim.games.drifting_lands.rules.state import (
    BY_SEAT,
    DIAGONAL,
    DRAWN,
    EITHER,
    GIVEN,
    LEVELS,
    MAX_PLAYERS,
    N_CARDS,
    N_STARTS,
    ROOM,
    WITHHELD,
    State,
)
from sim.games.drifting_lands.rules.turns import begin_start, settle


@kernel
def clear(rules: RulesRecord, state: StateRecord, players: Count) -> None:
    """Lay out an ocean without land, pawns or cards."""
    state.players = players
    state.phase = 0
    state.seat = 0
    state.turn = 0
    state.ended = 0
    state.round_no = 0
    state.first = 0
    state.asked = 0
    state.last = -1
    state.salt = np.uint64(0)
    state.n_tiles = 0
    for space in range(ROOM):
        state.land[space] = 0
        state.number[space] = -1
        state.label[space] = -1
        state.worth[space] = 0
        state.pawn[space] = 0
    for seat in range(MAX_PLAYERS):
        state.start[seat] = -1
        state.taste[seat] = np.uint64(0)
        for its_level in range(LEVELS):
            state.supply[seat, its_level] = rules.pawns[its_level] if seat < players else 0
            state.lost[seat, its_level] = 0
        for card in range(N_CARDS):
            state.deck[seat, card] = 0
            state.hand[seat, card] = 0
            state.discard[seat, card] = 0
            state.given[seat, card] = 0
            state.wasted[seat, card] = 0
            state.harm[seat, card] = 0
            state.first_turn[seat, card] = -1
    state.card = -1
    state.from_space = -1
    state.to_space = -1
    state.expelled = 0


@kernel
def lay_land(rules: RulesRecord, state: StateRecord) -> None:
    """Lay the tiles of the map, with the values that are printed on them."""
    for space in range(rules.n_spaces):
        state.land[space] = rules.first_land[space]
        state.label[space] = rules.first_label[space]
        state.worth[space] = rules.value[space] if rules.first_land[space] > 0 else 0
    survey(rules, state)


@kernel
def pull_lever(rules: RulesRecord, state: StateRecord, who: Seating, seed: Seed) -> None:
    """Withhold a copy of one card from one player, or give it one: keyed by the player, not by its seat."""
    player = to_below(keyed(seed, TEAM, 0), state.players)
    seat = 0
    for s in range(state.players):
        if who[s] == player:
            seat = s
    give = rules.lever == GIVEN
    if rules.lever == EITHER:
        give = to_below(keyed(seed, TEAM, 1), 2) == 1
    kinds = 0
    for card in range(N_CARDS):
        if state.deck[seat, card] > 0:
            kinds += 1
    wanted = to_below(keyed(seed, CARDS, 0), kinds)
    for card in range(N_CARDS):
        if state.deck[seat, card] > 0:
            if wanted == 0:
                state.deck[seat, card] += 1 if give else -1
            wanted -= 1


@kernel
def draw_starts(rules: RulesRecord, state: StateRecord, seed: Seed) -> None:
    """Give out starting continents by chance, or clockwise by seat."""
    taken = np.int64(0)
    for seat in range(state.players):
        continent = np.int64(seat)
        if (
            state.players == 2
            and seat == 1
            and (rules.start_continents == BY_SEAT or rules.two_player_start == DIAGONAL)
        ):
            continent = (np.int64(state.start[0]) + 2) % N_STARTS
        elif rules.start_continents == DRAWN:
            skip = to_below(keyed(seed, FOUNDING, seat), N_STARTS - seat)
            for c in range(N_STARTS):
                if taken >> c & 1 == 0:
                    if skip == 0:
                        continent = np.int64(c)
                    skip -= 1
        taken |= np.int64(1) << continent
        settle(rules, state, seat, continent)


@implements("setup", State)
def setup(rules: RulesRecord, state: StateRecord, entrants: Entrants, who: Seating, seed: Seed) -> None:
    players = np.int64(rules.drifting_lands_players)
    clear(rules, state, players)
    state.salt = keyed(seed, DEAL, 0)
    lay_land(rules, state)
    for seat in range(players):
        deck = entrants[who[seat]].drifting_lands_deck
        state.taste[seat] = keyed(seed, TASTE, who[seat])
        for card in range(N_CARDS):
            state.deck[seat, card] = deck[card]
    if rules.lever >= WITHHELD:
        pull_lever(rules, state, who, seed)
    for seat in range(players):
        for card in range(N_CARDS):
            state.given[seat, card] = state.deck[seat, card]
    if rules.start_continents == DRAWN or rules.start_continents == BY_SEAT:
        draw_starts(rules, state, seed)
    begin_start(rules, state)
