"""The records of Migration: the board and numbers of a game (`Rules`), a position (`State`), a player (`Entrant`).

Sets of Regions are 64-bit masks: bit h stands for the Region number h. A Region is open (the rulebook's
Frontier) when no Town and no Wasteland is on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import OVER, RESOLVE
from sim.core.params import choice, rule_fields
from sim.core.records import record_type, state_type
from sim.games.migration.rules.params import MAX_CARDS, MOST_COPIES, PIECES, SWITCHES, Parameters

MAX_PLAYERS = 4
MAX_REGIONS = 62
MAX_RAY = 16
N_PIECES = len(PIECES)
BASS, OAK, RATS, SPARROW, FLY, WOLF, SKUNK, POISON_OAK, JACKAL, LIZARD, CACTUS = range(N_PIECES)
NOTHING, WASTELAND = -1, N_PIECES
"""What lies on top of a Region when it is no Town."""

# phases and kinds of action
TURN, PAY, BONUS, ORDER, REVEAL, END, FAMINE, AGGRESSION, NOSTALGIA, SPLIT, CHOOSE, TEAM, FOUND = range(2, 15)
PHASES = (
    "resolve",
    "over",
    "turn",
    "pay",
    "bonus",
    "order",
    "reveal",
    "end",
    "famine",
    "aggression",
    "nostalgia",
    "split",
    "choose",
    "team",
    "found",
)
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
    "leave at sea",
    "wander",
    "stack",
    "strife",
    "famine",
    "aggression",
    "nostalgia",
    "nostalgia off",
    "enact",
    "reveal",
    "wolves",
    "poison oak",
    "age",
    "done",
    "split",
    "choose",
    "team",
    "found",
)
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
    LEAVE_SEA,
    WANDER,
    STACK,
    STRIFE,
    LAY_FAMINE,
    MOVE_ENEMY,
    RETURN_SPIRIT,
    STAY_OFF,
    ENACT,
    SHOW,
    DO_WOLVES,
    DO_POISON,
    DO_AGE,
    DONE,
    SPLIT_GROUP,
    CHOOSE_PILE,
    TAKE_PIECE,
    LAY_HALF,
) = range(len(KINDS))
WITH_PIECE = (EXPAND, ENTER, MIGRATE, PAY_PIECE, PAY_SEA, STACK, STRIFE, LAY_FAMINE, TAKE_PIECE)
"""Kinds of action that name a piece."""
MAX_ACTIONS = 4 * N_PIECES * MAX_REGIONS
KIND_AT, OTHER_AT, PIECE_AT = 16, 10, 6
"""Where in the number of an action its kind, a second Region (or piece) and a piece begin; a Region comes last."""
REGION_MASK, PIECE_MASK = 63, 15
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
SCENARIO, ERA, AGENDA = (choice(Parameters, "age_mode", v) for v in ("scenario", "era", "agenda"))
POOL_IS_TEAM = choice(Parameters, "draft_cap", "pool")
BASS_EXTRA = choice(Parameters, "draft_bass", "extra")
VOID = choice(Parameters, "draft_bans", "void")
(
    OPTIONAL_PAYMENTS,
    MUST_WANDER,
    STACK_SECOND,
    NO_MIGRATION,
    NOSTALGIC,
    NO_EXPANSION,
    HUNGRY,
    AGGRESSIVE,
    STRIFEFUL,
) = (1 << k for k in range(len(SWITCHES)))
"""Switches of Age Cards as bits, in the order of `SWITCHES`."""
END_EFFECTS = NOSTALGIC | HUNGRY | AGGRESSIVE
RESTLESS = END_EFFECTS | MUST_WANDER
"""Switches under which a later turn may open moves without a Town being placed (G2)."""
WOLVES_DONE, POISON_DONE, AGE_DONE = 1, 2, 4
DEALT = 100
"""In `builds`: the team is dealt from what was drafted."""
DRAFTING, BUILDING, SWEARING, PLAYING, FOUNDING = range(5)
"""Stages of a game, FOUNDING first: the Founder lays the land, the Draft, teams built by bots, first Oaths, play."""
MAX_GROUPS = 3 * MAX_PLAYERS
GROUP = 5
MAX_SET = MOST_COPIES * N_PIECES
MAX_HIDDEN = (2 * MOST_COPIES + 1) * N_PIECES
"""Pieces of one set, and of what a rival may hold at most: both sets of a Draft and an extra Bass."""
PIECE_WIDTH, NO_PIECE = 4, 15
"""Bits of a piece in a group of the Draft, and what stands in an empty place."""
TRIES = 64
"""How often a team is drawn again for want of a Bass or a Wolf."""
AFTER_OAK = choice(Parameters, "cactus_after_oak", "oak")

_i1, _i2, _i4, _i8 = np.int8, np.int16, np.int32, np.int64

_RULES: list[tuple[Any, ...]] = [
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
    ("founding", _i4),  # 1: the board is drawn per deal, 2: the Founder's bot lays it
    ("ban_cards", _i4),  # cards of a random ban
    ("banned", _i8),  # pieces banned for all by name
    ("first_town_on_coast", _i4),  # the basic game
    ("n_cards", _i4),
    ("card_switches", _i4, (MAX_CARDS,)),
    ("fixed_card", _i4),  # the scenario's card, -1: drawn
    # lasting terrain
    ("fertile_lasts", _i4),
    ("mountain_lasts", _i4),
    ("deep_woods_last", _i4),
    ("desert_lasts", _i4),
    *rule_fields(Parameters),
]
VARIANTS = "variants"
"""Marks the rules of cells with Age Cards, Oaths, a Draft or teams built by bots.

