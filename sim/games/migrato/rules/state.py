"""The records of Migrato: the numbers of a game (`Rules`), a position (`State`), a player (`Entrant`).

A column is one int64: eight bits a card, the oldest lowest. A card's byte is its piece + 1, with DOWN when it lies
face down and LOST when its owner has forgotten it. So moving part of a column is a shift.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import OVER, RESOLVE
from sim.core.kinds import Count
from sim.core.params import choice, rule_fields
from sim.core.records import record_type, state_type
from sim.games.migrato.rules.params import (
    BY_NIGHT,
    CARD_BIRDS,
    CARD_NIGHT,
    CARD_SPECIES,
    MOST_CARDS,
    MOST_COLUMNS,
    MOST_HAND,
    MOST_LENGTH,
    N_BIRDS,
    PIECES,
    Parameters,
)

N_PIECES = len(PIECES)
HUNTER, LIGHT, HABITAT = N_BIRDS, N_BIRDS + 1, N_BIRDS + 2
BRANT, KITE, STILT, BEE_EATER, TEAL = range(5)
N_SPECIES = 5
UNKNOWN = -1
"""No species: a column of which nothing is visible."""

SPECIES_OF = np.array([*CARD_SPECIES, -1, -1, -1], dtype=np.int8)
BIRDS_OF = np.array([*CARD_BIRDS, 0, 0, 0], dtype=np.int8)
NIGHT_OF = np.array([*CARD_NIGHT, False, False, False], dtype=np.bool_)
NIGHTS = sum(1 << piece for piece in range(N_BIRDS) if CARD_NIGHT[piece])
"""All night cards, as bits."""
NIGHT_SPECIES = sum(1 << species for species, flies in enumerate(BY_NIGHT) if flies)
"""The species that have night cards, as bits."""
DAY_ONLY = sum(1 << piece for piece in range(N_BIRDS) if CARD_SPECIES[piece] in (KITE, BEE_EATER))
OF_SPECIES = np.array(
    [sum(1 << piece for piece in range(N_BIRDS) if CARD_SPECIES[piece] == k) for k in range(5)],
    dtype=np.int64,
)
"""The cards of a species, as bits."""
_NIGHTS_OF = [
    [piece for piece in range(N_BIRDS) if CARD_NIGHT[piece] and k in (CARD_SPECIES[piece], 5)]
    for k in range(6)
]
N_NIGHTS_OF = np.array([len(pieces) for pieces in _NIGHTS_OF])
NIGHTS_OF = np.array([pieces + [0] * (len(_NIGHTS_OF[-1]) - len(pieces)) for pieces in _NIGHTS_OF])
"""The night cards of a species, and at UNKNOWN (the last row) all of them: how many kinds, and which."""


def equal_or_less(birds: Any, before: Count) -> Any:
    """The order of a column: whether a card with so many `birds` may lie after one with `before`."""
    return birds <= before


ANY_BIRDS = 9
"""More birds than any card shows: nothing bounds what may follow."""
FALLING = np.array(
    [
        sum(1 << piece for piece in range(N_BIRDS) if equal_or_less(CARD_BIRDS[piece], birds))
        for birds in range(ANY_BIRDS + 1)
    ],
    dtype=np.int64,
)
"""The cards that may lie after so many birds, as bits."""
DAY_TEAL_1, DAY_TEAL_5, NIGHT_TEAL_4 = (
    PIECES.index(name) for name in ("Teal 1 day", "Teal 5 day", "Teal 4 night")
)

CARD, DOWN, LOST = 0x3F, 0x40, 0x80
CARD_WIDTH, CARD_MASK = 8, 0xFF
"""The bits of a card in a column."""
ALL_LOST = 0x0080808080808080
"""LOST of every card of a column."""
PLACES = 8
"""Places of a player: the columns, and the last for a new one. A move names k * PLACES + where; what a Danger card may
take is a column, PLACES + a species that has arrived, or NOTHING_TO_TAKE."""
NEW = PLACES - 1
"""The place of a new column in an action."""
NOTHING_TO_TAKE = 2 * PLACES
assert MOST_COLUMNS < PLACES

# phases and kinds of action
ACTION, REVEAL, DISCARD = range(2, 5)
PHASES = ("resolve", "over", "action", "reveal", "discard")
KINDS = (
    "play",
    "split",
    "merge",
    "move",
    "steal",
    "steal arrived",
    "danger wasted",
    "discard column",
    "discard hand",
    "show",
    "keep hidden",
    "discard",
)
(
    PLAY,
    SPLIT,
    MERGE,
    MOVE,
    STEAL,
    STEAL_PILE,
    WASTE,
    PASS_COLUMN,
    PASS_HAND,
    SHOW,
    KEEP,
    DISCARD_CARD,
) = range(len(KINDS))
KIND_AT, FIRST_AT, PART_MASK = 16, 8, 0xFF
"""An action is kind << KIND_AT | first << FIRST_AT | second: first a card or a column, second a place."""
WITH_CARD = (PLAY, STEAL, STEAL_PILE, WASTE, DISCARD_CARD)
"""Kinds of action that name a card."""
MAX_ACTIONS = PLACES * MOST_COLUMNS + MOST_COLUMNS * MOST_LENGTH * (MOST_COLUMNS + 1) + 64
assert (RESOLVE, OVER) == (0, 1)

# what `resolve` does next
FILL_HAND, NO_DRAW, TAKE_UNSEEN, TURN_UP, REBUILD = range(5)

# named choices as the rules record holds them
SPLIT_OR_MERGE, MOVE_TAIL = (choice(Parameters, "rearrange", v) for v in ("split_or_merge", "move_tail"))
TRUE_CARDS = choice(Parameters, "hidden_check", "true_cards")
PURGE_ALL, PURGE_COLUMNS, PURGE_VISIBLE = (
    choice(Parameters, "arrival_purge", v) for v in ("all_cards", "visible_columns", "visible_cards")
)
STILTS_MOVE, STILTS_ANY = (choice(Parameters, "five_stilts", v) for v in ("move", "any"))
OVERLEN_FORBIDDEN = choice(Parameters, "overlen", "forbidden")
MIXED_ALLOWED = choice(Parameters, "mixed", "allowed")
ORDER_IGNORED = choice(Parameters, "hidden_order", "ignore")
BY_VISIBLE = choice(Parameters, "overlen_by", "visible")
BY_CONTENTS = choice(Parameters, "reveal_by", "true contents")
OFFER_ANY = choice(Parameters, "reveal_offer", "any length")
RETURNED = choice(Parameters, "incomplete_reveal", "return")
WASTED = choice(Parameters, "danger_without_target", "wasted")
OPTIONAL = choice(Parameters, "steal", "optional")
PROTECTED = choice(Parameters, "lone_card", "protected")
REACH_PHASE = choice(Parameters, "danger_reach", "last of phase")
PILE_ANY = choice(Parameters, "pile_phase", "any")
PILE_LOST = choice(Parameters, "reduced_pile", "lost")
BIRDS_ONLY = choice(Parameters, "discard_kinds", "birds")
WHEN_EMPTY = choice(Parameters, "rebuild", "when empty")
TOP_ONLY = choice(Parameters, "discard_memory", "top")
END_SETTLEMENTS = choice(Parameters, "end", "settlements")
FINISH_AT_ONCE, FINISH_TURN, FINISH_ROUND = (
    choice(Parameters, "finish", v) for v in ("at once", "turn", "round")
)
TIES_DRAW, TIES_SETTLEMENTS, TIES_SECOND = (
    choice(Parameters, "ties", v) for v in ("draw", "settlements", "settlements then second")
)

Rules = record_type(
    [
        *rule_fields(Parameters),
        ("copies", np.int32, (N_PIECES,)),  # the deck, without what is always left out
        ("left_out", np.int32),  # cards drawn and left out for each deal
        ("cards", np.int32),  # in play in each deal
        # by the length of a column after a play: cards that may bring it there; after a merge or move: species (bits)
        ("play_to", np.int64, (MOST_LENGTH + 2,)),
        ("move_to", np.int32, (MOST_LENGTH + 2,)),
        # species (bits) that arrive with so many cards, after a play and after a merge or move
        ("full", np.int32, (2, MOST_LENGTH + 2)),
    ]
)

Entrant = record_type([("nothing", np.int32)])
"""Nothing but the opening hand belongs to a player, and that comes from the deal."""

State = state_type(
    "migrato",
    [
        ("todo", np.int32),  # one of these, FILL_HAND to REBUILD
        ("at", np.int32),  # the column to be turned up, or that a reveal is offered for
        ("by_move", np.int32),  # whether that column came by a merge or move
        ("taken", np.int32),  # byte of a stolen card that its thief has not looked at yet, 0: none
        ("stolen", np.int32),  # piece stolen in this turn + 1, 0: none
        ("stolen_known", np.int32),  # whether its owner knew which card it was
        ("ending", np.int32),  # whether the end is set off
        ("ender", np.int32),  # the seat that set it off, -1: nobody
        ("last_seat", np.int32),  # of the turn completed last
        ("n_columns", np.int32, (2,)),
        ("column", np.int64, (2, MOST_COLUMNS)),
        # what a column looks like to the legality test of the rules in force (see `lay`)
        ("length", np.int32, (2, MOST_COLUMNS)),
        ("shown", np.int32, (2, MOST_COLUMNS)),  # visible cards
        ("kind", np.int32, (2, MOST_COLUMNS)),  # species, or UNKNOWN
        ("low", np.int32, (2, MOST_COLUMNS)),  # no higher card may follow
        ("high", np.int32, (2, MOST_COLUMNS)),  # it may follow no lower card
        ("open", np.int64, (2, MOST_COLUMNS)),  # cards (bits) that may be laid on it
        ("last", np.int32, (2, MOST_COLUMNS)),  # byte of the last card
        ("hand_size", np.int32, (2,)),
        ("hand", np.int8, (2, MOST_HAND)),  # pieces + 1 in order, 0: no card
        ("star", np.int8, (2, MOST_HAND)),  # 1: the other player knows this card
        ("pile_size", np.int32, (2, N_SPECIES)),
        ("pile", np.int8, (2, N_SPECIES, MOST_LENGTH)),  # pieces + 1, oldest first
        ("deck_size", np.int32),
        ("deck", np.int8, (MOST_CARDS,)),  # pieces + 1, the top one last
        ("discard_size", np.int32),
        ("discard", np.int8, (MOST_CARDS,)),  # pieces + 1, oldest first
        ("apart", np.int8, (MOST_CARDS,)),  # pieces + 1 drawn and left out of this deal
        ("looks", np.int64, (2, 2)),  # columns after the seat's last turn and the one before, as a number
        ("passed", np.int32, (2,)),
        # the record of the game, for logs only: nothing in the rules reads it
        ("dealt", np.int8, (2, N_PIECES)),
        ("held", np.int8, (2, N_PIECES)),
        ("played", np.int8, (2, N_PIECES)),
        ("first_turn", np.int16, (2, N_PIECES)),
        ("discarded", np.int8, (2, N_PIECES)),
        ("lost", np.int8, (2, N_PIECES)),
        ("harm", np.int16, (2, N_PIECES)),
    ],
)
