"""Where an Explorer may be established: by Expansion, by Migration, or without needing the Spirit.

Every function returns masks of Regions. The Skunk's block is applied by `placements`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel, lowest
from sim.core.kinds import Count, Mask, Piece, Region, RulesRecord, Seat, StateRecord, Whether
from sim.games.migration.rules.abilities import skunk_block
from sim.games.migration.rules.state import (
    ANYWHERE,
    BASS,
    FLY,
    FLY_BOTH,
    FLY_EXPANSION,
    FLY_MIGRATION,
    N_PIECES,
    NO_EXPANSION,
    NO_MIGRATION,
    NOWHERE,
    OAK,
    OAK_BOARD,
    OAK_NEVER,
    OASIS_GAME,
    OASIS_ROUND,
    OPTIONAL_PAYMENTS,
    OWN,
    PAID,
    SPARROW,
    STRIFEFUL,
    WOLF,
)


@kernel
def all_towns(state: StateRecord) -> Any:
    """Return the Regions that hold a Town."""
    return state.town[0] | state.town[1] | state.town[2] | state.town[3]


@kernel
def frontier(rules: RulesRecord, state: StateRecord) -> Any:
    """Return the Regions with nothing on them; `openings` leaves out the Lakes among them."""
    return rules.land & ~(all_towns(state) | state.waste)


@kernel
def openings(rules: RulesRecord, state: StateRecord) -> Any:
    """Return the Frontier Regions on which Towns may be established: never on an open Lake (D6)."""
    return frontier(rules, state) & ~rules.lake


@kernel
def usable(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece) -> Count:
    """Return how many `piece` may be established: those in hand, or those that lie open under Oaths."""
    if rules.oaths != 0:
        return np.int64(state.revealed[seat, piece])
    return np.int64(state.hand[seat, piece])


@kernel
def any_usable(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Whether something may be established at all."""
    if rules.oaths == 0:
        return state.hand_size[seat] > 0
    total = np.int64(0)
    for piece in range(N_PIECES):
        total += state.revealed[seat, piece]
    return total > 0


@kernel
def expansion(rules: RulesRecord, state: StateRecord, origin: Region, piece: Piece) -> Any:
    """Regions next to the Spirit that are open; for the Fly also Wasteland (C1)."""
    if origin < 0 or (state.switches & NO_EXPANSION) != 0:
        return np.int64(0)
    ground = openings(rules, state)
    if piece == FLY and (rules.fly_lands_by == FLY_BOTH or rules.fly_lands_by == FLY_EXPANSION):
        ground |= state.waste
    return rules.near[origin] & ground


@kernel
def toll(rules: RulesRecord, towns: Mask, waste: Any, here: Any) -> Count:
    """Return how many Explorers must be laid on the one Region `here` of a path: 1, or 0 (B4, C6)."""
    if here & towns != 0:
        return np.int64(rules.sparrow_must_cover != 0)
    return np.int64(here & waste == 0 or rules.pay_on_wasteland != 0)


@kernel
def sea_toll(rules: RulesRecord, hexes: Any) -> Count:
    """Return how many Explorers so many sea hexes of a path take (A1)."""
    return np.int64(hexes) if rules.migrate_over_ocean == PAID else np.int64(0)


@kernel
def path_cost(state: StateRecord, tolls: Any) -> Count:
    """Return how many of these tolls must be paid: all, under Exploration none (E2)."""
    return np.int64(0) if (state.switches & OPTIONAL_PAYMENTS) != 0 else tolls


