"""Splitting: which parts of a continent may drift away from the rest.

A tile drags along every tile that it would run into and, where the parts must not touch afterwards, every tile that
it would still touch. So a legal part is closed under "drags along", in one piece, and (if parts must be apart) leaves
a rest in one piece. The search grows parts tile by tile, each new tile taken with all that it drags along, or left
out with all that would drag it: no part comes twice, and branches that can no longer hang together are cut.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel, lowest, popcount
from sim.core.kinds import Count, Mask, RulesRecord, Seed, StateRecord, Stream, Whether
from sim.core.rng import GOLDEN, below, mix
from sim.games.drifting_lands.rules.kinds import Direction
from sim.games.drifting_lands.rules.state import APART, TILES

BORDER = 14
"""Where parts may touch ('any'), all parts are listed up to this many tiles; beyond it parts are drawn."""
MOST_STEPS = 200_000
"""Steps of the search after which it stops; not met in any game so far, a guard against odd maps."""


@kernel
def grown(touch: Any, seed: Seed, within: Any) -> Any:
    """Return the tiles of `within` that hang together with the tiles of `seed`."""
    found = seed & within
    edge = found
    while edge != 0:
        spread = np.int64(0)
        while edge != 0:
            spread |= touch[lowest(edge)]
            edge &= edge - 1
        edge = spread & within & ~found
        found |= edge
    return found


@kernel
def one_piece(touch: Any, mask: Mask) -> Whether:
    """Return whether the tiles of `mask` hang together."""
    return grown(touch, mask & -mask, mask) == mask


@kernel
def drags(
    rules: RulesRecord, state: StateRecord, whole: Any, d: Direction, spaces: Mask, touch: Any, drag: Count
) -> Any:
    """Write what each tile of `whole` touches and drags along; return the tiles that can move at all."""
    able = whole
    rest = whole
    while rest != 0:
        k = lowest(rest)
        rest &= rest - 1
        touch[k] = 0
        drag[k] = bit(k)
        for e in range(6):
            other = rules.near[state.tile[k], e]
            if other >= 0 and state.number[other] >= 0:
                touch[k] |= bit(state.number[other]) & whole
        space = np.int64(state.tile[k])
        for _ in range(spaces):
            space = np.int64(rules.near[space, d])
            if space < 0:
                able &= ~bit(k)
                break
            if state.number[space] >= 0:
                if whole & bit(state.number[space]) == 0:
                    able &= ~bit(k)
                    break
                drag[k] |= bit(state.number[space])
        if space >= 0 and rules.split_parts == APART:
            for e in range(6):
                other = rules.near[space, e]
                if other >= 0 and state.number[other] >= 0:
                    drag[k] |= bit(state.number[other]) & whole
    changed = True
    while changed:
        changed = False
        rest = whole
        while rest != 0:
            k = lowest(rest)
            rest &= rest - 1
            more = drag[k]
            edge = more & ~bit(k)
            while edge != 0:
                more |= drag[lowest(edge)]
                edge &= edge - 1
            if more != drag[k]:
                drag[k] = more
                changed = True
    rest = able
    while rest != 0:
        k = lowest(rest)
        rest &= rest - 1
        if drag[k] & ~able != 0:
            able &= ~bit(k)
    return able


@kernel
def parts(
    rules: RulesRecord, state: StateRecord, whole: Any, d: Direction, spaces: Mask, most: Count, out: Any
) -> Any:
    """Write the masks of the parts of `whole` that may go `spaces` in direction `d`; return how many.

    At most `most`: of more parts, that many are drawn by a hash of the position, each equally likely. With `most` = 1
    the search stops at the first.
    """
    touch = np.empty(TILES, dtype=np.int64)
    drag = np.empty(TILES, dtype=np.int64)
    able = drags(rules, state, whole, d, spaces, touch, drag)
    if able == 0 or popcount(whole) < 2:
        return 0
    stream = np.empty(1, dtype=np.uint64)
    stream[0] = mix(np.add(np.uint64(state.salt), np.multiply(GOLDEN, np.uint64(whole * 8 + d))))
    apart = rules.split_parts == APART
    if apart or popcount(whole) <= BORDER:
        return search(whole, able, touch, drag, apart, stream, most, out)
    found = search(whole, able, touch, drag, apart, stream, 1, out)
    return drawn_parts(whole, able, touch, drag, stream, most, out) if found == 1 else found


@kernel
def search(
    whole: Any, able: Whether, touch: Any, drag: Count, apart: Any, stream: Stream, most: Count, out: Any
) -> Any:
    """Write at most `most` of all legal parts and return how many."""
    dragged_by = np.zeros(TILES, dtype=np.int64)
    rest = able
    while rest != 0:
        k = lowest(rest)
        rest &= rest - 1
        edge = drag[k]
        while edge != 0:
            dragged_by[lowest(edge)] |= bit(k)
            edge &= edge - 1
    stack = np.empty((2 * TILES + 2, 2), dtype=np.int64)
    found = np.int64(0)
    steps = 0
    barred = whole & ~able
    roots = able
    while roots != 0:
        root = lowest(roots)
        roots &= roots - 1
        if drag[root] & barred == 0:
            stack[0, 0] = drag[root]
            stack[0, 1] = barred
            top = 1
            while top > 0 and steps < MOST_STEPS:
                steps += 1
                top -= 1
                part = stack[top, 0]
                out_of_it = stack[top, 1]
                if part == whole:
                    continue
                reach = grown(touch, part & -part, whole & ~out_of_it)
                if part & ~reach != 0:
                    continue
                if apart and out_of_it != 0:
                    stays = grown(touch, out_of_it & -out_of_it, whole & ~part)
                    if out_of_it & ~stays != 0:
                        continue
                edge = np.int64(0)
                rest = part
                while rest != 0:
                    edge |= touch[lowest(rest)]
                    rest &= rest - 1
                edge &= able & ~part & ~out_of_it
                if edge != 0:
                    k = lowest(edge)
                    if drag[k] & out_of_it == 0:
                        stack[top, 0] = part | drag[k]
                        stack[top, 1] = out_of_it
                        top += 1
                    stack[top, 0] = part
                    stack[top, 1] = out_of_it | dragged_by[k]
                    top += 1
                    continue
                if not one_piece(touch, part) or (apart and not one_piece(touch, whole & ~part)):
                    continue
                if found < most:
                    out[found] = part
                else:
                    place = below(stream, found + 1)
                    if place < most:
                        out[place] = part
                found += 1
                if most == 1:
                    return 1
        barred |= dragged_by[root]
    return min(found, np.int64(most))


@kernel
def drawn_parts(
    whole: Any, able: Whether, touch: Any, drag: Count, stream: Stream, most: Count, out: Any
) -> Any:
    """Add to the one part in `out` parts grown from a random tile to a random size; return how many."""
    found = 1
    size = popcount(whole)
    for _ in range(most - 1):
        part = drag[pick(able, stream)]
        wanted = 1 + below(stream, size - 1)
        while popcount(part) < wanted:
            edge = np.int64(0)
            rest = part
            while rest != 0:
                edge |= touch[lowest(rest)]
                rest &= rest - 1
            edge &= able & ~part
            if edge == 0:
                break
            part |= drag[pick(edge, stream)]
        known = part == whole or not one_piece(touch, part)
        for k in range(found):
            known = known or out[k] == part
        if not known:
            out[found] = part
            found += 1
    return found


@kernel
def pick(mask: Mask, stream: Stream) -> Any:
    """Return a random tile of `mask`."""
    skip = below(stream, popcount(mask))
    while skip > 0:
        mask &= mask - 1
        skip -= 1
    return lowest(mask)
