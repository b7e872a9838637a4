"""The loop of the random games of `make soak`: whole games, with every check at every position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.contract import OVER, OVERFLOW, RESOLVE, STUCK, TURN_CAP, apply, legal, resolve, score, setup
from sim.core.jit import chain, kernel, tag_of
from sim.core.kinds import Actions, Count, Records, Seating, Seed, State
from sim.core.rng import BOT, CHANCE, below, start
from tests.soak.invariants import HOLDS

FEW = 48
"""Lists of so many actions are looked through for one that stands there twice."""
WAITS = 10_000
SELDOM = 3
"""How often in a row an idle action is drawn until it is played."""
TWICE, NO_SEAT, STRANGE_PHASE, TURN_BACK, NOT_ENDED, NO_SCORE, HANGS = range(101, 108)
"""What is broken, whatever the game; a game's own checks have smaller numbers."""
ENDS = 6
TURNS, DECISIONS, LONGEST = ENDS, ENDS + 1, ENDS + 2
"""Columns of what is counted: games by how they ended, then sums of turns and of decisions, and the most decisions."""
COUNTED = ENDS + 3


def _write_holds(names: Any) -> Callable[..., Any]:
    game = tag_of(names).removeprefix("game_").rpartition("_")[0]
    inner = {"holds": HOLDS[game]}
    exec("def holds_here(state, rules, seen):\n    return holds(state, rules, seen)\n", inner)
    return inner["holds_here"]


holds: Any = chain("holds", "state, rules, seen", _write_holds, _write_holds)


@kernel
def play_random(
    rules_bank: Records,
    entrants: Records,
    who: Seating,
    seeds: Seed,
    states: Records,
    blank: Records,
    actions: Actions,
    streams: Records,
    counted: Any,
    most: Count,
    cap: Count,
    between: Any,
    idle: Any,
) -> tuple[Count, Count, Count]:
    """Play a game for each of `seeds`, every legal action alike, and count how they end.

    Parameters
    ----------
    rules_bank, entrants, who
        Rules (1,), entrants (players,) and seating (players,) of all games.
    seeds : uint64 array (games,)
    states, blank : record arrays (2,) and (1,)
        Room for the position and for what its checks remember; zeros.
    actions, streams
        Room for actions; uint64 array (2, 1).
    counted : int64 array (COUNTED,)
        What is added to.
    most, cap
        Most actions of a position and of a game.
    between : bool
        Whether checks hold between a decision and what follows by itself, too.
    idle : (low, high)
        Actions low <= action < high are hardly ever chosen where there are others; none with (0, 0).

    Returns
    -------
    (game, ply, broken)
        The game and the position in which something is broken, and what: 0 when nothing is.
    """
    rules, state, seen = rules_bank[0], states[0], states[1]
    chance, stream = streams[0], streams[1]
    for g in range(seeds.shape[0]):
        setup(rules, state, entrants, who, seeds[g])
        states[1] = blank[0]
        start(chance, seeds[g], CHANCE, 0)
        start(stream, seeds[g], BOT, 0)
        plies = decisions = waited = 0
        ended = np.int64(0)
        turn = np.int64(state.turn)
        while state.phase != OVER and ended == 0:
            if state.phase == RESOLVE:
                waited += 1
                if waited > WAITS:
                    return np.int64(g), np.int64(plies), np.int64(HANGS)
                resolve(rules, state, chance)
                if state.phase == RESOLVE:
                    continue
                wrong = np.int64(holds(state, rules, seen))
                if wrong:
                    return np.int64(g), np.int64(plies), wrong
                continue
            waited = 0
            if plies == 0:
                wrong = np.int64(holds(state, rules, seen))
                if wrong:
                    return np.int64(g), np.int64(plies), wrong
            n = np.int64(legal(rules, state, actions))
            if n <= 0 or n > most or plies >= cap:
                ended = np.int64(STUCK if n <= 0 else OVERFLOW if n > most else TURN_CAP)
                break
            wrong = usual(state, actions, n, turn)
            if wrong:
                return np.int64(g), np.int64(plies), np.int64(wrong)
            turn = np.int64(state.turn)
            picked = np.int64(0)
            if n > 1:
                picked = np.int64(below(stream, n))
                for _ in range(SELDOM):
                    if idle[0] <= actions[picked] < idle[1]:
                        picked = np.int64(below(stream, n))
                decisions += 1
            apply(rules, state, actions[picked])
            plies += 1
            if state.phase != RESOLVE or between:
                wrong = np.int64(holds(state, rules, seen))
                if wrong:
                    return np.int64(g), np.int64(plies), wrong
        if ended == 0:
            ended = np.int64(state.ended)
        if ended <= 0 or ended >= ENDS:
            return np.int64(g), np.int64(plies), np.int64(NOT_ENDED)
        for seat in range(np.int64(state.players)):
            points = score(rules, state, seat)
            if not abs(points) < 1.0e9:
                return np.int64(g), np.int64(plies), np.int64(NO_SCORE)
        counted[ended] += 1
        counted[TURNS] += state.turn
        counted[DECISIONS] += decisions
        counted[LONGEST] = max(counted[LONGEST], np.int64(decisions))
    return np.int64(seeds.shape[0]), np.int64(0), np.int64(0)


@kernel
def usual(state: State, actions: Actions, n: Count, turn: Count) -> Count:
    """Return what is broken of what holds in every game where a decision is due, or 0."""
    if state.seat < 0 or state.seat >= state.players:
        return np.int64(NO_SEAT)
    if state.phase < 2:
        return np.int64(STRANGE_PHASE)
    if state.turn < turn or state.ended != 0:
        return np.int64(TURN_BACK)
    if n <= FEW:
        for k in range(n):
            for j in range(k):
                if actions[j] == actions[k]:
                    return np.int64(TWICE)
    return np.int64(0)
