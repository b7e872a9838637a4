"""The plain referee on the worked cases of the rulebook and on its parameters."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.migration.cases import FLOWER, play, row, top
from tests.reference.migration.position import DIRECTIONS, Hex
from tests.reference.migration.random import land
from tests.reference.migration.referee import Referee

TRIANGLE: list[Hex] = [(0, 0), (1, 0), (0, 1)]


# -------------------------------------------------------------------- set-up and placement


def test_referee_interior_and_coast_of_plates() -> None:
    flower = Referee(land(FLOWER), [{"Bass": 1}, {"Bass": 1}])
    assert flower.interior == {(0, 0)}
    assert flower.coastal == set(DIRECTIONS)
    two = {(q + dq, r + dr) for q, r in FLOWER for dq, dr in ((0, 0), (3, -1))}
    assert len(two) == 14
    assert Referee(land(two), [{"Bass": 1}, {"Bass": 1}]).interior == {(0, 0), (3, -1)}


@pytest.mark.parametrize("is_region", [True, False])
def test_referee_sea_desert_makes_interior(is_region: bool) -> None:
    hands = [{"Bass": 1}, {"Bass": 1}]
    assert Referee(land(FLOWER[:1] + FLOWER[2:]), hands).interior == set()
    board = land(FLOWER, {(1, 0): "Desert"}, sea=[(1, 0)])
    referee = Referee(board, hands, {"sea_desert_is_region": is_region})
    assert (0, 0) in referee.interior
    assert ((1, 0) in referee.coastal) == is_region
    assert ("enter Bass 1,0" in referee.actions()) == is_region


def test_referee_first_turn_and_expansion() -> None:
    referee = Referee(land(FLOWER), [{"Bass": 1, "Rats": 1}, {"Bass": 1, "Rats": 1}])
    coast = {f"enter Bass {q},{r}" for q, r in DIRECTIONS}
    assert referee.actions() == coast | {"pass"}
    play(referee, "enter Bass 1,0", "pass")
    assert referee.snapshot()["spirits"] == [(1, 0), None]
    expansions = {action for action in referee.actions() if action.startswith("expand")}
    assert expansions == {"expand Rats 1,-1", "expand Rats 0,0", "expand Rats 0,1"}


def test_referee_fertile_rats() -> None:
    referee = Referee.at(
        land(FLOWER, {(0, 0): "Fertile"}), [{"Rats": 1}, {}], {(1, 0): ("Bass", 0)}, spirits=[(1, 0), None]
    )
    play(referee, "expand Rats 0,0")
    assert referee.spirits[0] == (0, 0)
    assert referee.scores() == [4, 0]


# -------------------------------------------------------------------- Expansion, Migration, payment


def test_referee_migration_needs_payment_in_hand() -> None:
    referee = Referee.at(row(4), [{"Rats": 1, "Oak": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    assert "migrate Rats 2,0" in referee.actions()
    assert not any(action.endswith("3,0") for action in referee.actions())


def test_referee_wasteland_in_the_path_is_paid_again() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): "w"}
    poor = Referee.at(row(3), [{"Rats": 1}, {}], towns, spirits=[(0, 0), None])
    assert poor.phase == "over"
    referee = Referee.at(row(3), [{"Rats": 1, "Oak": 1}, {}], towns, spirits=[(0, 0), None])
    play(referee, "migrate Rats 2,0")
    assert (referee.phase, referee.actions()) == ("pay", {"pay Oak 1,0"})
    assert referee.snapshot()["spirits"][0] == (0, 0)  # the Spirit moves after the payment
    play(referee, "pay Oak 1,0")
    assert referee.snapshot()["face_down"][(1, 0)] == 2
    assert referee.snapshot()["hands"] == [{}, {}]


def test_referee_only_straight_lines() -> None:
    board = land([(0, 0), (1, 0), (0, 1), (2, -1), (2, 0)])
    referee = Referee.at(board, [{"Rats": 1, "Oak": 2}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    assert "migrate Rats 2,0" in referee.actions()
    assert not any("2,-1" in action for action in referee.actions())


def test_referee_only_the_fly_on_wasteland() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): "w"}
    assert Referee.at(row(3), [{"Rats": 1}, {}], towns, spirits=[(0, 0), None]).phase == "over"
    referee = Referee.at(row(3), [{"Fly": 1}, {}], towns, spirits=[(0, 0), None])
    assert referee.actions() == {"expand Fly 1,0", "pass"}
    assert play(referee, "expand Fly 1,0").scores() == [2, 0]
    never = Referee.at(row(3), [{"Fly": 1}, {}], towns, {"fly_lands_by": "migration"}, spirits=[(0, 0), None])
    assert never.phase == "over"


def test_referee_sparrow_covers_an_enemy() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 1)}
    referee = Referee.at(row(4), [{"Sparrow": 1, "Fly": 1}, {}], towns, spirits=[(0, 0), (1, 0)])
    assert referee.scores() == [1, 2]
    play(referee, "migrate Sparrow 2,0", "pay Fly 1,0")
    assert referee.scores() == [2, 0]
    assert referee.snapshot()["spirits"] == [(2, 0), None]


def test_referee_sparrow_must_cover_its_own_town() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 0), (2, 0): ("Rats", 1)}
    hands = [{"Sparrow": 1, "Oak": 2}, {}]
    referee = Referee.at(row(4), hands, towns, spirits=[(0, 0), None])
    play(referee, "migrate Sparrow 3,0", "pay Oak 1,0", "pay Oak 2,0")
    assert referee.scores() == [2, 0]
    assert referee.snapshot()["hands"][0] == {}
    free = Referee.at(row(4), hands, towns, {"sparrow_must_cover": False}, spirits=[(0, 0), None])
    play(free, "migrate Sparrow 3,0")
    assert free.actions() == {"pay Oak 1,0", "leave 1,0"}
    assert play(free, "leave 1,0", "pay Oak 2,0").scores() == [4, 0]


def test_referee_jackal_counts_the_wasteland_it_touches() -> None:
    referee = Referee.at(row(4), [{"Jackal": 1, "Oak": 2}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    play(referee, "migrate Jackal 3,0", "pay Oak 1,0", "pay Oak 2,0")
    assert referee.scores() == [3, 0]


# -------------------------------------------------------------------- turn flow, loss of the Spirit, end


def test_referee_oak_regains_the_spirit() -> None:
    towns = {(0, 0): ("Oak", 0), (2, 0): ("Bass", 1)}
    referee = Referee.at(row(3), [{"Rats": 1}, {}], towns, spirits=[None, (2, 0)])
    assert referee.actions() == {"oak 0,0", "pass"}
    assert play(referee, "oak 0,0").actions() == {"expand Rats 1,0", "pass"}
    without = Referee.at(row(3), [{"Rats": 1}, {}], towns, {"oak_from": "board"}, spirits=[None, (2, 0)])
    assert without.phase == "over"


def test_referee_nobody_can_move() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Bass", 1), (0, 1): ("Rats", 0)}
    hands = [{"Rats": 1, "Bass": 1}, {"Fly": 1, "Bass": 1}]
    referee = Referee.at(land(TRIANGLE), hands, towns, spirits=[(0, 1), (1, 0)])
    assert (referee.phase, referee.scores()) == ("over", [3, 1])
    assert referee.turn == 2  # at once, no further turns


def test_referee_fly_keeps_the_game_going() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Bass", 1), (0, 1): "w"}
    referee = Referee.at(land(TRIANGLE), [{"Rats": 1}, {"Fly": 1}], towns, spirits=[(0, 0), (1, 0)])
    assert referee.to_move == 1  # A passed by force and lost its Spirit
    assert referee.snapshot()["spirits"] == [None, (1, 0)]
    assert referee.actions() == {"expand Fly 0,1", "pass"}


def test_referee_final_scoring() -> None:
    towns = {
        (1, 0): ("Bass", 0),
        (0, 0): ("Rats", 0),
        (-1, 0): ("Bass", 1),
        (-1, 1): ("Rats", 1),
        (0, -1): ("Rats", 1),
        (0, 1): "w",
        (1, -1): "w",
    }
    referee = Referee.at(land(FLOWER, {(0, 0): "Fertile"}), [{}, {}], towns)
    assert (referee.phase, referee.scores()) == ("over", [4, 5])


def test_referee_no_comeback_after_a_pass() -> None:
    teams = [{"Bass": 2}, {"Bass": 2}, {"Bass": 2}]
    for comeback, next_seat in ((True, 1), (False, 2)):
        referee = Referee(row(6), teams, {"comeback": comeback})
        play(referee, "enter Bass 0,0", "pass", "enter Bass 5,0", "expand Bass 1,0")
        assert referee.to_move == next_seat


# -------------------------------------------------------------------- Skunk, Poison Oak, Wolf


def test_referee_skunk_blocks_even_the_bass() -> None:
    towns = {(0, 0): ("Skunk", 0), (2, 0): ("Bass", 1)}
    hands = [{}, {"Rats": 1, "Bass": 1}]
    referee = Referee.at(row(4), hands, towns, to_move=1, spirits=[(0, 0), (2, 0)])
    assert referee.actions() == {"expand Rats 3,0", "expand Bass 3,0", "pass"}
    absent = Referee.at(row(4), hands, towns, to_move=1, spirits=[None, (2, 0)])
    assert "expand Rats 1,0" in absent.actions()
    mountain = row(4, {(1, 0): "Mountain"})
    referee = Referee.at(mountain, hands, towns, to_move=1, spirits=[(0, 0), (2, 0)])
    assert "expand Rats 1,0" in referee.actions()


def test_referee_skunk_does_not_block_its_owner() -> None:
    towns = {(0, 0): ("Skunk", 0)}
    referee = Referee.at(row(2), [{"Rats": 1}, {}], towns, spirits=[(0, 0), None])
    assert referee.actions() == {"expand Rats 1,0", "pass"}
    blocked = Referee.at(row(2), [{"Rats": 1}, {}], towns, {"skunk_concerns": "all"}, spirits=[(0, 0), None])
    assert blocked.phase == "over"


def test_referee_paying_beside_a_skunk() -> None:
    board = land([(0, 0), (1, 0), (2, 0), (0, 1)])
    towns = {(0, 1): ("Skunk", 0), (0, 0): ("Bass", 1)}
    hands = [{}, {"Rats": 1, "Oak": 1}]
    referee = Referee.at(board, hands, towns, to_move=1, spirits=[(0, 1), (0, 0)])
    assert referee.actions() == {"migrate Rats 2,0", "migrate Oak 2,0", "pass"}
    play(referee, "migrate Rats 2,0", "pay Oak 1,0")
    assert top(referee, (1, 0)) == ("Wasteland",)


def test_referee_poison_oak() -> None:
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Bass", 1)}
    referee = Referee.at(row(3), [{"Poison Oak": 1}, {}], towns, spirits=[(0, 0), (2, 0)])
    play(referee, "expand PoisonOak 1,0")
    assert referee.snapshot()["spirits"] == [(1, 0), None]
    assert referee.scores() == [2, 1]


def test_referee_poison_oak_reaches_all_neighbours() -> None:
    board = land([*FLOWER, (2, 0)])
    towns = {(-1, 0): ("Bass", 0), (1, -1): ("Bass", 1), (0, 1): ("Bass", 2), (2, 0): ("Bass", 3)}
    referee = Referee.at(
        board, [{"Poison Oak": 1}, {}, {}, {"Rats": 1}], towns, spirits=[(-1, 0), (1, -1), (0, 1), (2, 0)]
    )
    play(referee, "expand Poison Oak 0,0")
    assert referee.snapshot()["spirits"] == [(0, 0), None, None, (2, 0)]


def test_referee_two_wolves_flip_at_the_end_of_their_owners_turn() -> None:
    hexes = [(0, 0), (1, 0), (-1, 0), (0, 1)]
    towns = {(0, 0): ("Rats", 1), (1, 0): ("Wolf", 0), (-1, 0): ("Wolf", 0)}
    referee = Referee.at(
        land([*hexes, (-2, 0)]),
        [{"Rats": 1}, {"Rats": 1}],
        towns,
        to_move=1,
        spirits=[(-1, 0), (0, 0)],
    )
    play(referee, "expand Rats 0,1")
    assert top(referee, (0, 0)) == ("Town", "Rats", 1)
    play(referee, "expand Rats -2,0")
    assert top(referee, (0, 0)) == ("Wasteland",)


def test_referee_one_wolf_each_is_not_enough() -> None:
    towns = {(0, 0): ("Wolf", 0), (1, 0): ("Rats", 1), (2, 0): ("Bass", 1), (3, 0): ("Wolf", 0)}
    referee = Referee.at(row(4), [{}, {}], towns, spirits=[(3, 0), None])
    assert (referee.phase, referee.scores()) == ("over", [2, 3])


def test_referee_order_of_wolves_and_poison_oak() -> None:
    # A's Wolves around A's own Poison Oak, which stands beside B's Spirit: only the order decides.
    towns = {(1, 0): ("Wolf", 0), (-1, 0): ("Wolf", 0), (0, 0): ("Poison Oak", 0), (0, 1): ("Bass", 1)}
    for order, left in (("wolves first", (0, 1)), ("poison oak first", None)):
        referee = Referee.at(
            land([*FLOWER, (2, 0)]),
            [{"Rats": 2}, {"Rats": 1}],
            towns,
            {"wolf_concerns": "all"},
            spirits=[(1, 0), (0, 1)],
        )
        play(referee, "expand Rats 2,0")
        assert (referee.phase, referee.to_move) == ("order", 0)
        play(referee, order)
        assert top(referee, (0, 0)) == ("Wasteland",)
        assert referee.snapshot()["spirits"][1] == left


# -------------------------------------------------------------------- Jackal, Lizard, Cactus


def test_referee_fly_spoils_the_jackal() -> None:
    towns = {(0, 0): ("Jackal", 0), (1, 0): "w", (0, 1): ["w", "w"], (1, -1): ("Bass", 1)}
    hands = [{}, {"Fly": 1}]
    referee = Referee.at(land(FLOWER), hands, towns, to_move=1, spirits=[None, (1, -1)])
    assert referee.scores() == [3, 1]
    assert play(referee, "expand Fly 1,0").scores() == [2, 2]
    pieces = {"jackal_counts": "piece"}
    referee = Referee.at(land(FLOWER), hands, towns, pieces, to_move=1, spirits=[None, (1, -1)])
    assert referee.scores() == [4, 1]


def test_referee_lizard_bonus() -> None:
    start: dict[str, Any] = {"towns": {(0, 0): ("Bass", 0)}, "spirits": [(0, 0), None]}
    referee = Referee.at(row(4), [{"Lizard": 1, "Rats": 1}, {}], **start)
    play(referee, "expand Lizard 1,0")
    assert (referee.phase, referee.actions()) == ("bonus", {"expand Rats 2,0", "decline"})
    play(referee, "expand Rats 2,0")
    assert (top(referee, (1, 0)), referee.spirits[0], referee.scores()) == (("Wasteland",), (2, 0), [3, 0])
    referee = Referee.at(row(4), [{"Lizard": 1, "Rats": 1}, {}], **start)
    play(referee, "expand Lizard 1,0", "decline")
    assert referee.scores() == [2, 0]


def test_referee_chain_of_lizards() -> None:
    referee = Referee.at(
        row(4), [{"Lizard": 2, "Jackal": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None]
    )
    play(referee, "expand Lizard 1,0", "expand Lizard 2,0")
    assert top(referee, (1, 0)) == ("Wasteland",)
    play(referee, "expand Jackal 3,0")
    assert referee.scores() == [3, 0]
    assert referee.turn == 3


def test_referee_cactus_sends_the_spirit_back() -> None:
    referee = Referee.at(row(3), [{"Cactus": 1}, {}], {(0, 0): ("Rats", 0)}, spirits=[(0, 0), None])
    play(referee, "expand Cactus 1,0")
    assert (referee.spirits[0], referee.scores()) == ((0, 0), [2, 0])


def test_referee_lizard_then_cactus() -> None:
    start: dict[str, Any] = {"towns": {(0, 0): ("Bass", 0)}, "spirits": [(0, 0), None]}
    referee = Referee.at(row(4), [{"Cactus": 1, "Lizard": 1}, {}], **start)
    play(referee, "expand Lizard 1,0", "expand Cactus 2,0")
    assert top(referee, (1, 0)) == ("Wasteland",)
    assert (referee.spirits[0], referee.scores()) == ((0, 0), [2, 0])
    # A Cactus that brings the Spirit back to a Lizard counts as a move only under "any move".
    board = land([(0, 0), (1, 0), (0, 1)])
    start = {"towns": {(0, 0): ("Lizard", 0)}, "spirits": [(0, 0), None]}
    hands = [{"Cactus": 1, "Rats": 1}, {}]
    referee = play(Referee.at(board, hands, **start), "expand Cactus 1,0")
    assert (referee.phase, referee.turn) == ("turn", 4)  # A's turn ended, B passed by force
    referee = Referee.at(board, hands, params={"lizard_trigger": "any move"}, **start)
    play(referee, "expand Cactus 1,0", "expand Rats 0,1")
    assert (top(referee, (0, 0)), referee.spirits[0]) == (("Wasteland",), (0, 1))


def test_referee_cactuses_add_up() -> None:
    towns = {(0, 0): ("Cactus", 0), (1, 0): ("Rats", 1), (2, 0): ("Cactus", 0)}
    assert Referee.at(row(3), [{}, {}], towns).scores() == [2, 0]
    assert Referee.at(row(3), [{}, {}], towns, {"cactus_stacks": False}).scores() == [2, 1]
    assert Referee.at(row(3, {(1, 0): "Mountain"}), [{}, {}], towns).scores() == [2, 2]
    pair = {(0, 0): ("Cactus", 0), (1, 0): ("Cactus", 1)}
    assert Referee.at(row(2), [{}, {}], pair).scores() == [0, 0]
    assert Referee.at(row(3), [{}, {}], towns, {"cactus_concerns": "own"}).scores() == [2, 2]


# -------------------------------------------------------------------- terrain


def test_referee_wasteland_ends_a_lake() -> None:
    board = row(3, {(1, 0): "Lake"})
    towns = {(0, 0): ("Bass", 0)}
    referee = Referee.at(board, [{"Rats": 1, "Oak": 1, "Fly": 1}, {}], towns, spirits=[(0, 0), None])
    assert not any("expand" in action for action in referee.actions())
    assert "lake 1,0" in referee.actions()
    play(referee, "migrate Rats 2,0", "pay Oak 1,0")
    assert referee.actions() == {"expand Fly 1,0", "pass"}


def test_referee_lake_then_cactus() -> None:
    board = row(3, {(1, 0): "Lake"})
    towns = {(0, 0): ("Bass", 0)}
    referee = Referee.at(board, [{"Cactus": 1}, {}], towns, spirits=[(0, 0), None])
    play(referee, "lake 1,0")
    assert referee.snapshot()["spirits"][0] == (1, 0)
    assert play(referee, "expand Cactus 2,0").snapshot()["spirits"][0] == (0, 0)


def test_referee_useless_lake_is_not_offered() -> None:
    board = land([(0, 0), (0, 1), (1, -1)], {(1, -1): "Lake"})
    referee = Referee.at(board, [{"Rats": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    assert referee.actions() == {"expand Rats 0,1", "pass"}


@pytest.mark.parametrize("terrain_lasts", [True, False])
def test_referee_deep_woods(terrain_lasts: bool) -> None:
    params = {} if terrain_lasts else {"persistent": ["Fertile", "Mountain", "Desert"]}
    board = row(4, {(1, 0): "Deep Woods"})
    hands = [{"Rats": 1, "Sparrow": 1, "Oak": 1}, {"Wolf": 1}]
    towns: dict[Hex, Any] = {(0, 0): ("Bass", 0)}
    referee = Referee.at(board, hands, towns, params, spirits=[(0, 0), None])
    expansions = {f"expand {kind} 1,0" for kind in hands[0]}
    assert referee.actions() == expansions | {"pass"}
    play(referee, "expand Rats 1,0")
    covered = Referee.at(board, hands, towns | {(1, 0): "w"}, params, spirits=[(0, 0), None])
    beyond = any("2,0" in action for action in covered.actions())
    assert beyond == (not terrain_lasts)
    wolf = Referee.at(board, hands, towns, params, to_move=1, spirits=[(0, 0), None])
    assert wolf.actions() == {"enter Wolf 1,0", "pass"}


def test_referee_desert_and_floor() -> None:
    dry = {(0, 0): "Desert"}
    for kind, points in (("Rats", 1), ("Bass", 0)):
        assert Referee.at(row(1, dry), [{}, {}], {(0, 0): (kind, 0)}).scores() == [points, 0]
    towns: dict[Hex, Any] = {(0, 0): ("Bass", 0), (1, 0): ("Cactus", 1)}
    assert Referee.at(row(2, dry), [{}, {}], towns).scores() == [0, 1]
    towns = {(0, 0): ("Jackal", 0), (1, 0): ("Cactus", 1), (0, 1): "w", (-1, 0): "w", (0, -1): "w"}
    assert Referee.at(land(FLOWER, dry), [{}, {}], towns).scores() == [2, 1]
    # Fertile inside or after the floor differs only when penalties go below zero.
    board = land(FLOWER, {(0, 0): "Fertile"})
    around: dict[Hex, Any] = {(0, 0): ("Bass", 0), (1, 0): ("Cactus", 1), (-1, 0): ("Cactus", 1)}
    assert Referee.at(board, [{}, {}], around).scores()[0] == 0
    assert Referee.at(board, [{}, {}], around, {"fertile_after_floor": True}).scores()[0] == 1


def test_referee_fly_revives_fertile_wasteland() -> None:
    towns = {(0, 0): "w", (1, 0): ("Bass", 0)}
    board = land(FLOWER, {(0, 0): "Fertile"})
    referee = Referee.at(board, [{"Fly": 1}, {}], towns, spirits=[(1, 0), None])
    assert referee.scores() == [1, 0]
    assert play(referee, "expand Fly 0,0").scores() == [3, 0]


@pytest.mark.parametrize("first", ["own", "game", "round"])
def test_referee_oasis_not_on_the_first_turn(first: str) -> None:
    # A alone has a Bass; the others need the Oasis, and pass by force while it is not yet open to them.
    board = row(3, {(2, 0): "Oasis"})
    teams = [{"Bass": 1, "Rats": 1}, {"Rats": 1}, {"Rats": 1}]
    referee = Referee(board, teams, {"oasis_first_turn": first})
    assert referee.actions() == {"enter Bass 0,0", "enter Bass 1,0", "enter Bass 2,0", "pass"}
    play(referee, "enter Bass 0,0")
    if first != "game":
        assert (referee.to_move, referee.turn) == (0, 3)
        play(referee, "expand Rats 1,0")
    assert (referee.to_move, referee.turn) == (1, 1 if first == "game" else 4)
    assert referee.actions() == {"enter Rats 2,0", "pass"}
