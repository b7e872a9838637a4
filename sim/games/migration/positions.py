"""Positions from text: a map, what lies on it, hands. For worked cases, tests and "go on from here"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.core.contract import RESOLVE
from sim.core.errors import Refusal
from sim.core.game import validated
from sim.games.migration.board import Board
from sim.games.migration.notation import SEATS, region_at
from sim.games.migration.rules import state as records
from sim.games.migration.rules.dealing import clear
from sim.games.migration.rules.params import PIECES, Parameters
from sim.games.migration.rules.turns import begin_turn
from sim.games.migration.setup_cell import make_rules, piece_code


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


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Turn dotted keys into tables: ``{"set_counts.Rats": 4}`` into ``{"set_counts": {"Rats": 4}}``."""
    tables: dict[str, Any] = {}
    for key, value in flat.items():
        name, dot, inner = key.partition(".")
        if dot:
            tables.setdefault(name, {})[inner] = value
        else:
            tables[name] = value
    return tables


def lay_groups(state: Any, groups: list[str], where: str) -> None:
    """Lay out the groups of a Draft, before the first split: each a text such as ``"Bass Oak 2xRats Fly"``."""
    for g, text in enumerate(groups):
        pieces = [piece for piece, count in parse_hand(text, where).items() for _ in range(count)]
        if len(pieces) > records.GROUP or g >= records.MAX_GROUPS:
            raise Refusal(
                f"{where}: a group holds {records.GROUP} pieces, and there are {records.MAX_GROUPS} groups"
            )
        pieces += [15] * (records.GROUP - len(pieces))
        state["groups"][g] = sum(piece << 4 * k for k, piece in enumerate(pieces))
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
    hand: dict[int, int] = {}
    for word in text.replace("Poison Oak", "PoisonOak").split():
        match = re.fullmatch(r"(?:(\d+)x)?(\S+)", word)
        assert match is not None
        piece = piece_code(match[2], where)
        hand[piece] = hand.get(piece, 0) + int(match[1] or 1)
    return hand


def place(rules: Any, state: Any, text: str, where: str) -> None:
    """Put Towns, Wasteland and Spirits on the board: ``0,0 A:Bass* ; 1,0 w2 ; 2,0 B:Fly/w ; 3,0 A*``."""
    for part in text.replace("Poison Oak", "PoisonOak").split(";"):
        part = part.strip()
        if not part or part == "(empty)":
            continue
        match = re.fullmatch(r"(-?\d+\s*,\s*-?\d+)\s+(.+)", part)
        if not match:
            raise Refusal(f"{where}: {part!r} should look like '0,0 A:Rats*' or '1,0 w'")
        h = region_at(rules, match[1])
        _place_one(state, h, match[2].strip(), f"{where}, {match[1]}")


def _place_one(state: Any, h: int, text: str, where: str) -> None:
    waste = re.fullmatch(r"w(\d*)", text)
    spirit = re.fullmatch(r"([A-D])\*", text)
    town = re.fullmatch(r"([A-D]):(\w+)(\*?)(?:/w(\d*))?(\*?)", text)
    if spirit:
        state["spirit"][SEATS.index(spirit[1])] = h
    elif waste:
        state["top"][h] = records.WASTELAND
        state["face_down"][h] = int(waste[1] or 1)
        state["waste"] |= np.int64(1 << h)
    elif town:
        seat, piece = SEATS.index(town[1]), piece_code(town[2], where)
        if seat >= int(state["players"]):
            raise Refusal(f"{where}: there is no player {town[1]}; `hands` names the players")
        state["top"][h] = piece
        state["town"][seat] |= np.int64(1 << h)
        state["kind"][piece] |= np.int64(1 << h)
        state["played"][seat][piece] += 1
        state["team_size"][seat] += 1
        state["first_turn"][seat][piece] = 1
        if town[4] is not None:
            state["face_down"][h] = int(town[4] or 1)
        if town[3] or town[5]:
            state["spirit"][seat] = h
    else:
        raise Refusal(f"{where}: {text!r} should look like 'A:Rats*', 'w', 'w2', 'B:Fly/w' or 'A*'")


def begin(rules: Any, state: Any, seat: int) -> None:
    """Begin the turn of `seat`, ready to be asked."""
    begin_turn(rules, state, np.int64(seat))
    state["phase"] = records.TURN


def piece_names(counts: Any) -> dict[str, int]:
    """Return copies by piece name, without zeros."""
    return {PIECES[p]: int(n) for p, n in enumerate(counts) if n}
