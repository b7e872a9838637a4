"""What bots and logs see of a position: features, and the piece log."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel, lowest, room
from sim.core.kinds import Action, Numbers, Piece, Points, RulesRecord, Seat, StateRecord, Whether
from sim.core.rng import TASTE, keyed, to_unit
from sim.games.drifting_lands.rules.kinds import Space
from sim.games.drifting_lands.rules.land import level, owner
from sim.games.drifting_lands.rules.params import CARDS, LEVELS
from sim.games.drifting_lands.rules.scoring import levels_of, share_out, side, weigh
from sim.games.drifting_lands.rules.state import (
    CARD_AT,
    CARD_MASK,
    KIND_AT,
    MAX_PLAYERS,
    N_CARDS,
    N_STARTS,
    OCEAN,
    PART_BIT,
    ROOM,
    TILES,
    WITH_CARD,
    State,
)

FEATURES = (
    "points",
    "best_rival",
    "other_rivals",
    "share",
    "pawns",
    "young_left",
    "can_rise",
    "at_sea",
    "threatened",
    *(f"keep {card}" for card in CARDS),
    *(f"select {card}" for card in CARDS),
    "taste",
)
POINTS, BEST_RIVAL, OTHER_RIVALS, SHARE, PAWNS, YOUNG, RISE, SEA, THREATENED = range(9)
KEEP = FEATURES.index("keep Drifting")
CHOICE = FEATURES.index("select Drifting")
LIKED = FEATURES.index("taste")
FEATURE_HELP = {
    "points": "points of the own side from continents and pawns, and of the own cards that stay unused",
    "best_rival": "points of the best other side from continents and pawns",
    "other_rivals": "points of the remaining sides from continents and pawns",
    "share": "worth of all continents, each divided by the levels of the own side on it in all levels there",
    "pawns": "own pawns on the board",
    "young_left": "1 while a level-1 pawn is left in the own supply",
    "can_rise": "own pawns whose next level is in supply",
    "at_sea": "own pawns in the ocean",
    "threatened": "own pawns beside a higher pawn of another side",
    **{f"keep {card}": f"copies of {card} in hand: who keeps them plays them late" for card in CARDS},
    **{f"select {card}": f"copies of {card} selected so far, in hand or played" for card in CARDS},
    "taste": "how much this player likes the cards that it has selected so far: a number from -1 to 1 for each "
    "kind of card, drawn for each deal, so that players do not all select the same cards",
}
# Found by hill climbing in self-play against a pool of earlier weights, with 2, 3 and 4 players, seats swapped on
# equal deals. `taste`, and `select` of the Ultra cards, Splitting and Moving, were then raised so that every kind of
# card is played now and then; without that these players win 60 of 100 two-player games.
WEIGHTS = (
    *(1.0, -0.9, -0.17, 0.27, 0.5, -0.39, -0.12, -0.09, -0.12),
    *(1.1, -2.07, -0.62, -0.33, 1.97, 0.12, 1.81, 1.49, 1.8, 3.57, 7.71),
    *(0.1, 3.2, 0.6, 1.5, 0.3, -0.1, 0.0, 1.0, 0.6, 0.0, 0.0),
    1.0,
)
assert len(WEIGHTS) == len(FEATURES) <= 32

_WITH_CARD = np.int64(sum(1 << kind for kind in WITH_CARD))


@implements("features", State)
def features(rules: RulesRecord, state: StateRecord, seat: Seat, out: Numbers) -> None:
    for k in range(LIKED + 1):
        out[k] = 0.0
    levels = room(TILES)
    points = room(MAX_PLAYERS)
    mine = side(rules, state, seat)
    weigh(state, levels, points)
    share_out(rules, state, levels, points)
    view_continents(rules, state, mine, levels, out)
    view_pawns(rules, state, np.int64(seat), mine, out)
    view_points(rules, state, mine, points, out)
    for card in range(N_CARDS):
        out[POINTS] += np.int64(state.deck[seat, card]) * np.int64(rules.points[card])
        out[KEEP + card] = state.hand[seat, card]
        selected = np.int64(state.hand[seat, card]) + np.int64(state.discard[seat, card])
        if selected > 0:
            out[CHOICE + card] = selected
            liking = 2.0 * to_unit(keyed(state.taste[seat], TASTE, card)) - 1.0
            out[LIKED] += liking * selected
    if state.supply[seat, 0] > 0:
        out[YOUNG] = 1.0


@kernel
def view_points(rules: RulesRecord, state: StateRecord, mine: Any, points: Points, out: Any) -> None:
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
def view_continents(rules: RulesRecord, state: StateRecord, mine: Any, levels: Any, out: Any) -> None:
    """Add what the continents promise."""
    for label in range(state.n_continents):
        if levels[label] == 0:
            continue
        ours = np.int64(0)
        total = np.int64(0)
        for other in range(state.players):
            its_levels = levels_of(levels[label], other)
            total += its_levels
            if side(rules, state, other) == mine:
                ours += its_levels
        out[SHARE] += np.float64(state.continent[label] * ours) / np.float64(total)


@kernel
def view_pawns(rules: RulesRecord, state: StateRecord, seat: Seat, mine: Any, out: Any) -> None:
    """Add what the own pawns mean: they count, may rise, swim, and are threatened by higher ones."""
    eights = state.pawn.view(np.int64)  # as in `weigh`
    for k in range(ROOM // 8):
        pawns = eights[k]
        while pawns != 0:
            place = lowest(pawns) >> 3
            space = 8 * k + place
            pawns &= ~(np.int64(0xFF) << (8 * place))
            pawn = state.pawn[space]
            if owner(pawn) != seat:
                continue
            out[PAWNS] += 1.0
            its_level = level(pawn)
            if its_level < LEVELS and state.supply[seat, its_level] > 0:
                out[RISE] += 1.0
            if state.land[space] == OCEAN:
                out[SEA] += 1.0
            if is_threatened(rules, state, space, its_level, mine):
                out[THREATENED] += 1.0


@kernel
def is_threatened(rules: RulesRecord, state: StateRecord, space: Space, its_level: Any, mine: Any) -> Whether:
    """Return whether a higher pawn of another side stands beside `space`."""
    threats = 0
    for d in range(6):  # without a branch: off the map (-1) is the last place, where nobody stands
        pawn = np.int64(state.pawn[rules.near[space, d] & (ROOM - 1)])
        higher = pawn != 0 and level(pawn) > its_level
        threats += 1 if higher and side(rules, state, owner(pawn)) != mine else 0
    return threats > 0


@implements("tally", State)
def tally(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> None:
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
        out[4, piece] = 0
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
def drawn(rules: RulesRecord, state: StateRecord, out: Any) -> None:
    """Write the starting continents by seat, as digits to the base 5 (0: none)."""
    number = np.int64(0)
    for k in range(state.players):
        seat = state.players - 1 - k
        number = number * (N_STARTS + 1) + np.int64(state.start[seat]) + 1
    out[0] = number


@implements("piece_of", State)
def piece_of(rules: RulesRecord, state: StateRecord, action: Action) -> Piece:
    action = np.int64(action)
    if action >= PART_BIT:
        return np.int64(-1)
    return action >> CARD_AT & CARD_MASK if _WITH_CARD >> (action >> KIND_AT) & 1 else np.int64(-1)


@implements("facts", State)
def facts(rules: RulesRecord, state: StateRecord, out: Any) -> None:
    out[0] = 0
    out[1] = state.last
