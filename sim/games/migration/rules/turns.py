"""The course of play: a turn as a sequence of small decisions, what happens between turns, the end.

An action is one int32: kind, piece and Region (`encode`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.jit import bit, implements, kernel, lowest, popcount
from sim.games.migration.rules.abilities import poison_due, skunk_block, wolves_due
from sim.games.migration.rules.lines import (
    all_towns,
    can_enter,
    can_move,
    can_place_from,
    entry,
    expansion,
    lakes_within_reach,
    may_enter,
    migration,
    oaks_within_reach,
    oasis_open,
)
from sim.games.migration.rules.scoring import points
from sim.games.migration.rules.state import (
    AFTER_OAK,
    ANY_MOVE,
    BONUS,
    CACTUS,
    DECLINE,
    END_FULL_ROUND,
    END_POSITION,
    ENTER,
    EXPAND,
    FLY,
    LAKE_MOVE,
    LEAVE,
    LIZARD,
    MIGRATE,
    N_PIECES,
    OAK_MOVE,
    ORDER,
    PASS,
    PAY,
    PAY_PIECE,
    PAY_SEA,
    POISON_FIRST,
    POISON_OAK,
    SKUNK,
    SPARROW,
    TURN,
    WASTELAND,
    WOLF,
    WOLVES_FIRST,
    State,
)


@kernel
def encode(kind: Any, piece: Any, h: Any) -> Any:
    """Return the action number: kind, piece (0 to 10), Region (0 to 62)."""
    return np.int32((kind << 10) | (piece << 6) | h)


# --- legal actions -------------------------------------------------------------------------------------------


@implements("legal", State)
def legal(rules: Any, state: Any, out: Any) -> Any:
    seat = np.int64(state.seat)
    if state.phase == TURN or state.phase == BONUS:
        n = placements(rules, state, seat, out)
        if state.phase == BONUS:
            out[n] = encode(DECLINE, 0, 0)
            return n + 1
        n = begin_of_turn_moves(rules, state, seat, out, n)
        if n == 0 or rules.voluntary_pass != 0:
            out[n] = encode(PASS, 0, 0)
            n += 1
        return n
    if state.phase == PAY:
        return payments(rules, state, seat, out)
    out[0] = encode(WOLVES_FIRST, 0, 0)
    out[1] = encode(POISON_FIRST, 0, 0)
    return 2


@kernel
def _write(out: Any, n: Any, kind: Any, piece: Any, regions: Any) -> Any:
    """Append one action a Region and return the new number of actions."""
    base = (kind << 10) | (piece << 6)
    while regions != 0:
        out[n] = base | lowest(regions)
        n += 1
        regions &= regions - 1
    return n


@kernel
def placements(rules: Any, state: Any, seat: Any, out: Any) -> Any:
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
        if state.hand[seat, piece] == 0:
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
def begin_of_turn_moves(rules: Any, state: Any, seat: Any, out: Any, n: Any) -> Any:
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
def leads_on(rules: Any, state: Any, seat: Any, lake: Any) -> Any:
    """Whether something can be placed after the Spirit has gone to `lake`."""
    spirit = state.spirit[seat]
    state.spirit[seat] = lake
    state.lakes_used |= bit(lake)
    oasis = oasis_open(rules, state, seat)
    found = can_move(rules, state, seat, lake, state.lakes_at_start, oasis)
    state.lakes_used &= ~bit(lake)
    state.spirit[seat] = spirit
    return found


@kernel
def payments(rules: Any, state: Any, seat: Any, out: Any) -> Any:
    """Write what may be laid on the next Region of the path; a Town under a Sparrow may be left where allowed."""
    n = 0
    if state.path_step >= state.path_end:
        for piece in range(N_PIECES):
            if state.hand[seat, piece] > 0:
                out[n] = encode(PAY_SEA, piece, 0)
                n += 1
        return n
    h = np.int64(rules.ray[state.path_from, state.path_direction, state.path_step])
    optional = rules.sparrow_must_cover == 0 and (all_towns(state) & bit(h)) != 0
    if not optional or state.hand_size[seat] > state.must_pay:
        for piece in range(N_PIECES):
            if state.hand[seat, piece] > 0:
                out[n] = encode(PAY_PIECE, piece, h)
                n += 1
    if optional:
        out[n] = encode(LEAVE, 0, h)
        n += 1
    return n


# --- carrying actions out ------------------------------------------------------------------------------------


@implements("apply", State)
def apply(rules: Any, state: Any, action: Any) -> None:
    seat = np.int64(state.seat)
    kind = np.int64(action) >> 10
    piece = (np.int64(action) >> 6) & 15
    h = np.int64(action) & 63
    if kind == EXPAND or kind == ENTER:
        establish(rules, state, seat, piece, h)
        settle(rules, state, seat)
    elif kind == MIGRATE:
        establish(rules, state, seat, piece, h)
        begin_payments(rules, state, seat, h)
        continue_payments(rules, state, seat)
    elif kind == PAY_PIECE:
        if rules.sparrow_must_cover != 0 or (all_towns(state) & bit(h)) == 0:
            state.must_pay -= 1
        spend(state, seat, piece)
        cover(state, seat, h, SPARROW)
        state.path_step += 1
        continue_payments(rules, state, seat)
    elif kind == LEAVE:
        state.path_step += 1
        continue_payments(rules, state, seat)
    elif kind == PAY_SEA:
        spend(state, seat, piece)
        state.sunk[seat] += 1
        state.sea_owed -= 1
        state.must_pay -= 1
        continue_payments(rules, state, seat)
    elif kind == OAK_MOVE:
        state.spirit[seat] = h
        state.oaks_used |= bit(h)
        state.last_oak = h
    elif kind == LAKE_MOVE:
        state.spirit[seat] = h
        state.lakes_used |= bit(h)
    elif kind == PASS:
        forgo(rules, state, seat)
    elif kind == DECLINE:
        state.bonus_of = -1
        end_of_turn(rules, state, seat)
    elif kind == WOLVES_FIRST:
        flip_wolves(rules, state, seat)
        remove_spirits(rules, state, seat)
        close_turn(rules, state, seat)
    elif kind == POISON_FIRST:
        remove_spirits(rules, state, seat)
        flip_wolves(rules, state, seat)
        close_turn(rules, state, seat)


@kernel
def establish(rules: Any, state: Any, seat: Any, piece: Any, h: Any) -> None:
    """Put an Explorer from the hand on the board: it is a Town at once (B5)."""
    state.hand[seat, piece] -= 1
    state.hand_size[seat] -= 1
    state.played[seat, piece] += 1
    if state.first_turn[seat, piece] < 0:
        state.first_turn[seat, piece] = state.turns_taken[seat] + 1
    state.town[seat] |= bit(h)
    state.kind[piece] |= bit(h)
    state.waste &= ~bit(h)
    state.top[h] = piece
    state.piece = piece
    state.target = h
    state.stirred = 1


@kernel
def begin_payments(rules: Any, state: Any, seat: Any, target: Any) -> None:
    """Find the line to `target` and what it costs."""
    origin = np.int64(state.spirit[seat])
    state.path_from = origin
    state.path_step = 0
    towns = all_towns(state)
    for d in range(6):
        must = 0
        for k in range(rules.ray_length[origin, d]):
            h = np.int64(rules.ray[origin, d, k])
            if h == target:
                state.path_direction = d
                state.path_end = k
                state.sea_owed = np.int64(rules.gaps[origin, d, k]) if rules.migrate_over_ocean == 2 else 0
                state.must_pay = must + state.sea_owed
                return
            if towns & bit(h) != 0:
                if rules.sparrow_must_cover != 0:
                    must += 1
            elif state.waste & bit(h) == 0 or rules.pay_on_wasteland != 0:
                must += 1


@kernel
def continue_payments(rules: Any, state: Any, seat: Any) -> None:
    """Ask for the next payment, or settle when all are made (B3: with "what you can", when the hand is empty)."""
    while state.path_step < state.path_end and state.hand_size[seat] > 0:
        h = np.int64(rules.ray[state.path_from, state.path_direction, state.path_step])
        if rules.pay_on_wasteland != 0 or state.waste & bit(h) == 0:
            state.phase = PAY
            return
        state.path_step += 1
    if state.hand_size[seat] > 0 and state.sea_owed > 0:
        state.phase = PAY
        return
    settle(rules, state, seat)


@kernel
def spend(state: Any, seat: Any, piece: Any) -> None:
    """Take a payment from the hand. Which piece it was stays hidden (B6)."""
    state.hand[seat, piece] -= 1
    state.hand_size[seat] -= 1
    state.paid[seat, piece] += 1
    state.paid_size[seat] += 1


@kernel
def cover(state: Any, seat: Any, h: Any, cause: Any) -> None:
    """Let a face-down piece lie on Region `h`, laid there or flipped: a Town there is out of play (C9, C32)."""
    lose_town(state, seat, h, cause)
    state.waste |= bit(h)
    state.top[h] = WASTELAND
    state.face_down[h] += 1


@kernel
def lose_town(state: Any, seat: Any, h: Any, cause: Any) -> None:
    """Take a Town at `h`, if there is one, out of play; the harm is credited to piece `cause` of `seat`."""
    here = bit(h)
    for owner in range(state.players):
        if state.town[owner] & here != 0:
            piece = np.int64(state.top[h])
            state.town[owner] &= ~here
            state.kind[piece] &= ~here
            state.lost[owner, piece] += 1
            if owner != seat:
                state.harm[seat, cause] += 1
            if state.spirit[owner] == h:
                state.spirit[owner] = -1


@kernel
def settle(rules: Any, state: Any, seat: Any) -> None:
    """After the payments: the Spirit moves to the new Town; Cactus, Lizard; then the turn ends."""
    h = np.int64(state.target)
    piece = np.int64(state.piece)
    state.spirit[seat] = h
    if piece == CACTUS and rules.cactus_returns != 0:
        cactus_return(rules, state, seat)
    used = np.int64(state.bonus_of)
    state.bonus_of = -1
    if used >= 0 and rules.lizard_flips != 0:
        cover(state, seat, used, LIZARD)
    spirit = np.int64(state.spirit[seat])
    if rules.lizard_bonus != 0 and spirit >= 0 and (state.kind[LIZARD] & bit(spirit)) != 0:
        if (spirit == h or rules.lizard_trigger == ANY_MOVE) and bonus_exists(rules, state, seat):
            state.phase = BONUS
            state.bonus_of = spirit
            return
    end_of_turn(rules, state, seat)


@kernel
def cactus_return(rules: Any, state: Any, seat: Any) -> None:
    """The Spirit goes back to the Town where the turn began, if that still stands (C35 to C38)."""
    back = np.int64(state.start_town)
    if rules.cactus_after_oak == AFTER_OAK and state.last_oak >= 0:
        back = np.int64(state.last_oak)
    if back >= 0 and (state.town[seat] & bit(back)) != 0:
        state.spirit[seat] = back


@kernel
def bonus_exists(rules: Any, state: Any, seat: Any) -> Any:
    """Whether the Lizard's bonus has at least one placement (C29)."""
    blocked = skunk_block(rules, state, seat)
    if can_place_from(rules, state, seat, np.int64(state.spirit[seat]), blocked):
        return True
    return rules.bonus_entry != 0 and can_enter(rules, state, seat, blocked, oasis_open(rules, state, seat))