@kernel
def migration(rules: RulesRecord, state: StateRecord, origin: Region, hand_size: Any) -> Any:
    """Return where a Migration from `origin` may land: (any Explorer, the Sparrow, Wasteland for the Fly).

    The line may cross Wasteland; Towns stop all but the Sparrow; Deep Woods stop everybody. A hand must hold
    the piece and one more for each Region to be paid (B3).
    """
    by_all = np.int64(0)
    by_sparrow = np.int64(0)
    on_waste = np.int64(0)
    if origin < 0 or (state.switches & NO_MIGRATION) != 0:
        return by_all, by_sparrow, on_waste
    ground = openings(rules, state)
    towns = all_towns(state)
    waste = np.int64(state.waste)
    woods = rules.deep_woods
    if rules.deep_woods_last == 0:
        woods &= ~(towns | waste)
    fly = rules.fly_lands_by == FLY_BOTH or rules.fly_lands_by == FLY_MIGRATION
    for d in range(6):
        tolls = np.int64(0)
        clear = True  # no Town and no Deep Woods in between: everybody may pass
        for k in range(rules.ray_length[origin, d]):
            h = np.int64(rules.ray[origin, d, k])
            here = bit(h)
            sea = np.int64(rules.gaps[origin, d, k])
            cost = path_cost(state, tolls + sea_toll(rules, sea))
            if cost >= hand_size and rules.short_payment == 0:
                break
            if k > 0 or sea > 0 or rules.adjacent_migration != 0:
                if here & ground != 0:
                    by_sparrow |= here
                    if clear:
                        by_all |= here
                elif here & waste != 0 and clear and fly:
                    on_waste |= here
            # what stands in the way of going on
            if here & towns != 0:
                clear = False
                if rules.sparrow_over_towns == 0 or (
                    rules.mountain_stops_sparrow != 0 and here & rules.shield != 0
                ):
                    break
            tolls += toll(rules, towns, waste, here)
            if here & woods != 0:
                clear = False
                if rules.sparrow_over_deep_woods == 0:
                    break
    return by_all, by_sparrow, on_waste


