"""`whimbrel new-game`, `check-game`, `new-bot`, `check-bot`: what they write is whole, what they refuse is one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.plug_ins import whimbrel

pytestmark = pytest.mark.plain


def lines_of(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Return what became of each promise."""
    found = [line.split(maxsplit=2) for line in done.stdout.splitlines() if ":" in line]
    return {name.rstrip(":"): state for state, name, *_ in found if name.endswith(":")}


@pytest.mark.parametrize("kind", [[], ["--plain"]], ids=["compiled", "plain"])
def test_a_new_game_is_whole(tmp_path: Path, kind: list[str]) -> None:
    done = whimbrel(tmp_path, "new-game", "mine/rock-hop", *kind)
    assert done.returncode == 0, done.stderr
    assert "whimbrel check-game ./mine/rock-hop" in done.stdout
    folder = tmp_path / "mine" / "rock-hop"
    left = [p for p in folder.rglob("*") if p.is_file() and "garden" in p.read_text().lower()]
    assert not left, "the template's own name is gone"
    done = whimbrel(tmp_path, "check-game", "./mine/rock-hop", "--quick", "--games", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"face", "set-up", "replay", "cases", "log"} <= {
        n for n, s in lines_of(done).items() if s == "kept"
    }
    done = whimbrel(tmp_path, "run", "mine/rock-hop/experiment.toml", "--games", "40", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    (data,) = (tmp_path / "runs").iterdir()
    done = whimbrel(tmp_path, "report", str(data), "-o", "page.html")
    assert done.returncode == 0, done.stderr
    assert "Rock hop" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("kind", [[], ["--plain"]], ids=["compiled", "plain"])
def test_the_tests_of_a_new_game_pass(tmp_path: Path, kind: list[str]) -> None:
    assert whimbrel(tmp_path, "new-game", "hop", *kind).returncode == 0
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path / "hop",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["new-game", "full"], "'full' is there already and not empty"),
        (["new-game", "new", "--name", "migration"], "there is a game called 'migration' already"),
        (["new-game", "new", "--name", "json"], "there is a Python package called 'json'"),
        (["new-game", "new", "--name", "4 kings"], "a game cannot be called '4 kings'"),
        (["new-bot", "full"], "a bot is a Python file"),
        (["check-game", "migratoin"], "there is no game 'migratoin'; did you mean 'migration'"),
        (["check-game", "./nowhere"], "there is no file or folder './nowhere'"),
        (["check-game", "migrato", "--players", "3"], "is for 2 to 2"),
        (["check-bot", "greddy"], "there is no bot 'greddy'; did you mean 'greedy'"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, arguments: list[str], line: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thing.txt").write_text("x")
    done = whimbrel(tmp_path, *arguments)
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), done.stderr + done.stdout
    assert line in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("kind", [[], ["--plain"]], ids=["compiled", "plain"])
def test_a_new_bot_keeps_its_promises(tmp_path: Path, kind: list[str]) -> None:
    assert whimbrel(tmp_path, "new-bot", "mine.py", *kind).returncode == 0
    asked = ("check-bot", "./mine.py", "--game", "migrato", "--games", "1", "--quick")
    done = whimbrel(tmp_path, *asked)
    assert done.returncode == 0, done.stdout + done.stderr
    assert lines_of(done) == {"choice": "kept", "stream": "kept", "blind": "kept", "compiled": "-"}


FAULTS = {
    "choice": "return actions[0] + 1000",
    "stream": "import random\n\n        return random.choice(view.actions)",
    "blind": "return view.actions[sum(map(int, view._table[0]['hand'].reshape(-1))) % len(view.actions)]",
}
