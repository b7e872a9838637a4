"""The contract: the verbs that bots and the playing loop call, whatever the game.

A game implements them with ``@implements("legal", State)`` over its own record types: `setup`, `legal`, `apply` and
`score` in any case, the others where what they do by default will not do. Where nothing is hidden, nothing is drawn
and there are no pieces, those four are a game. All of them are compiled; none of them draws but `setup` and `resolve`
(from the streams they are given). What only games with a Founder, drafts or series have is in `sim.core.optional`.

Fields that every state record has (`sim.core.records.state_type` makes them)::

    phase    int32   what is asked for; RESOLVE: nothing, the loop calls `resolve`; OVER: the end
    seat     int32   whose decision it is (0 .. players - 1)
    players  int32   how many play
    turn     int32   turns completed so far
    ended    int32   0 while the game runs, else an end code below
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from sim.core import defaults
from sim.core.jit import COMPILED, chain, kernel, verb
from sim.core.kinds import Action, Actions, Count, Index, Mask, Numbers, Rules, Seat, State, Whether

RESOLVE, OVER = 0, 1
"""Phase numbers that all games share; a game's own phases start at 2."""

RUNNING, FINISHED, TURN_CAP, STUCK, OVERFLOW, ALL_PASSED = range(6)
"""How a game ended (`state.ended`); ALL_PASSED: by a game's own stop for players who can go on and will not."""
ENDED_NAMES = ("finished", "turn_cap", "stuck", "overflow", "all_passed")
"""Data sets hold the places in this list: new ends are added behind the others."""

MEASURES = ("assigned", "offered", "taken", "owned", "played", "first_turn", "paid", "lost", "scored", "harm")
"""Columns that `tally` fills for each seat and piece; -1 stands for "not known here"."""

setup = verb(
    "setup",
    "rules, state, entrants, who, seed",
    """Set `state` up for a new deal.

    Parameters
    ----------
    rules, state : records
        `rules` may be written too when the board itself is drawn.
    entrants : record array (players,)
        What belongs to the players: teams, decks, bans.
    who : int8 array (players,)
        The player that sits at each seat.
    seed : uint64
        Seed of the deal; all draws of set-up are keyed by it.
    """,
)
legal = verb(
    "legal",
    "rules, state, out",
    """Write the legal actions (int32) of the seat to move into `out` and return how many there are.

    Not to be called in the phases RESOLVE and OVER. Looks only at what the mover may see.
    """,
)
apply = verb(
    "apply",
    "rules, state, action",
    """Carry out one legal action. Never draws, never looks at what the mover cannot see: where chance or
    hidden hands decide what comes next, the phase becomes RESOLVE.""",
)
resolve = verb(
    "resolve",
    "rules, state, stream",
    """Do what is due between decisions (a draw, a forced pass, the end test), one step a call.

    `stream` is the game's own chance (uint64 array of length 1). By default nothing: a game whose `apply` never
    sets the phase RESOLVE needs none.
    """,
    defaults.nothing_due,
    large=True,
)

score = verb(
    "score", "rules, state, seat", "Return the points `seat` would have if the game ended now (float64)."
)
merit = verb(
    "merit",
    "rules, state, seat, points",
    """Return what ranks `seat` and decides who wins (float64): more is better, equal is a tie.

    `points` is its score, which is also the default. A game has its own where ties are broken, where the win is
    not by points, or where seats form sides: seats of one side return the same.
    """,
    defaults.own_points,
)
side = verb(
    "side",
    "rules, state, seat",
    "Return the side (0, 1, ...) that `seat` plays for; by default each seat is a side of its own.",
    defaults.own_side,
)
determinize = verb(
    "determinize",
    "rules, state, seat, stream",
    """Redraw everything that `seat` cannot know, from public knowledge, from what it has seen and from
    `stream` only: never by reading a hidden field. By default nothing is hidden.""",
    defaults.nothing_hidden,
    large=True,
)


def lead(rules: Rules, state: State, seat: Seat, out: Numbers) -> None:
    """Write how far `seat` is ahead of the best seat of another side."""
    best = -1.0e300
    for other in range(np.int64(state.players)):
        if side(rules, state, other) != side(rules, state, seat):
            best = max(best, score(rules, state, other))
    out[0] = score(rules, state, seat) - (0.0 if best == -1.0e300 else best)


