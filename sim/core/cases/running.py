"""Files of worked cases: reading them, running each case, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.cases import checks
from sim.core.cases.checks import Check
from sim.core.cases.given import Given
from sim.core.errors import Refusal
from sim.core.files import read_part

if TYPE_CHECKING:
    from sim.core.cases.table import Table

FILE_KEYS = ("game", "case")


@dataclass
class CaseResult:
    """What became of one case: `problems` is empty when everything held.

    `refused` tells that the case itself is not well made, so that it was not played.
    """

    file: str
    id: str
    title: str
    tag: str = "T"
    problems: list[str] = field(default_factory=list)
    refused: bool = False

    @property
    def ok(self) -> bool:
        """Whether the case held."""
        return not self.problems


def run_case(
    table_type: type[Table], case: Mapping[str, Any], file: str, base: Path | None = None
) -> CaseResult:
    """Run one case; one that is not well made is reported like one that does not hold.

    Parameters
    ----------
    table_type
        The game's table.
    case
        The case as it was read.
    file, base
        The file's name, and the folder that paths start from.
    """
    result = CaseResult(file, str(case.get("id", "?")), str(case.get("title", "")), str(case.get("tag", "T")))
    where = f"{file}, case {result.id!r}"
    try:
        result.problems = _problems(table_type(case, where, base), case)
    except Refusal as refusal:
        result.problems, result.refused = [str(refusal).removeprefix(where).lstrip(":, ")], True
    return result


def _problems(table: Table, case: Mapping[str, Any]) -> list[str]:
    """Return what does not hold, up to the first action that is not legal."""
    where = table.where
    before, after = (_wanted(table, case, when) for when in ("before", "after"))
    last = []
    if "illegal" in case:
        what = f"{where}: illegal"
        last.append(
            ("illegal, at the end", checks.ILLEGAL, checks.ILLEGAL.read(table, case["illegal"], what))
        )
    actions = table.given.texts("do")
    for action in actions:
        checks.read_action(table, action, f"{where}: do")
    if not (before or after or last or actions):
        raise Refusal(f"{where}: it checks nothing; write [case.before], do or [case.after]")
    problems = _test(table, before)
    for number, action in enumerate(actions, start=1):
        complaint = table.do(action)
        if complaint:
            return [*problems, complaint if len(actions) == 1 else f"action {number}: {complaint}"]
    return [*problems, *table.at_the_end(), *_test(table, after), *_test(table, last)]


def _wanted(table: Table, case: Mapping[str, Any], when: str) -> list[tuple[str, Check, Any]]:
    """Return the checks of ``before`` or ``after``, each with what it should find."""
    known = table.known_checks()
    if when not in case:
        return []
    values = Given(case[when], table.where, known, f"{when}.").values
    if not values:
        raise Refusal(f"{table.where}: {when} is empty: it checks nothing")
    return [
        (f"{when}.{key}", known[key], known[key].read(table, value, f"{table.where}: {when}.{key}"))
        for key, value in values.items()
    ]


def _test(table: Table, wanted: list[tuple[str, Check, Any]]) -> list[str]:
    return [problem for what, check, value in wanted for problem in check.test(table, value, what)]


def read_cases(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file.

    Parameters
    ----------
    path
        A TOML file with a ``[[case]]`` for each.

    Raises
    ------
    Refusal
        If the file is no file of cases.
    """
    cases = read_part(path, str(path), FILE_KEYS).get("case")
    if not isinstance(cases, list) or not cases:
        raise Refusal(f"{path}: no [[case]] in it")
    if not all(isinstance(case, dict) for case in cases):
        raise Refusal(f"{path}: case should be tables, each under a line [[case]]")
    return cases


def check_file(table_type: type[Table], path: Path) -> list[CaseResult]:
    """Run all cases of a file, whatever becomes of one of them; `Refusal` when it is no file of cases."""
    results: list[CaseResult] = []
    for number, case in enumerate(read_cases(path), start=1):
        case.setdefault("id", f"number {number}")
        result = run_case(table_type, case, path.name, path.parent)
        if any(other.id == result.id for other in results):
            result.problems.append("an earlier case has this id")
        results.append(result)
    return results
