"""What a game does that leaves a verb of the contract out."""

from __future__ import annotations

from typing import Any


def own_points(rules: Any, state: Any, seat: Any, points: Any) -> Any:
    """Rank by points."""
    return points


def own_side(rules: Any, state: Any, seat: Any) -> Any:
    """Let each seat be a side of its own."""
    return seat


def nothing_carried(rules: Any, state: Any, standing: Any) -> None:
    """Play each game of a series for itself."""
    return


def seats_unknown(rules: Any, state: Any, out: Any) -> None:
    """Begin with seat 0; neither a Founder nor the seat of the last turn is known."""
    out[0] = 0
    out[1] = -1
    out[2] = -1


def nothing_drafted(rules: Any, state: Any, out: Any) -> Any:
    """Write no drafted piece."""
    return 0


def no_piece(rules: Any, state: Any, action: Any) -> Any:
    """Use no piece."""
    return -1


def no_pass(rules: Any, state: Any, seat: Any) -> Any:
    """Never pass."""
    return 0
