"""Depth-first search to the end of a game: minimax with windows for two sides, max-n for more, chance taken whole.

Nothing is redrawn: whatever is hidden counts as known to all. Each node has a value for every side. With two sides
these add up to a constant, and `low` and `high` bound what the value of side 0 must lie between to matter (alpha-beta);
with more, each mover takes what is best for its own side, the first of several alike (max-n: Luckhardt and Irani,
1986). Values are kept by a hash of the whole position.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.bots.worlds import MAX_SIDES
from sim.core.contract import OVER, RESOLVE, apply, legal, merit, score, side
from sim.core.jit import kernel
from sim.core.records import record_type
from sim.core.rng import GOLDEN, mix
from sim.exact.throws import NONE, SEVERAL, STEPS, WHOLE, throw

SOLVED, TOO_MANY, TOO_DEEP, DRAWS, NO_ACTION = range(5)
"""How a search ended: with a value, or why without one."""
WINS, LEAD = range(2)
"""What is sought: the share of the win, or points ahead of the best other side."""
MOST_DEEP = 100
SPARE = MOST_DEEP + 1
"""The position that outcomes of chance are tried on."""
ENDLESS = 1.0e300
_CHOICE, _CHANCE = range(2)
_EXACT, _AT_LEAST, _AT_MOST = 1, 2, 3

FRAME = record_type(
    [
        ("frame", np.int32),
        ("kind", np.int32),
        ("n", np.int32),  # actions
        ("next", np.int32),
        ("mover", np.int32),  # side that chooses
        ("tried", np.int32),
        ("bits", np.int64),  # chance: where the next outcome begins
        ("weight", np.float64),  # chance: of the outcome that is looked at
        ("key", np.uint64),
        ("low", np.float64),
        ("high", np.float64),
        ("asked_low", np.float64),
        ("asked_high", np.float64),
        ("value", np.float64, (MAX_SIDES,)),
    ]
)
KEPT = record_type(
    [("kept", np.int32), ("bound", np.int32), ("key", np.uint64), ("value", np.float64, (MAX_SIDES,))]
)


@kernel
def solve(
    rules: Any,
    states: Any,
    words: Any,
    lists: Any,
    frames: Any,
    kept: Any,
    stream: Any,
    found: Any,
    most: Any,
    most_nodes: Any,
    aim: Any,
    sides: Any,
) -> Any:
    """Write the value of ``states[0]`` to each side into `found`; return how it went and how many nodes it took.

    Parameters
    ----------
    words : uint32 array (positions, words)
        The memory of `states`.
    lists : int32 array (positions, actions)
    frames, kept : record arrays
        One frame a depth; values by hash, a power of two of them.
    most : int
        Actions that a position has at most.
    """
    depth = np.int64(0)
    nodes = np.int64(0)
    frames[0].asked_low = widest(aim, 0)
    frames[0].asked_high = widest(aim, 1)
    entering = True
    while True:
        frame = frames[depth]
        if entering:
            entering = False
            nodes += 1
            if nodes > most_nodes:
                return np.int64(TOO_MANY), nodes
            n = arrive(rules, states, depth, lists[depth], stream, most)
            if n < 0:
                return -n, nodes
            if n == 0 and states[depth].phase == OVER:
                final(rules, states[depth], found, aim, sides)
            else:
                frame.key = hash_of(words[depth])
                if not recall(kept, frame, found, sides):
                    open_frame(rules, states[depth], frame, n, aim, sides)
                    if depth + 1 >= MOST_DEEP:
                        return np.int64(TOO_DEEP), nodes
                    if frame.kind == _CHANCE:
                        wrong = next_outcome(rules, states, words, depth, frame, stream)
                        if wrong != 0:
                            return wrong, nodes
                    else:
                        states[depth + 1] = states[depth]
                        apply(rules, states[depth + 1], lists[depth][0])
                    pass_window(frame, frames[depth + 1], aim, sides)
                    depth += 1
                    entering = True
                    continue
            if depth == 0:
                return np.int64(SOLVED), nodes
            depth -= 1
            continue
        # a child of this frame has its value in `found`
        more = False
        if frame.kind == _CHANCE:
            for s in range(sides):
                frame.value[s] += frame.weight * found[s]
            more = frame.bits < WHOLE
            if more:
                wrong = next_outcome(rules, states, words, depth, frame, stream)
                if wrong != 0:
                    return wrong, nodes
        else:
            more = take_in(frame, found, sides, aim)
            if more:
                states[depth + 1] = states[depth]
                apply(rules, states[depth + 1], lists[depth][frame.next])
        if more:
            pass_window(frame, frames[depth + 1], aim, sides)
            depth += 1
            entering = True
            continue
        for s in range(sides):
            found[s] = frame.value[s]
        remember(kept, frame, sides)
        if depth == 0:
            return np.int64(SOLVED), nodes
        depth -= 1


@kernel
def widest(aim: Any, end: Any) -> Any:
    """Return the least (0) or greatest (1) value that there can be."""
    if aim == WINS:
        return 1.0 * end
    return ENDLESS if end == 1 else -ENDLESS


@kernel
def arrive(rules: Any, states: Any, depth: Any, listed: Any, stream: Any, most: Any) -> Any:
    """Go on to a real choice (returns how many actions), to chance or the end (0); negative: why that cannot be."""
    state = states[depth]
    for _ in range(100_000):
        while state.phase == RESOLVE:
            states[SPARE] = state
            drawn = throw(rules, states[SPARE], stream, 0)
            if drawn == SEVERAL:
                return np.int64(-DRAWS)
            if drawn != NONE:
                return np.int64(0)
            states[depth] = states[SPARE]
        if state.phase == OVER:
            return np.int64(0)
        n = np.int64(legal(rules, state, listed))
        if n <= 0 or n > most:
            return np.int64(-NO_ACTION)
        if n > 1:
            return n
        apply(rules, state, listed[0])
    return np.int64(-TOO_DEEP)


@kernel
def next_outcome(rules: Any, states: Any, words: Any, depth: Any, frame: Any, stream: Any) -> Any:
    """Set the next position to what chance brings from `frame.bits` on, and weigh it; returns 0, or what is wrong."""
    begin = frame.bits
    states[depth + 1] = states[depth]
    if throw(rules, states[depth + 1], stream, begin) == SEVERAL:
        return np.int64(DRAWS)
    known, unlike = np.int64(begin), np.int64(WHOLE)
    while known < WHOLE - 1:  # in steps as long as it stays the same, then by halves
        ahead = min(known + WHOLE // STEPS, np.int64(WHOLE - 1))
        if not comes_again(rules, states, words, depth, ahead, stream):
            unlike = ahead
            break
        known = ahead
    if unlike == WHOLE:
        known = np.int64(WHOLE - 1)
    while unlike - known > 1:
        middle = (known + unlike) // 2
        if comes_again(rules, states, words, depth, middle, stream):
            known = middle
        else:
            unlike = middle
    frame.bits = unlike
    frame.weight = (unlike - begin) / WHOLE
    return np.int64(0)


@kernel
def comes_again(rules: Any, states: Any, words: Any, depth: Any, bits: Any, stream: Any) -> Any:
    """Whether chance with these bits brings the position that stands at the next depth."""
    states[SPARE] = states[depth]
    throw(rules, states[SPARE], stream, bits)
    unlike = 0
    for k in range(words.shape[1]):
        unlike += words[SPARE, k] != words[depth + 1, k]
    return unlike == 0


@kernel
def final(rules: Any, state: Any, found: Any, aim: Any, sides: Any) -> None:
    """Write what each side has of a game that is over."""
    seats = np.int64(state.players)
    if aim == WINS:
        for s in range(sides):
            found[s] = -ENDLESS
        best = -ENDLESS
        for seat in range(seats):
            own = merit(rules, state, seat, score(rules, state, seat))
            found[np.int64(side(rules, state, seat))] = own
            best = max(best, own)
        winners = 0.0
        for s in range(sides):
            found[s] = 1.0 if found[s] == best else 0.0
            winners += found[s]
        for s in range(sides):
            found[s] /= winners
        return
    for s in range(sides):
        ahead = ENDLESS
        for seat in range(seats):
            if side(rules, state, seat) != s:
                continue
            own = score(rules, state, seat)
            for other in range(seats):
                if side(rules, state, other) != s:
                    ahead = min(ahead, own - score(rules, state, other))
        found[s] = ahead


@kernel
def open_frame(rules: Any, state: Any, frame: Any, n: Any, aim: Any, sides: Any) -> None:
    """Begin a node: of `n` actions, or (0) of chance."""
    frame.kind = _CHOICE if n > 0 else _CHANCE
    frame.n = n
    frame.next = 0
    frame.tried = 0
    frame.bits = 0
    frame.weight = 0.0
    frame.mover = side(rules, state, np.int64(state.seat)) if n > 0 else 0
    frame.low = frame.asked_low
    frame.high = frame.asked_high
    for s in range(sides):
        frame.value[s] = 0.0


@kernel
def pass_window(frame: Any, child: Any, aim: Any, sides: Any) -> None:
    """Tell a child what its value must lie between; below chance and among more than two sides everything matters."""
    narrow = frame.kind == _CHOICE and sides == 2
    child.asked_low = frame.low if narrow else widest(aim, 0)
    child.asked_high = frame.high if narrow else widest(aim, 1)


@kernel
def take_in(frame: Any, found: Any, sides: Any, aim: Any) -> Any:
    """Take the value of an action into its node; whether another action may still be better."""
    mine = np.int64(frame.mover)
    if frame.tried == 0 or found[mine] > frame.value[mine]:
        for s in range(sides):
            frame.value[s] = found[s]
    frame.tried += 1
    frame.next += 1
    if sides == 2:
        if mine == 0:
            frame.low = max(frame.low, frame.value[0])
        else:
            frame.high = min(frame.high, frame.value[0])
        if frame.low >= frame.high:
            return False
    elif frame.value[mine] >= widest(aim, 1):
        return False
    return frame.next < frame.n


@kernel
def hash_of(words: Any) -> Any:
    """Return a number for a position; two that differ share one about never."""
    key = np.uint64(0)
    for k in range(words.shape[0]):
        key = mix(np.add(key ^ np.uint64(words[k]), GOLDEN))
    return key


@kernel
def recall(kept: Any, frame: Any, found: Any, sides: Any) -> Any:
    """Whether this position's value, as far as it matters, is known; it is then in `found`."""
    entry = kept[np.int64(frame.key & np.uint64(kept.shape[0] - 1))]
    if entry.bound == 0 or entry.key != frame.key:
        return False
    value = entry.value[0]
    known = entry.bound == _EXACT
    known = known or (entry.bound == _AT_LEAST and value >= frame.asked_high)
    known = known or (entry.bound == _AT_MOST and value <= frame.asked_low)
    if known:
        for s in range(sides):
            found[s] = entry.value[s]
    return known


@kernel
def remember(kept: Any, frame: Any, sides: Any) -> None:
    """Keep the value of a node, and whether it is a bound only."""
    entry = kept[np.int64(frame.key & np.uint64(kept.shape[0] - 1))]
    entry.key = frame.key
    entry.bound = _EXACT
    if sides == 2 and frame.kind == _CHOICE:
        if frame.value[0] >= frame.asked_high:
            entry.bound = _AT_LEAST
        elif frame.value[0] <= frame.asked_low:
            entry.bound = _AT_MOST
    for s in range(sides):
        entry.value[s] = frame.value[s]
