"""The commit log is written in groups, and no promise is weaker for it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from sim.batch import store
from sim.batch.committing import CommitLog

pytestmark = pytest.mark.plain


def line(number: int) -> dict[str, Any]:
    return {"chunk": number, "games": 10 + number, "parts": {"games": {}, "seats": {}}}


class Disk:
    """A disk that is as slow as it is told to be; it remembers what was written at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.groups: list[list[int]] = []
        self.begun, self.ready = threading.Event(), threading.Event()
        monkeypatch.setattr(store, "append_commit", self.append)

    def append(self, folder: Path, *entries: Any) -> None:
        self.begun.set()
        assert self.ready.wait(10)
        self.groups.append([entry["chunk"] for entry in entries])


def test_what_comes_while_the_disk_is_busy_is_one_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    with CommitLog(tmp_path, in_groups=True) as log:
        log.add(line(0))
        assert disk.begun.wait(10)
        for number in (1, 2, 3):
            log.add(line(number))
        assert (log.games, log.news()) == (0, 0), "nothing is said to be kept before it is"
        disk.ready.set()
    assert disk.groups == [[0], [1, 2, 3]]
    assert (log.games, log.news(), log.news()) == (46, 46, 0)


def test_without_groups_add_comes_back_when_the_line_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    disk.ready.set()
    with CommitLog(tmp_path, in_groups=False) as log:
        for number in (0, 1):
            log.add(line(number))
            assert disk.groups[-1] == [number]
    assert disk.groups == [[0], [1]]


def test_a_failing_disk_is_told_where_chunks_are_added_or_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path, *entries: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "append_commit", full)
    with pytest.raises(OSError, match="No space left"), CommitLog(tmp_path, in_groups=True) as log:
        log.add(line(0))
    with CommitLog(tmp_path, in_groups=True) as log:
        log.add(line(0))
        assert log._thread is not None
        log._thread.join(10)
        with pytest.raises(OSError, match="No space left"):
            log.add(line(1))
        log._error = None  # it was told
    assert log.games == 0


def test_what_was_added_before_ctrl_c_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch)
    disk.ready.set()
    log = CommitLog(tmp_path, in_groups=True)

    def stopped() -> None:
        with log:
            log.add(line(0))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert (disk.groups, log.games) == ([[0]], 10)


def test_names_of_parts_are_durable_before_the_line_that_tells_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    def synced(folder: Path) -> None:
        steps.append(f"{folder.name}, {len(store.read_commits(tmp_path))} lines")

    monkeypatch.setattr(store, "sync_folder", synced)
    store.append_commit(tmp_path, line(0), line(1))
    store.append_commit(tmp_path, line(2))
    assert steps == ["games, 0 lines", "seats, 0 lines", "games, 2 lines", "seats, 2 lines"]
    assert [entry["chunk"] for entry in store.read_commits(tmp_path)] == [0, 1, 2]


def test_a_group_that_is_torn_keeps_its_whole_lines(tmp_path: Path) -> None:
    store.append_commit(tmp_path, line(0), line(1), line(2))
    log = tmp_path / store.COMMITS
    log.write_bytes(log.read_bytes()[:-20])
    assert [entry["chunk"] for entry in store.read_commits(tmp_path, cut=True)] == [0, 1]
    store.append_commit(tmp_path, line(5))
    assert [entry["chunk"] for entry in store.read_commits(tmp_path)] == [0, 1, 5]
