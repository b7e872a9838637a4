"""The records of Drifting Lands: the board and numbers of a game (`Rules`), a position (`State`), a player (`Entrant`).

Spaces are numbered in reading order (row by row). Land tiles are numbered in the same order, 0 to 27, anew after
every change: a set of tiles is a bit mask over these numbers.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from sim.core.contract import OVER, RESOLVE
from sim.core.kinds import Index
from sim.core.params import choice, rule_fields
from sim.core.records import record_type, state_type
from sim.games.drifting_lands.rules.kinds import Card
from sim.games.drifting_lands.rules.params import CARDS, LEVELS, STARTS, Parameters

MAX_PLAYERS = 4
MAX_SPACES = 126
ROOM = 128
"""Length of arrays by space."""
TILES = 28
N_CARDS = len(CARDS)
N_STARTS = len(STARTS)
MAX_START_SPACES = 6
(
    DRIFTING,
    ULTRA_DRIFTING,
    SPLITTING,
    ULTRA_SPLITTING,
    OROGENY,
    MOVING,
    MIGRATING,
    BREEDING,
    REPRODUCING,
    EVOLVING,
    MUTATING,
) = range(N_CARDS)
OCEAN, PLAIN, MOUNTAIN = range(3)
"""Landscapes, lowest first."""

PHASES = ("resolve", "over", "start", "drift", "select", "play", "part", "expel", "second")
START, DRIFT, SELECT, PLAY, PART, EXPEL, SECOND = range(2, len(PHASES))
assert (RESOLVE, OVER) == (0, 1)

# KIND_AT and PART_BIT, below, tell how an action is written as a number.
KINDS = (
    "start",
    "drift",
    "stay",
    "select",
    "play drift",
    "play split",
    "orogeny",
    "move",
    "no move",
    "breed",
    "evolve instead",
    "evolve",
    "no effect",
    "part",
    "expel",
    "remove",
    "second breed",
    "second evolve",
    "stop",
)
(
    CHOOSE_START,
    DO_DRIFT,
    STAY,
    TAKE_CARD,
    CARD_DRIFT,
    CARD_SPLIT,
    RAISE,
    MOVE,
    NO_MOVE,
    BREED,
    EVOLVE_INSTEAD,
    EVOLVE,
    NO_EFFECT,
    MOVE_PART,
    EXPEL_TO,
    REMOVE,
    BREED_AGAIN,
    EVOLVE_AGAIN,
    STOP,
) = range(len(KINDS))
KIND_AT, CARD_AT, FIRST_AT, CARD_MASK, PLACE_MASK = 18, 14, 7, 0xF, 0x7F
"""An action is kind << KIND_AT | card << CARD_AT | a << FIRST_AT | b (a, b: spaces, or b a direction)."""
PART_BIT = 1 << 30
"""Set in an action that moves a part of a continent: the other bits are its tiles."""
WITH_CARD = (
    *(TAKE_CARD, CARD_DRIFT, CARD_SPLIT, RAISE, MOVE, NO_MOVE, BREED, EVOLVE_INSTEAD, EVOLVE, NO_EFFECT),
)
"""Kinds of action that name a card."""
MAX_ACTIONS = 5000
MOST_PARTS = 512

# named choices as the rules record holds them
LAST_FIRST = choice(Parameters, "start_order", "last player first")
DIAGONAL = choice(Parameters, "two_player_start", "diagonal")
CHOSEN, DRAWN, BY_SEAT = (choice(Parameters, "start_continents", v) for v in ("chosen", "drawn", "by seat"))
WITHHELD, GIVEN, EITHER = (choice(Parameters, "lever", v) for v in ("withheld", "given", "both"))
MAY = choice(Parameters, "drifting_phase", "may")
ANY_CONTINENT = choice(Parameters, "drifting_target", "any continent")
ULTRA_ANY, ULTRA_TWO, ULTRA_BOTH = (
    choice(Parameters, "ultra", v) for v in ("any continent", "two spaces", "both")
)
APART = choice(Parameters, "split_parts", "apart")
MAY_REMOVE = choice(Parameters, "expelling", "may remove")
AS_ONE = choice(Parameters, "mutating", "as one")
PRINTED = choice(Parameters, "tile_value", "printed")
WITH_TWO, WITH_ALL = (choice(Parameters, "threshold_for", v) for v in ("two players", "all"))
FIRST_ONLY = choice(Parameters, "threshold_second", "first only")
BY_PAWNS, BY_LEVELS = (choice(Parameters, "tie_break", v) for v in ("pawns", "levels"))

_i1, _i2, _i4, _u8 = np.int8, np.int16, np.int32, np.uint64

Entrant = record_type([("drifting_lands_deck", _i1, (N_CARDS,))])
"""A player: copies of each card in its deck."""

Rules = record_type(
    [
        ("drifting_lands_players", _i4),
        *rule_fields(Parameters),
        ("n_spaces", _i4),
        ("q", _i1, (ROOM,)),
        ("r", _i1, (ROOM,)),
        ("near", _i1, (ROOM, 6)),  # the space in each direction, -1: off the map
        ("value", _i1, (ROOM,)),  # points of a space
        ("first_land", _i1, (ROOM,)),  # landscape at the start
        ("first_label", _i1, (ROOM,)),  # continent at the start, -1: ocean
        ("start_space", _i1, (N_STARTS, MAX_START_SPACES)),
    ]
)


State = state_type(
    "drifting_lands",
    [
        ("round_no", _i4),  # from 0 (`round` is a method of records)
        ("first", _i4),  # who has the starter marker
        ("asked", _i4),  # seats that are through with this phase (start, drift, select)
        ("last", _i4),  # seat of the last completed turn, -1: none
        ("salt", _u8),  # public; draws the parts that are offered of a very large continent
        ("taste", _u8, (MAX_PLAYERS,)),  # key by which a bot's liking of cards differs in this deal
        ("pawn", _i1, (ROOM,)),  # on each space; 0: none, else 1 + 4 * seat + level - 1. Read eight at a time
        # the land
        ("n_tiles", _i4),
        ("tile", _i1, (TILES,)),  # space of each tile
        ("land", _i1, (ROOM,)),  # landscape of each space
        ("number", _i1, (ROOM,)),  # tile on each space, -1: ocean
        ("label", _i1, (ROOM,)),  # continent of each space, -1: ocean
        ("worth", _i1, (ROOM,)),  # points printed on the tile there
        ("n_continents", _i4),  # labels in use are below it
        ("continent", _i2, (TILES,)),  # points of all tiles of a continent, by label
        # pawns and cards
        ("supply", _i1, (MAX_PLAYERS, LEVELS)),
        ("deck", _i1, (MAX_PLAYERS, N_CARDS)),
        ("hand", _i1, (MAX_PLAYERS, N_CARDS)),
        ("discard", _i1, (MAX_PLAYERS, N_CARDS)),
        ("start", _i1, (MAX_PLAYERS,)),  # starting continent, -1: none yet
        # a card under way
        ("card", _i4),
        ("from_space", _i4),  # of a split: a tile of the continent; of a move: where the pawn came from
        ("to_space", _i4),  # of a split: the direction; of a move: where it stands now
        ("expelled", _i4),  # pawn to be expelled
        # for the logs
        ("given", _i1, (MAX_PLAYERS, N_CARDS)),  # copies in the deck at the start
        ("first_turn", _i2, (MAX_PLAYERS, N_CARDS)),
        ("wasted", _i1, (MAX_PLAYERS, N_CARDS)),  # played without effect
        ("harm", _i2, (MAX_PLAYERS, N_CARDS)),  # rivals' pawns removed or expelled
        ("lost", _i2, (MAX_PLAYERS, LEVELS)),  # pawns removed from the board
    ],
)

assert State.fields is not None
assert State.fields["pawn"][1] % 8 == 0
assert sys.byteorder == "little"


def code(kind: Index, card: Card = 0, a: Any = 0, b: Any = 0) -> int:
    """Return the number of an action, outside the compiled rules."""
    return int(kind) << KIND_AT | int(card) << CARD_AT | int(a) << FIRST_AT | int(b)
