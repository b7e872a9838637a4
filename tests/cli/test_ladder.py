"""`whimbrel ladder`: every bot meets every other, from all seats; ratings, costs, report."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from sim.batch import ladder
from sim.batch.experiment import read_experiment
from sim.batch.ladder import ladder_experiment
from sim.batch.plan import make_plan
from sim.cli import _run as run_command
from sim.core.errors import Refusal

RUNGS = "--bot random --bot greedy --bot flat:playouts=4 --bot flat:playouts=8"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def whimbrel(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run_command(shlex.split(line))
    out, err = capsys.readouterr()
    return code, out, err


def test_a_ladder_is_played_rated_and_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"ladder numbers {RUNGS} --games 20 --jobs 1 -o rungs"
    code, out, _ = whimbrel(line, capsys)
    assert code == 0
    rows = out.splitlines()
    assert rows[0].split()[:2] == ["bot", "rating"]
    assert {row.split()[0] for row in rows[1:5]} == {"random", "greedy", "flat:playouts=4", "flat:playouts=8"}
    assert rows[-1] == "next: whimbrel report rungs"
    costs = json.loads((here / "rungs" / "costs.json").read_text())["cpu_ms_per_decision"]
    assert set(costs) == {row.split()[0] for row in rows[1:5]}
    assert all(cost > 0 for cost in costs.values())
    code, out, _ = whimbrel("report rungs --only ladder", capsys)
    page = (here / "rungs" / "report.html").read_text()
    assert code == 0
    assert "The ladder of play" in page
    assert "from flat:playouts=4 to flat:playouts=8" in page
    code, out, _ = whimbrel(f"{line} --json", capsys)  # nothing is missing: the same games are rated again
    assert [r["bot"] for r in json.loads(out)["rungs"]] == [row.split()[0] for row in rows[1:5]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ladder numbrs", "there is no game 'numbrs'; did you mean 'numbers'?"),
        ("ladder numbers --bot greedy", "a ladder needs at least two different bots"),
        ("ladder numbers --bot greedy --bot gredy", "there is no bot 'gredy'; did you mean 'greedy'?"),
        ("ladder numbers --games 0", "--games must be at least 1, not 0"),
    ],
)
def test_what_cannot_be_done_is_one_line(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = whimbrel(line, capsys)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


def test_with_an_odd_number_of_players_each_bot_has_the_extra_seat_once() -> None:
    tables = ladder_experiment("migration", ["a", "b"], games=1, players=3)["vary"]["players.bots"]
    assert tables == [["a", "b", "a"], ["b", "a", "b"], ["a"] * 3, ["b"] * 3]
    with pytest.raises(Refusal):
        ladder_experiment("migration", ["a", "a"], games=1)


def test_each_bot_is_timed_at_its_own_games(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, str]] = []

    def play(task: Any, chunk: Any, specs: Any) -> None:
        played.append((task.key, specs[0].opponents))

    monkeypatch.setattr(ladder, "play", play)
    monkeypatch.setattr(ladder, "CPU_SECONDS", 0.0)
    names = ["random", "greedy", "flat:playouts=4"]
    costs = ladder.costs(make_plan(read_experiment(ladder_experiment("numbers", names, games=1))))
    assert list(costs) == names
    assert [who for _, who in played] == names
    assert len({key for key, _ in played}) == 3  # a worker remembers prepared cells by this key
