"""Small positions in which one parameter matters, as data, and whether any parameter has none.

``tests/data/parameters_<game>.toml`` holds a ``[[bite]]`` for each: ``default`` is what must hold with the parameter at
its default, ``other`` with the parameter at ``value``; the rest is a worked case, ``parameters`` what both are played
with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from sim.core.cases.running import run_case
from sim.core.game import get_game
from sim.core.params import describe

DATA = Path(__file__).parents[1] / "data"


def file_of(game: str) -> Path:
    return DATA / f"parameters_{game}.toml"


@cache
def bites(game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(file_of(game).read_text(encoding="utf-8"))["bite"]
    return found


def problems(game: str, bite: dict[str, Any], side: str, changed: dict[str, Any]) -> list[str]:
    """Return what does not hold of one side of a bite, with some parameters changed."""
    own = ("parameter", "value", "default", "other")
    case = {key: value for key, value in bite.items() if key not in own}
    case |= {"id": bite["parameter"], "after": bite[side]}
    case["parameters"] = {**bite.get("parameters", {}), **changed}
    return run_case(get_game(game).case_table(), case, file_of(game).name, DATA).problems


def assert_nothing_is_forgotten(
    game: str, model: type[BaseModel], tried: Iterable[tuple[str, Any]], elsewhere: Collection[str] = ()
) -> None:
    """Every parameter has a bite or is among `tried` (name and value), every choice of one too."""
    pairs = [(bite["parameter"], bite["value"]) for bite in bites(game)] + list(tried)
    rows = [row for row in describe(model) if row["name"] not in elsewhere]
    assert {name for name, _ in pairs} == {row["name"] for row in rows}
    for row in rows:
        if row["type"] in ("choice", "bool"):
            values = {value for name, value in pairs if name == row["name"]}
            missing = set(row["range"]) - {row["default"]} - values
            assert not missing, f"{row['name']}: nothing shows what {missing} does"
