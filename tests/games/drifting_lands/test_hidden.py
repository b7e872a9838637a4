"""Hidden hands of Drifting Lands stay hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.checks.hidden import check_hidden
from sim.checks.table import Report, make_cell
from sim.games.drifting_lands.game import GAME


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
