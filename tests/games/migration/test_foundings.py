"""`map = "founder"` and `"founder-bot"`: every founding is one that `validate` would let a designer draw."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from sim.checks.table import Table
from sim.games.migration.board import Board, validate
from sim.games.migration.rules.laying import LATE_FERTILE, SEA
from sim.games.migration.rules.state import FOUND
from tests.games.deals import MIGRATION, TERRAIN, board_of, cell

FOUNDINGS: list[dict[str, Any]] = [
    {},
    {"islands": "forbidden"},
    {"plate_shapes": "bars"},
    {"plate_shapes": "star and triangle", "islands": "forbidden"},
    {"plate_shapes": "any", "enclosed_sea": "neither"},
    {"modifier_counts.Fertile": 1, "modifier_counts.Lake": 5, "modifier_counts.Desert": 0},
]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("parameters", FOUNDINGS, ids=lambda p: " ".join(map(str, p.values())) or "default")
def test_foundings_are_legal(players: int, parameters: dict[str, Any]) -> None:
    box = cell(players, map="founder", **parameters)
    values = {k: v for k, v in box.parameters.items() if k in ("islands", "enclosed_sea", "plate_shapes")}
    counts = {name: box.parameters[f"modifier_counts.{name}"] for name in TERRAIN}
    for seed in range(20):
        board = board_of(Table(MIGRATION, box, seed).rules)
        validate(board, n_players=players, modifier_counts=counts, **values)


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_foundings_are_legal(players: int) -> None:
    box = cell(players, map="founder")
    for seed in range(1000):
        validate(board_of(Table(MIGRATION, box, seed).rules), n_players=players)


def late(board: Board) -> set[tuple[int, int]]:
    """Interior Regions that are so by a Desert in the sea alone."""
    without = Board(tuple(region for region in board.regions if not region.sea))
    spots = [region.hex for region in without.regions]
    return {spot for spot in spots if board.is_interior(spot) and not without.is_interior(spot)}


def fertile(board: Board) -> set[tuple[int, int]]:
    return {region.hex for region in board.regions if "Fertile" in region.terrain}


def test_a_random_founder_may_make_late_interior_regions_fertile() -> None:
    box = cell(2, map="founder")
    boards = [board_of(Table(MIGRATION, box, seed).rules) for seed in range(400)]
    with_late = [board for board in boards if late(board)]
    chosen = [board for board in with_late if late(board) & fertile(board)]
    assert 0 < len(chosen) < len(with_late)


@pytest.mark.parametrize("players", [2, 3])
def test_the_founders_bot_lays_legal_land(players: int) -> None:
    """Random halves, a Desert in the sea that makes an Interior Region where one does, and then Fertile or not."""
    box = cell(players, map="founder-bot", islands="forbidden")
    outcomes: Counter[str] = Counter()
    for seed in range(12):
        table, rng = Table(MIGRATION, box, seed), random.Random(seed)
        while int(table.state["phase"]) == FOUND:
            actions = {MIGRATION.action_text(a, table.rules, box, table.state): a for a in table.actions()}
            assert len(actions) == len(table.actions())
            step = int(table.state["found_step"]) - 2 * players
            if 0 < step < SEA:
                actions = {text: a for text, a in actions.items() if "no more" in text}
            elif step == SEA:
                actions = {text: a for text, a in actions.items() if makes_interior(table, a)} or actions
            elif step == LATE_FERTILE:
                assert "found no more Fertile" in actions
                assert len(actions) > 1
                outcomes["asked"] += 1
            table.play(rng.choice(list(actions.values())))
        board = board_of(table.rules)
        validate(board, n_players=players)
        outcomes["fertile"] += bool(late(board) & fertile(board))
    assert 0 < outcomes["fertile"] < outcomes["asked"]


def makes_interior(table: Table, action: int) -> bool:
    """Whether this Desert in the sea leaves the Founder a Region to make Fertile."""
    kept = table.copy()
    table.play(action)
    asked = int(table.state["phase"]) == FOUND and (
        int(table.state["found_step"]) == LATE_FERTILE + 2 * int(table.state["players"])
    )
    table.states[:1] = kept
    return asked
