"""The playing loop: whole games from deals, written once for every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import (
    OVER,
    OVERFLOW,
    RESOLVE,
    STUCK,
    TURN_CAP,
    apply,
    choose,
    drawn,
    facts,
    legal,
    merit,
    passes,
    resolve,
    score,
    setup,
    side,
    tally,
)
from sim.core.jit import kernel
from sim.core.kinds import (
    Actions,
    BotRecord,
    Count,
    Counts,
    Numbers,
    Player,
    Records,
    Rows,
    Rules,
    Seat,
    Seating,
    Seats,
    Seed,
    State,
    Whether,
)
from sim.core.optional import carry, drafted, founder
from sim.core.patience import GAME, THINKS, WENT_ON
from sim.core.records import record_type
from sim.core.rng import BOT, CHANCE, JITTER, keyed, mix, start, to_unit

LOG_NONE, LOG_GAMES, LOG_PIECES, LOG_TURNS, LOG_DECISIONS = range(5)
LOG_LEVELS = ("none", "games", "pieces", "turns", "decisions")
MAX_SEATS = 8
MOST_RESOLVES = 10_000
"""Steps of `resolve` in a row after which rules are taken to wait for ever."""
PLAYED, FULL, WAITS, ASTRAY = range(4)
"""How `play_games` came back: all games are played, rows did not fit, `resolve` never asks for a decision, a bot chose
what is no action."""

GAME_ROW = record_type(
    [
        ("players", np.int8),
        ("first_seat", np.int8),
        ("founder_seat", np.int8),
        ("turns", np.int32),
        ("decisions", np.int32),
        ("ended", np.int8),
        ("ended_by", np.int8),
        ("winner", np.int8),
        ("tied", np.int8),
        ("margin", np.float32),
        ("lead_changes", np.int16),
        ("line", np.uint64),
    ]
)
SEAT_ROW = record_type(
    [
        ("side", np.int8),
        ("score", np.float32),
        ("rank", np.int8),
        ("win_share", np.float64),
        ("decisions", np.int32),
        ("options_sum", np.int64),
        ("passes", np.int16),
    ]
)


@kernel
def seat_bot(bot: BotRecord, seed: Seed, player: Player) -> None:
    """Let the weights of `bot` wander for this deal, by its jitter."""
    common = bot.common
    if common.jitter > 0.0:
        for k in range(common.n_features):
            item = player * 64 + k if k < 64 else (player + 64) * 4096 + k
            shift = 2.0 * to_unit(keyed(seed, JITTER, item)) - 1.0
            common.weights[k] *= 1.0 + common.jitter * shift


@kernel
def leader_of(scores: Numbers, players: Count) -> Seat:
    """Return the seat that alone is ahead, or -1."""
    best = np.int64(0)
    tied = False
    for seat in range(1, players):
        if scores[seat] > scores[best]:
            best = np.int64(seat)
            tied = False
        elif scores[seat] == scores[best]:
            tied = True
    return np.int64(-1) if tied else best


@kernel
def play_games(
    rules_bank: Records,
    entrants_bank: Records,
    bots_bank: Records,
    cell: Counts,
    seed: Seed,
    who: Seating,
    follows: Counts,
    states: Records,
    bots: Records,
    actions: Actions,
    desks: Any,
    streams: Records,
    tallies: Numbers,
    counts: Counts,
    seats: Seats,
    out_games: Rows,
    out_seats: Rows,
    out_pieces: Counts,
    out_drawn: Counts,
    turn_rows: Rows,
    turn_scores: Numbers,
    decision_rows: Rows,
    draft_rows: Rows,
    level: Count,
    most: Count,
    cap: Count,
    done: Count,
    n_turns: Count,
    n_decisions: Count,
) -> tuple[Count, Count, Count, Count]:
    """Play one game for each entry of `cell`, `seed` and `who`, but for those that are `done`; write its rows.

    Parameters
    ----------
    rules_bank : record array (cells,)
    entrants_bank, bots_bank : record arrays (cells, players)
    cell : int32 array (games,); seed : uint64 array (games,); who : int8 array (games, seats)
        The player at each seat.
    follows : bool array (games,) or (0,)
        Whether a game goes on with the series of the game before it; empty: no series are played.
    states, bots, actions, desks
        Room to work in: a state, a bot a seat, legal actions (see `action_room`), a desk for each bot of the set.
    streams : uint64 array (MAX_SEATS + 1, 1); tallies : float64 array (4, MAX_SEATS)
    counts : int64 array (3, MAX_SEATS); seats : int32 array (2,)
        More room: handed in, for a kernel that makes no arrays does not count references to them. The third row of
        `counts` holds marks for whoever watches (`sim.core.patience`).
    out_games, out_seats, out_pieces, out_drawn
        `GAME_ROW` (games,), `SEAT_ROW` (games, seats), int16 (measures, games, seats, pieces), int64 (games, K).
    turn_rows, turn_scores, decision_rows, draft_rows
        int32 (rows, 3), float32 (rows, seats), int32 (rows, 7), int16 (games, most, 7): the last column of the
        first row of a game counts its rows.
    level, most, cap
        Log level; most legal actions of a position; most actions in a game.
    done, n_turns, n_decisions
        Games that are played already, and their rows: a call that came back with `FULL` is gone on with.

    Returns
    -------
    (how, done, n_turns, n_decisions)
        `PLAYED` or `FULL`, the games that are played, and their rows. `WAITS`, the games played, and the actions and
        turns of the game that hangs: its position is left in `states`. `ASTRAY`, the games played, the number that was
        chosen and how many actions there were.
    """
    chance = streams[MAX_SEATS]
    scores, merits, totals, standing = tallies[0], tallies[1], tallies[2], tallies[3]
    decided, options, marks = counts[0], counts[1], counts[2]
    if done == 0:
        totals[:] = 0.0
    state = states[0]
    for g in range(done, cell.shape[0]):
        turns_before = n_turns
        decisions_before = n_decisions
        waited = 0
        rules = rules_bank[cell[g]]
        marks[WENT_ON] += 1
        marks[GAME] = g
        marks[THINKS] = 0
        setup(rules, state, entrants_bank[cell[g]], who[g], seed[g])
        players = np.int64(state.players)
        if follows.shape[0] > 0:
            if not follows[g]:
                totals[:] = 0.0
            for s in range(players):
                standing[s] = totals[who[g, s]]
            carry(rules, state, standing)
        start(chance, seed[g], CHANCE, 0)
        for s in range(players):
            player = np.int64(who[g, s])
            start(streams[s], seed[g], BOT, player)
            bots[s] = bots_bank[cell[g], player]
            seat_bot(bots[s], seed[g], player)
            decided[s] = 0
            options[s] = 0
        line = np.uint64(0)
        leader = np.int64(-1)
        changes = 0
        turn = np.int64(0)
        ply = 0
        plies = 0
        while state.phase != OVER:
            if state.phase == RESOLVE:
                if waited >= MOST_RESOLVES:
                    return WAITS, np.int64(g), np.int64(plies), np.int64(state.turn)
                marks[WENT_ON] += 1
                resolve(rules, state, chance)
                waited += 1
            else:
                waited = 0
                marks[WENT_ON] += 1
                n = np.int64(legal(rules, state, actions))
                seat = np.int64(state.seat)
                if n <= 0 or n > most or plies >= cap:
                    state.ended = STUCK if n <= 0 else OVERFLOW if n > most else TURN_CAP
                    break
                action = actions[0]
                if n > 1:
                    marks[THINKS] = 1
                    picked = choose(bots[seat], rules, state, actions, n, streams[seat], desks)
                    marks[THINKS] = 0
                    if picked < 0 or picked >= n:
                        return ASTRAY, np.int64(g), np.int64(picked), n
                    action = actions[picked]
                    decided[seat] += 1
                    options[seat] += n
                    if level >= LOG_DECISIONS:
                        if n_decisions >= decision_rows.shape[0]:
                            return FULL, np.int64(g), turns_before, decisions_before
                        row = decision_rows[n_decisions]
                        row[0] = g
                        row[1] = ply
                        row[2] = state.turn
                        row[3] = seat
                        row[4] = state.phase
                        row[5] = action
                        row[6] = n
                        n_decisions += 1
                    ply += 1
                if level > LOG_NONE:
                    line = mix(line ^ np.uint64(action))
                apply(rules, state, action)
                plies += 1
            if level > LOG_NONE and state.turn != turn:
                turn = np.int64(state.turn)
                for s in range(players):
                    scores[s] = score(rules, state, s)
                now = leader_of(scores, players)
                if now >= 0:
                    if leader >= 0 and now != leader:
                        changes += 1
                    leader = now
                if level >= LOG_TURNS:
                    if n_turns >= turn_rows.shape[0]:
                        return FULL, np.int64(g), turns_before, decisions_before
                    facts(rules, state, seats)
                    turn_rows[n_turns, 0] = g
                    turn_rows[n_turns, 1] = turn
                    turn_rows[n_turns, 2] = seats[1]
                    for s in range(players):
                        turn_scores[n_turns, s] = scores[s]
                    for s in range(players, turn_scores.shape[1]):
                        turn_scores[n_turns, s] = np.nan
                    n_turns += 1
        if follows.shape[0] > 0:
            for s in range(players):
                totals[who[g, s]] += score(rules, state, s)
        if level == LOG_NONE:
            out_games[g].turns = state.turn
            out_games[g].decisions = ply
            continue
        finish_rows(rules, state, scores, merits, decided, options, seats, out_games[g], out_seats[g])
        out_games[g].decisions = ply
        out_games[g].lead_changes = changes
        out_games[g].line = line
        drawn(rules, state, out_drawn[g])
        if level >= LOG_PIECES:
            for s in range(players):
                tally(rules, state, s, out_pieces[:, g, s, :])
            if draft_rows.shape[0] > 0:
                draft_rows[g, 0, 6] = drafted(rules, state, draft_rows[g])
    return PLAYED, np.int64(cell.shape[0]), n_turns, n_decisions


@kernel
def finish_rows(
    rules: Rules,
    state: State,
    scores: Numbers,
    merits: Numbers,
    decided: Counts,
    options: Counts,
    seats: Seats,
    game: Rows,
    rows: Rows,
) -> None:
    """Write the result of a game: sides are ranked by merit, and those that tie share the win."""
    players = np.int64(state.players)
    for s in range(players):
        scores[s] = score(rules, state, s)
        merits[s] = merit(rules, state, s, scores[s])
        rows[s].score = scores[s]
        rows[s].side = side(rules, state, s)
    tied = 0
    winner: Any = np.int64(-1)
    best_points = 0.0
    next_points = -1.0e300
    for s in range(players):
        if not speaks(rows, s):
            continue
        better = 0
        points = 0.0
        for other in range(players):
            if rows[other].side == rows[s].side:
                points += scores[other]
            elif merits[other] > merits[s] and speaks(rows, other):
                better += 1
        rows[s].rank = 1 + better
        if better == 0:
            tied += 1
            if tied == 1:
                winner = s
                best_points = points
            else:
                next_points = max(next_points, points)
        else:
            next_points = max(next_points, points)
    for s in range(players):
        for other in range(s):
            if rows[other].side == rows[s].side and speaks(rows, other):
                rows[s].rank = rows[other].rank
        rows[s].win_share = 1.0 / tied if rows[s].rank == 1 else 0.0
        rows[s].decisions = decided[s]
        rows[s].options_sum = options[s]
        rows[s].passes = passes(rules, state, s)
    facts(rules, state, seats)
    game.players = players
    game.first_seat = seats[0]
    game.founder_seat = founder(rules, state)
    game.turns = state.turn
    game.ended = state.ended - 1
    game.ended_by = seats[1]
    game.winner = winner if tied == 1 else -1
    game.tied = tied
    game.margin = best_points - next_points


@kernel
def speaks(rows: Rows, seat: Seat) -> Whether:
    """Whether `seat` is the first of its side."""
    first = True
    for other in range(seat):
        first = first and rows[other].side != rows[seat].side
    return first
