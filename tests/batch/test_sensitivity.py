"""Which numbers matter: what is screened, how far, and what a designer is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sim.batch import levers, sensitivity
from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from sim.cli import _run
from sim.core.errors import Refusal
from sim.core.params import describe
from tests.batch.fake_game import Parameters

pytestmark = pytest.mark.plain

BASE = """
name = "trial"
game = "numbers"
games = 300
[players]
bots = ["greedy"]
[parameters]
worth = 1
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "trial.toml"
    path.write_text(BASE)
    return path


def test_two_levels_lie_about_the_value_now() -> None:
    rows = {row["name"]: row for row in describe(Parameters)}
    assert levers.two_levels(rows["worth"], 1) == [0, 2]
    assert levers.two_levels(rows["worth"], 8) == [6, 9]  # a quarter of it, within the range
    assert levers.two_levels(rows["worth"], 0) == [0, 1]
    assert levers.two_levels(rows["quick"], True) == [True, False]
    assert levers.two_levels(rows["pace"], "fast") == ["fast", "slow"]
    assert levers.two_levels(rows["bonus"], 0.5) is None  # a number without a range
    assert levers.two_levels(rows["map"], "plain") is None
    assert levers.sweep_values(rows["worth"], [0, 3], 1) == [1, 0, 2, 3]
    assert levers.sweep_values(rows["pace"], ["slow", "fast"], "fast") == ["fast", "slow"]


def test_a_screen_is_played_and_the_strongest_is_swept_on_fresh_deals(
    base: Path, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "out"
    line = [
        "sensitivity",
        str(base),
        "-o",
        str(out),
        "--jobs",
        "1",
        "--games",
        "40",
        "--curves",
        "1",
        "--json",
    ]
    line += ["--parameters", "bonus=0.25..3", "--parameters", "pace quick set_counts.Bee set_counts.Ant"]
    assert _run(line) == 0
    told = json.loads(capsys.readouterr().out)
    found = {(r["factor"], r["measure"]) for r in told["effects"] if r["verdict"] == "differs"}
    assert ("bonus", "first seat") in found
    assert ("pace", "turns") in found
    assert not {factor for factor, _ in found} - {"bonus", "pace"}
    screen, curves = (json.loads((out / part / "manifest.json").read_text()) for part in ("screen", "curves"))
    assert [f["name"] for f in screen["screen"]["factors"]][:2] == ["bonus", "pace"]
    assert curves["experiment"]["design"] == "one-at-a-time"
    assert curves["experiment"]["vary"] == {"bonus": [0.5, 0.25, 0.9375, 1.625, 2.3125, 3.0]}
    assert curves["experiment"]["first_deal"] > 1_000_000
    page = (out / "report.html").read_text()
    assert "pace slow → fast matters" in page
    assert _run(line) == 0  # it goes on, and nothing is missing
    assert json.loads(capsys.readouterr().out)["effects"] == told["effects"]


def test_numbers_that_cannot_be_turned_are_left_out_and_said(base: Path) -> None:
    data = read_experiment(base)
    kept, left = levers.possible(data, {"worth": [1, 2], "map": ["plain", "nowhere"]})
    assert list(kept) == ["worth"]
    assert "map" in left[0]
    assert "unknown map" in left[0]
    screen = sensitivity.screening(base, ["numbers"], None, None)
    assert "worth: the experiment sets it" in screen.left_out
    assert list(screen.levels) == ["set_counts.Ant", "set_counts.Bee", "set_counts.Big Cow"]
    assert len(make_plan(screen.experiment).specs) == 8


def test_the_players_count_is_crossed_and_never_screened() -> None:
    data: dict[str, Any] = {"game": "numbers", "design": "screen"}
    data["vary"] = {
        "players.count": [2, 3, 4],
        **{k: [1, 2] for k in ("worth", "set_counts.Ant", "set_counts.Bee")},
    }
    specs = make_plan(read_experiment(data, games=4)).specs
    assert len(specs) == 24
    assert {spec.count for spec in specs[:8]} == {2}


BAD = (
    ({"vary": {"worth": [1, 2, 3]}}, "'worth' has 3 values; a screen sets two"),
    ({}, "needs [vary]"),
    ({"vary": {"worth": [1, 2]}, "skip_impossible": True}, "needs all its cells"),
    ({"vary": {"worth": [1, 2]}, "ask": {"seats": True}}, "has a question of its own"),
)


@pytest.mark.parametrize(("more", "said"), BAD)
def test_what_is_no_screen_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(Refusal) as refusal:
        read_experiment({"game": "numbers", "design": "screen", **more})
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("wroth", "did you mean 'worth'"),
        ("worth=3", "is no range"),
        ("bonus", "has no range of its own"),
        ("map=plain,nowhere", "unknown map"),
        ("worth=1..99", "worth"),
    ],
)
def test_bad_parameters_are_one_line(base: Path, named: str, said: str, capsys: Any) -> None:
    assert _run(["sensitivity", str(base), "--parameters", named]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
