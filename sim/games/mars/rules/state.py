"""The records of Migration: Mars: board and numbers of a game (`Rules`), a position (`State`), a player (`Entrant`).

Sets of tiles are pairs of 64-bit masks: tile t is bit t % 62 of word t // 62. A *way* is a Tunnel or a placed Ruin:
what carries the link by the rulebook's own words.
"""

from __future__ import annotations

import numpy as np

from sim.core.contract import OVER, RESOLVE
from sim.core.params import choice, rule_fields
from sim.core.records import record_type, state_type
from sim.games.mars.rules.params import EVENT_NUMBERS, PIECES, Parameters

MAX_PLAYERS = 4
WORD = 62
MAX_TILES = 2 * WORD
MAX_SQUARES = 64
N_PIECES = len(PIECES)
N_EVENTS = len(EVENT_NUMBERS)
METAL, WATER, STONE, MED, RCU, OLY, BLUEPRINT = range(7)
N_CARDS = 7
METEORITES = 7
"""Place of the meteorite tiles in the treasury, behind the cards."""
TUNNEL, HABITAT, LSC, HOSPITAL, PLANT, EXPORT, MINE, RUIN = range(8)
N_STRUCTURES = 8
HQ, EMBASSY, METEORITE, NOTHING = 8, 9, 10, -1
"""What else lies on a tile."""
KEPT_8, KEPT_11, KEPT_12 = range(3)
TRADED = N_CARDS + 3
"""Kinds that can change hands: the cards, then kept events 8, 11 and 12."""
RUIN_CORNER, STOP = 3, 4
"""Squares that are no resource (those are 0, 1, 2 like the cards)."""

LEVER_NONE, LEVER_BUILDING, LEVER_EVENT, LEVER_NEVER = range(4)

# kinds of events, as places in the deck's order
(
    E1, E2, E3, E5, E7, E8, E9, E11, E12, E13, E15, E17, E18, E20, E21, E22, E23, E24, E25, E26, E27, E28, E29,
    E30, E31, E32, E33, E34,
) = range(N_EVENTS)  # fmt: skip
# sides of the exploration die
F_BLUEPRINT, F_OLYMPIUM, F_POPULATION, F_METEORITE, F_INJURY, F_BLANK = range(6)
N_FACES = 6

# phases and kinds of action
START, ACT, PLACE, ANSWER, COUNTER, UPKEEP, DEFAULT, SAVE, TAKE, ACCEPT, STRIKE, SALVAGE, GIVE, BREAKDOWN = (
    range(2, 16)
)
PHASES = (
    "resolve",
    "over",
    "start",
    "act",
    "place",
    "answer",
    "counter",
    "upkeep",
    "default",
    "save",
    "take",
    "accept",
    "strike",
    "salvage",
    "give",
    "breakdown",
)
KINDS = (
    "roll",
    "build",
    "buy",
    "return",
    "move",
    "steal",
    "clear",
    "exchange",
    "population",
    "offer",
    "to",
    "accept",
    "decline",
    "counter",
    "pay",
    "pay with Oly",
    "do not pay",
    "default",
    "use Med",
    "let die",
    "take",
    "accept population",
    "no population",
    "strike",
    "salvage",
    "salvage with population",
    "discard",
    "let go",
    "give",
    "pay RCU",
    "put away",
    "start with",
)
(
    A_ROLL, A_BUILD, A_BUY, A_RETURN, A_MOVE, A_STEAL, A_CLEAR, A_EXCHANGE, A_POPULATION, A_OFFER, A_TO,
    A_ACCEPT, A_DECLINE, A_COUNTER, A_PAY, A_PAY_OLY, A_NOT_PAY, A_DEFAULT, A_USE_MED, A_LET_DIE, A_TAKE,
    A_WELCOME, A_NO_POPULATION, A_STRIKE, A_SALVAGE, A_RIDE, A_DISCARD, A_LET_GO, A_GIVE, A_PAY_RCU, A_PUT_AWAY,
    A_START_WITH,
) = range(len(KINDS))  # fmt: skip
KIND_AT, FIRST_AT, PART_MASK = 24, 16, 0xFF
"""An action is kind << KIND_AT | a << FIRST_AT | bundle; the last part of a bundle may stand alone (a tile, a kind)."""
GIVEN_AT, COUNT_AT, TERM_MASK, BUNDLE_MASK = 8, 4, 0xF, 0xFFFF
"""A bundle is what is given << GIVEN_AT | what is got, each a kind | how many << COUNT_AT."""
FATE_KIND = 256
"""What chance did is kind * FATE_KIND + outcome."""
WITH_STRUCTURE = (A_BUILD, A_RETURN, A_MOVE, A_STEAL, A_BUY, A_START_WITH, A_DISCARD)
WITH_CARD = (A_TAKE, A_GIVE)
"""Kinds of action that name a structure, or a card."""
MAX_ACTIONS = 4096
"""More than any list can hold: 8 structures and 6 returns on 124 tiles, 729 offers, 200 meteorites."""
assert (RESOLVE, OVER) == (0, 1)

