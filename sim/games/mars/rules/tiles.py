"""Sets of tiles, what lies on them, and which of it is linked to an HQ.

A set is two masks; small functions return it as a tuple, the state keeps it as a row of two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import kernel, lowest, popcount
from sim.core.kinds import Count, Index, Mask, RulesRecord, Seat, StateRecord, Whether
from sim.games.mars.rules.kinds import Tile
from sim.games.mars.rules.state import (
    ANY_CONTACT,
    BY_OWNER,
    BY_TUNNELS,
    EMBASSY,
    HABITAT,
    HQ,
    LSC,
    METEORITE,
    NOTHING,
    RUIN,
    TUNNEL,
    WORD,
)


@kernel
def holds(rules: RulesRecord, mask: Mask, tile: Tile) -> Whether:
    """Return whether `tile` is in the set `mask`."""
    return (mask[rules.word[tile]] & rules.flag[tile]) != 0


@kernel
def put(rules: RulesRecord, mask: Mask, tile: Tile) -> None:
    """Add `tile` to the row `mask`."""
    mask[rules.word[tile]] |= rules.flag[tile]


@kernel
def drop(rules: RulesRecord, mask: Mask, tile: Tile) -> None:
    """Take `tile` out of the row `mask`."""
    mask[rules.word[tile]] &= ~rules.flag[tile]


@kernel
def around(rules: RulesRecord, low: Mask, high: Mask) -> Any:
    """Return the set of tiles next to any tile of the set (`low`, `high`)."""
    a = np.int64(0)
    b = np.int64(0)
    while low != 0:
        tile = lowest(low)
        a |= rules.near[tile, 0]
        b |= rules.near[tile, 1]
        low &= low - 1
    while high != 0:
        tile = lowest(high) + WORD
        a |= rules.near[tile, 0]
        b |= rules.near[tile, 1]
        high &= high - 1
    return a, b


@kernel
def size(low: Mask, high: Mask) -> Count:
    """Return how many tiles a set has."""
    return popcount(low) + popcount(high)


@kernel
def nth(low: Mask, high: Mask, k: Index) -> Any:
    """Return the `k`-th tile (from 0) of a set, in the order of the tiles."""
    while low != 0:
        if k == 0:
            return np.int64(lowest(low))
        k -= 1
        low &= low - 1
    while high != 0:
        if k == 0:
            return np.int64(lowest(high) + WORD)
        k -= 1
        high &= high - 1
    return np.int64(-1)


# --- what lies where -----------------------------------------------------------------------------------------


@kernel
def lay(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, tile: Tile) -> None:
    """Put a structure on the board and bring the links up to date.

    A Ruin may come upon a Tunnel, which stays below it; `seat` paid for it.
    """
    if kind == RUIN:
        if state.what[tile] == TUNNEL:
            drop(rules, state.tunnel[state.owner[tile]], tile)
        else:
            state.owner[tile] = -1
        state.what[tile] = RUIN
        state.ruin_owner[tile] = seat
        put(rules, state.taken, tile)
        put(rules, state.ruin, tile)
        renew_shield(rules, state)
        for other in range(state.players):
            survey(rules, state, np.int64(other))
        return
    state.what[tile] = kind
    state.owner[tile] = seat
    state.built[seat, kind] += 1
    put(rules, state.taken, tile)
    if kind == TUNNEL:
        put(rules, state.tunnel[seat], tile)
    elif kind == HABITAT:
        put(rules, state.habitat[seat], tile)
    elif kind == LSC:
        put(rules, state.lsc[seat], tile)
        put(rules, state.dome, tile)
    else:
        put(rules, state.production[seat], tile)
    if not _grow(rules, state, seat, kind, tile):
        survey(rules, state, seat)


@kernel
def _grow(rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, tile: Tile) -> Any:
    """Bring the links up to date after one more structure, where that needs no new survey."""
    if rules.link == BY_TUNNELS or not holds(rules, state.near_net[seat], tile):
        return False
    for w in range(2):
        own = state.tunnel[seat, w] | state.habitat[seat, w] | state.lsc[seat, w] | state.production[seat, w]
        own |= state.ruin[w] if rules.ruin_link != BY_OWNER else own_ruins(rules, state, seat, w)
        if (own & rules.near[tile, w] & ~state.net[seat, w]) != 0:
            return False  # joins a part that was not linked
    put(rules, state.net[seat], tile)
    for w in range(2):
        near = rules.near[tile, w]
        state.near_net[seat, w] |= near
        if kind == TUNNEL:
            state.near_way[seat, w] |= near
        elif kind == HABITAT:
            state.near_habitat[seat, w] |= near
            state.by_habitat[seat, w] |= near
        elif kind == LSC:
            state.near_lsc[seat, w] |= near
            state.by_lsc[seat, w] |= near
        else:
            state.by_plain[seat, w] |= near
    state.linked[seat] = reaches_embassy(rules, state, seat)
    return True


@kernel
def lift(rules: RulesRecord, state: StateRecord, tile: Tile) -> Any:
    """Take the structure off `tile`, bring the links up to date and return its kind."""
    kind = np.int64(state.what[tile])
    seat = np.int64(state.owner[tile])
    if kind == RUIN:
        drop(rules, state.ruin, tile)
        state.what[tile] = NOTHING
        state.ruin_owner[tile] = -1
        if seat >= 0:
            state.what[tile] = TUNNEL
            put(rules, state.tunnel[seat], tile)
        else:
            drop(rules, state.taken, tile)
        renew_shield(rules, state)
        for other in range(state.players):
            survey(rules, state, np.int64(other))
        return kind
    state.what[tile] = NOTHING
    state.owner[tile] = -1
    state.built[seat, kind] -= 1
    drop(rules, state.taken, tile)
    drop(rules, state.tunnel[seat], tile)
    drop(rules, state.habitat[seat], tile)
    drop(rules, state.lsc[seat], tile)
    drop(rules, state.production[seat], tile)
    if kind == LSC:
        drop(rules, state.dome, tile)
    survey(rules, state, seat)
    return kind


@kernel
def crash(rules: RulesRecord, state: StateRecord, tile: Tile) -> None:
    """Put a meteorite on an empty tile; every player in play may remove it in its next turn (R65)."""
    state.what[tile] = METEORITE
    put(rules, state.taken, tile)
    put(rules, state.meteor, tile)
    for seat in range(state.players):
        if state.gone[seat] == 0:
            put(rules, state.fresh[seat], tile)


@kernel
def bury(state: StateRecord, seat: Seat, tile: Tile) -> None:
    """Leave the struck Tunnel of `seat` below the meteorite on `tile`: it counts as on the board (R64)."""
    state.owner[tile] = seat
    state.built[seat, TUNNEL] += 1


@kernel
def clear(rules: RulesRecord, state: StateRecord, tile: Tile) -> None:
    """Take a meteorite away: bare terrain, or a Tunnel that was left below it (R64)."""
    seat = np.int64(state.owner[tile])
    state.what[tile] = NOTHING
    drop(rules, state.taken, tile)
    drop(rules, state.meteor, tile)
    for other in range(state.players):
        drop(rules, state.fresh[other], tile)
    if seat >= 0:
        state.built[seat, TUNNEL] -= 1
        lay(rules, state, seat, np.int64(TUNNEL), tile)


@kernel
def renew_shield(rules: RulesRecord, state: StateRecord) -> None:
    """Work out which tiles Ruins protect."""
    a, b = around(rules, state.ruin[0], state.ruin[1])
    state.shield[0] = state.ruin[0] | a
    state.shield[1] = state.ruin[1] | b


# --- links ---------------------------------------------------------------------------------------------------


@kernel
def own_ruins(rules: RulesRecord, state: StateRecord, seat: Seat, w: Index) -> Any:
    """Return the Ruins (word `w`) that carry the seat's link alone: those it paid for, or on its own Tunnels (R28)."""
    mine = np.int64(0)
    mask = np.int64(state.ruin[w])
    while mask != 0:
        tile = lowest(mask) + WORD * w
        if state.ruin_owner[tile] == seat or state.owner[tile] == seat:
            mine |= rules.flag[tile]
        mask &= mask - 1
    return mine