It comes first: Numba takes a record that begins like another for a kind of it, and would run the other's code.
"""
Rules = record_type(_RULES)
RulesWithVariants = record_type([(VARIANTS, _i4), *_RULES])


State = state_type(
    "migration",
    [
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
        ("standing", _i4, (MAX_PLAYERS,)),  # won in the games before of a series
        ("banned", _i8),
        ("own_bans", _i8, (MAX_PLAYERS,)),
        ("founder", _i4),
        ("last_seat", _i4),  # whose turn was the last
        ("still", _i4),  # passed turns in a row in which no Town was placed or flipped and no card enacted
        ("declined", _i4),  # seats (as bits) that passed by choice in one of those turns
        # Age Cards: `switches` are those of the active card; the deck below the top and agendas are hidden
        ("switches", _i4),
        ("active_card", _i4),  # -1: none
        ("deck", _i1, (MAX_CARDS,)),
        ("deck_size", _i4),
        ("deck_place", _i4),  # of the face-up card
        ("agenda", _i1, (MAX_PLAYERS,)),  # own card, -1: none or enacted
        ("cards_seen", _i8),  # cards that were enacted
        ("turning", _i4),  # phase to go on with once the next card of the deck is turned up, 0: none is due
        ("lock_seat", _i4),  # who enacted last, -1: nobody
        ("lock_until", _i4),  # number of that seat's turns after which others may enact
        ("under", _i1, (MAX_REGIONS,)),  # own Town covered by a Town of the same turn, -1: none
        # Oaths
        ("revealed", _i1, (MAX_PLAYERS, N_PIECES)),
        # before the first turn
        ("sites", _i4, (32,)),  # the land that the Founder's bot lays (`laying`)
        ("n_sites", _i4),
        ("found_step", _i4),
        ("found_done", _i4),  # nothing more of this modifier
        ("first", _i4),  # the seat that goes first
        ("stage", _i4),  # DRAFTING, BUILDING, SWEARING, PLAYING
        ("asked", _i4),  # how many seats are done with the stage
        ("pool", _i1, (MAX_PLAYERS, N_PIECES)),  # what a team may be built from; hidden like hands
        ("builds", _i1, (MAX_PLAYERS,)),  # style of the team builder, -1: the team is dealt
        ("taste", np.uint64, (MAX_PLAYERS,)),  # key by which a builder's liking differs in this deal
        ("groups", _i4, (MAX_GROUPS,)),  # of the Draft: pieces, piles, who split and chose (`drafting`)
        ("n_groups", _i4),
        ("group", _i4),  # the one being split
        ("splitter", _i4),
        ("chooser", _i4),
        # this turn
        ("wandered", _i4),
        ("forced", _i4),  # only a wander or an enactment may be made, then the turn is passed
        ("towns_made", _i4),
        ("stack_on", _i4),  # Region of the Town that may be built upon, -1: none
        ("touched", _i8),  # Regions whose Town held the Spirit during this turn
        ("end_done", _i4),  # end-of-turn effects that are done: 1 Wolves, 2 Poison Oak, 4 Age Card
        ("age_step", _i4),
        ("start_town", _i4),
        ("stirred", _i4),  # a Town was placed or flipped, or a card enacted
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
        ("first_turn", _i1, (MAX_PLAYERS, N_PIECES)),  # number of the own turn, -1: never played
        ("dealt", _i1, (MAX_PLAYERS,)),  # the team is a matter of chance: drawn, or built by a taste that is
        ("lost", _i1, (MAX_PLAYERS, N_PIECES)),
        ("harm", _i2, (MAX_PLAYERS, N_PIECES)),
    ],
)

Entrant = record_type(
    [
        ("by_weight", _i4),  # 0: `deck` is the team; 1: drawn from the set with `weight`
        ("even_weights", _i4),
        ("deck", _i4, (N_PIECES,)),
        ("weight", np.float64, (N_PIECES,)),
        ("bans", _i8),
        ("builder", _i4),  # style of a team built by the bot, -1: dealt or a deck
    ]
)