@kernel
def forgo(rules: Any, state: Any, seat: Any) -> None:
    """Pass, freely or by force: the Spirit leaves the board (B12, B14)."""
    state.spirit[seat] = -1
    state.passed = 1
    state.passes[seat] += 1
    if rules.comeback == 0:
        state.out[seat] = 1
    if rules.effects_on_pass != 0:
        end_of_turn(rules, state, seat)
    else:
        close_turn(rules, state, seat)


# --- end of turn ---------------------------------------------------------------------------------------------


@kernel
def end_of_turn(rules: Any, state: Any, seat: Any) -> None:
    """Wolves and Poison Oaks. Their order is asked for only where it matters (B21)."""
    wolves = wolves_due(rules, state, seat)
    if wolves & state.town[seat] & state.kind[POISON_OAK] != 0 and poison_due(rules, state, seat) != 0:
        state.phase = ORDER
        return
    flip_wolves(rules, state, seat)
    remove_spirits(rules, state, seat)
    close_turn(rules, state, seat)


@kernel
def flip_wolves(rules: Any, state: Any, seat: Any) -> None:
    due = wolves_due(rules, state, seat)
    while due != 0:
        h = lowest(due)
        due &= due - 1
        cover(state, seat, h, WOLF)
        state.stirred = 1


