"""`map = "founder"`: every founding is one that `validate` would let a designer draw."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.migration.board import validate
from tests.conformance import Table
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
