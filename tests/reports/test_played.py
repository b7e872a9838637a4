"""No finished report is older than its game's rules or its bots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sim.batch.experiment import read_experiment
from tests.reports import played

AT_HAND = ("greedy", "random")
"""Bots whose kernels every test run has; the games of the others are played by the long tests."""
BY_HAND = ("README.md", "verdicts-over-play.md", "scale.md", "speed.png")
"""Written from many data sets, or measured."""


@pytest.mark.plain
def test_every_finished_report_has_a_record() -> None:
    known = {file for name in played.names() for file in played.read(name).files}
    files = {path.name for path in played.REPORTS.iterdir() if path.is_file()} - set(BY_HAND)
    without = ", ".join(sorted(files - known))
    assert not without, f"no record of {without}: python -m tests.reports NAME DATA_SET FILE... --command ..."
    assert not known - files, "a record of a report that is not there"
    pages = "".join(path.read_text(encoding="utf-8") for path in played.REPORTS.glob("*.md"))
    for name in played.names():
        assert played.read(name).command in pages, f"no page of reports/ tells what makes {name}"
    for path in played.REPORTS.glob("*.html"):
        assert path.stat().st_size < 1_000_000, path.name


@pytest.mark.compiled
@pytest.mark.parametrize("name", played.names())
def test_games_go_as_in_the_report(name: str, tmp_path: Path) -> None:
    record = played.read(name)
    plan = played.plan_of(record, tmp_path)
    moved = played.moved(record, plan)
    others = played.otherwise(record, plan, AT_HAND) if moved else []
    assert not others, f"{name} is old ({', '.join(others)}); make it anew: {record.command}"


@pytest.mark.soak
@pytest.mark.parametrize("name", played.names())
def test_games_of_every_bot_go_as_in_the_report(name: str, tmp_path: Path) -> None:
    record = played.read(name)
    others = played.otherwise(record, played.plan_of(record, tmp_path))
    assert not others, f"{name} is old ({', '.join(others)}); make it anew: {record.command}"


@pytest.mark.plain
def test_another_rule_makes_a_report_old(tmp_path: Path) -> None:
    """The record of one rule, held against games under another one, and against a bot with other weights."""
    about = {"game": "migration", "seed": 3, "players": {"count": 2, "bots": ["greedy"]}, "games": 2}
    record = played.of_experiment(["a.html"], "whimbrel run a", read_experiment(about))
    assert played.write("a", record, tmp_path).is_file()
    record = played.read("a", tmp_path)
    plan = played.plan_of(record, tmp_path)
    assert played.moved(record, plan) == []
    assert played.otherwise(record, plan) == []
    other_bot = {**about["players"], "bots": ["greedy:weights.room=-3"]}  # type: ignore[dict-item]
    for change in ({"parameters": {"hand_size": 9}}, {"players": other_bot}):
        other = read_experiment({**about, **change}).canonical()
        changed = replace(record, experiment=other)
        assert played.otherwise(changed, played.plan_of(changed, tmp_path)), change
    old = replace(record, rules_version="1+00000000")
    assert played.moved(old, plan) == ["rules"]
