"""Whole games: they end, their results follow from their scores, and they are the same when played again."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.checks.odd import odd_bots
from sim.checks.table import Report, differing, keep, make_cell, make_job
from sim.core.contract import ALL_PASSED, ENDED_NAMES, FINISHED, MEASURES, OVER, TURN_CAP, merit, score
from sim.core.game import Cell
from sim.core.jit import implemented
from sim.core.play import Job, play_chunk, replay
from sim.core.rng import mix


def check_ends(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Every game ends; one that is cut off is a row like the others and says so."""
    whole = play_chunk(game, [cell], make_job([cell], seeds), "games").games
    keep(np.isin(whole["ended"], range(len(ENDED_NAMES))).all(), "`state.ended` is none of the end codes")
    own_end = np.isin(whole["ended"], (FINISHED - 1, ALL_PASSED - 1))
    if not own_end.all():
        which = int(np.flatnonzero(~own_end)[0])
        how = ENDED_NAMES[int(whole["ended"][which])]
        keep(
            False, f"seed {seeds[which]}, {cell.players} players: the game ends by {how!r}, not by its rules"
        )
    keep((whole["turns"] > 0).all(), "`state.turn` is 0 at the end: nobody counts turns")
    short = copy.copy(game)
    short.most_plies = 3
    cut = play_chunk(short, [cell], make_job([cell], seeds), "games").games
    early = (whole["decisions"] > 3) & (cut["ended"] != TURN_CAP - 1)
    keep(not early.any(), "a game of more than three decisions is not cut off at most_plies = 3")
    report.games += 2 * len(seeds)


