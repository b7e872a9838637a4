"""Foundings of the engine, and boards that are almost foundings, before the plain referee."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from sim.checks.table import Table
from sim.core.errors import Refusal
from sim.games.migration.board import validate
from tests.games.deals import MIGRATION, board_of, cell
from tests.games.migration.costep import engine_board, referee_board
from tests.reference.migration.founding import IN_THE_BOX, faults, interior
from tests.reference.migration.position import TERRAINS, neighbours
from tests.reference.migration.random import Board, land


def founding(players: int, seed: int, **parameters: Any) -> Board:
    box = cell(players, map="founder", **parameters)
    return referee_board(board_of(Table(MIGRATION, box, seed).rules))


def newly_interior(board: Board) -> set[tuple[int, int]]:
    """Regions that only a Desert in the sea has made Interior."""
    return interior(set(board)) - interior({h for h, spot in board.items() if not spot["sea"]})


def engine_takes(board: Board, players: int, per_region: int) -> bool:
    try:
        validate(engine_board(board), n_players=players, modifiers_per_region=per_region)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("scarce", [False, True])
def test_the_referee_finds_no_fault_with_the_engines_foundings(players: int, scarce: bool) -> None:
    counts = IN_THE_BOX | ({"Fertile": 2, "Lake": 5} if scarce else {})
    parameters = {f"modifier_counts.{name}": n for name, n in counts.items()}
    boards = [founding(players, seed, **parameters) for seed in range(150)]
    assert [faults(board, counts) for board in boards] == [[]] * len(boards)
    if not scarce:  # a Desert that makes a Region Interior is rare
        boards = [founding(players, seed, **parameters) for seed in range(3000)]
    new = [(board[h]["terrain"], board[h]["sea"]) for board in boards for h in newly_interior(board)]
    on_land = Counter("Fertile" in terrain for terrain, sea in new if not sea)
    assert not any("Fertile" in terrain for terrain, sea in new if sea)  # which carries its Desert
    assert scarce or min(on_land[True], on_land[False]) > 0  # it may, it need not


@pytest.mark.parametrize("per_region", [1, 2])
def test_engine_and_referee_take_the_same_boards(per_region: int) -> None:
    outcomes: Counter[bool] = Counter()
    for seed in range(300):
        rng = random.Random(seed)
        players = rng.choice([2, 3])
        board = founding(players, seed)
        for _ in range(rng.choice([1, 1, 2])):
            meddle(rng, board)
        legal = not faults(board, modifiers_per_region=per_region)
        assert engine_takes(board, players, per_region) == legal, (
            seed,
            faults(board, modifiers_per_region=per_region),
        )
        outcomes[legal] += 1
    assert min(outcomes[True], outcomes[False]) > 40


def meddle(rng: random.Random, board: Board) -> None:
    """Take a modifier away, add or move one, or lay a Desert in the sea."""
    spot = rng.choice(sorted(board))
    what = rng.choice(["off", "fertile", "other", "sea"])
    if what == "off" and not board[spot]["sea"]:
        board[spot]["terrain"] = set()
    elif what == "fertile":
        rng.choice([board[h] for h in sorted(newly_interior(board)) or [spot]])["terrain"].add("Fertile")
    elif what == "other" and not board[spot]["sea"]:
        board[spot]["terrain"] = {rng.choice(TERRAINS)}
    elif what == "sea":
        shore = sorted({n for h in board for n in neighbours(h)} - set(board))
        board[rng.choice(shore)] = {"terrain": {"Desert"}, "forest": False, "sea": True}


# --- the referee on the rulebook's sentences ----------------------------------------------------------------

RING = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]


def test_fertile_comes_first_on_the_plates_interior_and_stays_off_the_coast() -> None:
    assert faults(land([(0, 0), *RING])) == ["no Fertile on [(0, 0)]"]
    assert not faults(land([(0, 0), *RING], {(0, 0): "Fertile"}))
    assert not faults(land([(0, 0), *RING]), IN_THE_BOX | {"Fertile": 0})
    assert faults(land([(0, 0), *RING], {(0, 0): "Lake"})) == ["no Fertile on [(0, 0)]"]
    on_coast = land([(0, 0), *RING], {(0, 0): "Fertile", (1, 0): "Fertile"})
    assert faults(on_coast) == ["Fertile on the coast: (1, 0)"]


def test_fertile_may_lie_where_a_desert_in_the_sea_has_made_land_interior() -> None:
    gap = {(1, 0): "Desert"}
    for more in ({}, {(0, 0): "Fertile"}, {(0, 0): "Lake"}):
        assert not faults(land([(0, 0), *RING], gap | more, sea=[(1, 0)]))
    # the hole in a ring: a Desert there is an Interior Region itself, but carries its Desert already
    filled = land([(0, 0), *RING], {(0, 0): "Desert"}, sea=[(0, 0)])
    assert not faults(filled)
    filled[0, 0]["terrain"] = {"Desert", "Fertile"}
    assert faults(filled) == ["2 modifiers on (0, 0)"]
    assert not faults(filled, modifiers_per_region=2)


def test_new_interior_regions_get_only_what_is_left() -> None:
    # two flowers side by side: one whole, one closed by a Desert in the sea
    other = [(q + 3, r - 1) for q, r in [(0, 0), *RING]]
    hexes = [(0, 0), *RING, *other]
    sea = [(4, -1)]
    one = IN_THE_BOX | {"Fertile": 1}
    first = land(hexes, {(0, 0): "Fertile", (4, -1): "Desert"}, sea=sea)
    new = land(hexes, {(3, -1): "Fertile", (4, -1): "Desert"}, sea=sea)
    assert not faults(first, one)
    assert faults(new, one) == ["no Fertile on [(0, 0)]"]


def test_a_desert_in_the_sea_lies_beside_land() -> None:
    far = land([(0, 0), (3, 0)], {(3, 0): "Desert"}, sea=[(3, 0)])
    assert faults(far) == ["the Desert on (3, 0) is not beside land"]
