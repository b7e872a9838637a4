"""The promises of the game: whimbrel check-game . says the same in words."""

from __future__ import annotations

from pathlib import Path

import sim
from sim.batch.check_files import check_file
from sim.core.game import get_game

HERE = Path(__file__).parent


def test_worked_cases() -> None:
    results = check_file(HERE / "cases.toml", str(HERE / "NAME.py"))
    assert results
    assert not [result for result in results if result.problem]


def test_games_end_and_are_played_again_alike(tmp_path: Path) -> None:
    data = {"name": "short", "game": str(HERE / "NAME.py"), "players": {"bots": ["random"]}}
    folder = sim.run(data, games=20, out=tmp_path / "short", jobs=1)
    steps = sim.replay(folder, 0)
    assert steps[-1].seat == -1
    assert get_game(str(HERE / "NAME.py")).name == "NAME"
