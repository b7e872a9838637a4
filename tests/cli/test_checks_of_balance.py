"""The checks of balance for a designer's own repository: the workflow is read, and its steps do what they say."""

from __future__ import annotations

import itertools
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from sim.cli import _run

pytestmark = pytest.mark.plain


NUMBERS = itertools.count(1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    name = f"hall-{next(NUMBERS)}"  # a game that was loaded is known by its name
    assert _run(["new-game", name, "--plain", "--ci"]) == 0
    monkeypatch.chdir(tmp_path / name)
    return Path()


def steps(folder: Path) -> list[dict[str, Any]]:
    text = (folder / ".github" / "workflows" / "balance.yml").read_text()
    (job,) = yaml.safe_load(text)["jobs"].values()
    return list(job["steps"])


def test_its_commands_play_judge_and_report(folder: Path, capsys: Any) -> None:
    whole = steps(folder)
    lines = [line.strip() for step in whole for line in str(step.get("run", "")).splitlines()]
    commands = [shlex.split(line.partition("||")[0]) for line in lines if line.startswith("whimbrel ")]
    assert [words[1] for words in commands] == ["check-game", "run", "assert", "report"]
    small = (folder / "health.toml").read_text().replace("[1000, 400]", "[40, 24]").replace("=20", "=2")
    (folder / "health.toml").write_text(small)
    for words in commands:
        assert _run([*words[1:], *(["--jobs", "1"] if words[1] == "run" else [])]) in (0, 1, 3), words
        assert not capsys.readouterr().err.startswith("whimbrel:")
    kept = next(step["with"]["path"].split() for step in whole if "upload" in str(step.get("uses")))
    assert kept == ["targets.xml", "targets.md", "report.html"]
    for name in kept:
        assert (folder / name).stat().st_size > 0, name


@pytest.mark.parametrize(("said", "exits"), [(0, 0), (1, 1), (3, 0), (2, 2)])
def test_refuted_fails_and_undecided_warns(folder: Path, said: int, exits: int, tmp_path: Path) -> None:
    (step,) = [step for step in steps(folder) if "assert" in str(step.get("run"))]
    stub = f"whimbrel() {{ echo told > targets.md; return {said}; }}\n"
    done = subprocess.run(
        ["bash", "-e", "-c", stub + step["run"]],
        env={"GITHUB_STEP_SUMMARY": str(tmp_path / "summary"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == exits
    assert (tmp_path / "summary").read_text() == "told\n"
    assert ("::warning::" in done.stdout) == (said == 3)


def test_a_game_that_is_there_gets_the_checks_only_and_nothing_is_written_over(
    folder: Path, capsys: Any
) -> None:
    (folder / ".github" / "workflows" / "balance.yml").unlink()
    assert _run(["new-game", ".", "--ci"]) == 2
    assert "'health.toml' is there already" in capsys.readouterr().err
    (folder / "health.toml").unlink()
    assert _run(["new-game", ".", "--ci"]) == 0
    assert 'game = "."' in (folder / "health.toml").read_text()
    Path("empty").mkdir()
    Path("empty", "notes.txt").write_text("nothing here")
    assert _run(["new-game", "empty", "--ci"]) == 2
    assert "holds no game" in capsys.readouterr().err
