"""Migrato keeps the contract; bots and `determinize` that peek are found out."""

from __future__ import annotations

from typing import Any

import pytest

from sim.core.game import get_game
from sim.core.rng import below
from tests.conformance import Report, check_game, check_hidden, make_cell

MIGRATO = get_game("migrato")
SETTINGS: dict[str, dict[str, Any]] = {
    "printed": {},
    "digital": {"rules": "digital"},
    "forgetful": {"rules": "digital", "memory": 0.7, "incomplete_reveal": "return"},
    "free": {
        "left_out": "random 3",
        "mixed": "allowed",
        "hidden_check": "visible_only",
        "discard_memory": "top",
        "steal": "optional",
        "discard_stolen": False,
        "finish": "round",
    },
}


@pytest.mark.parametrize("parameters", SETTINGS.values(), ids=SETTINGS)
def test_migrato_keeps_the_contract(parameters: dict[str, Any]) -> None:
    report = check_game(MIGRATO, bots=("greedy", "greedy"), parameters=[parameters], games=6)
    assert report.decisions > 100
    assert report.compared > 40


@pytest.mark.soak
@pytest.mark.parametrize("parameters", SETTINGS.values(), ids=SETTINGS)
def test_migrato_keeps_the_contract_for_long(parameters: dict[str, Any]) -> None:
    check_game(MIGRATO, bots=("greedy", "greedy"), parameters=[parameters], games=60)


def test_shuffling_the_true_hidden_cards_is_found_out() -> None:
    """Rearranging the true cards of the deck lets an honest search see what it should not."""

    def shuffle(rules: Any, state: Any, seat: int, stream: Any) -> None:
        for k in range(int(state["deck_size"]) - 1, 0, -1):
            j = int(below(stream, k + 1))
            state["deck"][k], state["deck"][j] = int(state["deck"][j]), int(state["deck"][k])

    cell = make_cell(MIGRATO, ["greedy", "greedy"], 2)
    check_hidden(MIGRATO, cell, range(1, 4), Report())
    with pytest.raises(AssertionError, match="reads hidden things"):
        check_hidden(MIGRATO, cell, range(1, 4), Report(), redraw=shuffle)
