"""Points from continents, pawns and unused cards, and who wins ("Scoring", "2-Player Mode", "Team Variety")."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel
from sim.games.drifting_lands.rules.land import level, owner
from sim.games.drifting_lands.rules.state import (
    BY_LEVELS,
    BY_PAWNS,
    FIRST_ONLY,
    MAX_PLAYERS,
    MOUNTAIN,
    N_CARDS,
    PRINTED,
    TILES,
    WITH_ALL,
    WITH_TWO,
    State,
)

MERIT_SCALE = 1000.0


@kernel
def tile_points(rules: Any, state: Any, space: Any) -> Any:
    """Return the points of the tile on `space`."""
    points = np.int64(state.worth[space]) if rules.tile_value == PRINTED else np.int64(rules.value[space])
    return points * rules.mountain_factor if state.land[space] == MOUNTAIN else points


@kernel
def weigh(rules: Any, state: Any, worth: Any, levels: Any) -> Any:
    """Write the worth of each continent and each seat's sum of levels on it; return how many numbers there are.

    Parameters
    ----------
    worth : int64 array (TILES,)
    levels : int64 array (TILES, MAX_PLAYERS)
        Both zero before.
    """
    most = np.int64(0)
    for k in range(state.n_tiles):
        space = np.int64(state.tile[k])
        label = np.int64(state.label[space])
        most = max(most, label + 1)
        worth[label] += tile_points(rules, state, space)
        pawn = state.pawn[space]
        if pawn != 0:
            levels[label, owner(pawn)] += level(pawn)
    return most


@kernel
def needed(rules: Any, state: Any) -> Any:
    """Return the sum of levels that must be exceeded to score a continent (0: any pawn will do)."""
    if rules.threshold_for == WITH_ALL or (rules.threshold_for == WITH_TWO and state.players == 2):
        return np.int64(rules.threshold)
    return np.int64(0)


@kernel
def share_out(rules: Any, state: Any, worth: Any, levels: Any, points: Any) -> None:
    """Add the points of one continent (`levels`: each seat's sum on it) to `points`."""
    least = needed(rules, state)
    best = np.int64(0)
    for seat in range(state.players):
        best = max(best, levels[seat])
    if best == 0 or best <= least:
        return
    bar = np.int64(0) if rules.threshold_second == FIRST_ONLY else least
    first = np.int64(0)
    next_best = np.int64(0)
    second = np.int64(0)
    for seat in range(state.players):
        mine = levels[seat]
        if mine == best:
            first += 1
        elif mine > bar and mine > next_best:
            next_best = mine
            second = np.int64(1)
        elif mine > bar and mine == next_best:
            second += 1
    for seat in range(state.players):
        if levels[seat] == best:
            points[seat] += worth // first
        elif first == 1 and second > 0 and levels[seat] == next_best:
            points[seat] += worth // 2 // second


@kernel
def continent_points(rules: Any, state: Any, points: Any) -> None:
    """Add each seat's points from continents to `points` (int64 array, zero before)."""
    worth = np.zeros(TILES, dtype=np.int64)
    levels = np.zeros((TILES, MAX_PLAYERS), dtype=np.int64)
    most = weigh(rules, state, worth, levels)
    for label in range(most):
        share_out(rules, state, worth[label], levels[label], points)


@kernel
def pawn_levels(rules: Any, state: Any, seat: Any) -> Any:
    """Return the sum of the levels of a seat's pawns on the board."""
    total = np.int64(0)
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn != 0 and owner(pawn) == seat:
            total += level(pawn)
    return total


@kernel
def pawn_count(rules: Any, state: Any, seat: Any) -> Any:
    """Return how many pawns a seat has on the board."""
    total = np.int64(0)
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn != 0 and owner(pawn) == seat:
            total += 1
    return total


@kernel
def unused_points(rules: Any, state: Any, seat: Any) -> Any:
    """Return the basic points of the cards that a seat has not played."""
    total = np.int64(0)
    for card in range(N_CARDS):
        left = np.int64(state.deck[seat, card]) + np.int64(state.hand[seat, card])
        total += left * np.int64(rules.points[card])
    return total


@implements("score", State)
def score(rules: Any, state: Any, seat: Any) -> Any:
    points = np.zeros(MAX_PLAYERS, dtype=np.int64)
    continent_points(rules, state, points)
    return np.float64(points[seat] + pawn_levels(rules, state, seat) + unused_points(rules, state, seat))


@kernel
def tie_breaker(rules: Any, state: Any, seat: Any) -> Any:
    """Return what decides between equal points."""
    if rules.tie_break == BY_PAWNS:
        return np.float64(pawn_count(rules, state, seat))
    if rules.tie_break == BY_LEVELS:
        return np.float64(pawn_levels(rules, state, seat))
    return 0.0


@implements("merit", State)
def merit(rules: Any, state: Any, seat: Any, points: Any) -> Any:
    total = MERIT_SCALE * points + tie_breaker(rules, state, seat)
    if rules.team_variety:
        mate = (seat + 2) % MAX_PLAYERS
        total += MERIT_SCALE * score(rules, state, mate) + tie_breaker(rules, state, mate)
    return total


@implements("side", State)
def side(rules: Any, state: Any, seat: Any) -> Any:
    return seat % 2 if rules.team_variety else seat
