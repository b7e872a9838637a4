"""Every worked case in tests/cases/drifting_lands holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.games.drifting_lands.cases import check_file

FILES = sorted((Path(__file__).parents[1] / "cases" / "drifting_lands").glob("*.toml"))


def test_there_are_cases() -> None:
    assert sum(len(check_file(path)) for path in FILES) > 80


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_worked_cases(path: Path) -> None:
    results = check_file(path)
    failed = [
        f"{result.id} ({result.title}): {'; '.join(result.problems)}" for result in results if not result.ok
    ]
    assert not failed, "\n".join(failed)


WRONG = """
game = "drifting_lands"
[[case]]
id = "1"
board = "disk 3"
players = 2
position = { land = "0,0 1,0", A = "pawns 1,0:3 | hand Splitting" }
before.legal = ["Splitting 0,0 E"]
before.illegal = "Splitting 0,0 E"
before.scores = { A = 1 }
[[case]]
id = "2"
board = "disk 3"
players = 2
position = { land = "0,0 1,0", A = "pawns 1,0:3 | hand Splitting" }
do = ["Splitting 0,0 E", "part 1,0"]
after.land = "[0,0 1,0]"
after.A = "pawns 1,0:3"
after.ended = true
[[case]]
id = "3"
board = "disk 3"
players = 2
position = { land = "0,0 1,0", A = "pawns 1,0:3 | hand Splitting" }
do = ["Drifting 0,0 E"]
"""


def test_a_wrong_case_fails(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(WRONG)
    one, two, three = check_file(path)
    assert (len(one.problems), len(two.problems), len(three.problems)) == (3, 3, 1)
    assert "not legal here" in three.problems[0]
