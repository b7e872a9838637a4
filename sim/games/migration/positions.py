"""Positions from text: a map, what lies on it, hands. For worked cases, tests and "go on from here"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.core.cases.given import read_seat
from sim.core.cases.shapes import ABOUT, small_map
from sim.core.contract import RESOLVE
from sim.core.errors import Refusal, nearest
from sim.core.game import validated
from sim.core.notation import counts_text, read_counts
from sim.core.params import nested
from sim.games.migration.board import Board, Region, hex_text
from sim.games.migration.board_text import load_map, parse_list
from sim.games.migration.notation import COMPACT, SEATS, hex_of, region_at
from sim.games.migration.rules import course  # noqa: F401  (registers `resolve` and what it calls)
from sim.games.migration.rules import state as records
from sim.games.migration.rules.dealing import clear
from sim.games.migration.rules.params import PIECES, Parameters
from sim.games.migration.rules.turns import begin_turn
from sim.games.migration.setup_cell import make_rules, piece_code
from sim.show.texts import read_lines


def board_of(text: str, players: int, where: str, base: Path | None) -> Board:
    """Return the board of a case: a list of hexes, a small map with terrain (``row 4 1,0=Lake``), or a map family.

    A family is written ``default/2``, its number of players after the stroke.
    """
    words = text.strip()
    if not words:
        raise Refusal(
            f"{where}: a case needs a map: hexes such as '0,0 1,0=Lake', {ABOUT}, or the name of one"
        )
    small = re.match(r"(?:flower|(?:row|line|disk)\b\s*\S*)", words)
    if small:
        hexes = small_map(small[0], f"{where}: map") or []
        rest = words[small.end() :].strip()
        terrain = {region.hex: region for region in parse_list(rest, f"{where}: map").regions} if rest else {}
        for cell in terrain:
            if cell not in hexes:
                raise Refusal(f"{where}: map: there is no hex {hex_text(cell)} in {small[0]!r}")
        return Board(tuple(terrain.get(cell, Region(*cell)) for cell in hexes))
    if not words[0].isdecimal() and words[0] != "-":
        name, _, number = words.partition("/")
        return load_map(name, int(number) if number.isdecimal() else players, base)
    return parse_list(words, f"{where}: map")


def rules_for(
    board: Board,
    players: int,
    parameters: Mapping[str, Any] | None = None,
    deck: Mapping[str, tuple[str, ...]] | None = None,
) -> Any:
    """Return a rules record (array of length 1) for any board, legal founding or not; `deck`: Age Cards."""
    return make_rules(validated(Parameters, nested(parameters or {})), players, board, deck)


def lay_cards(rules: Any, state: Any, order: list[int]) -> None:
    """Lay the Age Cards in this order: Scenario the active one, Era the deck, Agenda one a seat."""
    mode = int(rules["age_mode"])
    state["deck"][: len(order)] = order
    state["deck_size"] = len(order)
    if mode == records.SCENARIO and order:
        state["active_card"] = order[0]
        state["switches"] = rules["card_switches"][order[0]]
    elif mode == records.AGENDA:
        for seat in range(int(state["players"])):
            state["agenda"][seat] = order[seat] if seat < len(order) else -1


def lay_groups(state: Any, groups: list[str], where: str) -> None:
    """Lay out the groups of a Draft, before the first split: each a text such as ``"Bass Oak 2xRats Fly"``."""
    for g, text in enumerate(groups):
        pieces = [piece for piece, count in parse_hand(text, where).items() for _ in range(count)]
        if len(pieces) > records.GROUP or g >= records.MAX_GROUPS:
            raise Refusal(
                f"{where}: a group holds {records.GROUP} pieces, and there are {records.MAX_GROUPS} groups"
            )
        pieces += [records.NO_PIECE] * (records.GROUP - len(pieces))
        state["groups"][g] = sum(piece << records.PIECE_WIDTH * k for k, piece in enumerate(pieces))
    state["n_groups"] = len(groups)
    state["group"] = 0
    state["stage"] = records.DRAFTING
    state["builds"][: int(state["players"])] = 0


def empty_states(rules: Any, hands: list[dict[int, int]], turns: list[int]) -> Any:
    """Return states (array of 3) with an empty board, before the turn of seat 0.

    Parameters
    ----------
    hands
        Per seat the copies of each piece (by code).
    turns
        Turns that each seat has taken before.
    """
    states = np.zeros(3, dtype=records.State)
    state = states[0]
    clear(state)
    players = len(hands)
    state["players"], state["seat"], state["founder"] = players, players - 1, players - 1
    for seat, hand in enumerate(hands):
        for piece, count in hand.items():
            state["hand"][seat][piece] = count
        state["hand_size"][seat] = state["team_size"][seat] = sum(hand.values())
        state["turns_taken"][seat] = turns[seat]
    state["turn"] = sum(turns)
    state["phase"] = RESOLVE
    fresh = int(rules["oaths"]) and not state["turn"]
    state["stage"] = records.SWEARING if fresh else records.PLAYING
    return states


def parse_hand(text: str, where: str) -> dict[int, int]:
    """Read ``"2xRats Oak"`` as copies by piece code."""
    counts = read_counts(text, PIECES, "Explorer", where)
    return {piece: n for piece, n in enumerate(counts) if n}


def hand_words(hand: Mapping[int, int]) -> str:
    """Return copies by piece code as text, in the order of the pieces."""
    return counts_text(((COMPACT[piece], n) for piece, n in sorted(hand.items())), "")


class Lying(NamedTuple):
    """What a case writes of one Region: a Town, Wasteland, or a Spirit that stands there alone.

    Attributes
    ----------
    piece
        Code of the Town's Explorer, WASTELAND, or NOTHING.
    owner
        Seat of the Town or Spirit, -1 for Wasteland.
    face_down
        Face-down pieces in the stack.
    """

    region: int
    piece: int
    owner: int = -1
    face_down: int = 0
    spirit: bool = False


def read_lying(rules: Any, text: str, seats: str, where: str) -> list[Lying]:
    """Read what lies on the board: ``0,0 A:Bass* ; 1,0 w2 ; 2,0 B:Fly/w ; 3,0 A*``."""
    found: list[Lying] = []
    for part in text.replace("Poison Oak", "PoisonOak").split(";"):
        part = part.strip()
        if not part or part == "(empty)":
            continue
        match = re.fullmatch(r"(-?\d+\s*,\s*-?\d+)\s+(.+)", part)
        if not match:
            raise Refusal(f"{where}: {part!r} should look like '0,0 A:Rats*' or '1,0 w'")
        try:
            region = region_at(rules, match[1])
        except Refusal as refusal:
            raise Refusal(f"{where}: {refusal}") from None
        if any(other.region == region for other in found):
            raise Refusal(f"{where}: Region {hex_of(rules, region)} is given twice")
        found.append(_read_one(region, match[2].strip(), seats, f"{where}, {match[1]}"))
    return found


def _read_one(region: int, text: str, seats: str, where: str) -> Lying:
    waste = re.fullmatch(r"w(\d*)", text)
    spirit = re.fullmatch(r"(\w)\*", text)
    town = re.fullmatch(r"(\w):(\w+)(\*?)(?:/w(\d*))?(\*?)", text)
    if waste:
        return Lying(region, records.WASTELAND, face_down=_pile(waste[1], where))
    if spirit:
        return Lying(region, records.NOTHING, read_seat(spirit[1], seats, where), spirit=True)
    if not town:
        raise Refusal(f"{where}: {text!r} should look like 'A:Rats*', 'w', 'w2', 'B:Fly/w' or 'A*'")
    seat, piece = read_seat(town[1], seats, where), piece_code(town[2], where)
    below = 0 if town[4] is None else _pile(town[4], where)
    return Lying(region, piece, seat, below, bool(town[3] or town[5]))


def _pile(number: str, where: str) -> int:
    if number and int(number) < 1:
        raise Refusal(f"{where}: w{number}: Wasteland has at least one piece")
    return int(number or 1)


def lying_text(rules: Any, lying: Lying) -> str:
    """Return what `read_lying` read, as the engine writes it."""
    below = "" if lying.face_down == 0 else "w" if lying.face_down == 1 else f"w{lying.face_down}"
    place = hex_of(rules, lying.region)
    if lying.piece == records.WASTELAND:
        return f"{place} {below}"
    star = "*" if lying.spirit else ""
    if lying.piece == records.NOTHING:
        return f"{place} {SEATS[lying.owner]}{star}"
    name = PIECES[lying.piece].replace(" ", "")
    return f"{place} {SEATS[lying.owner]}:{name}{star}{'/' + below if below else ''}"


def place(rules: Any, state: Any, text: str, where: str) -> None:
    """Put Towns, Wasteland and Spirits on the board."""
    for lying in read_lying(rules, text, SEATS[: int(state["players"])], where):
        h, seat, piece = lying.region, lying.owner, lying.piece
        bit = np.int64(1 << h)
        if lying.spirit:
            if state["spirit"][seat] >= 0:
                spirits = f"{hex_of(rules, int(state['spirit'][seat]))} and {hex_of(rules, h)}"
                raise Refusal(f"{where}: two Spirits of {SEATS[seat]}, at {spirits}: a player has one")
            state["spirit"][seat] = h
        if piece == records.NOTHING:
            continue
        state["top"][h], state["face_down"][h] = piece, lying.face_down
        if piece == records.WASTELAND:
            state["waste"] |= bit
            continue
        state["town"][seat] |= bit
        state["kind"][piece] |= bit
        state["played"][seat][piece] += 1
        state["team_size"][seat] += 1
        state["first_turn"][seat][piece] = 1


def begin(rules: Any, state: Any, seat: int) -> None:
    """Begin the turn of `seat`, ready to be asked."""
    begin_turn(rules, state, np.int64(seat))
    state["phase"] = records.TURN


def piece_names(counts: Any) -> dict[str, int]:
    """Return copies by piece name, without zeros."""
    return {PIECES[p]: int(n) for p, n in enumerate(counts) if n}


def case_of(text: str, board: str = "") -> tuple[dict[str, Any], int | None]:
    """Return a position's text as a case lays it out, and how many turns were taken.

    A player's line is as in a replay (``A  2 points, Spirit 0,0, hand 2xRats Oak``) or a hand alone.
    """
    lines = read_lines(text, "board")
    said = {key: value for key, value in lines.said.items() if key not in ("banned", "group")}
    for key in said:
        if key not in ("board", "map", "age", *SEATS):
            raise Refusal(f"position: unknown line {key!r}{nearest(key, ('board', 'map', 'age', *SEATS))}")
    towns = re.findall(r"\b([A-D])[:*]", said.get("board", ""))
    seats = SEATS[: max([2, *(SEATS.index(seat) + 1 for seat in [*said, *towns] if seat in [*SEATS])])]
    case: dict[str, Any] = {"map": board or said.get("map", ""), "position": said.get("board", "")}
    case["hands"] = {seat: _hand_of(said.get(seat, "")) for seat in seats}
    if "age" in said:
        case["active"] = said["age"]
    mover = re.search(r", ([A-D]) to move$", lines.head)
    if mover:
        case["to_move"] = mover[1]
    turn = lines.turn()
    over = lines.head.startswith("the end")
    return case, turn if turn is None or over else turn - 1


def _hand_of(line: str) -> str:
    match = re.search(r"\bhand ([^,]*)", line)
    words = match[1] if match else line
    return "" if words == "(empty)" else words
