"""Every parameter changes something: a test that fails when a parameter is ignored, or new and not thought of."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.core.errors import Refusal
from sim.core.params import describe
from sim.games.migration.board import Board
from sim.games.migration.board_text import load_map, print_drawing
from sim.games.migration.cases import run_case
from sim.games.migration.rules.params import PIECES, Parameters
from tests.conformance import Table
from tests.games.deals import MIGRATION, board_of, cell

DATA = Path(__file__).parents[1] / "data"
with (DATA / "parameters.toml").open("rb") as file:
    BITES: list[dict[str, Any]] = tomllib.load(file)["bite"]
SEEDS = range(40)


# --- play: small positions, in data --------------------------------------------------------------------------


def problems(bite: dict[str, Any], side: str, parameters: dict[str, Any]) -> list[str]:
    case = {
        key: value for key, value in bite.items() if key not in ("parameter", "value", "default", "other")
    }
    case |= {"id": bite["parameter"], "parameters": parameters, "after": bite[side]}
    return run_case(case, "parameters.toml", DATA).problems


@pytest.mark.parametrize("bite", BITES, ids=lambda bite: f"{bite['parameter']}={bite['value']}")
def test_it_matters_in_play(bite: dict[str, Any]) -> None:
    changed = {bite["parameter"]: bite["value"]}
    assert problems(bite, "default", {}) == []
    assert problems(bite, "other", changed) == []
    assert problems(bite, "default", changed) != [], "the default outcome holds with the other value too"


# --- set-up: what is drawn for a range of deals --------------------------------------------------------------


def hands(**parameters: Any) -> Any:
    box = cell(2, **parameters)
    return np.array([Table(MIGRATION, box, seed).state["hand"][:2].copy() for seed in SEEDS])


def bans(**parameters: Any) -> list[int]:
    box = cell(2, **parameters)
    return [int(Table(MIGRATION, box, seed).state["banned"]) for seed in SEEDS]


def founders(**parameters: Any) -> set[int]:
    box = cell(4, **parameters)
    return {int(Table(MIGRATION, box, seed).state["founder"]) for seed in SEEDS}


def boards(**parameters: Any) -> list[Board]:
    box = cell(2, map="founder", **parameters)
    return [board_of(Table(MIGRATION, box, seed).rules) for seed in SEEDS]


def most(terrain: str, found: list[Board]) -> int:
    """Return the most modifiers of a sort on one of the boards."""
    return max(sum(terrain in region.terrain for region in board.regions) for board in found)


def drawn_map(folder: Path, drawing: str, **parameters: Any) -> str:
    """Return "" when a map of two players is accepted, else the refusal."""
    path = folder / "map.toml"
    path.write_text(
        f"name = 'map'\nabout = 'x'\n[legend]\nX = 'Lake + Oasis'\n[players.2]\ndrawing = '''\n{drawing}'''\n"
    )
    try:
        cell(2, map=str(path), **parameters)
    except Refusal as refusal:
        return str(refusal)
    return ""


FLOWERS = print_drawing(load_map("default", 2))[0]
SNAKE = "o T o o o T o o T o o o T o\n"


def lands(found: list[Board]) -> list[set[tuple[int, int]]]:
    return [{region.hex for region in board.regions} for board in found]


SETUP: dict[tuple[str, Any], Callable[[Path], bool]] = {
    ("map", "islands"): lambda _: board_of(cell(2).rules[0]) != board_of(cell(2, map="islands").rules[0]),
    ("bans", "random 3"): lambda _: set(bans()) == {0} and len(set(bans(bans="random 3"))) > 20,
    ("bans", "Fly"): lambda _: hands()[:, :, 4].any() and not hands(bans="Fly")[:, :, 4].any(),
    ("books", "I"): lambda _: hands()[:, :, 5:].any() and not hands(books="I")[:, :, 5:].any(),
    ("hand_size", 9): lambda _: (
        set(hands().sum(axis=2).flat) == {12} and set(hands(hand_size=9).sum(axis=2).flat) == {9}
    ),
    ("ban_method", "uniform"): lambda _: bans(bans="random 4") != bans(bans="random 4", ban_method="uniform"),
    ("first_player", "drawn"): lambda _: founders() == {3} and founders(first_player="drawn") == {1, 2, 3},
    ("bass_required", True): lambda _: (
        not hands(hand_size=4)[:, :, 0].all() and hands(hand_size=4, bass_required=True)[:, :, 0].all()
    ),
    ("islands", "forbidden"): lambda _: (
        max(len(board.islands(False)) for board in boards()) > 1
        and max(len(board.islands(False)) for board in boards(islands="forbidden")) == 1
    ),
    ("plate_shapes", "bars"): lambda folder: (
        lands(boards()) != lands(boards(plate_shapes="bars"))
        and "cannot be laid" in drawn_map(folder, SNAKE)
        and not drawn_map(folder, SNAKE, plate_shapes="bars")
    ),
    ("plate_shapes", "star and triangle"): lambda _: (
        lands(boards()) != lands(boards(plate_shapes="star and triangle"))
    ),
    ("plate_shapes", "any"): lambda folder: (
        "cannot be laid" in drawn_map(folder, SNAKE) and not drawn_map(folder, SNAKE, plate_shapes="any")
    ),
    ("modifiers_per_region", 2): lambda folder: (
        not drawn_map(folder, FLOWERS)
        and "2 modifiers on" in drawn_map(folder, FLOWERS.replace("T", "X", 1))
        and not drawn_map(folder, FLOWERS.replace("T", "X", 1), modifiers_per_region=2)
    ),
    **{
        ("modifier_counts." + name, 0): lambda _, name=name: (
            most(name, boards()) > 0 and most(name, boards(**{f"modifier_counts.{name}": 0})) == 0
        )
        for name in ("Fertile", "Lake", "Mountain", "Deep Woods", "Desert", "Oasis")
    },
    **{
        ("set_counts." + name, 0): lambda _, k=k, name=name: (
            hands()[:, :, k].any() and not hands(**{f"set_counts.{name}": 0})[:, :, k].any()
        )
        for k, name in enumerate(PIECES)
    },
    **{
        ("set_counts." + name, 6): lambda _, k=k, name=name: (
            hands()[:, :, k].max() <= 3 < hands(**{f"set_counts.{name}": 6})[:, :, k].max()
        )
        for k, name in enumerate(PIECES)
    },
}


@pytest.mark.parametrize(("name", "value"), SETUP, ids=[f"{name}={value}" for name, value in SETUP])
def test_it_matters_at_set_up(name: str, value: Any, tmp_path: Path) -> None:
    assert SETUP[name, value](tmp_path)


# --- nothing is forgotten ------------------------------------------------------------------------------------

ELSEWHERE = {"teams"}
"""Turned into each player's deck before the game hears of it: tests/batch."""


def test_every_parameter_and_every_choice_has_an_entry() -> None:
    tried = [(bite["parameter"], bite["value"]) for bite in BITES] + list(SETUP)
    rows = [row for row in describe(Parameters) if row["name"] not in ELSEWHERE]
    assert {name for name, _ in tried} == {row["name"] for row in rows}
    for row in rows:
        if row["type"] in ("choice", "bool"):
            values = {value for name, value in tried if name == row["name"]}
            missing = set(row["range"]) - {row["default"]} - values
            assert not missing, f"{row['name']}: nothing shows what {missing} does"
    left_out = [
        set(row["range"]) - set(value)
        for row in rows
        for n, value in tried
        if n == row["name"] == "persistent"
    ]
    assert [len(terrain) for terrain in left_out] == [1] * 4, "each lasting terrain on its own"
    assert len(set().union(*left_out)) == 4
