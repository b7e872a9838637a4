"""Bans of one player that an experiment writes by their number, and boards that the manifest tells."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sim.batch.coalitions import banned_sets
from sim.batch.experiment import read_experiment
from sim.batch.manifest import make_manifest
from sim.batch.plan import make_plan
from sim.core.errors import Refusal

pytestmark = pytest.mark.plain
KEY = "player.owner.bans"
WHO = [{"name": "owner", "bot": "greedy"}, {"name": "other", "bot": "greedy"}]


def sets(*texts: str, seed: int = 1) -> list[list[str]]:
    return [one for text in texts for one in banned_sets(KEY, text, ["a", "b", "c", "d"], seed) or []]


def test_none_every_and_orders_say_which_pieces_are_banned() -> None:
    assert sets("none") == [[]]
    assert sets("every 1") == [["a"], ["b"], ["c"], ["d"]]
    assert len(sets("every 2")) == 6
    along = sets("orders 1")
    assert [len(one) for one in along] == [0, 1, 2, 3]
    assert all(set(one) < set(more) for one, more in pairwise(along))
    assert along == sets("orders 2")[:4], "more orders keep the first ones"
    assert along != sets("orders 1", seed=2)
    assert banned_sets(KEY, ["a"], ["a", "b"], 1) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("every", "write"),
        ("orders x", "write"),
        ("every 4", "one must be left"),
        ("orders 9999", "use fewer"),
    ],
)
def test_what_cannot_be_is_refused(text: str, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        sets(text)


def test_an_experiment_plays_each_legal_set_once_and_leaves_the_others_out() -> None:
    data = {
        "game": "migration",
        "games": 2,
        "skip_impossible": True,
        "parameters": {"teams": "random"},
        "player": WHO,
        "vary": {KEY: ["none", "every 1", "orders 2"]},
    }
    plan = make_plan(read_experiment(data))
    played = [tuple(spec.players[0].bans) for spec in plan.specs]
    assert len(played) == len(set(played)) > 12
    assert played[0] == ()
    assert sum(len(one) == 1 for one in played) == 11
    assert all(not spec.players[1].bans for spec in plan.specs)
    assert not any({"Bass", "Wolf"} <= set(one) for one in played)
    assert plan.skipped
    with pytest.raises(Refusal, match=r"without Bass and Wolf|Explorers are left"):
        make_plan(read_experiment({**data, "skip_impossible": False}))


def test_the_manifest_of_a_run_of_decisions_tells_the_places_of_its_boards() -> None:
    data = {
        "game": "migration",
        "games": 2,
        "log": "decisions",
        "vary": {"map": ["islands", "archipelago", "founder"]},
    }
    told = make_manifest(make_plan(read_experiment(data)), [2])["places"]
    assert told["of_cell"] == [0, 1, None], "a board that is drawn for each deal is not told"
    board = told["boards"][0]
    assert board["kinds"] == ["expand", "enter", "migrate"]
    assert len(board["points"]) == len(board["names"]) == len(set(board["names"])) > 10
    assert "places" not in make_manifest(make_plan(read_experiment({**data, "log": "turns"})), [2])
