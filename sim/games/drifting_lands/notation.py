"""Positions and actions as text: the words of RULES.md, of worked cases and of replays."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from sim.core.contract import OVER
from sim.core.hexgrid import DIRECTION_NAMES
from sim.core.notation import LETTERS, counts_text, place_at, read_counts
from sim.core.notation import place_text as space_text
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.params import CARDS, LEVELS, STARTS

SEATS = LETTERS[: records.MAX_PLAYERS]
PART = "part"
_PLACE = r"-?\d+,-?\d+"


# --- spaces --------------------------------------------------------------------------------------------------


def space_at(rules: Any, text: str) -> int:
    """Return the number of the space at ``q,r``."""
    return place_at(rules, int(rules["n_spaces"]), text, "space")


def first_tile(state: Any, space: int) -> int:
    """Return the first tile of the continent that has a tile on `space`."""
    label = state["label"][space]
    for k in range(int(state["n_tiles"])):
        if state["label"][state["tile"][k]] == label:
            return int(state["tile"][k])
    return space


# --- actions -------------------------------------------------------------------------------------------------


def kind_of(codes: Any) -> Any:
    """Return the kinds of actions."""
    codes = np.asarray(codes)
    return np.where(codes >= records.PART_BIT, records.MOVE_PART, codes >> records.KIND_AT)


def piece_of(codes: Any) -> Any:
    """Return the cards of actions; -1 where there is none."""
    codes = np.asarray(codes)
    return np.where(
        np.isin(kind_of(codes), records.WITH_CARD), (codes >> records.CARD_AT) & records.CARD_MASK, -1
    )


def action_text(action: int, rules: Any, state: Any = None) -> str:
    """Return an action in words, such as ``Moving 3,4 to 5,4``; `state` names the tiles of a split-off part."""
    if action >= records.PART_BIT:
        mask = action - records.PART_BIT
        tiles = [k for k in range(records.TILES) if mask >> k & 1]
        if state is None:
            return f"{PART} of tiles {' '.join(str(k + 1) for k in tiles)}"
        return f"{PART} {' '.join(space_text(rules, int(state['tile'][k])) for k in tiles)}"
    kind, card = action >> records.KIND_AT, (action >> records.CARD_AT) & records.CARD_MASK
    a, b = (action >> records.FIRST_AT) & records.PLACE_MASK, action & records.PLACE_MASK
    name = CARDS[card] if card < len(CARDS) else ""

    def at(space: int) -> str:
        return space_text(rules, space)

    if kind == records.CHOOSE_START:
        return f"start {STARTS[b]}"
    if kind == records.DO_DRIFT:
        return f"drift {at(a)} {DIRECTION_NAMES[b]}"
    if kind == records.TAKE_CARD:
        return f"select {name}"
    if kind in (records.CARD_DRIFT, records.CARD_SPLIT):
        return f"{name} {at(a)} {DIRECTION_NAMES[b]}"
    if kind == records.RAISE:
        return f"{name} {at(a)} onto {at(b)}"
    if kind == records.MOVE:
        return f"{name} {at(a)} to {at(b)}"
    words = {
        records.STAY: "stay",
        records.NO_MOVE: f"{name} stay",
        records.BREED: f"{name} at {{}}",
        records.EVOLVE_INSTEAD: f"{name} evolve {{}}",
        records.EVOLVE: f"{name} {{}}",
        records.NO_EFFECT: f"{name} without effect",
        records.EXPEL_TO: "expel to {}",
        records.REMOVE: "remove",
        records.BREED_AGAIN: "at {}",
        records.EVOLVE_AGAIN: "evolve {}",
        records.STOP: "stop",
    }[kind]
    return words.format(at(b)) if "{}" in words else words


def plain_text(text: str, rules: Any, state: Any) -> str:
    """Return an action's text as the engine writes it: continents by their first tile, parts in order."""
    words = " ".join(text.split())
    match = re.fullmatch(
        rf"(drift|(?:Ultra )?(?:Drifting|Splitting)) ({_PLACE}) ({'|'.join(DIRECTION_NAMES)})", words
    )
    if match:
        tile = first_tile(state, space_at(rules, match[2]))
        return f"{match[1]} {space_text(rules, tile)} {match[3]}"
    if words.startswith(f"{PART} "):
        tiles = sorted(space_at(rules, word) for word in words.split()[1:])
        return f"{PART} {' '.join(space_text(rules, space) for space in tiles)}"
    return words


