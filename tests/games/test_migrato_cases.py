"""Every worked case in tests/cases/migrato holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.games.migrato.cases import check_file

FILES = sorted((Path(__file__).parents[1] / "cases" / "migrato").glob("*.toml"))


def test_there_are_cases() -> None:
    assert sum(len(check_file(path)) for path in FILES) > 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_worked_cases(path: Path) -> None:
    results = check_file(path)
    failed = [
        f"{result.id} ({result.title}): {'; '.join(result.problems)}" for result in results if not result.ok
    ]
    assert not failed, "\n".join(failed)


def test_a_wrong_case_fails(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(
        'game = "migrato"\n[[case]]\nid = "1"\nposition = { A = "hand K5 S1 Xd", deck = "E2 B4D" }\n'
        'before.scores = { A = 1, B = 0 }\nbefore.illegal = "play K5 new"\n'
        '[[case]]\nid = "2"\nposition = { A = "hand K5 S1 Xd", deck = "E2 B4D" }\n'
        'do = ["play K5 new", "discard S1"]\nafter.A = "columns [K4]"\nafter.deck = "E2"\nafter.ended = true\n'
        '[[case]]\nid = "3"\nposition = { A = "hand K5" }\ndo = ["play K4 new"]\n'
    )
    one, two, three = check_file(path)
    assert (len(one.problems), len(two.problems), len(three.problems)) == (2, 3, 1)
    assert "not legal here" in three.problems[0]
