"""What every game owes to the bots and the loop, whatever its rules: ``check_game(game, Setting())``.

Authors of games run it on their own: it plays a few games in several settings and raises `AssertionError`,
naming the seed, where a promise of the contract is broken.

* Legal actions never raise, are unique, and looking never changes the position.
* Every game ends, or how it stopped is counted.
* Scores add up: win shares sum to 1, ranks, margin and winner follow from the scores.
* A replay is exact, and a game does not depend on which games were played before it.
* Set-up belongs to the deal: it changes neither with what bots draw nor with where the players sit.
* Nothing depends on what cannot be seen: not the legal actions, not what a decision does, not `features`, not
  `determinize` and not what a bot chooses.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.checks.positions import check_positions
from sim.checks.table import Report, Table, differing, make_cell, make_job, stream_of
from sim.core.bots import bot_set
from sim.core.contract import (
    ALL_PASSED,
    ENDED_NAMES,
    FINISHED,
    MEASURES,
    OVER,
    TURN_CAP,
    apply,
    choose,
    determinize,
    features,
    legal,
    merit,
    score,
)
from sim.core.game import Cell
from sim.core.jit import implemented
from sim.core.loop import MAX_SEATS, seat_bot
from sim.core.play import Job, play_chunk, replay
from sim.core.rng import below, mix
from tests.bots.odd import odd_bots

# --- the checks ----------------------------------------------------------------------------------------------


def check_ends(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Every game ends; one that is cut off is a row like the others and says so."""
    whole = play_chunk(game, [cell], make_job([cell], seeds), "games").games
    assert np.isin(whole["ended"], range(len(ENDED_NAMES))).all()
    whole_end = np.isin(whole["ended"], (FINISHED - 1, ALL_PASSED - 1))
    assert whole_end.all(), f"not finished: seeds {np.array(seeds)[~whole_end]}"
    assert (whole["turns"] > 0).all()
    short = copy.copy(game)
    short.most_plies = 3
    cut = play_chunk(short, [cell], make_job([cell], seeds), "games").games
    assert len(cut["ended"]) == len(seeds)
    assert (cut["ended"] == TURN_CAP - 1).all(), "games of more than three decisions are cut off"
    report.games += 2 * len(seeds)


