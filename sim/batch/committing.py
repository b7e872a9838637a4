"""Finished chunks go to the commit log in groups: while one group reaches the disk, the next one gathers.

To wait until a line is on the disk takes longer than all else that the driver of a run does for a chunk. A thread
waits, for all chunks that have come in the meantime at once, so that the disk does not set how many workers can be kept
busy.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from sim.batch import store


class CommitLog:
    """The commit log of a run, to be used in a ``with``: at its end all that was added is on the disk.

    Parameters
    ----------
    folder
        The data set.
    in_groups
        Whether a thread writes, so that `add` does not wait. Else `add` comes back when the line is on the disk: a
        process that plays by itself has nothing else to do meanwhile.

    Attributes
    ----------
    games
        How many games are committed by now.
    """

    def __init__(self, folder: Path, in_groups: bool) -> None:
        self._folder, self._told, self.games = folder, 0, 0
        self._came: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._write_all, daemon=True) if in_groups else None

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Write what is left; what could not be written is raised, unless something else went wrong already."""
        if self._thread is not None:
            self._came.put(None)
            self._thread.join()
        if kind is None and self._error is not None:
            raise self._error

    def add(self, entry: Mapping[str, Any]) -> None:
        """Commit a chunk; raises what went wrong with one that was added before."""
        if self._error is not None:
            raise self._error
        if self._thread is not None:
            self._came.put(entry)
            return
        store.append_commit(self._folder, entry)
        self.games += entry["games"]

    def news(self) -> int:
        """Return how many games were committed since this was asked last."""
        games = self.games
        new, self._told = games - self._told, games
        return new

    def _write_all(self) -> None:
        more = True
        try:
            while more:
                group = [self._came.get()]
                while not self._came.empty():
                    group.append(self._came.get())
                more = group[-1] is not None
                entries = [entry for entry in group if entry is not None]
                if entries:
                    store.append_commit(self._folder, *entries)
                    self.games += sum(entry["games"] for entry in entries)
        except BaseException as error:  # it is raised where chunks are added
            self._error = error
