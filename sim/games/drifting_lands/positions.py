"""Positions from text: boards, land, pawns, cards. For worked cases, tests and "go on from here"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.cases.shapes import small_map
from sim.core.errors import Refusal, nearest
from sim.core.game import validated
from sim.core.notation import read_parts
from sim.core.params import nested
from sim.games.drifting_lands.board import MAPS, Board
from sim.games.drifting_lands.decks import DECKS
from sim.games.drifting_lands.notation import parse_cards, space_at, space_text
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.dealing import clear, lay_land
from sim.games.drifting_lands.rules.land import pawn_of, survey
from sim.games.drifting_lands.rules.params import LEVELS, STARTS, Parameters
from sim.games.drifting_lands.setup_cell import make_rules, with_deck
from sim.show.texts import read_lines

_SPACE = r"-?\d+,-?\d+"
PHASES = ("start", "drift", "select", "play")
"""Phases that a position may be in; the others follow from an action."""
_PARTS = ("start", "pawns", "supply", "hand", "deck", "discard")


def board_of(text: str, base: Path | None = None) -> Board:
    """Return the board that a case names: a small one (`sim.core.cases.shapes`) such as ``disk 4``, or a map.

    Raises
    ------
    Refusal
        It is none of these.
    """
    spaces = small_map(text, f"board {text!r}")
    if spaces is not None:
        if len(spaces) > records.MAX_SPACES:
            raise Refusal(f"board {text!r}: {len(spaces)} spaces, at most {records.MAX_SPACES} are possible")
        return Board(text, tuple(spaces))
    return MAPS.load(text, base)


def model_of(parameters: Mapping[str, Any], base: Path | None = None) -> Parameters:
    """Return checked parameters with the deck's counts and points filled in."""
    model: Parameters = validated(Parameters, nested(parameters))
    return with_deck(model, DECKS.load(model.deck, base))


def rules_for(
    board: Board, players: int, parameters: Mapping[str, Any] | None = None, base: Path | None = None
) -> Any:
    """Return a rules record (array of length 1) for any board, legal map or not."""
    return make_rules(model_of(parameters or {}, base), players, board)


def empty_states(rules: Any, players: int) -> Any:
    """Return states (array of 3) with the land of the map, no pawns and no cards."""
    states = np.zeros(3, dtype=records.State)
    clear(rules, states[0], players)
    lay_land(rules, states[0])
    return states


def lay(rules: Any, state: Any, text: str, where: str) -> None:
    """Lay land: ``flower(0,0) 3,0^ 4,0=2``; groups in ``[...]`` are continents where continents do not merge."""
    for space in range(records.ROOM):
        state["land"][space] = records.OCEAN
        state["label"][space] = -1
        state["worth"][space] = 0
    for label, group in enumerate(land_groups(rules, text, where)):
        for space, landscape, worth in group:
            if state["land"][space] != records.OCEAN:
                raise Refusal(f"{where}: two tiles on {space_text(rules, space)}: each space holds one")
            state["land"][space], state["label"][space], state["worth"][space] = landscape, label, worth
    if int((state["land"] != records.OCEAN).sum()) > records.TILES:  # the record has no room for more
        raise Refusal(f"{where}: more than {records.TILES} tiles")
    survey(rules, state)


def land_groups(rules: Any, text: str, where: str) -> list[list[tuple[int, int, int]]]:
    """Return space, landscape and worth of each tile, in the groups of a text; one group where it has none."""
    groups = [text]
    if "[" in text or "]" in text:
        if not re.fullmatch(r"(\s*\[[^\[\]]*\])+\s*", text):
            raise Refusal(f"{where}: {text!r} should look like '[0,0 1,0] [3,0^]'")
        groups = re.findall(r"\[([^\]]*)\]", text)
    return [
        [tile for word in group.split() if word != "-" for tile in _tiles(rules, word, where)]
        for group in groups
    ]


def _tiles(rules: Any, word: str, where: str) -> list[tuple[int, int, int]]:
    match = re.fullmatch(rf"(flower\()?({_SPACE})(\))?(\^?)(?:=(\d))?", word)
    if not match or bool(match[1]) != bool(match[3]):
        raise Refusal(f"{where}: {word!r} should look like '0,0', '0,0^' or 'flower(0,0)'")
    spaces = [_space(rules, match[2], where)]
    if match[1]:
        spaces += [int(other) for other in rules["near"][spaces[0]] if other >= 0]
    landscape = records.MOUNTAIN if match[4] else records.PLAIN
    return [
        (space, landscape, int(rules["value"][space]) if match[5] is None else int(match[5]))
        for space in spaces
    ]


def _space(rules: Any, text: str, where: str) -> int:
    try:
        return space_at(rules, text)
    except Refusal as refusal:
        raise Refusal(f"{where}: {refusal}") from None


def parts_of(text: str, where: str) -> dict[str, str]:
    """Return the parts of a seat's line: ``pawns 0,0:2 | hand Drifting``."""
    return {part: rest or "-" for part, rest in read_parts(text, _PARTS, where).items()}


def seat_from(rules: Any, state: Any, seat: int, text: str, where: str) -> None:
    """Give a seat its pawns and cards; a supply that is not named holds what is not on the board."""
    parts = parts_of(text, where)
    on_board = [0] * LEVELS
    for word in parts.get("pawns", "-").split():
        if word == "-":
            continue
        match = re.fullmatch(rf"({_SPACE}):([1-4])", word)
        if not match:
            raise Refusal(f"{where}: {word!r} should look like '0,0:2' (a space and a level)")
        space = _space(rules, match[1], where)
        if state["pawn"][space]:
            raise Refusal(f"{where}: there are two pawns on {match[1]}")
        state["pawn"][space] = pawn_of(seat, int(match[2]))
        on_board[int(match[2]) - 1] += 1
    if "supply" in parts:
        words = parts["supply"].split()
        if len(words) != LEVELS or not all(word.isdecimal() for word in words):
            raise Refusal(f"{where}: supply {parts['supply']!r} should be four numbers, levels 1 to 4")
        state["supply"][seat] = [int(word) for word in words]
    else:
        state["supply"][seat] = [max(0, int(n) - m) for n, m in zip(rules["pawns"], on_board)]
    for key in ("hand", "deck", "discard"):
        state[key][seat] = parse_cards(parts.get(key, "-"), f"{where}, {key}")
    state["given"][seat] = state["hand"][seat] + state["deck"][seat] + state["discard"][seat]
    start = parts.get("start", "-")
    if start != "-":
        if start not in STARTS:
            raise Refusal(f"{where}: there is no continent {start!r}{nearest(start, STARTS)}")
        state["start"][seat] = STARTS.index(start)


def case_of(text: str, board: str = "") -> tuple[dict[str, Any], int | None]:
    """Return a position's text as a case lays it out, and how many turns were taken.

    What a card under way waits for is not laid out: such a position is read as one in which a card is to be played.
    """
    lines = read_lines(text, "land")
    found: dict[str, Any] = {key: value for key, value in lines.said.items() if key != "pending"}
    number = re.match(r"round (\d+)", lines.head)
    if number:
        found["round"] = int(number[1])
    decider = lines.decider()
    if decider:
        found |= {"to_move": decider[0], "phase": decider[1] if decider[1] in PHASES else "play"}
    return {"position": found} | ({"board": board} if board else {}), lines.turn()
