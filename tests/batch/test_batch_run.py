"""Running: the same rows for any number of workers and any way to stop; nothing is mixed or overwritten."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from sim.batch import runner, store
from sim.batch.runner import run
from sim.core.errors import Refusal
from sim.core.seeds import deal_seed
from tests.batch.helpers import experiment, play, same_rows, tables


def test_rows_and_their_numbers(tmp_path: Path) -> None:
    play(tmp_path / "a", 40, log="decisions")
    found = tables(tmp_path / "a")
    games = found["games"]
    assert games["game_id"].to_list() == [cell * 2**32 + i for cell in range(4) for i in range(40)]
    assert games["deal"].to_list() == list(range(40)) * 4, "compared cells share their deals"
    assert (games["seed"].to_numpy() == deal_seed(5, games["deal"].to_numpy())).all()
    seats = found["seats"]
    assert seats.height == 40 * (2 + 3 + 2 + 3)
    shares = seats.group_by("game_id").agg(pl.col("win_share").sum())
    assert (shares["win_share"] - 1).abs().max() < 1e-12
    assert found["pieces"].height == seats.height * 3
    owned = found["pieces"].group_by("game_id", "seat").agg(pl.col("assigned").sum())
    assert owned["assigned"].unique().to_list() == [4]
    assert found["turns"]["score_2"].null_count() == 40 * 2 * 8
    assert found["decisions"].height == found["turns"].height


def test_types_are_those_of_the_manifest(tmp_path: Path) -> None:
    play(tmp_path / "a", 10, log="decisions")
    manifest = store.read_manifest(tmp_path / "a")
    for table, frame in tables(tmp_path / "a").items():
        kinds = {name: str(kind).split("(")[0] for name, kind in frame.schema.items()}
        assert kinds == manifest["schema_tables"][table], table
    piece = tables(tmp_path / "a")["pieces"].schema["piece"]
    assert isinstance(piece, pl.Enum)
    assert piece.categories.to_list() == manifest["categories"]["piece"] == ["Ant", "Bee", "Big Cow"]


GOLDEN = {
    "games": "game_id cell deal rotation series seed players bans first_seat founder_seat turns decisions "
    "ended ended_by winner tied margin lead_changes line",
    "seats": "game_id cell deal seat player team bot deck founder score rank win_share decisions "
    "options_mean passes",
    "pieces": "game_id cell deal seat bot win_share piece assigned offered taken owned played first_turn "
    "paid lost scored harm",
    "turns": "game_id turn seat score_0 score_1 score_2",
    "decisions": "game_id ply turn seat phase action kind piece options",
}


@pytest.mark.parametrize(("log", "count"), [("games", 2), ("pieces", 3), ("turns", 4), ("decisions", 5)])
def test_columns_and_log_levels(tmp_path: Path, log: str, count: int) -> None:
    play(tmp_path / "a", 4, log=log)
    columns = {table: " ".join(frame.columns) for table, frame in tables(tmp_path / "a").items()}
    assert columns == dict(list(GOLDEN.items())[:count])


def test_manifest(tmp_path: Path) -> None:
    play(tmp_path / "a", 4, design_version="1.4")
    manifest = store.read_manifest(tmp_path / "a")
    assert set(manifest) == {
        *(
            "schema",
            "whimbrel",
            "name",
            "question",
            "design_version",
            "game",
            "rules_version",
            "bots_versions",
            "boards_version",
            "experiment",
        ),
        *(
            "experiment_hash",
            "seed",
            "log",
            "design",
            "screen",
            "share_deals",
            "rotations",
            "series",
            "games_per_cell",
            "tiers",
            "players_max",
        ),
        *(
            "factors",
            "drawn",
            "lever",
            "piece_total",
            "judge",
            "pace",
            "stop",
            "categories",
            "schema_tables",
            "stand_ins_run",
        ),
        *("skipped_cells", "card", "bots_used", "versions"),
    }
    assert manifest["factors"] == ["worth", "players.count"]
    assert manifest["drawn"] == {"bans": {"kind": "piece set", "sep": "+", "none": "none"}}
    assert (manifest["games_per_cell"], manifest["players_max"], manifest["piece_total"]) == (4, 3, 4)
    assert manifest["lever"] == {"column": "assigned", "text": "random teams"}
    assert manifest["rotations"] is False
    cells = pl.read_parquet(tmp_path / "a" / "cells.parquet")
    assert cells.columns[:5] == ["cell", "variant", "players.count", "players", "map"]
    assert cells.schema["worth"] == pl.Int64
    assert cells.schema["bonus"] == pl.Float64
    assert cells.schema["quick"] == pl.Boolean
    assert cells["games"].to_list() == [4] * 4


def test_rotated_players(tmp_path: Path) -> None:
    duel = [{"name": "x", "bot": "greedy"}, {"name": "y", "bot": "random"}]
    news: list[str] = []
    run(experiment(5, vary={}, player=duel), tmp_path / "a", jobs=1, news=news.append)
    assert news == ["6 games a cell: whole blocks of 2, each order of the players once"]
    found = tables(tmp_path / "a")
    assert found["games"]["rotation"].to_list() == [0, 1] * 3
    assert found["games"]["deal"].to_list() == [0, 0, 1, 1, 2, 2]
    seats = found["seats"].filter(pl.col("seat") == 0)
    assert seats["player"].to_list() == [0, 1] * 3
    assert seats["bot"].to_list() == ["greedy", "random"] * 3
    manifest = store.read_manifest(tmp_path / "a")
    assert manifest["categories"]["player"] == ["x", "y"]
    assert manifest["rotations"] is True


def test_fresh_deals_for_every_cell(tmp_path: Path) -> None:
    play(tmp_path / "a", 10, share_deals=False)
    games = tables(tmp_path / "a")["games"]
    assert games["deal"].n_unique() == games["seed"].n_unique() == 40


def test_a_fixed_cell_beside_a_drawn_one(tmp_path: Path) -> None:
    play(tmp_path / "a", 6, parameters={}, vary={"bans": ["random 1", ["Bee", "Ant"], "none"]})
    bans = tables(tmp_path / "a")["games"].group_by("cell", maintain_order=True).agg(pl.col("bans").unique())
    assert set(bans["bans"][0]) <= {"Ant", "Bee", "Big Cow"}
    assert [part.to_list() for part in bans["bans"]][1:] == [["Bee+Ant"], ["none"]]


def test_two_workers_give_the_same_rows(tmp_path: Path) -> None:
    play(tmp_path / "one", 300)
    play(tmp_path / "two", 300, jobs=2)
    assert same_rows(tmp_path / "one", tmp_path / "two")


def test_more_games_go_on_from_where_it_ended(tmp_path: Path) -> None:
    duel = [{"name": "x", "bot": "greedy"}, {"name": "y", "bot": "random"}]
    more = {"player": duel, "vary": {"worth": [1, 2]}}
    play(tmp_path / "whole", 700, **more)
    for games in (31, 200, 700):
        result = play(tmp_path / "steps", games, **more)
        assert result.before + result.played == result.plan.total(result.target)
    assert same_rows(tmp_path / "whole", tmp_path / "steps")
    assert play(tmp_path / "steps", 700, **more).played == 0
    fewer = play(tmp_path / "steps", 10, **more)
    assert (fewer.played, fewer.target) == (0, 700), "fewer games never take away"


def test_pt22_a_second_batch_overwrites_no_row_of_the_first(tmp_path: Path) -> None:
    play(tmp_path / "a", 31)
    first = tables(tmp_path / "a")
    play(tmp_path / "a", 90)
    for name, rows in first.items():
        second = tables(tmp_path / "a")[name]
        kept = second.filter(pl.col("game_id").is_in(rows["game_id"].implode()))
        assert len(second) > len(rows)
        assert kept.sort(kept.columns[:3]).equals(rows.sort(rows.columns[:3]))


def test_stopped_anywhere_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(tmp_path / "whole", 300)
    chance = random.Random(1)
    append, writes = store.append_commit, store.write_bytes

    class Dead(BaseException):
        pass

    def dying(function):
        def either(*arguments):
            if chance.random() < 0.1:
                if function is append and chance.random() < 0.5:  # torn in the middle of the line
                    with open(arguments[0] / store.COMMITS, "ab") as file:
                        file.write(json.dumps(arguments[1]).encode()[:40])
                raise Dead
            function(*arguments)
            if chance.random() < 0.1:
                raise Dead

        return either

    monkeypatch.setattr(store, "append_commit", dying(append))
    monkeypatch.setattr(store, "write_bytes", dying(writes))
    deaths = 0
    for _ in range(200):
        try:
            play(tmp_path / "killed", 300)
            break
        except Dead:
            deaths += 1
    assert deaths > 5
    assert same_rows(tmp_path / "whole", tmp_path / "killed")
    left = sorted(p.name for p in (tmp_path / "killed" / "games").iterdir())
    kept = sorted(Path(e["parts"]["games"]["file"]).name for e in store.read_commits(tmp_path / "killed"))
    assert left == kept, "nothing uncommitted is left behind"


SCRIPT = """
import sys
from pathlib import Path
from tests.batch.helpers import play
play(Path(sys.argv[1]), 2000, jobs=int(sys.argv[2]))
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_while_writing(tmp_path: Path, jobs: int) -> None:
    """SIGKILL at several moments while parts are being written, then once more to the end."""
    folder = tmp_path / "killed"
    for lines in (2, 5, 9):
        with subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(folder), str(jobs)], start_new_session=True, cwd=Path.cwd()
        ) as process:
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline:
                log = folder / store.COMMITS
                if log.exists() and log.read_bytes().count(b"\n") >= lines:
                    break
                time.sleep(0.002)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert 0 < len(store.read_commits(folder)) < 40
    play(folder, 2000)
    play(tmp_path / "whole", 2000)
    assert same_rows(tmp_path / "whole", folder)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
