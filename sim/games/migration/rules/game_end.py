"""The end of the game, beside what the rulebook says of it: play goes on until no player has a legal move.

Looked at before each turn, in three steps:

1. Who can move now? While anybody can, the game goes on.
2. What may still change? Where a passed turn may open a move without a Town being placed, the coming round of
   passed turns is tried out; the game goes on if in some course of it somebody gets a move (G2). In the plain game
   only a Wolf flip is such a change (B17).
3. The stop: a game in which all have passed for two full rounds ends unfinished, unless somebody who can move now
   has not declined to in those rounds (B17).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import ALL_PASSED, FINISHED, OVER, RESOLVE, RUNNING, apply, legal
from sim.core.jit import bit, kernel, where
from sim.core.kinds import Action, Count, Mask, Piece, RulesRecord, Seat, StateRecord, Whether
from sim.core.rng import mix
from sim.games.migration.rules.abilities import wolves_due
from sim.games.migration.rules.ages import could_move
from sim.games.migration.rules.lines import oasis_open, openings
from sim.games.migration.rules.state import (
    AGENDA,
    ANYWHERE,
    BASS,
    DO_POISON,
    DO_WOLVES,
    END,
    END_FULL_ROUND,
    END_POSITION,
    ERA,
    KIND_AT,
    MAX_PLAYERS,
    MAX_REGIONS,
    MUST_WANDER,
    N_PIECES,
    NOSTALGIA,
    NOSTALGIC,
    NOTHING,
    NOWHERE,
    OAK,
    OAK_BOARD,
    OAK_NEVER,
    OWN,
    RESTLESS,
    REVEAL,
    SCENARIO,
    TURN,
    VARIANTS,
    WOLF,
    State,
)
from sim.games.migration.rules.turn_end import close_turn
from sim.games.migration.rules.turns import after_enacting, begin_turn, next_seat, pass_by_force


@kernel
def end_of_game(rules: RulesRecord, state: StateRecord, seat: Seat, able: Whether) -> Any:
    """Return how the game has ended before the turn of `seat` (-1: nobody plays on), or RUNNING.

    `able` tells that `seat` can move.
    """
    if seat < 0:
        return FINISHED
    if not able and nobody_can_move(rules, state) and nothing_may_change(rules, state, seat):
        return FINISHED
    if all_declined(rules, state):
        return ALL_PASSED
    return RUNNING


@kernel
def finish(state: StateRecord, how: Any) -> None:
    state.phase = OVER
    state.ended = how


# --- 1. who can move now -------------------------------------------------------------------------------------


@kernel
def able_now(rules: RulesRecord, state: StateRecord, seat: Seat, any_oasis: Any) -> Whether:
    """Whether `seat` could move if it were its turn; `any_oasis` overlooks the Oasis' first-turn limit."""
    state.oaks_used = 0
    state.lakes_used = 0
    origin = np.int64(state.spirit[seat])
    lakes = rules.near[origin] & rules.lake if origin >= 0 else np.int64(0)
    oasis = rules.oasis_enters != 0 if any_oasis else oasis_open(rules, state, seat)
    return could_move(rules, state, seat, origin, lakes, oasis, False)


@kernel
def nobody_can_move(rules: RulesRecord, state: StateRecord) -> Whether:
    """Whether no player has a legal move in the present position (B16, B17a)."""
    for seat in range(state.players):
        if able_now(rules, state, np.int64(seat), True):
            return False
    return True


# --- 2. what may still change --------------------------------------------------------------------------------


@kernel
def nothing_may_change(rules: RulesRecord, state: StateRecord, seat: Seat) -> Whether:
    """Whether passed turns, that of `seat` the first of them, cannot give anybody a move."""
    if rules.end_rule == END_POSITION or not anybody_may_hope(rules, state):
        return True
    if not by_position(rules, state):
        return not round_opens(rules, state, seat, turns_ahead(rules, state, seat), np.int64(0))
    if rules.effects_on_pass == 0 or not wolves_wait(rules, state):
        return True
    turns = players_in(state)
    return not round_opens(rules, state, seat, turns, open_without_flips(rules, state, seat, turns))


