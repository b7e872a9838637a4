"""Worked cases of Drifting Lands, as ``tests/cases/drifting_lands/*.toml`` writes them, run by the referee."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from tests.reference.drifting_lands import Referee
from tests.reference.drifting_lands_board import SEATS
from tests.reference.drifting_lands_cards import cards_text, read_cards
from tests.reference.drifting_lands_map import around, load_map, name, open_sea, read_space, reading

_CASE = {"id", "title", "tag", "parameters", "board", "players", "position", "deal", "do", "before", "after"}
_CASE |= {"illegal"}
_STATE = {"legal", "includes", "illegal", "land", "pending", "to_move", "phase", "round", "first", "scores"}
_STATE |= {"continent_scores", "pawns_on_board", "cards", "ended", "winner", *SEATS}


def load(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    if content.pop("game") != "drifting_lands" or set(content) != {"case"}:
        raise ValueError(f"not a file of Drifting Lands' cases: {path}")
    cases: list[dict[str, Any]] = content["case"]
    for case in cases:
        states = [case.get("before", {}), case.get("after", {})]
        unknown = set(case) - _CASE | {key for state in states for key in set(state) - _STATE}
        if unknown:
            raise ValueError(f"case {case['id']}: unknown keys {sorted(unknown)}")
    return cases


def listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def set_up(case: dict[str, Any]) -> Referee:
    """The game of a case, before what is done."""
    params, position = case.get("parameters", {}), case.get("position", {})
    named = [k + 1 for k, seat in enumerate(SEATS) if seat in position]
    players = case.get("players", max([2, *named]))
    sea = open_sea(case["board"])
    if case.get("deal"):
        return Referee.deal(params | {"map": case["board"]}, players)
    where = sea or load_map(case["board"])
    referee = Referee(where, params, players)
    if "land" in position:
        referee.read_land(spelled_out(position["land"], referee))
    else:
        for tiles in where.tiles:
            referee.lay(tiles)
    for seat, letter in enumerate(SEATS[:players]):
        referee.read_seat(seat, position.get(letter, ""))
    referee.round = position.get("round", 1)
    referee.first = SEATS.index(position.get("first", "A"))
    referee.to_move = SEATS.index(position.get("to_move", SEATS[referee.first]))
    referee.phase = position.get("phase", "play")
    return referee


def spelled_out(land: str, referee: Referee) -> str:
    """Write the spaces of the board for each `flower(q,r)`."""

    def flower(found: re.Match[str]) -> str:
        centre = read_space(found[1])
        tiles = [tile for tile in [centre, *around(centre)] if tile in referee.spaces]
        return " ".join(name(tile) for tile in reading(tiles))

    return re.sub(r"flower\(([^)]*)\)", flower, land)


def run(case: dict[str, Any]) -> list[str]:
    """What does not hold in a case, in words."""
    referee = set_up(case)
    problems = [f"before: {problem}" for problem in compare(referee, case.get("before", {}))]
    for action in case.get("do", []):
        if action not in referee.actions():
            return [*problems, f"not offered: {action}, but {sorted(referee.actions())}"]
        referee.do(action)
    problems += [f"after: {problem}" for problem in compare(referee, case.get("after", {}))]
    offered = sorted(set(listed(case.get("illegal", []))) & referee.actions())
    return problems + [f"offered: {action}" for action in offered]


def compare(referee: Referee, expected: dict[str, Any]) -> list[str]:
    """Compare what is named in `expected` with the position."""
    seats = range(referee.players)
    over = referee.phase == "over"
    found: dict[str, Any] = {
        "land": referee.land_text(),
        "pending": referee.pending_text(),
        "to_move": SEATS[referee.to_move],
        "phase": referee.phase,
        "round": referee.round,
        "first": SEATS[referee.first],
        "ended": over,
        "winner": referee.winner_text() if over else None,
        "legal": sorted(referee.actions()),
    }
    numbers = {
        "scores": referee.scores(),
        "continent_scores": referee.continent_scores(),
        "pawns_on_board": [len(referee.levels(seat)) for seat in seats],
        "cards": [len(referee.deck[s] + referee.hand[s] + referee.discard[s]) for s in seats],
    }
    problems = []
    for key, value in expected.items():
        if key in SEATS:
            problems += seat_problems(referee.seat_text(SEATS.index(key)), value, key)
        elif key in numbers:
            have = {seat: numbers[key][SEATS.index(seat)] for seat in value}
            problems += [
                f"{key} {seat}: {have[seat]}, not {n}" for seat, n in value.items() if have[seat] != n
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


def seat_problems(text: str, expected: str, seat: str) -> list[str]:
    """Compare the parts of a seat's line that `expected` names."""
    found = dict(part.split(" ", 1) for part in text.split(" | "))
    problems = []
    for part, value in (part.split(" ", 1) for part in expected.split(" | ")):
        wanted = cards_text(read_cards(value)) if part in ("hand", "deck", "discard") else value
        if found[part] != wanted:
            problems.append(f"{seat} {part}: {found[part]}, not {wanted}")
    return problems
