"""What bots and logs see of a position: score, merit, features, and the piece log."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import implements, kernel, room
from sim.core.kinds import (
    Action,
    Count,
    Index,
    Numbers,
    Piece,
    Points,
    RulesRecord,
    Seat,
    StateRecord,
    Whether,
)
from sim.games.mars.rules.params import CARDS, STRUCTURES
from sim.games.mars.rules.placing import sites
from sim.games.mars.rules.population import capacity
from sim.games.mars.rules.state import (
    A_COUNTER,
    A_EXCHANGE,
    A_OFFER,
    ANSWER,
    BLUEPRINT,
    COUNTER,
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
    RCU,
    RUIN,
    TUNNEL,
    WITH_CARD,
    WITH_STRUCTURE,
    State,
)
from sim.games.mars.rules.tiles import size
from sim.games.mars.rules.trading import held

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
    "salvage": "buildings in Salvage",
    "best_rival": "population of the best rival",
    "rival_housing": "housing of all rivals, of each as far as the target needs it",
    "spare_sites": "tiles for Habitats beyond what the target needs, up to 3",
    "reserve": "buildings waiting in the reserve",
    "housing_due": "if the target is not housed and there is no housing free: the share of the lap that is gone",
    "upkeep_due": "Habitats whose upkeep the hand does not cover, times the share of the lap that is gone",
    "habitat_lack": "while the target is not housed: resources lacking for a Habitat",
    "homes_pressing": "homes_short, times the own population as a share of the target",
    "unsafe": "1 if there is population and no Med Pack",
    "ore_ahead": "own Mines, times what every rival and oneself still lack of the target at least, as a share of it",
    "rcu_ahead": "own Industrial Plants, times the same",
    "med_ahead": "own Hospitals, times the same",
}
FEATURES = tuple(FEATURE_HELP)
(
    V_POPULATION, V_HOUSING, V_HABITATS, V_LSC, V_HOSPITALS, V_PLANTS, V_EXPORTS, V_MINES, V_TUNNELS,
    V_EMBASSY, V_EMBASSY_WAY, V_HOMES_SHORT, V_LSC_SITES, V_SHIELDED, V_METAL, V_WATER, V_STONE,
    V_SPARE, V_MED, V_SPARE_MED, V_RCU, V_SPARE_RCU, V_OLYMPIUM, V_BLUEPRINT, V_THIRST, V_NEGLECT,
    V_KEPT, V_DEBT, V_SALVAGE, V_BEST_RIVAL, V_RIVAL_HOUSING, V_SPARE_SITES, V_RESERVE, V_HOUSING_DUE,
    V_UPKEEP_DUE, V_HABITAT_LACK, V_HOMES_PRESSING, V_UNSAFE, V_ORE_AHEAD, V_RCU_AHEAD, V_MED_AHEAD,
) = range(len(FEATURES))  # fmt: skip
# Found by hill climbing in self-play (see RULES.md).
WEIGHTS = (
    13.71, 0.36, 4.02, 3.34, 0.3, 3.82, 2.73, 4.13, 0.11, 1.69, -2.67, -12, 0.5, 1.41, 0.3, 0.62,
    0.36, -0.36, 0.82, -1.19, 0.58, 0.44, 3.21, -0.41, -0.11, -0.79, -0.78, -0.83, 1.87, -7.59, 0.0, 0.55,
    -0.5, 0, 0, 0, 0, 0, 0, 0, 0,
)  # fmt: skip
assert len(WEIGHTS) == len(FEATURES)
assert tuple(range(V_HABITATS, V_HABITATS + 6)) == (
    V_HABITATS,
    V_LSC,
    V_HOSPITALS,
    V_PLANTS,
    V_EXPORTS,
    V_MINES,
)
WAITING = 0.75
"""What a building that waits in the reserve counts of a standing one of its kind."""
_HAND = N_CARDS + 3

_WITH_STRUCTURE = np.int64(sum(1 << kind for kind in WITH_STRUCTURE))
_WITH_CARD = np.int64(sum(1 << kind for kind in WITH_CARD))


_IDLE = np.int64(1 << A_OFFER | 1 << A_COUNTER | 1 << A_EXCHANGE)


@implements("score", State)
def score(rules: RulesRecord, state: StateRecord, seat: Seat) -> Points:
    return float(state.pop[seat])


@implements("merit", State)
def merit(rules: RulesRecord, state: StateRecord, seat: Seat, points: Points) -> Any:
    """The race decides, not the population: without a winner all share alike (R94)."""
    if state.winner < 0:
        return 0.0
    return points + (1000.0 if state.winner == seat else 0.0)


@implements("piece_of", State)
def piece_of(rules: RulesRecord, state: StateRecord, action: Action) -> Piece:
    action = np.int64(action)
    if _WITH_STRUCTURE >> (action >> KIND_AT) & 1:
        return action >> FIRST_AT & PART_MASK
    return (action & PART_MASK) + N_STRUCTURES if _WITH_CARD >> (action >> KIND_AT) & 1 else np.int64(-1)


@implements("facts", State)
def facts(rules: RulesRecord, state: StateRecord, out: Any) -> None:
    out[0] = state.first
    out[1] = state.last


@implements("drawn", State)
def drawn(rules: RulesRecord, state: StateRecord, out: Any) -> None:
    out[0] = state.first


# --- features ------------------------------------------------------------------------------------------------


@kernel
def worth(state: StateRecord, seat: Seat, kind: Index, known: Any) -> Any:
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
def likely(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
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
def features(rules: RulesRecord, state: StateRecord, seat: Seat, out: Numbers) -> None:
    seat = np.int64(seat)
    hand = room(_HAND)
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
    for k in range(len(FEATURES)):
        out[k] = 0.0
    _buildings(state, seat, out)
    out[V_POPULATION] = float(state.pop[seat])
    out[V_EMBASSY] = float(state.linked[seat])
    out[V_EMBASSY_WAY] = way_to_embassy(rules, state, seat)
    housed = capacity(rules, state, seat)
    if state.lifted == HABITAT and state.mover == seat:
        housed += 1
    gone = float(state.lap[seat]) / float(rules.n_squares)
    out[V_HOUSING] = float(min(housed, np.int64(rules.target)) - state.pop[seat])
    if housed <= state.pop[seat] and housed < rules.target:
        out[V_HOUSING_DUE] = gone
    _sites(rules, state, seat, housed, out)
    out[V_HOMES_PRESSING] = out[V_HOMES_SHORT] * float(state.pop[seat]) / float(rules.target)
    _cards(rules, state, seat, hand, out)
    out[V_UPKEEP_DUE] = out[V_THIRST] * gone
    if housed < rules.target:
        out[V_HABITAT_LACK] = _lack(rules, hand, np.int64(HABITAT))
    if state.pop[seat] > 0 and hand[MED] <= 0:
        out[V_UNSAFE] = 1.0
    _rivals(rules, state, seat, out)
    ahead = max(0.0, float(rules.target) - max(out[V_POPULATION], out[V_BEST_RIVAL])) / float(rules.target)
    out[V_ORE_AHEAD] = out[V_MINES] * ahead
    out[V_RCU_AHEAD] = out[V_PLANTS] * ahead
    out[V_MED_AHEAD] = out[V_HOSPITALS] * ahead


@kernel
def _buildings(state: StateRecord, seat: Seat, out: Any) -> None:
    """Count what stands; a lifted building counts as standing, one that waits to be placed free for a part of it."""
    out[V_TUNNELS] = float(state.built[seat, TUNNEL])
    for kind in range(HABITAT, RUIN):
        out[V_HABITATS + kind - HABITAT] = (
            float(state.built[seat, kind]) + WAITING * state.reserve[seat, kind]
        )
        out[V_SALVAGE] += float(state.bay[seat, kind])
        out[V_RESERVE] += float(state.reserve[seat, kind])
    if state.lifted >= 0 and state.mover == seat and state.lifted != RUIN:
        out[V_TUNNELS if state.lifted == TUNNEL else V_HABITATS + state.lifted - HABITAT] += 1.0


@kernel
def _lack(rules: RulesRecord, hand: Any, kind: Index) -> Count:
    """Return how many resources are lacking for a structure."""
    lack = np.int64(0)
    for k in range(3):
        lack += max(np.int64(0), rules.cost[kind, k] - hand[k])
    return float(max(np.int64(0), lack - hand[OLY]))


@kernel
def _sites(rules: RulesRecord, state: StateRecord, seat: Seat, housed: Any, out: Any) -> None:
    """Look at where homes may still be built."""
    low, high = sites(rules, state, seat, HABITAT)
    left = max(np.int64(0), np.int64(rules.stock[HABITAT]) - state.built[seat, HABITAT])
    tiles = min(size(low, high), left)
    needed = rules.target - housed
    out[V_HOMES_SHORT] = float(max(np.int64(0), needed - tiles))
    out[V_SPARE_SITES] = float(max(np.int64(0), min(tiles - max(np.int64(0), needed), np.int64(3))))
    if needed - tiles > 0 and state.built[seat, LSC] < rules.stock[LSC]:
        low, high = sites(rules, state, seat, LSC)
        out[V_LSC_SITES] = float(min(size(low, high), 3))
    shielded = size(state.habitat[seat, 0] & state.shield[0], state.habitat[seat, 1] & state.shield[1])
    out[V_SHIELDED] = float(shielded)


@kernel
def _cards(rules: RulesRecord, state: StateRecord, seat: Seat, hand: Any, out: Any) -> None:
    """Count cards, and upkeep that they do not cover."""
    for kind in range(3):
        out[V_METAL + kind] = float(min(hand[kind], 3))
        out[V_SPARE] += float(max(np.int64(0), min(hand[kind] - 3, np.int64(4))))
    out[V_MED] = float(min(hand[MED], 2))
    out[V_SPARE_MED] = float(max(np.int64(0), min(hand[MED] - 2, np.int64(3))))
    out[V_RCU] = float(min(hand[RCU], 2))
    out[V_SPARE_RCU] = float(max(np.int64(0), min(hand[RCU] - 2, np.int64(3))))
    out[V_OLYMPIUM] = float(hand[OLY])
    out[V_BLUEPRINT] = float(hand[BLUEPRINT])
    houses = np.int64(state.built[seat, HABITAT])
    pits = np.int64(state.built[seat, MINE])
    thirst = np.int64(0)
    neglect = np.int64(0)
    for kind in range(3):
        need = houses * rules.habitat_upkeep[kind]
        thirst = max(thirst, need - hand[kind])
        if pits > 0:
            neglect = max(neglect, need + pits * rules.mine_upkeep[kind] - hand[kind])
    out[V_THIRST] = float(min(thirst, houses))
    out[V_NEGLECT] = float(min(neglect, pits))
    out[V_KEPT] = float(hand[N_CARDS + KEPT_8] + hand[N_CARDS + KEPT_11])
    out[V_DEBT] = float(hand[N_CARDS + KEPT_12])


@kernel
def _rivals(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> None:
    """Look at the others."""
    best = np.int64(-1)
    housing = np.int64(0)
    for other in range(state.players):
        if other != seat:
            best = max(best, np.int64(state.pop[other]))
            housing += min(capacity(rules, state, np.int64(other)), np.int64(rules.target))
    out[V_BEST_RIVAL] = float(best)
    out[V_RIVAL_HOUSING] = float(housing)


@kernel
def way_to_embassy(rules: RulesRecord, state: StateRecord, seat: Seat) -> Count:
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
def tally(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> None:
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


@implements("idle", State)
def idle(rules: RulesRecord, state: StateRecord, action: Action) -> Whether:
    """Goods that are offered and passed to and fro; a roll leads on."""
    return _IDLE >> (np.int64(action) >> KIND_AT) & 1 != 0