@kernel
def _by_position(rules: RulesRecord, state: StateRecord) -> Whether:
    """Whether the present position decides, flips apart: not where a later turn may open moves by itself (G2)."""
    if rules.end_rule == END_FULL_ROUND:
        return False
    return rules.oaths == 0 and rules.age_mode <= SCENARIO and (state.switches & RESTLESS) == 0


@kernel
def _plain_by_position(rules: RulesRecord, state: StateRecord) -> Any:
    return rules.end_rule != END_FULL_ROUND


by_position = where(VARIANTS, "by_position", "rules, state", _by_position, _plain_by_position)


@kernel
def players_in(state: StateRecord) -> Count:
    """Return how many players are not out for good."""
    count = np.int64(0)
    for seat in range(state.players):
        if state.out[seat] == 0:
            count += 1
    return count


@kernel
def turns_ahead(rules: RulesRecord, state: StateRecord, seat: Seat) -> Count:
    """Return how many turns to look at: a round, counted from where a card that can be enacted is locked no more."""
    playing = players_in(state)
    lock = np.int64(state.lock_seat)
    if lock < 0 or state.out[lock] != 0 or state.turns_taken[lock] >= state.lock_until:
        return playing
    if cards_in_reach(rules, state) == 0:
        return playing
    steps = np.int64(1)
    while seat != lock:
        seat = (seat + 1) % np.int64(state.players)
        if state.out[seat] == 0:
            steps += 1
    return playing + steps + (np.int64(state.lock_until) - np.int64(state.turns_taken[lock]) - 1) * playing


@kernel
def cards_in_reach(rules: RulesRecord, state: StateRecord) -> Mask:
    """Return the cards (as bits) that somebody may enact sooner or later, as far as they are known to be there.

    In an Era that is the one face up: what lies under it nobody knows. In an Agenda it is every player's own.
    """
    cards = np.int64(0)
    if rules.age_mode == ERA and state.deck_place < state.deck_size:
        cards |= bit(state.deck[state.deck_place])
    elif rules.age_mode == AGENDA:
        for seat in range(state.players):
            if state.out[seat] == 0 and state.agenda[seat] >= 0:
                cards |= bit(state.agenda[seat])
    return cards


@kernel
def switches_in_reach(rules: RulesRecord, state: StateRecord) -> Any:
    """Return the switches of Age Cards that are on, or may be sooner or later."""
    switches = np.int64(state.switches)
    if rules.age_mode <= SCENARIO:
        return switches
    cards = cards_in_reach(rules, state)
    for card in range(rules.n_cards):
        if cards & bit(card) != 0:
            switches |= np.int64(rules.card_switches[card])
    return switches


@kernel
def wolves_wait(rules: RulesRecord, state: StateRecord) -> Whether:
    """Whether some player's Wolves would flip a Town at the end of a passed turn."""
    for seat in range(state.players):
        if state.out[seat] == 0 and wolves_due(rules, state, np.int64(seat)) != 0:
            return True
    return False


@kernel
def open_without_flips(rules: RulesRecord, state: StateRecord, seat: Seat, turns: Count) -> Mask:
    """Return the turns (as bits) of a round of passes after which somebody could move even if no Town were flipped.

    Where the position decides, such a move, given by a Spirit that is lifted, is not waited for (B17a).
    """
    room = np.empty(1, dtype=State)
    room[0] = state
    tame = room[0]
    tame.kind[WOLF] = 0
    found = np.int64(0)
    for turn in range(turns):
        begin_turn(rules, tame, seat)
        pass_by_force(rules, tame, seat)
        if not nobody_can_move(rules, tame):
            found |= bit(turn)
        seat = next_seat(tame)
    return found


