"""`whimbrel new-game`, `check-game`, `new-bot`, `check-bot`: what they write is whole, what they refuse is one line."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sim.cli import _run

pytestmark = pytest.mark.plain


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(capsys: pytest.CaptureFixture[str], line: str, code: int = 0) -> str:
    """Run a command in this process and return what it prints."""
    found = _run(shlex.split(line))
    out, errors = capsys.readouterr()
    assert found == code, out + errors
    return out if code < 2 else errors


def promises(text: str) -> dict[str, str]:
    """Return what became of each promise."""
    found = [line.split(maxsplit=2) for line in text.splitlines() if ":" in line]
    return {name.rstrip(":"): state for state, name, *_ in found if name.endswith(":")}


@pytest.mark.parametrize(("kind", "name"), [("", "rock-hop"), ("--plain", "rock-jump")])
def test_a_new_game_is_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    """It is written, keeps its promises, passes its own tests, is played where it lies, and ends in a report."""
    text = told(capsys, f"new-game mine/{name} {kind}")
    assert f"whimbrel check-game ./mine/{name}" in text
    folder = tmp_path / "mine" / name
    left = [p for p in folder.rglob("*") if p.is_file() and "garden" in p.read_text().lower()]
    assert not left, "the template's own name is gone"
    text = told(capsys, f"check-game ./mine/{name} --quick --games 2")
    assert {"face", "set-up", "replay", "cases", "log"} <= {
        n for n, s in promises(text).items() if s == "kept"
    }
    told(capsys, f"run mine/{name}/experiment.toml --games 40 --jobs 1")
    (data,) = (tmp_path / "runs").iterdir()
    told(capsys, f"report {data} -o page.html")
    assert name.replace("-", " ").capitalize() in (tmp_path / "page.html").read_text()
    own = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(own, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("new-game full", "'full' is there already and not empty"),
        ("new-game new --name migration", "there is a game called 'migration' already"),
        ("new-game new --name json", "there is a Python package called 'json'"),
        ("new-game new --name '4 kings'", "a game cannot be called '4 kings'"),
        ("new-bot full", "a bot is a Python file"),
        ("check-game migratoin", "there is no game 'migratoin'; did you mean 'migration'"),
        ("check-game ./nowhere", "there is no file or folder './nowhere'"),
        ("check-game migrato --players 3", "is for 2 to 2"),
        ("check-bot greddy", "there is no bot 'greddy'; did you mean 'greedy'"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, answer: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thing.txt").write_text("x")
    text = told(capsys, line, 2)
    assert answer in text
    assert text.count("\n") == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("kind", ["", "--plain"])
def test_a_new_bot_keeps_its_promises(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    told(capsys, f"new-bot mine{kind.strip('-')}.py {kind}")
    told(capsys, f"new-game small --name rock-duel{kind.strip('-')} --plain")
    text = told(capsys, f"check-bot ./mine{kind.strip('-')}.py --game ./small --games 2 --quick")
    assert promises(text) == {"choice": "kept", "stream": "kept", "blind": "kept", "compiled": "-"}


CHOICES = {
    "choice": "return 10_000",
    "stream": "return view.actions[Odd.asked % len(view.actions)]",
    "blind": "return view.actions[hash(repr(view._table['world'].table.deck)) % len(view.actions)]",
}
BOT = """
class Odd:
    '''Breaks a promise.'''

    asked = 0

    def choose(self, view):
        Odd.asked += 1
        {}
"""


@pytest.mark.parametrize("promise", CHOICES)
def test_a_bot_that_breaks_a_promise_is_found_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], promise: str
) -> None:
    (tmp_path / f"{promise}.py").write_text(BOT.format(CHOICES[promise]))
    told(capsys, f"new-game small --name rock-duet-{promise} --plain")
    text = told(capsys, f"check-bot ./{promise}.py --game ./small --games 6 --quick", 1)
    assert [name for name, state in promises(text).items() if state == "BROKEN"][:1] == [promise]