@kernel
def reaches_embassy(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Return whether the colony is linked to the Embassy (R55)."""
    if holds(rules, state.near_way[seat], rules.embassy):
        return True
    if rules.embassy_link == ANY_CONTACT:
        for w in range(2):
            own = (
                state.tunnel[seat, w]
                | state.habitat[seat, w]
                | state.lsc[seat, w]
                | state.production[seat, w]
            )
            if (own & rules.near[rules.embassy, w]) != 0:
                return True
    return False


@kernel
def survey(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Work out from the board what of `seat` is linked and what lies beside it (R19, R20, R28)."""
    base = np.int64(rules.home[seat])
    ruin0 = state.ruin[0] if rules.ruin_link != BY_OWNER else own_ruins(rules, state, seat, 0)
    ruin1 = state.ruin[1] if rules.ruin_link != BY_OWNER else own_ruins(rules, state, seat, 1)
    way0 = state.tunnel[seat, 0] | ruin0
    way1 = state.tunnel[seat, 1] | ruin1
    house0 = state.habitat[seat, 0] | state.lsc[seat, 0] | state.production[seat, 0]
    house1 = state.habitat[seat, 1] | state.lsc[seat, 1] | state.production[seat, 1]
    open0 = way0
    open1 = way1
    if rules.link != BY_TUNNELS:
        open0 |= house0
        open1 |= house1
    net0 = np.int64(0)
    net1 = np.int64(0)
    new0 = np.int64(0)
    new1 = np.int64(0)
    if rules.word[base] == 0:
        new0 = np.int64(rules.flag[base])
    else:
        new1 = np.int64(rules.flag[base])
    near0 = np.int64(0)
    near1 = np.int64(0)
    while (new0 | new1) != 0:
        net0 |= new0
        net1 |= new1
        a, b = around(rules, new0, new1)
        near0 |= a
        near1 |= b
        new0 = a & open0 & ~net0
        new1 = b & open1 & ~net1
    state.near_net[seat, 0] = near0
    state.near_net[seat, 1] = near1
    way0 &= net0
    way1 &= net1
    if rules.link == BY_TUNNELS:
        net0 |= house0 & near0
        net1 |= house1 & near1
        a, b = around(rules, state.lsc[seat, 0] & net0, state.lsc[seat, 1] & net1)
        net0 |= state.habitat[seat, 0] & a
        net1 |= state.habitat[seat, 1] & b
    state.net[seat, 0] = net0
    state.net[seat, 1] = net1
    a, b = around(rules, way0, way1)
    state.near_way[seat, 0] = a
    state.near_way[seat, 1] = b
    a, b = around(rules, state.lsc[seat, 0] & net0, state.lsc[seat, 1] & net1)
    state.near_lsc[seat, 0] = a
    state.near_lsc[seat, 1] = b
    a, b = around(rules, state.habitat[seat, 0] & net0, state.habitat[seat, 1] & net1)
    state.near_habitat[seat, 0] = a
    state.near_habitat[seat, 1] = b
    a, b = around(rules, state.habitat[seat, 0], state.habitat[seat, 1])
    state.by_habitat[seat, 0] = a
    state.by_habitat[seat, 1] = b
    a, b = around(rules, state.lsc[seat, 0], state.lsc[seat, 1])
    state.by_lsc[seat, 0] = a
    state.by_lsc[seat, 1] = b
    a, b = around(rules, state.production[seat, 0], state.production[seat, 1])
    state.by_plain[seat, 0] = a | rules.near[base, 0]
    state.by_plain[seat, 1] = b | rules.near[base, 1]
    state.linked[seat] = reaches_embassy(rules, state, seat)


@kernel
def set_up_board(rules: RulesRecord, state: StateRecord) -> None:
    """Put HQs and the Embassy on an empty board."""
    state.what[:] = NOTHING
    state.owner[:] = -1
    state.ruin_owner[:] = -1
    state.what[rules.embassy] = EMBASSY
    put(rules, state.taken, rules.embassy)
    put(rules, state.dome, rules.embassy)
    for seat in range(state.players):
        base = rules.home[seat]
        state.what[base] = HQ
        state.owner[base] = seat
        put(rules, state.taken, base)
        put(rules, state.dome, base)
    for seat in range(state.players):
        survey(rules, state, np.int64(seat))
