"""Set-up: the board, arrival supplies, the deck, and what chance gives to each player."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.jit import implements, kernel
from sim.core.kinds import Counts, Entrants, Player, RulesRecord, Seat, Seating, Seed, StateRecord
from sim.core.rng import BANS, CARDS, DEAL, TEAM, below, keyed, start, to_below
from sim.games.mars.rules.placing import withheld
from sim.games.mars.rules.state import (
    BEGIN,
    CHOOSING,
    FIXED_CHOICE,
    FIXED_RANDOM,
    FLAGS,
    HABITAT,
    HOSPITAL,
    MAX_PLAYERS,
    MINE,
    N_CARDS,
    N_EVENTS,
    ROLLED,
    RUIN,
    TUNNEL,
    State,
)
from sim.games.mars.rules.tiles import set_up_board

_DRAWS = 16  # in the key of a withheld building: more than there are kinds of building
assert MINE < _DRAWS


@implements("setup", State)
def setup(rules: RulesRecord, state: StateRecord, entrants: Entrants, who: Seating, seed: Seed) -> None:
    wipe(state)
    players = np.int64(rules.players)
    state.players = players
    state.first = to_below(keyed(seed, DEAL, 0), players) if rules.first_player == ROLLED else 0
    state.mover = state.first
    state.seat = state.first
    state.phase = RESOLVE
    state.stage = CHOOSING if rules.free_building == FIXED_CHOICE else BEGIN
    state.corners = rules.ruins
    for k in range(N_CARDS + 1):
        state.bank[k] = rules.treasury[k]
    counts = np.zeros(N_EVENTS, dtype=np.int64)
    for k in range(N_EVENTS):
        counts[k] = rules.event_counts[k]
    given = np.zeros(MAX_PLAYERS, dtype=np.int64)
    deal_events(rules, seed, counts, given)
    for seat in range(players):
        player = np.int64(who[seat])
        state.never[seat] = entrants[player].never
        equip(rules, state, np.int64(seat))
        withhold(rules, state, seat, player, seed)
        state.dealt[seat] = given[player]
        state.event_given[seat] = given[player]
        give_building(rules, state, seat, player, seed)
    shuffle(state, counts, seed)
    set_up_board(rules, state)


@kernel
def wipe(state: StateRecord) -> None:
    """Clear everything: a record is used for many games."""
    state.turn = 0
    state.ended = 0
    state.winner = -1
    state.last = -1
    state.taken[:] = 0
    state.ruin[:] = 0
    state.shield[:] = 0
    state.meteor[:] = 0
    state.fresh[:, :] = 0
    state.dome[:] = 0
    state.tunnel[:, :] = 0
    state.habitat[:, :] = 0
    state.lsc[:, :] = 0
    state.production[:, :] = 0
    state.net[:, :] = 0
    state.near_net[:, :] = 0
    state.near_way[:, :] = 0
    state.near_lsc[:, :] = 0
    state.near_habitat[:, :] = 0
    state.by_habitat[:, :] = 0
    state.by_lsc[:, :] = 0
    state.by_plain[:, :] = 0
    state.linked[:] = 0
    state.built[:, :] = 0
    state.reserve[:, :] = 0
    state.bay[:, :] = 0
    state.bay_pop[:] = 0
    state.cards[:, :] = 0
    state.kept[:, :] = 0
    state.pop[:] = 0
    state.embassy[:] = 0
    state.flag_limit[:] = 0
    state.tunnels_out[:] = 0
    state.square[:] = 0
    state.lap[:] = 0
    state.dust[:] = 0
    state.cut[:] = 0
    state.gone[:] = 0
    state.dealt[:] = -1
    state.never[:] = 0
    state.deck[:] = 0
    state.top = 0
    state.deck_size = 0
    state.seen = 0
    state.storm = -1
    state.event = -1
    state.go = 0
    state.due = 0
    state.report = -1
    state.asked = 0
    state.offers = 0
    state.moved = 0
    state.lifted = -1
    state.lifted_from = -1
    state.grown = 0
    state.struck = -1
    state.struck_owner = -1
    state.homeless = 0
    state.defaulted = 0
    state.giver = -1
    state.other = -1
    state.give_kind = 0
    state.give_count = 0
    state.get_kind = 0
    state.get_count = 0
    state.fate = -1
    state.n_fates = 0
    state.fates[:] = 0
    state.turns_taken[:] = 0
    state.free_given[:] = -1
    state.event_given[:] = -1
    state.placed[:, :] = 0
    state.bought[:, :] = 0
    state.lost[:, :] = 0
    state.gained[:, :] = 0
    state.spent[:, :] = 0
    state.traded[:, :] = 0
    state.drawn[:, :] = 0
    state.first_turn[:, :] = -1
    state.harm[:, :] = 0
    state.deaths[:] = 0


@kernel
def equip(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Hand out the arrival supplies, cards from the treasury."""
    state.pop[seat] = rules.start[0]
    for k in range(N_CARDS):
        n = rules.start[1 + k]
        state.cards[seat, k] = n
        if state.bank[k] >= 0:
            state.bank[k] -= n
    if not withheld(state, seat, TUNNEL):
        state.reserve[seat, TUNNEL] = rules.start[1 + N_CARDS]
    state.flag_limit[seat] = rules.stock[FLAGS]
    state.square[seat] = rules.own_stop[seat]


