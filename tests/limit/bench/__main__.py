"""``python -m tests.limit.bench [--quick] [--only PART] [--json FILE] [--picture FILE]``: what `make bench` runs."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["POLARS_MAX_THREADS"] = "1"  # as in a worker, before polars is loaded

from tests.limit.bench import limit, logs, runs
from tests.limit.bench.rounds import HEAD, Row, one_core, told


def parts(quick: bool) -> dict[str, Callable[[], Iterator[Row]]]:
    """Return what is measured, by name; the whole commands come last, with all cores."""
    if quick:
        return {
            "limit": lambda: limit.measure(5),
            "random": lambda: logs.measure_random(3),
            "logs": lambda: logs.measure(5, ("migration",), 4),
            "start": lambda: runs.measure_start(1),
            "workers": lambda: runs.measure_workers(1, 8),
        }
    return {
        "limit": lambda: limit.measure(25),
        "random": lambda: logs.measure_random(9),
        "logs": lambda: logs.measure(15),
        "start": lambda: runs.measure_start(5),
        "workers": lambda: runs.measure_workers(3),
    }


def main() -> None:
    """Measure, print the table, write what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.limit.bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="two minutes; few rounds, an eighth of the work for two workers"
    )
    parser.add_argument("--only", action="append", metavar="PART", help=", ".join(parts(False)))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all rows as JSON")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw them as PNG")
    given = parser.parse_args()
    measured = parts(given.quick)
    for name in given.only or ():
        if name not in measured:
            parser.error(f"--only {name}: there is {', '.join(measured)}")
    chosen = given.only or list(measured)
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    rows: list[Row] = []
    print(HEAD, flush=True)
    for name in measured:
        if name not in chosen:
            continue
        if name == "workers" and cores:
            os.sched_setaffinity(0, cores)
        else:
            one_core()
        for row in measured[name]():
            rows.append(row)
            print(told(row), flush=True)
    missed = sum(row.kept is False for row in rows)
    print(f"{sum(row.kept is True for row in rows)} targets met, {missed} missed")
    if given.json:
        given.json.write_text(json.dumps([row.data() for row in rows], indent=1) + "\n", encoding="utf-8")
    if given.picture:
        from tests.limit.bench.picture import draw

        draw(rows, given.picture)


if __name__ == "__main__":
    main()
