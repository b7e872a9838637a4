"""Positions from text: boards, land, pawns, cards. For worked cases, tests and "go on from here"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal, nearest
from sim.core.game import validated
from sim.games.drifting_lands.board import Board, load_board, reading_order
from sim.games.drifting_lands.decks import load_deck
from sim.games.drifting_lands.notation import SEATS, parse_cards, space_at
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.dealing import clear, lay_land
from sim.games.drifting_lands.rules.land import pawn_of, survey
from sim.games.drifting_lands.rules.params import LEVELS, STARTS, Parameters
from sim.games.drifting_lands.setup_cell import make_rules, with_deck

_SPACE = r"-?\d+,-?\d+"
_PARTS = ("start", "pawns", "supply", "hand", "deck", "discard")


def board_of(text: str, base: Path | None = None) -> Board:
    """Return the board that a case names: ``disk 4``, ``line 6``, or a map.

    Raises
    ------
    Refusal
        It is none of these.
    """
    words = text.split()
    if len(words) == 2 and words[0] in ("disk", "line") and words[1].isdigit():
        n = int(words[1])
        spaces = [(q, 0) for q in range(n)]
        if words[0] == "disk":
            span = range(-n, n + 1)
            spaces = [(q, r) for q in span for r in span if abs(q + r) <= n]
        if not 0 < len(spaces) <= records.MAX_SPACES:
            raise Refusal(f"board {text!r}: {len(spaces)} spaces, 1 to {records.MAX_SPACES} are possible")
        return Board(text, tuple(sorted(spaces, key=reading_order)))
    return load_board(text, base)


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Turn dotted keys into tables: ``{"pawns.1": 4}`` into ``{"pawns": {"1": 4}}``."""
    tables: dict[str, Any] = {}
    for key, value in flat.items():
        name, dot, inner = key.partition(".")
        if dot:
            tables.setdefault(name, {})[inner] = value
        else:
            tables[name] = value
    return tables


def model_of(parameters: Mapping[str, Any], base: Path | None = None) -> Parameters:
    """Return checked parameters with the deck's counts and points filled in."""
    model: Parameters = validated(Parameters, nested(parameters))
    return with_deck(model, load_deck(model.deck, base))


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
    groups = re.findall(r"\[([^\]]*)\]", text) if "[" in text else [text]
    for label, group in enumerate(groups):
        for word in group.split():
            if word != "-":
                _lay_one(rules, state, word, label, where)
    if int((state["land"] != records.OCEAN).sum()) > records.TILES:
        raise Refusal(f"{where}: more than {records.TILES} tiles")
    survey(rules, state)


def _lay_one(rules: Any, state: Any, word: str, label: int, where: str) -> None:
    match = re.fullmatch(rf"(flower\()?({_SPACE})\)?(\^?)(?:=(\d))?", word)
    if not match:
        raise Refusal(f"{where}: {word!r} should look like '0,0', '0,0^' or 'flower(0,0)'")
    spaces = [space_at(rules, match[2])]
    if match[1]:
        spaces += [int(other) for other in rules["near"][spaces[0]] if other >= 0]
    for space in spaces:
        state["land"][space] = records.MOUNTAIN if match[3] else records.PLAIN
        state["label"][space] = label
        state["worth"][space] = rules["value"][space] if match[4] is None else int(match[4])


def parts_of(text: str, where: str) -> dict[str, str]:
    """Return the parts of a seat's line: ``pawns 0,0:2 | hand Drifting``."""
    found = {}
    for part in text.split("|"):
        key, _, rest = part.strip().partition(" ")
        if key not in _PARTS:
            raise Refusal(f"{where}: {key!r} is no part of a seat{nearest(key, _PARTS)}")
        found[key] = rest.strip() or "-"
    return found


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
        space = space_at(rules, match[1])
        if state["pawn"][space]:
            raise Refusal(f"{where}: there are two pawns on {match[1]}")
        state["pawn"][space] = pawn_of(seat, int(match[2]))
        on_board[int(match[2]) - 1] += 1
    if "supply" in parts:
        words = parts["supply"].split()
        if len(words) != LEVELS or not all(word.isdigit() for word in words):
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


def seat_number(name: Any, where: str) -> int:
    """Return the number of a seat named A to D."""
    if not isinstance(name, str) or name not in SEATS or len(name) != 1:
        raise Refusal(f"{where}: {name!r} is no player; players are A, B, C, D")
    return SEATS.index(name)
