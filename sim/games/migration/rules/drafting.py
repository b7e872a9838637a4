"""Before play: the Draft ("I split, you choose") and teams built by bots, as decisions like any other."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.jit import bit, kernel
from sim.core.kinds import Count, Index, Mask, Piece, RulesRecord, Seat, Seed, StateRecord, Stream, Whether
from sim.core.rng import DRAFT, below, keyed, to_below
from sim.games.migration.rules.params import MOST_COPIES
from sim.games.migration.rules.state import (
    BASS,
    BASS_EXTRA,
    BUILDING,
    CHOOSE_PILE,
    DEALT,
    GROUP,
    KIND_AT,
    MAX_SET,
    N_PIECES,
    NO_PIECE,
    PIECE_AT,
    PIECE_MASK,
    PIECE_WIDTH,
    POOL_IS_TEAM,
    SPLIT,
    SPLIT_GROUP,
    SWEARING,
    TAKE_PIECE,
    TEAM,
    TRIES,
    VOID,
    WOLF,
)

_MOST = 2 * MAX_SET
_COPIES = 64  # in the key of a piece: more than there are of a kind
assert _COPIES > 2 * MOST_COPIES


# A group is one number: five pieces of 4 bits (15: none), then 5 bits of piles, splitter, chooser (2 bits each)
# and the pile that the chooser took.
_PILES, _SPLITTER, _CHOOSER, _TAKEN = 20, 25, 27, 29
_SEAT_MASK = 3


@kernel
def piece_in(state: StateRecord, group: Index, k: Index) -> Any:
    """Return the k-th piece of a group, or -1."""
    piece = (np.int64(state.groups[group]) >> (PIECE_WIDTH * k)) & PIECE_MASK
    return np.int64(-1) if piece == NO_PIECE else piece


@kernel
def put_piece(state: StateRecord, group: Index, k: Index, piece: Piece) -> None:
    """Let `piece` (`NO_PIECE`: none) be the k-th of a group."""
    rest = np.int64(state.groups[group]) & ~(np.int64(PIECE_MASK) << (PIECE_WIDTH * k))
    state.groups[group] = rest | (np.int64(piece) << (PIECE_WIDTH * k))


@kernel
def pile_of(state: StateRecord, group: Index, k: Index) -> Any:
    """Return the pile (0, 1) of the k-th piece of a group."""
    return (np.int64(state.groups[group]) >> (_PILES + k)) & 1


@kernel
def splitter_of(state: StateRecord, group: Index) -> Any:
    """Return who split a group."""
    return (np.int64(state.groups[group]) >> _SPLITTER) & _SEAT_MASK


@kernel
def chooser_of(state: StateRecord, group: Index) -> Any:
    """Return who chose from a group."""
    return (np.int64(state.groups[group]) >> _CHOOSER) & _SEAT_MASK


@kernel
def owner_of_piece(state: StateRecord, group: Index, k: Index) -> Any:
    """Return who got the k-th piece of a group that was chosen from."""
    taken = (np.int64(state.groups[group]) >> _TAKEN) & 1
    return chooser_of(state, group) if pile_of(state, group, k) == taken else splitter_of(state, group)


@kernel
def set_piles(state: StateRecord, mask: Mask) -> None:
    """Split the present group: bits of `mask` are the places that lie in pile 1."""
    state.groups[state.group] = np.int64(state.groups[state.group]) | (np.int64(mask) << _PILES)


@kernel
def deal_groups(rules: RulesRecord, state: StateRecord, seed: Seed) -> None:
    """Shuffle two sets and deal three groups of five a player (G3: banned pieces are taken out before).

    Where bans leave too few pieces for full groups, the pieces are spread evenly over the groups.
    """
    keys = np.empty(_MOST, dtype=np.uint64)
    whose = np.empty(_MOST, dtype=np.int8)
    n = 0
    for piece in range(N_PIECES):
        if (state.banned & bit(piece)) != 0 and rules.draft_bans != VOID:
            continue
        for copy in range(2 * rules.set_counts[piece]):
            keys[n] = keyed(seed, DRAFT, 1 + piece * _COPIES + copy)
            whose[n] = piece
            n += 1
    groups = 3 * np.int64(state.players)
    state.n_groups = groups
    state.groups[:] = (1 << _PILES) - 1
    for k in range(n):
        place = 0
        for other in range(n):
            place += keys[other] < keys[k]
        if place < groups * GROUP:
            put_piece(state, place % groups, place // groups, whose[k])
    state.group = 0
    state.splitter = to_below(keyed(seed, DRAFT, 0), state.players)


@kernel
def next_group(rules: RulesRecord, state: StateRecord) -> None:
    """Turn up the next group for its splitter; after the last one, add what everybody adds, go on to the teams."""
    if state.chooser >= 0:  # the one before was chosen from: its chooser splits next
        state.splitter = state.chooser
        state.group += 1
    if state.group == state.n_groups:
        for seat in range(state.players):
            close_pool(rules, state, np.int64(seat))
        state.stage = BUILDING
        state.asked = 0
        return
    players = np.int64(state.players)
    step = players - 1 if (np.int64(state.group) // players) % 2 == 0 else np.int64(1)  # right, left, right
    state.chooser = (np.int64(state.splitter) + step) % players
    state.seat = state.splitter
    state.phase = SPLIT


@kernel
def close_pool(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Void what is banned; everybody adds a Bass, or a Wolf where the Bass is banned."""
    out = state.banned | state.own_bans[seat]
    for piece in range(N_PIECES):
        if (out & bit(piece)) != 0:
            state.pool[seat, piece] = 0
    if rules.draft_bass == BASS_EXTRA:
        return
    state.pool[seat, added_piece(state, seat)] += 1