def test_workers_die_with_a_killed_parent(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "a"), "2"],
        cwd=Path.cwd(),
        env={**os.environ, "NUMBERS_SLEEP": "0.05"},  # so that it has not ended before it is looked at
    ) as process:
        deadline = time.monotonic() + 60
        log = tmp_path / "a" / store.COMMITS
        while time.monotonic() < deadline and not (log.exists() and log.stat().st_size):
            time.sleep(0.01)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
        process.wait()
    assert len(children) >= 2
    deadline = time.monotonic() + 120  # they die by themselves; how soon is the machine's affair
    while time.monotonic() < deadline and any(_runs(child) for child in children):
        time.sleep(0.1)
    assert not [child for child in children if _runs(child)]


def _runs(process: str) -> bool:
    try:
        return "LokyProcess" in Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("backend", ["threading", "sequential"])
def test_other_back_ends_give_the_same_rows(tmp_path: Path, backend: str) -> None:
    run(experiment(60), tmp_path / "a", jobs=2, backend=backend)
    play(tmp_path / "b", 60)
    assert same_rows(tmp_path / "a", tmp_path / "b")


def test_a_back_end_that_keeps_all_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="there is no joblib backend 'multiprocessing'; known: "):
        run(experiment(60), tmp_path / "a", backend="multiprocessing")


