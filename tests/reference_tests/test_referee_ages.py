"""The plain referee on the Age Cards, each in force as a scenario: worked cases and meetings with Explorers."""

from __future__ import annotations

import pytest

from tests.reference.migration.ages import CARDS
from tests.reference.migration.cases import FLOWER, in_age, play, row, top
from tests.reference.migration.random import land
from tests.reference.migration.referee import Referee


def test_scenario_holds_from_the_first_turn_to_the_end() -> None:
    ages = {"mode": "scenario", "cards": CARDS, "deck": ["Treaties"]}
    referee = Referee(row(4), [{"Bass": 1, "Rats": 2}, {"Bass": 1}], ages=ages)
    for action in ("enter Bass 0,0", "enter Bass 3,0", "expand Rats 1,0"):
        assert referee.snapshot()["active"] == "Treaties"
        assert not any("migrate" in offered or "enact" in offered for offered in referee.actions())
        referee.do(action)
    play(referee, "expand Rats 2,0")
    shown = referee.snapshot()
    assert (shown["phase"], shown["active"], shown["face_up"], shown["locked"]) == (
        "over",
        "Treaties",
        None,
        False,
    )


# -------------------------------------------------------------------- Exploration


def test_exploration_pays_only_where_it_likes() -> None:
    towns, here = {(0, 0): ("Bass", 0)}, [(0, 0), None]
    referee = in_age("Exploration", row(3), [{"Rats": 1}, {}], towns, spirits=here)
    assert referee.actions() == {"expand Rats 1,0", "migrate Rats 2,0", "pass"}
    assert top(play(referee, "migrate Rats 2,0"), (1, 0)) is None
    referee = in_age("Exploration", row(4), [{"Jackal": 1, "Oak": 1}, {}], towns, spirits=here)
    play(referee, "migrate Jackal 3,0")
    assert referee.actions() == {"pay Oak 1,0", "leave 1,0"}
    assert play(referee, "leave 1,0").actions() == {"pay Oak 2,0", "leave 2,0"}
    assert play(referee, "pay Oak 2,0").scores() == [3, 0]


def test_exploration_lets_the_sparrow_spare_towns_and_lakes_stay_open() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 0), (2, 0): ("Rats", 1)}
    board = row(5, {(3, 0): "Lake"})
    referee = in_age(
        "Exploration", board, [{"Sparrow": 1, "Oak": 2}, {}], towns, spirits=[(0, 0), (2, 0)], turns=[1, 1]
    )
    play(referee, "migrate Sparrow 4,0", "leave 1,0", "leave 2,0")
    assert referee.actions() == {"pay Oak 3,0", "leave 3,0"}
    play(referee, "leave 3,0")
    assert referee.scores() == [4, 2]
    assert referee.snapshot()["spirits"] == [(4, 0), (2, 0)]
    assert top(referee, (3, 0)) is None


def test_exploration_at_sea_and_on_wasteland() -> None:
    hands = [{"Rats": 1, "Oak": 1}, {}]
    board, towns = land([(0, 0), (1, 0), (3, 0)]), {(0, 0): ("Bass", 0), (1, 0): "w"}
    params = {"migrate_over_ocean": "paid"}
    referee = in_age("Exploration", board, hands, towns, params, spirits=[(0, 0), None])
    play(referee, "migrate Rats 3,0", "leave 1,0")
    assert referee.actions() == {"pay Oak at sea", "leave at sea"}
    assert play(referee, "leave at sea").hands[0] == {"Oak": 1}


# -------------------------------------------------------------------- Treaties and Restlessness


def test_restlessness_leaves_migration_and_entry() -> None:
    towns, here = {(0, 0): ("Bass", 0)}, [(0, 0), None]
    assert in_age("Restlessness", row(3), [{"Rats": 1}, {}], towns, spirits=here).phase == "over"
    referee = in_age("Restlessness", row(3), [{"Rats": 2}, {}], towns, spirits=here)
    assert referee.actions() == {"migrate Rats 2,0", "pass"}
    # next to the Spirit too, where the Bass would otherwise have to Expand
    referee = in_age("Restlessness", row(3), [{"Bass": 1}, {}], towns, spirits=here)
    assert referee.actions() == {"enter Bass 1,0", "enter Bass 2,0", "pass"}
    params = {"adjacent_migration": True}
    referee = in_age("Restlessness", row(3), [{"Rats": 1}, {}], towns, params, spirits=here)
    assert referee.actions() == {"migrate Rats 1,0", "pass"}
    assert play(referee, "migrate Rats 1,0").scores() == [3, 0]


