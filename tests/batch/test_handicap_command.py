"""`whimbrel handicap` on the game of numbers, whose first seat gets a bonus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
    assert _run([*line, "-o", str(tmp_path / "turned"), "--turn", "bonus=0..4"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["found"]
    assert one["values"] == [0.0]


@pytest.mark.parametrize(
    ("turn", "said"),
    [("bnous=0..4", "did you mean 'bonus'"), ("pace", "is no number"), ("bonus=1", "is no range")],
)
def test_bad_numbers_are_one_line(tmp_path: Path, turn: str, said: str, capsys: Any) -> None:
    path = tmp_path / "bonus.toml"
    path.write_text(TEXT)
    assert _run(["handicap", str(path), "--turn", turn]) == 2
    assert said in capsys.readouterr().err
