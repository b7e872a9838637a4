"""The end of a turn: Wolves, Poison Oaks, the active Age Card, Oaths; passing; Towns that are lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.jit import bit, kernel, lowest, where
from sim.core.kinds import Piece, Region, RulesRecord, Seat, StateRecord, Whether
from sim.games.migration.rules.abilities import poison_due, wolves_due
from sim.games.migration.rules.ages import (
    aggression_towns,
    card_to_enact,
    famine_regions,
    has_end_effect,
    nostalgia_towns,
)
from sim.games.migration.rules.state import (
    AGGRESSION,
    END,
    FAMINE,
    N_PIECES,
    NOSTALGIA,
    NOSTALGIC,
    NOTHING,
    ORDER,
    POISON_OAK,
    REVEAL,
    SWEARING,
    VARIANTS,
    WASTELAND,
    WOLF,
)


@kernel
def forgo(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Pass, freely or by force: the Spirit leaves the board (B12, B14)."""
    state.spirit[seat] = -1
    state.passed = 1
    if rules.effects_on_pass != 0:
        end_of_turn(rules, state, seat)
    else:
        after_effects(rules, state, seat)


@kernel
def end_of_turn(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
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
def flip_wolves(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    due = wolves_due(rules, state, seat)
    while due != 0:
        h = lowest(due)
        due &= due - 1
        cover(state, seat, h, WOLF)
        state.stirred = 1


@kernel
def remove_spirits(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    due = poison_due(rules, state, seat)
    while due != 0:
        owner = lowest(due)
        due &= due - 1
        state.spirit[owner] = -1
        if owner != seat:
            state.harm[seat, POISON_OAK] += 1


@kernel
def cover(state: StateRecord, seat: Seat, h: Region, cause: Any) -> None:
    """Let a face-down piece lie on Region `h`, laid there or flipped: a Town there is out of play (C9, C32)."""
    lose_town(state, seat, h, cause)
    state.under[h] = NOTHING
    state.waste |= bit(h)
    state.top[h] = WASTELAND
    state.face_down[h] += 1


@kernel
def lose_town(state: StateRecord, seat: Seat, h: Region, cause: Any) -> None:
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
def continue_age(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
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
def _window_opens(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Whether the end of the turn has more to decide than Wolves and Poison Oaks."""
    return rules.age_mode != 0 and (has_end_effect(state) or card_to_enact(rules, state, seat) >= 0)


@kernel
def _no(rules: RulesRecord, state: StateRecord, seat: Seat) -> Any:
    return False


window_opens = where(VARIANTS, "window_opens", "rules, state, seat", _window_opens, _no)


@kernel
def must_choose_oaths(state: StateRecord, seat: Seat) -> Whether:
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
    for piece in range(N_PIECES):
        state.revealed[seat, piece] = state.hand[seat, piece]
    for piece in range(N_PIECES):
        state.revealed[seat, piece] = min(state.revealed[seat, piece], 2)
    return False


@kernel
def _after_effects(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Oaths: show two Explorers anew; then the turn is over."""
    if rules.oaths != 0 and must_choose_oaths(state, seat):
        state.phase = REVEAL
    else:
        close_turn(rules, state, seat)


@kernel
def show(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece, other: Piece) -> None:
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
def close_turn(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Count the turn; what comes next depends on hidden hands, so `resolve` finds it out."""
    if state.passed != 0:
        state.passes[seat] += 1
        if rules.comeback == 0:
            state.out[seat] = 1
    if state.passed != 0 and state.stirred == 0:
        state.still += 1
    else:
        state.still = 0
        state.declined = 0
    state.turns_taken[seat] += 1
    state.turn += 1
    state.last_seat = seat
    state.phase = RESOLVE


after_effects = where(VARIANTS, "after_effects", "rules, state, seat", _after_effects, close_turn)
