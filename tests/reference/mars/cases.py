"""Worked cases of Migration: Mars, as ``tests/cases/mars/*.toml`` writes them, run by the referee.

The referee begins before a roll: cases that start in the middle of a turn, or from a deal, are left to the engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.reference import cases
from tests.reference.mars.board import PLACES, Board, name, track_of
from tests.reference.mars.referee import Referee
from tests.reference.mars.rules import CARDS, EVENTS, STRUCTURES, full_rules
from tests.reference.mars.table import SEATS, Table

_PARTS = ("pop", "embassy", "events", "reserve", "bay", "square", "marks")


_STATE = ("capacity", "linked", *SEATS, "board", "board_has", "board_lacks", "treasury", "corners", "deck")
_STATE += (
    "deck_bottom",
    "to_move",
    "phase",
    "scores",
    "ended",
    "winner",
    "doing",
    "report",
    "pending",
    "storm",
)
_STATE += ("offers", "turn", "first", "counts")


def load(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    return cases.load(path, "mars", ("players", "chance"), _STATE)


def for_referee(case: dict[str, Any]) -> bool:
    """Whether the referee can start where the case does."""
    position = case.get("position", {})
    between = position.get("doing", "-") == position.get("pending", "-") == position.get("report", "-") == "-"
    begins = position.get("phase", "act") in ("act", "start") and position.get("offers", "-") == "-"
    return not case.get("deal") and between and begins


def parts_of(text: str) -> tuple[dict[str, str], dict[str, int]]:
    """Named parts of a player's line, and its cards."""
    parts: dict[str, str] = {}
    cards: dict[str, int] = {}
    for part in filter(None, text.split(" | ")):
        words = part.split()
        if words[0] in _PARTS:
            parts[words[0]] = " ".join(words[1:])
        else:
            cards |= dict(zip(words[::2], map(int, words[1::2]), strict=True))
    return parts, cards


def seat_line(seat: int, text: str, board: str, rule: dict[str, Any], stop: int) -> str:
    """A player's whole line; what the case leaves out is nothing, or as the rules say."""
    parts, cards = parts_of(text)
    pop = int(parts.get("pop", 1))
    homes = rule["hq_housing"] + board.count(f"{SEATS[seat]}:Habitat")
    square, _, steps = parts.get("square", str(stop)).partition(" +")
    length = len(track_of(rule))
    marks = parts.get("marks", "-").split()
    if isinstance(rule["never"], list) and not any(mark.startswith("never:") for mark in marks):
        withheld = [kind for kind in STRUCTURES if kind in rule["never"]]
        marks.append("never:" + ",".join(withheld))
    written = [
        f"pop {pop}",
        f"embassy {parts.get('embassy', max(0, pop - homes))}",
        " ".join(f"{kind} {cards.get(kind, 0)}" for kind in CARDS),
        *(f"{part} {parts.get(part, '-')}" for part in ("events", "reserve", "bay")),
        f"square {square} +{steps or (int(square) - stop) % length}",
        f"marks {' '.join(mark for mark in marks if mark != '-') or '-'}",
    ]
    return f"{SEATS[seat]}: " + " | ".join(written)


