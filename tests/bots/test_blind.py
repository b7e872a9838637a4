"""Every bot in every game, with drafts, secret cards, oaths and trades, sees no more than its seat may."""

from __future__ import annotations

from typing import Any

import pytest

from sim.checks.blind import Bot, check_blind
from sim.checks.table import Broken, Report, make_cell
from sim.core import bots
from sim.core.game import get_game
from tests.bots.odd import odd_bots

QUICK: dict[str, dict[str, Any]] = {
    "flat": {"playouts": 24, "horizon": 2, "width": 8},
    "search": {"playouts": 24, "horizon": 1, "sample": 6, "width": 8},
}
"""Options that make a decision cheap; honest or not does not hang on the budget."""
SETTINGS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "migration": ("migration", 2, {"bans": "random 3"}),
    "migration, three players": ("migration", 3, {}),
    "draft and oaths": ("migration", 2, {"draft": True, "oaths": True, "bans": "random 2"}),
    "draft of four": ("migration", 4, {"draft": True}),
    "era and oaths": ("migration", 3, {"age_mode": "era", "oaths": True}),
    "agenda and built teams": ("migration", 2, {"age_mode": "agenda", "teams": "bot"}),
    "founder's bot": ("migration", 2, {"map": "founder-bot"}),
    "migrato": ("migrato", 2, {}),
    "drifting lands": ("drifting_lands", 2, {}),
    "drifting lands, four": ("drifting_lands", 4, {}),
    "mars": ("mars", 2, {}),
    "mars, four": ("mars", 4, {}),
}
EVERY = {"migrato": 12, "drifting_lands": 9, "mars": 60}
"""Long games are asked now and then."""


def all_bots() -> list[Bot]:
    return [(name, QUICK.get(name, {})) for name in bots.bot_names()]


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_no_bot_looks_at_what_it_cannot_see(setting: tuple[str, int, dict[str, Any]]) -> None:
    name, players, parameters = setting
    game, report = get_game(name), Report()
    cell = make_cell(game, ["random"], players, parameters)
    check_blind(game, cell, all_bots(), [1, 2], report, EVERY.get(name, 1))
    assert report.compared > 10
    assert report.redrawn > report.compared / 5, "something was hidden (least in Mars)"


@pytest.mark.soak
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_no_bot_looks_for_long(setting: tuple[str, int, dict[str, Any]]) -> None:
    name, players, parameters = setting
    game = get_game(name)
    check_blind(game, make_cell(game, ["random"], players, parameters), all_bots(), range(3, 23), Report())


@pytest.mark.parametrize("name", ["migration", "draft of four", "agenda and built teams", "migrato"])
def test_a_search_that_plays_in_the_world_as_it_is_is_found_out(name: str) -> None:
    game_name, players, parameters = SETTINGS[name]
    game = get_game(game_name)
    with odd_bots():
        cell = make_cell(game, ["random"], players, parameters)
        cheat: list[Bot] = [("cheating_search", QUICK["search"] | {"playouts": 60})]
        with pytest.raises(Broken, match="bot 'cheating_search' looked at what it cannot see"):
            check_blind(game, cell, cheat, range(1, 7), Report())
