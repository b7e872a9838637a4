"""Bots that never come back, raise, or choose what is no action: one line names game, seat and bot; exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.batch.store import read_commits

pytestmark = pytest.mark.plain
BOTS = {
    "loops": "while True: pass",
    "sleeps": "import time\n        while True: time.sleep(0.05)",
    "raises": "raise ValueError('no idea')",
    "strays": "return 10**6",
}
FILE = '''
class Bot:
    """Goes wrong in the sixth turn of a deal, later than any game that only warms up."""

    def choose(self, view):
        if view.turn < 5 {more}:
            return view.actions[0]
        {body}
'''


def lost(
    tmp_path: Path, body: str, jobs: int, more: str = "", games: int = 2
) -> subprocess.CompletedProcess[str]:
    (tmp_path / "bot.py").write_text(FILE.format(body=body, more=more))
    (tmp_path / "e.toml").write_text(
        f'name = "e"\ngame = "migration"\ngames = {games}\n[players]\nbots = ["random", "./bot.py"]\n'
    )
    words = ["run", "e.toml", "--jobs", str(jobs), "--patience", "1", "-o", "out"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(
        [sys.executable, "-m", "sim.cli", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=environment,
        timeout=240,
    )


@pytest.mark.parametrize("name", BOTS)
def test_a_lost_bot_is_named(name: str, tmp_path: Path) -> None:
    done = lost(tmp_path, BOTS[name], 1)
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("whimbrel: ")
    for words in ("migration", "seat", "bot 'bot.py'"):
        assert words in last
    assert ("has not come back" in last) == ("chunk 0" in last) == (name in ("loops", "sleeps"))


def test_workers_are_ended_and_what_is_committed_is_kept(tmp_path: Path) -> None:
    lost_from_now_on = tmp_path / "now"
    more = f"or not __import__('os').path.exists({str(lost_from_now_on)!r})"
    done = lost(tmp_path, BOTS["loops"], 2, more, games=10)
    assert done.returncode == 0, done.stderr
    before = read_commits(tmp_path / "out")
    lost_from_now_on.touch()
    done = lost(tmp_path, BOTS["loops"], 2, more, games=600)
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    for words in ("chunk", "migration", "seat", "bot 'bot.py'", "has not come back", "is kept"):
        assert words in last
    assert read_commits(tmp_path / "out")[: len(before)] == before
    assert sum(entry["games"] for entry in before) == 10
