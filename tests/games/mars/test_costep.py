"""The compiled engine of Migration: Mars against the plain referee: 102 random games here, 1,224 in `make soak`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.games.mars.costep import Engine, co_step, compare, game
from tests.reference.mars.random import SCENES, reconciled
from tests.reference.mars.referee import Referee

# What must have come up in a scene, so that the comparison is about it.
NEEDED = {
    "plain": {"act", "place", "take", "accept", "answer", "counter", "exploration", "build", "exchange"},
    "quick": {"accept", "stop accept"},
    "rich": {"move", "to", "clear", "return"},
    "colony": {"stop water", "upkeep", "population"},
    "meteors": {"strike", "salvage", "return", "event E17", "face meteorite"},
    "traces": {
        "clear",
        "steal",
        "return",
        "buried Tunnel",
        "too late to clear",
        "owned Ruin",
        "Tunnel lifted",
    },
    "mines": {"mines 1", "mines 3", "default", "take", "exchange"},
    "wounds": {"save", "face injury", "face blank"},
    "bare treasury": {"stop mines", "default", "take"},
    "ruins": {"steal", "place", "population"},
    "choice": {"start"},
    "thin deck": {"roll", "take"},
    "events": {"event E1", "event E17", "event E33", "give", "strike"},
    "late": {"accept", "over: A wins", "over: B wins"},
    "free events": {"offer", "counter", "accept", "decline"},
    "carried on": {"accept", "exploration"},
    "debts": {"breakdown", "event E25"},
    "salvage": {"default", "salvage", "event E24", "event E26", "put", "pay"},
}


# Under which rules, and in which games of two, a reading that can be chosen shows.
SHOWN: dict[tuple[str, Any], tuple[str, int]] = {
    ("ruin_link", "owner"): ("ruins", 0),
    ("habitats_per_lsc", 1): ("salvage", 0),
    ("habitats_per_lsc", 2): ("meteors", 1),
    ("embassy_link", "any contact"): ("salvage", 6),
    ("oly_pop", "once a turn"): ("rich", 0),
    ("cleared", "tunnel"): ("traces", 0),
    ("next_turn", "only"): ("meteors", 0),
    ("production_site", "gap"): ("rich", 0),
    ("movable", "tunnels too"): ("rich", 0),
    ("lost_tunnels", "out"): ("mines", 2),
    ("default_swap", False): ("salvage", 0),
    ("mine_kind", "choice"): ("rich", 0),
    ("export_oly_alone", True): ("rich", 0),
    ("short_treasury", "nothing"): ("bare treasury", 0),
    ("event8_on_event_moves", True): ("carried on", 3),
    ("salvage_discard", "own turn"): ("salvage", 0),
    ("house_order", "embassy last"): ("rich", 0),
    ("event_after_stop", "stays"): ("carried on", 0),
    ("moves", "once a turn"): ("rich", 0),
}


def play(scene: str, seeds: range, steps: int) -> Counter[str]:
    """Games of a scene with 2, 3 and 4 players in turn."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        seen += game(2 + seed % 3, seed, scene, steps)
    return seen


@pytest.mark.parametrize("scene", SCENES)
def test_engine_and_referee_agree(scene: str) -> None:
    seen = play(scene, range(6), 200)
    assert seen["decisions"] > 300
    missing = sorted(NEEDED[scene] - set(seen))
    assert not missing


@pytest.mark.parametrize(("key", "value"), SHOWN)
def test_a_reading_not_told_is_seen(key: str, value: Any) -> None:
    scene, seed = SHOWN[key, value]
    told = {name: setting for name, setting in SCENES[scene].items() if name != key}
    told.pop("track", None)  # a file
    params = reconciled(told | {key: value}, 2)
    told |= {"target": params["target"]}
    with pytest.raises(AssertionError, match=r"positions differ|only engine|only referee|not told"):
        co_step(Engine(params, 2, seed), params, 2, seed, 200, told)
    co_step(Engine(params, 2, seed), params, 2, seed, 30)


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
