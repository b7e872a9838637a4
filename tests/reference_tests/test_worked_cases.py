"""The plain referees on the worked cases of all games."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.reference.drifting_lands import cases as drifting_lands_cases
from tests.reference.mars import cases as mars_cases
from tests.reference.migration import worked as migration_worked
from tests.reference.migrato import cases as migrato_cases

pytestmark = pytest.mark.plain

READERS: dict[str, ModuleType] = {
    "drifting_lands": drifting_lands_cases,
    "mars": mars_cases,
    "migration": migration_worked,
    "migrato": migrato_cases,
}
CASES = Path(__file__).parents[1] / "cases"


def everything(game: str) -> list[dict[str, Any]]:
    return [case for path in sorted((CASES / game).glob("*.toml")) for case in READERS[game].load(path)]


def begun(game: str) -> list[dict[str, Any]]:
    """Return the cases that the referee can begin where they do."""
    able = getattr(READERS[game], "for_referee", lambda case: True)
    return [case for case in everything(game) if able(case)]


ROWS = [pytest.param(game, case, id=f"{game}-{case['id']}") for game in READERS for case in begun(game)]


@pytest.mark.parametrize(("game", "case"), ROWS)
def test_referee_case(game: str, case: dict[str, Any]) -> None:
    assert not READERS[game].run(case)


@pytest.mark.parametrize("game", READERS)
def test_referees_run_most_cases_and_ids_are_unique(game: str) -> None:
    names = [case["id"] for case in everything(game)]
    assert len(set(names)) == len(names) > 80
    assert len(begun(game)) > 0.9 * len(names)


BASE: dict[str, dict[str, Any]] = {
    "drifting_lands": {
        "id": "wrong",
        "board": "disk 3",
        "position": {"land": "0,0 1,0", "A": "pawns 1,0:3 | hand Splitting"},
    },
    "mars": {"position": {"A": "M 2 S 2 | reserve Tunnel"}},
    "migration": {"map": "row 4", "position": "0,0 A:Bass*", "hands": {"A": "Rats Oak", "B": "Bass"}},
    "migrato": {"id": "wrong", "position": {"A": "hand K5 | columns [K3]"}},
}
SPLIT = ["Splitting 0,0 E", "part 1,0"]
WRONG: dict[str, list[dict[str, Any]]] = {
    "drifting_lands": [
        {"before": {"legal": ["Splitting 0,0 E"]}},
        {"before": {"illegal": "Splitting 0,0 E"}},
        {"before": {"includes": ["Splitting without effect"]}},
        {"before": {"scores": {"A": 1}}},
        {"illegal": "Splitting 0,0 E"},
        {"do": ["Drifting 0,0 E"]},
        {"do": SPLIT, "after": {"land": "[0,0 1,0]"}},
        {"do": SPLIT, "after": {"A": "pawns 1,0:3"}},
        {"do": SPLIT, "after": {"ended": True}},
    ],
    "mars": [
        {"before": {"includes": ["build Mine -3,0"]}},
        {"before": {"illegal": "build Tunnel -3,0"}},
        {"before": {"legal": ["roll"]}},
        {"before": {"capacity": {"A": 3}}},
        {"illegal": "build Tunnel -3,0"},
        {"do": ["build Mine -3,0"]},
        {"do": ["build Tunnel -3,0"], "after": {"A": "M 1"}},
        {"do": ["build Tunnel -3,0"], "after": {"A": "reserve Tunnel"}},
        {"do": ["build Tunnel -3,0"], "after": {"board_lacks": ["-3,0 A:Tunnel"]}},
        {"do": ["build Tunnel -3,0"], "chance": ["roll 1"]},
    ],
    "migration": [
        {"before": {"legal": ["pass"]}},
        {"before": {"legal_includes": ["expand Rats 3,0"]}},
        {"before": {"legal_excludes": ["expand Rats 1,0"]}},
        {"before": {"targets": {"Rats": ["1,0"]}}},
        {"before": {"scores": {"A": 2}}},
        {"before": {"hands": {"A": "Rats 2xOak"}}},
        {"before": {"spirits": {"A": "1,0"}}},
        {"illegal": "expand Rats 1,0"},
        {"do": ["expand Rats 3,0"]},
        {"do": ["expand Rats 1,0"], "after": {"position": "0,0 A:Bass ; 1,0 A:Oak*"}},
        {"do": ["expand Rats 1,0"], "after": {"over": True}},
        {"do": ["expand Rats 1,0"], "after": {"winner": "B"}},
    ],
    "migrato": [
        {"before": {"includes": ["play K5 on 1"]}},
        {"before": {"illegal": "play K5 new"}},
        {"before": {"legal": ["play K5 new"]}},
        {"illegal": "play K5 new"},
        {"do": ["play K5 on 1"]},
        {"do": ["play K5 new"], "after": {"A": "columns [K5]"}},
        {"do": ["play K5 new"], "after": {"counts": {"A": 1}}},
    ],
}
RIGHT: dict[str, dict[str, Any]] = {
    "drifting_lands": {"do": SPLIT, "after": {"land": "[0,0] [2,0]", "A": "pawns 2,0:3 | hand -"}},
    "mars": {
        "do": ["build Tunnel -3,0"],
        "after": {"A": "M 2 | reserve -", "board_has": ["-3,0 A:Tunnel"], "capacity": {"A": 2}},
    },
    "migration": {
        "do": ["migrate Rats 2,0", "pay Oak 1,0"],
        "after": {"position": "0,0 A:Bass ; 1,0 w ; 2,0 A:Rats*", "hands": {"A": ""}, "to_move": "B"},
    },
    "migrato": {"do": ["play K5 new"], "after": {"A": "columns [K3] [K5] | hand -"}},
}


@pytest.mark.parametrize("game", READERS)
def test_referee_wrong_cases_fail(game: str) -> None:
    for change in WRONG[game]:
        assert READERS[game].run(BASE[game] | change), change
    assert not READERS[game].run(BASE[game] | RIGHT[game])
