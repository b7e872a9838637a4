"""Every worked case in tests/cases/migration holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.games.migration.cases import check_file

FILES = sorted((Path(__file__).parents[1] / "cases" / "migration").glob("*.toml"))


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
        'game = "migration"\n[[case]]\nid = "1"\nmap = "0,0 1,0"\nposition = "0,0 A:Rats*"\n'
        'hands = { A = "Oak", B = "Bass" }\nbefore.scores = { A = 1 }\nbefore.illegal = "expand Oak 1,0"\n'
    )
    [result] = check_file(path)
    assert not result.ok
    assert len(result.problems) == 2
