"""The compiled engine of Migration: Mars against the plain referee: 135 random games here, 1,080 in `make soak`."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.mars_costep import Engine, compare, game
from tests.reference.mars import Referee
from tests.reference.mars_random import SCENES

# What must have come up in a scene, so that the comparison is about it.
NEEDED = {
    "plain": {"act", "place", "take", "accept", "answer", "counter", "exploration", "build", "exchange"},
    "quick": {"accept", "stop accept"},
    "rich": {"move", "to", "leave", "clear", "return"},
    "colony": {"stop water", "upkeep", "population"},
    "meteors": {"strike", "salvage", "return", "event E17", "face meteorite"},
    "wounds": {"save", "face injury", "face blank"},
    "bare treasury": {"stop mines", "default", "take"},
    "ruins": {"steal", "place", "population"},
    "choice": {"start"},
    "thin deck": {"roll", "take"},
    "events": {"event E1", "event E17", "event E33", "give", "strike"},
    "late": {"accept", "over: A wins", "over: B wins"},
    "free events": {"offer", "counter", "accept", "decline"},
    "debts": {"breakdown", "event E25"},
    "salvage": {"default", "salvage", "event E24", "event E26", "put", "pay"},
}


def play(scene: str, seeds: range, steps: int) -> Counter[str]:
    """Games of a scene with 2, 3 and 4 players in turn."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        seen += game(2 + seed % 3, seed, scene, steps)
    return seen


@pytest.mark.parametrize("scene", SCENES)
def test_engine_and_referee_agree(scene: str) -> None:
    seen = play(scene, range(9), 200)
    assert seen["decisions"] > 400
    missing = sorted(NEEDED[scene] - set(seen))
    assert not missing


def test_a_difference_is_seen() -> None:
    engine = Engine({}, 2, 1)
    referee = Referee(engine.position(), {})
    actions = compare(engine, referee, "")
    first = min(actions)
    referee.options.remove(first)
    with pytest.raises(AssertionError, match="only engine"):
        compare(engine, referee, "")
    referee.options.append(first)
    words = engine.do(actions["roll"])
    with pytest.raises(AssertionError, match="positions differ"):
        compare(engine, referee, "")
    with pytest.raises(AssertionError, match="told too much"):
        Referee(referee.position_text(), {}).do("roll", [*words, "roll 1", "roll 1", "roll 1"])


@pytest.mark.soak
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("block", range(3))
def test_engine_and_referee_agree_for_long(scene: str, block: int) -> None:
    first = 1000 + block * 24
    assert play(scene, range(first, first + 24), 300)["decisions"] > 1500
