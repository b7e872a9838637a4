"""The course of play: a turn as a sequence of small decisions, what happens between turns, the end.

An action is one int32: kind, piece and Region (`encode`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import FINISHED, OVER, RESOLVE
from sim.core.jit import bit, implements, kernel, lowest, popcount, where
from sim.games.migration.rules.abilities import poison_due, skunk_block, wolves_due
from sim.games.migration.rules.ages import (
    aggression_towns,
    card_to_enact,
    could_move,
    enact,
    famine_regions,
    has_end_effect,
    move_town,
    nostalgia_towns,
    wander_due,
)
from sim.games.migration.rules.drafting import (
    choose_pile,
    next_builder,
    next_group,
    piles,
    set_piles,
    splits,
    take_piece,
    team_picks,
)
from sim.games.migration.rules.laying import lay_options, lay_piece, next_step
from sim.games.migration.rules.lines import (
    all_towns,
    any_usable,
    can_enter,
    can_place_from,
    entry,
    expansion,
    lakes_within_reach,
    may_enter,
    migration,
    oaks_within_reach,
    oasis_open,
    openings,
    strife_targets,
    usable,
)
from sim.games.migration.rules.scoring import points
from sim.games.migration.rules.state import (
    AFTER_OAK,
    AGE_DONE,
    AGGRESSION,
    ANY_MOVE,
    BONUS,
    BUILDING,
    CACTUS,
    CHOOSE,
    CHOOSE_PILE,
    DECLINE,
    DO_AGE,
    DO_POISON,
    DO_WOLVES,
    DONE,
    DRAFTING,
    ENACT,
    END,
    END_FULL_ROUND,
    END_POSITION,
    ENTER,
    EXPAND,
    FAMINE,
    FLY,
    FOUND,
    FOUNDING,
    LAKE_MOVE,
    LAY_FAMINE,
    LAY_HALF,
    LEAVE,
    LEAVE_SEA,
    LIZARD,
    MIGRATE,
    MOVE_ENEMY,
    N_PIECES,
    NOSTALGIA,
    NOSTALGIC,
    NOTHING,
    OAK_MOVE,
    OPTIONAL_PAYMENTS,
    ORDER,
    PAID,
    PASS,
    PAY,
    PAY_PIECE,
    PAY_SEA,
    PLAYING,
    POISON_DONE,
    POISON_FIRST,
    POISON_OAK,
    RESTLESS,
    RETURN_SPIRIT,
    REVEAL,
    SCENARIO,
    SHOW,
    SKUNK,
    SPARROW,
    SPLIT,
    SPLIT_GROUP,
    STACK,
    STACK_SECOND,
    STAY_OFF,
    STRIFE,
    SWEARING,
    TAKE_PIECE,
    TEAM,
    TURN,
    VARIANTS,
    WANDER,
    WASTELAND,
    WOLF,
    WOLVES_DONE,
    WOLVES_FIRST,
    State,
)


@kernel
def encode(kind: Any, piece: Any, h: Any) -> Any:
    """Return the action number: kind, piece (0 to 15), Region (0 to 62); `encode_two` adds a second Region."""
    return np.int32((kind << 16) | (piece << 6) | h)


@kernel
def encode_two(kind: Any, other: Any, h: Any) -> Any:
    """Return the number of an action from Region (or piece) `other` to `h`."""
    return np.int32((kind << 16) | (other << 10) | h)


# --- legal actions -------------------------------------------------------------------------------------------


@implements("legal", State)
def legal(rules: Any, state: Any, out: Any) -> Any:
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
def _variant_actions(rules: Any, state: Any, seat: Any, out: Any) -> Any:
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
def _no_actions(rules: Any, state: Any, seat: Any, out: Any) -> Any:
    return 0


variant_actions = where(VARIANTS, "variant_actions", "rules, state, seat, out", _variant_actions, _no_actions)


@kernel
def _plain_turn_actions(rules: Any, state: Any, seat: Any, out: Any) -> Any:
    """The begin window and the action in one: placements, Oaks, Lakes, pass."""
    n = placements(rules, state, seat, out)
    n = begin_of_turn_moves(rules, state, seat, out, n)
    if n == 0 or rules.voluntary_pass != 0:
        out[n] = encode(PASS, 0, 0)
        n += 1
    return n


@kernel
def _age_turn_actions(rules: Any, state: Any, seat: Any, out: Any) -> Any:
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
def _write(out: Any, n: Any, kind: Any, piece: Any, regions: Any) -> Any:
    """Append one action a Region and return the new number of actions."""
    base = (kind << 16) | (piece << 6)
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
    hand = usable(rules, state, seat)
    for piece in range(N_PIECES):
        if hand[piece] == 0:
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
    found = could_move(rules, state, seat, lake, state.lakes_at_start, oasis, state.wandered != 0)
    state.lakes_used &= ~bit(lake)
    state.spirit[seat] = spirit
    return found


@kernel
def payments(rules: Any, state: Any, seat: Any, out: Any) -> Any:
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
    optional = free or (rules.sparrow_must_cover == 0 and (all_towns(state) & bit(h)) != 0)
    if not optional or state.hand_size[seat] > state.must_pay:
        n = _hand(state, seat, out, n, PAY_PIECE, h)
    if optional:
        out[n] = encode(LEAVE, 0, h)
        n += 1
    return n


@kernel
def _hand(state: Any, seat: Any, out: Any, n: Any, kind: Any, h: Any) -> Any:
    """Append one action for each type in hand."""
    for piece in range(N_PIECES):
        if state.hand[seat, piece] > 0:
            out[n] = encode(kind, piece, h)
            n += 1
    return n


@kernel
def _usable(rules: Any, state: Any, seat: Any, out: Any, n: Any, kind: Any, h: Any) -> Any:
    """Append one action for each type that may be established."""
    hand = usable(rules, state, seat)
    for piece in range(N_PIECES):
        if hand[piece] > 0:
            out[n] = encode(kind, piece, h)
            n += 1
    return n


@kernel
def stackings(rules: Any, state: Any, seat: Any, out: Any, n: Any) -> Any:
    """Age of Cooperation: a second Town on top of the first one of this turn (E12)."""
    return _usable(rules, state, seat, out, n, STACK, np.int64(state.stack_on))


@kernel
def strifes(rules: Any, state: Any, seat: Any, out: Any, n: Any) -> Any:
    """Age of Strife: cover an enemy Town instead of placing one (E25)."""
    targets = strife_targets(rules, state, seat, np.int64(state.spirit[seat]))
    while targets != 0:
        n = _hand(state, seat, out, n, STRIFE, lowest(targets))
        targets &= targets - 1
    return n


@kernel
def wanders(rules: Any, state: Any, seat: Any, out: Any, n: Any) -> Any:
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
def enactments(rules: Any, state: Any, seat: Any, out: Any, n: Any) -> Any:
    """The card that may be enacted now, if any."""
    card = card_to_enact(rules, state, seat)
    if card >= 0:
        out[n] = encode(ENACT, 0, card)
        n += 1
    return n


@kernel
def reveals(state: Any, seat: Any, out: Any) -> Any:
    """Oaths: every pair of Explorers in hand."""
    n = 0
    for piece in range(N_PIECES):
        if state.hand[seat, piece] == 0:
            continue
        for other in range(piece, N_PIECES):
            if state.hand[seat, other] > (1 if other == piece else 0):
                out[n] = np.int32((SHOW << 16) | (other << 10) | (piece << 6))
                n += 1
    return n


@kernel
def end_actions(rules: Any, state: Any, seat: Any, out: Any) -> Any:
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
def effect_due(rules: Any, state: Any, seat: Any, effect: Any) -> Any:
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
def age_actions(rules: Any, state: Any, seat: Any, out: Any) -> Any:
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


# --- carrying actions out ------------------------------------------------------------------------------------


@implements("apply", State)
def apply(rules: Any, state: Any, action: Any) -> None:
    seat = np.int64(state.seat)
    kind = np.int64(action) >> 16
    other = (np.int64(action) >> 10) & 63
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
        if state.must_pay > 0 and (rules.sparrow_must_cover != 0 or (all_towns(state) & bit(h)) == 0):
            state.must_pay -= 1
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
def _apply_variant(rules: Any, state: Any, seat: Any, kind: Any, other: Any, piece: Any, h: Any) -> None:
    """The actions that only Oaths and Age Cards know."""
    if kind == SHOW:
        show(rules, state, seat, piece, other)
    elif kind == ENACT:
        enact(rules, state, seat, h)
        state.stirred = 1  # more than Spirits has changed
        if state.phase == TURN:
            still_forced(rules, state, seat)
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
        lay_piece(rules, state, (other << 10) | (piece << 6) | h)


@kernel
def _apply_nothing(rules: Any, state: Any, seat: Any, kind: Any, other: Any, piece: Any, h: Any) -> None:
    return


apply_variant = where(
    VARIANTS, "apply_variant", "rules, state, seat, kind, other, piece, h", _apply_variant, _apply_nothing
)


@kernel
def establish(rules: Any, state: Any, seat: Any, piece: Any, h: Any) -> None:
    """Put an Explorer from the hand on the board: it is a Town at once (B5)."""
    state.hand[seat, piece] -= 1
    state.hand_size[seat] -= 1
    if rules.oaths != 0:
        state.revealed[seat, piece] -= 1
    state.towns_made += 1
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
    free = (state.switches & OPTIONAL_PAYMENTS) != 0
    for d in range(6):
        must = 0
        for k in range(rules.ray_length[origin, d]):
            h = np.int64(rules.ray[origin, d, k])
            if h == target:
                state.path_direction = d
                state.path_end = k
                state.sea_owed = np.int64(rules.gaps[origin, d, k]) if rules.migrate_over_ocean == PAID else 0
                state.must_pay = 0 if free else must + state.sea_owed
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
def spend(rules: Any, state: Any, seat: Any, piece: Any) -> None:
    """Take a payment from the hand. Which piece it was stays hidden (B6); under Oaths a hidden copy goes first."""
    state.hand[seat, piece] -= 1
    state.hand_size[seat] -= 1
    if rules.oaths != 0:
        state.revealed[seat, piece] = min(state.revealed[seat, piece], state.hand[seat, piece])
    state.paid[seat, piece] += 1
    state.paid_size[seat] += 1


@kernel
def owner_at(state: Any, h: Any) -> Any:
    """Return the seat that has the Town at `h`, or -1."""
    for owner in range(state.players):
        if (state.town[owner] & bit(h)) != 0:
            return np.int64(owner)
    return np.int64(-1)


@kernel
def stack(rules: Any, state: Any, seat: Any, piece: Any, h: Any) -> None:
    """Establish a Town on top of the one just made, which is out of play (E13 to E15)."""
    below = np.int64(state.top[h])
    state.kind[below] &= ~bit(h)
    state.lost[seat, below] += 1
    state.stack_on = -1
    state.bonus_of = -1
    establish(rules, state, seat, piece, h)
    state.under[h] = below


@kernel
def cover(state: Any, seat: Any, h: Any, cause: Any) -> None:
    """Let a face-down piece lie on Region `h`, laid there or flipped: a Town there is out of play (C9, C32)."""
    lose_town(state, seat, h, cause)
    state.under[h] = NOTHING
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
    """After the payments: the Spirit moves to the new Town; Cactus, Lizard, Cooperation; then the turn ends."""
    h = np.int64(state.target)
    piece = np.int64(state.piece)
    state.spirit[seat] = h
    state.touched |= bit(h)
    if piece == CACTUS and rules.cactus_returns != 0:
        cactus_return(rules, state, seat)
    used = np.int64(state.bonus_of)
    state.bonus_of = -1
    if used >= 0 and rules.lizard_flips != 0:
        cover(state, seat, used, LIZARD)
    state.stack_on = -1
    if (state.switches & STACK_SECOND) != 0 and state.towns_made == 1 and any_usable(rules, state, seat):
        if (skunk_block(rules, state, seat) & bit(h)) == 0:
            state.stack_on = h
    spirit = np.int64(state.spirit[seat])
    if rules.lizard_bonus != 0 and spirit >= 0 and (state.kind[LIZARD] & bit(spirit)) != 0:
        if (spirit == h or rules.lizard_trigger == ANY_MOVE) and bonus_exists(rules, state, seat):
            state.bonus_of = spirit
    if state.bonus_of >= 0 or state.stack_on >= 0:
        state.phase = BONUS
    else:
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
    if rules.effects_on_pass != 0:
        end_of_turn(rules, state, seat)
    else:
        after_effects(rules, state, seat)


# --- end of turn ---------------------------------------------------------------------------------------------


@kernel
def end_of_turn(rules: Any, state: Any, seat: Any) -> None:
    """Wolves and Poison Oaks; their order is asked for only where it matters (B21). With Age Cards: the window."""
    if window_opens(rules, state, seat):
        state.end_done = 0
        state.phase = END
        return
    wolves = wolves_due(rules, state, seat)
    if wolves & state.town[seat] & state.kind[POISON_OAK] != 0 and poison_due(rules, state, seat) != 0:
        state.phase = ORDER
        return
    flip_wolves(rules, state, seat)
    remove_spirits(rules, state, seat)
    after_effects(rules, state, seat)


@kernel
def continue_age(rules: Any, state: Any, seat: Any) -> None:
    """Go through the active card's effects: Famine, Aggression, Nostalgia, as far as nothing has to be asked."""
    state.phase = END
    if state.age_step == 0:
        state.age_step = 1
        if famine_regions(rules, state, seat) != 0:
            state.phase = FAMINE
            return
    if state.age_step == 1:
        state.age_step = 2
        if aggression_towns(rules, state, seat) != 0:
            state.phase = AGGRESSION
            return
    if state.age_step == 2:
        state.age_step = 3
        if (state.switches & NOSTALGIC) != 0:
            state.spirit[seat] = -1
            if nostalgia_towns(state, seat) != 0:
                state.phase = NOSTALGIA


