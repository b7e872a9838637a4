"""The plain referee on the Age Cards that act at the end of a turn, on Strife, Era, Agenda and Oaths."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.migration.cases import FLOWER, in_age, play, row, top
from tests.reference.migration.random import land

# -------------------------------------------------------------------- Nostalgia


def test_nostalgia_takes_the_spirit_off_the_only_towns_it_touched() -> None:
    referee = in_age(
        "Nostalgia", row(4), [{"Rats": 1}, {"Bass": 1}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None]
    )
    play(referee, "expand Rats 1,0")
    assert (referee.phase, referee.actions()) == ("end", {"age"})
    play(referee, "age")
    assert (referee.spirits[0], referee.actions()) == (None, {"done"})
    assert play(referee, "done").to_move == 1


def test_nostalgia_goes_back_to_a_town_of_former_turns() -> None:
    towns = {(0, 0): ("Rats", 0), (1, 0): ("Oak", 0), (2, 0): ("Bass", 0)}
    hands = [{"Cactus": 1}, {"Bass": 1}]
    referee = in_age("Nostalgia", row(5), hands, towns, spirits=[(2, 0), None])
    play(referee, "oak 1,0", "pass", "age")
    assert referee.actions() == {"nostalgia 0,0", "nostalgia off"}  # a passed turn; start and Oak are touched
    play(referee, "nostalgia 0,0", "done")
    assert referee.spirits[0] == (0, 0)
    referee = in_age("Nostalgia", row(5), hands, towns, spirits=[(2, 0), None])
    play(referee, "expand Cactus 3,0", "age")  # the Cactus was touched although the Spirit has left it
    assert referee.actions() == {"nostalgia 0,0", "nostalgia 1,0", "nostalgia off"}
    assert play(referee, "nostalgia off").spirits[0] is None


def test_nostalgia_in_a_passed_turn_only_if_effects_run() -> None:
    towns = {(0, 0): ("Rats", 0), (3, 0): ("Bass", 0)}
    hands = [{"Rats": 1}, {"Bass": 1}]
    params = {"effects_on_pass": False}
    referee = in_age("Nostalgia", row(4), hands, towns, params, spirits=[(0, 0), None])
    assert (play(referee, "pass").phase, referee.to_move) == ("turn", 1)
    referee = in_age("Nostalgia", row(4), hands, towns, spirits=[(0, 0), None])
    play(referee, "pass", "age", "nostalgia 3,0", "done", "pass", "age", "done")
    assert "expand Rats 2,0" in referee.actions()  # from where the Spirit was put


def test_nostalgia_marks_a_wandering_town_not_its_region() -> None:
    towns = {(0, 0): ("Bass", 0), (3, 0): ("Rats", 0)}
    card = "nostalgia+must_wander"
    referee = in_age(card, row(5), [{"Rats": 1}, {}], towns, spirits=[(0, 0), None])
    play(referee, "wander 0,0 1,0", "expand Rats 0,0", "age")
    assert referee.actions() == {"nostalgia 3,0", "nostalgia off"}


# -------------------------------------------------------------------- Famine


def test_famine_lays_a_hand_piece_beside_the_spirit() -> None:
    hands, towns = [{"Rats": 1, "Fly": 1}, {"Bass": 1}], {(0, 0): ("Bass", 0)}
    board = row(5, {(2, 0): "Lake"})
    referee = in_age("Famine", board, hands, towns, spirits=[(0, 0), None])
    play(referee, "expand Rats 1,0", "age")
    assert (referee.phase, referee.actions()) == ("famine", {"famine Fly 2,0"})  # an open Lake is Frontier
    play(referee, "famine Fly 2,0")
    assert referee.actions() == {"done"}
    assert (top(referee, (2, 0)), referee.hands[0]) == (("Wasteland",), {})
    assert "enter Bass 4,0" in play(referee, "done").actions()


@pytest.mark.parametrize(
    ("hand", "there"), [({"Rats": 1}, "w"), ({"Rats": 2}, ("Bass", 1)), ({"Rats": 2}, "w")]
)
def test_famine_if_possible(hand: dict[str, int], there: Any) -> None:
    board = land([(0, 0), (1, 0), (2, 0)])
    towns = {(0, 0): ("Bass", 0), (2, 0): there}
    referee = in_age("Famine", board, [hand, {}], towns, spirits=[(0, 0), None])
    play(referee, "expand Rats 1,0", "age")
    possible = hand["Rats"] == 2 and there == "w"
    assert referee.actions() == ({"famine Rats 2,0"} if possible else {"done"})
    if possible:
        play(referee, "famine Rats 2,0")
        assert referee.snapshot()["face_down"][(2, 0)] == 2


# -------------------------------------------------------------------- Aggression


def test_aggression_moves_an_adjacent_enemy_town_with_its_spirit() -> None:
    board = land([*FLOWER, (2, 0), (2, -1)], {(0, 0): "Mountain", (0, 1): "Lake"})
    towns = {(-1, 0): ("Bass", 0), (0, 0): ["w", ("Fly", 1)], (2, 0): ("Rats", 1)}
    referee = in_age("Aggression", board, [{"Rats": 1}, {"Bass": 1}], towns, spirits=[(-1, 0), (0, 0)])
    play(referee, "expand Rats 0,-1", "age")
    free = {
        "0,0",
        "1,0",
        "1,-1",
        "-1,1",
    }  # its own Region to stay; the Lake is no goal, a Mountain no shelter
    assert referee.actions() == {f"aggression 0,0 {goal}" for goal in free}
    play(referee, "aggression 0,0 1,0")
    assert referee.snapshot()["spirits"] == [(0, -1), (1, 0)]
    assert top(referee, (0, 0)) == ("Wasteland",)
    assert play(referee, "done").to_move == 1


def test_aggression_may_leave_the_town_where_it_is() -> None:
    towns = {(0, 0): ("Bass", 0), (2, 0): [("Rats", 1), ("Bass", 1)]}
    for goal, below in (("2,0", ("Town", "Bass", 1)), ("3,0", ("Town", "Rats", 1))):
        referee = in_age("Aggression", row(4), [{"Rats": 1}, {"Bass": 1}], towns, spirits=[(0, 0), None])
        play(referee, "expand Rats 1,0", "age", f"aggression 2,0 {goal}")
        assert top(referee, (2, 0)) == below


@pytest.mark.parametrize("push_first", [True, False])
def test_order_of_wolves_and_aggression_decides(push_first: bool) -> None:
    # B's Rats stand beside one of A's Wolves; one step further they stand beside two.
    towns = {(0, 0): ("Wolf", 0), (2, 0): ("Wolf", 0), (1, -1): ("Rats", 1), (1, -3): ("Bass", 0)}
    board = land([*towns, (1, 0), (1, -2)])
    referee = in_age("Aggression", board, [{"Oak": 1}, {}], towns, spirits=[(1, -3), None])
    play(referee, "expand Oak 1,-2")
    assert (referee.phase, referee.actions()) == ("end", {"wolves", "age"})
    push = ["age", "aggression 1,-1 1,0"]
    play(referee, *([*push, "wolves"] if push_first else ["wolves", *push]))
    assert referee.actions() == {"done"}
    assert top(referee, (1, 0)) == (("Wasteland",) if push_first else ("Town", "Rats", 1))


def test_poison_oak_in_the_end_window() -> None:
    # A's own Wolves flip the Poison Oak, and with it goes what it would have done.
    towns = {(1, 0): ("Wolf", 0), (-1, 0): ("Wolf", 0), (0, 0): ("Poison Oak", 0), (0, 1): ("Bass", 1)}
    for first, options, spirit in (
        ("wolves", {"age"}, (0, 1)),
        ("poison oak", {"age", "wolves"}, None),
    ):
        referee = in_age(
            "Nostalgia",
            land([*FLOWER, (2, 0)]),
            [{"Rats": 2}, {"Rats": 1}],
            towns,
            {"wolf_concerns": "own"},
            spirits=[(1, 0), (0, 1)],
        )
        play(referee, "expand Rats 2,0")
        assert referee.actions() == {"wolves", "poison oak", "age"}
        assert play(referee, first).actions() == options
        assert referee.spirits[1] == spirit


def test_own_card_of_three_effects_runs_them_in_the_agreed_order() -> None:
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Rats", 1)}
    card = "nostalgia+aggression+famine"
    board = land([(q, 0) for q in range(5)] + [(1, 1)])
    referee = in_age(card, board, [{"Rats": 1, "Fly": 1}, {"Bass": 1}], towns, spirits=[(0, 0), None])
    play(referee, "expand Rats 1,0", "age")
    assert referee.actions() == {"famine Fly 1,1"}
    play(referee, "famine Fly 1,1")
    assert referee.actions() == {"aggression 2,0 2,0", "aggression 2,0 3,0"}
    play(referee, "aggression 2,0 3,0")
    assert (referee.spirits[0], referee.actions()) == (None, {"done"})


# -------------------------------------------------------------------- Strife


def test_strife_covers_an_adjacent_enemy_town_for_the_own_spirit() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 1)}
    board = row(2, {(1, 0): "Mountain"})  # no shelter
    referee = in_age("Strife", board, [{"Rats": 1}, {}], towns, spirits=[(0, 0), None])
    assert referee.actions() == {"strife Rats 1,0", "pass"}  # it alone keeps the game going
    play(referee, "strife Rats 1,0")
    assert (referee.phase, referee.scores(), referee.spirits[0]) == ("over", [1, 0], None)
    assert referee.still == 0
    held = in_age("Strife", board, [{"Rats": 1}, {}], towns, spirits=[(0, 0), (1, 0)])
    assert held.phase == "over"
    away = in_age("Strife", board, [{"Rats": 1}, {}], towns, spirits=[None, None])
    assert away.phase == "over"


def test_strife_from_a_lake_or_an_oak_but_not_as_a_bonus() -> None:
    board = row(4, {(1, 0): "Lake"})
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Rats", 1)}
    lake = in_age("Strife", board, [{"Rats": 1}, {}], towns, {}, spirits=[(0, 0), None])
    assert lake.actions() == {"lake 1,0", "pass"}
    assert play(lake, "lake 1,0").actions() == {"strife Rats 2,0", "pass"}
    assert play(lake, "strife Rats 2,0").scores() == [1, 0]
    towns = {(0, 0): ("Oak", 0), (1, 0): ("Rats", 1)}
    oak = in_age("Strife", row(2), [{"Rats": 1}, {}], towns, spirits=[None, None])
    assert oak.actions() == {"oak 0,0", "pass"}
    towns = {(0, 0): ("Bass", 0), (2, 0): ("Rats", 1)}
    bonus = in_age("Strife", row(4), [{"Lizard": 1, "Rats": 1}, {}], towns, spirits=[(0, 0), None])
    play(bonus, "expand Lizard 1,0")
    assert bonus.phase == "turn"  # nothing to Expand or Migrate to: no bonus is asked
    assert top(bonus, (2, 0)) == ("Town", "Rats", 1)


def test_strife_waits_for_the_wandering_town() -> None:
    towns = {(1, 0): ("Bass", 0), (2, 0): ("Rats", 1)}
    card = "strife+must_wander"
    referee = in_age(card, row(3), [{"Rats": 1}, {}], towns, spirits=[(1, 0), None])
    assert referee.actions() == {"wander 1,0 0,0"}
    # Rats can be placed after that, but the enemy is no longer beside the Spirit
    assert play(referee, "wander 1,0 0,0").actions() == {"expand Rats 1,0", "pass"}
