"""Bots from outside: a file beside an experiment, an installed package; what is wrong with one is told in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sim
from sim.batch.toml_text import to_toml
from sim.core import bot_doors, bots
from sim.core.errors import Refusal
from sim.core.game import get_game

COMPILED_BOT = '''
"""The last action in the list, or one further from the front."""
import numpy as np

from helper import back
from sim.core.bots import Option

ABOUT = "takes one of the last actions"
OPTIONS = {"back": Option("int", 0, "how far from the last one", (0, 5))}


def choose(bot, options, rules, state, actions, n, stream, desk):
    return np.int64(max(n - back(options.back), 0))
'''
HELPER = """
from sim.core.jit import kernel


@kernel
def back(far):
    return far + 1
"""
PLAIN_BOT = '''
from sim.core.bots import Option


class Careful:
    """Takes the action after which it leads most in the mean of some worlds."""

    OPTIONS = {"worlds": Option("int", 2, "worlds to try each action in", (1, 100))}

    def choose(self, view):
        def lead(action):
            total = 0.0
            for _ in range(view.options["worlds"]):
                world = view.world()
                world.play(action)
                total += world.scores[view.seat] - max(s for k, s in enumerate(world.scores) if k != view.seat)
            return total

        return max(view.actions, key=lead)


class Wordy:
    """Says what it does in words."""

    def choose(self, view):
        assert len(view.words) == len(view.actions)
        return view.words[view.below(len(view.words))]


class Wrong:
    def choose(self, view):
        return "castle kingside"


class Broken:
    def choose(self, view):
        return view.actions[len(view.actions)]
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "last.py").write_text(COMPILED_BOT)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "plain.py").write_text(PLAIN_BOT)
    return tmp_path


def play(folder: Path, bots: list[str] | list[list[str]], games: int = 4, **more: Any) -> Path:
    where = {"vary": {"players.bots": bots}} if isinstance(bots[0], list) else {"players": {"bots": bots}}
    text = {"game": "migration", "name": "doors", "log": "decisions", **where, **more}
    (folder / "doors.toml").write_text(to_toml(text))
    return sim.run(folder / "doors.toml", games=games, out=folder / "data", jobs=1)


# --- bots that are compiled ----------------------------------------------------------------------------------


def test_a_bot_in_a_file_plays_with_its_options_varied(folder: Path) -> None:
    data = play(folder, [["./last.py", "random"], ["./last.py:back=2", "random"]])
    cells = pl.read_parquet(data / "cells.parquet")
    assert cells.height == 2
    rows = pl.read_parquet(data / "decisions").join(
        pl.read_parquet(data / "seats").select("game_id", "seat", "bot"), on=["game_id", "seat"]
    )
    assert set(rows["bot"].cast(pl.String).unique()) == {"last.py", "last.py:back=2", "random"}
    manifest = json.loads((data / "manifest.json").read_text())
    assert set(manifest["bots_versions"]) == {"last.py", "random"}
    assert str(folder) not in (data / "manifest.json").read_text(), "no path of this machine"
    assert {path.name for path in (data / "inputs").iterdir()} == {"helper.py", "last.py"}


def test_a_data_set_is_replayed_from_its_own_copy_of_the_bot(folder: Path) -> None:
    data = play(folder, ["./last.py", "greedy"])
    for name in ("last.py", "helper.py"):
        (folder / name).unlink()
    game_id = int(pl.read_parquet(data / "games")["game_id"][0])
    logged = pl.read_parquet(data / "decisions").filter(pl.col("game_id") == game_id)
    positions = sim.replay(data, game_id)
    real = [p.step.action for p in positions[:-1] if len(p.step.actions) > 1]
    assert real == logged.sort("ply")["action"].to_list()


def test_an_edited_bot_has_another_version(folder: Path) -> None:
    name, _ = bots.split_name("./last.py", folder)
    before = bots.bot_version(name, get_game("migration"))
    assert bots.shown(name) == "last.py"
    other = folder / "other"
    other.mkdir()
    for file in ("last.py", "helper.py"):
        (other / file).write_text((folder / file).read_text())
    same, _ = bots.split_name("last.py", other)
    assert bots.bot_version(same, get_game("migration")) == before, "wherever it lies"
    third = folder / "third"
    third.mkdir()
    (third / "last.py").write_text(COMPILED_BOT)
    (third / "helper.py").write_text(HELPER + "\n")
    edited, _ = bots.split_name("last.py", third)
    assert bots.bot_version(edited, get_game("migration")) != before, "also what it imports counts"


# --- plain classes -------------------------------------------------------------------------------------------


def test_a_plain_class_plays_and_is_no_fool(folder: Path) -> None:
    data = play(folder, ["./plain.py:Careful:worlds=1", "random"], games=8)
    seats = pl.read_parquet(data / "seats")
    shares = seats.group_by(pl.col("bot").cast(pl.String)).agg(pl.col("win_share").mean())
    assert dict(shares.iter_rows())["plain.py:Careful:worlds=1"] > 0.6


def test_a_plain_class_may_answer_in_words_and_is_repeated_exactly(folder: Path) -> None:
    data = play(folder, ["./plain.py:Wordy", "greedy"], games=2)
    again = play(folder / "data", ["./../plain.py:Wordy", "greedy"], games=2)
    lines = [pl.read_parquet(where / "games")["line"].to_list() for where in (data, again)]
    assert lines[0] == lines[1]


# --- what is wrong with a bot --------------------------------------------------------------------------------

WRONG: list[tuple[str, str]] = [
    (
        "./plain.py:Wrong",
        "seat [AB], bot 'plain.py:Wrong': chose 'castle kingside', which is no legal action",
    ),
    (
        "./plain.py:Broken",
        r"bot 'plain.py:Broken': raised plain.py, line \d+: IndexError: list index out of range",
    ),
    ("./plain.py", r"bot 'plain.py': name one of its classes \(Careful, Wordy, Wrong, Broken\)"),
    ("./plain.py:Carefull", "bot 'plain.py:Carefull': the file has no 'Carefull'; did you mean 'Careful'?"),
    ("./plain.py:Careful:world=3", "bot 'plain.py:Careful' has no option 'world'; did you mean 'worlds'?"),
    ("./plain.py:Careful:worlds=0", "bot 'plain.py:Careful': worlds = 0 is not between 1 and 100"),
    ("./missing.py", "bot './missing.py': there is no file './missing.py'"),
    ("./syntax.py", "bot 'syntax.py' cannot be loaded: syntax.py, line 2"),
    ("./raises.py", "bot 'raises.py' cannot be loaded: raises.py, line 1: ZeroDivisionError"),
    ("./nothing.py", "bot 'nothing.py': it has neither a function nor a class with a method 'choose'"),
    ("./old.py", r"bot 'old.py': choose takes \(bot, options, rules, state, actions, n, stream, desk\), not"),
    ("./types.py", "bot 'types.py': option 'depth' has no type 'integer'; did you mean 'int'?"),
    ("./far.py", "migration, seat [AB], bot 'far.py': chose number 1000, but actions are numbered 0 to"),
    ("gredy", "there is no bot 'gredy'; did you mean 'greedy'?"),
]
FILES = {
    "syntax.py": "def choose(bot):\n    return (\n",
    "raises.py": "x = 1 / 0\n",
    "nothing.py": "x = 1\n",
    "old.py": "def choose(bot, rules, state):\n    return 0\n",
    "types.py": "from sim.core.bots import Option\nOPTIONS = {'depth': Option('integer', 1, 'x')}\n"
    "def choose(bot, options, rules, state, actions, n, stream, desk):\n    return 0\n",
    "far.py": "def choose(bot, options, rules, state, actions, n, stream, desk):\n    return 1000\n",
}


@pytest.mark.parametrize(("name", "message"), WRONG, ids=[name for name, _ in WRONG])
def test_what_is_wrong_is_said_in_one_line(folder: Path, name: str, message: str) -> None:
    for file, text in FILES.items():
        (folder / file).write_text(text)
    with pytest.raises(Refusal, match=message) as error:
        play(folder, [name, "random"], games=2)
    assert "\n" not in str(error.value)
    assert str(folder) not in str(error.value)


def test_chunks_that_were_committed_stay(folder: Path) -> None:
    """A bot that fails late leaves what was played before."""
    (folder / "late.py").write_text(
        "class Late:\n"
        "    def choose(self, view):\n"
        "        if view.below(1500) == 0:\n"
        "            raise RuntimeError('out of ideas')\n"
        "        return view.actions[0]\n"
    )
    with pytest.raises(Refusal, match=r"bot 'late.py': raised late.py, line 4: RuntimeError: out of ideas"):
        play(folder, ["./late.py", "random"], games=4000, log="games")
    lines = (folder / "data" / "commits.jsonl").read_text().splitlines()
    assert lines, "the first chunk was committed"
    assert all(json.loads(line)["games"] for line in lines)


class _Point:
    """An entry point as installed packages have them."""

    def __init__(self, name: str, value: str, what: Any) -> None:
        self.name, self.value, self.what = name, value, what

    def load(self) -> Any:
        if isinstance(self.what, Exception):
            raise self.what
        return self.what


def test_installed_bots_are_found_and_a_broken_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.bots import random as module

    points = {
        "mine": _Point("mine", "my_package.bots", module),
        "broken": _Point("broken", "their_package:Bot", ImportError("no module named 'their_package'")),
    }
    monkeypatch.setattr(bot_doors, "_installed", lambda: points)
    bot_doors.kind_of.cache_clear()
    assert bots.bot_names()[-2:] == ["broken", "mine"]
    assert bots.describe("mine")["about"] == module.ABOUT
    with pytest.raises(
        Refusal, match=r"bot 'broken' \(their_package:Bot\) cannot be loaded: ImportError: no module"
    ):
        bots.describe("broken")
    card = {row["name"]: row for row in get_game("migration").card()["bots"]}
    assert "cannot be loaded" in card["broken"]["about"], "the others are listed all the same"
    assert card["greedy"]["options"]
    bot_doors.kind_of.cache_clear()


def test_worlds_are_copies(folder: Path) -> None:
    """Whatever a plain bot does in a world, the table stays as it is."""
    from sim.checks.table import Table, differing, make_cell
    from sim.core.plain_bots import View

    game = get_game("migration")
    table = Table(game, make_cell(game, ["random"], 2), 5)
    before = table.copy()
    view = View(game, table.rules, table.state, table.actions(), {}, np.ones(1, dtype=np.uint64))
    world = view.world()
    while not world.over:
        other = world.copy()
        other.play(other.actions[-1])
        world.play(world.words[0])
    assert world.actions == []
    assert not differing(before[0], table.state)
    assert set(view.world().features()) == set(game.features)
    assert isinstance(view.world().text, str)