@kernel
def _window_opens(rules: Any, state: Any, seat: Any) -> Any:
    """Whether the end of the turn has more to decide than Wolves and Poison Oaks."""
    return rules.age_mode != 0 and (has_end_effect(state) or card_to_enact(rules, state, seat) >= 0)


@kernel
def _no(rules: Any, state: Any, seat: Any) -> Any:
    return False


window_opens = where(VARIANTS, "window_opens", "rules, state, seat", _window_opens, _no)


@kernel
def _after_effects(rules: Any, state: Any, seat: Any) -> None:
    """Oaths: show two Explorers anew; then the turn is over."""
    if rules.oaths != 0 and must_choose_oaths(state, seat):
        state.phase = REVEAL
    else:
        close_turn(rules, state, seat)


@kernel
def must_choose_oaths(state: Any, seat: Any) -> Any:
    """Whether there is more than one pair to show; if not, the only one is shown (E39)."""
    kinds = 0
    double = 0
    for piece in range(N_PIECES):
        if state.hand[seat, piece] > 0:
            kinds += 1
        if state.hand[seat, piece] > 1:
            double += 1
    if kinds * (kinds - 1) // 2 + double > 1:
        return True
    state.revealed[seat, :] = state.hand[seat, :]
    for piece in range(N_PIECES):
        state.revealed[seat, piece] = min(state.revealed[seat, piece], 2)
    return False