@kernel
def added_piece(state: StateRecord, seat: Seat) -> Any:
    """Return the Explorer that everybody adds to what was drafted."""
    out = state.banned | state.own_bans[seat]
    return np.int64(WOLF) if (out & bit(BASS)) != 0 else np.int64(BASS)


@kernel
def group_size(state: StateRecord) -> Count:
    """Return how many pieces the present group has."""
    size = 0
    for k in range(GROUP):
        if piece_in(state, np.int64(state.group), k) >= 0:
            size += 1
    return size


@kernel
def splits(state: StateRecord, out: Any) -> Any:
    """Write every way to split the group into two piles (also five and none), each set of pieces once."""
    size = group_size(state)
    n = 0
    for mask in range(1 << max(size - 1, 0)):  # the last piece always lies in pile 0
        if is_first(state, mask, size):
            out[n] = np.int32((SPLIT_GROUP << KIND_AT) | mask)
            n += 1
    return n


@kernel
def is_first(state: StateRecord, mask: Mask, size: Any) -> Whether:
    """Whether no smaller mask puts the same pieces into pile 1, or the same two piles the other way round."""
    for other in range(mask):
        if same_pile(state, mask, other, size) or same_pile(state, mask, ((1 << size) - 1) ^ other, size):
            return False
    return True


@kernel
def same_pile(state: StateRecord, mask: Mask, other: Mask, size: Count) -> Any:
    for piece in range(N_PIECES):
        difference = 0
        for k in range(size):
            if piece_in(state, np.int64(state.group), k) == piece:
                difference += ((mask >> k) & 1) - ((other >> k) & 1)
        if difference != 0:
            return False
    return True


@kernel
def choose_pile(state: StateRecord, pile: Any) -> None:
    """The chooser gets this pile, the splitter the other."""
    group = np.int64(state.group)
    chooser = np.int64(state.chooser)
    who = (np.int64(state.splitter) << _SPLITTER) | (chooser << _CHOOSER) | (np.int64(pile) << _TAKEN)
    state.groups[group] = np.int64(state.groups[group]) | who
    for k in range(GROUP):
        piece = piece_in(state, group, k)
        if piece >= 0:
            state.pool[owner_of_piece(state, group, k), piece] += 1
    state.phase = RESOLVE


@kernel
def piles(out: Any) -> Any:
    """Write the two piles to choose from."""
    out[0] = np.int32(CHOOSE_PILE << KIND_AT)
    out[1] = np.int32((CHOOSE_PILE << KIND_AT) | 1)
    return 2


# --- teams ---------------------------------------------------------------------------------------------------


@kernel
def pool_size(state: StateRecord, seat: Seat) -> Any:
    total = np.int64(0)
    for piece in range(N_PIECES):
        total += state.pool[seat, piece]
    return total


