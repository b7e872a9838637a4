"""The plain referee of Migrato in random play: games end, no card is lost, rules hold from the outside."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from tests.reference.migrato.columns import full_rules
from tests.reference.migrato.random import eager, random_game, random_params, tell_chance
from tests.reference.migrato.referee import Referee


def play_out(referee: Referee, rng: random.Random) -> list[str]:
    """Play to the end; the referee checks its invariants at every step."""
    played = []
    while referee.phase != "over":
        assert referee.actions()
        played.append(eager(referee, rng))
        referee.do(played[-1])
        tell_chance(referee, rng)
    return played


@pytest.mark.parametrize("seed", range(100))
def test_referee_random_rules_end_and_lose_no_card(seed: int) -> None:
    rng = random.Random(seed)
    referee = random_game(rng, random_params(rng))
    play_out(referee, rng)
    assert (referee.ended == "turn_cap") <= (referee.turn == referee.rule["turn_cap"])
    assert referee.ended == "turn_cap" or referee._end_reached() or referee.rule["reduced_pile"] == "lost"


@pytest.mark.parametrize(("rules", "least"), [("printed", 20), ("digital", 12)])
def test_referee_games_end_with_all_five_species(rules: str, least: int) -> None:
    finished = 0
    for seed in range(30):
        rng = random.Random(seed)
        referee = random_game(rng, {"rules": rules})
        play_out(referee, rng)
        if referee.ended == "finished":
            finished += 1
            assert {s for piles in referee.arrived for s in piles} == set("BKSET")
            assert sum(referee.scores()) == sum(
                p[-1].birds for piles in referee.arrived for p in piles.values()
            )
    assert finished >= least


def test_referee_printed_columns_never_hold_a_mistake() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        referee = random_game(rng, {})
        while referee.phase != "over":
            for column in (column for columns in referee.columns for column in columns):
                assert len({card.species for card in column}) == 1
                assert all(after.birds <= before.birds for before, after in pairwise(column))
                assert len(column) < referee.objective(column[0].species)
            referee.do(eager(referee, rng))
            tell_chance(referee, rng)


def test_referee_refuses_what_chance_cannot_do() -> None:
    referee = Referee.at({"A": "hand K5 S1", "deck": "-", "discard": "E1 E2"})
    referee.do("play K5 new")
    referee.do("discard S1")
    assert referee.pending == "shuffle"
    with pytest.raises(ValueError, match="waits for a shuffle"):
        referee.actions()
    for order in (["E1", "E2"], ["E1", "E2", "S2"], ["E1", "E1", "S1"]):
        with pytest.raises(ValueError, match="no new deck"):
            referee.tell_deck(order)
    referee.tell_deck(["S1", "E2", "E1"])
    assert referee.position_text().splitlines()[1] == "A: hand S1 E1 E2 | columns [K5] | arrived -"


@pytest.mark.parametrize(
    ("memory", "places", "right"), [(0.0, [], False), (0.0, [(0, 0)], True), (0.5, [], True)]
)
def test_referee_forgets_only_what_lies_face_down(memory: float, places: list[Any], right: bool) -> None:
    referee = Referee.at({"A": "hand S1 E1 | columns [K3]", "deck": "E2 E3 E3"}, {"memory": memory})
    referee.do("discard column 1")
    assert referee.pending is None
    referee = Referee.at({"A": "hand E1 | columns [(S3) (S2?)]", "deck": "E2 E3 E3"}, {"memory": memory})
    referee.do("discard hand")
    assert referee.may_be_forgotten() == {(0, 0)}
    with pytest.raises(ValueError, match="cannot forget"):
        referee.tell_forgotten([(0, 1)])
    if not right:
        with pytest.raises(ValueError, match="cannot forget"):
            referee.tell_forgotten(places)
        return
    referee.tell_forgotten(places)
    assert f"[(S3{'?' * len(places)}) (S2?)]" in referee.position_text()


def test_referee_refuses_unknown_rules_and_wrong_deals() -> None:
    with pytest.raises(ValueError, match="unknown parameters"):
        full_rules({"hand": 3})
    with pytest.raises(ValueError, match="memory"):
        full_rules({"memory": 0.5, "hidden_check": "true_cards"})
    with pytest.raises(ValueError, match="not this deck"):
        Referee([["K3"] * 3, ["K2"] * 3], [])
    with pytest.raises(ValueError, match="hands of"):
        Referee([["K3"], ["K2"]], [])
    with pytest.raises(ValueError, match="no card"):
        Referee.at({"A": "hand K9"})


def test_referee_stolen_copy_stays_but_its_mark_goes() -> None:
    """A forgotten card is stolen beside a known copy: what the victim sees discarded was the one it knew."""
    params = {"discard_stolen": False, "memory": 0.0}
    referee = Referee.at({"A": "hand Xn S1*", "B": "columns [(S1?)]", "deck": "E1 E2"}, params)
    for action in ("Xn take 1", "discard S1"):
        referee.do(action)
    assert referee.player_text(0).startswith("hand S1 E1 E2 |")