@kernel
def show(rules: Any, state: Any, seat: Any, piece: Any, other: Any) -> None:
    """Reveal exactly these two."""
    state.revealed[seat, :] = 0
    state.revealed[seat, piece] += 1
    state.revealed[seat, other] += 1
    if state.stage == SWEARING:  # before the first turn
        state.asked += 1
        state.phase = RESOLVE
    else:
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
    if state.passed != 0:
        state.passes[seat] += 1
        if rules.comeback == 0:
            state.out[seat] = 1
    if state.passed != 0 and state.stirred == 0:
        state.still += 1
    else:
        state.still = 0
    state.turns_taken[seat] += 1
    state.turn += 1
    state.last_seat = seat
    state.phase = RESOLVE


after_effects = where(VARIANTS, "after_effects", "rules, state, seat", _after_effects, close_turn)


# --- between turns -------------------------------------------------------------------------------------------


@implements("resolve", State)
def resolve(rules: Any, state: Any, stream: Any) -> None:
    if state.stage != PLAYING:
        prepare(rules, state, stream)
        return
    seat = next_seat(state)
    if seat < 0 or (state.still >= state.players and rules.comeback != 0):
        finish(state)
        return
    able = able_now(rules, state, seat, False)
    if not able and by_position(rules, state) and nobody_can_move(rules, state):
        if rules.end_rule == END_POSITION or not wolves_wait(rules, state):
            finish(state)
            return
    begin_turn(rules, state, seat)
    if able:
        state.phase = TURN
        return
    if able_now(rules, state, seat, True):  # only the Oasis' first turn stands in the way: play goes on
        state.stirred = 1
    pass_by_force(rules, state, seat)


