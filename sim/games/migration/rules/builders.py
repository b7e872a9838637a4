"""What team builders and drafters like: four styles, as weights of each Explorer and how they fall with copies.

The weights are heuristics to compare archetypes with, not findings. In every deal each player's liking of each
Explorer wanders by up to a fifth (`taste`), so that teams differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, kernel, popcount
from sim.core.kinds import Counts, Piece, RulesRecord, Seat, StateRecord
from sim.core.rng import keyed, to_unit
from sim.games.migration.rules.drafting import piece_in, pile_of
from sim.games.migration.rules.state import (
    BASS,
    FLY,
    GROUP,
    JACKAL,
    N_PIECES,
    OAK,
    POISON_OAK,
    SPARROW,
    WOLF,
)

STYLES = ("balanced", "rush", "control", "wasteland")
STYLE_ABOUT = {
    "balanced": "some of everything, a little more of what opens the board and of what scores",
    "rush": "many ways in and quick points: Bass, Rats, Wolf, Lizard",
    "control": "takes Regions and Spirits from others: Sparrow, Wolf, Skunk, Poison Oak, Cactus",
    "wasteland": "leaves Wasteland and lives on it: Jackal, Fly, Lizard, Sparrow",
}
# Bass, Oak, Rats, Sparrow, Fly, Wolf, Skunk, Poison Oak, Jackal, Lizard, Cactus
LIKING = np.array(
    [
        [1.4, 0.7, 1.3, 1.2, 1.0, 1.4, 0.7, 0.8, 1.0, 0.8, 0.7],
        [1.7, 0.5, 1.8, 0.9, 0.8, 1.5, 0.4, 0.4, 0.8, 1.3, 0.4],
        [1.3, 0.8, 0.7, 1.8, 0.6, 1.8, 1.4, 1.5, 0.4, 0.6, 1.2],
        [1.2, 0.5, 0.9, 1.3, 1.7, 0.8, 0.4, 0.4, 1.9, 1.4, 0.6],
    ],
    dtype=np.float64,
)
COPY = 0.85
"""A further copy is liked this much of the one before."""


@kernel
def liking(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece) -> Any:
    """How much `seat` likes its first copy of `piece`, given bans and land.

    Jackals gain where nobody can have Flies, Oaks lose where nothing takes Spirits or Regions, Wolves lose where
    fewer than two Forests a player lie open.
    """
    style = np.int64(state.builds[seat]) % np.int64(4)
    value = LIKING[style, piece] * (0.8 + 0.4 * to_unit(keyed(state.taste[seat], 0, piece)))
    if piece == JACKAL and (state.banned & bit(FLY)) != 0:
        value *= 1.25
    if piece == OAK and (state.banned & bit(SPARROW)) != 0 and (state.banned & bit(POISON_OAK)) != 0:
        value *= 0.7
    if piece == WOLF and popcount(rules.forest) < 2 * np.int64(state.players):
        value *= 0.8
    if piece == BASS and popcount(rules.coast) < 4 * np.int64(state.players):
        value *= 0.9
    if ((state.banned | state.own_bans[seat]) & bit(piece)) != 0:
        value = 0.0
    return value


@kernel
def worth_of(rules: RulesRecord, state: StateRecord, seat: Seat, counts: Counts) -> Any:
    """How much `seat` likes a collection of pieces (copies by piece)."""
    total = 0.0
    for piece in range(N_PIECES):
        value = liking(rules, state, seat, piece)
        for _copy in range(counts[piece]):
            total += value
            value *= COPY
    return total


@kernel
def split_hope(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """What the splitter may hope for: the pile that it likes less, since the other one chooses."""
    counts = np.zeros((2, N_PIECES), dtype=np.int64)
    group = np.int64(state.group)
    for k in range(GROUP):
        piece = piece_in(state, group, k)
        if piece >= 0:
            counts[pile_of(state, group, k), piece] += 1
    return min(worth_of(rules, state, seat, counts[0]), worth_of(rules, state, seat, counts[1]))
