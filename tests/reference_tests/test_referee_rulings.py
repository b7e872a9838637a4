"""The plain referee on further rulings and on parameters off their defaults."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.migration.cases import FLOWER, play, row, top
from tests.reference.migration.position import DIRECTIONS, Hex, neighbours
from tests.reference.migration.random import land
from tests.reference.migration.referee import Referee


def test_referee_only_the_sparrow_migrates_over_towns() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 1)}
    hands = [{"Sparrow": 1, "Fly": 1}, {}]
    referee = Referee.at(row(3), hands, towns, spirits=[(0, 0), None])
    assert referee.actions() == {"migrate Sparrow 2,0", "pass"}
    mountain = row(3, {(1, 0): "Mountain"})
    assert "migrate Sparrow 2,0" in Referee.at(mountain, hands, towns, spirits=[(0, 0), None]).actions()
    for params in ({"sparrow_over_towns": False}, {"mountain_stops_sparrow": True}):
        assert Referee.at(mountain, hands, towns, params, spirits=[(0, 0), None]).phase == "over"


@pytest.mark.parametrize(
    ("mountains", "params", "flips"),
    [
        ({}, {}, True),
        ({}, {"wolf_exactly": True}, False),
        ({(0, 0): "Mountain"}, {}, False),
        ({(1, 0): "Mountain"}, {"mountain_silences": True}, True),
        ({(1, 0): "Mountain"}, {"mountain_silences": True, "wolf_needs": 3}, False),
        ({(0, 0): "Mountain"}, {"persistent": ["Fertile"]}, True),
        ({}, {"wolf_concerns": "own"}, False),
    ],
)
def test_referee_three_wolves(mountains: dict[Hex, str], params: dict[str, Any], flips: bool) -> None:
    towns = {(1, 0): ("Wolf", 0), (-1, 0): ("Wolf", 0), (0, 1): ("Wolf", 0), (0, 0): ("Rats", 1)}
    board = land([*towns, (1, 1)], mountains)
    referee = Referee.at(board, [{"Rats": 1}, {}], towns, params, spirits=[(0, 1), None])
    play(referee, "expand Rats 1,1")
    assert (top(referee, (0, 0)) == ("Wasteland",)) == flips


@pytest.mark.parametrize(
    ("mountain", "params", "spirit"),
    [
        ((2, 0), {}, (2, 0)),
        ((2, 0), {"mountain_shields_spirit": False}, None),
        ((1, 0), {}, None),
        ((1, 0), {"mountain_silences": True}, (2, 0)),
        ((0, 0), {"poison_oak_concerns": "own"}, (2, 0)),
    ],
)
def test_referee_poison_oak_and_mountain(mountain: Hex, params: dict[str, Any], spirit: Hex | None) -> None:
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Bass", 1)}
    referee = Referee.at(
        row(4, {mountain: "Mountain"}),
        [{"Poison Oak": 1}, {"Rats": 1}],
        towns,
        params,
        spirits=[(0, 0), (2, 0)],
    )
    play(referee, "expand Poison Oak 1,0")
    assert referee.spirits[1] == spirit


def test_referee_lizard_that_does_not_flip() -> None:
    hands = [{"Lizard": 1, "Rats": 1}, {}]
    towns = {(0, 0): ("Bass", 0)}
    referee = Referee.at(row(3), hands, towns, {"lizard_flips": False}, spirits=[(0, 0), None])
    assert play(referee, "expand Lizard 1,0", "expand Rats 2,0").scores() == [4, 0]
    referee = Referee.at(row(3), hands, towns, {"lizard_bonus": False}, spirits=[(0, 0), None])
    assert play(referee, "expand Lizard 1,0").phase == "turn"


def test_referee_optional_payment_leaves_enough_for_the_others() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 0)}
    hands = [{"Sparrow": 1, "Oak": 1}, {}]
    referee = Referee.at(row(4), hands, towns, {"sparrow_must_cover": False}, spirits=[(0, 0), None])
    play(referee, "migrate Sparrow 3,0")
    assert referee.actions() == {"leave 1,0"}
    assert play(referee, "leave 1,0").actions() == {"pay Oak 2,0"}


@pytest.mark.parametrize(("after", "spirit"), [("start", (0, 0)), ("oak", (2, 0))])
def test_referee_cactus_after_an_oak(after: str, spirit: Hex) -> None:
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Oak", 0)}
    hands = [{"Cactus": 1, "Rats": 1}, {}]
    referee = Referee.at(row(4), hands, towns, {"cactus_after_oak": after}, spirits=[(0, 0), None])
    play(referee, "oak 2,0", "expand Cactus 3,0")
    assert referee.spirits[0] == spirit


@pytest.mark.parametrize("chained", [True, False])
def test_referee_oak_then_lake(chained: bool) -> None:
    board = row(5, {(3, 0): "Lake"})
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Oak", 0)}
    referee = Referee.at(board, [{"Rats": 2}, {}], towns, {"oak_then_lake": chained}, spirits=[(0, 0), None])
    assert ("lake 3,0" in play(referee, "oak 2,0").actions()) == chained


def test_referee_no_voluntary_pass() -> None:
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Oak", 0)}
    board = land([(0, 0), (0, 1), (2, 0)])
    referee = Referee.at(board, [{"Rats": 1}, {}], towns, {"voluntary_pass": False}, spirits=[(0, 0), None])
    assert referee.actions() == {"expand Rats 0,1", "oak 2,0"}
    assert play(referee, "oak 2,0").actions() == {"pass"}  # nothing else is left


@pytest.mark.parametrize("effects", [True, False])
def test_referee_effects_in_a_passed_turn(effects: bool) -> None:
    # A passes; its Wolves strike all the same, which makes room for B's Fly, and no row of passes begins.
    towns = {(1, 0): ("Wolf", 0), (-1, 0): ("Wolf", 0), (0, 0): ("Rats", 1), (0, 1): ("Bass", 1)}
    referee = Referee.at(
        land([*towns, (2, 0)]),
        [{"Rats": 1}, {"Fly": 1}],
        towns,
        {"effects_on_pass": effects},
        spirits=[(1, 0), (0, 1)],
    )
    play(referee, "pass")
    assert referee.still == (0 if effects else 1)
    assert top(referee, (0, 0)) == (("Wasteland",) if effects else ("Town", "Rats", 1))
    assert referee.actions() == ({"expand Fly 0,0", "pass"} if effects else set())


@pytest.mark.parametrize(
    ("ocean", "hand", "expected"),
    [("never", 2, None), ("free", 1, 0), ("paid", 1, None), ("paid", 2, 1)],
)
def test_referee_migration_over_the_ocean(ocean: str, hand: int, expected: int | None) -> None:
    board = land([(0, 0), (2, 0)])
    referee = Referee.at(
        board,
        [{"Poison Oak": hand}, {}],
        {(0, 0): ("Rats", 0)},
        {"migrate_over_ocean": ocean},
        spirits=[(0, 0), None],
    )
    if expected is None:
        assert referee.phase == "over"
        return
    play(referee, "migrate Poison Oak 2,0")
    assert (referee.phase == "pay") == bool(expected)
    if expected:
        play(referee, "pay Poison Oak at sea")
        assert len(referee.sunk) == 1
    assert referee.scores() == [3, 0]


def test_referee_enclosed_sea_is_coast_or_neither() -> None:
    ring = [h for h in {n for d in DIRECTIONS for n in [d, *neighbours(d)]} if h != (0, 0)]
    hands = [{"Bass": 1}, {}]
    assert Referee(land(ring), hands).coastal == set(ring)
    referee = Referee(land(ring), hands, {"enclosed_sea": "neither"})
    assert referee.coastal == set(ring) - set(DIRECTIONS)
    assert referee.interior == set()


def test_referee_short_payment() -> None:
    towns = {(0, 0): ("Bass", 0)}
    params = {"short_payment": "what you can"}
    referee = Referee.at(row(4), [{"Rats": 1, "Oak": 1}, {}], towns, params, spirits=[(0, 0), None])
    play(referee, "migrate Rats 3,0", "pay Oak 1,0")
    assert [top(referee, (q, 0)) for q in (1, 2)] == [("Wasteland",), None]


def test_referee_game_without_abilities() -> None:
    teams = [{"Rats": 2}, {"Fly": 2}]
    referee = Referee(land(FLOWER), teams, {"abilities": False})
    assert referee.actions() == {f"enter Rats {q},{r}" for q, r in DIRECTIONS} | {"pass"}
    play(referee, "enter Rats 1,0", "pass")
    assert not any("enter" in action for action in referee.actions())
    assert referee.scores() == [1, 0]
    assert "enter Fly 0,1" in play(referee, "expand Rats 0,0").actions()


def test_referee_refuses() -> None:
    with pytest.raises(ValueError, match="rat_points"):
        Referee(row(3), [{"Bass": 1}, {}], {"rat_points": 3})
    referee = Referee(row(3), [{"Bass": 1}, {"Bass": 1}])
    with pytest.raises(ValueError, match="expand Bass 0,0"):
        referee.do("expand Bass 0,0")
