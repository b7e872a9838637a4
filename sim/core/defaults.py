"""What a game does that leaves a verb of the contract out."""

from __future__ import annotations

from sim.core.kinds import (
    Action,
    Count,
    Counts,
    Numbers,
    Piece,
    Points,
    Rows,
    Rules,
    Seat,
    Seats,
    Side,
    State,
    Stream,
    Whether,
)


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
    """Begin with seat 0; the seat of the last turn is not known."""
    out[0] = 0
    out[1] = -1


def nothing_due(rules: Rules, state: State, stream: Stream) -> None:
    """Do nothing between decisions."""
    return


def nothing_hidden(rules: Rules, state: State, seat: Seat, stream: Stream) -> None:
    """Hide nothing."""
    return


def nothing_drawn(rules: Rules, state: State, out: Counts) -> None:
    """Draw nothing at set-up."""
    return


def no_pieces(rules: Rules, state: State, seat: Seat, out: Counts) -> None:
    """Have no pieces."""
    return


def no_founder(rules: Rules, state: State) -> Seat:
    """Have no Founder."""
    return -1


def nothing_drafted(rules: Rules, state: State, out: Rows) -> Count:
    """Write no drafted piece."""
    return 0


def no_piece(rules: Rules, state: State, action: Action) -> Piece:
    """Use no piece."""
    return -1


def no_pass(rules: Rules, state: State, seat: Seat) -> Count:
    """Never pass."""
    return 0


def never_idle(rules: Rules, state: State, action: Action) -> Whether:
    """Count every action as one that leads on."""
    return False
