"""Where a structure may be built, what it costs, and what meteorites may strike."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel, lowest
from sim.core.kinds import Count, Index, RulesRecord, Seat, StateRecord, Whether
from sim.games.mars.rules.kinds import Tile
from sim.games.mars.rules.state import (
    ANYWHERE,
    BLUEPRINT,
    BY_GAP,
    BY_TUNNELS,
    FREE_CONTACT,
    FREE_MOVE,
    HABITAT,
    LSC,
    OLY,
    RUIN,
    TUNNEL,
    WORD,
)
from sim.games.mars.rules.tiles import around, lay, lift, size


@kernel
def foreign(state: StateRecord, seat: Seat, w: Index) -> Any:
    """Return the tiles (word `w`) next to other players' buildings (R25)."""
    mask = np.int64(0)
    for other in range(state.players):
        if other != seat:
            mask |= state.by_habitat[other, w] | state.by_lsc[other, w] | state.by_plain[other, w]
    return mask


@kernel
def _site(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, w: Index) -> Any:
    """Return one word of the tiles where `seat` may build `kind`."""
    if kind == RUIN:  # on any Tunnel too (R31); linked or not, beside anything (R32)
        ground = rules.plain[w] | rules.rocky[w]
        if rules.ruin_on_crater != 0:
            ground |= rules.crater[w]
        tunnels = np.int64(0)
        for other in range(state.players):
            tunnels |= state.tunnel[other, w]
        return ground & (~state.taken[w] | tunnels)
    if kind == TUNNEL:
        free = (rules.plain[w] | rules.rocky[w]) & ~state.taken[w]
        return free if rules.tunnels == ANYWHERE else free & state.near_net[seat, w]
    free = rules.plain[w] & ~state.taken[w] & ~foreign(state, seat, w)
    beside_embassy = np.int64(rules.near[rules.embassy, w])
    beside_hq = np.int64(rules.near[rules.home[seat], w])
    if kind == HABITAT:
        free &= _supported(rules, state, seat, w)
        if rules.contact == FREE_CONTACT:
            return free & ~_by_production(rules, state, seat, w)
        return free & ~state.by_plain[seat, w] & ~beside_embassy
    if kind == LSC:
        start = np.int64(state.near_way[seat, w])
        if rules.link != BY_TUNNELS:  # else it would not be linked
            start |= state.near_habitat[seat, w]
        if rules.contact == FREE_CONTACT:
            return free & (start | beside_hq) & ~_by_production(rules, state, seat, w)
        return free & start & ~state.by_plain[seat, w] & ~state.by_lsc[seat, w] & ~beside_embassy
    touched = state.by_plain[seat, w] | state.by_lsc[seat, w] | state.by_habitat[seat, w] | beside_embassy
    start = np.int64(state.near_way[seat, w])
    if rules.production_site == BY_GAP:
        a, b = around(rules, state.near_net[seat, 0], state.near_net[seat, 1])
        start |= a if w == 0 else b
    return free & start & ~touched


@kernel
def _supported(rules: RulesRecord, state: StateRecord, seat: Seat, w: Index) -> Any:
    """Return the tiles next to linked Life Support Centers that can support one more Habitat."""
    if state.built[seat, HABITAT] < rules.habitats_per_lsc:  # none can be full
        return np.int64(state.near_lsc[seat, w])
    mask = np.int64(0)
    for v in range(2):
        left = np.int64(state.lsc[seat, v] & state.net[seat, v])
        while left != 0:
            tile = lowest(left) + WORD * v
            left &= left - 1
            beside = size(
                state.habitat[seat, 0] & rules.near[tile, 0], state.habitat[seat, 1] & rules.near[tile, 1]
            )
            if beside < rules.habitats_per_lsc:
                mask |= rules.near[tile, w]
    return mask


@kernel
def _by_production(rules: RulesRecord, state: StateRecord, seat: Seat, w: Index) -> Any:
    """Return the tiles next to own production, the HQ left aside."""
    a, b = around(rules, state.production[seat, 0], state.production[seat, 1])
    return a if w == 0 else b


