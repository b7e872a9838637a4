"""What bots and logs see of a position: score, merit, features, and the piece log."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel
from sim.games.mars.rules.params import CARDS, STRUCTURES
from sim.games.mars.rules.placing import sites
from sim.games.mars.rules.population import capacity
from sim.games.mars.rules.state import (
    ANSWER,
    BLUEPRINT,
    COUNTER,
    EXPORT,
    FIRST_AT,
    HABITAT,
    HIDDEN,
    HOSPITAL,
    KEPT_8,
    KEPT_11,
    KEPT_12,
    KIND_AT,
    LEVER_BUILDING,
    LEVER_EVENT,
    LEVER_NEVER,
    LSC,
    MED,
    MINE,
    N_CARDS,
    N_EVENTS,
    N_STRUCTURES,
    OLY,
    PART_MASK,
    PLANT,
    RCU,
    RUIN,
    TUNNEL,
    WITH_CARD,
    WITH_STRUCTURE,
    State,
)
from sim.games.mars.rules.tiles import size
from sim.games.mars.rules.trading import held

FEATURES = (
    "population",
    "housing",
    "habitats",
    "lsc",
    "hospitals",
    "plants",
    "exports",
    "mines",
    "tunnels",
    "embassy",
    "embassy_way",
    "homes_short",
    "lsc_sites",
    "shielded",
    "metal",
    "water",
    "stone",
    "spare",
    "med",
    "spare_med",
    "rcu",
    "spare_rcu",
    "olympium",
    "blueprint",
    "thirst",
    "neglect",
    "kept",
    "debt",
    "salvage",
    "best_rival",
    "rival_housing",
    "spare_sites",
)
FEATURE_HELP = {
    "population": "own counted population",
    "housing": "free housing, as far as the target needs it",
    "habitats": "own Habitats on the board",
    "lsc": "own Life Support Centers on the board",
    "hospitals": "own Hospitals on the board",
    "plants": "own Industrial Plants on the board",
    "exports": "own Export Stations on the board",
    "mines": "own Mines on the board",
    "tunnels": "own Tunnels on the board",
    "embassy": "1 if the colony is linked to the Embassy",
    "embassy_way": "steps from the linked ways to the Embassy, as a share of 8; 0 when linked",
    "homes_short": "population of the target for which neither housing nor a tile for a Habitat is there",
    "lsc_sites": "while homes are short: tiles where a Life Support Center may be built; more than 3 count as 3",
    "shielded": "own Habitats that a Ruin protects from meteorites",
    "metal": "Metal in hand, up to 3",
    "water": "Water in hand, up to 3",
    "stone": "Stone in hand, up to 3",
    "spare": "Metal, Water and Stone beyond 3 of each, up to 4 of each",
    "med": "Med Packs, up to 2",
    "spare_med": "further Med Packs, up to 3",
    "rcu": "R.C.U., up to 2",
    "spare_rcu": "further R.C.U., up to 3",
    "olympium": "Olympium in hand",
    "blueprint": "Blueprints in hand",
    "thirst": "Habitats whose upkeep the hand does not cover",
    "neglect": "Mines whose upkeep the hand does not cover",
    "kept": "kept events 8 and 11",
    "debt": "unpaid events 12",
    "salvage": "buildings in Salvage or waiting in the reserve",
    "best_rival": "population of the best rival",
    "rival_housing": "housing of all rivals, of each as far as the target needs it",
    "spare_sites": "tiles for Habitats beyond what the target needs, up to 3",
}
# Found by hill climbing in self-play (see RULES.md).
WEIGHTS = (
    13.71, 0.36, 4.02, 3.34, 0.3, 3.82, 2.73, 4.13, 0.11, 1.69, -2.67, -12, 0.5, 1.41, 0.3, 0.62,
    0.36, -0.36, 0.82, -1.19, 0.58, 0.44, 3.21, -0.41, -0.11, -0.79, -0.78, -0.83, 1.87, -7.59, 0.0, 0.55,
)  # fmt: skip

_WITH_STRUCTURE = np.int64(sum(1 << kind for kind in WITH_STRUCTURE))
_WITH_CARD = np.int64(sum(1 << kind for kind in WITH_CARD))


@implements("score", State)
def score(rules: Any, state: Any, seat: Any) -> Any:
    return float(state.pop[seat])


@implements("merit", State)
def merit(rules: Any, state: Any, seat: Any, points: Any) -> Any:
    """The race decides, not the population: without a winner all share alike (R94)."""
    if state.winner < 0:
        return 0.0
    return points + (1000.0 if state.winner == seat else 0.0)


@implements("piece_of", State)
def piece_of(rules: Any, state: Any, action: Any) -> Any:
    action = np.int64(action)
    if _WITH_STRUCTURE >> (action >> KIND_AT) & 1:
        return action >> FIRST_AT & PART_MASK
    return (action & PART_MASK) + N_STRUCTURES if _WITH_CARD >> (action >> KIND_AT) & 1 else np.int64(-1)


@implements("facts", State)
def facts(rules: Any, state: Any, out: Any) -> None:
    out[0] = state.first
    out[1] = -1
    out[2] = state.last


@implements("drawn", State)
def drawn(rules: Any, state: Any, out: Any) -> None:
    out[0] = state.first


# --- features ------------------------------------------------------------------------------------------------


@kernel
def worth(state: Any, seat: Any, kind: Any, known: Any) -> Any:
    """Return what one more card of a kind is roughly worth to a seat, for guessing whether it will accept."""
    if kind >= N_CARDS:
        return -1.0 if kind == N_CARDS + KEPT_12 else 0.8
    if kind == OLY:
        return 1.5
    if kind == BLUEPRINT:
        return 0.7
    have = np.int64(state.cards[seat, kind]) if known else np.int64(1)
    if kind >= MED:
        return 1.4 if have == 0 else 0.7
    return 1.0 if have < 2 else 0.7 if have < 4 else 0.3


@kernel
def likely(rules: Any, state: Any, seat: Any) -> Any:
    """Return whether the offer that `seat` has on the table will probably be accepted, as far as it knows."""
    known = rules.cards != HIDDEN
    if state.phase == ANSWER:
        judge, got, n_got, lost, n_lost = (
            state.other,
            state.give_kind,
            state.give_count,
            state.get_kind,
            state.get_count,
        )
    else:
        judge, got, n_got, lost, n_lost = (
            state.giver,
            state.get_kind,
            state.get_count,
            state.give_kind,
            state.give_count,
        )
    if known and held(state, np.int64(judge), np.int64(lost)) < n_lost:
        return False
    pays = worth(state, np.int64(judge), np.int64(lost), known) * n_lost
    return worth(state, np.int64(judge), np.int64(got), known) * n_got > pays


@implements("features", State)
def features(rules: Any, state: Any, seat: Any, out: Any) -> None:
    seat = np.int64(seat)
    hand = np.zeros(N_CARDS + 3, dtype=np.int64)
    for kind in range(N_CARDS):
        hand[kind] = state.cards[seat, kind]
    for kind in range(3):
        hand[N_CARDS + kind] = state.kept[seat, kind]
    offered = (state.phase == ANSWER and state.giver == seat) or (
        state.phase == COUNTER and state.other == seat
    )
    if offered and likely(rules, state, seat):  # count an offer that will be accepted as done
        way = 1 if state.phase == ANSWER else -1
        hand[state.give_kind] -= way * state.give_count
        hand[state.get_kind] += way * state.get_count
    built = state.built[seat]
    out[0] = float(state.pop[seat])
    out[1] = float(min(capacity(rules, state, seat), np.int64(rules.target)) - state.pop[seat])
    out[2] = float(built[HABITAT])
    out[3] = float(built[LSC])
    out[4] = float(built[HOSPITAL])
    out[5] = float(built[PLANT])
    out[6] = float(built[EXPORT])
    out[7] = float(built[MINE])
    out[8] = float(built[TUNNEL])
    out[9] = float(state.linked[seat])
    out[10] = way_to_embassy(rules, state, seat)
    _sites(rules, state, seat, out)
    _cards(rules, state, seat, hand, out)
    saved = np.int64(0)
    for kind in range(HABITAT, RUIN):
        saved += state.bay[seat, kind] + state.reserve[seat, kind]
    if state.lifted >= 0 and state.mover == seat and state.lifted != RUIN:
        # a lifted building counts as standing
        out[8 if state.lifted == TUNNEL else 1 + state.lifted] += 1.0
    out[28] = float(saved)
    _rivals(rules, state, seat, out)


@kernel
def _sites(rules: Any, state: Any, seat: Any, out: Any) -> None:
    low, high = sites(rules, state, seat, HABITAT)
    left = max(np.int64(0), np.int64(rules.stock[HABITAT]) - state.built[seat, HABITAT])
    short = rules.target - capacity(rules, state, seat) - min(size(low, high), left)
    out[11] = float(max(np.int64(0), short))
    needed = rules.target - capacity(rules, state, seat)
    out[31] = float(max(np.int64(0), min(min(size(low, high), left) - max(np.int64(0), needed), np.int64(3))))
    out[12] = 0.0
    if short > 0 and state.built[seat, LSC] < rules.stock[LSC]:
        low, high = sites(rules, state, seat, LSC)
        out[12] = float(min(size(low, high), 3))
    out[13] = float(size(state.habitat[seat, 0] & state.shield[0], state.habitat[seat, 1] & state.shield[1]))


@kernel
def _cards(rules: Any, state: Any, seat: Any, hand: Any, out: Any) -> None:
    spare = np.int64(0)
    for kind in range(3):
        out[14 + kind] = float(min(hand[kind], 3))
        spare += max(np.int64(0), min(hand[kind] - 3, np.int64(4)))
    out[17] = float(spare)
    out[18] = float(min(hand[MED], 2))
    out[19] = float(max(np.int64(0), min(hand[MED] - 2, np.int64(3))))
    out[20] = float(min(hand[RCU], 2))
    out[21] = float(max(np.int64(0), min(hand[RCU] - 2, np.int64(3))))
    out[22] = float(hand[OLY])
    out[23] = float(hand[BLUEPRINT])
    houses = np.int64(state.built[seat, HABITAT])
    pits = np.int64(state.built[seat, MINE])
    thirst = np.int64(0)
    neglect = np.int64(0)
    for kind in range(3):
        need = houses * rules.habitat_upkeep[kind]
        thirst = max(thirst, need - hand[kind])
        if pits > 0:
            neglect = max(neglect, need + pits * rules.mine_upkeep[kind] - hand[kind])
    out[24] = float(min(thirst, houses))
    out[25] = float(min(neglect, pits))
    out[26] = float(hand[N_CARDS + KEPT_8] + hand[N_CARDS + KEPT_11])
    out[27] = float(hand[N_CARDS + KEPT_12])


@kernel
def _rivals(rules: Any, state: Any, seat: Any, out: Any) -> None:
    best = np.int64(-1)
    housing = np.int64(0)
    for other in range(state.players):
        if other != seat:
            best = max(best, np.int64(state.pop[other]))
            housing += min(capacity(rules, state, np.int64(other)), np.int64(rules.target))
    out[29] = float(best)
    out[30] = float(housing)


@kernel
def way_to_embassy(rules: Any, state: Any, seat: Any) -> Any:
    """Return how many Tunnels are missing between what is linked and the Embassy, as a share of 8."""
    if state.linked[seat] != 0:
        return 0.0
    best = np.int64(8)
    for w in range(2):
        mask = np.int64(state.near_net[seat, w])
        free = ~state.taken[w]
        for steps in range(1, 8):
            if steps >= best:
                break
            if (mask & free & rules.embassy_ring[steps, w]) != 0:
                best = np.int64(steps)
                break
    return float(best) / 8.0


# --- the piece log -------------------------------------------------------------------------------------------

_CARD, _EVENT = len(STRUCTURES), len(STRUCTURES) + len(CARDS)
ASSIGNED, OFFERED, TAKEN, OWNED, PLAYED, FIRST_TURN, PAID, LOST, SCORED, HARM = range(10)


@implements("tally", State)
def tally(rules: Any, state: Any, seat: Any, out: Any) -> None:
    """Structures: played (placed), paid (bought), lost, owned at the end; cards: owned (got), paid (spent), taken
    (in trades); events: owned and played (drawn), harm (buildings of others struck). `assigned` tells of the
    lever of this cell."""
    out[:, :] = 0
    out[ASSIGNED, :] = -1
    out[OFFERED, :] = -1
    out[TAKEN, :] = -1
    for kind in range(N_STRUCTURES):
        out[OWNED, kind] = state.built[seat, kind] + state.reserve[seat, kind] + state.bay[seat, kind]
        out[PLAYED, kind] = state.placed[seat, kind]
        out[PAID, kind] = state.bought[seat, kind]
        out[LOST, kind] = state.lost[seat, kind]
    for kind in range(N_CARDS):
        out[OWNED, _CARD + kind] = state.gained[seat, kind]
        out[PLAYED, _CARD + kind] = state.gained[seat, kind]
        out[PAID, _CARD + kind] = state.spent[seat, kind]
        out[TAKEN, _CARD + kind] = state.traded[seat, kind]
    for kind in range(N_EVENTS):
        out[OWNED, _EVENT + kind] = state.drawn[seat, kind]
        out[PLAYED, _EVENT + kind] = state.drawn[seat, kind]
        out[HARM, _EVENT + kind] = state.harm[seat, kind]
    for piece in range(out.shape[1]):
        out[FIRST_TURN, piece] = state.first_turn[seat, piece]
    if rules.lever == LEVER_BUILDING:
        for kind in range(HABITAT, RUIN):
            out[ASSIGNED, kind] = 1 if state.free_given[seat] == kind else 0
    elif rules.lever == LEVER_EVENT:
        for kind in range(N_EVENTS):
            out[ASSIGNED, _EVENT + kind] = 1 if state.event_given[seat] == kind else 0
    elif rules.lever == LEVER_NEVER:
        for kind in range(HOSPITAL, RUIN):
            out[ASSIGNED, kind] = 1 - ((np.int64(state.never[seat]) >> kind) & 1)