features = verb(
    "features",
    "rules, state, seat, out",
    """Write the game's named numbers, seen from `seat`, into `out` (float64). Only what `seat` may know.

    By default one number, the lead in points.""",
    lead,
    large=True,
)
tally = verb(
    "tally",
    "rules, state, seat, out",
    """Write one row a measure of `MEASURES`, one column a piece, into `out` (int16) for `seat`.

    A game without pieces has nothing to write.""",
    defaults.no_pieces,
    large=True,
)
drawn = verb(
    "drawn",
    "rules, state, out",
    """Write what was drawn for this deal (bans, board, ...) into `out` (int64, zeros at first). By default
    nothing was drawn.""",
    defaults.nothing_drawn,
    large=True,
)
facts = verb(
    "facts",
    "rules, state, out",
    """Write the first seat and the seat of the last turn into `out` (int32 array of length 2). By default seat 0
    and -1 (not known).""",
    defaults.seats_unknown,
)
piece_of = verb(
    "piece_of",
    "rules, state, action",
    """Return the piece (index into the game's `pieces`) that an action uses, -1 (the default) for none.""",
    defaults.no_piece,
)
passes = verb(
    "passes", "rules, state, seat", "Return how often `seat` has passed (default: 0).", defaults.no_pass
)
idle = verb(
    "idle",
    "rules, state, action",
    """Whether a legal action leaves the game where it is: a pass, an offer, an exchange. By default none does.

    Where random play takes such actions as often as others, games may never end: see the bots' option `idle`.""",
    defaults.never_idle,
)


# --- bots ----------------------------------------------------------------------------------------------------

_BOTS: dict[str, Any] = {}


def register_bot(field: str, function: Any) -> None:
    """Make `function` the bot of the field `field` (``greedy_1a2b3c4d``) in every set of bots."""
    _BOTS[field] = function


def _bot_fields(names: Any) -> list[str]:
    return [name for name in names if name in _BOTS]


@kernel
def keep_allowed(rules: Rules, state: State, actions: Actions, n: Count, never: Mask, out: Actions) -> Count:
    """Write those of the `n` first `actions` that `never` allows (see `is_allowed`); all if none would be left.

    `out` may be `actions` itself; the order stays. Returns how many were written.
    """
    left = np.int64(0)
    for k in range(n):
        left += is_allowed(rules, state, actions[k], never)
    every = left == 0
    left = np.int64(0)
    for k in range(n):
        if every or is_allowed(rules, state, actions[k], never):
            out[left] = actions[k]
            left += 1
    return left


@kernel
def is_allowed(rules: Rules, state: State, action: Action, never: Mask) -> Whether:
    """Whether an action uses none of the pieces `never` (bits), and is not idle where its sign bit is set."""
    if never < 0 and idle(rules, state, action):
        return False
    piece = np.int64(piece_of(rules, state, action))
    return piece < 0 or (np.int64(never) >> piece) & 1 == 0


def _write_choose(names: Any) -> Any:
    return _chain_over(tuple(_bot_fields(names)))


@cache
def _chain_over(fields: tuple[str, ...]) -> Any:
    """Write the chain of ifs over the bots named in a record type."""
    from sim.core.twins import uncompiled

    scope: dict[str, Any] = {f"bot_{i}": _BOTS[name] for i, name in enumerate(fields)}
    compiled = any(hasattr(bot, "py_func") for bot in scope.values()) or not COMPILED
    scope["keep_allowed"] = keep_allowed if compiled else uncompiled(keep_allowed)
    scope["place_of"] = place_of if compiled else uncompiled(place_of)
    lines = [
        "def choose_here(bot, rules, state, actions, n, stream, desks):",
        "    given, left = actions, n",
        "    if bot.common.never != 0:",
        "        given = desks[0].lists[0]",
        "        left = keep_allowed(rules, state, actions, n, bot.common.never, given)",
        "        if left == 1:",
        "            return place_of(given[0], actions)",
        "    picked = 0",
    ]
    for i, name in enumerate(fields):
        call = f"bot_{i}(bot.common, bot.{name}, rules, state, given, left, stream, desks[{i}])"
        lines += [f"    if bot.common.kind == {i}:", f"        picked = {call}"]
    lines.append("    return picked if left == n else place_of(given[picked], actions)")
    exec("\n".join(lines), scope)
    return scope["choose_here"]


@kernel
def place_of(action: Action, actions: Actions) -> Index:
    """Return the index of `action` in `actions`, where it must be."""
    place = np.int64(0)
    while actions[place] != action:
        place += 1
    return place


choose = chain("choose", "bot, rules, state, actions, n, stream, desks", _write_choose, _write_choose)
choose.__doc__ = """Let `bot` (a record of a set of bots) choose one of the `n` legal `actions`; returns its index.

`stream` is this player's own; `desks` holds the room that each bot of the set works in (`sim.core.bots.Desk`).

A bot itself is a function ``choose(bot, options, rules, state, actions, n, stream, desk)``: `bot` is the part of the
record that is alike in all bots (`n_features`, `weights`, `never`), `options` its own part, `desk` its own room. It
looks at `state` only through verbs, after `determinize` where a verb could see what the seat cannot."""
