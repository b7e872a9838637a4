"""What a game does that leaves a verb of the contract out."""

from __future__ import annotations

from sim.core.kinds import Action, Count, Numbers, Piece, Points, Rows, Rules, Seat, Seats, Side, State


def own_points(rules: Rules, state: State, seat: Seat, points: Points) -> Points:
    """Rank by points."""
    return points


def own_side(rules: Rules, state: State, seat: Seat) -> Side:
    """Let each seat be a side of its own."""
    return seat


def nothing_carried(rules: Rules, state: State, standing: Numbers) -> None:
    """Play each game of a series for itself."""
    return


def seats_unknown(rules: Rules, state: State, out: Seats) -> None:
    """Begin with seat 0; neither a Founder nor the seat of the last turn is known."""
    out[0] = 0
    out[1] = -1
    out[2] = -1


def nothing_drafted(rules: Rules, state: State, out: Rows) -> Count:
    """Write no drafted piece."""
    return 0


def no_piece(rules: Rules, state: State, action: Action) -> Piece:
    """Use no piece."""
    return -1


def no_pass(rules: Rules, state: State, seat: Seat) -> Count:
    """Never pass."""
    return 0
