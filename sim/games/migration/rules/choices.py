"""What may be done: the legal actions of every phase. An action is one int32: kind, piece and Region (`encode`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, implements, kernel, lowest, popcount, where
from sim.core.kinds import (
    Action,
    Actions,
    Count,
    Index,
    Mask,
    Piece,
    Region,
    RulesRecord,
    Seat,
    StateRecord,
    Whether,
)
from sim.games.migration.rules.abilities import skunk_block
from sim.games.migration.rules.ages import (
    aggression_towns,
    card_to_enact,
    could_move,
    famine_regions,
    has_end_effect,
    nostalgia_towns,
    wander_due,
)
from sim.games.migration.rules.drafting import (
    piles,
    splits,
    team_picks,
)
from sim.games.migration.rules.laying import lay_options
from sim.games.migration.rules.lines import (
    all_towns,
    entry,
    expansion,
    lakes_within_reach,
    may_enter,
    migration,
    oaks_within_reach,
    oasis_open,
    openings,
    strife_targets,
    toll,
    usable,
)
from sim.games.migration.rules.state import (
    AGE_DONE,
    AGGRESSION,
    BONUS,
    CHOOSE,
    DECLINE,
    DO_AGE,
    DO_POISON,
    DO_WOLVES,
    DONE,
    ENACT,
    END,
    ENTER,
    EXPAND,
    FAMINE,
    FLY,
    FOUND,
    KIND_AT,
    LAKE_MOVE,
    LAY_FAMINE,
    LEAVE,
    LEAVE_SEA,
    MIGRATE,
    MOVE_ENEMY,
    N_PIECES,
    OAK_MOVE,
    OPTIONAL_PAYMENTS,
    ORDER,
    OTHER_AT,
    PASS,
    PAY,
    PAY_PIECE,
    PAY_SEA,
    PIECE_AT,
    POISON_DONE,
    POISON_FIRST,
    POISON_OAK,
    RETURN_SPIRIT,
    REVEAL,
    SCENARIO,
    SHOW,
    SPARROW,
    SPLIT,
    STACK,
    STAY_OFF,
    STRIFE,
    TEAM,
    TURN,
    VARIANTS,
    WANDER,
    WOLF,
    WOLVES_DONE,
    WOLVES_FIRST,
    State,
)


@kernel
def encode(kind: Index, piece: Piece, h: Region) -> Action:
    """Return the action number: kind, piece (0 to 15), Region (0 to 62); `encode_two` adds a second Region."""
    return np.int32((kind << KIND_AT) | (piece << PIECE_AT) | h)


@kernel
def encode_two(kind: Index, other: Region, h: Region) -> Action:
    """Return the number of an action from Region (or piece) `other` to `h`."""
    return np.int32((kind << KIND_AT) | (other << OTHER_AT) | h)


@implements("legal", State)
def legal(rules: RulesRecord, state: StateRecord, out: Actions) -> Count:
    seat = np.int64(state.seat)
    if state.phase == TURN:
        return turn_actions(rules, state, seat, out)
    if state.phase == BONUS:
        n = 0
        if state.bonus_of >= 0:
            n = placements(rules, state, seat, out)
        if state.stack_on >= 0:
            n = stackings(rules, state, seat, out, n)
        out[n] = encode(DECLINE, 0, 0)
        return n + 1
    if state.phase == PAY:
        return payments(rules, state, seat, out)
    if state.phase == ORDER:
        out[0] = encode(WOLVES_FIRST, 0, 0)
        out[1] = encode(POISON_FIRST, 0, 0)
        return 2
    return variant_actions(rules, state, seat, out)


@kernel
def _variant_actions(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """The phases that only Oaths, Age Cards, the Draft and team building know."""
    if state.phase == REVEAL:
        return reveals(state, seat, out)
    if state.phase == END:
        return end_actions(rules, state, seat, out)
    if state.phase == SPLIT:
        return splits(state, out)
    if state.phase == CHOOSE:
        return piles(out)
    if state.phase == TEAM:
        return team_picks(rules, state, seat, out)
    if state.phase == FOUND:
        return lay_options(rules, state, out)
    return age_actions(rules, state, seat, out)


@kernel
def _no_actions(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    return 0


variant_actions = where(VARIANTS, "variant_actions", "rules, state, seat, out", _variant_actions, _no_actions)


@kernel
def _plain_turn_actions(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """The begin window and the action in one: placements, Oaks, Lakes, pass."""
    n = placements(rules, state, seat, out)
    n = begin_of_turn_moves(rules, state, seat, out, n)
    if n == 0 or rules.voluntary_pass != 0:
        out[n] = encode(PASS, 0, 0)
        n += 1
    return n


@kernel
def _age_turn_actions(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """The same with a wander, an enactment and Strife."""
    if state.switches != 0 and wander_due(rules, state, seat):
        n = wanders(rules, state, seat, out, 0)
        if state.forced != 0:
            return enactments(rules, state, seat, out, n)
        n = begin_of_turn_moves(rules, state, seat, out, n)
        return enactments(rules, state, seat, out, n)
    n = 0
    if state.forced == 0:
        n = placements(rules, state, seat, out)
        n = begin_of_turn_moves(rules, state, seat, out, n)
        if state.switches != 0:
            n = strifes(rules, state, seat, out, n)
    if n == 0 or rules.voluntary_pass != 0:
        out[n] = encode(PASS, 0, 0)
        n += 1
    if rules.age_mode > SCENARIO:
        n = enactments(rules, state, seat, out, n)
    return n


turn_actions = where(
    VARIANTS, "turn_actions", "rules, state, seat, out", _age_turn_actions, _plain_turn_actions
)


@kernel
def _write(out: Any, n: Count, kind: Index, piece: Piece, regions: Mask) -> Any:
    """Append one action a Region and return the new number of actions."""
    base = (kind << KIND_AT) | (piece << PIECE_AT)
    while regions != 0:
        out[n] = base | lowest(regions)
        n += 1
        regions &= regions - 1
    return n


@kernel
def placements(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """Write every placement: expand, enter and migrate for each Explorer in hand. Never more than `MAX_ACTIONS`."""
    n = 0
    origin = np.int64(state.spirit[seat])
    free = ~skunk_block(rules, state, seat)
    near_all = expansion(rules, state, origin, np.int64(-1)) & free
    near_fly = expansion(rules, state, origin, np.int64(FLY)) & free
    by_all, by_sparrow, on_waste = migration(rules, state, origin, np.int64(state.hand_size[seat]))
    by_all &= free
    by_sparrow &= free
    on_waste &= free
    entering = may_enter(rules, state, seat) and (state.phase == TURN or rules.bonus_entry != 0)
    oasis = oasis_open(rules, state, seat)
    for piece in range(N_PIECES):
        if usable(rules, state, seat, piece) == 0:
            continue
        near = near_fly if piece == FLY else near_all
        far = by_all
        if piece == SPARROW:
            far = by_sparrow
        elif piece == FLY:
            far = by_all | on_waste
        n = _write(out, n, EXPAND, piece, near)
        if entering:
            n = _write(out, n, ENTER, piece, entry(rules, state, seat, np.int64(piece), oasis) & free & ~near)
        n = _write(out, n, MIGRATE, piece, far)
    return n


@kernel
def begin_of_turn_moves(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """Write the moves of the begin window: Oaks, and Lakes that do not lead into a forced pass (D3)."""
    n = _write(out, n, OAK_MOVE, 0, oaks_within_reach(rules, state, seat))
    lakes = lakes_within_reach(rules, state, np.int64(state.spirit[seat]), state.lakes_at_start)
    while lakes != 0:
        h = lowest(lakes)
        lakes &= lakes - 1
        if leads_on(rules, state, seat, h):
            out[n] = encode(LAKE_MOVE, 0, h)
            n += 1
    return n


@kernel
def leads_on(rules: RulesRecord, state: StateRecord, seat: Seat, lake: Any) -> Whether:
    """Whether something can be placed after the Spirit has gone to `lake`."""
    spirit = state.spirit[seat]
    state.spirit[seat] = lake
    state.lakes_used |= bit(lake)
    oasis = oasis_open(rules, state, seat)
    found = could_move(rules, state, seat, lake, state.lakes_at_start, oasis, state.wandered != 0)
    state.lakes_used &= ~bit(lake)
    state.spirit[seat] = spirit
    return found


@kernel
def payments(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """Write what may be laid on the next Region of the path (or at sea), and whether it may be left out."""
    n = 0
    free = (state.switches & OPTIONAL_PAYMENTS) != 0
    if state.path_step >= state.path_end:
        n = _hand(state, seat, out, n, PAY_SEA, 0)
        if free:
            out[n] = encode(LEAVE_SEA, 0, 0)
            n += 1
        return n
    h = np.int64(rules.ray[state.path_from, state.path_direction, state.path_step])
    optional = free or toll(rules, all_towns(state), np.int64(state.waste), bit(h)) == 0
    if not optional or state.hand_size[seat] > state.must_pay:
        n = _hand(state, seat, out, n, PAY_PIECE, h)
    if optional:
        out[n] = encode(LEAVE, 0, h)
        n += 1
    return n


@kernel
def _hand(state: StateRecord, seat: Seat, out: Any, n: Count, kind: Index, h: Region) -> Any:
    """Append one action for each type in hand."""
    for piece in range(N_PIECES):
        if state.hand[seat, piece] > 0:
            out[n] = encode(kind, piece, h)
            n += 1
    return n


@kernel
def _usable(
    rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count, kind: Index, h: Region
) -> Any:
    """Append one action for each type that may be established."""
    for piece in range(N_PIECES):
        if usable(rules, state, seat, piece) > 0:
            out[n] = encode(kind, piece, h)
            n += 1
    return n


@kernel
def stackings(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """Age of Cooperation: a second Town on top of the first one of this turn (E12)."""
    return _usable(rules, state, seat, out, n, STACK, np.int64(state.stack_on))


@kernel
def strifes(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """Age of Strife: cover an enemy Town instead of placing one (E25)."""
    targets = strife_targets(rules, state, seat, np.int64(state.spirit[seat]))
    while targets != 0:
        n = _hand(state, seat, out, n, STRIFE, lowest(targets))
        targets &= targets - 1
    return n


@kernel
def wanders(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """Age of Wandering: each own Town to each Frontier Region beside it."""
    towns = state.town[seat]
    while towns != 0:
        start = lowest(towns)
        towns &= towns - 1
        ends = rules.near[start] & openings(rules, state)
        while ends != 0:
            out[n] = encode_two(WANDER, start, lowest(ends))
            n += 1
            ends &= ends - 1
    return n


@kernel
def enactments(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any, n: Count) -> Any:
    """The card that may be enacted now, if any."""
    card = card_to_enact(rules, state, seat)
    if card >= 0:
        out[n] = encode(ENACT, 0, card)
        n += 1
    return n


@kernel
def reveals(state: StateRecord, seat: Seat, out: Any) -> Any:
    """Oaths: every pair of Explorers in hand."""
    n = 0
    for piece in range(N_PIECES):
        if state.hand[seat, piece] == 0:
            continue
        for other in range(piece, N_PIECES):
            if state.hand[seat, other] > (1 if other == piece else 0):
                out[n] = np.int32((SHOW << KIND_AT) | (other << OTHER_AT) | (piece << PIECE_AT))
                n += 1
    return n


@kernel
def end_actions(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """The end window: what is still due, in the order the player likes; done when nothing is."""
    n = 0
    for effect, kind in ((WOLVES_DONE, DO_WOLVES), (POISON_DONE, DO_POISON), (AGE_DONE, DO_AGE)):
        if effect_due(rules, state, seat, effect):
            out[n] = encode(kind, 0, 0)
            n += 1
    due = n
    n = enactments(rules, state, seat, out, n)
    if due == 0:
        out[n] = encode(DONE, 0, 0)
        n += 1
    return n


@kernel
def effect_due(rules: RulesRecord, state: StateRecord, seat: Seat, effect: Any) -> Whether:
    """Whether an end-of-turn effect is still to be carried out."""
    if (state.end_done & effect) != 0:
        return False
    if effect == WOLVES_DONE:
        wolves = popcount(state.town[seat] & state.kind[WOLF])
        return rules.abilities != 0 and wolves >= rules.wolf_needs
    if effect == POISON_DONE:
        return rules.abilities != 0 and (state.town[seat] & state.kind[POISON_OAK]) != 0
    return has_end_effect(state)


@kernel
def age_actions(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """The choices of Famine, Aggression and Nostalgia."""
    n = 0
    if state.phase == FAMINE:
        regions = famine_regions(rules, state, seat)
        while regions != 0:
            n = _hand(state, seat, out, n, LAY_FAMINE, lowest(regions))
            regions &= regions - 1
    elif state.phase == AGGRESSION:
        towns = aggression_towns(rules, state, seat)
        ground = openings(rules, state)
        while towns != 0:
            start = lowest(towns)
            towns &= towns - 1
            ends = (rules.near[start] & ground) | bit(start)
            while ends != 0:
                out[n] = encode_two(MOVE_ENEMY, start, lowest(ends))
                n += 1
                ends &= ends - 1
    else:
        n = _write(out, n, RETURN_SPIRIT, 0, nostalgia_towns(state, seat))
        out[n] = encode(STAY_OFF, 0, 0)
        n += 1
    return n
