"""Games of Migration end when nobody has a move and nothing can give one, neither sooner nor a round later.

300 games here and 20,000 in `make soak`, over variants, map families, numbers of players and bots.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tests.games.deals import cell
from tests.games.migration.endings import Record, Witness, faults, played, sample
from tests.reference.migration.end import ALL_PASSED, FINISHED


def wrong(numbers: range) -> tuple[int, dict[int, list[str]]]:
    """How many of these games of the sample were judged, and what is wrong with which of them."""
    records = {number: played(*sample(number)) for number in numbers}
    judged = {number: record for number, record in records.items() if record is not None}
    return len(judged), {number: found for number, record in judged.items() if (found := faults(record))}


@pytest.mark.parametrize("block", range(10))
def test_games_end_when_they_must(block: int) -> None:
    judged, found = wrong(range(block * 30, block * 30 + 30))
    assert not found
    assert judged >= 25


@pytest.mark.soak
@pytest.mark.parametrize("block", range(100))
def test_games_end_when_they_must_for_long(block: int) -> None:
    judged, found = wrong(range(1000 + block * 200, 1000 + block * 200 + 200))
    assert not found
    assert judged >= 180


# --- tests of the test: games that are said to end too early or too late ---------------------------------------

PLAIN: dict[str, Any] = {"bans": ["Skunk"]}  # whose Spirit, lifted, would open moves after the end
SETTINGS: list[dict[str, Any]] = [
    PLAIN,
    PLAIN | {"oaths": True},
    PLAIN | {"end_rule": "full round", "map": "founder"},
    PLAIN | {"age_mode": "scenario", "age": "Nostalgia"},
]


def finished(setting: dict[str, Any], players: int) -> Record:
    """A game that ended as it had to."""
    records = (played(cell(players, "greedy", **setting), seed) for seed in count(3))
    record = next(record for record in records if record is not None and record.ended == FINISHED)
    assert not faults(record)
    return record


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: " ".join(setting))
def test_an_early_end_is_found(setting: dict[str, Any], players: int) -> None:
    record = finished(setting, players)
    witness = Witness(record)
    turns = [(0, 0)]  # between which actions a turn was over, and how many were by then
    for k, action in enumerate(record.actions[:-1]):
        witness.do(action)
        if witness.turn > turns[-1][1] and witness.phase == "turn":
            turns.append((k + 1, witness.turn))
    for k, turn in turns[-3:]:
        early = replace(record, actions=record.actions[:k], turns=turn)
        assert [fault.split(":")[0] for fault in faults(early)] == ["early"]
        assert faults(replace(early, ended=ALL_PASSED))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: " ".join(setting))
def test_a_late_end_is_found(setting: dict[str, Any], players: int) -> None:
    record = finished(setting, players)
    for rounds, expected in ((0, []), (1, []), (2, ["late"])):
        late = replace(record, turns=record.turns + rounds * players)
        witness, actions = Witness(late), list(record.actions)
        for action in actions:
            witness.do(action)
        while witness.phase != "over":  # nothing but what passed turns ask for
            actions.append(min(witness.actions()))
            assert actions[-1].split()[0] in ("age", "done", "nostalgia", "reveal", "wolves", "poison")
            witness.do(actions[-1])
        assert [fault.split(":")[0] for fault in faults(replace(late, actions=actions))] == expected


def test_a_wrong_end_code_is_found() -> None:
    record = finished(PLAIN, 2)
    assert [fault.split(":")[0] for fault in faults(replace(record, ended=ALL_PASSED))] == ["early"]
