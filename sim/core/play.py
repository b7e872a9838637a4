"""Playing deals in one process: `play_chunk` for batches, `replay` for one game step by step."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import sim.core.starting  # noqa: F401  (before kernels are declared)
from sim.core.blame import astray, mover, naming_the_bot, whose
from sim.core.bots import are_compiled, bot_set
from sim.core.contract import MEASURES
from sim.core.game import Cell
from sim.core.jit import compiling
from sim.core.kinds import Counts, Entrants, Numbers, Records, Rows, Rules, Seating, Seed, State
from sim.core.loop import (
    ASTRAY,
    GAME_ROW,
    LOG_DECISIONS,
    LOG_LEVELS,
    LOG_NONE,
    LOG_PIECES,
    LOG_TURNS,
    MAX_SEATS,
    PLAYED,
    SEAT_ROW,
    WAITS,
    play_games,
)
from sim.core.patience import GAME, THINKS, watched
from sim.core.records import quick_type
from sim.core.room import RowRoom, action_room
from sim.core.settling import place, waits_for_ever
from sim.core.twins import uncompiled


@dataclass
class Job:
    """The games to play, one entry each.

    Attributes
    ----------
    cell : int32 array
        Index into the list of cells.
    deal : int64 array; rotation : int16 array
        Labels, handed through.
    seed : uint64 array
        Seeds of the deals.
    who : int8 array (games, seats)
        The player at each seat.
    follows : bool array, or None
        Whether a game goes on with the series of the game before it, so that its bots know the standing; None where
        each game stands for itself.
    """

    cell: Counts
    deal: Counts
    rotation: Counts
    seed: Seed
    who: Seating
    follows: Counts | None = None


@dataclass
class Chunk:
    """What was played: columns of every table, and what was drawn (int64, games x K)."""

    games: dict[str, Any]
    seats: dict[str, Any]
    pieces: dict[str, Any] | None
    turns: dict[str, Any] | None
    decisions: dict[str, Any] | None
    drawn: Counts
    drafts: dict[str, Any] | None = None


def banks(game: Any, cells: Sequence[Cell]) -> tuple[Records, Entrants]:
    """Return the rules (cells,) and entrants (cells, players) of `cells` as record arrays."""
    width = max(cell.players for cell in cells)
    rules = np.zeros(
        len(cells), dtype=max((cell.rules.dtype for cell in cells), key=lambda kind: kind.itemsize)
    )
    entrants = np.zeros((len(cells), width), dtype=cells[0].entrants.dtype)
    for c, cell in enumerate(cells):
        for name in cell.rules.dtype.names or ():  # a chunk may hold cells with and without variants
            rules[name][c] = cell.rules[name][0]
        entrants[c, : cell.players] = cell.entrants
    return rules, entrants


def play_chunk(game: Any, cells: Sequence[Cell], job: Job, log: str, bots: Sequence[str] = ()) -> Chunk:
    """Play all games of `job`.

    Parameters
    ----------
    game, cells
        The game and its prepared cells.
    job
        Which deals, for which cells, with which player at which seat.
    log
        One of `LOG_LEVELS`.
    bots
        All bots of the run, if it has more than sit in these cells: their chunks share machine code.

    Returns
    -------
    Chunk
        Tables that `log` does not ask for are None.
    """
    names, bank, desks = bot_set(game, cells, bots)
    level = LOG_LEVELS.index(log)
    n = len(job.cell)
    rules, entrants = banks(game, cells)
    width = bank.shape[1]
    n_pieces = len(game.pieces)
    states = np.zeros(1, dtype=game.State)
    seated = np.zeros(MAX_SEATS, dtype=bank.dtype)
    actions = action_room(game)
    streams = np.zeros((MAX_SEATS + 1, 1), dtype=np.uint64)
    tallies, counts = np.zeros((4, MAX_SEATS)), np.zeros((3, MAX_SEATS), dtype=np.int64)
    at_table = np.zeros(2, dtype=np.int32)
    games = np.zeros(n, dtype=quick_type(GAME_ROW) if game.plain else GAME_ROW)
    told = n if level > LOG_NONE else 0
    seats = np.zeros((told, width), dtype=quick_type(SEAT_ROW) if game.plain else SEAT_ROW)
    logged = n if level >= LOG_PIECES else 0
    pieces = np.zeros((len(MEASURES), logged, width, n_pieces), dtype=np.int16)
    drawn = np.zeros((n, max(cell.drawn_width for cell in cells)), dtype=np.int64)
    most = (
        getattr(game, "most_drafted", 0) if level >= LOG_PIECES and any(cell.drafts for cell in cells) else 0
    )
    draft_rows = np.zeros((n if most else 0, max(most, 1), 7), dtype=np.int16)
    rows = RowRoom(game, n, width, level >= LOG_TURNS, level >= LOG_DECISIONS)
    done = n_turns = n_decisions = 0
    loop: Any = play_games
    if not are_compiled(names, game):
        loop = uncompiled(play_games) if game.plain else getattr(play_games, "py_func", play_games)

    def hanging() -> str:
        at = int(counts[2][GAME])
        deal = f" (deal {int(job.deal[at])}, rotation {int(job.rotation[at])}, turn {int(states[0]['turn']) + 1})"
        if not counts[2][THINKS]:
            return f"{game.name}: a rule{deal}"
        return whose(game, mover(names, seated, states[0]), states[0]) + deal

    while True:
        with (
            watched(counts[2], hanging),
            naming_the_bot(game, names, seated, states),
            compiling(f"game {game.name!r}"),
        ):
            how, done, n_turns, n_decisions = loop(
                rules,
                entrants,
                bank,
                np.ascontiguousarray(job.cell, dtype=np.int32),
                np.ascontiguousarray(job.seed, dtype=np.uint64),
                np.ascontiguousarray(job.who, dtype=np.int8),
                np.zeros(0, dtype=np.bool_)
                if job.follows is None
                else np.ascontiguousarray(job.follows, dtype=np.bool_),
                states,
                seated,
                actions,
                desks,
                streams,
                tallies,
                counts,
                at_table,
                games,
                seats,
                pieces,
                drawn,
                rows.turns,
                rows.scores,
                rows.decisions,
                draft_rows,
                level,
                game.max_actions,
                game.most_plies,
                done,
                n_turns,
                n_decisions,
            )
        if how == WAITS:
            where = f"deal {int(job.deal[done])} (seed {int(job.seed[done])}, {width} players)"
            raise waits_for_ever(place(game.name, where, n_turns, n_decisions))
        if how == ASTRAY:
            raise astray(game, mover(names, seated, states[0]), states[0], n_turns, n_decisions)
        if how == PLAYED:
            break
        rows.grow(done, n_turns, n_decisions)
    rows.learn(n_turns, n_decisions)
    if game.draws:
        games["line"] ^= np.asarray(job.seed, dtype=np.uint64)
    return Chunk(
        games={name: games[name] for name in GAME_ROW.names or ()},
        seats={name: seats[name] for name in SEAT_ROW.names or ()},
        pieces={name: pieces[m] for m, name in enumerate(MEASURES)} if level >= LOG_PIECES else None,
        turns=_turn_columns(rows.turns[:n_turns], rows.scores[:n_turns]) if level >= LOG_TURNS else None,
        decisions=_decision_columns(rows.decisions[:n_decisions]) if level >= LOG_DECISIONS else None,
        drawn=drawn,
        drafts=_draft_columns(draft_rows) if most else None,
    )


def _draft_columns(rows: Rows) -> dict[str, Any]:
    there = np.arange(rows.shape[1])[None, :] < rows[:, 0, 6][:, None]
    game = np.broadcast_to(np.arange(len(rows))[:, None], there.shape)[there]
    names = ("round", "splitter", "chooser", "piece", "pile", "taken")
    return {"game": game, **{name: rows[:, :, k][there] for k, name in enumerate(names)}}


def _turn_columns(rows: Rows, scores: Numbers) -> dict[str, Any]:
    return {"game": rows[:, 0], "turn": rows[:, 1], "seat": rows[:, 2], "score": scores}


def _decision_columns(rows: Rows) -> dict[str, Any]:
    names = ("game", "ply", "turn", "seat", "phase", "action", "options")
    return {name: rows[:, k] for k, name in enumerate(names)}


def warm_up(game: Any, bot_names: Sequence[str], log: str = "pieces", cells: Sequence[Cell] = ()) -> float:
    """Compile (or load) the kernels of a run with these bots and return the seconds that took.

    Call it in the parent before workers start: they would compile one after the other what they share. Of `cells` (the
    default cell if none) one of each kind of rules record is played.
    """
    from sim.core.game import Entrant

    begun = time.perf_counter()
    brief = copy.copy(game)
    brief.most_plies = (
        3  # what is compiled is compiled before the first action; a search may think long over a game
    )
    names = sorted(set(bot_names))
    kinds: dict[Any, Cell] = {cell.rules.dtype: cell for cell in cells}
    if not kinds:
        players = max(game.min_players, min(len(names), game.max_players))
        entrants = [Entrant(name=names[k % len(names)], bot=names[k % len(names)]) for k in range(players)]
        cell = game.prepare({}, players, entrants, None)
        kinds = {cell.rules.dtype: cell}
    for cell in kinds.values():
        one = replace(cell, bots=[(names[k % len(names)], {}) for k in range(max(cell.players, len(names)))])
        job = Job(
            cell=np.zeros(1, np.int32),
            deal=np.zeros(1, np.int64),
            rotation=np.zeros(1, np.int16),
            seed=np.ones(1, np.uint64),
            who=np.arange(cell.players, dtype=np.int8)[None, :],
        )
        play_chunk(brief, [one], job, log)
    return time.perf_counter() - begun


@dataclass
class Step:
    """One moment of a replayed game: a copy of the position and what was chosen there.

    Attributes
    ----------
    rules, state
        Records of length-1 arrays, copied.
    seat
        Whose decision it is; -1 at the end.
    actions
        The legal actions; empty at the end.
    action
        The one that was played; None at the end.
    came
        In words, what went by itself since the step before: what chance did, who had to pass, ...
    """

    rules: Rules
    state: State
    seat: int
    actions: list[int]
    action: int | None
    came: list[str] = field(default_factory=list)


def replay(
    game: Any, cell: Cell, seed: int, who: Sequence[int], standing: Sequence[float] | None = None
) -> list[Step]:
    """Play one deal again, decision by decision (forced ones too), and return every step.

    `standing` is what each seat had won in the games before of a series; None: no series.
    """
    from sim.core.table import Table

    table = Table(game, cell, seed, who, standing)
    steps: list[Step] = []
    came = table.opening
    while table.seat >= 0:
        action = table.ask()
        rules, state = table.copies()
        steps.append(Step(rules, state, table.seat, table.actions, action, came))
        came = table.play(action)
    steps.append(Step(*table.copies(), -1, [], None, came))
    return steps
