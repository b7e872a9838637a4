"""A data set keeps a copy of a game that was named by its place; where that game is installed too, they are one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.core import game
from sim.core.errors import Refusal

TEXT = """
from sim.plain import PlainGame


class Game(PlainGame):
    name = "pebbles"

    def setup(self, t):
        t.ask(0)

    def actions(self, t, seat):
        return [1, 2]

    def apply(self, t, seat, action):
        t.points[seat] += action
        t.end()
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the game "pebbles" as `pip install -e` does: a folder on the path, with an entry point."""
    site = tmp_path / "site"
    info = site / "whimbrel_pebbles-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "whimbrel_pebbles.py").write_text(TEXT)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: whimbrel-pebbles\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[whimbrel.games]\npebbles = whimbrel_pebbles:Game\n")
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    game._installed.cache_clear()
    yield site
    sys.modules.pop("whimbrel_pebbles", None)
    game._installed.cache_clear()


@pytest.mark.parametrize("first", ["copy", "installed"])
def test_a_copy_is_the_installed_game(installed: Path, tmp_path: Path, first: str) -> None:
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "whimbrel_pebbles.py").write_text(TEXT)
    if first == "installed":
        version = game.get_game("pebbles").rules_version
    copy = game.get_game("./whimbrel_pebbles.py", tmp_path / "inputs")
    known = game.get_game("pebbles")
    assert copy.rules_version == known.rules_version
    if first == "installed":
        assert known.rules_version == version


def test_another_game_of_that_name_is_refused(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TEXT.replace("[1, 2]", "[1, 3]"))
    with pytest.raises(
        Refusal, match="calls itself 'pebbles', and there is a game of that name with other sources"
    ):
        game.get_game("./mine.py", tmp_path)
