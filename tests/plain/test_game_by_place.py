"""A game is given by its file or folder, installed nowhere; a data set keeps a copy and goes on from it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import polars as pl
import pytest

from sim.batch.experiment import read_experiment
from sim.batch.replay import replay
from sim.batch.runner import run
from sim.batch.verify import verify
from sim.core.errors import Refusal
from sim.core.game import get_game

pytestmark = pytest.mark.plain
STONES = Path(__file__).parents[1] / "plug_ins" / "stones.py"
PROJECT = '[project.entry-points."whimbrel.games"]\nstones = "{package}.rules:GAME"\n'


def _folder(where: Path, package: str) -> Path:
    """Make a folder with a package of records and rules, and a project file that names the game."""
    inside = where / "mygame" / package
    inside.mkdir(parents=True)
    (inside / "__init__.py").touch()
    shutil.copy(STONES, inside / "rules.py")
    (where / "mygame" / "pyproject.toml").write_text(PROJECT.format(package=package))
    return where / "mygame"


def _run(game: str, base: Path, out: Path, **more: object) -> Path:
    data = {"name": "stones", "game": game, "games": 6, "players": {"bots": ["random"]}, **more}
    return run(read_experiment(data, base=base), out, jobs=1).folder


def test_a_folder_with_an_entry_point_is_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _folder(tmp_path, "stones_one")
    kept = _run("./mygame", tmp_path, tmp_path / "run")
    assert (kept / "inputs" / "mygame" / "stones_one" / "rules.py").is_file()
    assert read_experiment(str(kept / "experiment.toml")).game == get_game("./mygame", tmp_path).place
    assert verify(kept).problems == []
    assert str(tmp_path) not in (kept / "manifest.json").read_text() + (kept / "experiment.toml").read_text()
    assert not [entry for entry in sys.path if Path(entry) == folder]
    games = pl.read_parquet(kept / "games" / "*.parquet")
    assert replay(kept, 0)[-1].seat == -1
    assert set(games["ended"]) == {"finished"}


def test_a_run_goes_on_and_refuses_another_version_of_the_game(tmp_path: Path) -> None:
    shutil.copy(STONES, tmp_path / "heap.py")
    kept = _run("./heap.py", tmp_path, tmp_path / "run")
    assert pl.read_parquet(_run("./heap.py", tmp_path, kept, games=10) / "games" / "*.parquet").height == 10
    (tmp_path / "other").mkdir()
    text = STONES.read_text().replace("state.turn += 1", "state.turn += 2")
    (tmp_path / "other" / "heap.py").write_text(text)
    with pytest.raises(Refusal, match="holds another experiment"):
        _run("./heap.py", tmp_path / "other", kept, games=12)


def test_two_packages_of_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = get_game(str(_folder(tmp_path / "a", "stones_two")))
    same = _folder(tmp_path / "b", "stones_two")
    assert get_game(str(same)) is first
    (same / "stones_two" / "more.py").write_text("MORE = 1\n")
    other = tmp_path / "c" / "mygame"
    shutil.copytree(same, other)
    with pytest.raises(Refusal, match="a module called 'stones_two' is loaded already"):
        get_game(str(other))
