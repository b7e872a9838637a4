"""`[stop]`: planned batches until all that is asked is decided; the same rows however they are played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.batch import store
from sim.batch.experiment import read_experiment
from sim.cli import _run
from sim.core.errors import Refusal
from tests.batch.helpers import same_rows, tables

pytestmark = pytest.mark.plain

TEXT = """
game = "numbers"
name = "stopping"
games = 800
[players]
bots = ["greedy"]
[parameters]
bonus = {bonus}
[judge]
seat = 0.05
turns = [7, 9]
[stop]
when = ["seat", "turns"]
"""


def play(folder: Path, bonus: float, *more: str) -> dict[str, Any]:
    path = folder.parent / "stopping.toml"
    path.write_text(TEXT.format(bonus=bonus))
    assert _run(["run", str(path), "-o", str(folder), *more]) == 0
    return dict(json.loads((folder / "manifest.json").read_text())["stop"])


def test_a_clear_case_stops_early_and_any_way_of_playing_gives_the_same_rows(
    tmp_path: Path, capsys: Any
) -> None:
    told = play(tmp_path / "one", 2.5, "--jobs", "1")
    assert told["games"] == [100, 200, 400, 800]
    assert (told["look"], told["open"]) == (0, 0)
    assert "saved" in capsys.readouterr().err
    assert len(pl.read_parquet(tmp_path / "one" / "games" / "*.parquet")) == 100
    assert play(tmp_path / "one", 2.5, "--jobs", "1") == told  # again: nothing is missing
    assert play(tmp_path / "two", 2.5, "--jobs", "2") == told
    assert same_rows(tmp_path / "one", tmp_path / "two")
    assert _run(["report", str(tmp_path / "one"), "--only", "answer"]) == 0
    assert (
        "stopped at 100 of 800 games for each setting with all decided"
        in (tmp_path / "one" / "report.html").read_text()
    )


def test_a_case_at_the_edge_goes_on_to_the_cap(tmp_path: Path, capsys: Any) -> None:
    told = play(tmp_path / "out", 0.25, "--jobs", "1")
    assert told["look"] > 0
    assert told["alpha"] == pytest.approx(
        0.05 * (told["games"][told["look"]] - told["games"][told["look"] - 1]) / 800
    )
    path = str(tmp_path / "stopping.toml")
    capsys.readouterr()
    assert _run(["run", path, "-o", str(tmp_path / "out"), "--games", "3000", "--jobs", "1"]) == 2
    assert "looks are planned once" in capsys.readouterr().err


APART = """
game = "numbers"
name = "apart"
games = 1600
log = "games"
[vary]
bonus = [2.5, 0.25, 0.0]
[tiers]
bots = ["random", "greedy"]
games = [1600, 800]
[judge]
seat = 0.05
[stop]
when = ["seat"]
"""


def apart(folder: Path, *more: str, text: str = APART) -> dict[str, Any]:
    path = folder.parent / "apart.toml"
    path.write_text(text)
    assert _run(["run", str(path), "-o", str(folder), *more]) == 0
    return dict(json.loads((folder / "manifest.json").read_text()))


def counts(folder: Path) -> dict[int, int]:
    games = pl.read_parquet(folder / "games" / "*.parquet")
    return dict(sorted(games.group_by("cell").len().iter_rows()))


def test_settings_that_are_decided_get_no_more_games(tmp_path: Path, capsys: Any) -> None:
    """A clear setting ends at the first look, at both tiers; one at the edge goes on with the games it has anyway."""
    stop = apart(tmp_path / "one", "--jobs", "1")["stop"]
    said = capsys.readouterr().err
    assert "4 of 6 cells go on" in said
    assert "games of greedy (" in said
    assert {cell: stop["closed"][cell] for cell in ("0", "3")} == {"0": 200, "3": 200}
    played = counts(tmp_path / "one")
    assert (played[0], played[3]) == (200, 100)
    assert played[4] > 100  # the case at the edge
    assert pl.read_parquet(tmp_path / "one" / "cells.parquet")["games"].to_list() == list(played.values())
    apart(tmp_path / "fixed", "--jobs", "1", text=APART.partition("[stop]")[0])
    fixed = tables(tmp_path / "fixed")
    for name, mine in tables(tmp_path / "one").items():
        assert fixed[name].join(mine.select("game_id").unique(), on="game_id", how="semi").equals(mine), name
    assert _run(["verify", str(tmp_path / "one")]) == 0
    assert _run(["report", str(tmp_path / "one"), "--only", "answer"]) == 0
    assert "200 to 1,600 of 1,600 games for each setting" in (tmp_path / "one" / "report.html").read_text()


@pytest.mark.parametrize(
    "after", [pytest.param(1, marks=pytest.mark.soak), 3, pytest.param(6, marks=pytest.mark.soak)]
)
def test_killed_and_spread_over_workers_the_rows_are_the_same(
    tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    whole = apart(tmp_path / "one", "--jobs", "1")
    keep, count = store.append_commit, iter(range(10_000))

    def killed(folder: Path, entry: Any) -> None:
        if next(count) == after:
            raise KeyboardInterrupt
        keep(folder, entry)

    path = tmp_path / "apart.toml"
    monkeypatch.setattr(store, "append_commit", killed)
    assert _run(["run", str(path), "-o", str(tmp_path / "two"), "--jobs", "1"]) == 130
    monkeypatch.undo()
    again = apart(tmp_path / "two", "--jobs", "2")
    assert again["stop"] == whole["stop"]
    assert same_rows(tmp_path / "one", tmp_path / "two")
    assert _run(["compact", str(tmp_path / "two")]) == 0
    apart(tmp_path / "two", text=APART.partition("[stop]")[0])  # without [stop] all is played that is missing
    assert counts(tmp_path / "two") == {0: 1600, 1: 1600, 2: 1600, 3: 800, 4: 800, 5: 800}


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        ({"batch": 3}, "did you mean 'batches'"),
        ({"batches": 1}, "from 2 to 10"),
        ({"when": "seats"}, "did you mean 'seat'"),
        ({"when": ["piece.Bie"]}, "did you mean 'piece.Bee'"),
    ],
)
def test_bad_stops_are_refused(stop: dict[str, Any], said: str) -> None:
    with pytest.raises(Refusal) as refusal:
        read_experiment({"game": "numbers", "stop": stop})
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[judge]\n"seat.D" = [0.2, 0.3]', "line 6: 'judge.seat.D': no game has a Seat D; 2 play"),
        ("[judge]\nminutes = [15, 30]", "line 6: 'judge.minutes': neither [pace] nor the game says"),
        (
            '[judge]\n"seat.A" = [0.6, 0.7]\n"seat.B" = [0.6, 0.7]',
            "[judge]: 'seat.A' and 'seat.B' give away 120%",
        ),
        ('[stop]\nwhen = ["turns"]', "line 6: 'stop.when': [judge] says nothing of 'turns'"),
        (
            '[stop]\nwhen = ["piece"]\n[parameters]\nteams = "odd"\n[decks]\nodd = { Ant = 2, Bee = 2 }',
            "'piece' is never decided",
        ),
        ('log = "games"\n[stop]\nwhen = ["piece"]', "'piece' needs log = \"pieces\" at least"),
    ],
)
@pytest.mark.parametrize("command", ["run", "plan"])
def test_what_nothing_can_measure_is_refused_before_a_game_is_played(
    tmp_path: Path, command: str, more: str, said: str, capsys: Any
) -> None:
    path = tmp_path / "bad.toml"
    head = 'game = "numbers"\nname = "bad"\ngames = 20\nseed = 3\n'
    path.write_text(head + more + "\n")
    out = ["-o", str(tmp_path / "out")] if command == "run" else []
    assert _run([command, str(path), *out]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert (told.err.count("\n"), told.out) == (1, "")
    assert not (tmp_path / "out").exists()


def test_a_band_too_narrow_for_the_cap_is_told_after_the_first_batch(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "narrow.toml"
    path.write_text(TEXT.format(bonus=0.0).replace("seat = 0.05", "seat = 0.005"))
    assert _run(["run", str(path), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 0
    said = capsys.readouterr().err
    assert (
        said.count("cannot be decided within 800 games a cell: its band is too narrow for fewer than about")
        == 1
    )
    assert "the target of seat cannot" in said
