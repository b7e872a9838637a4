"""What bots and logs see of a position: features, and the piece log."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, implements, kernel, lowest, popcount, where
from sim.core.kinds import Action, Mask, Numbers, Piece, RulesRecord, Seat, StateRecord, Whether
from sim.games.migration.rules.abilities import skunk_block
from sim.games.migration.rules.builders import liking, split_hope, worth_of
from sim.games.migration.rules.drafting import (
    chooser_of,
    draft_rows,
    owner_of_piece,
    piece_in,
    splitter_of,
)
from sim.games.migration.rules.laying import land_view
from sim.games.migration.rules.lines import all_towns, openings, toll
from sim.games.migration.rules.params import PIECES
from sim.games.migration.rules.scoring import cactus_harm, points, town_worth
from sim.games.migration.rules.state import (
    BASS,
    BONUS,
    BUILDING,
    CACTUS,
    CHOOSE,
    DRAFTING,
    FOUNDING,
    GROUP,
    JACKAL,
    KIND_AT,
    MAX_REGIONS,
    N_PIECES,
    PASS,
    PAY,
    PIECE_AT,
    PIECE_MASK,
    PLAYING,
    VARIANTS,
    WITH_PIECE,
    WOLF,
    State,
)

FEATURES = (
    "points",
    "best_rival",
    "other_rivals",
    "room",
    "reach",
    "fertile_near",
    "rival_room",
    "spirit",
    "rival_spirits",
    "bonus_ready",
    "wolf_pairs",
    "jackal_room",
    "owed",
    "liking",
    *(f"keep {piece}" for piece in PIECES),
)
LIKING_OF = FEATURES.index("liking")
KEEP = FEATURES.index("keep Bass")
FEATURE_HELP = {
    "points": "own points, payments still owed counted as laid",
    "best_rival": "points of the best rival; in a series with its lead (or arrears) from the games before",
    "other_rivals": "points of the other rivals together, counted in the same way",
    "room": "open Regions next to the own Spirit; more than 3 count as 3",
    "reach": "open Regions within two steps of the own Spirit",
    "fertile_near": "open Fertile Regions next to the own Spirit",
    "rival_room": "open Regions next to rivals' Spirits where they may establish Towns; 3 at most for each",
    "spirit": "1 if the own Spirit is on the board",
    "rival_spirits": "rivals' Spirits on the board",
    "bonus_ready": "1 while a Lizard's bonus can be played",
    "wolf_pairs": "rivals' Towns beside an own Wolf",
    "jackal_room": "open Regions beside own Jackals",
    "owed": "Explorers still to be paid for the Migration under way",
    "liking": "before play: how much the Founder likes the land, a drafter its pieces, a team builder its team",
    **{f"keep {piece}": f"{piece} left in hand" for piece in PIECES},
}
# Found by hill climbing in self-play over ten maps and counts of 2 to 4 players, seats swapped on equal deals.
WEIGHTS = (
    1.0, -0.85, -0.26, 0.14, 0.06, -0.08, -0.16, 0.7, -0.35, 0.31, 0.26, -0.11, -0.22, 1.0,
    0.54, -0.32, 0.82, 0.31, 0.38, 0.3, 0.03, 0.22, 0.45, 0.19, 0.22,
)  # fmt: skip

_WITH_PIECE = np.int64(sum(1 << kind for kind in WITH_PIECE))


@kernel
def owed_path(rules: RulesRecord, state: StateRecord) -> Any:
    """Regions that the Migration under way must still cover."""
    covered = np.int64(0)
    if state.phase != PAY:
        return covered
    towns = all_towns(state)
    for k in range(state.path_step, state.path_end):
        here = bit(rules.ray[state.path_from, state.path_direction, k])
        if toll(rules, towns, np.int64(state.waste), here) != 0:
            covered |= here
    return covered


@implements("features", State)
def features(rules: RulesRecord, state: StateRecord, seat: Seat, out: Numbers) -> None:
    seat = np.int64(seat)
    if state.stage != PLAYING:
        out[: len(FEATURES)] = 0.0
        out[LIKING_OF] = liking_before_play(rules, state, seat)
        return
    out[LIKING_OF] = 0.0
    covered = owed_path(rules, state)
    best = -1.0e9
    total = 0.0
    for other in range(state.players):
        if other != seat:
            worth = float(points(rules, state, np.int64(other), covered))
            worth += float(state.standing[other] - state.standing[seat])
            total += worth
            best = max(best, worth)
    out[0] = float(points(rules, state, seat, covered))
    out[1] = best
    out[2] = total - best
    mine = state.seat == seat
    paying = mine and state.phase == PAY
    ground = openings(rules, state) & ~covered
    spirit = np.int64(state.target) if paying else np.int64(state.spirit[seat])
    room = 0.0
    reach = 0.0
    fertile = 0.0
    if spirit >= 0 and state.hand_size[seat] > 0:
        near = rules.near[spirit]
        free = near & ground & ~skunk_block(rules, state, seat)
        room = min(float(popcount(free)), 3.0)
        fertile = float(popcount(free & rules.fertile))
        around = near
        while near != 0:
            around |= rules.near[lowest(near)]
            near &= near - 1
        reach = float(popcount(around & ground))
    out[3] = room
    out[4] = reach
    out[5] = fertile
    rival_room = 0.0
    rival_spirits = 0.0
    for other in range(state.players):
        place = np.int64(state.spirit[other])
        if other == seat or place < 0 or state.hand_size[other] == 0 or (covered & bit(place)) != 0:
            continue
        rival_spirits += 1.0
        free = rules.near[place] & ground & ~skunk_block(rules, state, np.int64(other))
        rival_room += min(float(popcount(free)), 3.0)
    out[6] = rival_room
    out[7] = 1.0 if spirit >= 0 else 0.0
    out[8] = rival_spirits
    out[9] = 1.0 if mine and state.phase == BONUS else 0.0
    own = state.town[seat]
    out[10] = float(popcount(beside(rules, own & state.kind[WOLF]) & all_towns(state) & ~own & ~covered))
    out[11] = float(popcount(beside(rules, own & state.kind[JACKAL]) & ground))
    out[12] = float(state.must_pay) if paying else 0.0
    for piece in range(N_PIECES):
        out[KEEP + piece] = float(state.hand[seat, piece])


@kernel
def before_play(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """How much a drafter likes its pool (as splitter with the worse pile added), a team builder its team."""
    if state.stage == DRAFTING:
        value = worth_of(rules, state, seat, state.pool[seat])
        if state.phase == CHOOSE and seat == state.splitter:
            value += split_hope(rules, state, seat)
        return value
    if state.stage == BUILDING:
        return worth_of(rules, state, seat, state.hand[seat])
    if state.stage == FOUNDING:
        return land_view(state)
    value = 0.0
    for piece in range(N_PIECES):  # Oaths: show what can start, and what scores
        if state.revealed[seat, piece] > 0:
            value += liking(rules, state, seat, piece)
            if piece == BASS or piece == WOLF:
                value += 2.0
    return value


@kernel
def _nothing_to_like(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    return 0.0


liking_before_play = where(
    VARIANTS, "liking_before_play", "rules, state, seat", before_play, _nothing_to_like
)


@kernel
def beside(rules: RulesRecord, regions: Mask) -> Any:
    """Return all neighbours of the Regions in a mask."""
    around = np.int64(0)
    while regions != 0:
        around |= rules.near[lowest(regions)]
        regions &= regions - 1
    return around


@implements("carry", State)
def carry(rules: RulesRecord, state: StateRecord, standing: Any) -> None:
    for seat in range(state.players):
        state.standing[seat] = np.int32(standing[seat])


@implements("tally", State)
def tally(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> None:
    seat = np.int64(seat)
    for piece in range(N_PIECES):
        out[0, piece] = -1
        out[1, piece] = -1
        out[2, piece] = -1
        if rules.draft != 0:
            out[1, piece] = 0
            out[2, piece] = 0
        out[3, piece] = state.hand[seat, piece] + state.paid[seat, piece] + state.played[seat, piece]
        if state.dealt[seat] != 0:
            out[0, piece] = out[3, piece]
        out[4, piece] = state.played[seat, piece]
        out[5, piece] = state.first_turn[seat, piece]
        out[6, piece] = state.paid[seat, piece]
        out[7, piece] = state.lost[seat, piece]
        out[8, piece] = 0
        out[9, piece] = state.harm[seat, piece]
    if rules.draft != 0:
        tally_draft(rules, state, seat, out)
    out[9, CACTUS] = cactus_harm(rules, state, seat)
    for h in range(rules.n_regions):
        if (state.town[seat] & bit(h)) != 0:
            out[8, state.top[h]] += town_worth(rules, state, seat, np.int64(h), np.int64(0))


@kernel
def _tally_draft(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> None:
    """Count what `seat` was offered (as splitter or chooser it saw the group) and what it took."""
    for group in range(state.group):
        if chooser_of(state, group) != seat and splitter_of(state, group) != seat:
            continue
        for k in range(GROUP):
            piece = piece_in(state, group, k)
            if piece >= 0:
                out[1, piece] += 1
                if owner_of_piece(state, group, k) == seat:
                    out[2, piece] += 1


@kernel
def _tally_nothing(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> None:
    return


tally_draft = where(VARIANTS, "tally_draft", "rules, state, seat, out", _tally_draft, _tally_nothing)


@kernel
def _rows(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    return draft_rows(state, out) if rules.draft != 0 else 0


@kernel
def _no_rows(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    return 0


rows_of_draft = where(VARIANTS, "rows_of_draft", "rules, state, out", _rows, _no_rows)


@implements("drafted", State)
def drafted(rules: RulesRecord, state: StateRecord, out: Any) -> Any:
    return rows_of_draft(rules, state, out)


DRAWN_MIDDLE, DRAWN_SPAN, DRAWN_TERRAINS = 64, 128, 256
"""How `drawn` packs a Region: coordinates counted from a middle, rows of a span, then eight bits of terrain."""


@implements("drawn", State)
def drawn(rules: RulesRecord, state: StateRecord, out: Any) -> None:
    """Bans, the scenario's card; then, for a drawn board, one number a Region: place and terrain."""
    out[0] = state.banned
    out[1] = state.deck[0] if rules.fixed_card < 0 else rules.fixed_card
    if rules.founding == 0:
        return
    for h in range(MAX_REGIONS):
        if h >= rules.n_regions:
            out[2 + h] = -1
            continue
        here = bit(h)
        terrain = 0
        terrain += 1 if (rules.fertile & here) != 0 else 0
        terrain += 2 if (rules.lake & here) != 0 else 0
        terrain += 4 if (rules.mountain & here) != 0 else 0
        terrain += 8 if (rules.deep_woods & here) != 0 else 0
        terrain += 16 if (rules.desert & here) != 0 else 0
        terrain += 32 if (rules.oasis & here) != 0 else 0
        terrain += 64 if (rules.forest_drawn & here) != 0 else 0
        terrain += 128 if (rules.sea_desert & here) != 0 else 0
        out[2 + h] = (
            (np.int64(rules.q[h]) + DRAWN_MIDDLE) * DRAWN_SPAN + (np.int64(rules.r[h]) + DRAWN_MIDDLE)
        ) * DRAWN_TERRAINS + terrain


@implements("piece_of", State)
def piece_of(rules: RulesRecord, state: StateRecord, action: Action) -> Piece:
    action = np.int64(action)
    return action >> PIECE_AT & PIECE_MASK if _WITH_PIECE >> (action >> KIND_AT) & 1 else np.int64(-1)


@implements("facts", State)
def facts(rules: RulesRecord, state: StateRecord, out: Any) -> None:
    out[0] = state.first
    out[1] = state.last_seat


@implements("founder", State)
def founder(rules: RulesRecord, state: StateRecord) -> Seat:
    return np.int64(state.founder)


@implements("passes", State)
def passes(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    return state.passes[seat]


@implements("idle", State)
def idle(rules: RulesRecord, state: StateRecord, action: Action) -> Whether:
    return np.int64(action) >> KIND_AT == PASS
