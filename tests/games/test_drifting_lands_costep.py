"""The compiled engine of Drifting Lands against the plain referee: 108 random games here, 1,008 in `make soak`."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.drifting_lands_costep import Engine, compare_actions, deal_of, game
from tests.reference.drifting_lands_cards import KINDS

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


@pytest.mark.soak
@pytest.mark.parametrize("block", range(28))
def test_engine_and_referee_agree_for_long(block: int) -> None:
    first = 1008 + block * 36
    assert set(games(first, first + 36)) >= PHASES | set(KINDS) | COMPARED