@kernel
def sites(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index) -> Any:
    """Return the tiles where `seat` may build `kind`: terrain, contact and link (R22 to R36)."""
    return _site(rules, state, seat, kind, 0), _site(rules, state, seat, kind, 1)


@kernel
def move_sites(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return the tiles to which the lifted piece may go; not back to where it was."""
    kind = np.int64(state.lifted)
    low, high = sites(rules, state, seat, kind)
    tile = np.int64(state.lifted_from)
    if rules.word[tile] == 0:
        low &= ~rules.flag[tile]
    else:
        high &= ~rules.flag[tile]
    if kind == LSC and rules.lsc_move != FREE_MOVE:
        # Habitats that would be without a Life Support Center must be next to the new place (R38)
        for w in range(2):
            orphans = state.habitat[seat, w] & ~state.by_lsc[seat, w]
            while orphans != 0:
                habitat = lowest(orphans) + WORD * w
                low &= rules.near[habitat, 0]
                high &= rules.near[habitat, 1]
                orphans &= orphans - 1
    return low, high


@kernel
def can_move(rules: RulesRecord, state: StateRecord, seat: Seat, tile: Tile) -> Whether:
    """Return whether the own piece on `tile` would have somewhere else to go: it is lifted, and put back (R99)."""
    state.lifted = lift(rules, state, tile)
    state.lifted_from = tile
    low, high = move_sites(rules, state, seat)
    kind = np.int64(state.lifted)
    state.lifted = -1
    state.lifted_from = -1
    lay(rules, state, seat, kind, tile)
    return (low | high) != 0


# --- prices --------------------------------------------------------------------------------------------------


@kernel
def lacking(state: StateRecord, seat: Seat, price: Count) -> Count:
    """Return how many Metal, Water and Stone of `price` (3 numbers) the seat lacks in plain cards."""
    lack = np.int64(0)
    for k in range(3):
        if price[k] > state.cards[seat, k]:
            lack += price[k] - state.cards[seat, k]
    return lack


@kernel
def can_pay(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index) -> Whether:
    """Return whether the seat can pay for `kind`; Olympium stands for missing resources (R76)."""
    lack = np.int64(0)
    for k in range(3):
        lack += max(np.int64(0), np.int64(rules.cost[kind, k]) - state.cards[seat, k])
    if kind == RUIN:
        lack += rules.ruin_oly
        if state.cards[seat, BLUEPRINT] < rules.ruin_blueprint:
            return False
    return lack <= state.cards[seat, OLY]


@kernel
def in_stock(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index) -> Whether:
    """Return whether one more `kind` is left for the seat to buy or to be given (R40)."""
    if kind == RUIN:
        return state.corners > 0
    owned = state.built[seat, kind] + state.reserve[seat, kind] + state.bay[seat, kind]
    if kind == TUNNEL:
        owned += state.tunnels_out[seat]
    if state.lifted == kind and state.mover == seat:
        owned += 1
    if state.struck == kind and state.struck_owner == seat:
        owned += 1
    return owned < rules.stock[kind]


@kernel
def withheld(state: StateRecord, seat: Seat, kind: Index) -> Whether:
    """Return whether `kind` is withheld from the seat."""
    return (state.never[seat] >> kind) & 1 != 0


# --- strikes -------------------------------------------------------------------------------------------------


@kernel
def strike_sites(rules: RulesRecord, state: StateRecord) -> Any:
    """Return the tiles that a meteorite may strike (R61)."""
    low = (rules.plain[0] | rules.rocky[0]) & ~(state.meteor[0] | state.dome[0] | state.shield[0])
    high = (rules.plain[1] | rules.rocky[1]) & ~(state.meteor[1] | state.dome[1] | state.shield[1])
    if rules.building_strikes == 0:
        for seat in range(state.players):
            low &= ~(state.habitat[seat, 0] | state.production[seat, 0])
            high &= ~(state.habitat[seat, 1] | state.production[seat, 1])
    return low, high
