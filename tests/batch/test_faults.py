"""What can go wrong around a run costs no game: each fault, then the same command again to the same rows."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from joblib.externals.loky import get_reusable_executor

import sim
from sim.batch import runner, store
from sim.batch.runner import run
from sim.batch.verify import verify
from sim.core.errors import Refusal
from tests.batch.helpers import experiment, play, same_rows

SCRIPT = """
import sys
from pathlib import Path
from tests.batch.helpers import play
play(Path(sys.argv[1]), 2000, jobs=2)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "data"
    play(folder, 300)
    return folder


def _cut(part: Path) -> None:
    part.write_bytes(part.read_bytes()[:-9])


def _change(part: Path) -> None:
    raw = bytearray(part.read_bytes())
    raw[len(raw) // 2] ^= 1
    part.write_bytes(raw)


def _empty(part: Path) -> None:
    part.write_bytes(b"")


@pytest.mark.parametrize("table", ["games", "pieces"])
@pytest.mark.parametrize("harm", [_cut, _change, _empty, Path.unlink])
def test_a_broken_part_is_found_by_verify_and_repaired_by_run(
    whole: Path, tmp_path: Path, table: str, harm: Callable[[Path], None]
) -> None:
    play(tmp_path / "a", 300)
    harm(sorted((tmp_path / "a" / table).iterdir())[1])
    assert len(verify(tmp_path / "a", sample=0).problems) == 1
    if harm is not _change:  # only reading it all shows a changed byte
        with pytest.raises(Refusal, match=r"is damaged: '.*; the same command with --repair plays it again"):
            play(tmp_path / "a", 300)
    lines: list[str] = []
    run(experiment(300), tmp_path / "a", jobs=1, repair=True, news=lines.append)
    assert any(line.startswith("repair: ") and "are played again" in line for line in lines)
    assert verify(tmp_path / "a", sample=50).problems == []
    assert same_rows(whole, tmp_path / "a")
    run(experiment(300), tmp_path / "a", jobs=1, repair=True, news=lines.append)
    assert "repair: nothing is broken" in lines


def test_cells_that_were_lost_are_written_again(whole: Path, tmp_path: Path) -> None:
    play(tmp_path / "a", 300)
    (tmp_path / "a" / store.CELLS).write_bytes(b"")
    assert verify(tmp_path / "a", sample=0).problems
    play(tmp_path / "a", 300)
    assert verify(tmp_path / "a", sample=0).problems == []
    assert (tmp_path / "a" / store.CELLS).read_bytes() == (whole / store.CELLS).read_bytes()


STAGES = ["append_commit", "write_head", "warm_up", "check_parts", "make_plan"]


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_at_any_stage_leaves_a_folder_that_goes_on(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    import analysis

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(store if hasattr(store, stage) else runner, stage, stop)
        if stage == "check_parts":  # is asked of a folder that was begun only
            play_a_little(tmp_path / "a")
        with pytest.raises((KeyboardInterrupt, runner.Stopped)):
            play(tmp_path / "a", 300)
    if (tmp_path / "a" / store.MANIFEST).exists() and stage != "check_parts":
        with pytest.raises(analysis.Refusal, match="no chunk of games is finished yet"):
            analysis.load(tmp_path / "a")
        assert verify(tmp_path / "a").problems == []
    play(tmp_path / "a", 300)
    assert same_rows(whole, tmp_path / "a")


def play_a_little(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", SCRIPT.replace("2000", "60"), str(folder)], check=True)


def test_a_worker_that_dies_is_said_in_one_line(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_reusable_executor().shutdown(kill_workers=True)  # those of tests before do not know the variable
    monkeypatch.setenv("NUMBERS_DIE", "yes")
    with pytest.raises(Refusal, match=r"a worker process was killed .*; the same command goes on from here"):
        play(tmp_path / "a", 300, jobs=2)
    monkeypatch.delenv("NUMBERS_DIE")
    play(tmp_path / "a", 300, jobs=2)
    assert same_rows(whole, tmp_path / "a")


def test_a_lock_of_a_process_that_is_gone_holds_nobody(whole: Path, tmp_path: Path) -> None:
    code = "import os, sys; from pathlib import Path; from sim.batch import store\n"
    code += "with store.locked(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=False)
    assert (tmp_path / "a" / ".lock").exists()
    play(tmp_path / "a", 300)
    assert same_rows(whole, tmp_path / "a")


def test_clocks_that_run_backwards_reach_no_row(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter(range(10**9, 0, -1000))
    for clock in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(time, clock, lambda: float(next(now)))
    play(tmp_path / "a", 300)
    monkeypatch.undo()
    assert same_rows(whole, tmp_path / "a")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_disk_that_fills_up_is_one_line_and_costs_no_game(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real thing: a write that the system refuses, in the middle of a run, for each kind of file."""
    kept = store.os.fsync
    for calls in (1, 4, 9):
        left = [calls]

        def full(handle: int, left: list[int] = left) -> None:
            left[0] -= stat.S_ISREG(os.fstat(handle).st_mode)  # a folder's own entry may fail to be synced
            if left[0] == 0:
                with open("/dev/full", "wb", buffering=0) as device:
                    device.write(b"x")
            kept(handle)

        monkeypatch.setattr(store.os, "fsync", full)
        with pytest.raises(Refusal, match=r"cannot write into the folder .*: No space left on device"):
            play(tmp_path / "a", 300)
        monkeypatch.undo()
    play(tmp_path / "a", 300)
    assert same_rows(whole, tmp_path / "a")
    assert not list((tmp_path / "a").rglob("*.tmp"))


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refusal, match=r"cannot write into the folder '.*file/a': Not a directory"):
        play(tmp_path / "file" / "a", 10)
    if Path("/proc/1").is_dir():  # nobody may make folders there, not even root
        with pytest.raises(Refusal, match=r"cannot write into the folder '/proc/a': "):
            play(Path("/proc/a"), 10)


def test_nothing_is_written_into_the_installation(tmp_path: Path) -> None:
    """So that it may be read-only: what is compiled is kept in the user's cache."""
    home = Path(str(sim.__file__)).parent

    def files() -> dict[Path, int]:
        there = (path for path in home.rglob("*") if "__pycache__" not in path.parts)
        return {path: path.stat().st_mtime_ns for path in there if path.is_file()}

    before = files()
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "WHIMBREL_CACHE": str(tmp_path / "cache")}
    script = SCRIPT.replace("2000", "60")
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "a")], check=True, env=environment)
    assert files() == before


@pytest.mark.soak
def test_killed_twenty_times_at_random_moments(tmp_path: Path) -> None:
    rng = random.Random(3)
    folder = tmp_path / "killed"
    for _ in range(20):
        with subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder)], start_new_session=True) as process:
            time.sleep(rng.uniform(0.5, 4.0))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    play(folder, 2000)
    play(tmp_path / "whole", 2000)
    assert same_rows(tmp_path / "whole", folder)
