"""What bots and logs see of a position: features, hidden things redrawn, the piece log."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, implements, kernel, popcount
from sim.core.rng import below
from sim.games.migration.rules.abilities import skunk_block
from sim.games.migration.rules.lines import all_towns, openings
from sim.games.migration.rules.scoring import cactus_harm, points, town_worth
from sim.games.migration.rules.state import (
    BASS,
    BONUS,
    CACTUS,
    JACKAL,
    MAX_REGIONS,
    N_PIECES,
    PAY,
    WOLF,
    State,
)

FEATURES = (
    "points",
    "best_rival",
    "other_rivals",
    "hand_value",
    "room",
    "reach",
    "rival_room",
    "spirit",
    "rival_spirits",
    "bonus_ready",
    "threat",
)
FEATURE_HELP = {
    "points": "own points, payments still owed counted as laid",
    "best_rival": "points of the best rival",
    "other_rivals": "points of the other rivals together",
    "hand_value": "worth of the Explorers in hand by type, less the cheapest ones still owed",
    "room": "open Regions next to the own Spirit, at most 3 count",
    "reach": "open Regions anywhere that are within two steps of the own Spirit",
    "rival_room": "open Regions next to rivals' Spirits on which they may establish Towns, at most 3 for each",
    "spirit": "1 if the own Spirit is on the board",
    "rival_spirits": "rivals' Spirits on the board",
    "bonus_ready": "1 while a Lizard's bonus can be played",
    "threat": "rivals' Towns beside exactly one own Wolf, and points of Jackals to come beside open Regions",
}
WEIGHTS = (1.0, -0.85, -0.35, 0.3, 0.22, 0.06, -0.16, 0.7, -0.35, 0.5, 0.08)
# What an Explorer in hand is worth keeping, against the others; Rats are paid last.
KEEP = np.array([1.1, 0.9, 2.2, 1.2, 1.3, 1.0, 1.0, 1.0, 1.5, 1.3, 0.6], dtype=np.float64)
CHEAPEST = 0.6


@kernel
def owed_path(rules: Any, state: Any) -> Any:
    """Regions that the Migration under way must still cover."""
    covered = np.int64(0)
    if state.phase != PAY:
        return covered
    towns = all_towns(state)
    for k in range(state.path_step, state.path_end):
        here = bit(rules.ray[state.path_from, state.path_direction, k])
        if (here & towns) == 0 or rules.sparrow_must_cover != 0:
            covered |= here
    return covered


@implements("features", State)
def features(rules: Any, state: Any, seat: Any, out: Any) -> None:
    seat = np.int64(seat)
    covered = owed_path(rules, state)
    best = -1.0e9
    total = 0.0
    for other in range(state.players):
        if other != seat:
            worth = float(points(rules, state, np.int64(other), covered))
            total += worth
            best = max(best, worth)
    out[0] = float(points(rules, state, seat, covered))
    out[1] = best
    out[2] = total - best
    value = 0.0
    for piece in range(N_PIECES):
        value += state.hand[seat, piece] * KEEP[piece]
    if state.phase == PAY and state.seat == seat:
        value -= state.must_pay * CHEAPEST
    out[3] = value
    ground = openings(rules, state) & ~covered
    spirit = np.int64(state.spirit[seat])
    if state.phase == PAY and state.seat == seat:
        spirit = np.int64(state.target)
    room = 0.0
    reach = 0.0
    if spirit >= 0:
        near = rules.near[spirit]
        free = near & ground & ~skunk_block(rules, state, seat)
        room = min(float(popcount(free)), 3.0)
        around = near
        for h in range(rules.n_regions):
            if (near & bit(h)) != 0:
                around |= rules.near[h]
        reach = float(popcount(around & ground))
    out[4] = room if state.hand_size[seat] > 0 else 0.0
    out[5] = reach if state.hand_size[seat] > 0 else 0.0
    rival_room = 0.0
    rival_spirits = 0.0
    for other in range(state.players):
        if other == seat or state.hand_size[other] == 0:
            continue
        place = np.int64(state.spirit[other])
        if place >= 0 and (covered & bit(place)) == 0:
            rival_spirits += 1.0
            free = rules.near[place] & ground & ~skunk_block(rules, state, np.int64(other))
            rival_room += min(float(popcount(free)), 3.0)
    out[6] = rival_room
    out[7] = 1.0 if spirit >= 0 else 0.0
    out[8] = rival_spirits
    out[9] = 1.0 if state.phase == BONUS and state.seat == seat else 0.0
    out[10] = threat(rules, state, seat, ground)


@kernel
def threat(rules: Any, state: Any, seat: Any, ground: Any) -> Any:
    """Towns that one more Wolf would flip, and open Regions beside own Jackals."""
    value = 0.0
    wolves = state.town[seat] & state.kind[WOLF]
    if wolves != 0:
        for h in range(rules.n_regions):
            if (rules.near[h] & wolves) != 0 and (all_towns(state) & ~state.town[seat] & bit(h)) != 0:
                value += 1.0
    jackals = state.town[seat] & state.kind[JACKAL]
    if jackals != 0:
        for h in range(rules.n_regions):
            if (jackals & bit(h)) != 0:
                value += float(popcount(rules.near[h] & ground))
    return value


@implements("determinize", State)
def determinize(rules: Any, state: Any, seat: Any, stream: Any) -> None:
    """Give each rival any legal team that fits what was seen: its Towns so far and the sizes of its hand and payments.

    Assumed (ruling G10): the rival's team was drawn evenly from the set without the banned Explorers.
    """
    pool = np.empty(MAX_REGIONS * 2, dtype=np.int8)
    for other in range(state.players):
        if other == seat:
            continue
        hidden = state.hand_size[other] + state.paid_size[other]
        for _attempt in range(64):
            n = 0
            for piece in range(N_PIECES):
                state.hand[other, piece] = 0
                state.paid[other, piece] = 0
                if ((state.banned | state.own_bans[other]) & bit(piece)) != 0:
                    continue
                for _copy in range(max(0, rules.set_counts[piece] - state.played[other, piece])):
                    pool[n] = piece
                    n += 1
            for k in range(min(hidden, n)):
                swap = k + below(stream, n - k)
                pool[k], pool[swap] = pool[swap], pool[k]
                if k < state.hand_size[other]:
                    state.hand[other, pool[k]] += 1
                else:
                    state.paid[other, pool[k]] += 1
            starts = state.played[other, BASS] + state.hand[other, BASS] + state.paid[other, BASS]
            starts += state.played[other, WOLF] + state.hand[other, WOLF] + state.paid[other, WOLF]
            if starts > 0 or rules.first_town_on_coast != 0:
                break


@implements("tally", State)
def tally(rules: Any, state: Any, seat: Any, out: Any) -> None:
    seat = np.int64(seat)
    for piece in range(N_PIECES):
        out[0, piece] = state.assigned[seat, piece]
        out[1, piece] = -1
        out[2, piece] = -1
        out[3, piece] = state.hand[seat, piece] + state.paid[seat, piece] + state.played[seat, piece]
        out[4, piece] = state.played[seat, piece]
        out[5, piece] = state.first_turn[seat, piece]
        out[6, piece] = state.paid[seat, piece]
        out[7, piece] = state.lost[seat, piece]
        out[8, piece] = 0
        out[9, piece] = state.harm[seat, piece]
    out[9, CACTUS] = cactus_harm(rules, state, seat)
    for h in range(rules.n_regions):
        if (state.town[seat] & bit(h)) != 0:
            out[8, state.top[h]] += town_worth(rules, state, seat, np.int64(h), np.int64(0))


@implements("drawn", State)
def drawn(rules: Any, state: Any, out: Any) -> None:
    """Bans; then, for a drawn board, one number a Region: place and terrain."""
    out[0] = state.banned
    if rules.founding == 0:
        return
    for h in range(MAX_REGIONS):
        if h >= rules.n_regions:
            out[1 + h] = -1
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
        out[1 + h] = ((np.int64(rules.q[h]) + 64) * 128 + (np.int64(rules.r[h]) + 64)) * 256 + terrain


@implements("facts", State)
def facts(rules: Any, state: Any, out: Any) -> None:
    out[0] = 0
    out[1] = state.founder
    out[2] = state.last_seat


@implements("passes", State)
def passes(rules: Any, state: Any, seat: Any) -> Any:
    return state.passes[seat]
