"""Age Cards: which switches are on, enacting and its lock, and what each card does, one function a card.

Exploration, Treaties, Restlessness and Strife act in `lines`, Cooperation in `placing`; here are the cards that
move things at the beginning or the end of a turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.jit import bit, kernel, lowest, where
from sim.core.kinds import Index, Mask, Region, RulesRecord, Seat, StateRecord, Whether
from sim.games.migration.rules.lines import (
    all_towns,
    can_move,
    frontier,
    lakes_within_reach,
    oaks_within_reach,
    openings,
)
from sim.games.migration.rules.state import (
    AGENDA,
    AGGRESSIVE,
    END_EFFECTS,
    ERA,
    HUNGRY,
    MUST_WANDER,
    NOSTALGIC,
    NOTHING,
    VARIANTS,
    WASTELAND,
)


@kernel
def make_active(rules: RulesRecord, state: StateRecord, card: Index) -> None:
    """Bring a card into play; it replaces the one before."""
    state.active_card = card
    state.switches = rules.card_switches[card]
    state.cards_seen |= bit(card)


@kernel
def card_to_enact(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return the card that `seat` may enact now (Era: face up, Agenda: its own), or -1 (E28, E33)."""
    if state.lock_seat >= 0 and state.out[state.lock_seat] == 0:
        if state.turns_taken[state.lock_seat] < state.lock_until:
            return np.int64(-1)
    if rules.age_mode == ERA and state.deck_place < state.deck_size:
        return np.int64(state.deck[state.deck_place])
    if rules.age_mode == AGENDA:
        return np.int64(state.agenda[seat])
    return np.int64(-1)


@kernel
def enact(rules: RulesRecord, state: StateRecord, seat: Seat, card: Index) -> None:
    """Enact a card: nobody may enact another until this player has finished another turn.

    The next card of an Era is turned up by `turn_up`, when chance is due.
    """
    make_active(rules, state, card)
    state.lock_seat = seat
    state.lock_until = state.turns_taken[seat] + 2
    if rules.age_mode == AGENDA:
        state.agenda[seat] = -1
    state.turning = state.phase
    state.phase = RESOLVE


@kernel
def turn_up(rules: RulesRecord, state: StateRecord) -> None:
    """Turn up the next card after one was enacted, and go on with the turn."""
    if rules.age_mode == ERA:
        state.deck_place += 1
    state.phase = state.turning
    state.turning = 0


# --- Wandering -----------------------------------------------------------------------------------------------


