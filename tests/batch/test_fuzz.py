"""Files that people write, spoilt in every way: each is read, or refused in one line; nothing else ever happens.

Files of the project are taken apart and changed a little, in what they say (a value becomes another, a key is lost,
twice there or in the wrong place) and in their letters, so that most of them get far before they fail.
"""

from __future__ import annotations

import copy
import json
import math
import random
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.batch.check_files import check_file
from sim.core.errors import Refusal

pytestmark = pytest.mark.plain
ROOT = Path(__file__).parents[2]
GAMES = ("migration", "migrato", "drifting_lands", "mars")
FILES = {
    "experiments": sorted((ROOT / "sim" / "experiments").glob("*.toml")),
    "cases": sorted((ROOT / "tests" / "cases").glob("*/*.toml")),
    "boards": [
        path
        for path in sorted((ROOT / "sim" / "games").glob("*/**/*.toml"))
        if any(word in str(path) for word in ("maps", "decks", "boards", "tracks"))
    ],
}
JUNK: list[Any] = [
    *(
        "",
        "x",
        "none",
        "random",
        "random 3",
        "every 3",
        "random 99",
        "Wolf",
        "a b c",
        "1",
        "-",
        "../x",
        "./x.py",
    ),
    *("greedy", "search:playouts=-1", "search:playouts=1e9", "é\u202e", "A" * 300),
    *(-1, 0, 1, 2, 10**12, 2**70, 1.5, math.nan, math.inf, True),
    *([], {}, [1, 2], ["a"], [[]], [{}], {"a": 1}),
]
CASE = """
[[case]]
id = "1"
title = "A Fly"
tag = "T"
map = "0,0 1,0"
position = "0,0 A:Fly*"
hands = { A = "Fly", B = "Fly" }
do = ["expand Fly 1,0"]
after.to_move = "B"
"""
LETTERS = list('"[]{}=,.#\n\t 0é-+_x')


def as_toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {as_toml(entry)}' for key, entry in value.items())}}}"
    return json.dumps(str(value))


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, entry in entries:
        found += places(entry, (*path, key))
    return found


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def spoil(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    data = copy.deepcopy(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        inner = [path for path in places(data) if path]
        if not inner:
            break
        path = rng.choice(inner)
        home, key = at(data, path[:-1]), path[-1]
        how = rng.randrange(10)
        if how < 5:
            home[key] = copy.deepcopy(rng.choice(JUNK))
        elif how < 6:
            del home[key]
        elif how < 7:
            home[key] = copy.deepcopy(at(data, rng.choice(inner)))
        elif isinstance(home, list):
            home.append(copy.deepcopy(home[key]))
        else:
            other = rng.choice(
                ["x", "game", "players", "vary", "bots", "seed", "tiers", "ask", "", f"{key}s"]
            )
            home[other] = copy.deepcopy(rng.choice([home[key], *JUNK]))
    return data


def spoil_letters(text: str, rng: random.Random) -> str:
    for _ in range(rng.choice([1, 2, 5])):
        where = rng.randrange(len(text) + 1)
        text = text[:where] + rng.choice([*LETTERS, ""]) + text[where + rng.randrange(2) :]
    return text


def spoilt(kind: str, rng: random.Random) -> tuple[Path, str]:
    path = rng.choice(FILES[kind])
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if "case" in data:  # one is enough
        data["case"] = [rng.choice(data["case"])]
    letters = rng.randrange(6) == 0
    text = "".join(
        f"{json.dumps(k)} = {as_toml(v)}\n" for k, v in (data if letters else spoil(data, rng)).items()
    )
    return path, spoil_letters(text, rng) if letters else text


def is_read_or_refused(kind: str, rng: random.Random) -> None:
    original, text = spoilt(kind, rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / original.name
        path.write_text(text, encoding="utf-8")
        game = next((name for name in GAMES if name in original.parts), None)
        try:
            problems = [found.problem for found in check_file(path, game)]
        except Refusal as refused:
            problems = [str(refused)]
    assert not [problem for problem in problems if "\n" in problem or "Traceback" in problem], text


@pytest.mark.parametrize(
    ("text", "message"),
    [  # found so
        ("players = 5\n", "there is no piece 'players'"),
        (
            'game = "migration"\n[players]\ncount = 1_000_000_000_000\n',
            "no game is for 1000000000000 players",
        ),
        (f"{CASE}turns = {{A = 1_000_000_000_000}}", "turns = 1000000000000 is out of the question"),
        (
            f'{CASE}parameters = {{age = "Famin", age_mode = "era"}}',
            "no such Age Card; did you mean 'Famine'",
        ),
    ],
)
def test_what_spoiling_has_found(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "file.toml").write_text(text)
    try:
        problems = [found.problem for found in check_file(tmp_path / "file.toml", "migration")]
    except Refusal as refused:
        problems = [str(refused)]
    assert message in problems[0]


@pytest.mark.parametrize("kind", FILES)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(rng=st.randoms(use_true_random=False))
def test_a_spoilt_file_is_read_or_refused_in_one_line(kind: str, rng: random.Random) -> None:
    is_read_or_refused(kind, rng)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
@pytest.mark.parametrize("kind", FILES)
def test_twenty_thousand_spoilt_files(kind: str, block: int) -> None:
    for seed in range(1000 * block, 1000 * (block + 1)):
        is_read_or_refused(kind, random.Random(seed))
