"""Designs as files: read, compared in one run, kept with the data set, told apart in words; what is wrong with one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.batch.differing import design_of, differences
from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from sim.batch.store import read_manifest
from sim.batch.verify import verify
from sim.cli import _run
from sim.core.errors import Refusal
from tests.batch.helpers import tables

pytestmark = pytest.mark.plain

RICH = """
name = "rich"
question = "What do dear pieces do?"
game = "numbers"

[parameters]
worth = 3
map = "mine.toml"
set_counts.Ant = 5

[decks]
ants = { Ant = 4 }
"""
COMPARED = {"name": "two", "games": 20, "vary": {"variant": ["base", "designs/rich.toml"]}}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "designs").mkdir()
    (tmp_path / "designs" / "rich.toml").write_text(RICH)
    (tmp_path / "designs" / "mine.toml").write_text("a = 1\n")
    return tmp_path


def rewritten(old: str, new: str, name: str = "rich") -> None:
    Path("designs", f"{name}.toml").write_text(RICH.replace(old, new))


def test_a_design_is_the_experiment_it_stands_in() -> None:
    whole = read_experiment({"variant": "designs/rich.toml", "vary": {"bonus": [0.0, 1.0]}})
    assert whole.game == "numbers"
    assert whole.fixed == {"worth": 3, "map": "designs/mine.toml", "set_counts.Ant": 5}
    assert whole.decks == {"ants": {"Ant": 4}}
    assert whole.files == {"mine.toml": "a = 1\n"}
    assert [cell.parameters["worth"] for cell in make_plan(whole).cells] == [3, 3]


def test_the_experiment_beats_the_design_that_it_stands_on() -> None:
    more = {"variant": "designs/rich.toml", "parameters": {"set_counts.Ant": 2}, "vary": {"worth": [1, 2]}}
    read = read_experiment(more)
    assert read.fixed == {"map": "designs/mine.toml", "set_counts.Ant": 2}
    assert read.vary == {"worth": [1, 2]}
    Path("poor.toml").write_text('game = "numbers"\n[parameters]\nworth = 0\n')
    both = read_experiment({"variant": "designs/rich.toml", "vary": {"variant": ["base", "poor.toml"]}})
    assert [settings["worth"] for _, settings in both.variants] == [3, 0]
    again = read_experiment(both.canonical(None))
    assert [cell.parameters["worth"] for cell in make_plan(again).cells] == [3, 0]


def test_two_designs_in_one_run_share_their_deals_and_the_data_set_needs_no_outside_file(
    tmp_path: Path,
) -> None:
    Path("two.toml").write_text('name = "two"\ngames = 20\n[vary]\nvariant = ["base", "designs/rich.toml"]\n')
    assert _run(["run", "two.toml", "-o", "data", "--jobs", "1"]) == 0
    games = tables(Path("data"))["games"]
    deals = [set(part["deal"]) for part in games.partition_by("cell")]
    assert len(deals) == 2
    assert deals[0] == deals[1]
    shutil.rmtree("designs")
    manifest = read_manifest(Path("data"))
    assert manifest["factors"] == ["variant", "map", "worth", "set_counts.Ant"]
    cells = pl.read_parquet("data/cells.parquet")
    assert cells["variant"].to_list() == ["base", "rich"]
    assert cells["map"].to_list() == ["plain", "mine.toml"]
    assert not verify(Path("data"), 10).problems
    assert _run(["run", "data/experiment.toml", "-o", "again", "--jobs", "1"]) == 0
    assert tables(Path("again"))["games"].equals(games)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "worth = 3",
            "wroth = 3",
            "rich.toml, line 7: 'wroth' is not a parameter of numbers; did you mean 'worth'?",
        ),
        ("Ant = 5", "Art = 5", "rich.toml, line 9: 'Art' is not in 'set_counts'; did you mean 'Ant'?"),
        (
            "mine.toml",
            "mime.toml",
            "rich.toml, line 8: there is no file 'mime.toml'; did you mean 'mine.toml'?",
        ),
        ("{ Ant = 4 }", "{ Amt = 4 }", "deck 'ants': there is no piece 'Amt'; did you mean 'Ant'?"),
        ('"numbers"', '"numbrs"', "rich.toml, line 4: there is no game 'numbrs'; did you mean 'numbers'?"),
        ("worth = 3", '"players.count" = 3', "belongs to an experiment, not to a variant"),
        (
            "[decks]",
            "[vary]\nworth = [1, 2]\n[decks]",
            "'vary' belongs to an experiment; a variant says name,",
        ),
        ("worth = 3", "worth = 300", "rich.toml, line 7: parameter 'worth':"),
        ('name = "rich"', 'name = "base"', "two variants are called 'base'"),
        ('game = "numbers"', "", "'game' is missing"),
        ('game = "numbers"', "game = numbers", "rich.toml, line 4: this is not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_design_is_said_with_its_place(old: str, new: str, said: str) -> None:
    rewritten(old, new)
    with pytest.raises(Refusal) as raised:
        make_plan(read_experiment(COMPARED))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {"vary": {"variant": ["base", "designs/rch.toml"]}},
            "no file 'designs/rch.toml'; did you mean 'rich.toml'?",
        ),
        ({"vary": {"variant": "designs/rich.toml"}}, "'variant' in [vary] lists files"),
        (
            {"parameters": {"worth": 1}},
            "'worth' is set in [parameters] and in 'rich.toml'; leave it in one of them",
        ),
        ({"variant": [{"name": "x"}]}, "variants are listed in [vary] and by [[variant]]"),
        ({"game": "migration"}, "variant 'rich' is a design of numbers, this is an experiment on migration"),
        ({"decks": {"ants": {"Ant": 9}}}, "deck 'ants' of variant 'rich' is another one elsewhere"),
        ({"vary": {"variant": ["designs/rich.toml", "designs/rich.toml"]}}, "two variants are called 'rich'"),
    ],
)
def test_what_does_not_go_together_is_one_line(more: dict[str, Any], said: str) -> None:
    with pytest.raises(Refusal) as raised:
        make_plan(read_experiment(COMPARED | more))
    assert said in str(raised.value)


def test_differences_are_told_with_what_they_mean() -> None:
    found = differences(design_of("numbers"), design_of("designs/rich.toml"))
    assert [one.line() for one in found] == [
        "map: plain -> mine.toml   (plain, narrow (2 players), a file, or 'drawn')",
        "worth: 1 -> 3   (points a piece's number)",
        "set_counts.Ant: 3 -> 5   (copies of each piece)",
        "ants: none -> 4 Ant",
    ]
    assert [one.part for one in found] == ["numbers", "numbers", "pieces", "decks"]


def test_a_data_set_is_the_design_it_was_played_by(capsys: Any) -> None:
    assert _run(["run", "designs/rich.toml", "-o", "data", "--jobs", "1", "--games", "20"]) == 0
    capsys.readouterr()
    assert _run(["diff", "data", "designs/rich.toml"]) == 0
    assert capsys.readouterr().out == "data and designs/rich.toml are the same design\n"
    Path("designs/mine.toml").write_text("a = 2\n")  # the copy in the data set is what was played
    assert _run(["diff", "data", "designs/rich.toml", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(one["what"], one["before"], one["after"]) for one in told][-1] == ("map, a", "1", "2")
    manifest = Path("data/manifest.json")
    manifest.write_text(manifest.read_text().replace('"rules_version": "1+', '"rules_version": "0+'))
    assert _run(["diff", "data", "data"]) == 0
    capsys.readouterr()
    assert _run(["diff", "numbers", "data"]) == 1
    assert "version of the rules: 1+" in capsys.readouterr().out


def test_experiments_differ_in_how_they_are_played_too(capsys: Any) -> None:
    Path("a.toml").write_text('game = "numbers"\ngames = 10\n[vary]\nworth = [1, 2]\n')
    Path("b.toml").write_text('game = "numbers"\ngames = 10\n[vary]\nworth = [1, 3]\n[judge]\nseat = 0.01\n')
    assert _run(["diff", "a.toml", "b.toml"]) == 1
    out = capsys.readouterr().out
    assert "worth: 1, 2 -> 1, 3" in out
    assert "target seat: 0.02 -> 0.01" in out
    assert _run(["diff", "a.toml", "drifting_lands"]) == 1
    assert "game: numbers -> drifting_lands" in capsys.readouterr().out
    assert _run(["diff", "a.toml", "nubmers"]) == 2


def test_maps_are_told_by_what_lies_on_them(tmp_path: Path) -> None:
    Path("island.toml").write_text('game = "migration"\n[parameters]\nmap = "islands"\n')
    told = {
        one.what: (one.before, one.after)
        for one in differences(design_of("migration"), design_of("island.toml"))
    }
    assert told["map"] == ("default", "islands")
    assert told["Fertile"] == ("2", "0")
    Path("deck.toml").write_text('game = "drifting_lands"\n[parameters]\ndeck = "even"\nmap = "gondwana"\n')
    told = {
        one.what: (one.before, one.after)
        for one in differences(design_of("drifting_lands"), design_of("deck.toml"))
    }
    assert told["deck, counts.Drifting"] == ("3", "2")
    assert told["spaces"] == ("116", "95")
    Path("lab.toml").write_text('game = "mars"\n[parameters]\nmap = "lab"\n')
    told = {
        one.what: (one.before, one.after) for one in differences(design_of("mars"), design_of("lab.toml"))
    }
    assert told["craters"] == ("8", "0")


def test_designs_are_compared_and_played_by_path(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("late.toml").write_text('game = "numbers"\n[parameters]\nbonus = 3.0\n')
    line = [
        "compare",
        "numbers",
        "late.toml",
        "--games",
        "200",
        "--jobs",
        "1",
        "--primary",
        "first seat",
        "--json",
    ]
    assert _run(line) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rows"][0]["verdict"], told["rows"][0]["paired"]) == ("differs", True)
    assert _run(["check", "late.toml"]) == 0
    Path("mars.toml").write_text('game = "mars"\n')
    assert _run(["compare", "mars.toml", "late.toml"]) == 2
    assert "two games" in capsys.readouterr().err


def test_balance_chooses_among_designs_and_writes_its_proposals_as_designs(
    tmp_path: Path, capsys: Any
) -> None:
    Path("fair.toml").write_text('game = "numbers"\n[parameters]\nbonus = 0.0\n')
    Path("uneven.toml").write_text(
        'game = "numbers"\n[parameters]\nmap = "designs/mine.toml"\n'
        '[vary]\nvariant = ["base", "fair.toml"]\nquick = [true, false]\n'
        "[judge]\nseat = 0.05\n"
    )
    line = ["balance", "uneven.toml", "-o", "out", "--jobs", "1", "--games", "60", "--proof", "800", "--json"]
    assert _run(line) == 0
    best = json.loads(capsys.readouterr().out)["proposals"][0]
    assert best["settings"] == {"variant": "fair", "quick": True}
    design = read_experiment("out/variant-1.toml")
    assert (design.fixed["bonus"], design.fixed["map"]) == (0.0, "inputs/mine.toml")
    assert make_plan(design).cells[0].parameters["bonus"] == 0.0
    assert make_plan(read_experiment("out/proposal-1.toml")).cells[0].parameters["bonus"] == 0.0
    assert (
        read_experiment({"vary": {"variant": ["base", "out/variant-1.toml"]}})
        .variants[1][0]
        .startswith("uneven-1")
    )


def test_a_plain_game_lies_beside_its_design(tmp_path: Path, capsys: Any) -> None:
    game = Path(__file__).parents[1] / "plain" / "games" / "duel.py"
    shutil.copy(game, tmp_path / "designs" / "cards.py")
    Path("designs/few.toml").write_text('game = "./cards.py"\n[parameters]\nhand = 2\n"copies.Knight" = 2\n')
    assert _run(["run", "designs/few.toml", "-o", "data", "--jobs", "1", "--games", "20"]) == 0
    capsys.readouterr()
    assert _run(["diff", "./designs/cards.py", "designs/few.toml"]) == 1
    out = capsys.readouterr().out
    assert "copies.Knight: 4 -> 2" in out
    assert "hand: 4 -> 2   (cards dealt to each)" in out
    shutil.rmtree("designs")
    assert not verify(Path("data"), 5).problems
