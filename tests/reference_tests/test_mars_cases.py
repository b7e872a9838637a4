"""The plain referee on the worked cases of Migration: Mars."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.reference.mars_cases import for_referee, load, run

FILES = sorted((Path(__file__).parents[1] / "cases" / "mars").glob("*.toml"))
CASES = [case for path in FILES for case in load(path)]
BEGUN = [case for case in CASES if for_referee(case)]


@pytest.mark.parametrize("case", BEGUN, ids=lambda case: case["id"])
def test_referee_mars_case(case: dict[str, Any]) -> None:
    assert not run(case)


def test_referee_mars_runs_most_cases() -> None:
    assert len(BEGUN) > 0.9 * len(CASES)


def test_referee_mars_wrong_cases_fail() -> None:
    case: dict[str, Any] = {"position": {"A": "M 2 S 2 | reserve Tunnel"}}
    assert run(case | {"before": {"includes": ["build Mine -3,0"]}})
    assert run(case | {"before": {"illegal": "build Tunnel -3,0"}})
    assert run(case | {"before": {"legal": ["roll"]}})
    assert run(case | {"before": {"capacity": {"A": 3}}})
    assert run(case | {"illegal": "build Tunnel -3,0"})
    assert run(case | {"do": ["build Mine -3,0"]})
    done = case | {"do": ["build Tunnel -3,0"]}
    assert run(done | {"after": {"A": "M 1"}})
    assert run(done | {"after": {"A": "reserve Tunnel"}})
    assert run(done | {"after": {"board_lacks": ["-3,0 A:Tunnel"]}})
    assert run(done | {"chance": ["roll 1"]})
    assert not run(
        done | {"after": {"A": "M 2 | reserve -", "board_has": ["-3,0 A:Tunnel"], "capacity": {"A": 2}}}
    )
