"""Worked cases as the referees read them: files, lists, and the course of a case, the same for every game."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

SEATS = "ABCD"
KEYS = {"id", "title", "tag", "note", "parameters", "position", "impossible", "deal", "seed", "do", "before"}
KEYS |= {"after", "illegal"}
LISTS = ("legal", "includes", "illegal")


def load(path: Path, game: str, keys: Iterable[str], asked: Iterable[str]) -> list[dict[str, Any]]:
    """The cases of a file; `keys`: those of this game beside `KEYS`, `asked`: what may be asked of a position."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    if content.pop("game") != game or set(content) != {"case"}:
        raise ValueError(f"not a file of cases of {game}: {path}")
    cases: list[dict[str, Any]] = content["case"]
    for case in cases:
        unknown = set(case) - KEYS - set(keys)
        for when in ("before", "after"):
            unknown |= set(case.get(when, {})) - set(LISTS) - set(asked)
        if unknown:
            raise ValueError(f"case {case['id']}: unknown keys {sorted(unknown)}")
    return cases


def listed(value: str | list[str]) -> list[str]:
    """One action or several, as a list."""
    return [value] if isinstance(value, str) else value


def play(
    case: dict[str, Any],
    referee: Any,
    do: Callable[[str], None],
    compare: Callable[[Any, dict[str, Any]], list[str]],
) -> list[str]:
    """What does not hold in a case, in words, up to the first action that is not offered.

    `do` carries an action out and lets happen what follows; `compare` says what does not hold of a position.
    """
    problems = [f"before: {problem}" for problem in compare(referee, case.get("before", {}))]
    for action in case.get("do", []):
        offered = actions_of(referee)
        if action not in offered:
            return [*problems, f"not offered: {action}, but {sorted(offered)}"]
        do(action)
    problems += [f"after: {problem}" for problem in compare(referee, case.get("after", {}))]
    return problems + list_problems(referee, "illegal", case.get("illegal", []))


def actions_of(referee: Any) -> set[str]:
    """What is offered; nothing once the game is over."""
    return set() if referee.phase == "over" else set(referee.actions())


def list_problems(referee: Any, key: str, value: str | list[str]) -> list[str]:
    """What is wrong with the legal actions, by one of `LISTS`."""
    named, offered = set(listed(value)), actions_of(referee)
    wrong = {"legal": named ^ offered, "includes": named - offered, "illegal": named & offered}[key]
    return [f"{key}: {', '.join(sorted(wrong))}"] if wrong else []


def value_problems(key: str, wanted: Any, found: Any) -> list[str]:
    """What differs; of a table only what is wanted counts."""
    if isinstance(wanted, Mapping):
        return [f"{key} {name}: {found[name]}, not {n}" for name, n in wanted.items() if found[name] != n]
    return [] if found == wanted else [f"{key}: {found}, not {wanted}"]


def part_problems(seat: str, found: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """What differs in the parts of a player's line that are named."""
    return [
        f"{seat} {part}: {found[part]}, not {text}" for part, text in wanted.items() if found[part] != text
    ]


def problems_of(
    referee: Any, expected: Mapping[str, Any], found: Mapping[str, Any], seat: Callable[[int, str], list[str]]
) -> list[str]:
    """What is not as expected: lists of actions, values, and the lines of the seats, which `seat` compares."""
    problems = []
    for key, value in expected.items():
        if key in SEATS:
            problems += seat(SEATS.index(key), value)
        elif key in LISTS:
            problems += list_problems(referee, key, value)
        else:
            problems += value_problems(key, value, found[key])
    return problems
