"""Facts of Drifting Lands that only it has."""

from __future__ import annotations

import pytest

from sim.games.drifting_lands.decks import DECKS
from sim.games.drifting_lands.game import GAME
from sim.games.drifting_lands.rules.params import CARDS, Parameters

pytestmark = pytest.mark.plain


def test_points_follow_the_deck() -> None:
    (row,) = (row for row in GAME.stand_ins() if row["name"] == "points")
    deck = DECKS.load(Parameters().deck)
    assert row["default"] == dict(zip(CARDS, deck.points))


def test_parameters_of_tables_stand_on_the_card_by_their_own_names() -> None:
    assert {row["name"] for row in GAME.card()["parameters"]} >= {"ultra", "points.Orogeny", "pawns.1"}
