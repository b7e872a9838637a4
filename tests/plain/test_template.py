"""What `whimbrel new-game --plain` begins with is a whole game."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from sim.batch.check_files import check_file
from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from sim.batch.runner import run

TEMPLATE = Path(__file__).parents[2] / "sim" / "templates" / "plain_game"


def _made(folder: Path) -> Path:
    for file in TEMPLATE.iterdir():
        if file.is_file():
            text = file.read_text().replace("NAME", "fools").replace("TITLE", "Fools and Kings")
            (folder / file.name.replace("NAME", "fools")).write_text(text)
    return folder


def test_its_cases_hold_and_its_experiment_can_be_played(tmp_path: Path) -> None:
    folder = _made(tmp_path)
    results = check_file(folder / "cases.toml", str(folder / "fools.py"))
    assert len(results) == 2
    assert not [result for result in results if result.problem]
    plan = make_plan(read_experiment(str(folder / "experiment.toml")))
    assert plan.game.title == "Fools and Kings"
    assert [cell.parameters["handicap"] for cell in plan.cells] == [0, 1, 2]


def test_a_case_that_does_not_hold_says_what_lies_there(tmp_path: Path) -> None:
    folder = _made(tmp_path)
    case = folder / "cases.toml"
    case.write_text(case.read_text().replace("points = [0, 2]", "points = [2, 0]"))
    (result, _) = check_file(case, str(folder / "fools.py"))
    assert "points: wanted [2, 0], found [0, 2]" in result.problem
    case.write_text(case.read_text().replace("position = { hands", "position = { hand"))
    (result, _) = check_file(case, str(folder / "fools.py"))
    assert "there is no 'hand' on the table; did you mean 'hands'?" in result.problem


def test_the_game_of_the_guide_can_be_played(tmp_path: Path) -> None:
    guide = (TEMPLATE.parents[2] / "CONTRIBUTING.md").read_text()
    (block,) = [part for part in guide.split("```python\n")[1:] if "(PlainGame)" in part]
    (tmp_path / "high_card.py").write_text(block.partition("```")[0])
    data = {"name": "guide", "game": "./high_card.py", "games": 40, "vary": {"handicap": [0, 3]}}
    folder = run(read_experiment(data, base=tmp_path), tmp_path / "run", jobs=1).folder
    seats = pl.read_parquet(folder / "seats" / "*.parquet").filter(pl.col("seat") == 1)
    shares = seats.group_by("cell").agg(pl.col("win_share").mean()).sort("cell")["win_share"]
    assert shares[1] > 0.9 > shares[0]
