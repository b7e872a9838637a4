"""Planted truth for cycles against a ladder."""

from __future__ import annotations

import numpy as np
import pytest

import analysis
from tests.analysis.skill.test_planted_matchups import CIRCLE, field

LADDER = np.array([[0.5, 0.65, 0.8], [0.35, 0.5, 0.65], [0.2, 0.35, 0.5]])


def test_rock_paper_scissors_is_all_cycle_and_a_ladder_none() -> None:
    circle = analysis.cycles(field(CIRCLE, ["rock", "paper", "scissors"], 400)).row(0, named=True)
    assert circle["estimate"] > 0.9
    assert circle["low"] > 0.8
    assert circle["p"] < 0.001
    assert circle["cycle"] in ("rock > paper > scissors > rock", "paper > scissors > rock > paper")
    ladder = analysis.cycles(field(LADDER, ["a", "b", "c"], 400)).row(0, named=True)
    assert ladder["high"] < 0.1
    assert ladder["p"] > 0.01
    assert ladder["strongest"] == "a"
    assert ladder["rating"] == pytest.approx(0.225, abs=0.03)
    assert ladder["cycle"] == ""


def test_false_alarms_of_a_cycle_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores that are no ladder by chance alone: the test keeps its level."""
    monkeypatch.setattr("analysis.skill.cycles.DRAWS", 1)  # the interval is not what is asked here
    alarms = sum(
        analysis.cycles(field(LADDER, ["a", "b", "c"], 60, seed=s)).row(0, named=True)["p"] < 0.05
        for s in range(60)
    )
    assert alarms <= 8


def test_two_are_no_cycle() -> None:
    with pytest.raises(analysis.Refusal, match="takes three"):
        analysis.cycles(field(LADDER[:2, :2], ["a", "b"], 50))