# where a turn is (`state.stage`)
(
    BEGIN, ACTING, ROLL, LAND, WATER_DUE, MINES_DUE, COLLECT, SHIPMENT, WELCOME, DRAW, EXPLORE, EXPLORED, EVENT, END,
    CHOOSING, MINING, ROLL_AGAIN,
) = range(17)  # fmt: skip

# named choices as the rules record holds them
PASS = choice(Parameters, "overshoot", "pass")
NOTHING_DUE = choice(Parameters, "short_treasury", "nothing")
BY_TUNNELS = choice(Parameters, "link", "tunnels")
FREE_CONTACT = choice(Parameters, "contact", "free")
BY_OWNER = choice(Parameters, "ruin_link", "owner")
BY_GAP = choice(Parameters, "production_site", "gap")
TUNNELS_TOO = choice(Parameters, "movable", "tunnels too")
TUNNELS_OUT = choice(Parameters, "lost_tunnels", "out")
TUNNEL_BELOW = choice(Parameters, "cleared", "tunnel")
ANY_CONTACT = choice(Parameters, "embassy_link", "any contact")
ONCE_A_TURN = choice(Parameters, "oly_pop", "once a turn")
NEXT_ONLY = choice(Parameters, "next_turn", "only")
KIND_BY_CHOICE = choice(Parameters, "mine_kind", "choice")
ANYWHERE = choice(Parameters, "tunnels", "anywhere")
FREE_MOVE = choice(Parameters, "lsc_move", "free")
MOVES_ONCE = choice(Parameters, "moves", "once a turn")
FLAGS_OUT = choice(Parameters, "dead_flags", "out")
CUT_DIES = choice(Parameters, "embassy_cut", "dies")
BY_OWNERS_CHOICE, EMBASSY_FIRST = (choice(Parameters, "house_order", v) for v in ("owner", "embassy first"))
DISCARD_AT_WILL = choice(Parameters, "salvage_discard", "own turn")
STAYS_AT_STOP = choice(Parameters, "event_after_stop", "stays")
BY_CHOICE = choice(Parameters, "injury_med", "choice")
RIDE_OPTIONAL = choice(Parameters, "ride", "optional")
UP_TO_TWO, NO_TRADING = (choice(Parameters, "trading", v) for v in ("up to two", "off"))
AT_REPORT, AT_ONCE = (choice(Parameters, "victory", v) for v in ("at report", "at once"))
HIDDEN = choice(Parameters, "cards", "hidden")
ROLLED = choice(Parameters, "first_player", "rolled")
FLAGS = 7
"""Place of the flags in `rules.stock`."""

# chance as it is told (`state.fates`)
FATE_ROLL, FATE_FACE, FATE_TILE = range(3)
MAX_FATES = 24
FIXED_NONE, FIXED_RANDOM, FIXED_CHOICE = -1, -2, -3

