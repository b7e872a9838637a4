"""Parts that are put together hold the same rows, whatever happens meanwhile, and a run goes on behind them."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import polars as pl
import pytest

import analysis
from analysis.data import parts
from analysis.targets.looks import in_planned_order
from sim.batch import store
from sim.batch.compact import compact
from sim.batch.layout import Chunk
from sim.batch.runner import _Run, run
from sim.batch.verify import verify
from sim.core.errors import Refusal
from tests.batch.helpers import experiment, play, same_rows

pytestmark = pytest.mark.plain


class Killed(BaseException):
    pass


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "data"
    play(folder, 900)
    return folder


@pytest.fixture
def data(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "a"))


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.glob("*/*.parquet")}


def named(folder: Path) -> set[str]:
    return {part["file"] for entry in store.read_commits(folder) for part in entry["parts"].values()}


def test_fewer_files_hold_the_same_rows(whole: Path, data: Path) -> None:
    found = compact(data)
    assert (found.lines, found.files) == (1, 3)
    assert found.lines_before > 10
    assert files(data) == named(data)
    assert len(files(data)) == 3
    assert same_rows(whole, data)
    judged = verify(data, sample=60)
    assert (judged.problems, judged.games) == ([], 3600)
    assert judged.replayed >= 60
    assert analysis.load(data).n_games == 3600
    again = compact(data)
    assert again.files == again.files_before == 3


def test_parts_have_no_more_rows_than_they_may(data: Path, whole: Path) -> None:
    most = 6000
    compact(data, most)
    told = [entry["parts"].values() for entry in store.read_commits(data)]
    rows = [part["rows"] for parts_of_one in told for part in parts_of_one]
    assert max(rows) <= most
    assert len(rows) < len(named(whole))
    compact(data)
    assert same_rows(whole, data)


def test_a_run_goes_on_behind_it(whole: Path, tmp_path: Path) -> None:
    play(tmp_path / "a", 300)
    compact(tmp_path / "a", 4000)
    assert play(tmp_path / "a", 900).before == 1200
    compact(tmp_path / "a")
    assert play(tmp_path / "a", 900).played == 0
    assert same_rows(whole, tmp_path / "a")


@pytest.mark.parametrize("step", ["write_part", "write_bytes", "sweep"])
@pytest.mark.parametrize("which", [1, 5])
def test_killed_at_any_step_it_costs_no_game(
    whole: Path, data: Path, monkeypatch: pytest.MonkeyPatch, step: str, which: int
) -> None:
    kept, left = getattr(store, step), [which]

    def killed(*given: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            raise Killed
        return kept(*given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(store, step, killed)
        with pytest.raises(Killed):
            compact(data, 6000)
    assert verify(data, sample=0).problems == []
    assert same_rows(whole, data)
    compact(data, 6000)
    assert files(data) == named(data)
    assert same_rows(whole, data)
    assert play(data, 900).played == 0


def test_a_spoilt_part_is_not_made_good(data: Path, whole: Path) -> None:
    part = sorted((data / "seats").iterdir())[3]
    raw = bytearray(part.read_bytes())
    raw[len(raw) // 2] ^= 1
    part.write_bytes(raw)
    with pytest.raises(Refusal, match=r"is damaged: 'seats/.*; `whimbrel run` with --repair plays it again"):
        compact(data)
    run(experiment(900), data, jobs=1, repair=True)
    compact(data)
    assert same_rows(whole, data)
    part = next((data / "seats").iterdir())
    part.write_bytes(b"")
    run(experiment(900), data, jobs=1, repair=True)
    assert same_rows(whole, data)


def test_a_gap_in_the_run_stays_where_it_is(data: Path) -> None:
    """A worker that is quick must not choose what is seen first: games behind a missing chunk are left out."""
    lines = (data / store.COMMITS).read_bytes().splitlines(keepends=True)
    missing = lines.pop(7)
    (data / store.COMMITS).write_bytes(b"".join(lines))
    before = in_planned_order(analysis.load(data)).n_games
    compact(data)
    assert in_planned_order(analysis.load(data)).n_games == before
    assert [entry["chunk"] for entry in store.read_commits(data)] == [0, 8]
    assert missing


def test_what_is_put_together_while_it_is_opened_is_read_again(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, left = parts._whole, [1]

    def slow(*given: Any) -> Any:
        if left[0]:
            left[0] = 0
            compact(data)
        return look(*given)

    monkeypatch.setattr(parts, "_whole", slow)
    d = analysis.load(data)
    monkeypatch.undo()
    assert d.n_games == d.seats.select(pl.col("game_id").n_unique()).collect().item() == 3600


def test_nobody_else_may_write_meanwhile(tmp_path: Path) -> None:
    play(tmp_path / "a", 60)
    with store.locked(tmp_path / "a"), pytest.raises(Refusal, match="another run is writing"):
        compact(tmp_path / "a")
    with pytest.raises(Refusal, match="there is no folder"):
        compact(tmp_path / "b")


def test_a_data_set_is_read_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each committed chunk: what is committed, and no more."""
    append, seen = store.append_commit, [0]

    def read_after(folder: Path, entry: Any) -> None:
        append(folder, entry)
        seen.append(seen[-1] + entry["games"])
        if len(seen) % 2 == 0:
            d = analysis.load(folder)
            assert d.n_games == seen[-1]
            assert d.seats.select(pl.col("game_id").n_unique()).collect().item() == seen[-1]

    monkeypatch.setattr(store, "append_commit", read_after)
    play(tmp_path / "a", 120)
    assert seen[-1] == 480
    assert len(seen) >= 5


def test_parts_without_a_block_take_no_number() -> None:
    """Where a thousand cells play a rank at a time, every second chunk holds no game of a block of two."""
    some = SimpleNamespace(plan=SimpleNamespace(orders=[[0, 1], [0, 1], [0, 1, 2]]))
    found = [
        [_Run.holds_games(cast(Any, some), Chunk(0, cells, k, k + 1)) for k in range(4)]
        for cells in (range(2), range(3))
    ]
    assert found == [[True, False, True, False], [True, False, True, True]]
