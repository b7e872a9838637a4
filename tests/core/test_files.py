"""Parts of a game as files: those that come with it by name, a designer's own by path, tables of whole numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.core.errors import Refusal
from sim.core.files import Parts, read_numbers, read_part
from sim.core.game import Entrant, game_names, get_game

pytestmark = pytest.mark.plain

BIRDS = ("Kite", "Stilt", "Bee-eater")


def read_height(path: Path, where: str) -> int:
    return int(read_part(path, where, ("height",))["height"])


@pytest.fixture
def hills(tmp_path: Path) -> Parts[int]:
    folder = tmp_path / "hills"
    folder.mkdir()
    (folder / "low.toml").write_text("height = 1\n")
    (folder / "high.toml").write_text("height = 9\n")
    return Parts("hill", folder, read_height)


def test_parts_come_with_the_game_or_from_a_file(hills: Parts[int], tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("height = 4\n")
    assert hills.names() == ["high", "low"]
    assert hills.all() == {"high": 9, "low": 1}
    assert hills.load("own.toml", tmp_path) == 4
    assert hills.load(str(tmp_path / "own.toml")) == 4


def test_an_own_file_is_read_as_it_is_now(hills: Parts[int], tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("height = 4\n")
    assert hills.load("own.toml", tmp_path) == 4
    own.write_text("height = 5\n")
    assert hills.load("own.toml", tmp_path) == 5


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("hihg", "", "hill = 'hihg': there is no such hill; did you mean 'high'? (or name a .toml file)"),
        ("none.toml", "", "hill 'none.toml': No such file or directory"),
        ("own.toml", "heigth = 4", "hill 'own.toml': unknown key 'heigth'; did you mean 'height'?"),
        ("own.toml", "height = ", "hill 'own.toml': Invalid value"),
        ("own.toml", "\xff", "hill 'own.toml': not a text file in UTF-8 (byte 0)"),
    ],
)
def test_what_is_no_part_is_one_line(
    hills: Parts[int], tmp_path: Path, name: str, text: str, line: str
) -> None:
    (tmp_path / "own.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(Refusal) as caught:
        hills.load(name, tmp_path)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_tables_of_whole_numbers() -> None:
    table = {"kite": 3, "B": 0, "stilt": 12}
    found = read_numbers(table, BIRDS, "bird", "here", 12, short=("K", "S", "B"))
    assert found == {"Kite": 3, "Bee-eater": 0, "Stilt": 12}


@pytest.mark.parametrize(
    ("table", "line"),
    [
        (3, "here must be a table with a number for each bird"),
        ({"Kyte": 3}, "here: there is no bird 'Kyte'; did you mean 'Kite'?"),
        ({"Kite": 3, "K": 1}, "here: Kite is given twice"),
        ({"Kite": 13}, "here: Kite = 13 is no whole number from 0 to 12"),
        ({"Kite": -1}, "here: Kite = -1 is no whole number from 0 to 12"),
        ({"Kite": True}, "here: Kite = True is no whole number from 0 to 12"),
        ({"Kite": 1.0}, "here: Kite = 1.0 is no whole number from 0 to 12"),
    ],
)
def test_other_tables_are_refused(table: Any, line: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_numbers(table, BIRDS, "bird", "here", 12, short=("K", "S", "B"))
    assert str(caught.value) == line


@pytest.mark.parametrize("game", game_names())
def test_a_map_that_is_not_there_is_told_alike_in_every_game(game: str) -> None:
    found = get_game(game)
    if not found.maps():
        return
    players = found.min_players

    entrants = [Entrant(str(k), "random") for k in range(players)]
    for name, line in (
        ("nowhere", "map = 'nowhere': there is no such map (or name a .toml file)"),
        ("nowhere.toml", "map 'nowhere.toml': No such file or directory"),
    ):
        with pytest.raises(Refusal) as caught:
            found.prepare({"map": name}, players, entrants, Path())
        assert str(caught.value) == line