@kernel
def full_team(rules: RulesRecord, state: StateRecord, seat: Seat) -> Count:
    """Return how many pieces the team of `seat` will have, before an extra Bass (E37, G4)."""
    size = pool_size(state, seat)
    if rules.draft != 0 and rules.draft_cap == POOL_IS_TEAM:
        return size
    return min(size, np.int64(rules.hand_size))


@kernel
def next_builder(rules: RulesRecord, state: StateRecord, stream: Stream) -> None:
    """Ask the next seat that builds its team; fill up teams that leave no choice, deal those that are dealt."""
    while state.asked < state.players:
        seat = np.int64(state.asked)
        if state.builds[seat] >= 0:
            if state.builds[seat] == DEALT:
                deal_from_pool(rules, state, seat, stream)
                state.asked += 1
                continue
            if pool_size(state, seat) > full_team(rules, state, seat):
                state.seat = seat
                state.phase = TEAM
                return
            for piece in range(N_PIECES):
                state.hand[seat, piece] = state.pool[seat, piece]
            finish_team(rules, state, seat)
        state.asked += 1
    state.stage = SWEARING
    state.asked = 0
    state.seat = state.players - 1


@kernel
def deal_from_pool(rules: RulesRecord, state: StateRecord, seat: Seat, stream: Stream) -> None:
    """Deal a team from what was drafted, again while it has neither Bass nor Wolf."""
    pieces = np.empty(_MOST, dtype=np.int8)
    wanted = full_team(rules, state, seat)
    for _attempt in range(TRIES):
        n = 0
        for piece in range(N_PIECES):
            state.hand[seat, piece] = 0
            for _copy in range(state.pool[seat, piece]):
                pieces[n] = piece
                n += 1
        for k in range(np.int64(wanted)):
            swap = k + below(stream, n - k)
            pieces[k], pieces[swap] = pieces[swap], pieces[k]
            state.hand[seat, pieces[k]] += 1
        if state.hand[seat, BASS] + state.hand[seat, WOLF] > 0 or rules.first_town_on_coast != 0:
            break
    finish_team(rules, state, seat)


@kernel
def team_picks(rules: RulesRecord, state: StateRecord, seat: Seat, out: Any) -> Any:
    """Write every Explorer that may come into the team next; the last pick must bring a Bass where one is required."""
    n = 0
    last = state.hand_size[seat] + 1 == full_team(rules, state, seat)
    must = rules.bass_required != 0 and last and state.hand[seat, BASS] == 0 and state.pool[seat, BASS] > 0
    for piece in range(N_PIECES):
        if state.pool[seat, piece] > state.hand[seat, piece] and (not must or piece == BASS):
            out[n] = np.int32((TAKE_PIECE << KIND_AT) | (piece << PIECE_AT))
            n += 1
    return n


@kernel
def take_piece(rules: RulesRecord, state: StateRecord, seat: Seat, piece: Piece) -> None:
    state.hand[seat, piece] += 1
    state.hand_size[seat] += 1
    if state.hand_size[seat] == full_team(rules, state, seat):
        finish_team(rules, state, seat)
        state.asked += 1
        state.phase = RESOLVE


@kernel
def finish_team(rules: RulesRecord, state: StateRecord, seat: Seat) -> None:
    """Add the extra Bass where it is a 13th piece, and count the team."""
    if rules.draft != 0 and rules.draft_bass == BASS_EXTRA:
        state.hand[seat, added_piece(state, seat)] += 1
    size = np.int64(0)
    for piece in range(N_PIECES):
        size += state.hand[seat, piece]
    state.hand_size[seat] = size
    state.team_size[seat] = size


@kernel
def draft_rows(state: StateRecord, out: Any) -> Any:
    """Write one row a drafted piece: round, splitter, chooser, piece, pile, taken by the chooser."""
    n = 0
    for group in range(state.group):
        for k in range(GROUP):
            piece = piece_in(state, group, k)
            if piece >= 0:
                chooser = chooser_of(state, group)
                out[n, 0] = group // np.int64(state.players) + 1
                out[n, 1] = splitter_of(state, group)
                out[n, 2] = chooser
                out[n, 3] = piece
                out[n, 4] = pile_of(state, group, k)
                out[n, 5] = 1 if owner_of_piece(state, group, k) == chooser else 0
                n += 1
    return n
