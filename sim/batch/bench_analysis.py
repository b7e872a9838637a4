"""How long the analysis of a data set takes beside a bare scan of its files: whole processes, one after the other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sim.batch.store import read_commits, read_manifest
from sim.core.errors import Refusal

# What each process does between the two looks at the clock; `folder` is the data set.
TASKS = {
    "bare scan": """
import polars as pl
for table in ("games", "seats", "pieces"):
    files = sorted(Path(folder, table).glob("*.parquet"))
    if files:
        pl.scan_parquet(files).select(pl.all().null_count()).collect()
""",
    "seat_balance": "analysis.seat_balance(analysis.load(folder))",
    "piece_strength": "analysis.piece_strength(analysis.load(folder))",
    "report": "analysis.report.write(folder, Path(spare, 'report.html'))",
}
FRAME = """
import json, resource, sys, tempfile, time
from pathlib import Path
import polars, numpy, scipy.special, analysis, analysis.report
folder = sys.argv[1]
with tempfile.TemporaryDirectory() as spare:
    cpu, clock = time.process_time(), time.perf_counter()
    {task}
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
print(json.dumps({{"cpu_seconds": cpu, "seconds": clock, "peak_mb": peak}}))
"""


def bench_analysis(folder: str | Path) -> Iterator[dict[str, Any]]:
    """Measure a bare scan of the files, then what a designer asks for, each in a process of its own.

    Importing the packages is left out; loading the data set is in.

    Yields
    ------
    dict
        folder, games, what (`TASKS`), cpu_seconds, seconds, peak_mb (of the whole process).

    Raises
    ------
    Refusal
        The folder is no data set.
    """
    manifest, commits = read_manifest(Path(folder)), read_commits(Path(folder))
    games = sum(entry["games"] for entry in commits)
    for what, task in TASKS.items():
        if what == "piece_strength" and not (manifest.get("lever") and "pieces" in commits[0]["parts"]):
            continue
        code = FRAME.format(task=task.strip().replace("\n", "\n    "))
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Refusal(f"{folder}: {what} failed: {done.stderr.strip().splitlines()[-1]}")
        yield {"folder": manifest["name"], "games": games, "what": what, **json.loads(done.stdout)}
