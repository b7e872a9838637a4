"""Worked cases of Drifting Lands, as ``tests/cases/drifting_lands/*.toml`` writes them, run by the referee."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.reference import cases
from tests.reference.drifting_lands.board import SEATS
from tests.reference.drifting_lands.cards import cards_text, read_cards
from tests.reference.drifting_lands.map import around, load_map, name, open_sea, read_space, reading
from tests.reference.drifting_lands.referee import Referee

_STATE = ("land", "pending", "to_move", "phase", "round", "first", "scores", "continent_scores")
_STATE += ("pawns_on_board", "cards", "ended", "winner", *SEATS)


def load(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    return cases.load(path, "drifting_lands", ("board", "players"), _STATE)


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
    return cases.play(case, referee, referee.do, compare)


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
        "scores": dict(zip(SEATS, referee.scores())),
        "continent_scores": dict(zip(SEATS, referee.continent_scores())),
        "pawns_on_board": {SEATS[seat]: len(referee.levels(seat)) for seat in seats},
        "cards": {SEATS[s]: len(referee.deck[s] + referee.hand[s] + referee.discard[s]) for s in seats},
    }

    def seat(number: int, line: str) -> list[str]:
        return cases.part_problems(SEATS[number], parts_of(referee.seat_text(number)), parts_of(line))

    return cases.problems_of(referee, expected, found, seat)


def parts_of(line: str) -> dict[str, str]:
    """The parts of a seat's line, cards in their order."""
    parts = dict(part.split(" ", 1) for part in line.split(" | "))
    return {
        part: cards_text(read_cards(text)) if part in ("hand", "deck", "discard") else text
        for part, text in parts.items()
    }
