"""`whimbrel handicap` on the game of numbers, whose first seat gets a bonus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sim.batch.experiment import read_experiment
from sim.cli import _run

pytestmark = pytest.mark.plain

TEXT = """
game = "numbers"
name = "bonus"
games = 400
[players]
bots = ["greedy"]
[parameters]
bonus = 2.0
[judge]
seat = 0.05
"""


def test_points_and_numbers_are_found_and_proved(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "bonus.toml"
    path.write_text(TEXT)
    line = ["handicap", str(path), "--jobs", "1", "--json"]
    assert _run([*line, "-o", str(tmp_path / "points")]) == 0
    told = json.loads(capsys.readouterr().out)
    (one,) = told["found"]
    assert one["values"] == [0.0, 2.0]  # what the bonus gives, nothing else tells the seats apart
    assert one["low"][1] <= 2 <= one["high"][1]
    assert told["verdict"] == "proven"
    assert told["proof"][0]["games"] == 1600
    seeds = {
        json.loads((tmp_path / "points" / part / "manifest.json").read_text())["seed"]
        for part in ("search", "proof")
    }
    assert len(seeds) == 2
    page = Path(told["report"]).read_text()
    assert "What handicap makes it even?" in page
    assert "give Seat B 2 points" in page
    assert page.count("<svg") >= 1
    assert "1,600 fresh games" in page
    (design,) = told["designs"]
    assert read_experiment(design).fixed == {"bonus": 2.0, "seat_points.B": 2.0}
    assert _run([*line, "-o", str(tmp_path / "turned"), "--turn", "bonus=0..4"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["found"]
    assert one["values"] == [0.0]


def test_a_handicap_that_is_asked_about(tmp_path: Path, capsys: Any) -> None:
    """The bonus is 2 points: these are proven, 3 are refuted, and few games leave it open and say how many would do."""
    path = tmp_path / "bonus.toml"
    path.write_text(TEXT)
    line = ["handicap", str(path), "--jobs", "1", "-o", str(tmp_path / "points")]
    assert _run([*line, "--prove", "2"]) == 0
    assert "give Seat B 2 points (2 to 2.5); shares" in capsys.readouterr().out
    assert _run([*line, "--prove", "B=3", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["proof"][0]["given"]) == ("refuted", [0, 3])
    page = Path(told["report"]).read_text()
    assert "give Seat B 3 points, as asked (found: Seat B 2 points (2 to 2.5))" in page
    assert "points, as asked" in page
    few = [*line[:-1], str(tmp_path / "few"), "--games", "40", "--proof", "200"]
    assert _run([*few, "--prove", "B=2"]) == 3
    out = capsys.readouterr().out
    assert "undecided even within 5 points; about" in out
    assert "more games would settle it" in out
    turned = [
        *line[:-1],
        str(tmp_path / "turned"),
        "--turn",
        "bonus=0..4",
        "--games",
        "100",
        "--proof",
        "400",
    ]
    assert _run([*turned, "--prove", "2"]) == 1
    assert "bonus = 2, as asked (found: bonus = 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--prove", "two"], "'two' is no handicap: points by seat, as in B=2"),
        (["--prove", "C=2"], "with 2 players there is no Seat C"),
        (["--prove", "inf"], "is no handicap"),
        (["--turn", "bonus=0..4", "--prove", "B=2"], "a value of 'bonus' is a number, not 'B=2'"),
    ],
)
def test_bad_handicaps_are_one_line(tmp_path: Path, more: list[str], said: str, capsys: Any) -> None:
    path = tmp_path / "bonus.toml"
    path.write_text(TEXT)
    assert _run(["handicap", str(path), "-o", str(tmp_path / "out"), *more]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("turn", "said"),
    [("bnous=0..4", "did you mean 'bonus'"), ("pace", "is no number"), ("bonus=1", "is no range")],
)
def test_bad_numbers_are_one_line(tmp_path: Path, turn: str, said: str, capsys: Any) -> None:
    path = tmp_path / "bonus.toml"
    path.write_text(TEXT)
    assert _run(["handicap", str(path), "--turn", turn]) == 2
    assert said in capsys.readouterr().err
