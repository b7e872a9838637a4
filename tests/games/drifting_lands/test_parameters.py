"""Every parameter of Drifting Lands changes something: a test that fails when one is ignored, or not thought of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.checks.table import Table, make_cell
from sim.core.errors import Refusal
from sim.games.drifting_lands.board import MAPS
from sim.games.drifting_lands.cases import run_case
from sim.games.drifting_lands.game import GAME
from sim.games.drifting_lands.rules.params import CARDS, Parameters
from tests.games.bites import assert_nothing_is_forgotten

pytestmark = pytest.mark.plain

DATA = Path(__file__).parents[2] / "data"
SEEDS = range(60)


# --- set-up --------------------------------------------------------------------------------------------------


def cell(**parameters: Any) -> Any:
    nested: dict[str, Any] = {}
    for key, value in parameters.items():
        name, dot, inner = key.partition(".")
        if dot:
            nested.setdefault(name, {})[inner] = value
        else:
            nested[name] = value
    return make_cell(GAME, ["random"], 2, nested)


def refusal(**parameters: Any) -> str:
    """Return "" when a cell can be made, else why not."""
    try:
        cell(**parameters)
    except Refusal as problem:
        return str(problem)
    return ""


def deck(**parameters: Any) -> list[int]:
    box = cell(**parameters)
    return [int(n) for n in box.entrants["drifting_lands_deck"][0]]


def points(**parameters: Any) -> list[int]:
    return [int(n) for n in cell(**parameters).rules["points"][0]]


def assigned(lever: str) -> set[int]:
    """Return by how many cards the decks of a range of deals differ from the usual 24."""
    box = cell(lever=lever)
    return {int(n) - 24 for s in SEEDS for n in Table(GAME, box, s).state["given"][:2].sum(axis=1)}


def own_map(folder: Path) -> str:
    """Write a map whose continents have 8, 7, 7 and 6 tiles."""
    text = (MAPS.folder / "devonian.toml").read_text()
    path = folder / "own.toml"
    path.write_text(text.replace(". 1 1 1 . .", ". 1 1 1 1 .", 1).replace(". 4 4 4 . .", ". 4 4 . . .", 1))
    return str(path)


def parts_listed(limit: int) -> int:
    """Return how many parts of a flower are offered in one direction."""
    from sim.games.drifting_lands.cases import Table as CaseTable

    position = {"land": "flower(0,0)", "A": "pawns 0,0:1 | hand Splitting"}
    case = {"board": "disk 4", "parameters": {"split_list": limit}, "position": position}
    table = CaseTable(case, "here", DATA)
    assert table.do("Splitting 0,0 E") is None
    return len(table.actions())


TRIED: dict[tuple[str, Any], Callable[[Path], bool]] = {
    ("map", "gondwana"): lambda _: (
        int(cell().rules["n_spaces"][0]) != int(cell(map="gondwana").rules["n_spaces"][0])
    ),
    ("equal_continents", False): lambda folder: (
        "has 8 tiles, there must be 7" in refusal(map=own_map(folder))
        and not refusal(map=own_map(folder), equal_continents=False)
    ),
    ("unused_cards", 9): lambda _: "leaves 8 unused, not 9" in refusal(unused_cards=9) and not refusal(),
    ("deck", "land"): lambda _: deck() != deck(deck="land"),
    ("lever", "withheld"): lambda _: assigned("none") == {0} and assigned("withheld") == {0, -1},
    ("lever", "given"): lambda _: assigned("given") == {0, 1},
    ("lever", "both"): lambda _: assigned("both") == {0, 1, -1},
    ("split_list", 2): lambda _: parts_listed(256) > 2 == parts_listed(2),
    **{
        (f"counts.{card}", 6): lambda _, k=k, card=card: (
            deck()[k] != 6 == deck(**{f"counts.{card}": 6}, unused_cards=8 + 6 - deck()[k])[k]
        )
        for k, card in enumerate(CARDS)
    },
    **{
        (f"points.{card}", 7): lambda _, k=k, card=card: (
            points()[k] != 7 == points(**{f"points.{card}": 7})[k]
        )
        for k, card in enumerate(CARDS)
    },
}


@pytest.mark.parametrize(("name", "value"), TRIED, ids=[f"{name}={value}" for name, value in TRIED])
def test_it_matters_at_set_up(name: str, value: Any, tmp_path: Path) -> None:
    assert TRIED[name, value](tmp_path)


def test_points_score_when_a_card_is_left_unused() -> None:
    case = {"id": "x", "board": "line 3", "position": {"A": "deck 2xOrogeny Drifting"}}
    for value, wanted in ((2, 5), (4, 9)):
        own = {**case, "parameters": {"points.Orogeny": value}, "after": {"scores": {"A": wanted}}}
        assert run_case(own, "here", DATA).problems == []


def test_drawn_starts_differ_from_deal_to_deal() -> None:
    box = cell(start_continents="drawn")
    starts = [Table(GAME, box, seed).state["start"][:2].tolist() for seed in SEEDS]
    assert {a for a, _ in starts} == {0, 1, 2, 3}
    assert all((a + 2) % 4 == b for a, b in starts), "two players start in opposite corners"
    free = cell(start_continents="drawn", two_player_start="any")
    others = [Table(GAME, free, seed).state["start"][:2].tolist() for seed in SEEDS]
    assert len({tuple(pair) for pair in others}) == 12
    assert all(a != b for a, b in others)


# --- nothing is forgotten ------------------------------------------------------------------------------------


def test_every_parameter_and_every_choice_has_an_entry() -> None:
    assert_nothing_is_forgotten("drifting_lands", Parameters, TRIED)


def test_counts_of_a_cell_are_those_in_force() -> None:
    flat = cell(deck="flat", **{"points.Moving": 3}).parameters
    assert (flat["points.Moving"], flat["points.Mutating"], flat["counts.Moving"]) == (3, 1, 4)
    assert np.all([flat[f"counts.{card}"] >= 0 for card in CARDS])