@kernel
def remove_spirits(rules: Any, state: Any, seat: Any) -> None:
    due = poison_due(rules, state, seat)
    while due != 0:
        owner = lowest(due)
        due &= due - 1
        state.spirit[owner] = -1
        if owner != seat:
            state.harm[seat, POISON_OAK] += 1


@kernel
def close_turn(rules: Any, state: Any, seat: Any) -> None:
    """Count the turn; what comes next depends on hidden hands, so `resolve` finds it out."""
    if state.passed != 0 and state.stirred == 0:
        state.still += 1
    else:
        state.still = 0
    state.turns_taken[seat] += 1
    state.turn += 1
    state.last_seat = seat
    state.phase = RESOLVE


# --- between turns -------------------------------------------------------------------------------------------


@implements("resolve", State)
def resolve(rules: Any, state: Any, stream: Any) -> None:
    seat = next_seat(state)
    if seat < 0 or (state.still >= state.players and rules.comeback != 0):
        finish(state)
        return
    able = able_now(rules, state, seat, False)
    if not able and rules.end_rule != END_FULL_ROUND and nobody_can_move(rules, state):
        if rules.end_rule == END_POSITION or not wolves_wait(rules, state):
            finish(state)
            return
    begin_turn(rules, state, seat)
    if able:
        state.phase = TURN
    else:
        if able_now(rules, state, seat, True):  # only the Oasis' first turn stands in the way: play goes on
            state.stirred = 1
        forgo(rules, state, seat)


