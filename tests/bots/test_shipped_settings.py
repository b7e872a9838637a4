"""Settings that come with the games: every entry is one that the bot takes at that game, and tells what made it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sim.games
from sim.batch.engine import get_game
from sim.core import bots

pytestmark = pytest.mark.plain
FILES = sorted(Path(sim.games.__path__[0]).glob("*/play/*.toml"))


def test_games_come_with_settings() -> None:
    assert len(FILES) >= 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]} {file.stem}")
def test_the_bot_takes_its_settings_at_the_game(file: Path) -> None:
    game: Any = get_game(file.parts[-3])
    found = bots.settings_of(game, file.stem)
    assert found.entries
    for entry in found.entries:
        assert set(entry) <= {"set", "players", "when", "made", "options", "weights"}
        assert entry["made"].strip()
        name = entry.get("set", "shipped")
        players = entry.get("players", [2])
        assert all(game.min_players <= count <= game.max_players for count in players)
        wanted = {**entry.get("options", {}), **({"weights": entry["weights"]} if "weights" in entry else {})}
        assert wanted
        bots.check_options(file.stem, wanted, game)
        cell = SimpleNamespace(players=players[0], parameters=entry.get("when", {}))
        got = bots.settled(game, file.stem, {"set": name}, cell)
        assert {key: got[key] for key in wanted} == wanted