def test_a_torn_last_line_is_cut(tmp_path: Path) -> None:
    play(tmp_path / "whole", 300)
    shutil.copytree(tmp_path / "whole", tmp_path / "torn")
    log = tmp_path / "torn" / store.COMMITS
    for cut in (1, 30):
        data = log.read_bytes()
        log.write_bytes(data[:-cut])
        assert len(store.read_commits(tmp_path / "torn")) == data.count(b"\n") - 1
        play(tmp_path / "torn", 300)
        assert same_rows(tmp_path / "whole", tmp_path / "torn")
    lines = log.read_bytes().split(b"\n")
    log.write_bytes(b"\n".join([lines[0], b'{"chunk": 1, "ga', *lines[2:]]))
    with pytest.raises(Refusal, match=r"commits.jsonl', line 2 is damaged"):
        play(tmp_path / "torn", 300)


def test_other_things_in_the_folder_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(tmp_path / "a", 10)
    with pytest.raises(Refusal, match=r"holds another experiment \('trial'; it differs in vary\)"):
        play(tmp_path / "a", 10, vary={"worth": [1, 3]})
    with pytest.raises(Refusal, match=r"holds another experiment \('trial'; it differs in seed\)"):
        play(tmp_path / "a", 10, seed=6)
    monkeypatch.setattr(type(experiment_game()), "rules_version", "1+0000beef")
    with pytest.raises(
        Refusal, match=r"played with rules 1\+[0-9a-f]{8} of numbers, this Whimbrel has 1\+0000beef"
    ):
        play(tmp_path / "a", 10)
    monkeypatch.undo()
    before = sorted(p.name for p in tmp_path.iterdir())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    with pytest.raises(Refusal, match=r"holds other things \('thesis.txt'\) and no data set"):
        play(tmp_path / "mine", 10)
    (tmp_path / "file").write_text("")
    with pytest.raises(Refusal, match="is a file, not a folder"):
        play(tmp_path / "file", 10)
    with pytest.raises(Refusal, match="cannot write into the folder"):
        play(tmp_path / "file" / "below", 10)
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    assert set(before) <= {p.name for p in tmp_path.iterdir()}