@kernel
def may_enter(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Whether this seat may place without the Spirit at all (B9)."""
    return rules.entry_with_spirit != 0 or state.spirit[seat] < 0


@kernel
def oasis_open(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Whether the Oasis is past the "first turn" on which it is closed (D7)."""
    if rules.oasis_enters == 0:
        return False
    if rules.oasis_first_turn == OASIS_GAME:
        return state.turn > 0
    if rules.oasis_first_turn == OASIS_ROUND:
        return state.turn >= state.players
    return state.turns_taken[seat] > 0


@kernel
def entry(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece, oasis: Whether) -> Any:
    """Regions that `piece` may enter without the Spirit: Bass, Wolf, an open Oasis, the basic game's first Town."""
    ground = openings(rules, state) & rules.regions
    regions = np.int64(0)
    if piece == BASS and rules.bass_enters != NOWHERE:
        regions |= ground if rules.bass_enters == ANYWHERE else ground & rules.coast
        if rules.bass_on_wasteland != 0:
            regions |= state.waste & rules.coast
    elif piece == WOLF and rules.wolf_enters != NOWHERE:
        regions |= ground if rules.wolf_enters == ANYWHERE else ground & rules.forest
    if oasis:
        regions |= ground & rules.oasis
    if rules.first_town_on_coast != 0 and state.hand_size[seat] == state.team_size[seat]:
        regions |= ground & rules.coast
    return regions


@kernel
def open_lakes(rules: RulesRecord, state: StateRecord) -> Any:
    """Lakes with nothing on them."""
    return rules.lake & frontier(rules, state)


@kernel
def oaks_within_reach(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Own Oak Towns to which the Spirit may still move this turn (B23, B24)."""
    spirit = np.int64(state.spirit[seat])
    if rules.oak_from == OAK_NEVER or (rules.oak_from == OAK_BOARD and spirit < 0):
        return np.int64(0)
    oaks = state.town[seat] & state.kind[OAK] & ~state.oaks_used
    if spirit >= 0:
        oaks &= ~bit(spirit)
    return oaks


@kernel
def lakes_within_reach(rules: RulesRecord, state: StateRecord, origin: Region, lakes_at_start: Mask) -> Any:
    """Open Lakes next to `origin` that were not used this turn (D1, D2)."""
    if origin < 0:
        return np.int64(0)
    lakes = rules.near[origin] & open_lakes(rules, state) & ~state.lakes_used
    if rules.oak_then_lake == 0:
        lakes &= lakes_at_start
    return lakes


@kernel
def can_place_from(
    rules: RulesRecord, state: StateRecord, seat: Seat, origin: Region, blocked: Mask
) -> Whether:
    """Whether some hand piece can be placed by Expansion or Migration from `origin`."""
    if origin < 0 or state.hand_size[seat] == 0 or not any_usable(rules, state, seat):
        return False
    fly = usable(rules, state, seat, FLY) > 0
    if (expansion(rules, state, origin, np.int64(-1)) & ~blocked) != 0:
        return True
    if fly and (expansion(rules, state, origin, np.int64(FLY)) & ~blocked) != 0:
        return True
    by_all, by_sparrow, on_waste = migration(rules, state, origin, state.hand_size[seat])
    if (by_all & ~blocked) != 0:
        return True
    if usable(rules, state, seat, SPARROW) > 0 and (by_sparrow & ~blocked) != 0:
        return True
    return fly and (on_waste & ~blocked) != 0


@kernel
def strife_targets(rules: RulesRecord, state: StateRecord, seat: Seat, origin: Region) -> Any:
    """Enemy Towns beside the Spirit that hold nobody's Spirit (Age of Strife)."""
    if (state.switches & STRIFEFUL) == 0 or origin < 0:
        return np.int64(0)
    targets = rules.near[origin] & all_towns(state) & ~state.town[seat]
    for owner in range(state.players):
        spirit = np.int64(state.spirit[owner])
        if spirit >= 0:
            targets &= ~bit(spirit)
    return targets


@kernel
def can_enter(rules: RulesRecord, state: StateRecord, seat: Seat, blocked: Mask, oasis: Whether) -> Whether:
    """Whether some hand piece can be placed without the Spirit."""
    if not may_enter(rules, state, seat):
        return False
    for piece in range(N_PIECES):
        if (
            usable(rules, state, seat, piece) > 0
            and (entry(rules, state, seat, piece, oasis) & ~blocked) != 0
        ):
            return True
    return False


@kernel
def can_act_from(
    rules: RulesRecord, state: StateRecord, seat: Seat, origin: Region, blocked: Mask
) -> Whether:
    """Whether an action is possible with the Spirit at `origin`: a placement, or Strife (E27)."""
    if can_place_from(rules, state, seat, origin, blocked):
        return True
    if state.switches == 0 or state.hand_size[seat] == 0:
        return False
    return strife_targets(rules, state, seat, origin) != 0


@kernel
def can_move(
    rules: RulesRecord, state: StateRecord, seat: Seat, origin: Region, lakes_at_start: Mask, oasis: Whether
) -> Whether:
    """Whether `seat` could place some Explorer with its Spirit at `origin`, also after Oak and Lake moves (B16)."""
    if state.hand_size[seat] == 0 or state.out[seat] != 0:
        return False
    blocked = skunk_block(rules, state, seat)
    if can_act_from(rules, state, seat, origin, blocked) or can_enter(rules, state, seat, blocked, oasis):
        return True
    seen = np.int64(0)
    ahead = oaks_within_reach(rules, state, seat)
    if origin >= 0:
        seen |= bit(origin)
        ahead |= lakes_within_reach(rules, state, origin, lakes_at_start)
    while ahead != 0:
        h = lowest(ahead)
        ahead &= ahead - 1
        seen |= bit(h)
        if (rules.skunk_concerns & OWN) != 0:  # an own Skunk blocks only while the Spirit stays on it
            spirit = state.spirit[seat]
            state.spirit[seat] = h
            blocked = skunk_block(rules, state, seat)
            entering = can_enter(rules, state, seat, blocked, oasis)
            state.spirit[seat] = spirit
            if entering:
                return True
        if can_act_from(rules, state, seat, h, blocked):
            return True
        ahead |= lakes_within_reach(rules, state, h, lakes_at_start) & ~seen
    return False
