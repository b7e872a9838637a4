"""Drifting Lands keeps the contract of games; hidden hands stay hidden."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from sim.games.drifting_lands.game import GAME
from tests.conformance import Report, check_game, check_hidden, make_cell

SETTINGS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "chosen starts": (2, 3, {}),
    "drawn starts": (2, 4, {"start_continents": "drawn", "lever": "both"}),
    "other readings": (
        2,
        3,
        {
            "start_continents": "by seat",
            "continents_merge": False,
            "ultra": "both",
            "split_parts": "any",
            "decline": True,
            "expelling": "may remove",
            "tile_value": "printed",
        },
    ),
    "teams": (4, 4, {"start_continents": "by seat", "team_variety": True, "map": "gondwana"}),
}


def with_players(few: int, most: int) -> Any:
    game = copy.copy(GAME)
    game.min_players, game.max_players = few, most
    return game


@pytest.mark.parametrize("name", SETTINGS)
def test_it_keeps_the_contract(name: str) -> None:
    few, most, parameters = SETTINGS[name]
    report = check_game(with_players(few, most), parameters=[parameters], games=4)
    assert report.decisions > 500
    assert report.compared > 200


@pytest.mark.soak
@pytest.mark.parametrize("name", SETTINGS)
def test_it_keeps_the_contract_for_long(name: str) -> None:
    few, most, parameters = SETTINGS[name]
    check_game(with_players(few, most), parameters=[parameters], games=60)


def test_reading_the_hands_of_others_is_found_out() -> None:
    """A redraw that moves a card that really is in a hand reads what is hidden."""

    def peek(rules: Any, state: Any, seat: int, stream: Any) -> None:
        for other in range(int(state["players"])):
            held = np.flatnonzero(state["hand"][other])
            left = np.flatnonzero(state["deck"][other])
            if other != seat and len(held) and len(left):
                for place, change in (("hand", -1), ("deck", 1)):
                    state[place][other][held[0]] += change
                    state[place][other][left[-1]] -= change

    cell = make_cell(GAME, ["random", "greedy"], 2, {"start_continents": "by seat"})
    check_hidden(GAME, cell, [1], Report())
    with pytest.raises(AssertionError, match="reads hidden things"):
        check_hidden(GAME, cell, [1], Report(), redraw=peek)
