"""`map = "founder"`: a random legal founding for every deal.

Each Island Plate is laid as one flower or as two halves, each joined to the land in a random place or, where
islands are allowed, now and then a half lies apart. Every Interior Region gets a Fertile modifier while they
last; the other modifiers are strewn over the remaining Regions; now and then a Desert rises from the sea, and
Interior Regions that are new by it get Fertile or not (A10).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.hexgrid import DIRECTIONS, SPAN
from sim.core.jit import bit, kernel, popcount
from sim.core.kinds import Count, Mask, RulesRecord, Seed, Stream, Whether
from sim.core.rng import FOUNDING, below, start
from sim.games.migration.rules.state import MAX_REGIONS
from sim.games.migration.rules.survey import survey

# Cells (q, r) of the halves of each `plate_shapes`, the one with the Forest first; laid together they are a plate.
FOURS = np.array(
    [
        [[1, -1], [0, 0], [1, 0], [0, -1]],
        [[1, 0], [0, 0], [2, 0], [3, 0]],
        [[0, 0], [1, 0], [-1, 1], [0, -1]],
        [[1, -1], [0, 0], [1, 0], [0, -1]],
    ],
    dtype=np.int64,
)
THREES = np.array(
    [
        [[-1, 1], [-1, 0], [0, 1]],
        [[1, 1], [0, 1], [2, 1]],
        [[0, 1], [1, 1], [0, 2]],
        [[-1, 1], [-1, 0], [0, 1]],
    ],
    dtype=np.int64,
)
FERTILE, LAKE, MOUNTAIN, DEEP_WOODS, DESERT, OASIS = range(6)  # in `modifier_counts`
_MIDDLE = SPAN // 2
REACH = 14  # foundings stay within this distance of the middle
# what a cell of the sketch holds: 0 sea, 1 land, 2 land with a Forest symbol


@kernel
def turned(q: Any, r: Any, turns: Count) -> Any:
    """Return (q, r) turned by `turns` sixths of a circle about (0, 0)."""
    for _turn in range(turns):
        q, r = -r, q + r
    return q, r


@kernel
def fits(sketch: Any, cells: Any, x: Any, y: Any, turns: Count, apart: Mask) -> Whether:
    """Whether a half can be laid with its origin at (x, y): on free sea, touching land (or, apart, not)."""
    touches = False
    for c in range(cells.shape[0]):
        q, r = turned(cells[c, 0], cells[c, 1], turns)
        u = x + q
        v = y + r
        if abs(u - _MIDDLE) > REACH or abs(v - _MIDDLE) > REACH or abs(u + v - 2 * _MIDDLE) > REACH:
            return False
        if sketch[u, v] != 0:
            return False
        for d in range(6):
            if sketch[u + DIRECTIONS[d, 0], v + DIRECTIONS[d, 1]] != 0:
                touches = True
    return touches != apart


@kernel
def near_land(sketch: Any, x: Any, y: Any) -> Whether:
    """Whether land lies within three steps of (x, y): islands stay in sight."""
    for q in range(-3, 4):
        for r in range(max(-3, -q - 3), min(3, -q + 3) + 1):
            u = x + q
            v = y + r
            if 0 <= u < SPAN and 0 <= v < SPAN and sketch[u, v] != 0:
                return True
    return False


@kernel
def lay(sketch: Any, cells: Any, x: Any, y: Any, turns: Count) -> None:
    for c in range(cells.shape[0]):
        q, r = turned(cells[c, 0], cells[c, 1], turns)
        sketch[x + q, y + r] = 2 if c == 0 else 1


@kernel
def lay_somewhere(sketch: Any, cells: Any, second: Any, whole: Any, apart: Mask, stream: Stream) -> Any:
    """Lay a half (or a whole flower: both halves) in one of all fitting places; False when there is none."""
    found = 0
    bx = np.int64(0)
    by = np.int64(0)
    bt = np.int64(0)
    for x in range(_MIDDLE - REACH, _MIDDLE + REACH + 1):
        for y in range(_MIDDLE - REACH, _MIDDLE + REACH + 1):
            if not near_land(sketch, x, y):
                continue
            for turns in range(6):
                good = fits(sketch, cells, x, y, turns, apart)
                if whole:
                    other = fits(sketch, second, x, y, turns, False)
                    alone = fits(sketch, second, x, y, turns, True)
                    good = (good and (other or alone)) or (other and fits(sketch, cells, x, y, turns, True))
                if good:
                    found += 1
                    if below(stream, found) == 0:
                        bx = np.int64(x)
                        by = np.int64(y)
                        bt = np.int64(turns)
    if found == 0:
        return False
    lay(sketch, cells, bx, by, bt)
    if whole:
        lay(sketch, second, bx, by, bt)
    return True


@kernel
def found_board(rules: RulesRecord, seed: Seed) -> None:
    """Draw the board of this deal into `rules` and survey it."""
    stream = np.empty(1, dtype=np.uint64)
    start(stream, seed, FOUNDING, 0)
    sketch = np.zeros((SPAN, SPAN), dtype=np.int8)
    four = FOURS[rules.plate_shapes]
    three = THREES[rules.plate_shapes]
    islands = 0
    for plate in range(rules.players):
        whole = below(stream, 2) == 0
        if plate == 0:
            turns = below(stream, 6)
            lay(sketch, four, _MIDDLE, _MIDDLE, turns)
            if whole:
                lay(sketch, three, _MIDDLE, _MIDDLE, turns)
                continue
        elif whole:
            lay_somewhere(sketch, four, three, True, False, stream)
            continue
        else:
            lay_somewhere(sketch, four, three, False, False, stream)
        if rules.islands == 0 and below(stream, 4) == 0:
            islands += 1
        else:
            lay_somewhere(sketch, three, four, False, False, stream)
    for _island in range(islands):  # last, so that nothing is joined to them: an island is one half (A3)
        if not lay_somewhere(sketch, three, four, False, True, stream):
            lay_somewhere(sketch, three, four, False, False, stream)
    read_cells(rules, sketch)
    survey(rules)
    rules.fertile = 0
    before = np.int64(rules.interior)
    draw_modifiers(rules, sketch, stream)
    survey(rules)
    if rules.sea_desert != 0:
        draw_late_fertile(rules, rules.interior & ~before, stream)
        survey(rules)


@kernel
def read_cells(rules: RulesRecord, sketch: Any) -> None:
    """List the land row by row, and clear all terrain."""
    n = 0
    rules.forest_drawn = 0
    rules.lake = 0
    rules.mountain = 0
    rules.deep_woods = 0
    rules.desert = 0
    rules.oasis = 0
    rules.fertile = 0
    rules.sea_desert = 0
    for y in range(SPAN):
        for x in range(SPAN):
            if sketch[x, y] != 0 and n < MAX_REGIONS:
                rules.q[n] = x - _MIDDLE
                rules.r[n] = y - _MIDDLE
                if sketch[x, y] == 2:
                    rules.forest_drawn |= bit(n)
                n += 1
    rules.n_regions = n


@kernel
def draw_modifiers(rules: RulesRecord, sketch: Any, stream: Stream) -> None:
    """Fertile on Interior Regions while they last, then any number of each other modifier on what is left."""
    counts = rules.modifier_counts
    rules.fertile = pick(rules.interior, np.int64(counts[FERTILE]), stream)
    left = rules.land & ~rules.fertile
    for sort in range(LAKE, OASIS + 1):
        chosen = pick(left, below(stream, counts[sort] + 1), stream)
        left &= ~chosen
        if sort == LAKE:
            rules.lake = chosen
        elif sort == MOUNTAIN:
            rules.mountain = chosen
        elif sort == DEEP_WOODS:
            rules.deep_woods = chosen
        elif sort == DESERT:
            rules.desert = chosen
        else:
            rules.oasis = chosen
    if popcount(rules.desert) < counts[DESERT] and below(stream, 4) == 0 and rules.n_regions < MAX_REGIONS:
        raise_sea_desert(rules, sketch, stream)


@kernel
def draw_late_fertile(rules: RulesRecord, regions: Mask, stream: Stream) -> None:
    """Put any number of the Fertile modifiers that are left on Regions that a Desert has made Interior (A10)."""
    regions &= ~(rules.lake | rules.mountain | rules.deep_woods | rules.desert | rules.oasis)
    left = np.int64(rules.modifier_counts[FERTILE]) - popcount(rules.fertile)
    most = min(left, np.int64(popcount(regions)))
    if most > 0:
        rules.fertile |= pick(regions, below(stream, most + 1), stream)


@kernel
def pick(regions: Mask, wanted: Any, stream: Stream) -> Any:
    """Return `wanted` random Regions of the mask (all, when there are not so many)."""
    chosen = np.int64(0)
    taken = 0
    while taken < wanted and regions != 0:
        seen = 0
        best = np.int64(0)
        for h in range(MAX_REGIONS):
            if (regions & bit(h)) != 0:
                seen += 1
                if below(stream, seen) == 0:
                    best = bit(h)
        chosen |= best
        regions &= ~best
        taken += 1
    return chosen


@kernel
def raise_sea_desert(rules: RulesRecord, sketch: Any, stream: Stream) -> None:
    """Put a Desert on a random sea hex beside the land; it becomes the last Region of the list."""
    seen = 0
    bx = np.int64(0)
    by = np.int64(0)
    for x in range(1, SPAN - 1):
        for y in range(1, SPAN - 1):
            if sketch[x, y] != 0:
                continue
            beside = False
            for d in range(6):
                if sketch[x + DIRECTIONS[d, 0], y + DIRECTIONS[d, 1]] != 0:
                    beside = True
            if beside:
                seen += 1
                if below(stream, seen) == 0:
                    bx = np.int64(x)
                    by = np.int64(y)
    n = np.int64(rules.n_regions)
    rules.q[n] = bx - _MIDDLE
    rules.r[n] = by - _MIDDLE
    rules.desert |= bit(n)
    rules.sea_desert |= bit(n)
    rules.n_regions = n + 1
