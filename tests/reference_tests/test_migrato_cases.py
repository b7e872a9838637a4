"""The plain referee on every worked case of Migrato."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.reference.migrato_cases import load, run

FILES = sorted((Path(__file__).parents[1] / "cases" / "migrato").glob("*.toml"))
CASES = [case for path in FILES for case in load(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_referee_case(case: dict[str, Any]) -> None:
    assert not run(case)


def test_referee_case_numbers_are_unique() -> None:
    numbers = [case["id"] for case in CASES]
    assert len(set(numbers)) == len(numbers)


def test_referee_wrong_cases_fail() -> None:
    case: dict[str, Any] = {"id": "wrong", "position": {"A": "hand K5 | columns [K3]"}}
    assert run(case | {"before": {"includes": ["play K5 on 1"]}})
    assert run(case | {"before": {"illegal": "play K5 new"}})
    assert run(case | {"before": {"legal": ["play K5 new"]}})
    assert run(case | {"illegal": "play K5 new"})
    assert run(case | {"do": ["play K5 on 1"]})
    assert run(case | {"do": ["play K5 new"], "after": {"A": "columns [K5]"}})
    assert run(case | {"do": ["play K5 new"], "after": {"counts": {"A": 1}}})
    assert not run(case | {"do": ["play K5 new"], "after": {"A": "columns [K3] [K5] | hand -"}})
