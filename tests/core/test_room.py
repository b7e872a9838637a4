"""Rules that want too much: waiting for ever, longer lists than declared, more rows or features than usual."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.plug_ins import altered, environment_of, install, whimbrel

WAITS = ("        state.seat = 1 - state.seat\n        state.phase = TAKE", "        state.seat = 1 - state.seat\n"
         "        if rules.stones < 500:\n            state.phase = TAKE")  # fmt: skip
FEW = ("    max_actions = 100", "    max_actions = 8")
NAMES = [f"none{k}" for k in range(78)]
MANY = [
    ('features = ("took", "heap")', f'features = ("took", "heap", {", ".join(map(repr, NAMES))})'),
    ('"heap": "stones left"', f'"heap": "stones left", **dict.fromkeys({NAMES!r}, "nothing")'),
    ("weights = (1.0, -0.1)", "weights = (1.0, -0.1) + (0.5,) * 78"),
    (
        "    out[1] = state.heap\n",
        "    out[1] = state.heap\n    for k in range(2, 80):\n        out[k] = k\n",
    ),
]
"""Nearly three times the features that there once was room for."""


def rough() -> str:
    """Return stones that wait for ever when there are many, with a short `max_actions` and many features."""
    text = altered(*WAITS)
    for old, new in (FEW, *MANY):
        text = altered(old, new, text)
    return text


EXPERIMENT = """
game = "stones"
name = "few"
games = 6
log = "decisions"
[players]
count = 2
bots = ["greedy"]
[parameters]
stones = {stones}
at_most = {at_most}
"""


def play(site: Path, compiled: bool, **numbers: int) -> subprocess.CompletedProcess[str]:
    (site / "few.toml").write_text(EXPERIMENT.format(**numbers))
    bounds = {"NUMBA_BOUNDSCHECK": "0"}  # as users play
    return whimbrel(site, "run", "few.toml", "--jobs", "1", compiled=compiled, **bounds)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.compiled)])
def test_rules_that_want_too_much(tmp_path: Path, compiled: bool) -> None:
    """In one test, for the sake of compiling once."""
    install(tmp_path, {"stones": rough()})
    done = play(tmp_path, compiled, stones=12, at_most=3)
    assert done.returncode == 0, done.stderr
    games = pl.read_parquet(tmp_path / "runs/few/games/*.parquet")
    assert games["ended"].unique().to_list() == ["finished"]

    (tmp_path / "runs").rename(tmp_path / "before")
    done = play(tmp_path, compiled, stones=20, at_most=100)
    assert done.returncode == 0, done.stderr
    games = pl.read_parquet(tmp_path / "runs/few/games/*.parquet")
    assert games["ended"].to_list() == ["overflow"] * 6
    assert games["decisions"].to_list() == [0] * 6

    (tmp_path / "runs").rename(tmp_path / "then")
    done = play(tmp_path, compiled, stones=600, at_most=3)
    assert done.returncode == 2
    said = done.stderr.splitlines()[-1]
    assert said.startswith("whimbrel: game 'stones', deal 0 (seed ")
    assert "2 players), after 1 actions, in turn 10000: `resolve` was called 10,000 times" in said


def report(site: Path, program: str) -> Any:
    """Return what a program, run uncompiled with the games of `site`, prints as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment_of(site, compiled=False),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


CHECKED = """
import json
from sim.checks.positions import check_positions
from sim.checks.table import Report, make_cell
from sim.core.game import get_game
from sim.core.play import replay
game = get_game("stones")
said = []
for numbers in (dict(stones=12, at_most=3), dict(stones=20, at_most=100), dict(stones=600, at_most=3)):
    cell, report = make_cell(game, ["random"], 2, numbers), Report()
    for check in (lambda: check_positions(game, cell, [4], report), lambda: replay(game, cell, 4, [0, 1])):
        try:
            check()
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
        else:
            said.append(f"fine after {report.decisions > 0}")
print(json.dumps(said))
"""


def test_the_check_names_the_position(tmp_path: Path) -> None:
    install(tmp_path, {"stones": rough()})
    fine, again, long, cut, hangs, hangs_too = report(tmp_path, CHECKED)
    assert fine == again == "fine after True"
    text, _, place = long.partition(": seed 4, 2 players, after 0 actions, position: heap ")
    assert text == f"Broken: max_actions is 8, but there are {place.split(',')[0]} legal actions"
    assert cut == "fine after False"  # a replay stops where the game did
    for line in (hangs, hangs_too):
        assert line.startswith("Refusal: game 'stones', seed 4")
        assert "after 1 actions" in line


COUNTED = """
import json
import numpy as np
import stones
from sim.checks.table import make_cell, make_job
from sim.core.game import get_game
from sim.core.play import play_chunk
game = get_game("stones")
cell = make_cell(game, ["greedy", "random"], 2, dict(stones=300, at_most=2))
job = make_job([cell], range(1, 21))
job.follows = np.arange(20) % 4 > 0
made, chunks = [], []
for _ in range(3):
    before = stones.MADE[0]
    chunks.append(play_chunk(game, [cell], job, "decisions"))
    made.append(stones.MADE[0] - before)
columns = [
    {f"{table} {name}": np.asarray(column).tolist() for table in ("games", "seats", "turns", "decisions")
     for name, column in getattr(chunk, table).items()}
    for chunk in chunks
]
print(json.dumps({"made": made, "same": columns[0] == columns[1] == columns[2],
                  "rows": len(columns[0]["decisions ply"]), "turns": columns[0]["games turns"]}))
"""


def test_games_are_not_played_again_for_want_of_room(tmp_path: Path) -> None:
    """A chunk goes on from the game whose rows did not fit, and the next ones know how many there are."""
    text = altered("TAKE = 2\n", "TAKE = 2\nMADE = [0]\n")
    text = altered("    state.phase = TAKE\n    state.players = 2\n",
                   "    MADE[0] += 1\n    state.phase = TAKE\n    state.players = 2\n", text)  # fmt: skip
    text = altered('@implements("legal", State)', '@implements("carry", State)\ndef carry(rules, state, standing):\n'
                   '    state.heap += 7 * int(standing[0])\n\n\n@implements("legal", State)', text)  # fmt: skip
    install(tmp_path, {"stones": text})
    found = report(tmp_path, COUNTED)
    assert found["rows"] > 20 * 150, "more than there is room for at first"
    assert len(set(found["turns"])) > 3, "the standing of a series changes its games"
    assert 20 < found["made"][0] <= 23
    assert found["made"][1:] == [20, 20]
    assert found["same"], "other rows when the room grew"


WAITING = """
import json
from sim.core.play import replay
from sim.checks.table import Table, make_cell
from sim.core.game import get_game
game = get_game("stones")
cell = make_cell(game, ["random"], 2, dict(stones=600, at_most=3))
said = []
for play in (lambda: Table(game, cell, 4), lambda: replay(game, cell, 4, [0, 1])):
    try:
        play()
    except Exception as error:
        said.append(f"{type(error).__name__}: {error}")
print(json.dumps(said))
"""


def test_a_set_up_that_asks_for_nothing(tmp_path: Path) -> None:
    """`state.phase` forgotten: the commonest way to wait for ever."""
    text = altered(
        "    state.phase = TAKE\n    state.players", "    state.phase = 0\n    state.players", rough()
    )
    install(tmp_path, {"stones": text})
    for line in report(tmp_path, WAITING):
        assert line.startswith("Refusal: game 'stones', seed 4")
        assert "after the set-up: `resolve` was called 10,000 times" in line
