"""What must hold in every game of Migration, whatever the parameters, map, bans and number of players.

The numbers are those of the list of invariants in the rules research; boards and lines are worked out here
from coordinates, not from the engine's tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sim.core.contract import OVER, RESOLVE, score
from sim.core.errors import Refusal
from sim.games.migration.rules.params import AGE_CARDS, PIECES
from sim.games.migration.rules.scoring import town_worth
from sim.games.migration.rules.state import NOTHING, PAY, PLAYING, SWEARING, TURN, WASTELAND
from tests.games.deals import (
    DIRECTIONS,
    Hex,
    Played,
    bits,
    cell,
    hex_named,
    play,
    settings_of_play,
    words_of,
)

OPTIONS = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
LONG = settings(OPTIONS, max_examples=1500)
Check = Callable[[Played], None]


def hexes(rules: Any) -> list[Hex]:
    return [(int(rules["q"][h]), int(rules["r"][h])) for h in range(int(rules["n_regions"]))]


def around(spot: Hex) -> list[Hex]:
    return [(spot[0] + q, spot[1] + r) for q, r in DIRECTIONS]


def positions(game: Played) -> list[Any]:
    return [game.start, *(move.after for move in game.moves), game.end]


def fertile_is_inland(game: Played) -> None:
    """71: Fertile never lies on a coastal hex."""
    land = set(hexes(game.rules))
    for h in bits(game.rules["fertile"]):
        assert all(near in land for near in around(hexes(game.rules)[h]))


def no_piece_is_lost(game: Played) -> None:
    """72: hand and what was played and paid make up the team; what is on the board is what was brought there."""
    players = range(int(game.start["players"]))
    flips = 0
    moves = [move for move in game.moves if int(move.before["stage"]) in (SWEARING, PLAYING)]
    if not moves:
        return
    start = previous = moves[0].before
    number = {spot: h for h, spot in enumerate(hexes(game.rules))}
    for move in moves:
        before, after = move.before, move.after
        kind, _, spot = words_of(move.action)
        moved = hex_named(move.action, 1) if kind in ("wander", "aggression") else None
        for seat in players:
            # between decisions (forced passes) and at the end of a turn Towns go only by flipping
            flips += len(bits(int(previous["town"][seat]) & ~int(before["town"][seat])))
            for h in bits(int(before["town"][seat]) & ~int(after["town"][seat])):
                covered = kind in ("pay", "strife") and spot == hexes(game.rules)[h]
                flips += not covered and moved != hexes(game.rules)[h]
        if kind in ("expand", "enter", "migrate") or (moved is not None and moved != spot):
            assert spot is not None
            flips += int(after["top"][number[spot]]) == WASTELAND  # the Town may flip in the same breath
        if moved is not None and moved != spot:  # and so may one that it leaves exposed
            flips += int(after["face_down"][number[moved]] - before["face_down"][number[moved]])
        previous = after
        for seat in players:
            team = start["hand"][seat]
            held = after["hand"][seat] + after["played"][seat] + after["paid"][seat]
            assert held.tolist() == team.tolist()
            assert int(after["hand_size"][seat]) == after["hand"][seat].sum() >= 0
            assert int(after["paid_size"][seat]) == after["paid"][seat].sum()
            assert (after["hand"][seat] >= 0).all()
            assert (after["revealed"][seat] >= 0).all()
            assert (after["revealed"][seat] <= after["hand"][seat]).all()
            for code in range(len(PIECES)):
                standing = len(bits(int(after["town"][seat]) & int(after["kind"][code])))
                assert standing == after["played"][seat][code] - after["lost"][seat][code]
        assert int(after["face_down"].sum()) == int(after["paid_size"].sum() - after["sunk"].sum()) + flips
        assert (after["face_down"] >= before["face_down"]).all()


def tops_agree(game: Played) -> None:
    """Masks and tops tell the same: at most one Town a Region, and Wasteland where the top is face down."""
    n = int(game.rules["n_regions"])
    for state in positions(game):
        owners = [set(bits(state["town"][seat])) for seat in range(4)]
        kinds = [set(bits(state["kind"][code])) for code in range(len(PIECES))]
        waste = set(bits(state["waste"]))
        for h in range(n):
            top = int(state["top"][h])
            held = sum(h in towns for towns in owners)
            assert held == sum(h in towns for towns in kinds) == (0 <= top < len(PIECES))
            assert (h in waste) == (top == WASTELAND)
            assert top not in range(len(PIECES)) or h in kinds[top]
            assert top == NOTHING or top != WASTELAND or state["face_down"][h] > 0
        assert all(h < n for towns in [*owners, *kinds, waste] for h in towns)


def spirits_stand_on_own_towns(game: Played) -> None:
    """73: between turns each Spirit is off the board or on a face-up Town of its owner."""
    for state in positions(game):
        if int(state["phase"]) in (RESOLVE, OVER):
            for seat in range(int(state["players"])):
                h = int(state["spirit"][seat])
                assert h < 0 or h in bits(state["town"][seat])


def no_town_is_worth_less_than_nothing(game: Played) -> None:
    """74: no Town scores below 0, Wasteland scores nothing, and a score is the sum over face-up Towns."""
    for state in positions(game)[::3]:
        for seat in range(int(state["players"])):
            worths = [int(town_worth(game.rules, state, seat, h, 0)) for h in bits(state["town"][seat])]
            assert all(worth >= 0 for worth in worths)
            assert score(game.rules, state, seat) == sum(worths)


def migrations_cost_what_lies_between(game: Played) -> None:
    """75: a Migration over k Regions takes exactly k + 1 pieces from the hand (payment rules as printed)."""
    land = set(hexes(game.rules))
    owed = -1
    for move in game.moves:
        seat = int(move.before["seat"])
        kind, _, spot = words_of(move.action)
        if kind == "migrate":
            assert spot is not None
            q, r = hexes(game.rules)[int(move.before["spirit"][seat])]
            dq, dr = spot[0] - q, spot[1] - r
            distance = max(abs(dq), abs(dr), abs(dq + dr))
            assert distance >= 2
            step = (dq // distance, dr // distance)
            assert step in DIRECTIONS
            assert (step[0] * distance, step[1] * distance) == (dq, dr)
            between = [(q + step[0] * k, r + step[1] * k) for k in range(1, distance)]
            assert all(b in land for b in between)
            owed = len(between)
            assert int(move.before["hand_size"][seat]) >= owed + 1
        elif kind == "pay":
            owed -= 1
            assert owed >= 0
        if kind in ("migrate", "pay"):
            assert int(move.before["hand_size"][seat]) - int(move.after["hand_size"][seat]) == 1
            assert owed == 0 or int(move.after["phase"]) == PAY


def no_town_on_an_open_lake(game: Played) -> None:
    """76: a Town on a Lake stands on Wasteland that covered it."""
    for state in positions(game):
        for h in bits(game.rules["lake"]):
            assert state["top"][h] in (NOTHING, WASTELAND) or state["face_down"][h] > 0


def without_a_spirit_only_entries(game: Played) -> None:
    """77: without a Spirit: Bass on the open coast, Wolf on open Forest or Deep Woods, anything on an open Oasis."""
    rules = game.rules
    spots = hexes(rules)
    land = set(spots)
    terrain = {name: {spots[h] for h in bits(rules[name])} for name in ("oasis", "deep_woods", "lake")}
    modified = {
        spots[h]
        for name in ("oasis", "deep_woods", "lake", "fertile", "mountain", "desert")
        for h in bits(rules[name])
    }
    forest = {spots[h] for h in bits(rules["forest_drawn"])} - modified | terrain["deep_woods"]
    for move in game.moves:
        state, seat = move.before, int(move.before["seat"])
        if int(state["spirit"][seat]) >= 0 or int(state["phase"]) != TURN:
            continue
        free = {spots[h] for h in range(len(spots)) if state["top"][h] == NOTHING} - terrain["lake"]
        for text in move.legal:
            kind, piece, spot = words_of(text)
            if kind in ("pass", "oak", "enact", "wander"):
                continue
            assert kind == "enter", text
            assert spot in free
            coast = any(near not in land for near in around(spot))
            bass, wolf = piece == "Bass" and coast, piece == "Wolf" and spot in forest
            oasis = spot in terrain["oasis"] and int(state["turns_taken"][seat]) > 0
            assert bass or wolf or oasis, text


AS_PRINTED = {
    "migrate_over_ocean": "never",
    "short_payment": "illegal",
    "pay_on_wasteland": True,
    "sparrow_must_cover": True,
    "adjacent_migration": False,
    "age_cards": [name for name in AGE_CARDS if name not in ("Exploration", "Cooperation")],
}
ENTRIES_AS_PRINTED = {
    "abilities": True,
    "bass_enters": "coast",
    "bass_on_wasteland": False,
    "wolf_enters": "forest",
    "oasis_first_turn": "own",
    "covered_forest": "lost",
    "enclosed_sea": "coastal",
    "sea_desert_is_region": True,
}
INVARIANTS: dict[str, tuple[Check, dict[str, Any]]] = {
    "71": (fertile_is_inland, {}),
    "72": (no_piece_is_lost, {}),
    "72-tops": (tops_agree, {}),
    "73": (spirits_stand_on_own_towns, {}),
    "74": (no_town_is_worth_less_than_nothing, {}),
    "75": (migrations_cost_what_lies_between, AS_PRINTED),
    "76": (no_town_on_an_open_lake, {}),
    "77": (without_a_spirit_only_entries, ENTRIES_AS_PRINTED),
}


def holds(number: str, data: st.DataObject) -> None:
    check, fixed = INVARIANTS[number]
    parameters = data.draw(settings_of_play(**fixed))
    players, seed = data.draw(st.integers(2, 4)), data.draw(st.integers(0, 2**63))
    try:
        table = cell(players, **parameters)
    except Refusal as refusal:  # the set that was drawn is too small for these bans
        assume("Explorers are left" not in str(refusal))
        raise
    check(play(table, seed))


@pytest.mark.parametrize("number", INVARIANTS)
@given(data=st.data())
@OPTIONS
def test_invariant(number: str, data: st.DataObject) -> None:
    holds(number, data)


@pytest.mark.soak
@pytest.mark.parametrize("number", INVARIANTS)
@given(data=st.data())
@LONG
def test_invariant_for_long(number: str, data: st.DataObject) -> None:
    holds(number, data)
