"""Every parameter changes something: a test that fails when a parameter is ignored, or new and not thought of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.checks.table import Table
from sim.core.errors import Refusal
from sim.core.params import describe
from sim.games.migration.board import Board
from sim.games.migration.board_text import load_map, print_drawing
from sim.games.migration.rules.params import PIECES, SWITCHES, Parameters
from sim.games.migration.rules.state import CHOOSE, SPLIT, TURN
from tests.games.bites import assert_nothing_is_forgotten, bites
from tests.games.deals import MIGRATION, board_of, cell

SEEDS = range(40)


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


def cards(**parameters: Any) -> list[int]:
    """Return the card that comes first, deal by deal."""
    box = cell(2, **parameters)
    return [int(Table(MIGRATION, box, seed).state["deck"][0]) for seed in SEEDS]


def drafted(**parameters: Any) -> Any:
    """Return a few drafted deals after their Draft, when the first Town may be placed: hands and pools."""
    box = cell(2, draft=True, **parameters)
    hands, pools = [], []
    for seed in range(8):
        table = Table(MIGRATION, box, seed)
        while table.state["phase"] in (SPLIT, CHOOSE):
            actions = table.actions()
            table.play(actions[-1 if table.state["phase"] == SPLIT else 0])  # lopsided, the first pile taken
        hands.append(table.state["hand"][:2].copy())
        pools.append(table.state["pool"][:2].copy())
    return np.array(hands), np.array(pools)


def groups(**parameters: Any) -> list[list[int]]:
    """Return how many pieces of each Explorer lie in the groups of a Draft, deal by deal."""
    box = cell(4, draft=True, **parameters)
    found = []
    for seed in range(5):
        state = Table(MIGRATION, box, seed).state
        codes = [int(group) >> 4 * k & 15 for group in state["groups"][: state["n_groups"]] for k in range(5)]
        found.append([codes.count(code) for code in range(len(PIECES))])
    return found


def own_cards(folder: Path) -> set[int]:
    path = folder / "cards.toml"
    path.write_text('[card."Lean Years"]\nswitches = ["famine", "no_migration"]\n')
    box = cell(2, age_mode="scenario", age="Lean Years", age_file=str(path))
    return {int(Table(MIGRATION, box, seed).state["switches"]) for seed in range(3)}


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
    ("age", "Strife"): lambda _: (
        len(set(cards(age_mode="scenario"))) == 9
        and Table(MIGRATION, cell(2, age_mode="scenario", age="Strife"), 1).state["active_card"] == 8
    ),
    ("age_cards", "Famine, Strife"): lambda _: (
        set(cards(age_mode="era", age_cards=["Famine", "Strife"])) == {0, 1}
        and {
            int(Table(MIGRATION, cell(2, age_mode="era", age_cards=["Famine"]), seed).state["deck_size"])
            for seed in SEEDS
        }
        == {1}
    ),
    ("age_file", "cards.toml"): lambda folder: (
        own_cards(folder) == {1 << SWITCHES.index("famine") | 1 << SWITCHES.index("no_migration")}
    ),
    ("draft", True): lambda _: (
        Table(MIGRATION, cell(2), 1).state["phase"] == TURN
        and Table(MIGRATION, cell(2, draft=True), 1).state["phase"] == SPLIT
    ),
    ("draft_cap", "pool"): lambda _: (
        drafted()[0].sum(axis=2).max() == 12
        and drafted(draft_cap="pool")[0].sum(axis=2).max() > 12
        and (drafted(draft_cap="pool")[0] == drafted(draft_cap="pool")[1]).all()
    ),
    ("draft_bass", "extra"): lambda _: (
        set(drafted()[1].sum(axis=(1, 2))) == {32}
        and set(drafted(draft_bass="extra")[1].sum(axis=(1, 2))) == {30}
        and drafted(draft_bass="extra")[0].sum(axis=2).max() == 13
    ),
    ("draft_bans", "void"): lambda _: (
        not any(found[4] for found in groups(bans=["Fly"]))
        and all(found[4] == 6 for found in groups(bans=["Fly"], draft_bans="void"))
        and not drafted(bans=["Fly"], draft_bans="void")[1][:, :, 4].any()
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
    assert_nothing_is_forgotten("migration", Parameters, SETUP, ELSEWHERE)
    left_out = [
        set(row["range"]) - set(value)
        for row in describe(Parameters)
        for name, value in (*SETUP, *((bite["parameter"], bite["value"]) for bite in bites("migration")))
        if name == row["name"] == "persistent"
    ]
    assert [len(terrain) for terrain in left_out] == [1] * 4, "each lasting terrain on its own"
    assert len(set().union(*left_out)) == 4
