"""Bots that look ahead, `search` and `flat`, in games whose best play is known."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sim.core import bots
from sim.core.errors import Refusal
from sim.core.game import get_game
from tests.bots.odd import odd_bots
from tests.bots.toys import SURE, Cups, Nim, pick

SEEDS = range(20)


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_search_finds_the_only_winning_move(heap: int) -> None:
    """Leave a multiple of four: nothing in the features says so, only the tree can."""
    found = [
        pick(Nim, "search", {"playouts": 3000, "horizon": 50, "epsilon": 1.0}, seed, heap=heap)
        for seed in SEEDS
    ]
    assert found == [heap % 4] * len(found)


def test_more_playouts_find_it_oftener() -> None:
    rates = []
    for playouts in (10, 100, 1000):
        options = {"playouts": playouts, "horizon": 50, "epsilon": 1.0}
        found = [pick(Nim, "search", options, seed, heap=11) for seed in range(100)]
        rates.append(found.count(3) / 100)
    assert rates[0] + 0.1 < rates[1] < rates[2] - 0.1


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_search_plays_for_its_team(prior: float) -> None:
    """With four seats in two teams the partner's last stone is as good as the own."""
    options = {"playouts": 3000, "horizon": 50, "epsilon": 1.0, "prior": prior, "exploration": 1.0}
    for heap in (5, 6, 7):
        assert pick(Nim, "search", options, 1, players=4, heap=heap) == heap % 4


def test_each_for_itself_with_three_players() -> None:
    """Of four left it must not leave three or less, for the next one would take them all."""
    options = {"playouts": 3000, "horizon": 50, "epsilon": 1.0}
    assert pick(Nim, "search", options, 1, sides=3, players=3, heap=3) == 3
    wins = Counter(pick(Nim, "search", options, seed, sides=3, players=3, heap=2) for seed in SEEDS)
    assert wins == {2: len(SEEDS)}


@pytest.mark.parametrize("bot", ["search", "flat"])
def test_the_last_stone_is_taken(bot: str) -> None:
    for heap in (2, 3):
        assert pick(Nim, bot, {"playouts": 200}, 3, heap=heap) == heap


@pytest.mark.parametrize("bot", ["search", "flat"])
def test_what_is_hidden_is_seen_only_by_a_bot_that_knows(bot: str) -> None:
    """Naming the cup wins for who sees the ball, and loses in two of three worlds."""
    for ball in range(3):
        assert pick(Cups, bot, {"playouts": 300, "knows": True}, 1, ball=ball) == ball
        assert pick(Cups, bot, {"playouts": 300}, 1, ball=ball) == SURE


def test_flat_knows_only_how_the_model_plays() -> None:
    """Against players who take at random, 3 of 11 is no better than 1 or 2: flat cannot see why it wins."""
    found = Counter(pick(Nim, "flat", {"playouts": 60, "epsilon": 1.0}, seed, heap=11) for seed in range(60))
    assert set(found) == {1, 2, 3}


@pytest.mark.parametrize("bot", ["search", "flat"])
def test_what_cannot_be_seen_is_not_known(bot: str) -> None:
    """One cup in three is worth less than the even split, wherever the ball lies."""
    for ball in range(3):
        assert pick(Cups, bot, {"playouts": 400}, ball, ball=ball) == SURE


def test_a_search_that_cheats_is_seen() -> None:
    with odd_bots():
        found = [pick(Cups, "cheating_search", {"playouts": 400}, 1, ball=ball) for ball in range(3)]
    assert found == [0, 1, 2]


@pytest.mark.parametrize("bot", ["random", "greedy", "flat", "search"])
@pytest.mark.parametrize(
    ("never", "left"), [("three", {1, 2}), ("Three + one", {2}), (["one", "two", "three"], {1, 2, 3})]
)
def test_a_bot_leaves_alone_what_it_must_never_use(bot: str, never: Any, left: set[int]) -> None:
    """All of it is allowed where nothing else is left."""
    options = {"never": never} | ({"playouts": 20, "epsilon": 1.0} if bot in ("flat", "search") else {})
    found = {pick(Nim, bot, options, seed, heap=11) for seed in range(60)}
    assert found <= left
    if bot == "random":
        assert found == left


def test_options_reach_the_record() -> None:
    game = get_game("migration")  # with three players, for whom no weights of search's own are shipped
    options = {"playouts": 7, "prior": 2.5, "values": {"points": 3.0}, "never": "Skunk", "scale": 2}
    assert bots.check_options("search", options, game) == options
    cell = type("Table", (), {"bots": [("search", options), ("greedy", {})], "players": 3, "parameters": {}})
    names, bank, _ = bots.bot_set(game, [cell])
    assert names == ("greedy", "search")
    record = bank[0, 0]
    own = record[bots.field_of("search")]
    assert (own["playouts"], own["prior"], own["scale"]) == (7, 2.5, 2.0)
    assert own["values"][game.features.index("points")] == 3.0
    assert abs(own["values"]).sum() == 3.0, "a table of values stands for itself"
    assert record["common"]["never"] == 1 << game.pieces.index("Skunk")
    assert record["common"]["weights"][0] == game.weights[0]
    plain = bots.bot_set(
        game, [type("Table", (), {"bots": [("search", {})], "players": 3, "parameters": {}})]
    )
    own = plain[1][0, 0][bots.field_of("search")]
    assert tuple(own["values"][: len(game.weights)]) == game.weights, "without one the weights are the values"


def test_a_record_of_bots_is_aligned() -> None:
    """Numba refuses records that are not; a part of another width would misalign what follows."""
    for names in (("greedy", "search"), ("flat", "greedy", "random", "search"), ("random", "search")):
        dtype = bots.set_type(names, 32)
        assert all(offset % 8 == 0 for _, offset in dtype.fields.values())
        assert dtype.isalignedstruct


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playout": 5}, "bot 'search' has no option 'playout'; did you mean 'playouts'?"),
        ({"playouts": 0}, "bot 'search': playouts = 0 is not between 1 and 1000000"),
        ({"playouts": 2.5}, "bot 'search': playouts = 2.5 is not a whole number"),
        ({"values": {"pionts": 1}}, "bot 'search': there is no feature 'pionts'; did you mean 'points'?"),
        ({"never": "Skonk"}, "bot 'search': never = 'Skonk': there is no such piece; did you mean 'Skunk'?"),
        (
            {"set": "shiped"},
            "bot 'search': there is no set 'shiped'; did you mean 'shipped'?; there are: shipped",
        ),
        ({"set": 3}, "bot 'search': set = 3 is not text"),
    ],
)
def test_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(Refusal) as error:
        bots.check_options("search", options, get_game("migration"))
    assert str(error.value).startswith(message)