def experiment_game() -> object:
    from sim.core.game import get_game

    return get_game("numbers")


def test_a_damaged_folder_is_refused(tmp_path: Path) -> None:
    play(tmp_path / "a", 300)
    part = next((tmp_path / "a" / "seats").iterdir())
    part.unlink()
    with pytest.raises(Refusal, match=rf"'seats/{part.name}' is missing; the same command with --repair"):
        play(tmp_path / "a", 400)
    (tmp_path / "a" / store.MANIFEST).write_text("{")
    with pytest.raises(Refusal, match="is damaged"):
        play(tmp_path / "a", 400)


def test_two_runs_do_not_mix(tmp_path: Path) -> None:
    with store.locked(tmp_path / "a"), pytest.raises(Refusal, match="another run is writing"):
        play(tmp_path / "a", 10)
    play(tmp_path / "a", 10)


def test_a_full_disk_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "append_commit", full)
    with pytest.raises(Refusal, match=r"cannot write into the folder .*: No space left on device"):
        play(tmp_path / "a", 10)


def test_ctrl_c_keeps_what_is_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append, calls = store.append_commit, []

    def interrupted(*arguments: object) -> None:
        append(*arguments)  # type: ignore[arg-type]
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(store, "append_commit", interrupted)
    with pytest.raises(runner.Stopped) as stop:
        play(tmp_path / "a", 300)
    assert stop.value.kept < stop.value.total == 1200
    monkeypatch.undo()
    play(tmp_path / "whole", 300)
    play(tmp_path / "a", 300)
    assert same_rows(tmp_path / "a", tmp_path / "whole")


def test_a_map_file_travels_with_the_data(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "mine.toml").write_text("x = 1\n")
    text = 'game = "numbers"\ngames = 10\n[parameters]\nmap = "here/mine.toml"\n'
    (tmp_path / "e.toml").write_text(text)
    from sim.batch.experiment import read_experiment
    from sim.batch.verify import verify

    run(read_experiment(tmp_path / "e.toml"), tmp_path / "a", jobs=1)
    assert pl.read_parquet(tmp_path / "a" / "cells.parquet")["map"].to_list() == ["mine.toml"]
    shutil.move(tmp_path / "a", tmp_path / "moved")
    shutil.rmtree(tmp_path / "here")
    assert verify(tmp_path / "moved").replayed == 10
    again = read_experiment(tmp_path / "moved" / "experiment.toml")
    run(again, tmp_path / "again", jobs=1)
    assert same_rows(tmp_path / "moved", tmp_path / "again")
    assert run(again, tmp_path / "moved", jobs=1).played == 0
    assert not verify(tmp_path / "moved").problems


def test_a_broken_game_is_no_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERS_BREAK", "1")
    with pytest.raises(MemoryError):
        play(tmp_path / "a", 10)
