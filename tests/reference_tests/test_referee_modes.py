"""The plain referee on Era and Agenda (who may Enact when, and the lock) and on Oaths."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.migration.ages import CARDS
from tests.reference.migration.cases import play, row, top
from tests.reference.migration.referee import Referee

RATS = {"Bass": 1, "Rats": 5}


def era(*deck: str) -> dict[str, Any]:
    return {"mode": "era", "cards": CARDS, "deck": list(deck)}


def table(referee: Referee) -> tuple[Any, ...]:
    """What lies on the table: active Age, face-up card, and whether it is locked."""
    shown = referee.snapshot()
    return shown["active"], shown["face_up"], shown["locked"]


# -------------------------------------------------------------------- Era and Agenda


def test_era_enact_at_the_beginning_locks_until_the_next_turn_has_ended() -> None:
    referee = Referee(row(12), [RATS, RATS], ages=era("Treaties", "Restlessness", "Strife"))
    assert table(referee) == (None, "Treaties", False)
    play(referee, "enact Treaties")
    assert table(referee) == ("Treaties", "Restlessness", True)
    play(referee, "enter Bass 0,0")  # no end window: nothing is due and nothing can be enacted
    assert (referee.phase, referee.to_move) == ("turn", 1)
    assert not any("enact" in action for action in referee.actions())
    play(referee, "enter Bass 11,0", "expand Rats 1,0")  # the end of A's next turn still belongs to it
    assert (referee.phase, referee.to_move) == ("turn", 1)
    assert table(referee) == ("Treaties", "Restlessness", False)
    play(referee, "expand Rats 10,0")
    assert (referee.phase, referee.actions()) == ("end", {"done", "enact Restlessness"})
    play(referee, "enact Restlessness", "done")
    assert not any("expand" in action for action in referee.actions())
    assert table(referee) == ("Restlessness", "Strife", True)


def test_era_enact_at_the_end_counts_that_turn_as_the_first() -> None:
    referee = Referee(row(12), [RATS, RATS, RATS], ages=era("Treaties", "Strife"))
    play(referee, "enter Bass 0,0", "enact Treaties", "done", "enter Bass 11,0", "enter Bass 5,0")
    assert (referee.to_move, referee.snapshot()["locked"]) == (0, True)
    play(referee, "expand Rats 1,0")
    assert (referee.to_move, referee.snapshot()["locked"]) == (1, False)
    play(referee, "enact Strife")
    assert table(referee) == ("Strife", None, True)
    play(referee, "expand Rats 10,0", "expand Rats 6,0", "expand Rats 2,0", "expand Rats 9,0")
    assert not any("enact" in action for action in referee.actions())  # the deck is empty


def test_enact_after_an_oak_and_before_the_action() -> None:
    towns = {(0, 0): ("Oak", 0)}
    referee = Referee.at(row(4), [{"Rats": 2}, {"Bass": 1}], towns, ages=era("Restlessness", "Wandering"))
    play(referee, "oak 0,0")
    assert "enact Restlessness" in referee.actions()
    play(referee, "enact Restlessness")
    assert referee.actions() == {"migrate Rats 2,0", "pass"}


def test_enacted_wandering_is_due_at_once_but_only_once_a_turn() -> None:
    towns = {(0, 0): ("Bass", 0)}
    referee = Referee.at(
        row(4), [{"Rats": 2}, {"Bass": 1}], towns, ages=era("Wandering"), spirits=[(0, 0), None]
    )
    assert play(referee, "enact Wandering").actions() == {"wander 0,0 1,0"}
    # with its lock gone a second such card makes nobody wander again
    cards = {"One": {"must_wander"}, "Two": {"must_wander"}}
    ages = {"mode": "era", "cards": cards, "deck": ["Two"]}
    referee = Referee.at(
        row(4), [{"Rats": 2}, {"Bass": 1}], towns, ages=ages, active="One", spirits=[(0, 0), None]
    )
    assert referee.actions() == {"wander 0,0 1,0", "enact Two"}
    play(referee, "wander 0,0 1,0", "enact Two")
    assert not any("wander" in action for action in referee.actions())


def test_stuck_player_may_enact_at_the_beginning_too() -> None:
    ages = era("Exploration", "Strife")
    towns = {(0, 0): ("Rats", 0)}
    for params in ({}, {"effects_on_pass": False}):
        # nothing in hand: Exploration does not free it, and the pass that follows is forced
        referee = Referee.at(row(3), [{}, {"Bass": 1}], towns, params, ages=ages, spirits=[(0, 0), None])
        assert (referee.phase, referee.to_move) == ("turn", 0)
        assert referee.actions() == {"pass", "enact Exploration"}
        play(referee, "enact Exploration")
        assert (referee.phase, referee.to_move, referee.still) == ("turn", 1, 0)
        assert (referee.active, referee.spirits[0], referee.passes[0]) == ("Exploration", None, 1)
    # passing leaves the end window, where the turn has one
    referee = Referee.at(row(3), [{}, {"Bass": 1}], towns, ages=ages, spirits=[(0, 0), None])
    assert play(referee, "pass").actions() == {"done", "enact Exploration"}
    play(referee, "done")
    assert (referee.to_move, referee.still) == (1, 1)
    params = {"effects_on_pass": False}
    referee = Referee.at(row(3), [{}, {"Bass": 1}], towns, params, ages=ages, spirits=[(0, 0), None])
    assert (play(referee, "pass").phase, referee.to_move) == ("turn", 1)


def test_stuck_player_that_an_enactment_frees_goes_on() -> None:
    towns = {(0, 0): ("Bass", 0), (1, 0): ("Rats", 1)}
    more: dict[str, Any] = {"ages": era("Strife"), "spirits": [(0, 0), None]}
    referee = Referee.at(row(2), [{"Oak": 1}, {"Bass": 1}], towns, **more)
    assert referee.actions() == {"pass", "enact Strife"}
    play(referee, "enact Strife")
    assert (referee.phase, referee.to_move) == ("turn", 0)
    assert referee.actions() == {"strife Oak 1,0", "pass"}


@pytest.mark.parametrize("age_first", [True, False])
def test_enact_in_the_end_window_brings_its_own_effects(age_first: bool) -> None:
    towns = {(0, 0): ("Bass", 0)}
    ages = era("Famine")
    referee = Referee.at(
        row(4), [{"Rats": 3}, {}], towns, ages=ages, active="Nostalgia", spirits=[(0, 0), None]
    )
    play(referee, "expand Rats 1,0")
    assert referee.actions() == {"age", "enact Famine"}
    if age_first:
        # what was resolved under the former Age stays resolved
        assert play(referee, "age").actions() == {"done", "enact Famine"}
        assert play(referee, "enact Famine").actions() == {"done"}
    else:
        assert play(referee, "enact Famine").actions() == {"age"}
        assert play(referee, "age").actions() == {"famine Rats 2,0"}
    ended = Referee.at(
        row(4), [{"Rats": 3}, {}], towns, ages=era("Strife"), active="Famine", spirits=[(0, 0), None]
    )
    play(ended, "expand Rats 1,0", "enact Strife")
    assert ended.actions() == {"done"}  # with Famine replaced nothing is due any more


def test_agenda_everybody_enacts_once() -> None:
    ages = {"mode": "agenda", "cards": CARDS, "deck": ["Treaties", "Strife"]}
    referee = Referee(row(12), [RATS, RATS], ages=ages)
    assert table(referee) == (None, None, False)
    assert "enact Treaties" in referee.actions()
    assert "enact Strife" not in referee.actions()
    play(referee, "enact Treaties", "enter Bass 0,0", "enter Bass 11,0", "expand Rats 1,0")
    play(referee, "expand Rats 10,0", "enact Strife", "done")
    assert table(referee) == ("Strife", None, True)
    for action in ("expand Rats 2,0", "expand Rats 9,0", "expand Rats 3,0", "expand Rats 8,0"):
        assert not any("enact" in offered for offered in referee.actions())
        referee.do(action)
    assert not referee.snapshot()["locked"]


def test_lock_ends_with_a_player_who_is_out() -> None:
    ages = {"mode": "agenda", "cards": CARDS, "deck": ["Treaties", "Strife"]}
    referee = Referee(row(12), [RATS, RATS], {"comeback": False}, ages=ages)
    play(referee, "enact Treaties", "pass")
    assert table(referee) == ("Treaties", None, False)
    assert "enact Strife" in referee.actions()


def test_position_with_a_lock() -> None:
    more: dict[str, Any] = {"active": "Treaties", "spirits": [(0, 0), None]}
    towns = {(0, 0): ("Bass", 0)}
    hands = [{"Rats": 2}, {"Rats": 2}]
    for taken, locked in ((2, True), (1, False)):
        ages = {"mode": "agenda", "cards": CARDS, "deck": ["Strife", None]}
        referee = Referee.at(row(6), hands, towns, ages=ages, lock=(1, taken), turns=[2, 2], **more)
        assert table(referee) == ("Treaties", None, locked)
        assert ("enact Strife" in referee.actions()) != locked


# -------------------------------------------------------------------- Oaths


def test_oaths_everybody_reveals_first_and_again_after_the_own_turn() -> None:
    teams = [{"Rats": 1, "Oak": 1, "Fly": 1, "Bass": 1}, {"Bass": 2, "Wolf": 1}]
    referee = Referee(row(6), teams, {"oaths": True})
    assert (referee.phase, referee.to_move, referee.turn) == ("reveal", 0, 0)
    assert len(referee.actions()) == 6
    assert "reveal Bass Oak" in referee.actions()
    play(referee, "reveal Bass Fly")
    assert referee.actions() == {"reveal Bass Bass", "reveal Bass Wolf"}
    play(referee, "reveal Bass Wolf")
    assert referee.snapshot()["revealed"] == [["Bass", "Fly"], ["Bass", "Wolf"]]
    assert referee.actions() == {f"enter Bass {q},0" for q in range(6)} | {"pass"}
    play(referee, "enter Bass 0,0")
    assert (referee.phase, referee.turn, referee.snapshot()["revealed"][0]) == ("reveal", 0, ["Fly"])
    play(referee, "reveal Oak Rats")
    play(referee, "pass", "reveal Bass Bass")  # in a passed turn too
    # a Migration may be paid with whatever is left
    play(referee, "migrate Rats 2,0")
    assert referee.actions() == {"pay Oak 1,0", "pay Fly 1,0"}
    play(referee, "pay Oak 1,0")  # one left: revealed without asking
    assert (referee.to_move, referee.snapshot()["revealed"][0]) == (1, ["Fly"])


def test_oaths_paying_one_of_two_alike_pays_the_hidden_one() -> None:
    more: dict[str, Any] = {"revealed": [["Lizard", "Rats"], []], "spirits": [(0, 0), None]}
    hands = [{"Lizard": 1, "Rats": 2, "Fly": 1}, {}]
    referee = Referee.at(row(6), hands, {(0, 0): ("Bass", 0)}, {"oaths": True}, **more)
    play(referee, "migrate Lizard 2,0", "pay Rats 1,0")
    assert referee.snapshot()["revealed"][0] == ["Rats"]
    assert referee.actions() == {"expand Rats 3,0", "migrate Rats 4,0", "decline"}  # E40: revealed ones only
    referee = Referee.at(
        row(6), [{"Lizard": 1, "Rats": 1, "Fly": 1}, {}], {(0, 0): ("Bass", 0)}, {"oaths": True}, **more
    )
    play(referee, "migrate Lizard 2,0", "pay Rats 1,0")
    # nothing is revealed any more, so there is no bonus to ask for; the one Explorer left is shown
    assert referee.snapshot()["revealed"][0] == ["Fly"]


def test_oaths_without_a_revealed_bass_or_wolf_pass_and_reveal_anew() -> None:
    referee = Referee(row(6), [{"Bass": 1, "Rats": 2}, {"Bass": 1}], {"oaths": True})
    play(referee, "reveal Rats Rats")
    assert (referee.phase, referee.to_move) == ("reveal", 0)
    play(referee, "reveal Bass Rats")
    assert (referee.phase, referee.to_move, referee.passes) == ("turn", 1, [1, 0])
    play(referee, "enter Bass 5,0")
    assert "enter Bass 0,0" in referee.actions()


@pytest.mark.parametrize("card", ["Cooperation", "Strife", "Famine"])
def test_oaths_with_cards_that_take_a_piece_of_the_hand(card: str) -> None:
    ages = {"mode": "scenario", "cards": CARDS, "deck": [card]}
    towns = {(0, 0): ("Bass", 0), (0, 1): ("Rats", 1)}
    board = row(4) | {(0, 1): {"terrain": set(), "forest": False, "sea": False}}
    hands = [{"Oak": 1, "Rats": 1, "Fly": 1, "Bass": 1}, {"Bass": 1}]
    referee = Referee.at(
        board,
        hands,
        towns,
        {"oaths": True},
        ages=ages,
        revealed=[["Oak", "Rats"], ["Bass"]],
        spirits=[(0, 0), None],
    )
    if card == "Strife":
        offered = {action for action in referee.actions() if action.startswith("strife")}
        # the covering piece is Wasteland, as a payment is: it need not be revealed
        assert offered == {f"strife {kind} 0,1" for kind in ("Oak", "Rats", "Fly", "Bass")}
        assert play(referee, "strife Oak 0,1").phase == "reveal"
        return
    play(referee, "expand Oak 1,0")
    if card == "Cooperation":
        assert referee.actions() == {"stack Rats 1,0", "decline"}
        return
    play(referee, "age")
    assert referee.actions() == {f"famine {kind} 2,0" for kind in ("Rats", "Fly", "Bass")}
    play(referee, "famine Rats 2,0", "done")
    assert (referee.phase, referee.snapshot()["revealed"][0]) == ("turn", ["Bass", "Fly"])
    assert top(referee, (2, 0)) == ("Wasteland",)


def test_cards_and_modes_are_checked() -> None:
    with pytest.raises(ValueError, match="Boredom"):
        Referee(row(3), [RATS, RATS], ages=era("Boredom"))
    ages = {"mode": "scenario", "cards": {"Own": {"no_rats"}}, "deck": ["Own"]}
    with pytest.raises(ValueError, match="no_rats"):
        Referee(row(3), [RATS, RATS], ages=ages)
    with pytest.raises(ValueError, match="too few cards"):
        Referee(row(3), [RATS, RATS], ages={"mode": "agenda", "cards": CARDS, "deck": ["Strife"]})