# --- positions -----------------------------------------------------------------------------------------------


def cards_text(counts: Iterable[int]) -> str:
    """Return cards in their order: ``2xDrifting Ultra Splitting``, ``-`` for none."""
    return counts_text(zip(CARDS, counts))


def parse_cards(text: str, where: str) -> list[int]:
    """Read ``2xDrifting Ultra Splitting`` as counts by card."""
    return read_counts(text, CARDS, "card", where)


def groups_of(state: Any) -> list[list[int]]:
    """Return the spaces of every continent, in the reading order of their first tiles."""
    groups: dict[int, list[int]] = {}
    for k in range(int(state["n_tiles"])):
        space = int(state["tile"][k])
        groups.setdefault(int(state["label"][space]), []).append(space)
    return list(groups.values())


def tile_text(rules: Any, state: Any, space: int) -> str:
    """Return a tile: ``1,2``, ``1,2^`` for a mountain, ``1,2=3`` where the worth is printed on it."""
    mountain = "^" if state["land"][space] == records.MOUNTAIN else ""
    printed = f"={int(state['worth'][space])}" if rules["tile_value"] == records.PRINTED else ""
    return space_text(rules, space) + mountain + printed


def land_text(rules: Any, state: Any) -> str:
    """Return all continents: ``[1,1 2,1^] [7,1]``."""
    groups = [" ".join(tile_text(rules, state, space) for space in group) for group in groups_of(state)]
    return " ".join(f"[{group}]" for group in groups) or "-"


def pawns_text(rules: Any, state: Any, seat: int) -> str:
    """Return a seat's pawns in reading order: ``1,1:1 2,1:3``."""
    parts = []
    for space in range(int(rules["n_spaces"])):
        pawn = int(state["pawn"][space])
        if pawn and (pawn - 1) // LEVELS == seat:
            parts.append(f"{space_text(rules, space)}:{(pawn - 1) % LEVELS + 1}")
    return " ".join(parts) or "-"


def seat_parts(rules: Any, state: Any, seat: int) -> dict[str, str]:
    """Return what the line of a seat says, by part."""
    start = int(state["start"][seat])
    return {
        "start": STARTS[start] if start >= 0 else "-",
        "pawns": pawns_text(rules, state, seat),
        "supply": " ".join(str(int(n)) for n in state["supply"][seat]),
        "hand": cards_text(state["hand"][seat]),
        "deck": cards_text(state["deck"][seat]),
        "discard": cards_text(state["discard"][seat]),
    }


def pending_text(rules: Any, state: Any) -> str:
    """Return what a card under way waits for."""
    phase, card = int(state["phase"]), int(state["card"])
    here, there = int(state["from_space"]), int(state["to_space"])
    if phase == records.PART:
        return f"{CARDS[card]} {space_text(rules, here)} {DIRECTION_NAMES[there]}"
    if phase == records.EXPEL:
        loser = int(state["expelled"]) - 1
        whose, level = SEATS[loser // LEVELS], loser % LEVELS + 1
        return f"{whose} {level} at {space_text(rules, there)} from {space_text(rules, here)}"
    return CARDS[card] if phase == records.SECOND else "-"


def position_text(rules: Any, state: Any) -> str:
    """Return a position as text: everything, also what is hidden."""
    phase, seat = int(state["phase"]), int(state["seat"])
    who = "over" if phase == OVER else f"{SEATS[seat]}: {records.PHASES[phase]}"
    lines = [
        f"round {int(state['round_no']) + 1}, turn {int(state['turn'])}, {who}",
        f"first: {SEATS[int(state['first'])]}",
        f"land: {land_text(rules, state)}",
    ]
    for s in range(int(state["players"])):
        parts = seat_parts(rules, state, s)
        lines.append(f"{SEATS[s]}: " + " | ".join(f"{key} {text}" for key, text in parts.items()))
    lines.append(f"pending: {pending_text(rules, state)}")
    return "\n".join(lines)