@kernel
def finish(state: Any) -> None:
    state.phase = OVER
    state.ended = FINISHED


@kernel
def next_seat(state: Any) -> Any:
    """Return the next seat clockwise that is not out for good, or -1."""
    for step in range(1, state.players + 1):
        seat = (np.int64(state.seat) + step) % np.int64(state.players)
        if state.out[seat] == 0:
            return seat
    return np.int64(-1)


@kernel
def able_now(rules: Any, state: Any, seat: Any, any_oasis: Any) -> Any:
    """Whether `seat` could move if it were its turn; `any_oasis` overlooks the Oasis' first-turn limit."""
    state.oaks_used = 0
    state.lakes_used = 0
    origin = np.int64(state.spirit[seat])
    lakes = rules.near[origin] & rules.lake if origin >= 0 else np.int64(0)
    oasis = rules.oasis_enters != 0 if any_oasis else oasis_open(rules, state, seat)
    return can_move(rules, state, seat, origin, lakes, oasis)


@kernel
def nobody_can_move(rules: Any, state: Any) -> Any:
    """The position test for the end of the game (B17a)."""
    for seat in range(state.players):
        if able_now(rules, state, seat, True):
            return False
    return True


@kernel
def wolves_wait(rules: Any, state: Any) -> Any:
    """Whether some player's Wolves would still flip a Town in a passed turn (G2)."""
    if rules.effects_on_pass == 0:
        return False
    for seat in range(state.players):
        if state.out[seat] == 0 and wolves_due(rules, state, seat) != 0:
            return True
    return False


@kernel
def begin_turn(rules: Any, state: Any, seat: Any) -> None:
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
    for owner in range(state.players):
        spirit = np.int64(state.spirit[owner])
        if owner != seat and spirit >= 0 and (state.kind[SKUNK] & bit(spirit)) != 0:
            denied = skunk_denies(rules, state, owner, seat)
            state.harm[owner, SKUNK] += denied


@kernel
def skunk_denies(rules: Any, state: Any, owner: Any, seat: Any) -> Any:
    """Open Regions next to `seat`'s Spirit that the Skunk of `owner` keeps it from, at the start of its turn."""
    origin = np.int64(state.spirit[seat])
    if origin < 0 or (rules.skunk_concerns & 1) == 0:
        return np.int64(0)
    free = expansion(rules, state, origin, np.int64(-1)) & ~rules.shield
    near = free & rules.near[np.int64(state.spirit[owner])]
    return np.int64(popcount(near))


@implements("score", State)
def score(rules: Any, state: Any, seat: Any) -> Any:
    return np.float64(points(rules, state, np.int64(seat), np.int64(0)))
