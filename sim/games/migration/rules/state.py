"""The records of Migration: the board and numbers of a game (`Rules`), a position (`State`), a player (`Entrant`).

Sets of Regions are 64-bit masks: bit h stands for the Region number h. A Region is open (the rulebook's
Frontier) when no Town and no Wasteland is on it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sim.core.contract import OVER, RESOLVE
from sim.core.jit import source_hash
from sim.core.params import choice, rule_fields
from sim.core.records import record_type
from sim.games.migration.rules.params import PIECES, Parameters

MAX_PLAYERS = 4
MAX_REGIONS = 62
MAX_RAY = 16
N_PIECES = len(PIECES)
BASS, OAK, RATS, SPARROW, FLY, WOLF, SKUNK, POISON_OAK, JACKAL, LIZARD, CACTUS = range(N_PIECES)
NOTHING, WASTELAND = -1, N_PIECES
"""What lies on top of a Region when it is no Town."""

# phases and kinds of action
TURN, PAY, BONUS, ORDER = 2, 3, 4, 5
PHASES = ("resolve", "over", "turn", "pay", "bonus", "order")
(
    PASS,
    EXPAND,
    ENTER,
    MIGRATE,
    OAK_MOVE,
    LAKE_MOVE,
    PAY_PIECE,
    PAY_SEA,
    LEAVE,
    DECLINE,
    WOLVES_FIRST,
    POISON_FIRST,
) = range(12)
KINDS = (
    "pass",
    "expand",
    "enter",
    "migrate",
    "oak",
    "lake",
    "pay",
    "pay at sea",
    "leave",
    "decline",
    "wolves first",
    "poison oak first",
)
MAX_ACTIONS = 3 * N_PIECES * MAX_REGIONS
assert (RESOLVE, OVER) == (0, 1)

# named choices as the rules record holds them
FREE, PAID = (choice(Parameters, "migrate_over_ocean", v) for v in ("free", "paid"))
END_POSITION, END_FULL_ROUND = (choice(Parameters, "end_rule", v) for v in ("position", "full round"))
COAST, ANYWHERE, NOWHERE = (choice(Parameters, "bass_enters", v) for v in ("coast", "anywhere", "nowhere"))
OAK_BOARD, OAK_NEVER = (choice(Parameters, "oak_from", v) for v in ("board", "never"))
FLY_BOTH, FLY_EXPANSION, FLY_MIGRATION, FLY_NEVER = range(4)
NOBODY, ENEMIES, OWN, ALL = range(4)
"""As bits: 1 enemies, 2 own."""
ANY_MOVE = choice(Parameters, "lizard_trigger", "any move")
BY_PIECE = choice(Parameters, "jackal_counts", "piece")
OASIS_GAME, OASIS_ROUND = (choice(Parameters, "oasis_first_turn", v) for v in ("game", "round"))
UNIFORM = choice(Parameters, "ban_method", "uniform")
DRAWN = choice(Parameters, "first_player", "drawn")
NEITHER = choice(Parameters, "enclosed_sea", "neither")
KEPT = choice(Parameters, "covered_forest", "kept")
AFTER_OAK = choice(Parameters, "cactus_after_oak", "oak")

_i1, _i2, _i4, _i8 = np.int8, np.int16, np.int32, np.int64

Rules = record_type(
    [
        # the board: cells, terrain as printed on the map
        ("n_regions", _i4),
        ("q", _i1, (MAX_REGIONS,)),
        ("r", _i1, (MAX_REGIONS,)),
        ("forest_drawn", _i8),
        ("lake", _i8),
        ("mountain", _i8),
        ("deep_woods", _i8),
        ("desert", _i8),
        ("oasis", _i8),
        ("fertile", _i8),
        ("sea_desert", _i8),
        # derived by `survey`
        ("land", _i8),
        ("regions", _i8),  # land that counts for coast, lines and entry (A8)
        ("coast", _i8),
        ("interior", _i8),
        ("forest", _i8),  # also Deep Woods
        ("shield", _i8),  # Mountains in force
        ("near", _i8, (MAX_REGIONS,)),
        ("ray", _i1, (MAX_REGIONS, 6, MAX_RAY)),
        ("gaps", _i1, (MAX_REGIONS, 6, MAX_RAY)),
        ("ray_length", _i1, (MAX_REGIONS, 6)),
        ("longest_ray", _i4),
        # set-up
        ("players", _i4),
        ("founding", _i4),  # 1: the board is drawn per deal
        ("ban_cards", _i4),  # cards of a random ban
        ("banned", _i8),  # pieces banned for all by name
        ("first_town_on_coast", _i4),  # the basic game
        # lasting terrain
        ("fertile_lasts", _i4),
        ("mountain_lasts", _i4),
        ("deep_woods_last", _i4),
        ("desert_lasts", _i4),
        *rule_fields(Parameters),
    ]
)

HASH = source_hash(str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[3] / "core"))
TAG = f"game_migration_{HASH}"

State = record_type(
    [
        (TAG, _i4),
        ("phase", _i4),
        ("seat", _i4),
        ("players", _i4),
        ("turn", _i4),
        ("ended", _i4),
        # the board
        ("town", _i8, (MAX_PLAYERS,)),  # Regions with a Town of this seat
        ("kind", _i8, (N_PIECES,)),  # Regions with a Town of this piece
        ("waste", _i8),  # Regions with Wasteland on top
        ("top", _i1, (MAX_REGIONS,)),  # piece, WASTELAND or NOTHING
        ("face_down", _i1, (MAX_REGIONS,)),  # face-down pieces in the stack
        ("spirit", _i1, (MAX_PLAYERS,)),  # Region of the Pioneer Spirit, -1: off the board
        # the players; `hand` and `paid` are hidden from the others, their sums are not
        ("hand", _i1, (MAX_PLAYERS, N_PIECES)),
        ("paid", _i1, (MAX_PLAYERS, N_PIECES)),
        ("played", _i1, (MAX_PLAYERS, N_PIECES)),
        ("team_size", _i4, (MAX_PLAYERS,)),
        ("hand_size", _i4, (MAX_PLAYERS,)),
        ("paid_size", _i4, (MAX_PLAYERS,)),
        ("sunk", _i4, (MAX_PLAYERS,)),  # of the paid ones, lost at sea
        ("turns_taken", _i4, (MAX_PLAYERS,)),
        ("passes", _i4, (MAX_PLAYERS,)),
        ("out", _i4, (MAX_PLAYERS,)),  # passed without comeback
        ("banned", _i8),
        ("own_bans", _i8, (MAX_PLAYERS,)),
        ("founder", _i4),
        ("last_seat", _i4),  # whose turn was the last
        ("still", _i4),  # turns in a row in which nothing but Spirits moved
        # this turn
        ("start_town", _i4),
        ("stirred", _i4),  # a Town was placed or flipped
        ("passed", _i4),
        ("oaks_used", _i8),
        ("lakes_used", _i8),
        ("lakes_at_start", _i8),
        ("last_oak", _i4),
        ("bonus_of", _i4),  # Lizard whose bonus is being played, -1: none
        # a placement with payments under way
        ("piece", _i4),
        ("target", _i4),
        ("path_from", _i4),
        ("path_direction", _i4),
        ("path_step", _i4),
        ("path_end", _i4),
        ("sea_owed", _i4),
        ("must_pay", _i4),  # mandatory payments still to come
        # for the piece log
        ("first_turn", _i2, (MAX_PLAYERS, N_PIECES)),  # number of the own turn, -1: never played
        ("assigned", _i1, (MAX_PLAYERS, N_PIECES)),
        ("lost", _i1, (MAX_PLAYERS, N_PIECES)),
        ("harm", _i2, (MAX_PLAYERS, N_PIECES)),
    ]
)

Entrant = record_type(
    [
        ("by_weight", _i4),  # 0: `deck` is the team; 1: drawn from the set with `weight`
        ("even_weights", _i4),
        ("deck", _i4, (N_PIECES,)),
        ("weight", np.float64, (N_PIECES,)),
        ("bans", _i8),
    ]
)