def test_treaties_leave_expansion_and_entry() -> None:
    board = land([(q, 0) for q in range(5)], {(4, 0): "Oasis"}, forest=[(3, 0)])
    hands: list[dict[str, int]] = [{"Rats": 1, "Wolf": 1, "Oak": 1}, {}]
    referee = in_age("Treaties", board, hands, {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    expand = {f"expand {kind} 1,0" for kind in hands[0]}
    assert referee.actions() == expand | {f"enter {kind} 4,0" for kind in hands[0]} | {
        "enter Wolf 3,0",
        "pass",
    }


@pytest.mark.parametrize(
    ("card", "bonus"),
    [
        ("Treaties", {"expand Rats 2,0", "expand Oak 2,0"}),
        ("Restlessness", {"migrate Rats 3,0", "migrate Oak 3,0"}),
    ],
)
def test_lizard_bonus_is_limited_to_what_the_card_permits(card: str, bonus: set[str]) -> None:
    hands = [{"Lizard": 1, "Rats": 1, "Oak": 1}, {}]
    board = land([(0, 0), (1, 0), (2, 0), (3, 0)], {(1, 0): "Oasis"})
    referee = in_age(card, board, hands, {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    play(referee, "expand Lizard 1,0" if card == "Treaties" else "enter Lizard 1,0")
    assert (referee.phase, referee.actions()) == ("bonus", bonus | {"decline"})


# -------------------------------------------------------------------- Wandering


def test_wandering_comes_before_everything_but_oak_and_lake() -> None:
    referee = in_age(
        "Wandering", row(3), [{"Rats": 1, "Bass": 1}, {}], {(1, 0): ("Bass", 0)}, spirits=[(1, 0), None]
    )
    assert referee.actions() == {"wander 1,0 0,0", "wander 1,0 2,0"}
    play(referee, "wander 1,0 2,0")
    assert referee.snapshot()["spirits"][0] == (2, 0)
    assert top(referee, (1, 0)) is None
    assert "expand Rats 1,0" in referee.actions()
    assert "pass" in referee.actions()
    assert not any(action.startswith("wander") for action in referee.actions())


def test_wandering_is_void_where_nothing_can_move() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): "w", (2, 0): ("Bass", 1)}
    referee = in_age("Wandering", row(3), [{"Fly": 1}, {}], towns, spirits=[(0, 0), None])
    assert referee.actions() == {"expand Fly 1,0", "pass"}
    # neither may a Town wander onto an open Lake
    lake = row(3, {(1, 0): "Lake"})
    referee = in_age("Wandering", lake, [{"Bass": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    assert "enter Bass 2,0" in referee.actions()


def test_wandering_in_a_turn_that_is_passed_by_force() -> None:
    towns = {(0, 0): ("Rats", 0), (3, 0): ("Bass", 1)}
    referee = in_age("Wandering", row(4), [{}, {"Rats": 1}], towns, spirits=[(0, 0), (3, 0)])
    assert (referee.phase, referee.actions()) == ("turn", {"wander 0,0 1,0"})
    play(referee, "wander 0,0 1,0")  # and the pass follows by itself
    assert (referee.to_move, referee.spirits[0], referee.passes) == (1, None, [1, 0])
    assert referee.still == 1  # to wander is not to stir
    play(referee, "wander 3,0 2,0", "pass")
    assert referee.phase == "over"


def test_wandering_can_make_the_only_move_possible() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 0)}
    referee = in_age("Wandering", row(3), [{"Oak": 1}, {}], towns, spirits=[(0, 0), None])
    assert (referee.phase, referee.actions()) == ("turn", {"wander 1,0 2,0"})
    assert play(referee, "wander 1,0 2,0").actions() == {"expand Oak 1,0", "pass"}
    # under a position test too the game is not over before
    params = {"end_rule": "position"}
    referee = in_age("Wandering", row(3), [{"Oak": 1}, {}], towns, params, spirits=[(0, 0), None])
    assert referee.actions() == {"wander 1,0 2,0"}


def test_wandering_from_wasteland_exposes_it_and_reopens_an_oasis() -> None:
    board = row(4, {(0, 0): "Oasis", (1, 0): "Lake"})
    towns = {(0, 0): ("Bass", 0), (1, 0): ["w", ("Fly", 0)], (2, 0): ("Bass", 1)}
    hands = [{"Rats": 1}, {"Rats": 1}]
    board[(0, 1)] = {"terrain": set(), "forest": False, "sea": False}
    board[(1, -1)] = {"terrain": set(), "forest": False, "sea": False}
    fly = in_age("Wandering", board, hands, towns, spirits=[(0, 0), None])
    play(fly, "wander 1,0 1,-1")
    assert top(fly, (1, 0)) == ("Wasteland",)
    assert "lake 1,0" not in fly.actions()
    bass = in_age("Wandering", board, hands, towns, spirits=[None, None])
    assert "enter Rats 0,0" in play(bass, "wander 0,0 0,1").actions()


def test_wandering_oak_stays_the_same_oak() -> None:
    towns = {(0, 0): ("Bass", 0), (3, 0): ("Oak", 0)}
    hands = [{"Rats": 1}, {}]
    referee = in_age("Wandering", row(6), hands, towns, spirits=[(0, 0), None])
    play(referee, "oak 3,0")
    assert referee.actions() == {"wander 0,0 1,0", "wander 3,0 2,0", "wander 3,0 4,0"}
    assert not any("oak" in action for action in play(referee, "wander 3,0 4,0").actions())
    assert referee.spirits[0] == (4, 0)
    referee = in_age("Wandering", row(6), hands, towns, spirits=[(0, 0), None])
    assert "oak 4,0" in play(referee, "wander 3,0 4,0").actions()


def test_wandering_oaks_that_were_used_or_used_last() -> None:
    towns = {(0, 0): ("Oak", 0), (3, 0): ("Oak", 0)}
    params = {"cactus_after_oak": "oak"}
    referee = in_age("Wandering", row(6), [{"Cactus": 1}, {}], towns, params)
    play(referee, "oak 3,0", "oak 0,0", "wander 3,0 4,0")
    assert not any("oak" in action for action in referee.actions())  # used before it wandered
    referee = in_age("Wandering", row(6), [{"Cactus": 1}, {}], towns, params)
    play(referee, "oak 3,0", "wander 3,0 4,0", "expand Cactus 5,0")
    assert referee.spirits[0] == (4, 0)


def test_cactus_returns_to_the_start_town_where_it_wandered_to() -> None:
    referee = in_age("Wandering", row(4), [{"Cactus": 1}, {}], {(1, 0): ("Bass", 0)}, spirits=[(1, 0), None])
    play(referee, "wander 1,0 0,0", "expand Cactus 1,0")
    assert referee.spirits[0] == (0, 0)


def test_wandering_beside_a_skunk_but_not_establishing_there() -> None:
    towns = {(0, 0): ("Skunk", 1), (2, 0): ("Bass", 0)}
    referee = in_age("Wandering", row(4), [{"Rats": 1}, {}], towns, spirits=[(2, 0), (0, 0)])
    play(referee, "wander 2,0 1,0")
    assert referee.actions() == {"expand Rats 2,0", "pass"}


def test_lake_is_left_open_by_a_town_that_wanders_away() -> None:
    board = row(5, {(1, 0): "Lake", (2, 0): "Oasis"})
    referee = in_age("Wandering", board, [{"Rats": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    assert "lake 1,0" in referee.actions()  # nothing can wander: the Lake alone is beside the Town
    assert "expand Rats 2,0" in play(referee, "lake 1,0").actions()
    board = land([(0, 0), (-1, 0), (1, 0), (2, 0)], {(1, 0): "Lake"})
    referee = in_age("Wandering", board, [{"Rats": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    play(referee, "lake 1,0", "wander 0,0 -1,0")  # the Spirit stays on the Lake
    assert referee.spirits[0] == (1, 0)
    assert play(referee, "expand Rats 2,0").scores() == [3, 0]


# -------------------------------------------------------------------- Cooperation


def test_cooperation_puts_a_second_town_on_the_first() -> None:
    ages = {"mode": "scenario", "cards": CARDS, "deck": ["Cooperation"]}
    referee = Referee(row(2), [{"Bass": 1, "Rats": 2}, {"Bass": 1}], ages=ages)
    play(referee, "enter Bass 0,0")
    assert (referee.phase, referee.actions()) == ("bonus", {"stack Rats 0,0", "decline"})
    play(referee, "stack Rats 0,0")
    assert (referee.to_move, referee.scores(), referee.spirits) == (1, [2, 0], [(0, 0), None])
    declined = Referee(row(2), [{"Bass": 1, "Rats": 2}, {"Bass": 1}], ages=ages)
    assert play(declined, "enter Bass 0,0", "decline").scores() == [1, 0]


def test_cooperation_with_the_lizard_below_or_above() -> None:
    hands = [{"Lizard": 1, "Rats": 2}, {}]
    towns, here = {(0, 0): ("Bass", 0)}, [(0, 0), None]
    below = in_age("Cooperation", row(3), hands, towns, spirits=here)
    play(below, "expand Lizard 1,0")
    assert below.actions() == {"expand Rats 2,0", "stack Rats 1,0", "decline"}
    covered = in_age("Cooperation", row(3), hands, towns, spirits=here)
    play(covered, "expand Lizard 1,0", "stack Rats 1,0")
    assert (covered.turn, covered.scores()) == (4, [3, 0])  # the covered Lizard gives no bonus
    play(below, "expand Rats 2,0")
    assert top(below, (1, 0)) == ("Wasteland",)  # and with the bonus used nothing is stacked
    assert below.hands[0] == {"Rats": 1}
    above = in_age("Cooperation", row(3), hands, towns, spirits=here)
    play(above, "expand Rats 1,0", "stack Lizard 1,0")
    assert above.actions() == {"expand Rats 2,0", "decline"}
    play(above, "expand Rats 2,0")
    assert (top(above, (1, 0)), above.scores()) == (("Wasteland",), [3, 0])


def test_cooperation_with_the_cactus() -> None:
    towns, here = {(0, 0): ("Rats", 0)}, [(0, 0), None]
    referee = in_age("Cooperation", row(3), [{"Cactus": 1, "Rats": 1}, {}], towns, spirits=here)
    play(referee, "expand Cactus 1,0")
    assert referee.spirits[0] == (0, 0)
    assert referee.actions() == {"stack Rats 1,0", "decline"}
    play(referee, "stack Rats 1,0")  # no Cactus any more, and the Spirit goes to the new Town
    assert (referee.spirits[0], referee.scores()) == ((1, 0), [4, 0])
    referee = in_age("Cooperation", row(3), [{"Cactus": 1, "Rats": 1}, {}], towns, spirits=here)
    play(referee, "expand Rats 1,0", "stack Cactus 1,0")
    assert (referee.spirits[0], referee.scores()) == ((0, 0), [2, 0])


def test_cooperation_where_a_skunk_forbids_it() -> None:
    # The Spirit returns from the Cactus to A's own Skunk, which here concerns its owner too.
    towns, here = {(0, 0): ("Skunk", 0), (1, 0): ("Oak", 0)}, [(0, 0), None]
    hands = [{"Cactus": 1, "Rats": 2}, {}]
    board = land([*FLOWER, (2, 0)])
    for concerned, phase in (("own", "turn"), ("enemies", "bonus")):
        params = {"skunk_concerns": concerned}
        referee = in_age("Cooperation", board, hands, towns, params, spirits=here)
        play(referee, "oak 1,0", "expand Cactus 1,-1")
        assert (referee.spirits[0], referee.phase) == ((0, 0), phase)


def test_wolf_strikes_only_the_top_of_a_stack() -> None:
    towns = {
        (0, 0): [("Bass", 1), ("Rats", 1)],
        (1, 0): ("Wolf", 0),
        (-1, 0): ("Wolf", 0),
        (0, 1): ("Bass", 0),
    }
    referee = in_age("Cooperation", land([*towns, (0, 2)]), [{"Rats": 1}, {}], towns, spirits=[(0, 1), None])
    assert referee.scores() == [3, 2]
    play(referee, "expand Rats 0,2")
    assert (top(referee, (0, 0)), referee.scores()) == (("Wasteland",), [5, 0])
