"""A turn: how it begins, its actions carried out, what a stuck player still does. `course` strings turns together."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.jit import bit, implements, kernel, popcount, where
from sim.core.kinds import Action, Index, Piece, Region, RulesRecord, Seat, StateRecord
from sim.games.migration.rules import choices  # noqa: F401  (registers `legal`)
from sim.games.migration.rules.ages import (
    card_to_enact,
    could_move,
    enact,
    move_town,
    turn_up,
    wander_due,
)
from sim.games.migration.rules.drafting import (
    choose_pile,
    set_piles,
    take_piece,
)
from sim.games.migration.rules.laying import lay_piece
from sim.games.migration.rules.lines import (
    all_towns,
    expansion,
    oasis_open,
    toll,
)
from sim.games.migration.rules.placing import (
    begin_payments,
    continue_payments,
    establish,
    owner_at,
    settle,
    spend,
    stack,
)
from sim.games.migration.rules.state import (
    AGE_DONE,
    CHOOSE,
    CHOOSE_PILE,
    DECLINE,
    DO_AGE,
    DO_POISON,
    DO_WOLVES,
    DONE,
    ENACT,
    END,
    ENEMIES,
    ENTER,
    EXPAND,
    KIND_AT,
    LAKE_MOVE,
    LAY_FAMINE,
    LAY_HALF,
    LEAVE,
    LEAVE_SEA,
    MIGRATE,
    MOVE_ENEMY,
    OAK_MOVE,
    OTHER_AT,
    PASS,
    PAY_PIECE,
    PAY_SEA,
    PIECE_AT,
    PIECE_MASK,
    POISON_DONE,
    POISON_FIRST,
    REGION_MASK,
    RETURN_SPIRIT,
    SHOW,
    SKUNK,
    SPARROW,
    SPLIT_GROUP,
    STACK,
    STAY_OFF,
    STRIFE,
    TAKE_PIECE,
    TURN,
    VARIANTS,
    WANDER,
    WOLVES_DONE,
    WOLVES_FIRST,
    State,
)
from sim.games.migration.rules.turn_end import (
    after_effects,
    continue_age,
    cover,
    end_of_turn,
    flip_wolves,
    forgo,
    remove_spirits,
    show,
)


@implements("apply", State)
def apply(rules: RulesRecord, state: StateRecord, action: Action) -> None:
    seat = np.int64(state.seat)
    kind = np.int64(action) >> KIND_AT
    other = (np.int64(action) >> OTHER_AT) & REGION_MASK
    piece = (np.int64(action) >> PIECE_AT) & PIECE_MASK
    h = np.int64(action) & REGION_MASK
    if kind == EXPAND or kind == ENTER:
        establish(rules, state, seat, piece, h)
        settle(rules, state, seat)
    elif kind == MIGRATE:
        establish(rules, state, seat, piece, h)
        begin_payments(rules, state, seat, h)
        continue_payments(rules, state, seat)
    elif kind == PAY_PIECE:
        if state.must_pay > 0:
            state.must_pay -= toll(rules, all_towns(state), np.int64(state.waste), bit(h))
        spend(rules, state, seat, piece)
        cover(state, seat, h, SPARROW)
        state.path_step += 1
        continue_payments(rules, state, seat)
    elif kind == LEAVE:
        state.path_step += 1
        continue_payments(rules, state, seat)
    elif kind == PAY_SEA:
        spend(rules, state, seat, piece)
        state.sunk[seat] += 1
        state.sea_owed -= 1
        state.must_pay = max(state.must_pay - 1, 0)
        continue_payments(rules, state, seat)
    elif kind == LEAVE_SEA:
        state.sea_owed -= 1
        continue_payments(rules, state, seat)
    elif kind == OAK_MOVE:
        state.spirit[seat] = h
        state.touched |= bit(h)
        state.oaks_used |= bit(h)
        state.last_oak = h
    elif kind == LAKE_MOVE:
        state.spirit[seat] = h
        state.lakes_used |= bit(h)
    elif kind == PASS:
        if state.forced == 0:
            state.declined |= bit(seat)
        forgo(rules, state, seat)
    elif kind == DECLINE:
        state.bonus_of = -1
        state.stack_on = -1
        end_of_turn(rules, state, seat)
    elif kind == WOLVES_FIRST:
        flip_wolves(rules, state, seat)
        remove_spirits(rules, state, seat)
        after_effects(rules, state, seat)
    elif kind == POISON_FIRST:
        remove_spirits(rules, state, seat)
        flip_wolves(rules, state, seat)
        after_effects(rules, state, seat)
    else:
        apply_variant(rules, state, seat, kind, other, piece, h)


@kernel
def _apply_variant(
    rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, other: Region, piece: Piece, h: Region
) -> None:
    """The actions that only Oaths and Age Cards know."""
    if kind == SHOW:
        show(rules, state, seat, piece, other)
    elif kind == ENACT:
        enact(rules, state, seat, h)
        state.stirred = 1  # more than Spirits has changed
    elif kind == WANDER:
        move_town(state, seat, other, h)
        state.wandered = 1
        still_forced(rules, state, seat)
    elif kind == STACK:
        stack(rules, state, seat, piece, h)
        settle(rules, state, seat)
    elif kind == STRIFE:
        spend(rules, state, seat, piece)
        cover(state, seat, h, piece)
        state.spirit[seat] = -1
        state.stirred = 1
        end_of_turn(rules, state, seat)
    elif kind == DO_WOLVES:
        state.end_done |= WOLVES_DONE
        flip_wolves(rules, state, seat)
    elif kind == DO_POISON:
        state.end_done |= POISON_DONE
        remove_spirits(rules, state, seat)
    elif kind == DO_AGE:
        state.end_done |= AGE_DONE
        state.age_step = 0
        continue_age(rules, state, seat)
    elif kind == LAY_FAMINE:
        spend(rules, state, seat, piece)
        cover(state, seat, h, piece)
        continue_age(rules, state, seat)
    elif kind == MOVE_ENEMY:
        if other != h:
            move_town(state, owner_at(state, other), other, h)
        continue_age(rules, state, seat)
    elif kind == RETURN_SPIRIT:
        state.spirit[seat] = h
        state.phase = END
    elif kind == STAY_OFF:
        state.phase = END
    elif kind == DONE:
        after_effects(rules, state, seat)
    elif kind == SPLIT_GROUP:
        set_piles(state, h)
        state.seat = state.chooser
        state.phase = CHOOSE
    elif kind == CHOOSE_PILE:
        choose_pile(state, h)
    elif kind == TAKE_PIECE:
        take_piece(rules, state, seat, piece)
    elif kind == LAY_HALF:
        lay_piece(rules, state, (other << OTHER_AT) | (piece << PIECE_AT) | h)


@kernel
def _apply_nothing(
    rules: RulesRecord, state: StateRecord, seat: Seat, kind: Index, other: Region, piece: Piece, h: Region
) -> None:
    return


apply_variant = where(
    VARIANTS, "apply_variant", "rules, state, seat, kind, other, piece, h", _apply_variant, _apply_nothing
)


# --- the beginning of a turn ---------------------------------------------------------------------------------


@kernel
def next_seat(state: StateRecord) -> Any:
    """Return the next seat clockwise that is not out for good, or -1."""
    for step in range(1, state.players + 1):
        seat = (np.int64(state.seat) + step) % np.int64(state.players)
        if state.out[seat] == 0:
            return seat
    return np.int64(-1)


@kernel
def begin_turn(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    origin = np.int64(state.spirit[seat])
    state.seat = seat
    state.start_town = origin
    state.stirred = 0
    state.passed = 0
    state.oaks_used = 0
    state.lakes_used = 0
    state.lakes_at_start = rules.near[origin] & rules.lake if origin >= 0 else np.int64(0)
    state.last_oak = -1
    state.bonus_of = -1
    state.stack_on = -1
    state.towns_made = 0
    state.wandered = 0
    state.forced = 0
    state.touched = bit(origin) if origin >= 0 else np.int64(0)
    state.end_done = 0
    for owner in range(state.players):
        spirit = np.int64(state.spirit[owner])
        if owner != seat and spirit >= 0 and (state.kind[SKUNK] & bit(spirit)) != 0:
            denied = skunk_denies(rules, state, owner, seat)
            state.harm[owner, SKUNK] += denied


@kernel
def skunk_denies(rules: RulesRecord, state: StateRecord, owner: Seat, seat: Seat) -> Any:
    """Open Regions next to `seat`'s Spirit that the Skunk of `owner` keeps it from, at the start of its turn."""
    origin = np.int64(state.spirit[seat])
    if origin < 0 or (rules.skunk_concerns & ENEMIES) == 0:
        return np.int64(0)
    free = expansion(rules, state, origin, np.int64(-1)) & ~rules.shield
    near = free & rules.near[np.int64(state.spirit[owner])]
    return np.int64(popcount(near))


