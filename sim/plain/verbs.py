"""The verbs of the contract for games whose positions are Python objects: each asks the object."""

from __future__ import annotations

from typing import Any

from sim.core.kinds import (
    Action,
    Actions,
    Count,
    Counts,
    Entrants,
    Numbers,
    Piece,
    Points,
    Rules,
    Seat,
    Seating,
    Seats,
    Seed,
    State,
    Stream,
)
from sim.plain.state import put

FACES: dict[str, Any] = {}
"""By the tag of its state, the face of each game: what begins a deal."""


def setup(rules: Rules, state: State, entrants: Entrants, who: Seating, seed: Seed) -> None:
    put(state, FACES[state.dtype.names[0]].begin(rules, entrants, who, seed))


def legal(rules: Rules, state: State, out: Actions) -> Count:
    codes = state["world"].codes()
    out[: len(codes)] = codes
    return len(codes)


def apply(rules: Rules, state: State, action: Action) -> None:
    put(state, state["world"].after(int(action)))


def resolve(rules: Rules, state: State, stream: Stream) -> None:
    put(state, state["world"].resolved(stream))


def score(rules: Rules, state: State, seat: Seat) -> Points:
    return state["world"].points(int(seat))


def merit(rules: Rules, state: State, seat: Seat, points: Points) -> Points:
    return state["world"].merit(int(seat), float(points))


def determinize(rules: Rules, state: State, seat: Seat, stream: Stream) -> None:
    put(state, state["world"].guessed(int(seat), stream))


def features(rules: Rules, state: State, seat: Seat, out: Numbers) -> None:
    state["world"].look(int(seat), out)


def tally(rules: Rules, state: State, seat: Seat, out: Counts) -> None:
    state["world"].tally(int(seat), out)


def facts(rules: Rules, state: State, out: Seats) -> None:
    out[0], out[1] = state["world"].seats()


def piece_of(rules: Rules, state: State, action: Action) -> Piece:
    return state["world"].piece_of(int(action))


VERBS = {
    function.__name__: function
    for function in (
        *(setup, legal, apply, resolve, score, merit),
        *(determinize, features, tally, facts, piece_of),
    )
}
