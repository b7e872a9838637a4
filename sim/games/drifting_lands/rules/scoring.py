"""Points from continents, pawns and unused cards, and who wins ("Scoring", "2-Player Mode", "Team Variety")."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel, lowest, room
from sim.core.kinds import Count, Counts, Points, RulesRecord, Seat, StateRecord
from sim.games.drifting_lands.rules.land import level, owner
from sim.games.drifting_lands.rules.state import (
    BY_LEVELS,
    BY_PAWNS,
    FIRST_ONLY,
    MAX_PLAYERS,
    N_CARDS,
    ROOM,
    TILES,
    WITH_ALL,
    WITH_TWO,
    State,
)

MERIT_SCALE = 1000.0
SEAT_BITS = 15
MOST_LEVELS = (1 << SEAT_BITS) - 1
"""Sums of levels on a continent are kept in one number, so many bits a seat: room for far more pawns than there are."""


@kernel
def needed(rules: RulesRecord, state: StateRecord) -> Any:
    """Return the sum of levels that must be exceeded to score a continent (0: any pawn will do)."""
    if rules.threshold_for == WITH_ALL or (rules.threshold_for == WITH_TWO and state.players == 2):
        return np.int64(rules.threshold)
    return np.int64(0)


@kernel
def weigh(state: StateRecord, levels: Counts, points: Counts) -> None:
    """Add the levels of each seat's pawns to its `points`, and to `levels` where they stand on a continent.

    Parameters
    ----------
    levels : int64 array (TILES,)
        By continent, SEAT_BITS a seat (see `levels_of`); zero before.
    points : int64 array (MAX_PLAYERS,)
        Zero before.
    """
    eights = state.pawn.view(np.int64)  # most spaces are empty: eight are passed over at once
    for k in range(ROOM // 8):
        pawns = eights[k]
        while pawns != 0:
            place = lowest(pawns) >> 3
            space = 8 * k + place
            pawns &= ~(np.int64(0xFF) << (8 * place))
            pawn = state.pawn[space]
            points[owner(pawn)] += level(pawn)
            if state.label[space] >= 0:
                levels[state.label[space]] += level(pawn) << (SEAT_BITS * owner(pawn))


@kernel
def levels_of(sums: Any, seat: Seat) -> Any:
    """Return the sum of the levels of a seat's pawns on a continent."""
    return (sums >> (SEAT_BITS * seat)) & MOST_LEVELS


@kernel
def share_out(rules: RulesRecord, state: StateRecord, levels: Counts, points: Counts) -> None:
    """Add each seat's points from continents to `points` (both as `weigh` leaves them)."""
    least = needed(rules, state)
    bar = np.int64(0) if rules.threshold_second == FIRST_ONLY else least
    for label in range(state.n_continents):
        sums = levels[label]
        if sums == 0:
            continue
        worth = np.int64(state.continent[label])
        alone = np.int64(lowest(sums)) // SEAT_BITS
        if sums >> (SEAT_BITS * alone) <= MOST_LEVELS:  # nobody else is there
            if sums >> (SEAT_BITS * alone) > least:
                points[alone] += worth
            continue
        best = np.int64(0)
        next_best = np.int64(0)
        first = np.int64(0)
        second = np.int64(0)
        for seat in range(state.players):
            mine = levels_of(sums, seat)
            if mine > best:
                next_best, second = best, first
                best = mine
                first = np.int64(1)
            elif mine == best:
                first += 1
            elif mine > next_best:
                next_best = mine
                second = np.int64(1)
            elif mine == next_best:
                second += 1
        if best <= least:
            continue
        if first > 1 or next_best <= bar:
            next_best = np.int64(-1)
        each = worth if first == 1 else worth // first
        each_second = worth // 2 if second == 1 else worth // 2 // max(second, np.int64(1))
        for seat in range(state.players):
            mine = levels_of(sums, seat)
            if mine == best:
                points[seat] += each
            elif mine == next_best:
                points[seat] += each_second


@kernel
def continent_points(rules: RulesRecord, state: StateRecord, points: Counts) -> None:
    """Add each seat's points from continents to `points` (int64 array, zero before)."""
    levels = room(TILES)
    from_pawns = room(MAX_PLAYERS)
    weigh(state, levels, from_pawns)
    share_out(rules, state, levels, points)


@kernel
def pawn_levels(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return the sum of the levels of a seat's pawns on the board."""
    total = np.int64(0)
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn != 0 and owner(pawn) == seat:
            total += level(pawn)
    return total


@kernel
def pawn_count(rules: RulesRecord, state: StateRecord, seat: Seat) -> Count:
    """Return how many pawns a seat has on the board."""
    total = np.int64(0)
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn != 0 and owner(pawn) == seat:
            total += 1
    return total


@kernel
def unused_points(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return the basic points of the cards that a seat has not played."""
    total = np.int64(0)
    for card in range(N_CARDS):
        left = np.int64(state.deck[seat, card]) + np.int64(state.hand[seat, card])
        total += left * np.int64(rules.points[card])
    return total


@implements("score", State)
def score(rules: RulesRecord, state: StateRecord, seat: Seat) -> Points:
    levels = room(TILES)
    points = room(MAX_PLAYERS)
    weigh(state, levels, points)
    share_out(rules, state, levels, points)
    return np.float64(points[seat] + unused_points(rules, state, seat))


@kernel
def tie_breaker(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return what decides between equal points."""
    if rules.tie_break == BY_PAWNS:
        return np.float64(pawn_count(rules, state, seat))
    if rules.tie_break == BY_LEVELS:
        return np.float64(pawn_levels(rules, state, seat))
    return 0.0


@implements("merit", State)
def merit(rules: RulesRecord, state: StateRecord, seat: Seat, points: Points) -> Any:
    total = MERIT_SCALE * points + tie_breaker(rules, state, seat)
    if rules.team_variety:
        mate = (seat + 2) % MAX_PLAYERS
        total += MERIT_SCALE * score(rules, state, mate) + tie_breaker(rules, state, mate)
    return total


@implements("side", State)
def side(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    return seat % 2 if rules.team_variety else seat