@kernel
def _pass_by_force(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """A stuck player still wanders, and may enact."""
    state.phase = TURN
    state.forced = 1
    still_forced(rules, state, seat)


pass_by_force = where(VARIANTS, "pass_by_force", "rules, state, seat", _pass_by_force, forgo)


@kernel
def still_forced(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """A stuck player may be freed by the card it enacts; with nothing left to decide it passes by force."""
    if state.forced == 0:
        return
    oasis = oasis_open(rules, state, seat)
    spirit = np.int64(state.spirit[seat])
    if could_move(rules, state, seat, spirit, state.lakes_at_start, oasis, state.wandered != 0):
        state.forced = 0
    elif card_to_enact(rules, state, seat) < 0 and not wander_due(rules, state, seat):
        forgo(rules, state, seat)


@kernel
def _after_enacting(rules: RulesRecord, state: StateRecord) -> Any:
    """Turn up the next card where one was just enacted; the turn then goes on."""
    if state.turning == 0:
        return False
    turn_up(rules, state)
    if state.phase == TURN:
        still_forced(rules, state, np.int64(state.seat))
    return True


@kernel
def _nothing_enacted(rules: RulesRecord, state: StateRecord) -> Any:
    return False


after_enacting = where(VARIANTS, "after_enacting", "rules, state", _after_enacting, _nothing_enacted)
