"""The plain referee on every worked case of Drifting Lands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.reference.drifting_lands_cases import load, run

FILES = sorted((Path(__file__).parents[1] / "cases" / "drifting_lands").glob("*.toml"))
CASES = [case for path in FILES for case in load(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_referee_case(case: dict[str, Any]) -> None:
    assert not run(case)


def test_referee_case_numbers_are_unique() -> None:
    numbers = [case["id"] for case in CASES]
    assert len(numbers) > 80
    assert len(set(numbers)) == len(numbers)


def test_referee_wrong_cases_fail() -> None:
    position = {"land": "0,0 1,0", "A": "pawns 1,0:3 | hand Splitting"}
    case: dict[str, Any] = {"id": "wrong", "board": "disk 3", "position": position}
    split = ["Splitting 0,0 E", "part 1,0"]
    assert run(case | {"before": {"legal": ["Splitting 0,0 E"]}})
    assert run(case | {"before": {"illegal": "Splitting 0,0 E"}})
    assert run(case | {"before": {"includes": ["Splitting without effect"]}})
    assert run(case | {"before": {"scores": {"A": 1}}})
    assert run(case | {"illegal": "Splitting 0,0 E"})
    assert run(case | {"do": ["Drifting 0,0 E"]})
    assert run(case | {"do": split, "after": {"land": "[0,0 1,0]"}})
    assert run(case | {"do": split, "after": {"A": "pawns 1,0:3"}})
    assert run(case | {"do": split, "after": {"ended": True}})
    assert not run(case | {"do": split, "after": {"land": "[0,0] [2,0]", "A": "pawns 2,0:3 | hand -"}})
