"""What bots and logs see of a position: features, and the piece log."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel
from sim.games.drifting_lands.rules.land import level, owner
from sim.games.drifting_lands.rules.params import CARDS, LEVELS
from sim.games.drifting_lands.rules.scoring import share_out, side, weigh
from sim.games.drifting_lands.rules.state import (
    MAX_PLAYERS,
    N_CARDS,
    N_STARTS,
    OCEAN,
    TILES,
    State,
)

FEATURES = (
    "points",
    "best_rival",
    "other_rivals",
    "share",
    "lead",
    "chase",
    "pawns",
    "young_left",
    "can_rise",
    "at_sea",
    "rivals_at_sea",
    "threatened",
    "threats",
    *(f"hand {card}" for card in CARDS),
)
(
    POINTS,
    BEST_RIVAL,
    OTHER_RIVALS,
    SHARE,
    LEAD,
    CHASE,
    PAWNS,
    YOUNG,
    RISE,
    SEA,
    RIVAL_SEA,
    THREATENED,
    THREATS,
) = range(13)
HAND = FEATURES.index("hand Drifting")
FEATURE_HELP = {
    "points": "points of the own side from continents and pawns, and of the own cards that stay unused",
    "best_rival": "points of the best other side from continents and pawns",
    "other_rivals": "points of the remaining sides from continents and pawns",
    "share": "worth of all continents, each divided by the levels of the own side on it in all levels there",
    "lead": "worth of continents where the own seat leads by two levels or more",
    "chase": "worth of continents where the own seat is present, and one level more would reach the first",
    "pawns": "own pawns on the board",
    "young_left": "1 while a level-1 pawn is left in the own supply",
    "can_rise": "own pawns whose next level is in supply",
    "at_sea": "own pawns in the ocean",
    "rivals_at_sea": "pawns of other sides in the ocean",
    "threatened": "own pawns beside a higher pawn of another side",
    "threats": "pawns of other sides beside a higher own pawn",
    **{f"hand {card}": f"copies of {card} in hand" for card in CARDS},
}
# Found by hill climbing in self-play, at last against a pool of earlier weights, with 2, 3 and 4 players, seats
# swapped on equal deals. Against the guesses that it began from they win 95 of 100 two-player games.
WEIGHTS = (
    *(1.0, -0.9, -0.17, 0.27, 0.03, 0.0, 0.5, -0.39, -0.12, -0.09, 0.09, -0.12, 0.14),
    *(0.62, -0.79, 0.25, 0.11, 1.52, 0.12, 1.81, 1.49, 1.49, 3.57, 7.71),
)
assert len(WEIGHTS) == len(FEATURES) <= 32


@implements("features", State)
def features(rules: Any, state: Any, seat: Any, out: Any) -> None:
    for k in range(HAND + N_CARDS):
        out[k] = 0.0
    worth = np.zeros(TILES, dtype=np.int64)
    levels = np.zeros((TILES, MAX_PLAYERS), dtype=np.int64)
    points = np.zeros(MAX_PLAYERS, dtype=np.int64)
    mine = side(rules, state, seat)
    for label in range(weigh(rules, state, worth, levels)):
        share_out(rules, state, worth[label], levels[label], points)
        view_continent(rules, state, seat, worth[label], levels[label], out)
    for space in range(rules.n_spaces):
        if state.pawn[space] != 0:
            points[owner(state.pawn[space])] += level(state.pawn[space])
            view_pawn(rules, state, seat, space, out)
    view_points(rules, state, mine, points, out)
    for card in range(N_CARDS):
        out[POINTS] += np.int64(state.deck[seat, card]) * np.int64(rules.points[card])
        out[HAND + card] = state.hand[seat, card]
    if state.supply[seat, 0] > 0:
        out[YOUNG] = 1.0


@kernel
def view_points(rules: Any, state: Any, mine: Any, points: Any, out: Any) -> None:
    """Write the points of the own side and of the others."""
    best = -1.0
    total = 0.0
    for seat in range(state.players):
        its_side = side(rules, state, seat)
        if its_side == mine:
            out[POINTS] += points[seat]
            continue
        sum_of_side = 0.0
        first = True
        for other in range(state.players):
            if side(rules, state, other) == its_side:
                sum_of_side += points[other]
                first = first and other >= seat
        if first:
            total += sum_of_side
            best = max(best, sum_of_side)
    out[BEST_RIVAL] = best
    out[OTHER_RIVALS] = total - best


@kernel
def view_continent(rules: Any, state: Any, seat: Any, worth: Any, levels: Any, out: Any) -> None:
    """Add what a continent promises."""
    mine = side(rules, state, seat)
    own = np.int64(levels[seat])
    ours = np.int64(0)
    total = np.int64(0)
    best = np.int64(0)
    for other in range(state.players):
        total += levels[other]
        if side(rules, state, other) == mine:
            ours += levels[other]
        if other != seat:
            best = max(best, np.int64(levels[other]))
    if total > 0:
        out[SHARE] += np.float64(worth * ours) / np.float64(total)
    if own >= best + 2:
        out[LEAD] += worth
    elif own > 0 and own < best and own + 1 >= best:
        out[CHASE] += worth


@kernel
def view_pawn(rules: Any, state: Any, seat: Any, space: Any, out: Any) -> None:
    """Add what a pawn means: own ones count, rise, swim and are threatened; others swim and are threatened."""
    pawn = state.pawn[space]
    its_owner = owner(pawn)
    its_level = level(pawn)
    foreign = side(rules, state, its_owner) != side(rules, state, seat)
    if its_owner == seat:
        out[PAWNS] += 1.0
        if its_level < LEVELS and state.supply[seat, its_level] > 0:
            out[RISE] += 1.0
        if state.land[space] == OCEAN:
            out[SEA] += 1.0
    elif foreign and state.land[space] == OCEAN:
        out[RIVAL_SEA] += 1.0
    if its_owner != seat and not foreign:
        return
    for d in range(6):
        other = rules.near[space, d]
        if other < 0 or state.pawn[other] == 0 or level(state.pawn[other]) <= its_level:
            continue
        whose = owner(state.pawn[other])
        if its_owner == seat and side(rules, state, whose) != side(rules, state, seat):
            out[THREATENED] += 1.0
            return
        if foreign and whose == seat:
            out[THREATS] += 1.0
            return


@implements("tally", State)
def tally(rules: Any, state: Any, seat: Any, out: Any) -> None:
    """The rows of MEASURES; `taken`: cards selected, `lost`: played without effect, pawns removed."""
    for card in range(N_CARDS):
        played = state.discard[seat, card]
        unused = state.deck[seat, card] + state.hand[seat, card]
        out[0, card] = state.given[seat, card]
        out[1, card] = -1
        out[2, card] = played + state.hand[seat, card]
        out[3, card] = state.given[seat, card]
        out[4, card] = played
        out[5, card] = state.first_turn[seat, card]
        out[6, card] = 0
        out[7, card] = state.wasted[seat, card]
        out[8, card] = unused * rules.points[card]
        out[9, card] = state.harm[seat, card]
    for k in range(LEVELS):
        piece = N_CARDS + k
        out[0, piece] = 0
        out[1, piece] = -1
        out[2, piece] = -1
        out[3, piece] = 0
        out[4, piece] = -1
        out[5, piece] = -1
        out[6, piece] = 0
        out[7, piece] = state.lost[seat, k]
        out[8, piece] = 0
        out[9, piece] = 0
    for space in range(rules.n_spaces):
        pawn = state.pawn[space]
        if pawn != 0 and owner(pawn) == seat:
            piece = N_CARDS + level(pawn) - 1
            out[3, piece] += 1
            out[8, piece] += level(pawn)


@implements("drawn", State)
def drawn(rules: Any, state: Any, out: Any) -> None:
    """Write the starting continents by seat, as digits to the base 5 (0: none)."""
    number = np.int64(0)
    for k in range(state.players):
        seat = state.players - 1 - k
        number = number * (N_STARTS + 1) + np.int64(state.start[seat]) + 1
    out[0] = number


@implements("facts", State)
def facts(rules: Any, state: Any, out: Any) -> None:
    out[0] = 0
    out[1] = -1
    out[2] = state.last
