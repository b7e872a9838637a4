"""Worked cases of Migrato, as ``tests/cases/migrato/*.toml`` writes them, run by the referee."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.reference import cases
from tests.reference.migrato.arrivals import SEATS
from tests.reference.migrato.cards import (
    column_text,
    hand_text,
    open_text,
    read_cards,
    read_columns,
    read_player,
)
from tests.reference.migrato.random import random_game, tell_chance
from tests.reference.migrato.referee import Referee

_STATE = ("A", "B", "deck", "discard", "to_move", "phase", "scores", "counts", "ended", "winner", "ended_by")


def load(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    return cases.load(path, "migrato", (), _STATE)


def run(case: dict[str, Any]) -> list[str]:
    """What does not hold in a case, in words."""
    rng = random.Random(case["id"])
    params = case.get("parameters", {})
    referee = random_game(rng, params) if case.get("deal") else Referee.at(case["position"], params)

    def do(action: str) -> None:
        referee.do(action)
        tell_chance(referee, rng)

    return cases.play(case, referee, do, compare)


def compare(referee: Referee, expected: dict[str, Any]) -> list[str]:
    """Compare what is named in `expected` with the position."""
    over, winner = referee.phase == "over", referee.winner()
    found: dict[str, Any] = {
        "deck": open_text(referee.deck),
        "discard": open_text(referee.discards),
        "to_move": SEATS[referee.to_move],
        "phase": referee.phase,
        "scores": dict(zip(SEATS, referee.scores())),
        "ended": over,
        "ended_by": None if referee.ended_by is None else SEATS[referee.ended_by],
        "winner": None if not over else "tie" if winner is None else SEATS[winner],
        "counts": {
            **{name: len(referee.hands[seat]) for seat, name in enumerate(SEATS)},
            "deck": len(referee.deck),
            "discard": len(referee.discards),
        },
    }

    def seat(number: int, line: str) -> list[str]:
        return cases.part_problems(SEATS[number], read_player(referee.player_text(number)), parts_of(line))

    return cases.problems_of(referee, expected, found, seat)


def parts_of(line: str) -> dict[str, str]:
    """The parts of a player's line, written as the referee writes them."""
    parts = read_player(line)
    if "hand" in parts:
        parts["hand"] = hand_text(read_cards(parts["hand"]))
    if "columns" in parts:
        parts["columns"] = " ".join(column_text(c) for c in read_columns(parts["columns"])) or "-"
    return parts