@kernel
def withhold(rules: RulesRecord, state: StateRecord, seat: Seat, player: Player, seed: Seed) -> None:
    """Withhold some kinds of building from a player by chance."""
    for k in range(rules.never_drawn):
        left = np.int64(0)
        for kind in range(HOSPITAL, MINE + 1):
            left += 1 if rules.stock[kind] > 0 and not withheld(state, seat, kind) else 0
        pick = to_below(keyed(seed, BANS, player * _DRAWS + k), left)
        for kind in range(HOSPITAL, MINE + 1):
            if rules.stock[kind] > 0 and not withheld(state, seat, kind):
                if pick == 0:
                    state.never[seat] |= np.int16(1 << kind)
                    break
                pick -= 1


@kernel
def give_building(rules: RulesRecord, state: StateRecord, seat: Seat, player: Player, seed: Seed) -> None:
    """Put the free building of the faster game into the reserve (R92), unless it is chosen."""
    building = np.int64(rules.free_building)
    if building == FIXED_RANDOM:
        left = np.int64(0)
        for kind in range(HABITAT, RUIN):
            if rules.stock[kind] > 0 and not withheld(state, seat, kind):
                left += 1
        pick = to_below(keyed(seed, TEAM, player), left)
        for kind in range(HABITAT, RUIN):
            if rules.stock[kind] > 0 and not withheld(state, seat, kind):
                if pick == 0:
                    building = np.int64(kind)
                    break
                pick -= 1
        state.free_given[seat] = building
    if building >= 0:
        state.reserve[seat, building] += 1


@kernel
def deal_events(rules: RulesRecord, seed: Seed, counts: Counts, given: Any) -> None:
    """Take each player's first event out of the deck: the named one, or one of the kinds left by chance."""
    given[:] = -1
    for player in range(rules.players):
        kind = np.int64(rules.first_event)
        if kind == FIXED_RANDOM:
            left = np.int64(0)
            for k in range(N_EVENTS):
                left += 1 if counts[k] > 0 else 0
            pick = to_below(keyed(seed, CARDS, 1 + player), left)
            for k in range(N_EVENTS):
                if counts[k] > 0:
                    if pick == 0:
                        kind = np.int64(k)
                        break
                    pick -= 1
        if kind >= 0:
            counts[kind] -= 1
            given[player] = kind


@kernel
def shuffle(state: StateRecord, counts: Counts, seed: Seed) -> None:
    """Shuffle the event cards."""
    stream = np.zeros(1, dtype=np.uint64)
    start(stream, seed, CARDS, 0)
    n = np.int64(0)
    for kind in range(N_EVENTS):
        for _k in range(counts[kind]):
            state.deck[n] = kind
            n += 1
    state.deck_size = n
    for k in range(n - 1, 0, -1):
        other = below(stream, np.int64(k + 1))
        held = state.deck[k]
        state.deck[k] = state.deck[other]
        state.deck[other] = held