def position_of(case: dict[str, Any], rule: dict[str, Any]) -> str:
    """The position that a case describes, in full."""
    given = case.get("position", {})
    places = PLACES[case.get("players", 2)]
    board = Board(rule, places)
    entries = [entry for entry in given.get("board", "").split(" ; ") if entry]
    standing = {board.embassy: "Embassy"} | {b: f"{SEATS[s]}:HQ" for s, b in enumerate(board.bases)}
    entries += [f"{name(t)} {word}" for t, word in standing.items() if f"{name(t)} {word}" not in entries]
    laid = " ; ".join(entries)
    treasury = {kind: "-" if count < 0 else str(count) for kind, count in rule["treasury"].items()}
    words = given.get("treasury", "").split()
    treasury |= dict(zip(words[::2], words[1::2], strict=True))
    track = track_of(rule)
    stops = [place * len(track) // 4 + track.index("STOP") for place in places]
    deck = given.get("deck", " ".join(EVENTS))
    lines = [
        f"turn {given.get('turn', 0)}, {given.get('to_move', 'A')}: {given.get('phase', 'act')}",
        f"first: {given.get('first', 'A')}",
        *(seat_line(s, given.get(SEATS[s], ""), laid, rule, stop) for s, stop in enumerate(stops)),
        f"board: {laid}",
        "treasury: " + " ".join(f"{kind} {count}" for kind, count in treasury.items()),
        f"corners: {given.get('corners', 4 - laid.count('Ruin'))}",
        "deck: " + (deck if " | seen" in deck else f"{deck or '-'} | seen 0"),
        f"storm: {given.get('storm', '-')}",
        *(f"{line}: -" for line in ("doing", "report", "offers", "pending")),
    ]
    return "\n".join(lines)


def housed(position: str, case: dict[str, Any], params: dict[str, Any]) -> str:
    """The position with the Embassy as the rules fill it, where the case does not say who lives there."""
    table = Table(position, params)
    for seat, player in enumerate(table.seats):
        named = "embassy" in parts_of(case.get("position", {}).get(SEATS[seat], ""))[0]
        if not named and table.board.at_embassy(seat):
            player.embassy = table.guests(seat)
    return table.position_text()


def run(case: dict[str, Any]) -> list[str]:
    """What does not hold in a case, in words."""
    params = {"map": "lab"} | case.get("parameters", {})
    referee = Referee(housed(position_of(case, full_rules(params)), case, params), params)
    referee.told = list(case.get("chance", []))
    problems = cases.play(case, referee, referee.step, compare)
    return [*problems, f"chance not used: {referee.told}"] if referee.told else problems


def compare_seat(referee: Referee, seat: str, wanted: str) -> list[str]:
    """The parts and the cards that a case names."""
    parts, cards = parts_of(wanted)
    are, have = parts_of(referee.seats[SEATS.index(seat)].text())
    if "+" not in parts.get("square", "+"):
        are["square"] = are["square"].split(" +")[0]
    return cases.value_problems(seat, cards, have) + cases.part_problems(seat, are, parts)


def compare(referee: Referee, wanted: dict[str, Any]) -> list[str]:
    """What a case says of a position and does not hold."""
    lines = dict(line.split(": ", 1) for line in referee.position_text().splitlines()[1:])
    entries = lines["board"].split(" ; ")
    over = referee.phase == "over"
    problems: list[str] = []
    for key, value in wanted.items():
        found: Any = None
        if key in SEATS:
            problems += compare_seat(referee, key, value)
            continue
        if key in cases.LISTS:
            problems += cases.list_problems(referee, key, value)
            continue
        if key in ("board_has", "board_lacks"):
            amiss = [entry for entry in cases.listed(value) if (entry in entries) != (key == "board_has")]
            problems += [f"{key}: {amiss}"] * bool(amiss)
            continue
        if key == "treasury":
            words = value.split()
            stock = {kind: "-" if n is None else str(n) for kind, n in referee.treasury.items()}
            found = " ".join(f"{kind} {stock[kind]}" for kind in words[::2])
        elif key in ("capacity", "linked", "scores"):
            seats = {letter: SEATS.index(letter) for letter in value}
            if key == "capacity":
                found = {letter: referee.capacity(seat) for letter, seat in seats.items()}
            elif key == "linked":
                found = {letter: referee.board.at_embassy(seat) for letter, seat in seats.items()}
            else:
                found = {letter: referee.scores()[seat] for letter, seat in seats.items()}
        elif key == "deck":
            found = " ".join(referee.deck) or "-"
        elif key == "deck_bottom":
            found = " ".join(referee.deck[-len(value.split()) :])
        elif key == "winner":
            found = "none" if referee.winner is None else SEATS[referee.winner]
        elif key == "ended":
            found = over
        elif key == "board":
            found, value = sorted(entries), sorted(value.split(" ; "))
        elif key in ("phase", "turn"):
            found = getattr(referee, key)
        elif key == "to_move":
            found = SEATS[referee.to_move]
        elif key == "counts":
            found = {"deck": len(referee.deck)}
        else:
            found, value = lines[key], str(value)
        problems += cases.value_problems(key, value, found)
    return problems
