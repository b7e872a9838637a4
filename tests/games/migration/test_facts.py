"""Facts of Migration that only it has."""

from __future__ import annotations

import pytest

from sim.core.game import get_game
from sim.core.params import nested
from sim.games.migration.rules.params import Parameters

pytestmark = pytest.mark.plain

GAME = get_game("migration")


def test_explorers_belong_to_books_and_sets() -> None:
    assert [piece["group"] for piece in GAME.facts("pieces")] == ["Book I"] * 5 + ["Forest"] * 3 + [
        "Desert"
    ] * 3


def test_set_counts_and_their_alternatives_leave_a_team_after_three_bans() -> None:
    (row,) = (row for row in GAME.stand_ins() if row["name"] == "set_counts")
    for setting in ({}, *row["alternatives"]):
        counts = Parameters.model_validate(nested(setting)).model_dump(by_alias=True)["set_counts"]
        assert sum(sorted(counts.values())[:-3]) >= 12
