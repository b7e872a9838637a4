"""A Dask cluster as the workers of a run: one that is there (a scheduler's address), or one made on this machine.

Workers write parts into the folder of the run, which they must see at the same path; only the driver commits. A chunk
whose worker is lost is played again by another: the same games, so the same rows and the same file.

Chunks are handed to Dask itself and not by way of joblib: joblib 1.6's own Dask back end waits for ever when a task has
cost all the workers that it may cost, and plays in the driver, without a word, when the cluster has a single thread.
"""

from __future__ import annotations

import logging
import os
import queue
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sim.core.errors import Refusal

EXTRA = "the Dask back end needs the extra 'cluster': pip install 'whimbrel[cluster]'"
CONNECT, WORKERS, LOOK = 10, 60, 2
"""Seconds until a scheduler must have answered, until a worker must be there, and between two looks at the cluster."""
LIVES = 3
"""Workers that one chunk may lose before it is taken to be the chunk's own fault."""


@contextmanager
def cluster(scheduler: str | None, jobs: int, news: Callable[[str], None]) -> Iterator[Any]:
    """Connect to a cluster, or make one of `jobs` processes here, and yield its client.

    Parameters
    ----------
    scheduler
        Address such as ``tcp://host:8786`` or ``tls://host:8786``; certificates are those of Dask's own configuration
        (``distributed.comm.tls``). None: workers of this machine, reached through the loopback address alone.

    Raises
    ------
    Refusal
        The extra is not installed, nobody answers, or no worker comes.
    """
    try:
        import dask
        import distributed
    except ImportError:
        raise Refusal(EXTRA) from None
    logging.getLogger("distributed").setLevel(
        logging.CRITICAL
    )  # what matters of it is said in one line of ours
    with dask.config.set({"distributed.scheduler.allowed-failures": LIVES}):
        if scheduler is None:
            made = distributed.LocalCluster(
                n_workers=jobs, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
            )
            with made, distributed.Client(made) as client:
                yield client
            return
        _say_what_is_open(scheduler, news)
        try:
            client = distributed.Client(scheduler, timeout=CONNECT)
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise Refusal(f"no Dask scheduler at '{scheduler}': {reason}") from None
        with client:
            _wait(client, scheduler)
            yield client


def slots(client: Any) -> int:
    """Return how many chunks the cluster plays at a time.

    Raises
    ------
    Lost
        The scheduler does not answer any more.
    """
    try:
        return sum(client.nthreads().values())
    except (OSError, RuntimeError, TimeoutError, CancelledError, ValueError):
        raise Lost("the scheduler is gone") from None


def spread(
    client: Any, play: Callable[..., Any], calls: Iterable[tuple[Any, ...]], trouble: Callable[[], bool]
) -> Iterator[Any]:
    """Yield ``play(*call)`` of each call as the results come, two a thread under way; workers may come and go.

    Parameters
    ----------
    trouble
        Asked now and then: whether some worker has left word that it cannot go on.

    Raises
    ------
    Lost
        A call has cost `LIVES` workers and one more, a worker has said why it ends, or the cluster is gone.
    """
    left = iter(calls)
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    futures: set[Any] = set()

    def hand_out() -> None:
        while len(futures) < max(2, 2 * slots(client)):
            call = next(left, None)
            if call is None:
                return
            future = client.submit(play, *call, pure=False)
            futures.add(future)
            future.add_done_callback(done.put)

    try:
        hand_out()
        empty_since = None
        while futures:
            try:
                future = done.get(timeout=LOOK)
            except queue.Empty:
                if trouble():
                    raise Lost("a worker has ended itself") from None
                if slots(client):
                    empty_since = None
                elif empty_since is None:
                    empty_since = time.monotonic()
                elif time.monotonic() - empty_since > WORKERS:
                    raise Lost("the cluster has no workers any more") from None
                continue
            futures.discard(future)
            result = _result(future)
            future.release()
            yield result
            hand_out()
    finally:
        with suppress(Exception):  # a scheduler that is gone has nothing to cancel
            client.cancel(list(futures))


def _result(future: Any) -> Any:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker:
        raise Lost(f"a chunk has cost {LIVES + 1} workers") from None
    except CancelledError:
        raise Lost("the scheduler has dropped a chunk, or is gone") from None


class Lost(Exception):
    """A chunk that no worker survives."""


def _say_what_is_open(scheduler: str, news: Callable[[str], None]) -> None:
    parts = urlsplit(scheduler if "//" in scheduler else f"tcp://{scheduler}")
    if parts.scheme != "tls" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        news(
            f"'{scheduler}' is not encrypted: whoever reaches it can run code on its workers (see SECURITY.md)"
        )


def _wait(client: Any, scheduler: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKERS)
    except TimeoutError:
        raise Refusal(f"the scheduler '{scheduler}' has no workers after {WORKERS} s") from None


def check_shared(client: Any, folder: Path) -> None:
    """Refuse workers that do not see the folder of the run."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".seen-", suffix=".tmp") as probe:
        seen = client.run(os.path.exists, probe.name)
    blind = sorted(address for address, sees in seen.items() if not sees)
    if blind:
        raise Refusal(
            f"worker {blind[0]} does not see the folder '{folder}'; workers write their parts there"
        )
