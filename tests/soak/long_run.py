"""Does memory stay flat over a long run, and can it be read meanwhile?  ``python -m tests.soak.long_run GAMES [LOG]``.

Connect four is played by the random bot into a temporary folder, in this process (`--jobs 1`), with the memory of the
process read after each committed chunk; on the way the data set is opened and counted by another process. Then the
parts are put together, and a process each opens the data set, asks how fair the seats are, and writes the report.
Exits with 1 when memory grows while playing by more than a tenth from the first tenth of the games to the last, or when
reading takes more than `MOST` MB, which is the same however many games there are.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
GAME = HERE.parent / "limit" / "connect_four.py"
GROWTH = 1.1
MOST = {"opened and counted": 200, "fairness of the seats": 600, "report": 1_000}
"""MB that a process may take at most, of any number of games."""
LOOKS = 5
READING = {
    "opened and counted": "d = analysis.load(sys.argv[1]); print(f'{d.n_games:,} games')",
    "fairness of the seats": "print(analysis.seat_balance(analysis.load(sys.argv[1]))['estimate'].to_list())",
    "report": "from sim.cli import main; main(['report', sys.argv[1], '-o', sys.argv[1] + '/report.html'])",
}


def memory() -> float:
    """Return the resident memory of this process now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def read_by_another(folder: Path, title: str) -> tuple[str, bool]:
    """Let another process read; return what it says, its most memory and CPU seconds, and whether that is little."""
    told = "import resource as r, sys; u = r.getrusage(r.RUSAGE_SELF); "
    told += "most = open('/proc/self/status').read().split('VmHWM:')[1].split()[0]; "  # ru_maxrss is the parent's too
    told += "print(f'{int(most) / 1024:.0f} MB at most, {u.ru_utime + u.ru_stime:.1f} CPU s')"
    source = f"import atexit, sys\nimport analysis\natexit.register(lambda: exec({told!r}))\n{READING[title]}"
    done = subprocess.run([sys.executable, "-c", source, str(folder)], capture_output=True, text=True)
    if done.returncode:
        return f"FAILS: {done.stderr[-300:]}", False
    mb = int(done.stdout.split("\n")[-2].split(" MB at most")[0])
    text = "; ".join(done.stdout.split("\n")[:-1])
    return text + ("" if mb <= MOST[title] else f": MORE THAN {MOST[title]} MB"), mb <= MOST[title]


def play(folder: Path, games: int, log: str) -> list[tuple[int, float]]:
    """Play and return (games so far, MB) after each chunk; print what another process reads on the way."""
    from sim.batch import store
    from sim.batch.experiment import read_experiment
    from sim.batch.runner import run

    seen: list[tuple[int, float]] = []
    append, looks = store.append_commit, [games * (k + 1) // (LOOKS + 1) for k in range(LOOKS)]

    def counted(where: Path, entry: Mapping[str, Any]) -> None:
        append(where, entry)
        seen.append(((seen[-1][0] if seen else 0) + int(entry["games"]), memory()))
        if looks and seen[-1][0] >= looks[0]:
            looks.pop(0)
            text, _ = read_by_another(where, "opened and counted")
            print(
                f"  {seen[-1][0]:>12,} games  {seen[-1][1]:.0f} MB here; meanwhile read: {text}", flush=True
            )

    data = {"game": str(GAME), "name": "long", "seed": 3, "log": log}
    data |= {"players": {"count": 2, "bots": ["random"]}}
    store.append_commit = counted
    try:
        run(read_experiment(data, games=games), folder, jobs=1)
    finally:
        store.append_commit = append
    return seen


def main(arguments: list[str]) -> int:
    """Play, read, and say how memory went; 1 when it grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.long_run")
    parser.add_argument("games", type=int)
    parser.add_argument("log", nargs="?", default="games")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp()) / "long"
    try:
        begun = time.process_time()
        seen = play(folder, given.games, given.log)
        spent = time.process_time() - begun
        early = max(mb for games, mb in seen if games <= max(seen[0][0], given.games / 10))
        late = max(mb for games, mb in seen if games >= 0.9 * given.games)
        size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
        print(f"{seen[-1][0]:,} games in {spent:.0f} CPU s, {size / seen[-1][0]:.1f} bytes a game")
        print(f"memory while playing: {early:.0f} MB up to the first tenth, {late:.0f} MB in the last")
        fine = late <= GROWTH * early
        for title in READING:
            text, held = read_by_another(folder, title)
            print(f"{title}: {text}", flush=True)
            fine &= held
        from sim.batch.compact import compact

        begun = time.process_time()
        found = compact(folder)
        print(
            f"compact: {found.files_before} files to {found.files} in {time.process_time() - begun:.0f} CPU s, "
            f"{memory():.0f} MB; {json.dumps(sum(p.stat().st_size for p in folder.rglob('*.parquet')))} bytes"
        )
        for title in ("fairness of the seats", "report"):
            text, held = read_by_another(folder, title)
            print(f"{title}, parts put together: {text}", flush=True)
            fine &= held
        return int(not fine)
    finally:
        shutil.rmtree(folder.parent, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
