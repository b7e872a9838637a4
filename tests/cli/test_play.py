"""`whimbrel play`: whole games through a pipe, kept as data sets like any other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import analysis
import sim
from sim.batch.session import Session, session_of
from sim.batch.verify import verify
from sim.core.errors import Refusal
from sim.core.game import get_game
from sim.show.hidden import seen_alike

pytestmark = pytest.mark.plain
BRIEF = {"mars": ["turn_cap=45"], "migrato": ["turn_cap=60"]}
"""Settings that end a long game early: of a session each turn tells the same."""
GAMES = ["migration", "migrato", "drifting_lands", "mars"]


def terminal(*words: str, say: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "sim.cli", "play", *words]
    return subprocess.run(command, input=say, capture_output=True, text=True, env=environment, timeout=300)


def test_migration_is_played_to_its_end_by_a_script(tmp_path: Path) -> None:
    out = tmp_path / "game"
    say = "h\nl\np\n1\nu\n2\nnonsense\n999\n" + "1\n" * 200
    done = terminal("migration", "--against", "search:playouts=2", "--seed", "3", "--out", str(out), say=say)
    assert done.returncode == 0, done.stderr
    for words in (
        "playouts",
        "taken back",
        "there is no choice 'nonsense'",
        "choices are numbered",
        "--- the end",
    ):
        assert words in done.stdout
    assert "hand ?" in done.stdout  # of the other seat
    data = analysis.load(out)
    assert data.games.collect().height == 1
    assert data.seats.sort("seat").collect()["bot"].to_list() == ["played.py:A", "search:playouts=2"]
    assert verify(out).replayed == 1
    assert not verify(out).problems
    points = [
        float(part.split()[-1]) for part in done.stdout.split("points: ")[-1].splitlines()[0].split(",")
    ]
    assert sim.replay(out, 0)[-1].game.scores(*_last(out)) == points
    assert data.seats.sort("seat").collect()["score"].to_list() == points


def _last(folder: Path) -> tuple[object, object]:
    step = sim.replay(folder, 0)[-1].step
    return step.rules, step.state


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_and_kept_as_it_was(game: str, tmp_path: Path) -> None:
    players = min(3, get_game(game).max_players)
    session = Session(session_of(game, "random", players, 5, BRIEF.get(game, [])), [0, players - 1])
    session.go_on()
    turn = 0
    while not session.over:
        turn += 1
        if turn % 20 == 0:
            session.text(session.table.seat)
            session.read_news(session.table.seat)
        session.choose(turn % len(session.choices))
        if turn % 7 == 0:
            assert session.undo()
            session.choose((turn + 1) % len(session.choices))
    session.save(tmp_path / "game")
    again = sim.replay(tmp_path / "game", 0)
    assert [position.step.action for position in again[:-1]] == [action for _, action, _ in session.done]
    assert verify(tmp_path / "game").replayed == 1


def test_a_game_that_was_left_goes_on_from_there(tmp_path: Path) -> None:
    first = terminal("migration", "--against", "greedy", "--out", str(tmp_path / "a"), say="1\n2\n")
    assert first.returncode == 0, first.stderr
    ply = first.stdout.split("--ply ")[1].split()[0]
    words = [
        "--from",
        str(tmp_path / "a"),
        "0",
        "--ply",
        ply,
        "--against",
        "greedy",
        "--out",
        str(tmp_path / "b"),
    ]
    second = terminal(*words, say="1\n" * 200)
    assert second.returncode == 0, second.stderr
    assert "--- the end" in second.stdout
    before, after = (sim.replay(tmp_path / name, 0) for name in "ab")
    common = [p.step.action for p in before[: int(ply)]]
    assert common == [p.step.action for p in after[: int(ply)]]


def test_a_game_of_a_rotation_goes_on_with_the_same_deal(tmp_path: Path) -> None:
    experiment = {
        "game": "migration",
        "games": 4,
        "log": "decisions",
        "players": {"bots": ["greedy", "random"]},
    }
    folder = sim.run(experiment, out=tmp_path / "all", jobs=1)
    ids = pl.scan_parquet(folder / "games" / "*.parquet").filter(deal=1, rotation=1).collect()["game_id"]
    words = ["--from", str(folder), str(ids[0]), "--ply", "5", "--out", str(tmp_path / "one")]
    done = terminal(*words, "--against", "greedy", say="1\n" * 200)
    assert done.returncode == 0, done.stderr
    there, here = sim.replay(folder, ids[0]), sim.replay(tmp_path / "one", 0)
    assert [p.text for p in there[:6]] == [p.text for p in here[:6]]


def test_bots_say_what_they_think(tmp_path: Path) -> None:
    experiment = {"game": "migration", "games": 1, "players": {"bots": ["random"]}}
    positions = sim.replay(sim.run(experiment, out=tmp_path / "one", jobs=1), 0)
    position = next(p for p in positions[2:] if len(p.legal) > 4)
    for bot in ("search:playouts=30", "flat:playouts=30,width=4", "greedy", "random"):
        told = position.explain(bot)
        assert sorted(told["action"]) == sorted(position.legal)
        assert told["chosen"].to_list() == [True] + [False] * (len(position.legal) - 1)
        looked = told.drop_nulls("value")
        if "visits" in told.columns:
            assert ((looked["low"] <= looked["value"]) & (looked["value"] <= looked["high"])).all()
            assert looked["value"].is_between(0, 1).all()
    assert 28 <= position.explain("search:playouts=30")["visits"].sum() <= 30
    assert position.explain("greedy")["value"].is_sorted(descending=True)
    with pytest.raises(Refusal, match="greedy"):
        position.explain("greedi")


def test_what_worlds_disagree_in_is_hidden() -> None:
    seen = seen_alike(["A  hand Rats Oak | spirit 2", "A  hand Rats Fly | spirit 2"])
    assert seen == "A  hand Rats ? | spirit 2"


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    for words, said in (
        (["migration", "--seat", "Z"], "letter"),
        (["migration", "--seat", "C"], "no seat C"),
        (["migraton"], "migration"),
        (["migration", "--set", "rats"], "key=value"),
        (["migration", "--against", "greedi"], "greedy"),
        (["migration", "--ply", "3"], "--from"),
        ([], "which game"),
    ):
        done = terminal(*words, "--out", str(tmp_path / "x"))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr
    with pytest.raises(Refusal, match="seating"):
        sim.run({"game": "migration", "seating": [1, 1]}, out=tmp_path / "y")
