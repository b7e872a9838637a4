"""What must hold at every moment of every game, compiled: fast enough for millions of random games.

`tests/games/<game>/test_invariants.py` says the same in plain Python, from the rules and with more of them, on
thousands of games. A check gets the position, the rules and `seen`, a record of the same kind that is zero when a
game begins and in which it may keep what it needs to know later; it returns 0, or the number of what is broken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import OVER, RESOLVE, score
from sim.core.jit import kernel, popcount
from sim.core.kinds import Count, Rules, State
from sim.games.drifting_lands.rules import state as lands
from sim.games.mars.rules import state as mars
from sim.games.mars.rules.population import capacity
from sim.games.mars.rules.tiles import survey
from sim.games.migration.rules import state as migration
from sim.games.migration.rules.scoring import town_worth
from sim.games.migrato.rules import state as migrato

N_PIECES, NOTHING, WASTELAND = migration.N_PIECES, migration.NOTHING, migration.WASTELAND
SWEARING, PLAYING = migration.SWEARING, migration.PLAYING
BIRDS = migrato.N_PIECES
CARD, DOWN, LOST, NIGHT_OF = migrato.CARD, migrato.DOWN, migrato.LOST, migrato.NIGHT_OF
CARD_WIDTH, CARD_MASK, MOST_CARDS = migrato.CARD_WIDTH, migrato.CARD_MASK, migrato.MOST_CARDS
SPECIES_OF = migrato.SPECIES_OF
OCEAN, MOUNTAIN, TILES, LEVELS = lands.OCEAN, lands.MOUNTAIN, lands.TILES, lands.LEVELS
ROOM, LAND_CARDS, PRINTED = lands.ROOM, lands.N_CARDS, lands.PRINTED
MARS_CARDS, METEORITES, N_EVENTS = mars.N_CARDS, mars.METEORITES, mars.N_EVENTS
RUIN, TUNNEL, HABITAT, METEORITE = mars.RUIN, mars.TUNNEL, mars.HABITAT, mars.METEORITE
MAX_TILES, FLAGS, RING = mars.MAX_TILES, mars.FLAGS, 128
KEPT_EVENTS = np.array([mars.E8, mars.E11, mars.E12])


@kernel
def migration_holds(state: State, rules: Rules, seen: State) -> Count:
    """1-7 the board tells one story, 8-13 no piece is lost, 15 Spirits are on own Towns, 16-17 what Towns are worth."""
    players = np.int64(state.players)
    for h in range(np.int64(rules.n_regions)):
        top = np.int64(state.top[h])
        towns = kinds = 0
        for seat in range(4):
            towns += (state.town[seat] >> h) & 1
        for piece in range(N_PIECES):
            kinds += (state.kind[piece] >> h) & 1
        is_town = 0 <= top < N_PIECES
        if towns != kinds or towns != is_town:
            return np.int64(1)
        if ((state.waste >> h) & 1) != (top == WASTELAND):
            return np.int64(2)
        if is_town and (state.kind[top] >> h) & 1 == 0:
            return np.int64(3)
        if top == WASTELAND and state.face_down[h] <= 0:
            return np.int64(4)
        if (rules.lake >> h) & 1 and is_town and state.face_down[h] == 0:
            return np.int64(5)
        if state.face_down[h] < seen.face_down[h]:
            return np.int64(6)
        seen.face_down[h] = state.face_down[h]
    for seat in range(players):
        if state.town[seat] >> np.int64(rules.n_regions) != 0:
            return np.int64(7)
    if state.stage == SWEARING or state.stage == PLAYING:
        wrong = _pieces_of_migration(state, players, seen)
        if wrong:
            return np.int64(wrong)
    if state.phase == RESOLVE or state.phase == OVER:
        for seat in range(players):
            spirit = np.int64(state.spirit[seat])
            if spirit >= 0 and (state.town[seat] >> spirit) & 1 == 0:
                return np.int64(15)
            total = 0
            for h in range(np.int64(rules.n_regions)):
                if (state.town[seat] >> h) & 1:
                    worth = np.int64(town_worth(rules, state, seat, h, 0))
                    if worth < 0:
                        return np.int64(16)
                    total += worth
            if score(rules, state, seat) != total:
                return np.int64(17)
    return np.int64(0)


@kernel
def _pieces_of_migration(state: State, players: Count, seen: State) -> Count:
    for seat in range(players):
        hand = paid = 0
        for piece in range(N_PIECES):
            held = np.int64(state.hand[seat, piece]) + state.played[seat, piece] + state.paid[seat, piece]
            if seen.ended == 0:
                seen.hand[seat, piece] = held
            elif held != seen.hand[seat, piece]:
                return np.int64(8)
            if state.hand[seat, piece] < 0 or state.paid[seat, piece] < 0:
                return np.int64(9)
            if state.revealed[seat, piece] < 0 or state.revealed[seat, piece] > state.hand[seat, piece]:
                return np.int64(10)
            hand += state.hand[seat, piece]
            paid += state.paid[seat, piece]
            standing = popcount(state.town[seat] & state.kind[piece])
            if standing != np.int64(state.played[seat, piece]) - state.lost[seat, piece]:
                return np.int64(11)
        if hand != state.hand_size[seat]:
            return np.int64(12)
        if paid != state.paid_size[seat]:
            return np.int64(13)
    seen.ended = 1
    return np.int64(0)


@kernel
def migrato_holds(state: State, rules: Rules, seen: State) -> Count:
    """1 every card is somewhere, once; 2-8 hands, columns and piles are as they must be."""
    found = np.zeros(BIRDS + 1, dtype=np.int64)  # by piece + 1: no card is 0
    for seat in range(2):
        before = 0
        for k in range(state.hand.shape[1]):
            card = np.int64(state.hand[seat, k])
            found[card] += 1
            if k < state.hand_size[seat]:
                if card == 0 or card < before:
                    return np.int64(2)
                before = card
            elif card:
                return np.int64(3)
        if state.hand_size[seat] > rules.hand_size or state.n_columns[seat] > rules.max_columns:
            return np.int64(4)
        for c in range(np.int64(state.n_columns[seat])):
            length = np.int64(state.length[seat, c])
            if length <= 0 or length > rules.max_column_length:
                return np.int64(5)
            for k in range(length):
                byte = (state.column[seat, c] >> (CARD_WIDTH * k)) & CARD_MASK
                if byte & CARD == 0:
                    return np.int64(6)
                found[byte & CARD] += 1
                if (byte & DOWN != 0) != NIGHT_OF[(byte & CARD) - 1] or (byte & LOST and not byte & DOWN):
                    return np.int64(7)
        for species in range(state.pile.shape[1]):
            for k in range(np.int64(state.pile_size[seat, species])):
                card = np.int64(state.pile[seat, species, k])
                found[card] += 1
                if card == 0 or SPECIES_OF[card - 1] != SPECIES_OF[state.pile[seat, species, 0] - 1]:
                    return np.int64(8)
    for k in range(MOST_CARDS):
        found[state.deck[k]] += 1
        found[state.discard[k]] += 1
        found[state.apart[k]] += 1
    if state.taken:
        found[state.taken & CARD] += 1
    for piece in range(BIRDS):
        if found[piece + 1] != rules.copies[piece]:
            return np.int64(1)
    return np.int64(0)


@kernel
def lands_holds(state: State, rules: Rules, seen: State) -> Count:
    """1-7 the land is all there and its points add up, 8-9 pawns, 10-11 cards."""
    tiles = mountains = 0
    worth = np.zeros(TILES, dtype=np.int64)
    pawns = np.zeros(17, dtype=np.int64)
    for space in range(ROOM):
        land = np.int64(state.land[space])
        pawns[state.pawn[space]] += 1
        if (land != OCEAN) != (state.number[space] >= 0) or (land != OCEAN) != (state.label[space] >= 0):
            return np.int64(1)
        if land == OCEAN:
            continue
        if space >= rules.n_spaces:
            return np.int64(2)
        tiles += 1
        mountains += land == MOUNTAIN
        points = np.int64(state.worth[space] if rules.tile_value == PRINTED else rules.value[space])
        worth[state.label[space]] += points * (rules.mountain_factor if land == MOUNTAIN else 1)
        for direction in range(6):
            other = np.int64(rules.near[space, direction])
            if rules.continents_merge and other >= 0 and state.land[other] != OCEAN:
                if state.label[other] != state.label[space]:
                    return np.int64(3)
    if tiles + mountains != TILES or tiles != state.n_tiles:
        return np.int64(4)
    if seen.ended and mountains < seen.n_continents:
        return np.int64(5)
    seen.ended, seen.n_continents = 1, mountains
    for k in range(tiles):
        if state.land[state.tile[k]] == OCEAN or (k and state.tile[k] <= state.tile[k - 1]):
            return np.int64(6)
    for label in range(TILES):
        if state.continent[label] != worth[label]:
            return np.int64(7)
    if state.expelled > 0:
        pawns[state.expelled] += 1
    for seat in range(np.int64(state.players)):
        for level in range(LEVELS):
            if state.supply[seat, level] < 0:
                return np.int64(8)
            if pawns[1 + 4 * seat + level] + state.supply[seat, level] != rules.pawns[level]:
                return np.int64(9)
        for card in range(LAND_CARDS):
            if state.deck[seat, card] < 0 or state.hand[seat, card] < 0 or state.discard[seat, card] < 0:
                return np.int64(10)
            held = np.int64(state.deck[seat, card]) + state.hand[seat, card] + state.discard[seat, card]
            if held != state.given[seat, card]:
                return np.int64(11)
    return np.int64(0)


@kernel
def mars_holds(state: State, rules: Rules, seen: State) -> Count:
    """1-5 nothing of treasury, Ruins and events is made or lost, 6-10 what a colony owns, 11 its links."""
    players = np.int64(state.players)
    for kind in range(MARS_CARDS):
        held = np.int64(state.bank[kind])
        for seat in range(players):
            held += state.cards[seat, kind]
            if state.cards[seat, kind] < 0:
                return np.int64(1)
        if held != rules.treasury[kind]:
            return np.int64(2)
    meteors = popcount(state.meteor[0]) + popcount(state.meteor[1])
    if meteors + state.bank[METEORITES] != rules.treasury[METEORITES]:
        return np.int64(3)
    ruins = np.int64(state.corners) + (state.lifted == RUIN)
    for tile in range(MAX_TILES):
        ruins += state.what[tile] == RUIN
    if ruins != 4:
        return np.int64(4)
    events = np.zeros(N_EVENTS, dtype=np.int64)
    for k in range(np.int64(state.deck_size)):
        events[state.deck[(state.top + k) % RING]] += 1
    for seat in range(players):
        if state.dealt[seat] >= 0:
            events[state.dealt[seat]] += 1
        for k in range(3):
            events[KEPT_EVENTS[k]] += state.kept[seat, k]
    if state.event >= 0:
        events[state.event] += 1
    for kind in range(N_EVENTS):
        if events[kind] != rules.event_counts[kind]:
            return np.int64(5)
    for seat in range(players):
        wrong = _colony_holds(state, rules, seat)
        if wrong:
            return np.int64(wrong)
    for seat in range(players):
        if not _links_hold(state, rules, seat, seen):
            return np.int64(11)
    return np.int64(0)


@kernel
def _colony_holds(state: State, rules: Rules, seat: Count) -> Count:
    for kind in range(RUIN):
        owned = np.int64(state.built[seat, kind]) + state.reserve[seat, kind] + state.bay[seat, kind]
        owned += state.lifted == kind and state.mover == seat
        owned += state.struck == kind and state.struck_owner == seat
        owned += state.tunnels_out[seat] if kind == TUNNEL else 0
        if owned > rules.stock[kind]:
            return np.int64(6)
        on_board = 0
        for tile in range(MAX_TILES):
            what = np.int64(state.what[tile])
            below = kind == TUNNEL and what in (RUIN, METEORITE)
            on_board += state.owner[tile] == seat and (what == kind or below)
        if on_board != state.built[seat, kind]:
            return np.int64(7)
    if state.embassy[seat] < 0 or state.embassy[seat] > state.pop[seat]:
        return np.int64(8)
    bay = np.int64(state.bay_pop[seat])
    if state.pop[seat] + bay > rules.stock[FLAGS] or bay < 0 or bay > state.bay[seat, HABITAT]:
        return np.int64(9)
    if state.struck < 0 and state.lifted < 0 and not state.gone[seat]:
        if state.pop[seat] > capacity(rules, state, seat):
            return np.int64(10)
    return np.int64(0)


@kernel
def _links_hold(state: State, rules: Rules, seat: Count, worked_out: State) -> Any:
    """Work the links out anew in a copy and compare."""
    for tile in range(MAX_TILES):
        worked_out.what[tile] = state.what[tile]
        worked_out.owner[tile] = state.owner[tile]
        worked_out.ruin_owner[tile] = state.ruin_owner[tile]
    same = True
    for word in range(2):
        worked_out.ruin[word] = state.ruin[word]
        worked_out.taken[word] = state.taken[word]
        worked_out.shield[word] = state.shield[word]
        worked_out.meteor[word] = state.meteor[word]
        worked_out.dome[word] = state.dome[word]
        worked_out.tunnel[seat, word] = state.tunnel[seat, word]
        worked_out.habitat[seat, word] = state.habitat[seat, word]
        worked_out.lsc[seat, word] = state.lsc[seat, word]
        worked_out.production[seat, word] = state.production[seat, word]
    worked_out.players = state.players
    survey(rules, worked_out, seat)
    for word in range(2):
        same = same and worked_out.net[seat, word] == state.net[seat, word]
        same = same and worked_out.near_net[seat, word] == state.near_net[seat, word]
        same = same and worked_out.near_way[seat, word] == state.near_way[seat, word]
        same = same and worked_out.near_lsc[seat, word] == state.near_lsc[seat, word]
        same = same and worked_out.near_habitat[seat, word] == state.near_habitat[seat, word]
        same = same and worked_out.by_habitat[seat, word] == state.by_habitat[seat, word]
        same = same and worked_out.by_lsc[seat, word] == state.by_lsc[seat, word]
        same = same and worked_out.by_plain[seat, word] == state.by_plain[seat, word]
    return same and worked_out.linked[seat] == state.linked[seat]


HOLDS: dict[str, Any] = {
    "migration": migration_holds,
    "migrato": migrato_holds,
    "drifting_lands": lands_holds,
    "mars": mars_holds,
}
"""The check of each game."""
