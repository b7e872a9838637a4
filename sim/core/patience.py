"""Bots and rules that never come back: noticed by a thread beside the loop, which cannot be interrupted itself.

The loop leaves marks in an array: how often it went on, in which game, and whether a bot is thinking. A thread reads
them; when they stay the same for too long, the process is ended (compiled code ends in no other way). Time is read here
only, and reaches no row. What counts is time of the processor, so that a slow or busy machine is no reason; a bot that
waits without working is given ten times as much by the clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

USUAL = 600.0
"""Seconds of the processor that a single decision may take."""
IDLE = 10.0
"""By the clock, this times as long."""
WENT_ON, GAME, THINKS = range(3)
"""Places in the marks: how often the loop went on (0: it has not begun), game of the job, whether a bot is asked."""

_end: tuple[float, Callable[[str], None]] | None = None


@contextmanager
def ending(seconds: float, end: Callable[[str], None]) -> Iterator[None]:
    """Call `end` with a line, from a thread, when within this block the loop does not go on for `seconds`; 0: never."""
    global _end
    before, _end = _end, (seconds, end) if seconds > 0 else None
    try:
        yield
    finally:
        _end = before


@contextmanager
def watched(marks: Any, who: Callable[[], str]) -> Iterator[None]:
    """Watch the marks of a loop that runs within; `who` tells whose fault it is."""
    if _end is None:
        yield
        return
    seconds, end = _end
    over = threading.Event()

    def watch() -> None:
        seen, cpu, clock = -1, 0.0, 0.0
        while not over.wait(min(1.0, seconds / 10)):
            now = int(marks[WENT_ON])
            if now != seen or now == 0:  # before the first mark the compiler works
                seen, cpu, clock = now, time.process_time(), time.monotonic()
                continue
            worked, waited = time.process_time() - cpu, time.monotonic() - clock
            if worked >= seconds or waited >= IDLE * seconds:
                spent = f"{worked:,.0f} s of work" if worked >= seconds else f"{waited:,.0f} s"
                end(f"{who()} has not come back for {spent} (--patience {seconds:g})")
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