def check_scores(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Win shares, ranks, margin and winner follow from what ranks the sides: the points, unless the game says more."""
    chunk = play_chunk(game, [cell], make_job([cell], seeds), "pieces")
    sides = chunk.seats["side"]
    merits = chunk.seats["score"].astype(float)
    if implemented("merit", game.State):
        for g, seed in enumerate(seeds):
            end = replay(game, cell, seed, range(cell.players))[-1]
            for s in range(cell.players):
                merits[g, s] = merit(end.rules, end.state, s, score(end.rules, end.state, s))
    n_sides = sides.max(axis=1) + 1
    for g in range(len(seeds)):
        each = [np.flatnonzero(sides[g] == side) for side in range(n_sides[g])]
        assert len(each) > 1
        assert all(len(seats) for seats in each), f"sides {sides[g]}, seed {seeds[g]}"
        for seats in each:
            assert len(set(merits[g, seats])) == 1, f"one side, two merits, seed {seeds[g]}"
        merit_of = np.array([merits[g, seats[0]] for seats in each])
        points = np.array([chunk.seats["score"][g, seats].sum() for seats in each])
        first = merit_of == merit_of.max()
        for side, seats in enumerate(each):
            expected = first[side] / first.sum()
            np.testing.assert_allclose(chunk.seats["win_share"][g, seats], expected)
            assert (chunk.seats["rank"][g, seats] == 1 + (merit_of > merit_of[side]).sum()).all()
        winner = each[int(first.argmax())][0] if first.sum() == 1 else -1
        assert chunk.games["winner"][g] == winner
        assert chunk.games["tied"][g] == first.sum()
        leader = int(first.argmax())
        np.testing.assert_allclose(
            chunk.games["margin"][g], points[leader] - np.delete(points, leader).max(), rtol=1e-6
        )
    np.testing.assert_array_equal(chunk.games["decisions"], chunk.seats["decisions"].sum(axis=1))
    assert chunk.pieces is not None
    assert set(chunk.pieces) == set(MEASURES)
    report.games += len(seeds)


def check_replay(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """`replay` goes through the same actions to the same scores as the batch did."""
    seating = [*range(1, cell.players), 0]
    chunk = play_chunk(game, [cell], make_job([cell], seeds, [seating]), "decisions")
    assert chunk.decisions is not None
    for g, seed in enumerate(seeds):
        steps = replay(game, cell, seed, seating)
        line = np.zeros(1, dtype=np.uint64)
        for step in steps[:-1]:
            line[0] = mix(line[0] ^ np.uint64(step.action))
        end = steps[-1]
        assert int(end.state["phase"]) == OVER, f"the replay of seed {seed} stops early"
        assert int(line[0]) == int(chunk.games["line"][g]), f"another line of play, seed {seed}"
        points = [float(score(end.rules, end.state, s)) for s in range(cell.players)]
        assert points == chunk.seats["score"][g].tolist(), f"other scores, seed {seed}"
        mine = chunk.decisions["game"] == g
        real = [step for step in steps[:-1] if len(step.actions) > 1]
        assert [step.action for step in real] == chunk.decisions["action"][mine].tolist(), f"seed {seed}"
        assert [len(step.actions) for step in real] == chunk.decisions["options"][mine].tolist()
        assert [step.seat for step in real] == chunk.decisions["seat"][mine].tolist()
        report.decisions += len(steps) - 1


def check_order(game: Any, cells: Sequence[Cell], seeds: Sequence[int], report: Report) -> None:
    """A game is the same whichever games were played before it."""
    job = make_job(cells, seeds)
    named = [name for name, value in vars(job).items() if value is not None]
    turned = Job(**{name: np.ascontiguousarray(getattr(job, name)[::-1]) for name in named})
    there, back = (play_chunk(game, cells, j, "games") for j in (job, turned))
    for name in ("line", "turns", "decisions", "ended_by", "lead_changes", "margin"):
        np.testing.assert_array_equal(there.games[name], back.games[name][::-1], err_msg=name)
    np.testing.assert_array_equal(there.drawn, back.drawn[::-1])
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
            assert same, f"{name}, drawn for a deal, changes with the seating"
    else:
        assert (drawn == drawn[:, :1]).all(), "what was drawn for a deal changes with the seating"
    given = chunk.pieces["assigned"].reshape(len(seeds), n, n, -1)
    for shift, seats in enumerate(seatings):
        for seat, player in enumerate(seats):
            same = (given[:, shift, seat] == given[:, 0, player]).all()
            assert same, f"player {player} has other pieces at seat {seat}"
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
                assert not changed, f"the set-up of seed {seed} changed with a bot: {changed}"
            same = [step.action for step in one] == [step.action for step in two]
            assert same, f"a bot that draws more changed the others' choices, seed {seed}"


def check_hidden(
    game: Any,
    cell: Cell,
    seeds: Sequence[int],
    report: Report,
    redraw: Callable[..., Any] = determinize,
) -> None:
    """Nothing depends on what the mover cannot see.

    At every decision the hidden part is redrawn. Then legal actions and features must be the same; every bot of the
    cell, with the same stream, must choose the same; the chosen action must do the same to all that is not hidden; and
    redrawing again must lead from both positions to one and the same (it may not read what is hidden, not even
    to shuffle it).
    """
    _, bank, desks = bot_set(game, [cell])
    for seed in seeds:
        table, plies = Table(game, cell, seed), 0
        while not table.over and plies < game.most_plies:
            actions, seat = table.actions(), table.seat
            where = f"seed {seed}, ply {plies}, seat {seat}"
            here, other = table.copy(), table.copy()
            redraw(table.rules, other[0], seat, stream_of(seed, 2 * plies))
            report.compared += 1
            report.redrawn += bool(differing(here[0], other[0]))
            n = int(legal(table.rules, other[0], table.out))
            assert table.out[:n].tolist() == actions, f"legal actions depend on hidden things, {where}"
            told = []
            for position in (here, other):
                features(table.rules, position[0], seat, table.numbers)
                told.append(table.numbers[: len(game.features)].tolist())
            assert told[0] == told[1], f"features depend on hidden things, {where}"
            _check_redraw(table, redraw, here, other, seat, stream_of(seed, 2 * plies + 1), where)
            picked = 0
            for player in range(cell.players):
                picks = []
                for position in (here, other):
                    bot = bank[0, player : player + 1].copy()[0]
                    seat_bot(bot, np.uint64(seed), player)
                    stream = stream_of(seed, 100_000 + plies)
                    codes = np.array([*actions, 0], dtype=np.int32)
                    position = position.copy()
                    picks.append(int(choose(bot, table.rules, position[0], codes, n, stream, desks)))
                name = cell.bots[player][0]
                assert picks[0] == picks[1], f"bot {name!r} looked at what it cannot see, {where}"
                if player == table.who[seat]:
                    picked = picks[0]
            for position in (here, other):
                apply(table.rules, position[0], np.int32(actions[picked]))
            after = stream_of(seed, 2 * plies + 1)
            _check_redraw(table, redraw, here, other, seat, after, f"after {where}")
            table.play(actions[picked])
            plies += 1
    report.games += len(seeds)


def _check_redraw(
    table: Table, redraw: Callable[..., Any], here: Any, other: Any, seat: int, stream: Any, where: str
) -> None:
    """Two positions that differ only in hidden things are redrawn to the same one."""
    one, two = here.copy(), other.copy()
    redraw(table.rules, one[0], seat, stream.copy())
    redraw(table.rules, two[0], seat, stream.copy())
    changed = differing(one[0], two[0])
    assert not changed, f"determinize or apply reads hidden things (in the end {changed} differ), {where}"


def check_redrawn_games(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """A redrawn position can be played to its end, as searching bots do."""
    for seed in seeds:
        table, stream, plies = Table(game, cell, seed), stream_of(seed, 3), 0
        while not table.over:
            if plies % 5 == 0:
                determinize(table.rules, table.state, table.seat, stream)
            actions = table.actions()
            assert actions, f"no action after determinize, seed {seed}, ply {plies}"
            table.play(actions[int(below(stream, len(actions)))])
            plies += 1
            assert plies <= game.most_plies, f"no end after determinize, seed {seed}"
        report.decisions += plies


@dataclass(frozen=True)
class Setting:
    """How a game is played to be checked.

    Attributes
    ----------
    parameters
        What differs from the game's defaults.
    players
        The fewest and the most players; default: the game's own.
    bots
        Who plays.
    games
        Deals in each check; the slow checks take fewer.
    hidden
        Whether there are hidden things, so that `determinize` must change something now and then.
    decisions, compared
        Decisions that are replayed, and positions that are redrawn, at least: fewer would check nothing.
    """

    parameters: dict[str, Any] = field(default_factory=dict)
    players: tuple[int, int] | None = None
    bots: tuple[str, ...] = ("random", "greedy")
    games: int = 4
    hidden: bool = True
    decisions: int = 100
    compared: int = 40


def check_game(game: Any, setting: Setting, games: int | None = None) -> Report:
    """Run the whole suite in one setting, with the fewest and with the most players.

    Parameters
    ----------
    game
        The game (`sim.core.game.Game`).
    games
        Deals in each check, if not those of the setting.

    Raises
    ------
    AssertionError
        Where a promise is broken.
    """
    report = Report()
    seeds = list(range(1, (games or setting.games) + 1))
    few = seeds[: max(3, len(seeds) // 4)]
    fewest, most = setting.players or (game.min_players, game.max_players)
    cells = [make_cell(game, setting.bots, n, setting.parameters) for n in (fewest, most)]
    assert all(cell.players <= MAX_SEATS for cell in cells)
    check_order(game, cells, seeds, report)
    for cell in cells:
        check_positions(game, cell, few, report)
        check_ends(game, cell, seeds, report)
        check_scores(game, cell, seeds, report)
        check_replay(game, cell, few, report)
        check_seats(game, cell, seeds, report)
        check_streams(game, setting.parameters, cell.players, few)
        check_hidden(game, cell, few, report)
        check_redrawn_games(game, cell, few, report)
    if setting.hidden:
        assert report.redrawn > report.compared / 2, f"determinize hardly changes anything: {report}"
    assert report.decisions > setting.decisions, f"too little was played to tell: {report}"
    assert report.compared > setting.compared, f"too little was redrawn to tell: {report}"
    return report
