"""`whimbrel plan`: cost and reach of a run, tier by tier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sim.cli import _run

pytestmark = pytest.mark.plain

TEXT = """
game = "numbers"
name = "planned"
[players]
count = 2
[tiers]
bots = ["random", "greedy"]
games = [2000, 500]
[ask]
seats = true
"""


def test_reach_and_cost(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "planned.toml"
    path.write_text(TEXT)
    line = ["plan", str(path), "--seconds", "1", "--jobs", "1"]
    assert _run([*line, "--detect", "0.02", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["cells"], told["games"]) == (2, 2500)
    (seat,) = told["questions"]
    assert [tier["games"] for tier in seat["tiers"]] == [2000, 500]
    cheap, dear = (tier["effect"] for tier in seat["tiers"])
    assert dear == pytest.approx(2 * cheap)  # a quarter of the games
    assert 0.02 < cheap < 0.05
    assert seat["tiers"][0]["needed"] == pytest.approx(2000 * (cheap / 0.02) ** 2, rel=0.01)
    assert _run([*line, "--detect", "0.02"]) == 0
    out = capsys.readouterr().out
    assert "to see 2 points of greedy" in out
    assert "to prove ±2.0 points" in out
    assert not list(tmp_path.glob("*/manifest.json"))  # the pilot is thrown away


def test_what_is_compared_is_planned_too(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "planned.toml"
    path.write_text(TEXT.partition("[ask]")[0] + "[vary]\nworth = [1, 2]\n")
    assert _run(["plan", str(path), "--seconds", "1", "--jobs", "1", "--games", "40"]) == 0
    out = capsys.readouterr().out
    assert "seat change shows" in out
    assert "worth 2 against worth 1" in out
    assert "more than the 10 planned of greedy" in out


def test_a_bad_effect_is_one_line(tmp_path: Path, capsys: Any) -> None:
    assert _run(["plan", "quickstart", "--detect", "3"]) == 2
    assert "between 0 and 0.5" in capsys.readouterr().err
