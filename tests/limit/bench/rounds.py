"""Measuring in turns, and the rows that are told."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

AT_LEAST, AT_MOST = "at least", "at most"


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    part, what
        What is measured.
    figure, unit
        What was found.
    ratio, to
        The median ratio to something else, and to what; None where nothing is compared.
    bound, target
        What the ratio, or without one the figure, should be ("at least", 0.5); None: nothing is wanted.
    spread
        Least and greatest ratio of the rounds.
    """

    part: str
    what: str
    figure: float
    unit: str
    ratio: float | None = None
    to: str = ""
    bound: str = ""
    target: float | None = None
    spread: tuple[float, float] | None = None

    @property
    def kept(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        found = self.figure if self.ratio is None else self.ratio
        return found >= self.target if self.bound == AT_LEAST else found <= self.target

    def data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**asdict(self), "kept": self.kept}


def one_core() -> None:
    """Stay on one core from here on, where the system lets a process say so."""
    with suppress(AttributeError, OSError):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def spent(task: Callable[[], Any]) -> float:
    """Return the CPU seconds of this process that a task takes."""
    begun = time.process_time()
    task()
    return max(time.process_time() - begun, 1e-9)


def in_turns(tasks: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Return the CPU seconds of each task in each round, after a first one that is not counted.

    The order turns from round to round.
    """
    names = list(tasks)
    found: dict[str, list[float]] = {name: [] for name in names}
    for name in names:
        tasks[name]()
    for k in range(rounds):
        for name in names[k % len(names) :] + names[: k % len(names)]:
            found[name].append(spent(tasks[name]))
    return found


def ratios(above: list[float], below: list[float]) -> tuple[float, tuple[float, float]]:
    """Return the median of the ratios of pairs, and the least and greatest of them."""
    each = [a / b for a, b in zip(above, below)]
    return median(each), (min(each), max(each))


def told(row: Row) -> str:
    """Return a row as a line of the table."""
    figure = f"{row.figure:,.0f}" if row.figure >= 100 else f"{row.figure:,.3g}"
    compared = "" if row.ratio is None else f"{row.ratio:.3g} x {row.to}"
    wanted = "" if row.target is None else f"{row.bound} {row.target:,g}"
    verdict = {None: "", True: "yes", False: "NO"}[row.kept]
    return f"{row.part:<16} {row.what:<32} {figure:>11} {row.unit:<10} {compared:<26} {wanted:<15} {verdict}"


HEAD = f"{'part':<16} {'what':<32} {'figure':>11} {'unit':<10} {'compared':<26} {'wanted':<15} kept"


def say(text: str) -> None:
    """Tell on the side what is being done."""
    print(text, file=sys.stderr, flush=True)
