"""The plain referee on the end of the game: it lasts until no player has a legal move, or will ever take one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.migration.ages import CARDS
from tests.reference.migration.cases import in_age, play, row, top
from tests.reference.migration.random import land
from tests.reference.migration.referee import Referee

OATHS = {"oaths": True}
TRIANGLE = [(0, 0), (1, 0), (0, 1)]

STILL = CARDS | {"Still": {"no_expansion"}}


def end(referee: Referee) -> tuple[Any, ...]:
    """How the game ended, after how many turns, and the scores."""
    return referee.ended, referee.turn, referee.scores()


def era(*deck: str) -> dict[str, Any]:
    return {"mode": "era", "deck": list(deck)}


# -------------------------------------------------------------------- Oaths


def test_a_new_pair_that_gives_a_move_keeps_an_oath_bound_game_open() -> None:
    hand = {"Bass": 1, "Rats": 1, "Fly": 1}
    referee = Referee(row(3), [hand, hand], OATHS)
    play(referee, "reveal Rats Fly", "reveal Rats Fly")  # nobody can enter: both pass by force
    play(referee, "reveal Bass Rats", "reveal Bass Rats")
    assert (referee.phase, referee.to_move, referee.turn) == ("turn", 0, 2)
    assert "enter Bass 0,0" in referee.actions()


def test_stuck_players_do_not_reveal_for_ever() -> None:
    hand = {"Bass": 1, "Rats": 2}
    referee = Referee(row(3), [hand, hand], OATHS)
    for _ in range(6):
        assert referee.phase == "reveal"
        play(referee, "reveal Rats Rats")
    assert end(referee) == ("all_passed", 4, [0, 0])


def test_who_has_just_revealed_a_move_is_asked_once() -> None:
    hand = {"Bass": 1, "Rats": 2}
    referee = Referee(row(3), [hand, hand], OATHS)
    play(referee, *["reveal Rats Rats"] * 5, "reveal Bass Rats")  # B, in the fourth passed turn
    assert (referee.phase, referee.to_move) == ("reveal", 0)  # A is stuck again
    play(referee, "reveal Rats Rats")
    assert (referee.phase, referee.to_move) == ("turn", 1)
    asked = play(referee, "pass", "reveal Bass Rats")
    assert end(asked) == ("all_passed", 6, [0, 0])


def test_an_oath_bound_hand_without_any_entry_ends_at_once() -> None:
    towns = {(0, 0): ("Rats", 0), (1, 0): ("Bass", 1)}
    hands = [{"Rats": 1, "Fly": 2}, {"Rats": 3}]
    shown = [["Rats", "Fly"], ["Rats", "Rats"]]
    referee = Referee.at(row(4), hands, towns, OATHS, spirits=[(0, 0), None], revealed=shown)
    assert end(referee) == ("finished", 2, [2, 1])
    referee = Referee.at(row(2), hands, towns, OATHS, spirits=[(0, 0), (1, 0)], revealed=shown)
    assert end(referee) == ("finished", 2, [2, 1])


def test_a_pass_that_lifts_a_skunks_spirit_counts_under_oaths_but_not_in_the_plain_game() -> None:
    # A's Skunk keeps B off the last Region; A itself has nothing left.
    towns = {(0, 0): ("Skunk", 0), (2, 0): ("Bass", 1)}
    hands: list[dict[str, int]] = [{}, {"Bass": 1}]
    plain = Referee.at(row(3), hands, towns, spirits=[(0, 0), (2, 0)])
    assert end(plain) == ("finished", 2, [1, 1])
    for params in (OATHS, {"end_rule": "full round"}):
        waiting = Referee.at(row(3), hands, towns, params, spirits=[(0, 0), (2, 0)])
        assert (waiting.to_move, "expand Bass 1,0" in waiting.actions()) == (1, True)


# -------------------------------------------------------------------- chosen passes


@pytest.mark.parametrize("players", [2, 3])
def test_who_passes_by_choice_may_come_back_after_forced_passes(players: int) -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 0)}
    hands = [{"Bass": 1}, {"Rats": 1}, {"Rats": 1}][:players]
    referee = Referee.at(row(4), hands, towns, spirits=[(1, 0), None, None][:players])
    play(referee, "pass")
    assert (referee.phase, referee.to_move) == ("turn", 0)
    came_back = Referee.at(row(4), hands, towns, spirits=[(1, 0), None, None][:players])
    assert play(came_back, "pass", "enter Bass 3,0").ended == "finished"
    play(referee, "pass")
    assert end(referee)[:2] == ("all_passed", players + 2 * players)


def test_a_chosen_pass_that_gives_the_last_move_away_ends_the_game() -> None:
    referee = Referee.at(row(3), [{"Rats": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    assert end(play(referee, "pass")) == ("finished", 3, [1, 0])


def test_a_table_of_passers_is_waited_for_during_two_rounds() -> None:
    referee = Referee(row(3), [{"Bass": 1}, {"Bass": 1}, {"Bass": 1}])
    play(referee, *["pass"] * 5)
    assert referee.phase == "turn"
    assert end(play(referee, "pass")) == ("all_passed", 6, [0, 0, 0])
    referee = Referee(row(3), [{"Bass": 1}, {"Bass": 1}])
    play(referee, *["pass"] * 3, "enter Bass 0,0", "pass")
    assert (referee.to_move, referee.turn) == (0, 6)  # a Town began the count anew; B passes by force
    assert end(play(referee, "pass")) == ("all_passed", 8, [0, 1])


def test_who_can_move_only_in_the_turns_of_others_is_waited_for_one_round() -> None:
    # B and D put their Spirits where they could move, beside A's and C's Poison Oaks, which lift them in time.
    towns = {(0, 0): ("Poison Oak", 0), (1, 0): ("Rats", 1), (0, 3): ("Poison Oak", 2), (1, 3): ("Rats", 3)}
    hands: list[dict[str, int]] = [{}, {"Rats": 1}, {}, {"Rats": 1}]
    referee = in_age("Nostalgia", land([*towns, (2, 0), (2, 3)]), hands, towns)
    wanted = ["poison oak", "age", "nostalgia 1,0", "nostalgia 1,3", "nostalgia off", "done"]
    while not referee.ended:
        offered = referee.actions()
        play(referee, next(action for action in wanted if action in offered))  # all turns are forced passes
        assert referee.declined == [False] * 4
    assert end(referee)[:2] == ("all_passed", 4 + 3 * 4)


def test_without_a_comeback_everybody_is_out_in_the_end() -> None:
    referee = Referee(row(3), [{"Bass": 1}, {"Bass": 1}], {"comeback": False})
    assert end(play(referee, "pass", "pass")) == ("finished", 2, [0, 0])


# -------------------------------------------------------------------- Wolves

WOLVES = {(1, 0): ("Wolf", 0), (-1, 0): ("Wolf", 0)}


def test_a_flip_that_opens_nothing_does_not_keep_the_game_open() -> None:
    towns = WOLVES | {(0, 1): ("Bass", 1)}
    board = land([(0, 0), *towns])
    hands = [{"Rats": 1}, {"Rats": 1, "Oak": 1}]
    referee = Referee.at(board, hands, towns, to_move=1, spirits=[(1, 0), (0, 1)])
    assert end(play(referee, "expand Rats 0,0")) == ("finished", 3, [2, 3])
    fly = Referee.at(board, [{"Rats": 1}, {"Rats": 1, "Fly": 1}], towns, to_move=1, spirits=[(1, 0), (0, 1)])
    # B's Spirit would go with its Rats, and a Fly enters nowhere without one
    assert end(play(fly, "expand Rats 0,0")) == ("finished", 3, [2, 3])


def test_a_flip_keeps_the_game_open_for_who_could_enter_or_pass_over_the_region() -> None:
    towns = WOLVES | {(0, 0): ("Rats", 1), (0, 1): ("Bass", 1)}
    spirits = [(1, 0), (0, 1)]
    fly = Referee.at(land([*towns]), [{}, {"Fly": 1}], towns, spirits=spirits)
    assert (top(fly, (0, 0)), fly.actions()) == (("Wasteland",), {"expand Fly 0,0", "pass"})
    # a free Region behind it on B's line: Wasteland can be migrated over, a Town cannot
    board = land([*towns, (0, -1)])
    behind = Referee.at(board, [{}, {"Rats": 2}], towns, spirits=spirits)
    assert behind.actions() == {"migrate Rats 0,-1", "pass"}
    poor = Referee.at(board, [{}, {"Rats": 1}], towns, spirits=spirits)
    assert end(poor) == ("finished", 2, [2, 3])
    # the own Spirit is off the board before the own Wolves strike
    own = Referee.at(land([*towns]), [{"Fly": 1}, {"Rats": 1}], towns, spirits=spirits)
    assert end(own) == ("finished", 2, [2, 3])
    # B passes first if it is next, and with its Spirit goes what the flip would have given it
    late = Referee.at(land([*towns]), [{}, {"Fly": 1}], towns, to_move=1, spirits=spirits)
    assert end(late) == ("finished", 2, [2, 3])
    for params in ({"effects_on_pass": False}, {"end_rule": "position"}):
        assert end(Referee.at(land([*towns]), [{}, {"Fly": 1}], towns, params, spirits=spirits))[1] == 2


def test_a_flip_of_the_skunk_keeps_the_game_open_a_lifted_spirit_does_not() -> None:
    # C's Skunk, with its Spirit, keeps B off the last Region; A's Wolves stand around it.
    towns = {(1, 0): ("Wolf", 0), (-1, 0): ("Wolf", 0), (0, 0): ("Skunk", 2), (1, 1): ("Bass", 1)}
    hands: list[dict[str, int]] = [{}, {"Bass": 1}, {}]
    more: dict[str, Any] = {"spirits": [None, (1, 1), (0, 0)]}
    flipped = Referee.at(land([*towns, (0, 1)]), hands, towns, **more)
    assert (flipped.to_move, "expand Bass 0,1" in flipped.actions()) == (1, True)
    tame = Referee.at(land([*towns, (0, 1)]), hands, towns, {"wolf_needs": 3}, **more)
    assert end(tame) == ("finished", 3, [2, 1, 1])


# -------------------------------------------------------------------- Age Cards


def test_nostalgia_keeps_the_game_open_while_a_spirit_placed_gives_a_move() -> None:
    towns = {(0, 0): ("Bass", 0), (3, 0): ("Rats", 0), (1, 0): ("Rats", 1)}
    hands: list[dict[str, int]] = [{"Rats": 1}, {}]
    referee = in_age("Nostalgia", row(4), hands, towns, spirits=[(0, 0), None])
    assert referee.actions() == {"age"}  # A passes by force
    play(referee, "age", "nostalgia 3,0", "done")
    assert (referee.phase, referee.to_move) == ("end", 1)
    play(referee, "age", "nostalgia off", "done")
    assert "expand Rats 2,0" in referee.actions()
    # who stays off the board of its own will is waited for during two rounds
    shy = in_age("Nostalgia", row(4), hands, towns, spirits=[(0, 0), None])
    for _ in range(2):
        assert shy.ended is None
        play(shy, *["age", "nostalgia off", "done"] * 2)
    assert end(shy) == ("all_passed", 6, [3, 2])
    # no Region is free beside the other Town: nothing is to be hoped for
    full = in_age("Nostalgia", row(4), hands, towns | {(2, 0): ("Bass", 1)}, spirits=[(0, 0), None])
    assert end(full) == ("finished", 2, [3, 3])


def test_wandering_keeps_the_game_open_while_a_town_may_make_room() -> None:
    # A's Town can leave the coast to B's Bass; without a Bass nobody gains.
    ring = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    towns: dict[Any, Any] = dict.fromkeys(ring, ("Rats", 0))
    board = land([*ring, (0, 0)])
    referee = in_age("Wandering", board, [{}, {"Bass": 1}], towns)
    play(referee, "wander 1,0 0,0")
    assert referee.actions() == {"enter Bass 1,0", "pass"}
    idle = in_age("Wandering", board, [{"Rats": 1}, {"Rats": 1}], towns)
    assert end(idle) == ("finished", 2, [12, 0])
    empty = in_age("Wandering", board, [{}, {}], towns)
    assert end(empty) == ("finished", 2, [12, 0])


def test_a_town_that_makes_room_for_another_ones_wandering_counts() -> None:
    # Only when A's Town has gone on can B's leave the coast, or the Forest, to C.
    towns = {(0, 0): ("Rats", 0), (0, 1): ("Rats", 1)}
    hands: list[dict[str, int]] = [{}, {}, {"Wolf": 1}]
    board = land([*towns, (0, -1)], {(0, -1): "Mountain", (0, 0): "Mountain"}, forest=[(0, 1)])
    referee = in_age("Wandering", board, hands, towns)
    assert referee.ended is None
    play(referee, "wander 0,0 0,-1", "wander 0,1 0,0")
    assert referee.actions() == {"enter Wolf 0,1", "pass"}
    # B's turn comes first and its Town stays where it is: by the round's end the Forest is still taken
    assert in_age("Wandering", board, hands, towns, to_move=1).ended == "finished"


@pytest.mark.parametrize("card", ["Famine", "Aggression"])
def test_a_card_that_needs_a_spirit_does_nothing_in_a_passed_turn(card: str) -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Bass", 1)}
    referee = in_age(card, row(2), [{"Rats": 1}, {"Rats": 1}], towns, spirits=[(0, 0), (1, 0)])
    assert end(referee) == ("finished", 2, [1, 1])


def test_a_card_that_would_free_somebody_keeps_the_game_open() -> None:
    towns = {(0, 0): ("Oak", 0), (2, 0): ("Bass", 1)}
    hands: list[dict[str, int]] = [{"Rats": 1}, {}]
    more: dict[str, Any] = {"active": "Restlessness", "spirits": [(0, 0), None]}
    referee = Referee.at(row(3), hands, towns, ages=era("Treaties", "Strife"), **more)
    assert referee.actions() == {"enact Treaties", "pass"}
    assert "expand Rats 1,0" in play(referee, "enact Treaties").actions()
    # nothing is gained by a card that frees nobody, and of the next one nobody knows
    for deck in (["Still"], ["Still", "Treaties"], []):
        ages = era(*deck) | {"cards": STILL}
        assert Referee.at(row(3), hands, towns, ages=ages, **more).ended == "finished"
    # B's card frees A at the end of B's turn
    ages = {"mode": "agenda", "deck": [None, "Treaties"]}
    agenda = Referee.at(row(3), hands, towns, ages=ages, **more)
    assert (agenda.phase, agenda.to_move) == ("turn", 1)  # A has passed by force
    play(agenda, "pass", "enact Treaties", "done")
    assert "oak 0,0" in agenda.actions()
    # the player out of whose hand nothing can come enacts nothing that helps
    assert Referee.at(row(3), [{}, {}], towns, ages=ages, **more).ended == "finished"


def test_a_locked_card_is_waited_for() -> None:
    towns = {(0, 0): ("Oak", 0), (2, 0): ("Bass", 1)}
    hands: list[dict[str, int]] = [{"Rats": 1}, {}]
    more: dict[str, Any] = {"active": "Restlessness", "spirits": [(0, 0), None], "lock": (1, 1)}
    referee = Referee.at(row(3), hands, towns, ages=era("Treaties"), **more)
    # locked until B has ended its second turn: A and B pass by force, then A may enact
    assert (referee.phase, referee.to_move, referee.turn) == ("turn", 0, 4)
    assert referee.actions() == {"enact Treaties", "pass"}
    useless = Referee.at(row(3), hands, towns, ages=era("Still") | {"cards": STILL}, **more)
    assert end(useless) == ("finished", 2, [1, 1])


# -------------------------------------------------------------------- the other ways to get a move


def test_oak_lake_and_oasis_count_as_moves() -> None:
    towns = {(0, 0): ("Oak", 0), (2, 0): ("Bass", 1)}
    assert Referee.at(row(3), [{"Rats": 1}, {}], towns).actions() == {"oak 0,0", "pass"}
    never = Referee.at(row(3), [{"Rats": 1}, {}], towns, {"oak_from": "never"})
    assert never.ended == "finished"
    lake = row(3, {(1, 0): "Lake"})
    held = Referee.at(lake, [{"Rats": 1}, {}], {(0, 0): ("Bass", 0)}, spirits=[(0, 0), None])
    assert held.actions() == {"lake 1,0", "pass"}  # the Migration costs one more than it has
    oasis = row(2, {(1, 0): "Oasis"})
    first = Referee(oasis, [{"Rats": 1}, {"Rats": 1}])
    assert (first.to_move, first.turn, first.actions()) == (0, 2, {"enter Rats 1,0", "pass"})


def test_poison_oak_may_lift_the_skunks_spirit_where_turns_are_tried() -> None:
    # C's Skunk keeps B's Bass off the last Region; A's Poison Oak lifts its Spirit in A's passed turn.
    towns = {(0, 0): ("Skunk", 2), (-1, 0): ("Poison Oak", 0)}
    hands: list[dict[str, int]] = [{}, {"Bass": 1}, {}]
    board = land([(0, 0), (-1, 0), (1, 0)])
    plain = Referee.at(board, hands, towns, spirits=[None, None, (0, 0)])
    assert end(plain) == ("finished", 3, [1, 0, 1])
    rounds = Referee.at(board, hands, towns, {"end_rule": "full round"}, spirits=[None, None, (0, 0)])
    assert (rounds.to_move, rounds.actions()) == (1, {"enter Bass 1,0", "pass"})


def test_full_round_ends_at_once_where_no_passed_turn_could_help() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Bass", 1), (0, 1): ("Rats", 0)}
    hands = [{"Rats": 1, "Bass": 1}, {"Fly": 1, "Bass": 1}]
    for rule in ("auto", "position", "full round"):
        referee = Referee.at(land(TRIANGLE), hands, towns, {"end_rule": rule}, spirits=[(0, 1), (1, 0)])
        assert end(referee) == ("finished", 2, [3, 1])


# -------------------------------------------------------------------- the beginning of a turn


def test_a_lake_may_come_before_a_wandering() -> None:
    board = land([(0, 0), (1, 0), (-1, 0), (2, 0)], {(1, 0): "Lake"})
    towns = {(0, 0): ["w", ("Fly", 0)]}
    referee = in_age("Wandering", board, [{"Rats": 1}, {"Bass": 1}], towns, spirits=[(0, 0), None])
    assert referee.actions() == {"wander 0,0 -1,0", "lake 1,0"}
    play(referee, "lake 1,0")
    assert referee.actions() == {"wander 0,0 -1,0"}
    play(referee, "wander 0,0 -1,0")
    assert (referee.spirits[0], referee.actions()) == ((1, 0), {"expand Rats 2,0", "pass"})
    # the other order: the Town takes its Spirit along, away from the Lake
    other = in_age("Wandering", board, [{"Rats": 1}, {"Bass": 1}], towns, spirits=[(0, 0), None])
    assert play(other, "wander 0,0 -1,0").actions() == {"pass"}