@kernel
def anybody_may_hope(rules: RulesRecord, state: StateRecord) -> Whether:
    """Whether some player is not past all hope: a sound and quick test that spares most rounds their trial.

    To move takes an Explorer in hand and a Spirit (on the board, or an Oak or Nostalgia to bring it back; the Oak
    may lie under a Town that can wander off it), or a Region that is, or under Wandering may become, open to an
    Explorer that needs none.
    """
    switches = switches_in_reach(rules, state)
    ground = openings(rules, state)
    if switches & MUST_WANDER != 0:
        ground = rules.land & ~rules.lake & ~state.waste
    ground &= rules.regions
    for seat in range(state.players):
        if state.hand_size[seat] == 0 or state.out[seat] != 0:
            continue
        if state.spirit[seat] >= 0 or (switches & NOSTALGIC != 0 and state.town[seat] != 0):
            return True
        if rules.oak_from != OAK_NEVER and rules.oak_from != OAK_BOARD:
            if (state.town[seat] & state.kind[OAK]) != 0:
                return True
            if switches & MUST_WANDER != 0 and covers(rules, state, seat, OAK):
                return True
        if rules.oasis_enters != 0 and (ground & rules.oasis) != 0:
            return True
        if rules.first_town_on_coast != 0 and (ground & rules.coast) != 0:
            return True
        if state.hand[seat, BASS] > 0 and rules.bass_enters != NOWHERE:
            if rules.bass_on_wasteland != 0:
                return True
            if (ground if rules.bass_enters == ANYWHERE else ground & rules.coast) != 0:
                return True
        if state.hand[seat, WOLF] > 0 and rules.wolf_enters != NOWHERE:
            if (ground if rules.wolf_enters == ANYWHERE else ground & rules.forest) != 0:
                return True
    return False


@kernel
def covers(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece) -> Whether:
    """Whether a Town of `seat` lies on one of its own of this kind, which is exposed when the upper one moves."""
    for h in range(rules.n_regions):
        if state.under[h] == piece and (state.town[seat] & bit(h)) != 0:
            return True
    return False


# --- the coming round, tried out with the rules themselves ---------------------------------------------------

_DEPTH = (
    48  # choices on one course of at most eight turns: a wander, two enactments, a Spirit, orders of effects
)
_WIDTH = 6 * MAX_REGIONS + 8  # actions of a choice in a passed turn
_SLOTS = 8192  # of the table of positions seen, a power of two
_OPENED, _CLOSED = -1, 0


@kernel
def round_opens(rules: RulesRecord, state: StateRecord, seat: Seat, turns: Count, apart: Mask) -> Whether:
    """Whether some course of `turns` passed turns, `seat` first, gives somebody a move.

    Every choice is tried. A move after a turn of `apart` (as bits) does not count.
    """
    room = np.empty(_DEPTH, dtype=State)
    actions = np.empty((_DEPTH, _WIDTH), dtype=np.int32)
    left = np.empty(_DEPTH, dtype=np.int64)
    seen = np.zeros(_SLOTS + 1, dtype=np.uint64)
    room[0] = state
    if switches_in_reach(rules, state) & NOSTALGIC == 0:
        return course_opens(rules, seat, turns, apart, np.int64(-1), room, actions, left, seen)
    for owner in range(state.players):  # a Spirit helps nobody but its owner, and may be in the way of others
        if course_opens(rules, seat, turns, apart, np.int64(owner), room, actions, left, seen):
            return True
    return False


@kernel
def course_opens(
    rules: RulesRecord,
    seat: Seat,
    turns: Count,
    apart: Mask,
    hopeful: Seat,
    room: Any,
    actions: Any,
    left: Any,
    seen: Any,
) -> Any:
    """`round_opens` from the position `room[0]`; under Nostalgia the Spirit of `hopeful` alone may return.

    Should there be more different positions than the table `seen` holds, the game goes on.
    """
    last = np.int64(room[0].turn) + turns
    depth = 1
    room[1] = room[0]
    begin_turn(rules, room[1], seat)
    pass_by_force(rules, room[1], seat)
    left[1] = go_on(rules, room[1], last, turns, apart, hopeful, actions[1], seen)
    while depth > 0:
        if left[depth] == _OPENED:
            return True
        if left[depth] == _CLOSED:
            depth -= 1
            continue
        if depth + 1 == _DEPTH:
            return True
        left[depth] -= 1
        room[depth + 1] = room[depth]
        depth += 1
        apply(rules, room[depth], actions[depth - 1, left[depth - 1]])
        left[depth] = go_on(rules, room[depth], last, turns, apart, hopeful, actions[depth], seen)
    return False


