"""Set-up: Random Bans, the Founder, secret teams.

Every draw is keyed by the seed of the deal and by what is drawn: a key for each physical piece, the smallest
legal keys are dealt. So banning one Explorer changes as few other pieces as possible.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.jit import bit, implements, kernel, where
from sim.core.kinds import (
    Count,
    Entrants,
    Mask,
    Player,
    RulesRecord,
    Seat,
    Seating,
    Seed,
    StateRecord,
    Whether,
)
from sim.core.rng import BANS, CARDS, DEAL, TASTE, TEAM, keyed, to_below, to_unit
from sim.games.migration.rules.ages import make_active
from sim.games.migration.rules.drafting import deal_groups
from sim.games.migration.rules.founding import found_board
from sim.games.migration.rules.laying import begin_land
from sim.games.migration.rules.params import MOST_COPIES
from sim.games.migration.rules.state import (
    AGENDA,
    BASS,
    BUILDING,
    DEALT,
    DRAFTING,
    DRAWN,
    MAX_PLAYERS,
    MAX_SET,
    N_PIECES,
    NOTHING,
    SCENARIO,
    SWEARING,
    TRIES,
    UNIFORM,
    VARIANTS,
    WOLF,
    State,
)

_PART = 16  # of a key: more than there are pieces, or copies of one
assert max(N_PIECES, MOST_COPIES) < _PART
_ONE = np.uint64(1)


@implements("setup", State)
def setup(rules: RulesRecord, state: StateRecord, entrants: Entrants, who: Seating, seed: Seed) -> None:
    if rules.founding == 1:
        found_board(rules, seed)
    clear(state)
    players = np.int64(rules.players)
    state.players = players
    state.seat = players - 1
    state.phase = RESOLVE
    for seat in range(players):
        state.own_bans[seat] = entrants[who[seat]].bans
    state.banned = rules.banned
    if rules.ban_cards > 0:
        state.banned |= draw_bans(rules, state, seed)
    state.founder = players - 1
    state.first = 0
    if rules.first_player == DRAWN:
        state.founder = 1 + to_below(keyed(seed, DEAL, 0), players - 1)
    deal_variants(rules, state, who, seed)
    for seat in range(players):
        player = np.int64(who[seat])
        deal_team(rules, state, seat, player, entrants[player], seed)


@kernel
def clear(state: StateRecord) -> None:
    """Set every field to the beginning of a game without players."""
    state.phase = RESOLVE
    state.turn = 0
    state.ended = 0
    state.town[:] = 0
    state.kind[:] = 0
    state.waste = 0
    state.top[:] = NOTHING
    state.face_down[:] = 0
    state.spirit[:] = -1
    state.hand[:, :] = 0
    state.paid[:, :] = 0
    state.played[:, :] = 0
    state.team_size[:] = 0
    state.hand_size[:] = 0
    state.paid_size[:] = 0
    state.sunk[:] = 0
    state.turns_taken[:] = 0
    state.passes[:] = 0
    state.out[:] = 0
    state.banned = 0
    state.standing[:] = 0
    state.own_bans[:] = 0
    state.founder = -1
    state.first = 0
    state.last_seat = -1
    state.still = 0
    state.declined = 0
    state.switches = 0
    state.active_card = -1
    state.deck[:] = -1
    state.deck_size = 0
    state.deck_place = 0
    state.agenda[:] = -1
    state.cards_seen = 0
    state.turning = 0
    state.lock_seat = -1
    state.lock_until = 0
    state.under[:] = NOTHING
    state.revealed[:, :] = 0
    state.stage = SWEARING
    state.asked = 0
    state.pool[:, :] = 0
    state.builds[:] = -1
    state.n_groups = 0
    state.group = 0
    state.splitter = 0
    state.chooser = -1
    state.wandered = 0
    state.forced = 0
    state.towns_made = 0
    state.stack_on = -1
    state.touched = 0
    state.end_done = 0
    state.age_step = 0
    state.start_town = -1
    state.stirred = 0
    state.passed = 0
    state.oaks_used = 0
    state.lakes_used = 0
    state.lakes_at_start = 0
    state.last_oak = -1
    state.bonus_of = -1
    state.piece = 0
    state.target = 0
    state.path_from = 0
    state.path_direction = 0
    state.path_step = 0
    state.path_end = 0
    state.sea_owed = 0
    state.must_pay = 0
    state.first_turn[:, :] = -1
    state.dealt[:] = 0
    state.lost[:, :] = 0
    state.harm[:, :] = 0


@kernel
def legal_bans(rules: RulesRecord, state: StateRecord, banned: Mask) -> Whether:
    """Whether every player could still build a team under `banned`: enough pieces, and a Bass or a Wolf."""
    for seat in range(state.players):
        out = banned | state.own_bans[seat]
        pieces = np.int64(0)
        for piece in range(N_PIECES):
            if (out & bit(piece)) == 0:
                pieces += rules.set_counts[piece]
        if pieces < rules.hand_size:
            return False
        if rules.first_town_on_coast == 0:
            bass = rules.set_counts[BASS] > 0 and (out & bit(BASS)) == 0
            wolf = rules.set_counts[WOLF] > 0 and (out & bit(WOLF)) == 0
            if not bass and not wolf:
                return False
    return True


@kernel
def draw_bans(rules: RulesRecord, state: StateRecord, seed: Seed) -> Any:
    """Draw the Random Ban.

    Printed procedure: the cards are turned up in random order; one that would leave a player without Bass and
    Wolf is set aside and another is turned up. Uniform: whole sets are drawn until one is legal.
    """
    order = np.empty(N_PIECES, dtype=np.int8)
    banned = np.int64(0)
    for attempt in range(TRIES):
        n = np.int64(0)
        for piece in range(N_PIECES):
            if rules.set_counts[piece] == 0:
                continue
            key = keyed(seed, BANS, attempt * N_PIECES + piece)
            place = n
            while place > 0 and keyed(seed, BANS, attempt * N_PIECES + np.int64(order[place - 1])) > key:
                order[place] = order[place - 1]
                place -= 1
            order[place] = piece
            n += 1
        banned, cards = ban_in_order(rules, state, order, n)
        if cards == rules.ban_cards:
            break
    return banned


@kernel
def ban_in_order(rules: RulesRecord, state: StateRecord, order: Any, n: Count) -> Any:
    """Turn up the `n` cards of `order` as far as it takes; return what they ban (bits), and how many cards that are."""
    banned = np.int64(0)
    cards = 0
    for k in range(n):
        if cards == rules.ban_cards:
            break
        here = bit(np.int64(order[k]))
        if legal_bans(rules, state, rules.banned | banned | here):
            banned |= here
            cards += 1
        elif rules.ban_method == UNIFORM:
            break
    return banned, cards


@kernel
def _deal_variants(rules: RulesRecord, state: StateRecord, who: Seating, seed: Seed) -> None:
    """Lay out Age Cards, and the groups of a Draft."""
    state.stage = BUILDING
    if rules.age_mode != 0:
        deal_cards(rules, state, who, seed)
    if rules.draft != 0:
        deal_groups(rules, state, seed)
        state.stage = DRAFTING
    if rules.founding == 2:
        begin_land(state)


@kernel
def _deal_nothing(rules: RulesRecord, state: StateRecord, who: Seating, seed: Seed) -> None:
    return


deal_variants = where(VARIANTS, "deal_variants", "rules, state, who, seed", _deal_variants, _deal_nothing)


@kernel
def deal_cards(rules: RulesRecord, state: StateRecord, who: Seating, seed: Seed) -> None:
    """Shuffle the Age Cards by their keys: the first is the scenario, the deck lies in order, each player gets one."""
    for card in range(rules.n_cards):
        key = keyed(seed, CARDS, card)
        place = 0
        for other in range(rules.n_cards):
            if keyed(seed, CARDS, other) < key:
                place += 1
        state.deck[place] = card
    state.deck_size = rules.n_cards
    if rules.age_mode == SCENARIO:
        make_active(
            rules, state, np.int64(state.deck[0]) if rules.fixed_card < 0 else np.int64(rules.fixed_card)
        )
    elif rules.age_mode == AGENDA:
        for seat in range(state.players):
            state.agenda[seat] = state.deck[who[seat]]  # the card belongs to the player


@kernel
def deal_team(
    rules: RulesRecord, state: StateRecord, seat: Seat, player: Player, entrant: Entrants, seed: Seed
) -> None:
    """Give `seat` the team of `player`: its deck, or pieces drawn from the set (redrawn without Bass and Wolf)."""
    if entrant.builder >= 0:
        out = state.banned | state.own_bans[seat]
        state.builds[seat] = entrant.builder
        state.taste[seat] = keyed(seed, TASTE, player)
        state.dealt[seat] = 1 if rules.draft == 0 else 0
        for piece in range(N_PIECES):
            if rules.draft == 0 and (out & bit(piece)) == 0:
                state.pool[seat, piece] = rules.set_counts[piece]
    elif rules.draft != 0:
        state.builds[seat] = DEALT
    elif entrant.by_weight == 0:
        for piece in range(N_PIECES):
            state.hand[seat, piece] = entrant.deck[piece]
    else:
        out = state.banned | state.own_bans[seat]
        for attempt in range(TRIES):
            draw_team(rules, state, seat, player, entrant, out, attempt, seed)
            bass = state.hand[seat, BASS] > 0
            wolf = state.hand[seat, WOLF] > 0
            if rules.bass_required != 0:
                if bass or (out & bit(BASS)) != 0 or rules.set_counts[BASS] == 0:
                    break
            elif bass or wolf or rules.first_town_on_coast != 0:
                break
        state.dealt[seat] = 1
    size = np.int64(0)
    for piece in range(N_PIECES):
        size += state.hand[seat, piece]
    state.hand_size[seat] = size
    state.team_size[seat] = size


@kernel
def draw_team(
    rules: RulesRecord,
    state: StateRecord,
    seat: Seat,
    player: Player,
    entrant: Entrants,
    out: Any,
    attempt: Any,
    seed: Seed,
) -> None:
    """Deal the pieces with the smallest keys. Weighted: keys are exponential with the weight as rate."""
    keys = np.empty(MAX_SET, dtype=np.int64)
    whose = np.empty(MAX_SET, dtype=np.int8)
    n = 0
    for piece in range(N_PIECES):
        state.hand[seat, piece] = 0
        if (out & bit(piece)) != 0 or entrant.weight[piece] <= 0.0:
            continue
        for copy in range(rules.set_counts[piece]):
            key = keyed(seed, TEAM, ((attempt * MAX_PLAYERS + player) * _PART + piece) * _PART + copy)
            if entrant.even_weights == 0:
                late = -math.log(1.0 - to_unit(key)) / entrant.weight[piece]
                keys[n] = np.int64(min(late, 1.0e5) * 1.0e13)
            else:
                keys[n] = np.int64(key >> _ONE)
            whose[n] = piece
            n += 1
    for k in range(n):  # counting smaller keys has no branch to mispredict: quicker than sorting here
        smaller = 0
        for other in range(n):
            smaller += keys[other] < keys[k]
        if smaller < rules.hand_size:
            state.hand[seat, whose[k]] += 1
