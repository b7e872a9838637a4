"""Runs on a Dask cluster: the same rows as in one process, whatever becomes of the workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sim.batch import cluster, store
from sim.batch.runner import run
from sim.core.errors import Refusal
from tests.batch.helpers import experiment, play, same_rows

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
pytestmark = pytest.mark.plain


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _cluster(workers: int, **environment: str) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and workers of one thread each, all on the loopback address and without a nanny."""
    address = f"tcp://127.0.0.1:{_free_port()}"
    host = ["--host", "127.0.0.1"]
    commands = [
        ["distributed.cli.dask_scheduler", *host, "--port", address.rsplit(":", 1)[1], "--no-dashboard"]
    ]
    worker = [
        "distributed.cli.dask_worker",
        address,
        *host,
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
    ]
    commands += [worker] * workers
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", *command],
            env={**os.environ, "POLARS_MAX_THREADS": "1", **environment},
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    try:
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_local_cluster_gives_the_rows_of_one_process(tmp_path: Path) -> None:
    run(experiment(300), tmp_path / "dask", jobs=2, backend="dask")
    play(tmp_path / "one", 300)
    assert same_rows(tmp_path / "one", tmp_path / "dask")
    assert {path.name for path in (tmp_path / "dask").iterdir() if path.name.startswith(".")} <= {".lock"}


def test_a_worker_killed_in_mid_run_costs_no_row(tmp_path: Path) -> None:
    folder = tmp_path / "dask"
    with _cluster(2, NUMBERS_SLEEP="0.05") as (address, workers):
        killed = []

        def news(line: str) -> None:
            assert "not encrypted" not in line, "the loopback address is nobody else's"

        def kill_one() -> None:
            deadline = time.monotonic() + 60
            log = folder / store.COMMITS
            while time.monotonic() < deadline and not (log.exists() and log.read_bytes().count(b"\n") >= 3):
                time.sleep(0.01)
            workers[0].send_signal(signal.SIGKILL)
            killed.append(len(store.read_commits(folder)))

        killer = threading.Thread(target=kill_one)
        killer.start()
        result = run(experiment(3000), folder, backend="dask", scheduler=address, news=news)
        killer.join()
    assert killed
    assert 3 <= killed[0] < len(store.read_commits(folder)), "it was killed after the end"
    assert result.played == 12_000
    play(tmp_path / "one", 3000)
    assert same_rows(tmp_path / "one", folder)


def test_a_chunk_that_no_worker_survives_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joblib's own back end would wait for ever here; and with one thread it would play in the driver, unnoticed."""
    monkeypatch.setattr(cluster, "LIVES", 1)
    monkeypatch.setenv("NUMBERS_DIE", "yes")
    with pytest.raises(Refusal, match="a chunk has cost 2 workers; the same command goes on from here"):
        run(experiment(60), tmp_path / "a", backend="dask", jobs=1)
    monkeypatch.delenv("NUMBERS_DIE")
    play(tmp_path / "a", 60)
    play(tmp_path / "b", 60)
    assert same_rows(tmp_path / "a", tmp_path / "b")


def test_a_cluster_that_has_lost_all_its_workers_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "WORKERS", 1)
    monkeypatch.setattr(cluster, "LOOK", 0.5)
    with _cluster(1, NUMBERS_DIE="yes") as (address, workers):
        monkeypatch.setattr(
            cluster, "_wait", lambda client, scheduler: client.wait_for_workers(1, timeout=60)
        )
        with pytest.raises(Refusal, match="no workers any more; the same command goes on from here"):
            run(experiment(60), tmp_path / "a", backend="dask", scheduler=address)
        assert workers[0].wait(60) == 3


def test_what_cannot_be_used_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refusal, match="--scheduler goes with --backend dask"):
        run(experiment(60), tmp_path / "a", scheduler="tcp://127.0.0.1:1")
    with pytest.raises(Refusal, match="--jobs makes workers on this machine"):
        run(experiment(60), tmp_path / "a", backend="dask", scheduler="tcp://127.0.0.1:1", jobs=2)
    monkeypatch.setattr(cluster, "CONNECT", 1)
    for address in (f"tcp://127.0.0.1:{_free_port()}", "nothing"):
        with pytest.raises(Refusal, match=f"no Dask scheduler at '{address}'"):
            run(experiment(60), tmp_path / "a", backend="dask", scheduler=address)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refusal, match="needs the extra 'cluster'"):
        run(experiment(60), tmp_path / "a", backend="dask")


def test_an_open_port_on_another_machine_is_said() -> None:
    lines: list[str] = []
    for address in ("tcp://127.0.0.1:8786", "localhost:8786", "tls://box:8786"):
        cluster._say_what_is_open(address, lines.append)
    assert not lines
    cluster._say_what_is_open("box:8786", lines.append)
    assert len(lines) == 1
    assert "'box:8786' is not encrypted" in lines[0]
