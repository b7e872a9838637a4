"""Keep the records of the finished reports: ``python -m tests.reports``.

python -m tests.reports                        which reports are old; records of the others get today's versions
python -m tests.reports NAME SOURCE FILE... --command "whimbrel ..."
                                               write the record of a report and its files in reports/; SOURCE is
                                               its data set, or the experiment that its games are of
"""

from __future__ import annotations

import tests.conftest  # noqa: F401  (sets the flags of the test run before Numba is imported)

import argparse  # isort: skip
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from sim.batch.experiment import read_experiment
from sim.batch.manifest import boards_version, bots_versions
from sim.core.errors import Refusal
from tests.reports import played


def main(words: list[str]) -> int:
    """Return 1 when a report is old, 2 when a record cannot be written."""
    parse = argparse.ArgumentParser(prog="python -m tests.reports", description=__doc__.split("\n")[0])
    parse.add_argument("name", nargs="?")
    parse.add_argument("source", nargs="?")
    parse.add_argument("files", nargs="*")
    parse.add_argument("--command", default="")
    asked = parse.parse_args(words)
    if not asked.name:
        return max([renew(name) for name in played.names()], default=0)
    if not asked.source or not asked.files or not asked.command:
        parse.error("a record needs NAME, SOURCE, the report's files and --command")
    return record(asked.name, asked.source, asked.files, asked.command)


def record(name: str, source: str, files: list[str], command: str) -> int:
    """Write a record; refuse one of files that are not there."""
    missing = [file for file in files if not (played.REPORTS / file).is_file()]
    if missing:
        print(f"reports/ has no {', '.join(missing)}", file=sys.stderr)
        return 2
    try:
        if Path(source).is_dir():
            found = played.of_data_set(files, command, Path(source))
        else:
            found = played.of_experiment(files, command, read_experiment(source, games=1))
    except Refusal as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{played.write(name, found)}: {len(found.games)} games")
    return 0


def renew(name: str) -> int:
    """Give a record today's versions when its games go as they did; else say what makes the report anew."""
    found = played.read(name)
    with tempfile.TemporaryDirectory() as folder:
        plan = played.plan_of(found, Path(folder))
        moved = played.moved(found, plan)
        if not moved:
            print(f"{name}: up to date")
            return 0
        others = played.otherwise(found, plan)
        if others:
            print(f"{name}: OLD, make it anew with: {found.command}", *others, sep="\n  ")
            return 1
        now = replace(
            found,
            rules_version=plan.game.rules_version,
            bots_versions=bots_versions(plan),
            boards_version=boards_version(plan),
        )
    played.write(name, now)
    print(f"{name}: played as before, with other {', '.join(moved)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
