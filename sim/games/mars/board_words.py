"""What lies on a map, counted: for looking only."""

from __future__ import annotations

from typing import Any


def counts(cell: Any) -> dict[str, int]:
    """Return how many tiles a cell's terrain has, and of each kind."""
    board = cell.board
    return {
        "tiles": len(board.tiles),
        "rocky tiles": len(board.rocky),
        "craters": len(board.crater),
        "landing bases": len(board.bases),
    }
