"""`[stop]`: planned batches until all that is asked is decided; the same rows however they are played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.batch.experiment import read_experiment
from sim.cli import _run
from sim.core.errors import Refusal
from tests.batch.helpers import same_rows

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
