"""Every parameter changes something in play: small positions, in data, for all games.

What only set-up shows is in the folders of the games, with the test that no parameter is forgotten.
"""

from __future__ import annotations

from typing import Any

import pytest

from sim.core.game import game_names
from tests.games.bites import bites, file_of, problems

pytestmark = pytest.mark.plain

BITES = [(game, bite) for game in game_names() if file_of(game).is_file() for bite in bites(game)]


@pytest.mark.parametrize(
    ("game", "bite"), BITES, ids=[f"{game}-{bite['parameter']}={bite['value']}" for game, bite in BITES]
)
def test_it_matters_in_play(game: str, bite: dict[str, Any]) -> None:
    changed = {bite["parameter"]: bite["value"]}
    assert problems(game, bite, "default", {}) == []
    assert problems(game, bite, "other", changed) == []
    assert problems(game, bite, "default", changed) != [], (
        "the default outcome holds with the other value too"
    )


def test_there_are_positions_for_every_game_of_ours() -> None:
    assert {game for game, _ in BITES} >= {"drifting_lands", "mars", "migration", "migrato"}
