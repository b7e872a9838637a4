"""`whimbrel balance` on the game of numbers, whose first seat gets a bonus: played, proved, written, gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sim.batch.experiment import read_experiment
from sim.cli import _run

pytestmark = pytest.mark.plain

BASE = """
game = "numbers"
name = "uneven"
[players]
bots = ["greedy"]
[vary]
bonus = [1.5, 0.0]
quick = [true, false]
pace = ["slow", "fast"]
"""


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    (tmp_path / "uneven.toml").write_text(BASE)
    (tmp_path / "targets.toml").write_text("seat = 0.04\nturns = [6, 9]\n")
    files = [str(tmp_path / "uneven.toml"), "--targets", str(tmp_path / "targets.toml")]
    return ["balance", *files, "-o", str(tmp_path / "out"), "--jobs", "1", "--json"]


def test_the_bonus_is_found_proved_and_written(line: list[str], tmp_path: Path, capsys: Any) -> None:
    assert _run([*line, "--games", "80", "--proof", "800"]) == 0
    told = json.loads(capsys.readouterr().out)
    best = told["proposals"][0]
    assert (told["verdict"], best["name"]) == ("proven", "bonus 1.5 → 0.0")
    assert told["now"]["verdict"] == "refuted"
    assert {n["what"] for n in best["numbers"]} == {
        "seat, Seat A, 2 players",
        "turns, turns, 2 players",
    }
    written = read_experiment(tmp_path / "out" / "proposal-1.toml")
    assert written.fixed["bonus"] == 0.0
    assert not written.vary
    manifests = [
        json.loads((path / "manifest.json").read_text()) for path in sorted((tmp_path / "out").glob("*-1"))
    ]
    assert len({m["seed"] for m in manifests}) == 2  # the proof is on seeds of its own
    page = (tmp_path / "out" / "report.html").read_text()
    assert "bonus 1.5 → 0.0: every target is met" in page
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*/games/*")}
    assert _run([*line, "--games", "80", "--proof", "800"]) == 0
    assert json.loads(capsys.readouterr().out) == told
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*/games/*")} == before


def test_targets_may_stand_in_the_experiment(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "uneven.toml"
    path.write_text(BASE)
    assert _run(["balance", str(path)]) == 2
    assert "there is no target" in capsys.readouterr().err
    path.write_text(BASE.replace("pace = [", "# pace = [") + "[judge]\nseat = 0.06\n")
    more = ["-o", str(tmp_path / "out"), "--jobs", "1", "--games", "60", "--proof", "600", "--json"]
    assert _run(["balance", str(path), *more]) == 0
    assert json.loads(capsys.readouterr().out)["proposals"][0]["settings"]["bonus"] == 0.0


@pytest.mark.parametrize(
    ("base", "targets", "said"),
    [
        (BASE.partition("[vary]")[0], "seat = 0.03", "there is nothing in it"),
        (BASE + '"players.bots" = [["greedy"], ["random"]]\n', "seat = 0.03", "not who plays"),
        (BASE, "minuets = [1, 2]", "did you mean 'minutes'"),
        (BASE, "[judge]\nseat = 0.03\n[change]\nwroth = 2", "which [vary] does not change"),
        (BASE, "seats = 0.03", "did you mean 'seat'"),
        (BASE, "turns = [5, 8]\n'turns.90%' = [12, 20]", "contradict each other"),
        (BASE, "seat = 0.001", "cannot be decided within 80 games of a proposal"),
        (BASE, "minutes = [5, 9]", "names a pace"),
    ],
)
def test_bad_input_is_one_line(
    line: list[str], tmp_path: Path, base: str, targets: str, said: str, capsys: Any
) -> None:
    (tmp_path / "uneven.toml").write_text(
        base.replace('bots = ["greedy"]', "") if "players.bots" in base else base
    )
    (tmp_path / "targets.toml").write_text(targets)
    assert _run([*line, "--games", "20", "--proof", "20"]) == 2
    errors = [text for text in capsys.readouterr().err.splitlines() if text.startswith("whimbrel: ")]
    assert len(errors) == 1
    assert said in errors[0]


def test_the_dearest_tier_looks_before_it_proves(tmp_path: Path, capsys: Any) -> None:
    """Three sets of seeds: those of the search, of a first look with the dearest tier, and of the proof."""
    path = tmp_path / "tiers.toml"
    tiers = '[tiers]\nbots = ["random", "greedy"]\ngames = [100, 50]\n'
    path.write_text(BASE.replace('[players]\nbots = ["greedy"]\n', tiers) + "[judge]\nseat = 0.06\n")
    more = ["-o", str(tmp_path / "out"), "--jobs", "1", "--games", "60", "--proof", "600", "--json"]
    assert _run(["balance", str(path), *more]) == 0
    assert json.loads(capsys.readouterr().out)["proposals"][0]["settings"]["bonus"] == 0.0
    told = {
        folder: json.loads((tmp_path / "out" / folder / "manifest.json").read_text())
        for folder in ("round-1", "dearest", "proof-1")
    }
    assert [sorted(m["bots_versions"]) for m in told.values()] == [["random"], ["greedy"], ["greedy"]]
    assert len({m["seed"] for m in told.values()}) == 3
    assert told["dearest"]["games_per_cell"] == 150  # a quarter of the proof's


def test_points_at_the_end_are_a_compensation(tmp_path: Path, capsys: Any) -> None:
    """The first seat's bonus may not be turned; what it gives is given to the other seat, and proved to be even."""
    path = tmp_path / "lean.toml"
    path.write_text(
        'game = "numbers"\n[parameters]\nbonus = 2.0\n[vary]\nquick = [true, false]\n[judge]\nseat = 0.06\n'
    )
    line = [
        "balance",
        str(path),
        "-o",
        str(tmp_path / "out"),
        "--jobs",
        "1",
        "--games",
        "60",
        "--proof",
        "600",
    ]
    assert _run([*line, "--points", "B=0..4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    best = told["proposals"][0]
    assert (best["name"], best["verdict"]) == ("seat_points.B 0 → 2", "proven")
    assert told["now"]["verdict"] == "refuted"
    manifest = json.loads((tmp_path / "out" / "round-1" / "manifest.json").read_text())
    assert len(manifest["experiment"]["variant"]) == 2  # five changes, of which one is played otherwise
    assert read_experiment(tmp_path / "out" / "variant-1.toml").fixed["bonus"] == 2.0
    for wrong in ("B", "2=1", "B=x", "B=-1..2"):
        assert _run([*line, "--points", wrong]) == 2
        assert "write a seat and its points" in capsys.readouterr().err
