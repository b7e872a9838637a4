"""`map = "founder-bot"`: the Founder's bot lays the land, piece by piece, as decisions.

In order: for each Island Plate its half of four and its half of three (joined to the mainland, or apart as an
island where that is allowed: at most one half of a plate, and nothing is ever joined to an island); Fertile
Regions where they do not suffice for all Interior ones; each other terrain modifier, or none; a Desert in the
sea, or none; Fertile on the Regions that this has made Interior, or none (A10); with three or four players, who
goes first.

The land under way is a list of sites in the state, because a bot tries actions on copies of the state alone;
`finish_land` writes it into the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.hexgrid import DIRECTIONS, SPAN
from sim.core.jit import bit, kernel, popcount
from sim.core.kinds import Count, Index, Mask, RulesRecord, StateRecord, Whether
from sim.games.migration.rules.founding import (
    DEEP_WOODS,
    DESERT,
    FERTILE,
    FOURS,
    LAKE,
    MOUNTAIN,
    OASIS,
    REACH,
    THREES,
    near_land,
    turned,
)
from sim.games.migration.rules.state import BUILDING, DRAFTING, FOUND, FOUNDING, KIND_AT, LAY_HALF
from sim.games.migration.rules.survey import survey

_MIDDLE = SPAN // 2
_FOREST, _ISLAND, _SEA = 1, 2, 4  # what a site is, besides its terrain modifier
NO_SITE = 63  # in place of a site: no modifier
NO_MODIFIER = 7  # all bits of a site's modifier
ON_MAINLAND, ON_ISLAND = 1, 3  # in a sketch
# an action of the founding: turns of a half, place (x, y) on the sketch, or a site
TURNS_AT, X_AT = 12, 6
TURNS_MASK, PLACE_MASK = 7, 63
# a site: place (x, y) relative to the middle, what it is, its modifier
SITE_X_AT, SITE_Y_AT, SITE_IS_AT, SITE_MIDDLE = 12, 6, 3, 32
SEA, LATE_FERTILE, FIRST = OASIS + 1, OASIS + 2, OASIS + 3
"""Steps after the halves that follow those of the modifiers."""


@kernel
def site_code(x: Any, y: Any, what: Any) -> Any:
    """Return a site as one number: place relative to the middle of the sketch, what it is, no modifier."""
    return np.int32(
        ((x - _MIDDLE + SITE_MIDDLE) << SITE_X_AT)
        | ((y - _MIDDLE + SITE_MIDDLE) << SITE_Y_AT)
        | (what << SITE_IS_AT)
        | NO_MODIFIER
    )


@kernel
def site_x(state: StateRecord, k: Index) -> Any:
    return ((np.int64(state.sites[k]) >> SITE_X_AT) & PLACE_MASK) - SITE_MIDDLE + _MIDDLE


@kernel
def site_y(state: StateRecord, k: Index) -> Any:
    return ((np.int64(state.sites[k]) >> SITE_Y_AT) & PLACE_MASK) - SITE_MIDDLE + _MIDDLE


@kernel
def site_is(state: StateRecord, k: Index, what: Any) -> Any:
    return (np.int64(state.sites[k]) >> SITE_IS_AT) & what != 0


@kernel
def modifier_of(state: StateRecord, k: Index) -> Any:
    """Return the terrain modifier of a site (0 Fertile to 5 Oasis), or NO_MODIFIER."""
    return np.int64(state.sites[k]) & NO_MODIFIER


@kernel
def draw_sketch(state: StateRecord, sketch: Any) -> None:
    """Draw the land under way on a grid of zeros: 0 sea, else ON_MAINLAND or ON_ISLAND."""
    for k in range(state.n_sites):
        sketch[site_x(state, k), site_y(state, k)] = ON_ISLAND if site_is(state, k, _ISLAND) else ON_MAINLAND


@kernel
def lies_well(sketch: Any, cells: Any, x: Any, y: Any, turns: Count, apart: Mask) -> Whether:
    """Whether a half may lie there: joined to the mainland and to no island, or apart from everything."""
    mainland = False
    for c in range(cells.shape[0]):
        q, r = turned(cells[c, 0], cells[c, 1], turns)
        u = x + q
        v = y + r
        if abs(u - _MIDDLE) > REACH or abs(v - _MIDDLE) > REACH or abs(u + v - 2 * _MIDDLE) > REACH:
            return False
        if sketch[u, v] != 0:
            return False
        for d in range(6):
            beside = sketch[u + DIRECTIONS[d, 0], v + DIRECTIONS[d, 1]]
            if beside == ON_ISLAND or (apart and beside != 0):
                return False
            mainland = mainland or beside == ON_MAINLAND
    return apart or mainland


# --- the steps of a founding ---------------------------------------------------------------------------------


@kernel
def begin_land(state: StateRecord) -> None:
    state.stage = FOUNDING
    state.n_sites = 0
    state.found_step = 0
    state.found_done = 0


@kernel
def next_step(rules: RulesRecord, state: StateRecord) -> None:
    """Ask the Founder for the next step that leaves a choice, or finish the land."""
    state.seat = state.founder
    halves = 2 * np.int64(state.players)
    while True:
        step = np.int64(state.found_step)
        if step < halves:
            state.phase = FOUND
            return
        if step == halves:  # Fertile Regions
            interior = interior_sites(state)
            if popcount(interior) <= np.int64(rules.modifier_counts[FERTILE]):
                for k in range(state.n_sites):
                    if (interior & bit(k)) != 0:
                        set_modifier(state, k, FERTILE)
            elif used(state, FERTILE) < np.int64(rules.modifier_counts[FERTILE]):
                state.phase = FOUND
                return
        elif step <= halves + OASIS:
            kind = step - halves
            if (
                state.found_done == 0
                and used(state, kind) < rules.modifier_counts[kind]
                and free_sites(state) != 0
            ):
                state.phase = FOUND
                return
        elif step == halves + SEA:
            if state.found_done == 0 and used(state, DESERT) < rules.modifier_counts[DESERT]:
                if state.n_sites < MAX_SITES:
                    state.phase = FOUND
                    return
        elif step == halves + LATE_FERTILE:
            if (
                state.found_done == 0
                and used(state, FERTILE) < rules.modifier_counts[FERTILE]
                and late_interior(state) & free_sites(state) != 0
            ):
                state.phase = FOUND
                return
        elif step == halves + FIRST:
            if state.players > 2:
                state.phase = FOUND
                return
        else:
            finish_land(rules, state)
            return
        state.found_step += 1
        state.found_done = 0


MAX_SITES = 32


@kernel
def interior_sites(state: StateRecord) -> Any:
    """Return the sites with land on all six sides."""
    sketch = np.zeros((SPAN, SPAN), dtype=np.int8)
    draw_sketch(state, sketch)
    found = np.int64(0)
    for k in range(state.n_sites):
        around = 0
        for d in range(6):
            if sketch[site_x(state, k) + DIRECTIONS[d, 0], site_y(state, k) + DIRECTIONS[d, 1]] != 0:
                around += 1
        if around == 6:
            found |= bit(k)
    return found


@kernel
def late_interior(state: StateRecord) -> Any:
    """Return the Interior sites that were none before the Desert in the sea: those beside it."""
    last = np.int64(state.n_sites) - 1
    if not site_is(state, last, _SEA):
        return np.int64(0)
    sites = interior_sites(state)
    beside = np.int64(0)
    for k in range(last):
        dx = site_x(state, k) - site_x(state, last)
        dy = site_y(state, k) - site_y(state, last)
        for d in range(6):
            if dx == DIRECTIONS[d, 0] and dy == DIRECTIONS[d, 1]:
                beside |= bit(k)
    return sites & beside


@kernel
def used(state: StateRecord, kind: Index) -> Count:
    """Return how many modifiers of a kind lie on the land."""
    count = 0
    for k in range(state.n_sites):
        if modifier_of(state, k) == kind:
            count += 1
    return count


@kernel
def free_sites(state: StateRecord) -> Any:
    """Return the sites without a modifier."""
    found = np.int64(0)
    for k in range(state.n_sites):
        if modifier_of(state, k) == NO_MODIFIER:
            found |= bit(k)
    return found


@kernel
def set_modifier(state: StateRecord, k: Index, kind: Index) -> None:
    state.sites[k] = (np.int64(state.sites[k]) & ~np.int64(NO_MODIFIER)) | np.int64(kind)


@kernel
def lay_options(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    """Write what the Founder may do now."""
    step = np.int64(state.found_step)
    halves = 2 * np.int64(state.players)
    if step < halves:
        return half_options(rules, state, step, out)
    n = 0
    if step == halves + FIRST:
        for seat in range(state.players):
            if seat != state.founder:
                out[n] = np.int32((LAY_HALF << KIND_AT) | seat)
                n += 1
        return n
    if step == halves + SEA:
        sketch = np.zeros((SPAN, SPAN), dtype=np.int8)
        draw_sketch(state, sketch)
        for x in range(1, SPAN - 1):
            for y in range(1, SPAN - 1):
                if sketch[x, y] == 0 and touches(sketch, x, y):
                    out[n] = np.int32((LAY_HALF << KIND_AT) | (x << X_AT) | y)
                    n += 1
    else:
        sites = free_sites(state)
        if step == halves:
            sites &= interior_sites(state)
        elif step == halves + LATE_FERTILE:
            sites &= late_interior(state)
        for k in range(state.n_sites):
            if (sites & bit(k)) != 0:
                out[n] = np.int32((LAY_HALF << KIND_AT) | k)
                n += 1
        if step == halves:
            return n
    out[n] = np.int32((LAY_HALF << KIND_AT) | (NO_SITE << X_AT) | NO_SITE)
    return n + 1


@kernel
def touches(sketch: Any, x: Any, y: Any) -> Any:
    for d in range(6):
        if sketch[x + DIRECTIONS[d, 0], y + DIRECTIONS[d, 1]] != 0:
            return True
    return False


@kernel
def half_options(rules: RulesRecord, state: StateRecord, step: Index, out: Any) -> Any:
    """Write every way to lay the next half: place and turn. The very first one lies in the middle."""
    cells = FOURS[rules.plate_shapes] if step % 2 == 0 else THREES[rules.plate_shapes]
    n = 0
    if step == 0:
        for turns in range(6):
            out[n] = np.int32((LAY_HALF << KIND_AT) | (turns << TURNS_AT) | (_MIDDLE << X_AT) | _MIDDLE)
            n += 1
        return n
    sketch = np.zeros((SPAN, SPAN), dtype=np.int8)
    draw_sketch(state, sketch)
    four_apart = step % 2 == 1 and site_is(state, np.int64(state.n_sites) - 1, _ISLAND)
    islands = rules.islands == 0 and not four_apart
    for x in range(_MIDDLE - REACH, _MIDDLE + REACH + 1):
        for y in range(_MIDDLE - REACH, _MIDDLE + REACH + 1):
            if not near_land(sketch, x, y):
                continue
            for turns in range(6):
                joined = lies_well(sketch, cells, x, y, turns, False)
                if joined or (islands and lies_well(sketch, cells, x, y, turns, True)):
                    if n < MOST_LAYINGS:
                        out[n] = np.int32((LAY_HALF << KIND_AT) | (turns << TURNS_AT) | (x << X_AT) | y)
                        n += 1
    return n


MOST_LAYINGS = 2600


@kernel
def lay_piece(rules: RulesRecord, state: StateRecord, code: Any) -> None:
    """Carry out one step of the founding."""
    step = np.int64(state.found_step)
    halves = 2 * np.int64(state.players)
    x = (code >> X_AT) & PLACE_MASK
    y = code & PLACE_MASK
    state.phase = RESOLVE
    if step < halves:
        cells = FOURS[rules.plate_shapes] if step % 2 == 0 else THREES[rules.plate_shapes]
        turns = (code >> TURNS_AT) & TURNS_MASK
        sketch = np.zeros((SPAN, SPAN), dtype=np.int8)
        draw_sketch(state, sketch)
        apart = step > 0 and not lies_well(sketch, cells, x, y, turns, False)
        for c in range(cells.shape[0]):
            q, r = turned(cells[c, 0], cells[c, 1], turns)
            what = (_FOREST if c == 0 else 0) | (_ISLAND if apart else 0)
            state.sites[state.n_sites] = site_code(x + q, y + r, what)
            state.n_sites += 1
        state.found_step += 1
    elif step == halves + FIRST:
        state.first = y
        state.found_step += 1
    elif x == NO_SITE and y == NO_SITE:
        state.found_done = 1
    elif step == halves + SEA:
        state.sites[state.n_sites] = site_code(x, y, _SEA)
        set_modifier(state, np.int64(state.n_sites), np.int64(DESERT))
        state.n_sites += 1
        state.found_done = 1
    elif step == halves + LATE_FERTILE:
        set_modifier(state, y, FERTILE)
    else:
        set_modifier(state, y, step - halves)


@kernel
def finish_land(rules: RulesRecord, state: StateRecord) -> None:
    """Write the land into the rules, in the order of reading, and go on to the Draft or to teams."""
    rules.forest_drawn = 0
    rules.lake = 0
    rules.mountain = 0
    rules.deep_woods = 0
    rules.desert = 0
    rules.oasis = 0
    rules.fertile = 0
    rules.sea_desert = 0
    n = np.int64(state.n_sites)
    for k in range(n):
        h = 0  # Regions are numbered row by row
        for other in range(n):
            row = site_y(state, other) - site_y(state, k)
            if row < 0 or (row == 0 and site_x(state, other) < site_x(state, k)):
                h += 1
        rules.q[h] = site_x(state, k) - _MIDDLE
        rules.r[h] = site_y(state, k) - _MIDDLE
        here = bit(h)
        if site_is(state, k, _FOREST):
            rules.forest_drawn |= here
        if site_is(state, k, _SEA):
            rules.sea_desert |= here
        kind = modifier_of(state, k)
        if kind == FERTILE:
            rules.fertile |= here
        elif kind == LAKE:
            rules.lake |= here
        elif kind == MOUNTAIN:
            rules.mountain |= here
        elif kind == DEEP_WOODS:
            rules.deep_woods |= here
        elif kind == DESERT:
            rules.desert |= here
        elif kind == OASIS:
            rules.oasis |= here
    rules.n_regions = n
    survey(rules)
    state.stage = DRAFTING if rules.draft != 0 else BUILDING
    state.asked = 0


# Points of win share that one more of each brought the Founder with two players: least squares over 40,000 random
# foundings between greedy bots (standard errors 0.3). Lake, Mountain, Deep Woods, Desert, Oasis.
INTERIOR_VIEW = 1.3
MODIFIER_VIEW = np.array([0.0, -0.7, -0.65, 0.0, -0.9, 0.6], dtype=np.float64)


@kernel
def land_view(state: StateRecord) -> Any:
    """What the Founder's land promises so far, in points of win share."""
    value = INTERIOR_VIEW * popcount(interior_sites(state))
    for kind in range(LAKE, OASIS + 1):
        value += MODIFIER_VIEW[kind] * used(state, kind)
    return value