def check_scores(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Win shares, ranks, margin and winner follow from what ranks the sides: the points, unless the game says more."""
    chunk = play_chunk(game, [cell], make_job([cell], seeds), "pieces")
    sides = chunk.seats["side"]
    merits = chunk.seats["score"].astype(float)
    keep(bool(np.isfinite(merits).all()), "a score is not finite")
    if implemented("merit", game.State):
        for g, seed in enumerate(seeds):
            end = replay(game, cell, seed, range(cell.players))[-1]
            for s in range(cell.players):
                merits[g, s] = merit(end.rules, end.state, s, score(end.rules, end.state, s))
    for g, seed in enumerate(seeds):
        _check_result(chunk, g, sides[g], merits[g], f"seed {seed}, {cell.players} players")
    counted = chunk.games["decisions"] == chunk.seats["decisions"].sum(axis=1)
    keep(bool(counted.all()), "the decisions of the seats do not add up to those of the game")
    keep(chunk.pieces is not None and set(chunk.pieces) == set(MEASURES), "a measure of pieces is missing")
    report.games += len(seeds)


def _check_result(chunk: Any, g: int, sides: Any, merits: Any, where: str) -> None:
    each = [np.flatnonzero(sides == side) for side in range(int(sides.max()) + 1)]
    keep(len(each) > 1, f"all seats are of one side, {where}")
    for seats in each:
        keep(len(seats) > 0, f"sides {sides.tolist()} leave one out, {where}")
        keep(len(set(merits[seats])) == 1, f"seats of one side differ in `merit`, {where}")
    merit_of = np.array([merits[seats[0]] for seats in each])
    points = np.array([chunk.seats["score"][g, seats].sum() for seats in each])
    first = merit_of == merit_of.max()
    for side, seats in enumerate(each):
        share = first[side] / first.sum()
        keep(np.allclose(chunk.seats["win_share"][g, seats], share), f"win shares, {where}")
        rank = 1 + (merit_of > merit_of[side]).sum()
        keep((chunk.seats["rank"][g, seats] == rank).all(), f"ranks do not follow from merits, {where}")
    winner = each[int(first.argmax())][0] if first.sum() == 1 else -1
    keep(chunk.games["winner"][g] == winner, f"the winner is not the seat of the most merit, {where}")
    keep(chunk.games["tied"][g] == first.sum(), f"ties do not follow from merits, {where}")
    leader = int(first.argmax())
    margin = points[leader] - np.delete(points, leader).max()
    keep(np.allclose(chunk.games["margin"][g], margin, rtol=1e-6), f"the margin, {where}")


def check_replay(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """`replay` goes through the same actions to the same scores as the batch did."""
    seating = [*range(1, cell.players), 0]
    chunk = play_chunk(game, [cell], make_job([cell], seeds, [seating]), "decisions")
    assert chunk.decisions is not None
    for g, seed in enumerate(seeds):
        steps = replay(game, cell, seed, seating)
        line = np.zeros(1, dtype=np.uint64)
        for step in steps[:-1]:
            line[0] = mix(line[0] ^ np.uint64(step.action or 0))
        if game.draws:
            line[0] ^= np.uint64(seed)
        end = steps[-1]
        keep(int(end.state["phase"]) == OVER, f"the replay of seed {seed} stops early")
        keep(
            int(line[0]) == int(chunk.games["line"][g]),
            f"another line of play when played again, seed {seed}",
        )
        points = [float(np.float32(score(end.rules, end.state, s))) for s in range(cell.players)]
        keep(points == chunk.seats["score"][g].tolist(), f"other scores when played again, seed {seed}")
        mine = chunk.decisions["game"] == g
        real = [step for step in steps[:-1] if len(step.actions) > 1]
        same = (
            [step.action for step in real] == chunk.decisions["action"][mine].tolist()
            and [len(step.actions) for step in real] == chunk.decisions["options"][mine].tolist()
            and [step.seat for step in real] == chunk.decisions["seat"][mine].tolist()
        )
        keep(same, f"other decisions when played again, seed {seed}")
        report.decisions += len(steps) - 1


def check_order(game: Any, cells: Sequence[Cell], seeds: Sequence[int], report: Report) -> None:
    """A game is the same whichever games were played before it."""
    job = make_job(cells, seeds)
    named = [name for name, value in vars(job).items() if value is not None]
    turned = Job(**{name: np.ascontiguousarray(getattr(job, name)[::-1]) for name in named})
    there, back = (play_chunk(game, cells, j, "games") for j in (job, turned))
    for name in ("line", "turns", "decisions", "ended_by", "lead_changes", "margin"):
        same = np.array_equal(there.games[name], back.games[name][::-1], equal_nan=name == "margin")
        keep(same, f"{name!r} of a game depends on which games were played before it")
    same = np.array_equal(there.drawn, back.drawn[::-1])
    keep(same, "what was drawn depends on which games were played before")
    report.games += 2 * len(job.cell)


def check_seats(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """What is drawn belongs to the deal, what was assigned to the player, wherever the players sit."""
    n = cell.players
    seatings = [[(k + shift) % n for k in range(n)] for shift in range(n)]
    chunk = play_chunk(game, [cell], make_job([cell], seeds, seatings), "pieces")
    assert chunk.pieces is not None
    drawn = chunk.drawn.reshape(len(seeds), n, -1)
    chosen = [name for name, entry in cell.drawn.items() if entry.get("chosen")]
    if chosen:  # what players chose may differ with the seating; what was drawn beside it may not
        for name, texts in game.drawn_columns(cell, chunk.drawn).items():
            by_deal = np.asarray(texts).reshape(len(seeds), n)
            same = name in chosen or bool((by_deal == by_deal[:, :1]).all())
            keep(same, f"{name}, drawn for a deal, changes with the seating")
    else:
        keep((drawn == drawn[:, :1]).all(), "what was drawn for a deal changes with the seating")
    given = chunk.pieces["assigned"].reshape(len(seeds), n, n, -1)
    for shift, seats in enumerate(seatings):
        for seat, player in enumerate(seats):
            same = (given[:, shift, seat] == given[:, 0, player]).all()
            keep(same, f"player {player} has other pieces at seat {seat}")
    report.games += len(chunk.drawn)


def check_streams(game: Any, parameters: dict[str, Any], players: int, seeds: Sequence[int]) -> None:
    """A bot that draws more changes neither the set-up nor anything that the others draw."""
    with odd_bots():
        dry, wet = (
            make_cell(game, [first, *["random"] * (players - 1)], players, parameters)
            for first in ("steady", "thirsty")
        )
        for seed in seeds:
            one, two = (replay(game, cell, seed, range(players)) for cell in (dry, wet))
            for field in ("rules", "state"):
                changed = differing(getattr(one[0], field), getattr(two[0], field))
                keep(not changed, f"the set-up of seed {seed} changed with a bot: {changed}")
            same = [step.action for step in one] == [step.action for step in two]
            keep(same, f"a bot that draws more changed what the others chose, seed {seed}")
