"""The list of what can be asked: every function that it names exists, and every test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import analysis

TEXT = (Path(analysis.__file__).parent / "CATALOGUE.md").read_text(encoding="utf-8")
HERE = Path(__file__).parent
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if re.match(r"\| [A-Z]\d ", line)
]
IDS = {
    "F": 7,
    "P": 9,
    "B": 4,
    "D": 5,
    "V": 4,
    "C": 2,
    "T": 7,
    "S": 5,
    "M": 3,
    "R": 3,
    "X": 6,
    "H": 1,
    "G": 1,
    "A": 1,
}


def test_every_row_of_the_catalogue_stands_there_once() -> None:
    assert [row[0] for row in ROWS] == list(dict.fromkeys(row[0] for row in ROWS))
    assert {row[0] for row in ROWS} == {
        f"{kind}{n}" for kind, most in IDS.items() for n in range(1, most + 1)
    }
    assert len(ROWS) == 58


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_its_functions_and_its_test_exist(row: list[str]) -> None:
    _, question, functions, test = row
    assert question
    assert (functions.startswith("–")) == (test == "–"), "what is built has a test, and what is not has none"
    if test == "–":
        return
    for name in re.findall(r"`(\w+)`", functions):
        assert callable(getattr(analysis, name)), name
    file, _, name = test.strip("`").partition("::")
    text = (HERE / file).read_text(encoding="utf-8")
    assert not name or f"def {name}(" in text, test


def test_everyday_questions_have_one_call_each() -> None:
    calls = re.findall(r"\| `analysis\.(\w+)\(", TEXT)
    assert len(calls) == len(set(calls)) >= 10
    for name in calls:
        assert callable(getattr(analysis, name)), name


def test_no_public_function_is_left_out() -> None:
    """Who looks for a function of the chapters finds it in the list; loading and joining data is no question."""
    no_question = {"load", "Dataset", "Judge", "Refusal", "pool", "import_games", "stats", "plots", "report"}
    named = set(re.findall(r"`(?:analysis\.)?(\w+)", TEXT))
    left = set(analysis.__all__) - no_question - named
    assert left <= {
        "seats_among_equals",
        "rated_players",
        "held_adjusted",
        "under_stand_ins",
        "seat_level_effects",
    }
