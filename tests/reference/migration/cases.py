"""Short words for writing down small cases: boards, positions under one Age Card, and plays."""

from __future__ import annotations

from typing import Any

from tests.reference.migration.ages import CARDS
from tests.reference.migration.position import DIRECTIONS, Hex
from tests.reference.migration.random import Board, land
from tests.reference.migration.referee import Referee

FLOWER: list[Hex] = [(0, 0), *DIRECTIONS]


def row(n: int, terrain: dict[Hex, str] | None = None, **more: Any) -> Board:
    """The hexes (0,0) to (n-1,0)."""
    return land([(q, 0) for q in range(n)], terrain, **more)


def in_age(
    card: str,
    board: Board,
    hands: list[dict[str, int]],
    towns: dict[Hex, Any],
    params: dict[str, Any] | None = None,
    **more: Any,
) -> Referee:
    """A position in a game under one card: one of the nine, or own switches joined by ``+``."""
    cards = CARDS if card in CARDS else {card: set(card.split("+"))}
    ages = {"mode": "scenario", "cards": cards, "deck": [card]}
    return Referee.at(board, hands, towns, params, ages=ages, **more)


def play(referee: Referee, *actions: str) -> Referee:
    """The same referee after these actions."""
    for action in actions:
        referee.do(action)
    return referee


def top(referee: Referee, h: Hex) -> Any:
    """What a Region shows, as in the snapshot."""
    return referee.snapshot()["regions"][h]
