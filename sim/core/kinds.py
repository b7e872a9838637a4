"""What the arguments of rules, bots and the playing loop are, by name.

Compiled code is typed by what it is called with, and the same sources run as plain Python on NumPy's scalars and
records: neither a checker nor Numba takes more from an annotation than `Any`. These names are for the reader, so that
a signature says what goes in and what comes out. Rules add kinds of their own where the rulebook has a word for them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

# --- records -------------------------------------------------------------------------------------------------

Rules: TypeAlias = Any
"""The board and the numbers of a game, constant while it is played: a record of the game's own type."""
State: TypeAlias = Any
"""A position: a record that `sim.core.records.state_type` made the type of."""
RulesRecord: TypeAlias = Any
StateRecord: TypeAlias = Any
"""The same two in the rules of a game, whose own record types are called `Rules` and `State`."""
Entrants: TypeAlias = Any
"""What belongs to the players (teams, decks, bans): records of the game's own type, one a player."""
Bot: TypeAlias = Any
"""The part of a bot's record that is alike in all bots (`sim.core.bots`)."""
BotRecord: TypeAlias = Any
"""A record of a set of bots: which of them, the common part, and the options of each."""
Options: TypeAlias = Any
"""The part of a bot's record that holds its own options."""

# --- numbers -------------------------------------------------------------------------------------------------

Seat: TypeAlias = Any
"""A place at the table, from 0."""
Player: TypeAlias = Any
"""Who sits there: a bot with its deck and bans, which moves around the seats. From 0."""
Side: TypeAlias = Any
"""Seats that play together, from 0; each seat for itself where there are no teams."""
Action: TypeAlias = Any
"""The number of an action (int32), as the game codes it."""
Piece: TypeAlias = Any
"""A place in the game's `pieces`; -1 for none."""
Region: TypeAlias = Any
"""A place of the board, from 0; -1 for none."""
Mask: TypeAlias = Any
"""A set as bits of an int64: Regions, pieces, cards."""
Index: TypeAlias = Any
"""A place in a list, from 0."""
Count: TypeAlias = Any
"""How many."""
Whether: TypeAlias = Any
"""True or false, as a bool or as 1 and 0."""
Points: TypeAlias = Any
"""Points (float64)."""
Fraction: TypeAlias = Any
"""A number of [0, 1) (float64)."""
Seed: TypeAlias = Any
"""What a deal is drawn from (uint64)."""
Word: TypeAlias = Any
"""64 bits of which each is as likely 0 as 1 (uint64)."""

# --- arrays --------------------------------------------------------------------------------------------------

Actions: TypeAlias = Any
"""A list of actions (int32); how many of them count is told beside it."""
Seating: TypeAlias = Any
"""The player at each seat (int8)."""
Seats: TypeAlias = Any
"""Numbers of seats (int32)."""
Stream: TypeAlias = Any
"""A source of chance: a uint64 array of length 1 (`sim.core.rng`)."""
Numbers: TypeAlias = Any
"""float64: features, scores by seat, ..."""
Counts: TypeAlias = Any
"""Integers of any width, counted by seat, game or piece."""
Coordinates: TypeAlias = Any
"""Axial coordinates of the places of a board (int8)."""
Grid: TypeAlias = Any
"""Which place lies at which coordinates (int8, two-dimensional; -1: none)."""
Masks: TypeAlias = Any
"""A set for each place of a board (int64)."""
Rays: TypeAlias = Any
"""What is met from each place in each direction (int8)."""
Rows: TypeAlias = Any
"""Rows of a table of the log, records or integers."""
Records: TypeAlias = Any
"""Records of one kind, for several cells, seats or moments."""
