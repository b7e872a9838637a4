"""The compiled engine of Drifting Lands against the plain referee: 108 random games here, 1,008 in `make soak`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.games.drifting_lands.costep import Engine, co_step, compare_actions, deal_of, game
from tests.reference.drifting_lands.cards import DEFAULTS, KINDS
from tests.reference.drifting_lands.random import ALTERNATIVES, fitted

PHASES = {"start", "drift", "select", "play", "part", "expel", "second"}
COMPARED = {"compared all", "compared number", "part of big land"}


def games(first: int, last: int) -> Counter[str]:
    """Co-step games; tell how often phases, kinds of cards and ways to compare came up."""
    results = [game(seed) for seed in range(first, last)]
    assert sum(decisions for decisions, _ in results) > 50 * len(results)
    return sum((seen for _, seen in results), Counter())


@pytest.mark.parametrize("block", range(6))
def test_engine_and_referee_agree(block: int) -> None:
    """A third of the games under the default rules, two thirds with players, maps, decks and rulings at random."""
    seen = games(block * 18, block * 18 + 18)
    assert set(seen) >= PHASES | set(KINDS) | COMPARED


def test_a_difference_is_seen() -> None:
    engine = Engine({}, 2, 1)
    referee = deal_of(engine, {})
    with pytest.raises(AssertionError, match="only referee"):
        compare_actions(set(engine.actions()) - {"start NW"}, referee, "")
    referee.do("start NW")
    assert referee.position_text() != engine.position()
    with pytest.raises(AssertionError, match="only engine"):
        compare_actions(set(engine.actions()), referee, "")


WITH: dict[str, tuple[int, dict[str, Any]]] = {
    "map": (2, {"map": "bars"}),
    "deck": (2, {"deck": "land"}),
    "counts": (2, {"counts": {"Orogeny": 3, "Moving": 3}}),
    "points": (2, {"points": {"Moving": 4}}),
    "team_variety": (4, {"team_variety": True}),
    "two_player_start": (2, {"two_player_start": "any"}),
    "threshold_for": (2, {"threshold_for": "nobody"}),
    "threshold": (2, {"threshold": 4}),
    "expel_back": (4, {"expel_back": False, "map": "gondwana"}),
    "expelling": (4, {"expelling": "may remove", "map": "gondwana"}),
}
"""Players and parameters where two players and the first alternative of a parameter would not show it soon."""


@pytest.mark.parametrize("name", sorted(set(DEFAULTS) - {"unused_cards", "equal_continents"}))
def test_no_parameter_is_ignored(name: str) -> None:
    """A referee that is not told of a parameter soon differs from the engine: so co-stepping does compare it."""
    players, params = WITH[name] if name in WITH else (2, {name: ALTERNATIVES[name][0]})
    params = fitted(params)
    told = {key: value for key, value in params.items() if key != name}
    for seed in range(12):
        try:
            co_step(params, players, seed, told)
        except AssertionError:
            return
    pytest.fail(f"twelve games do not tell {params[name]!r} from the default")


@pytest.mark.soak
@pytest.mark.parametrize("block", range(28))
def test_engine_and_referee_agree_for_long(block: int) -> None:
    first = 1008 + block * 36
    assert set(games(first, first + 36)) >= PHASES | set(KINDS) | COMPARED
