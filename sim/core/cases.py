"""Files of worked cases, whatever the game: reading them, their keys, and what became of each case."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.core.errors import Refusal, nearest


@dataclass
class CaseResult:
    """What became of one case: `problems` is empty when everything held."""

    file: str
    id: str
    title: str
    tag: str = "T"
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the case held."""
        return not self.problems


def table_of(case: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    """Return a table of a case, {} when it is missing."""
    value = case.get(key, {})
    if not isinstance(value, dict):
        raise Refusal(f"{where}: {key} must be a table")
    return value


def compare(what: str, wanted: Any, found: Any) -> list[str]:
    """Return a problem, in a list, when something is not as it should be."""
    return [] if wanted == found else [f"{what}: expected {wanted}, found {found}"]


def begin_case(
    case: Mapping[str, Any], file: str, keys: Sequence[str], checks: Sequence[str]
) -> tuple[CaseResult, str]:
    """Check the keys of a case.

    Parameters
    ----------
    keys, checks
        The keys that a case may have, and those of its tables ``before`` and ``after``.

    Returns
    -------
    (CaseResult, str)
        A result without problems, and where the case stands, for refusals.
    """
    name = str(case.get("id", "?"))
    where = f"{file}, case {name!r}"
    for key in case:
        if key not in keys:
            raise Refusal(f"{where}: unknown key {key!r}{nearest(key, keys)}")
    for when in ("before", "after"):
        for key in table_of(case, when, where):
            if key not in checks:
                raise Refusal(f"{where}: unknown key {when}.{key}{nearest(key, checks)}")
    return CaseResult(file, name, str(case.get("title", "")), str(case.get("tag", "T"))), where


def check_file(
    path: Path, run_case: Callable[[Mapping[str, Any], str, Path], CaseResult]
) -> list[CaseResult]:
    """Run all cases of a file.

    Parameters
    ----------
    path
        A TOML file with a ``[[case]]`` for each.
    run_case
        The game's way to run one: gets the case, the name of the file, and the folder that paths start from.

    Raises
    ------
    Refusal
        If the file is no file of cases.
    """
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise Refusal(f"{path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise Refusal(f"{path}: {error}") from None
    cases = data.get("case")
    if not isinstance(cases, list) or not cases:
        raise Refusal(f"{path}: no [[case]] in it")
    ids = [str(case.get("id", "?")) for case in cases]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise Refusal(f"{path}: case {twice!r} is given twice")
    return [run_case(case, path.name, path.parent) for case in cases]
