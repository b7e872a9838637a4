"""What lies on a map, counted: for looking only."""

from __future__ import annotations

from typing import Any


def counts(cell: Any) -> dict[str, int]:
    """Return how many spaces a cell's map has, how many bear land, and the start spaces."""
    board = cell.board
    found = {"spaces": len(board.spaces), "spaces of land": len(board.land)}
    found |= {
        f"tiles of continent {continent + 1}": list(board.land.values()).count(continent)
        for continent in sorted(set(board.land.values()))
    }
    return found | {"start spaces": sum(map(len, board.starts))}