_i1, _i2, _i4, _i8 = np.int8, np.int16, np.int32, np.int64
Rules = record_type(
    [
        # the terrain
        ("n_tiles", _i4),
        ("q", _i1, (MAX_TILES,)),
        ("r", _i1, (MAX_TILES,)),
        ("word", _i1, (MAX_TILES,)),
        ("flag", _i8, (MAX_TILES,)),  # the tile's bit in its word
        ("near", _i8, (MAX_TILES, 2)),  # its neighbours
        ("plain", _i8, (2,)),
        ("rocky", _i8, (2,)),
        ("crater", _i8, (2,)),  # overlays too
        ("embassy", _i4),
        ("home", _i4, (MAX_PLAYERS,)),  # landing base of each seat
        (
            "embassy_ring",
            _i8,
            (8, 2),
        ),  # tiles that k Tunnels, this one included, join to the Embassy (bare terrain)
        # the track
        ("n_squares", _i4),
        ("square_kind", _i1, (MAX_SQUARES,)),  # resource 0..2, RUIN_CORNER or STOP
        ("square_seat", _i1, (MAX_SQUARES,)),  # whose stop, -1: nobody's
        ("own_stop", _i4, (MAX_PLAYERS,)),
        # set-up
        ("players", _i4),
        ("cost", _i4, (N_STRUCTURES, 3)),  # M, W, S of each structure
        ("ruin_oly", _i4),
        ("ruin_blueprint", _i4),
        ("ruins", _i4),
        ("free_building", _i4),  # structure, or FIXED_*
        ("first_event", _i4),  # event kind, or FIXED_*
        ("never_drawn", _i4),  # buildings withheld from each player by chance
        ("lever", _i4),  # what `assigned` tells of: 0 nothing, 1 free building, 2 dealt event, 3 withheld
        *rule_fields(Parameters),
    ]
)

_SEATS = (MAX_PLAYERS,)
_MASKS = (MAX_PLAYERS, 2)

