"""What is hidden in Migration stays hidden: a bot that cheats and a `determinize` that peeks are found out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.checks.hidden import check_hidden
from sim.checks.table import Report, make_cell
from sim.core.game import get_game
from sim.core.rng import below
from tests.bots.odd import odd_bots

MIGRATION = get_game("migration")


def test_a_cheating_bot_is_found_out() -> None:
    with odd_bots():
        cell = make_cell(MIGRATION, ["peeking"], 2)
        with pytest.raises(AssertionError, match="bot 'peeking' looked at what it cannot see"):
            check_hidden(MIGRATION, cell, [1, 2], Report())


@pytest.mark.parametrize(
    ("bot", "parameters"),
    [
        ("peeking_groups", {"draft": True}),
        ("peeking_cards", {"age_mode": "agenda"}),
        ("peeking_cards", {"age_mode": "era"}),
        ("peeking_pools", {"draft": True}),
    ],
)
def test_a_bot_that_peeks_into_a_variant_is_found_out(bot: str, parameters: dict[str, Any]) -> None:
    """Face-down groups, pools of rivals, their Agenda, and the order of the deck are hidden."""
    with odd_bots():
        cell = make_cell(MIGRATION, [bot], 2, parameters)
        with pytest.raises(AssertionError, match=f"bot '{bot}' looked at what it cannot see"):
            check_hidden(MIGRATION, cell, [1, 2, 3], Report())


def test_shuffling_the_true_hidden_pieces_is_found_out() -> None:
    """Rearranging what rivals really hold lets an honest search see what it should not."""

    def shuffle(rules: Any, state: Any, seat: int, stream: Any) -> None:
        for rival in range(int(state["players"])):
            if rival != seat:
                hand = [p for p, n in enumerate(state["hand"][rival]) for _ in range(int(n))]
                paid = [p for p, n in enumerate(state["paid"][rival]) for _ in range(int(n))]
                both = hand + paid
                for k in range(len(both) - 1, 0, -1):
                    other = int(below(stream, k + 1))
                    both[k], both[other] = both[other], both[k]
                state["hand"][rival] = np.bincount(both[: len(hand)], minlength=11)
                state["paid"][rival] = np.bincount(both[len(hand) :], minlength=11)

    cell = make_cell(MIGRATION, ["random", "greedy"], 2)
    check_hidden(MIGRATION, cell, range(1, 6), Report())
    with pytest.raises(AssertionError, match="reads hidden things"):
        check_hidden(MIGRATION, cell, range(1, 6), Report(), redraw=shuffle)
