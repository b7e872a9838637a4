"""The same seeds give the same games with and without compiling: every draw, choice, score and line."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.games.both_ways import TABLES, games


def compare(count: int) -> None:
    run = subprocess.Popen(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.games.both_ways", str(count)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    compiled = [row for table in TABLES for row in games(table, count)]
    out, errors = run.communicate()
    assert run.returncode == 0, errors
    plain = json.loads(out)
    assert len(plain) == len(compiled) == count * len(TABLES)
    assert sum(row["decisions"] for row in plain) > 10 * len(plain)
    for one, other in zip(plain, compiled):
        unlike = [field for field in one if one[field] != other[field]]
        assert not unlike, f"{one['table']}, seed {one['seed']}: other {unlike}"


def test_compiled_and_plain_play_the_same_games() -> None:
    compare(4)


@pytest.mark.soak
def test_compiled_and_plain_play_the_same_games_for_long() -> None:
    compare(60)
