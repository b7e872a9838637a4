"""The exact solver against games whose values are known, plain search without shortcuts, and the referees."""

from __future__ import annotations

import copy
import random
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sim.checks.table import Table, make_cell
from sim.core.contract import OVER, RESOLVE, apply, legal, resolve, score
from sim.core.errors import Refusal
from sim.core.game import get_game
from sim.core.rng import below, mix
from sim.exact.solver import Solver
from sim.exact.throws import WHOLE, unmix
from tests.bots.toys import Nim
from tests.bots.toys import Rules as NimRules
from tests.exact import dice
from tests.games.migrato.costep import Engine, deal_of, tell_chance

pytestmark = pytest.mark.plain
BOARD_GAMES = ["migration", "migrato", "drifting_lands"]


def test_the_numbers_of_a_stream_can_be_chosen() -> None:
    rng = np.random.default_rng(4)
    for z in rng.integers(0, 2**63, 50, dtype=np.uint64):
        assert unmix(mix(z)) == z


def nim(heap: int, sides: int, players: int, aim: str = "wins") -> list[float]:
    rules, states = np.zeros(1, dtype=NimRules), np.zeros(1, dtype=Nim)
    rules["sides"] = sides
    states["phase"], states["heap"], states["players"] = 2, heap, players
    toy = SimpleNamespace(State=Nim, name="nim", max_actions=3)
    found = Solver(toy, rules[0], aim).solve(states[0], [k + 1 for k in range(min(heap, 3))])
    assert found.values is not None
    return found.values


@pytest.mark.parametrize("heap", range(1, 14))
def test_nim_is_won_by_leaving_a_multiple_of_four(heap: int) -> None:
    won = [1.0 if (heap - k - 1) % 4 == 0 else 0.0 for k in range(min(heap, 3))]
    for players in (2, 4):  # two teams play like two players
        assert nim(heap, 2, players) == won
        assert nim(heap, 2, players, "lead") == [2 * share - 1 for share in won]


def test_three_players_each_take_what_is_best_for_themselves() -> None:
    assert nim(3, 3, 3) == [0.0, 0.0, 1.0]
    assert nim(4, 3, 3) == [0.0, 0.0, 0.0]  # what is left, the next one takes
    assert nim(2, 3, 3) == [0.0, 1.0]


def test_chance_is_taken_whole() -> None:
    for sides, turns in ((6, 2), (7, 2), (101, 1)):
        rules, states = np.zeros(1, dtype=dice.Rules), np.zeros(1, dtype=dice.Dice)
        rules["sides"], rules["turns"] = sides, turns
        states["phase"], states["players"] = 2, 2
        states["points"] = [[0, 2]]
        found = Solver(dice.game(), rules[0]).solve(states[0], [dice.STEADY, dice.BOLD, dice.WILD])
        assert found.values is not None
        assert max(found.values) == pytest.approx(dice.true_value(sides, turns, 0, 0, 2), abs=1e-6)


class TooLongError(Exception):
    """More positions than a test takes, or chance."""


MOST = 200


def brute(rules: Any, states: Any, seat: int, most: int, seen: list[int]) -> list[float]:
    """Points ahead after each action, by plain minimax for two seats: no windows, nothing remembered."""
    seen[0] += 1
    if seen[0] > MOST:
        raise TooLongError
    room = np.zeros(most + 1, dtype=np.int32)
    values = []
    for action in room[: int(legal(rules, states[0], room))].tolist():
        after = states.copy()
        apply(rules, after[0], np.int32(action))
        stream = np.zeros(1, dtype=np.uint64)
        while int(after[0]["phase"]) == RESOLVE:
            resolve(rules, after[0], stream)
        assert stream[0] == 0, "chance"
        if int(after[0]["phase"]) == OVER:
            values.append(score(rules, after[0], seat) - score(rules, after[0], 1 - seat))
        else:
            below_it = brute(rules, after, seat, most, seen)
            values.append(max(below_it) if int(after[0]["seat"]) == seat else min(below_it))
    return values


def last_choices(name: str, seed: int) -> tuple[Table, list[tuple[Any, list[int]]]]:
    game = get_game(name)
    table = Table(game, make_cell(game, ["random"], 2), seed)
    rng, found = random.Random(seed), []
    while not table.over:
        actions = table.actions()
        found.append((table.copy(), actions))
        table.play(rng.choice(actions))
    return table, found[::-1]


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_it_finds_what_search_without_shortcuts_finds(name: str) -> None:
    compared = unlike = 0
    for seed in range(1, 4):
        table, found = last_choices(name, seed)
        solver = Solver(table.game, table.rules, "lead", most_nodes=100)
        for states, actions in found[:5]:
            solved = solver.solve(states[0], actions)
            if solved.values is None:
                break
            try:
                plain = brute(table.rules, states, int(states[0]["seat"]), table.game.max_actions, [0])
            except TooLongError:
                break
            assert solved.values == plain, table.where
            compared += len(actions) > 1
            unlike += len(set(plain)) > 1
    assert compared > 1
    assert unlike > 0


def of_the_referee(referee: Any, seat: int, seen: list[int]) -> dict[str, float]:
    """Values of all actions by the independent referee's rules."""
    seen[0] += 1
    if seen[0] > MOST:
        raise TooLongError
    values = {}
    for action in sorted(referee.actions()):
        after = copy.deepcopy(referee)
        after.do(action)
        if after.phase == "over":
            won = after.winner()
            values[action] = 0.5 if won is None else float(won == seat)
        else:
            if after.pending:
                raise TooLongError
            further = of_the_referee(after, seat, seen).values()
            values[action] = max(further) if after.to_move == seat else min(further)
    return values


def test_the_referee_of_migrato_comes_to_the_same_values() -> None:
    compared = 0
    for seed in (1, 2):
        engine = Engine({}, seed)
        referee = deal_of(engine.position(), {})
        rng, found = random.Random(seed), []
        while not engine.over:
            found.append((engine.state.copy(), copy.deepcopy(referee), engine.actions()))
            played = rng.choice(sorted(found[-1][2]))
            engine.take(found[-1][2][played])
            referee.do(played)
            tell_chance(referee, engine.position())
        solver = Solver(engine.game, engine.rules, most_nodes=150)
        for state, there, actions in found[:-7:-1]:
            solved = solver.solve(state, list(actions.values()))
            if solved.values is None:
                break
            try:
                theirs = of_the_referee(there, int(state["seat"]), [0])
            except TooLongError:
                break
            assert dict(zip(actions, solved.values)) == theirs
            compared += 1
    assert compared > 1


def test_what_cannot_be_solved_is_told() -> None:
    table, found = last_choices("migration", 1)
    states, actions = next((s, a) for s, a in found[4:] if len(a) > 5)
    assert Solver(table.game, table.rules, most_nodes=5).solve(states[0], actions).why == "too many positions"
    with pytest.raises(Refusal, match="lead"):
        Solver(table.game, table.rules, aim="leads")


def test_each_outcome_has_one_stretch_of_numbers() -> None:
    """What the solver rests on: draws rise with the leading bits."""
    for n in (2, 6, 37):
        faces = []
        for bits in range(0, WHOLE, WHOLE // 500):
            stream = np.array([np.subtract(unmix(np.uint64(bits << 32)), np.uint64(0x9E3779B97F4A7C15))])
            faces.append(int(below(stream, n)))
        assert set(faces) == set(range(n))
        assert all(a <= b for a, b in pairwise(faces))