@kernel
def go_on(
    rules: RulesRecord,
    state: StateRecord,
    last: Count,
    turns: Count,
    apart: Mask,
    hopeful: Seat,
    out: Any,
    seen: Any,
) -> Any:
    """Go on with passed turns to the next choice; return how many actions there are, _OPENED or _CLOSED."""
    while True:
        if state.phase == RESOLVE:
            if after_enacting(rules, state):
                state.deck_place = state.deck_size  # what lies under the card is not known
                continue
            done = np.int64(state.turn) - last + turns
            if apart & bit(done - 1) == 0 and not nobody_can_move(rules, state):
                return np.int64(_OPENED)
            if (
                done == turns
                or not anybody_may_hope(rules, state)
                or is_known(rules, state, done, hopeful, seen)
            ):
                return np.int64(_CLOSED)
            if seen[_SLOTS] > _SLOTS // 2:
                return np.int64(_OPENED)
            seat = next_seat(state)
            if seat < 0:
                return np.int64(_CLOSED)
            begin_turn(rules, state, seat)
            pass_by_force(rules, state, seat)
            continue
        if state.phase == TURN and state.forced == 0:  # the card that was enacted has freed the mover
            return np.int64(_OPENED)
        if (
            state.phase == REVEAL
        ):  # one Explorer makes a move, and any one can be among the two that are shown
            show_all(rules, state)
            continue
        n = np.int64(legal(rules, state, out))
        if state.phase == NOSTALGIA and state.seat != hopeful:
            out[0] = out[n - 1]  # to stay off
            n = np.int64(1)
        elif state.phase == END and settled_first(rules, out[0]):
            n = np.int64(1)
        if n > 1:
            return n
        apply(rules, state, out[0])


@kernel
def show_all(rules: RulesRecord, state: StateRecord) -> None:
    seat = np.int64(state.seat)
    for piece in range(N_PIECES):
        state.revealed[seat, piece] = state.hand[seat, piece]
    close_turn(rules, state, seat)


@kernel
def settled_first(rules: RulesRecord, action: Action) -> Whether:
    """Whether this effect may as well come first: Wolves and Poison Oaks that concern no own piece."""
    kind = np.int64(action) >> KIND_AT
    if ((rules.wolf_concerns | rules.poison_oak_concerns) & OWN) != 0:
        return False
    return kind == DO_WOLVES or kind == DO_POISON


@kernel
def is_known(rules: RulesRecord, state: StateRecord, done: Any, hopeful: Seat, seen: Any) -> Whether:
    """Whether this position between turns was met before after as many turns; note it down if not."""
    key = mix(np.uint64(done * 8 + hopeful + 1))
    for seat in range(MAX_PLAYERS):
        key = mix(key ^ np.uint64(state.town[seat]))
        key = mix(key ^ np.uint64((np.int64(state.spirit[seat]) + 1) * 64 + np.int64(state.agenda[seat]) + 1))
    for piece in range(N_PIECES):
        key = mix(key ^ np.uint64(state.kind[piece]))
    for h in range(rules.n_regions):
        if state.under[h] != NOTHING:
            key = mix(key ^ np.uint64(h * 64 + np.int64(state.under[h])))
    key = mix(key ^ np.uint64(state.waste))
    card = (np.int64(state.active_card) + 1) * 64 + np.int64(state.deck_place)
    key = mix(key ^ np.uint64(card * 4096 + np.int64(state.lock_until) * 8 + np.int64(state.lock_seat) + 1))
    key |= np.uint64(1)
    slot = np.int64(key >> np.uint64(32)) & (_SLOTS - 1)
    while seen[slot] != np.uint64(0):
        if seen[slot] == key:
            return True
        slot = (slot + 1) & (_SLOTS - 1)
    seen[slot] = key
    seen[_SLOTS] += np.uint64(1)
    return False


# --- 3. the stop ---------------------------------------------------------------------------------------------


@kernel
def all_declined(rules: RulesRecord, state: StateRecord) -> Whether:
    """Whether all turns of two full rounds were passed, and everybody who can move now has declined in them.

    Who has not is waited for, but for one round only: what it got at the end of one turn can be taken from it before
    its next, time and again.
    """
    if rules.comeback == 0 or state.still < 2 * state.players:
        return False
    if state.still >= 3 * state.players:
        return True
    for seat in range(state.players):
        if (state.declined & bit(seat)) == 0 and able_now(rules, state, np.int64(seat), True):
            return False
    return True