State = state_type(
    "mars",
    [
        ("mover", _i4),  # whose turn it is
        ("first", _i4),
        ("winner", _i4),  # -1: nobody yet
        ("last", _i4),  # whose turn was the last
        # the terrain
        ("what", _i1, (MAX_TILES,)),  # structure, HQ, EMBASSY, METEORITE or NOTHING
        (
            "owner",
            _i1,
            (MAX_TILES,),
        ),  # seat; under a Ruin or meteorite the owner of the Tunnel below, else -1
        ("ruin_owner", _i1, (MAX_TILES,)),  # seat that paid for the Ruin, else -1
        ("taken", _i8, (2,)),  # tiles on which anything lies
        ("ruin", _i8, (2,)),
        ("shield", _i8, (2,)),  # tiles of Ruins and next to them
        ("meteor", _i8, (2,)),
        ("fresh", _i8, _MASKS),  # next_turn = "only": meteorites that the seat may still remove
        ("dome", _i8, (2,)),  # HQs, Life Support Centers, Embassy
        ("tunnel", _i8, _MASKS),
        ("habitat", _i8, _MASKS),
        ("lsc", _i8, _MASKS),
        ("production", _i8, _MASKS),
        # derived from it by `survey` and kept up to date
        ("net", _i8, _MASKS),  # linked tiles
        ("near_net", _i8, _MASKS),  # tiles next to what a Tunnel may start from
        ("near_way", _i8, _MASKS),  # ... to a linked way
        ("near_lsc", _i8, _MASKS),  # ... to a linked Life Support Center
        ("near_habitat", _i8, _MASKS),  # ... to a linked Habitat
        ("by_habitat", _i8, _MASKS),  # tiles next to any own Habitat, linked or not
        ("by_lsc", _i8, _MASKS),
        ("by_plain", _i8, _MASKS),  # ... to own production or the own HQ
        ("linked", _i1, _SEATS),  # to the Embassy
        # the players
        ("built", _i1, (MAX_PLAYERS, N_STRUCTURES)),  # on the board
        ("reserve", _i1, (MAX_PLAYERS, N_STRUCTURES)),  # owned, to be placed free
        ("bay", _i1, (MAX_PLAYERS, N_STRUCTURES)),  # in Salvage, Habitats with population too
        ("bay_pop", _i1, _SEATS),  # Habitats in Salvage with population
        ("cards", _i2, (MAX_PLAYERS, N_CARDS)),
        ("kept", _i1, (MAX_PLAYERS, 3)),  # event cards 8, 11, 12
        ("pop", _i1, _SEATS),  # housed population
        ("embassy", _i1, _SEATS),  # of it, in the Embassy
        ("flag_limit", _i1, _SEATS),
        ("tunnels_out", _i1, _SEATS),  # Tunnels out of the game
        ("square", _i2, _SEATS),
        ("lap", _i2, _SEATS),  # steps gone since the own stop
        ("dust", _i1, _SEATS),  # event 23 waits
        ("cut", _i1, _SEATS),  # event 27 waits
        ("gone", _i1, _SEATS),
        ("dealt", _i1, _SEATS),  # first event, -1: none or drawn
        ("never", _i2, _SEATS),  # structures withheld, as bits
        # common
        ("bank", _i2, (N_CARDS + 1,)),  # -1: unlimited
        ("corners", _i4),  # Ruins still in the corners
        ("deck", _i1, (128,)),  # a ring
        ("top", _i4),  # place of the top card in the ring
        ("deck_size", _i4),
        ("seen", _i4),  # cards at the bottom whose order everybody knows
        ("storm", _i4),  # seat until whose turn event 22 lasts, -1
        # this turn
        ("stage", _i4),
        ("event", _i4),  # being carried out
        ("go", _i4),  # how many seats have had their go at it
        ("due", _i4),  # Habitats, Mines or cards still to be settled
        ("report", _i4),  # -1: not at the own stop in this turn
        ("asked", _i4),  # seats that were made an offer, as bits
        ("offers", _i4),
        ("moved", _i4),  # a building was moved, and no other may be
        ("lifted", _i4),  # structure in the mover's hand, -1
        ("lifted_from", _i4),
        ("grown", _i4),  # population was bought in this turn
        ("struck", _i4),  # building about to be lost, -1
        ("struck_owner", _i4),
        ("homeless", _i4),  # population of it without other housing
        ("defaulted", _i4),  # lost by a default, not by a strike
        ("giver", _i4),  # the offer on the table: who proposes
        ("other", _i4),
        ("give_kind", _i4),
        ("give_count", _i4),
        ("get_kind", _i4),
        ("get_count", _i4),
        # chance
        ("fate", _i4),  # an outcome told from outside, -1: draw
        ("n_fates", _i4),
        ("fates", _i4, (MAX_FATES,)),  # kind * FATE_KIND + outcome since the last action
        # for the logs
        ("turns_taken", _i2, _SEATS),
        ("free_given", _i1, _SEATS),  # free building, -1
        ("event_given", _i1, _SEATS),  # dealt event, -1
        ("placed", _i2, (MAX_PLAYERS, N_STRUCTURES)),
        ("bought", _i2, (MAX_PLAYERS, N_STRUCTURES)),
        ("lost", _i2, (MAX_PLAYERS, N_STRUCTURES)),
        ("gained", _i2, (MAX_PLAYERS, N_CARDS)),
        ("spent", _i2, (MAX_PLAYERS, N_CARDS)),
        ("traded", _i2, (MAX_PLAYERS, N_CARDS)),  # got in trades
        ("drawn", _i1, (MAX_PLAYERS, N_EVENTS)),
        ("first_turn", _i2, (MAX_PLAYERS, N_PIECES)),  # own turn, -1: never
        ("harm", _i2, (MAX_PLAYERS, N_EVENTS)),  # buildings of others struck by meteorites of an event
        ("deaths", _i2, _SEATS),
    ],
)

Entrant = record_type([("never", _i4)])
"""What belongs to a player: structures withheld from it, as bits."""
