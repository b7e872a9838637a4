"""Coverage-guided fuzzing of what reads files that people write: ``python -m tests.soak.fuzz READER SECONDS``.

READER is experiment, case, map, targets or import. The files of the project are the seeds; the fuzzer (atheris, which
is to be installed by hand: ``pip install atheris``) keeps those changes of them that reach lines of ours that nothing
reached before. Each file must be read or refused in one line. What is not is printed and left in the folder given by
``--keep``; when it is mended, its like belongs into `tests/soak/test_fuzz_finds.py`.
"""

from __future__ import annotations

import os

if __name__ == "__main__":  # before Numba is loaded; never in a test run, whose other tests compile
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

import argparse  # isort: skip
import importlib
import random
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ["sim.batch", "sim.core.cases", "sim.games", "analysis.data", "analysis.targets"]
READ_BY = (
    "sim.games.migration.game",
    "sim.batch.check_files",
    "analysis.data.importing",
    "analysis.targets.table",
)
"""What counts as reached, and what is loaded for it."""
LONGEST = 4096
"""Bytes of a file: more is more of the same."""
SHEET = (
    "players;winner;player 1;score 1;player 2;score 2;date;minutes;cards 1\n"
    "2;A;Ann;5;Bob;3;2025-01-01;30;Wolf+2 Rats\n2;A+B;Ann;4;Bob;4;2025-02-01;;\n"
)
SHORT = "players,winner\n2,A\n2,B\n3,C\n"
JSON = (
    '[{"players": 2, "winner": "A", "score 1": 5, "score 2": 3}, {"players": 2, "winner": "B", "map": "x"}]'
)


def toml_files(*patterns: str) -> Iterator[str]:
    """Yield the shipped files that are short enough; of files of many cases, each case."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            head, *cases = text.split("[[case]]")
            if len(cases) > 1:
                yield from (f"{head}[[case]]{case}" for case in cases[:12] if len(head + case) < LONGEST)
            elif len(text) < LONGEST:
                yield text


def seeds(reader: str) -> list[str]:
    """Return the files to begin with."""
    return {
        "experiment": lambda: list(toml_files("sim/experiments/*.toml")),
        "case": lambda: list(toml_files("tests/cases/migration/*.toml")),
        "map": lambda: list(toml_files("sim/games/migration/maps/*.toml")),
        "targets": lambda: list(toml_files("analysis/targets/ready/*.toml")),
        "import": lambda: [SHEET, SHORT, JSON, SHEET.replace(";", ","), SHEET.replace(";", "\t")],
    }[reader]()


def checked(path: Path) -> list[str]:
    """Read a file of ours as `whimbrel check` does."""
    from sim.batch.check_files import check_file

    return [found.problem for found in check_file(path, "migration")]


def targets(path: Path) -> list[str]:
    """Read targets as `whimbrel assert` does."""
    from analysis.targets.table import targets_file

    targets_file(path)
    return []


def imported(path: Path) -> list[str]:
    """Read a sheet of games as `whimbrel import` does."""
    from analysis.data.importing import import_games

    import_games([path])
    return []


READERS: dict[str, tuple[Callable[[Path], list[str]], str]] = {
    "experiment": (checked, ".toml"),
    "case": (checked, ".toml"),
    "map": (checked, ".toml"),
    "targets": (targets, ".toml"),
    "import": (imported, ".csv"),
}


def read(reader: str, data: bytes, folder: Path) -> str:
    """Let a reader read a file; return what it refuses it with ("": nothing).

    Raises
    ------
    AssertionError
        What it says is not one line. Other exceptions are what the reader let through.
    """
    from analysis.data.errors import Refusal as AnalysisRefusal
    from sim.core.errors import Refusal

    ask, ending = READERS[reader]
    is_json = reader == "import" and data[:1] in (b"[", b"{")
    path = folder / f"file{'.json' if is_json else ending}"
    path.write_bytes(data)
    try:
        problems = [problem for problem in ask(path) if problem]
    except (Refusal, AnalysisRefusal) as refused:
        problems = [str(refused)]
    for problem in problems:
        assert "\n" not in problem, problem
        assert "Traceback" not in problem, problem
    return problems[0] if problems else ""


def spoil(data: bytes, most: int, seed: int) -> bytes:
    """Change a TOML file in what it says rather than in its letters, where it is one that can be read."""
    from tests.batch.test_fuzz import as_toml
    from tests.batch.test_fuzz import spoil as spoil_values

    rng = random.Random(seed)
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return data
    lines = (f"{as_toml({key: value})[1:-1]}\n" for key, value in spoil_values(table, rng).items())
    return "".join(lines).encode("utf-8", "replace")[:most]


def main(arguments: list[str]) -> int:
    """Fuzz for so many seconds; a file that is neither read nor refused ends it."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.fuzz")
    parser.add_argument("reader", choices=sorted(READERS))
    parser.add_argument("seconds", type=int)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()), help="where a find is left")
    given = parser.parse_args(arguments)
    try:
        import atheris
    except ImportError:
        print("fuzzing needs atheris: pip install atheris", file=sys.stderr)
        return 2
    with atheris.instrument_imports(include=OURS):
        for name in READ_BY:
            importlib.import_module(name)
    given.keep.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp())
    corpus = home / "corpus"
    corpus.mkdir()
    for number, text in enumerate(seeds(given.reader)):
        (corpus / f"seed-{number:03d}").write_text(text, encoding="utf-8")

    def once(data: bytes) -> None:
        read(given.reader, data, home)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        changed = spoil(data, most, seed) if given.reader != "import" and seed % 3 else data
        return changed if changed != data else atheris.Mutate(data, min(most, LONGEST))

    options = [f"-max_total_time={given.seconds}", f"-max_len={LONGEST}", f"-artifact_prefix={given.keep}/"]
    options += ["-print_final_stats=1", "-timeout=60", "-rss_limit_mb=4096", "-verbosity=1"]
    atheris.Setup(["fuzz", *options, str(corpus)], once, custom_mutator=mutate)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
