"""A run that takes no longer than starting workers is played without them; the rows are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.batch import brief, runner
from sim.batch.engine import warm_up
from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from tests.batch.helpers import same_rows


def short(games: int, bot: str = "random") -> Any:
    players = {"count": 2, "bots": [bot]}
    return read_experiment({"name": "short", "game": "migration", "games": games, "players": players})


def test_a_short_run_starts_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    parallel = runner._parallel

    def counted(task: Any, calls: Any, jobs: int, backend: str) -> Any:
        started.append(jobs)
        return parallel(task, calls, jobs, backend)

    monkeypatch.setattr(runner, "_parallel", counted)
    monkeypatch.setattr(runner, "_cores", lambda: 2)
    runner.run(short(400), tmp_path / "here")
    assert not started
    runner.run(short(400), tmp_path / "asked", jobs=2)
    assert started == [2], "who asks for workers gets them"
    assert same_rows(tmp_path / "here", tmp_path / "asked")


def test_many_games_or_dear_ones_are_not_brief() -> None:
    for bot in ("random", "search:playouts=2000"):
        plan = make_plan(short(100, bot))
        warm_up(plan.game, plan.bot_names, plan.experiment.log, plan.cells)
        assert brief.is_brief(plan, 200, plan.bot_names) == (bot == "random")
    assert not brief.is_brief(make_plan(short(100)), 100_000_000, ["random"])
