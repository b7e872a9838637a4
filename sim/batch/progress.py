"""Progress on a terminal; silence elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def say(text: str) -> None:
    """Print a line of news where it does not mix with results."""
    print(text, file=sys.stderr, flush=True)


def quiet(text: str) -> None:
    """Say nothing."""


@contextmanager
def bar(total: int, done: int, show: bool) -> Iterator[Callable[[int], None]]:
    """Show how many games are played, the rate and the time left.

    Parameters
    ----------
    total, done
        Games of the run, and how many of them are there already.
    show
        False: nothing is shown; also when standard error is no terminal.

    Yields
    ------
    callable
        To be called with the number of games just finished.
    """
    if not show or not sys.stderr.isatty():
        yield lambda games: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f} games/s" if speed else "")

    columns = (TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"), BarColumn(), Rate())
    with Progress(
        *columns, TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True)
    ) as progress:
        task = progress.add_task("", total=total, completed=done)
        yield lambda games: progress.advance(task, games)


@contextmanager
def slow_note(text: str, news: Callable[[str], None], after: float = 1.5) -> Iterator[None]:
    """Say `text` once if what follows takes longer than `after` seconds."""
    timer = threading.Timer(after, news, [text])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
