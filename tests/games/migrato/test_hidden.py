"""The hidden cards of Migrato stay hidden: a `determinize` that peeks is found out."""

from __future__ import annotations

from typing import Any

import pytest

from sim.checks.hidden import check_hidden
from sim.checks.table import Report, make_cell
from sim.core.game import get_game
from sim.core.rng import below

MIGRATO = get_game("migrato")


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