@kernel
def movable(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Return the own Towns that have a Frontier Region beside them."""
    ground = openings(rules, state)
    towns = state.town[seat]
    found = np.int64(0)
    while towns != 0:
        h = lowest(towns)
        towns &= towns - 1
        if (rules.near[h] & ground) != 0:
            found |= bit(h)
    return found


@kernel
def wander_due(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Whether the mover still has to move one of its Towns."""
    return (state.switches & MUST_WANDER) != 0 and state.wandered == 0 and movable(rules, state, seat) != 0


@kernel
def shifted(mask: Mask, start: Region, end: Region) -> Any:
    """Return `mask` after what stood at `start` has moved to `end`."""
    if (mask & bit(start)) != 0:
        return (mask & ~bit(start)) | bit(end)
    return mask


@kernel
def move_town(state: StateRecord, owner: Seat, start: Region, end: Region) -> None:
    """Move a Town to a Frontier Region: its Spirit rides, what lay beneath is exposed (E3, E7, E24)."""
    piece = np.int64(state.top[start])
    beneath = np.int64(state.under[start])
    state.town[owner] = shifted(state.town[owner], start, end)
    state.kind[piece] = shifted(state.kind[piece], start, end)
    state.top[end] = piece
    state.under[start] = NOTHING
    if beneath != NOTHING:
        state.top[start] = beneath
        state.town[owner] |= bit(start)
        state.kind[beneath] |= bit(start)
        state.lost[owner, beneath] -= 1  # back in play
    elif state.face_down[start] > 0:
        state.top[start] = WASTELAND
        state.waste |= bit(start)
    else:
        state.top[start] = NOTHING
    if state.spirit[owner] == start:
        state.spirit[owner] = end
    if owner == state.seat:
        state.touched = shifted(state.touched, start, end)
        state.oaks_used = shifted(state.oaks_used, start, end)
        if state.start_town == start:
            state.start_town = end
        if state.last_oak == start:
            state.last_oak = end


@kernel
def undo_move(
    state: StateRecord, owner: Seat, start: Region, end: Region, beneath: Any, touched: Any, oaks: Any
) -> None:
    """Take a `move_town` back, given what it overwrote."""
    piece = np.int64(state.top[end])
    if beneath != NOTHING:
        state.kind[beneath] &= ~bit(start)
        state.lost[owner, beneath] += 1
    state.waste &= ~bit(start)
    state.town[owner] = (state.town[owner] & ~bit(end)) | bit(start)
    state.kind[piece] = (state.kind[piece] & ~bit(end)) | bit(start)
    state.top[start] = piece
    state.under[start] = beneath
    state.top[end] = NOTHING
    if state.spirit[owner] == end:
        state.spirit[owner] = start
    if owner == state.seat:
        if state.start_town == end:
            state.start_town = start
        if state.last_oak == end:
            state.last_oak = start
        state.touched = touched
        state.oaks_used = oaks


@kernel
def lakes_before_wander(
    rules: RulesRecord, state: StateRecord, seat: Seat, origin: Region, lakes_at_start: Mask
) -> Any:
    """Lakes to which the Spirit may go before a Town wanders: from where it stands, by an Oak, by other Lakes (E10)."""
    found = lakes_within_reach(rules, state, origin, lakes_at_start)
    oaks = oaks_within_reach(rules, state, seat)
    while oaks != 0:
        found |= lakes_within_reach(rules, state, np.int64(lowest(oaks)), lakes_at_start)
        oaks &= oaks - 1
    ahead = found
    while ahead != 0:
        h = np.int64(lowest(ahead))
        ahead &= ahead - 1
        further = lakes_within_reach(rules, state, h, lakes_at_start) & ~found
        found |= further
        ahead |= further
    return found


@kernel
def can_move_from_any(
    rules: RulesRecord, state: StateRecord, seat: Seat, places: Any, lakes_at_start: Mask, oasis: Whether
) -> Any:
    """`can_move` with the Spirit on one of `places`."""
    spirit = state.spirit[seat]
    found = False
    while places != 0 and not found:
        h = np.int64(lowest(places))
        places &= places - 1
        state.spirit[seat] = h
        found = can_move(rules, state, seat, h, lakes_at_start, oasis)
    state.spirit[seat] = spirit
    return found


@kernel
def can_move_and_wander(
    rules: RulesRecord, state: StateRecord, seat: Seat, origin: Region, lakes_at_start: Mask, oasis: Whether
) -> Whether:
    """Whether `seat` could place something in a turn in which it moves one of its Towns, in any of the ways there are.

    Oak and Lake moves may come before the wander or after it (B21, E10); an Oak is as good after it.
    """
    lakes = lakes_before_wander(rules, state, seat, origin, lakes_at_start)
    towns = state.town[seat]
    while towns != 0:
        start = lowest(towns)
        towns &= towns - 1
        ends = rules.near[start] & openings(rules, state)
        while ends != 0:
            end = lowest(ends)
            ends &= ends - 1
            beneath = np.int64(state.under[start])
            touched = np.int64(state.touched)
            oaks = np.int64(state.oaks_used)
            move_town(state, seat, start, end)
            spirit = np.int64(state.spirit[seat])
            found = can_move(rules, state, seat, spirit, lakes_at_start, oasis)
            if not found:
                found = can_move_from_any(rules, state, seat, lakes, lakes_at_start, oasis)
            undo_move(state, seat, start, end, beneath, touched, oaks)
            if found:
                return True
    return False


@kernel
def _could_move(
    rules: RulesRecord,
    state: StateRecord,
    seat: Seat,
    origin: Region,
    lakes: Mask,
    oasis: Whether,
    wandered: Whether,
) -> Any:
    """`can_move`, with the step of the Age of Wandering where it is still due."""
    if state.hand_size[seat] == 0 or state.out[seat] != 0:
        return False
    if (state.switches & MUST_WANDER) != 0 and not wandered and movable(rules, state, seat) != 0:
        return can_move_and_wander(rules, state, seat, origin, lakes, oasis)
    return can_move(rules, state, seat, origin, lakes, oasis)


@kernel
def _just_can_move(
    rules: RulesRecord,
    state: StateRecord,
    seat: Seat,
    origin: Region,
    lakes: Mask,
    oasis: Whether,
    wandered: Whether,
) -> Any:
    return can_move(rules, state, seat, origin, lakes, oasis)


could_move = where(
    VARIANTS, "could_move", "rules, state, seat, origin, lakes, oasis, wandered", _could_move, _just_can_move
)


# --- the end of a turn ---------------------------------------------------------------------------------------


@kernel
def famine_regions(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Regions on which `seat` must lay Wasteland: Frontier or Wasteland beside its Spirit (E21, E22)."""
    spirit = np.int64(state.spirit[seat])
    if (state.switches & HUNGRY) == 0 or spirit < 0 or state.hand_size[seat] == 0:
        return np.int64(0)
    return rules.near[spirit] & (frontier(rules, state) | state.waste)


@kernel
def aggression_towns(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    """Enemy Towns beside the Spirit of `seat`, one of which it must choose (E23)."""
    spirit = np.int64(state.spirit[seat])
    if (state.switches & AGGRESSIVE) == 0 or spirit < 0:
        return np.int64(0)
    return rules.near[spirit] & all_towns(state) & ~state.town[seat]


@kernel
def nostalgia_towns(state: StateRecord, seat: Seat) -> Any:
    """Own Towns that the Spirit did not stand on during any part of this turn (E18)."""
    if (state.switches & NOSTALGIC) == 0:
        return np.int64(0)
    return state.town[seat] & ~state.touched


@kernel
def has_end_effect(state: StateRecord) -> Whether:
    """Whether the active card does something at the end of turns."""
    return (state.switches & END_EFFECTS) != 0
