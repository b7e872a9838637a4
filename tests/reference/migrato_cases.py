"""Worked cases of Migrato, as ``tests/cases/migrato/*.toml`` writes them, run by the referee."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

from tests.reference.migrato import Referee
from tests.reference.migrato_arrivals import SEATS
from tests.reference.migrato_cards import (
    column_text,
    hand_text,
    open_text,
    read_cards,
    read_columns,
    read_player,
)
from tests.reference.migrato_random import random_game, tell_chance

_CASE = {"id", "title", "tag", "parameters", "position", "deal", "do", "before", "after", "illegal"}
_STATE = {"A", "B", "deck", "discard", "to_move", "phase", "scores", "counts", "legal", "illegal", "includes"}
_STATE |= {"ended", "winner", "ended_by"}


def load(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    if content.pop("game") != "migrato" or set(content) != {"case"}:
        raise ValueError(f"not a file of Migrato's cases: {path}")
    cases: list[dict[str, Any]] = content["case"]
    for case in cases:
        unknown = (
            set(case) - _CASE | set(case.get("before", {})) - _STATE | set(case.get("after", {})) - _STATE
        )
        if unknown:
            raise ValueError(f"case {case['id']}: unknown keys {sorted(unknown)}")
    return cases


def listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def run(case: dict[str, Any]) -> list[str]:
    """What does not hold in a case, in words."""
    rng = random.Random(case["id"])
    params = case.get("parameters", {})
    referee = random_game(rng, params) if case.get("deal") else Referee.at(case["position"], params)
    problems = [f"before: {problem}" for problem in compare(referee, case.get("before", {}))]
    for action in case.get("do", []):
        if referee.phase == "over" or action not in referee.actions():
            return [*problems, f"not offered: {action}, but {sorted(referee.actions())}"]
        referee.do(action)
        tell_chance(referee, rng)
    problems += [f"after: {problem}" for problem in compare(referee, case.get("after", {}))]
    offered = sorted(set(listed(case.get("illegal", []))) & referee.actions())
    return problems + [f"offered: {action}" for action in offered]


def compare(referee: Referee, expected: dict[str, Any]) -> list[str]:
    """Compare what is named in `expected` with the position."""
    problems = []
    found: dict[str, Any] = {
        "deck": open_text(referee.deck),
        "discard": open_text(referee.discards),
        "to_move": SEATS[referee.to_move],
        "phase": referee.phase,
        "scores": dict(zip(SEATS, referee.scores())),
        "ended": referee.phase == "over",
        "ended_by": None if referee.ended_by is None else SEATS[referee.ended_by],
        "legal": sorted(referee.actions()),
    }
    winner = referee.winner()
    found["winner"] = None if referee.phase != "over" else "tie" if winner is None else SEATS[winner]
    counts = {name: len(referee.hands[seat]) for seat, name in enumerate(SEATS)}
    counts |= {"deck": len(referee.deck), "discard": len(referee.discards)}
    for key, value in expected.items():
        if key in SEATS:
            problems += player_problems(referee.player_text(SEATS.index(key)), value, key)
        elif key == "counts":
            problems += [
                f"{n} cards: {name} has {counts[name]}" for name, n in value.items() if counts[name] != n
            ]
        elif key == "illegal":
            problems += [f"offered: {action}" for action in listed(value) if action in found["legal"]]
        elif key == "includes":
            problems += [f"not offered: {action}" for action in listed(value) if action not in found["legal"]]
        else:
            wanted = sorted(value) if key == "legal" else value
            if found[key] != wanted:
                problems.append(f"{key} is {found[key]}, not {wanted}")
    return problems


def player_problems(text: str, expected: str, name: str) -> list[str]:
    """Compare the parts of a player's line that `expected` names."""
    found = read_player(text)
    problems = []
    for part, value in read_player(expected).items():
        if part == "hand":
            wanted = hand_text(read_cards(value))
        elif part == "columns":
            wanted = " ".join(column_text(column) for column in read_columns(value)) or "-"
        else:
            wanted = value
        if found[part] != wanted:
            problems.append(f"{name} {part}: {found[part]}, not {wanted}")
    return problems