@kernel
def _pass_by_force(rules: Any, state: Any, seat: Any) -> None:
    """A stuck player still wanders, and may enact."""
    state.phase = TURN
    state.forced = 1
    still_forced(rules, state, seat)


pass_by_force = where(VARIANTS, "pass_by_force", "rules, state, seat", _pass_by_force, forgo)


@kernel
def still_forced(rules: Any, state: Any, seat: Any) -> None:
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
def _prepare(rules: Any, state: Any, stream: Any) -> None:
    """One step of what comes before the first turn."""
    if state.stage == FOUNDING:
        next_step(rules, state)
    elif state.stage == DRAFTING:
        next_group(rules, state)
    elif state.stage == BUILDING:
        next_builder(rules, state, stream)
    else:
        prepare_oaths(rules, state)


@kernel
def _begin_at_once(rules: Any, state: Any, stream: Any) -> None:
    state.stage = PLAYING


prepare = where(VARIANTS, "prepare", "rules, state, stream", _prepare, _begin_at_once)


@kernel
def prepare_oaths(rules: Any, state: Any) -> None:
    """Ask each seat in order for the two Explorers that it shows (E38)."""
    if rules.oaths == 0 or state.asked == state.players:
        state.stage = PLAYING
        state.seat = (state.first + state.players - 1) % state.players
        return
    seat = np.int64(state.asked)
    if must_choose_oaths(state, seat):
        state.seat = seat
        state.phase = REVEAL
    else:
        state.asked += 1


@kernel
def by_position(rules: Any, state: Any) -> Any:
    """Whether the position test decides the end; not where a later turn may open moves by itself (G2)."""
    if rules.end_rule == END_POSITION:
        return True
    if rules.end_rule == END_FULL_ROUND:
        return False
    return rules.oaths == 0 and rules.age_mode <= SCENARIO and (state.switches & RESTLESS) == 0


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
    return could_move(rules, state, seat, origin, lakes, oasis, False)


@kernel
def nobody_can_move(rules: Any, state: Any) -> Any:
    """The position test for the end of the game (B17a)."""
    for seat in range(state.players):
        if able_now(rules, state, np.int64(seat), True):
            return False
    return True


@kernel
def wolves_wait(rules: Any, state: Any) -> Any:
    """Whether some player's Wolves would still flip a Town in a passed turn (G2)."""
    if rules.effects_on_pass == 0:
        return False
    for seat in range(state.players):
        if state.out[seat] == 0 and wolves_due(rules, state, np.int64(seat)) != 0:
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
