"""Replays tell everything: what chance did, and by turns the same as by decisions. On the recorded games."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from sim.batch.replay import Moment, Position, moments
from sim.core.errors import Refusal
from sim.games.mars.notation import chance_words
from sim.games.migrato.notation import deck_text
from tests.games.recorded import positions
from tests.playthroughs import GAMES

pytestmark = pytest.mark.compiled


def told(name: str) -> list[str]:
    return [words for position in positions(name) for words in position.came]


MARS = [name for name in GAMES if name.startswith("mars")]
MIGRATO = [name for name in GAMES if name.startswith("migrato")]
DRAWN = r"([AB]) draws (.+)"


@pytest.mark.parametrize("name", MARS)
def test_mars_tells_every_roll_and_every_event(name: str) -> None:
    for before, p in pairwise(positions(name)):
        drawn = [words for words in p.came if not words.startswith("event ")]
        assert drawn == chance_words(p.step.rules, p.step.state)
        assert any(words.startswith("roll ") for words in drawn) or before.action != "roll"
    doing = [re.search(r"doing: event (E\d+)", p.text) for p in positions(name)]
    told_here = {word.split(",")[0] for word in told(name) if word.startswith("event ")}
    assert told_here >= {f"event {match[1]}" for match in doing if match}
    assert told_here


@pytest.mark.parametrize("name", MIGRATO)
def test_migrato_tells_every_card_that_leaves_the_deck(name: str) -> None:
    for before, after in pairwise(positions(name)):
        drawn = [card for words in after.came for card in _cards(words)]
        deck, rest = (Counter(deck_text(p.step.state).replace("-", "").split()) for p in (before, after))
        if not any("shuffled" in words for words in after.came):
            assert Counter(drawn) == deck - rest
    assert any(_cards(words) for words in told(name))


def _cards(words: str) -> list[str]:
    match = re.fullmatch(DRAWN, words)
    return match[2].split() if match else []


def test_migrato_tells_what_is_forgotten_and_shuffled() -> None:
    assert any("forgets" in words for words in told("migrato-mixed-forgetful"))
    assert any("shuffled" in words for name in MIGRATO for words in told(name))


@pytest.mark.parametrize("name", [name for name, entry in GAMES.items() if "game" not in entry])
def test_migration_tells_every_forced_pass(name: str) -> None:
    played = positions(name)
    chosen = Counter(p.seat for p in played if p.action == "pass")
    forced = Counter(
        "ABCD".index(words[0]) for words in told(name) if words.endswith("cannot move and passes")
    )
    last = played[-1].step.state
    assert {s: chosen[s] + forced[s] for s in range(int(last["players"]))} == {
        s: int(last["passes"][s]) for s in range(int(last["players"]))
    }


def test_migration_tells_the_age_card_that_is_turned_up() -> None:
    played = positions("2-draft-era")
    turned = [words for words in told("2-draft-era") if words.startswith(("turned up", "no Age Card"))]
    assert len(turned) == int(played[-1].step.state["deck_place"]) - int(played[0].step.state["deck_place"])
    assert turned


def flat(shown: list[Moment]) -> list[tuple[int, str, int]]:
    return [thing for moment in shown for thing in moment.done]


@pytest.mark.parametrize("name", ["mars-3-mixed", "2-draft-era", "drifting_lands-2-random"])
def test_turns_tell_the_same_as_decisions(name: str) -> None:
    played = positions(name)
    turns = moments(played, "turn")
    assert flat(turns) == flat(moments(played, "decision"))
    assert [seat for seat, _, _ in flat(turns) if seat >= 0] == [p.seat for p in played[:-1]]
    assert len(turns) < len(moments(played)) == len(played)
    assert turns[-1].position is played[-1]
    assert all(len({p.turn for p in played[a.number : b.number]}) == 1 for a, b in _spans(turns))


def _spans(shown: list[Moment]) -> list[tuple[Position, Position]]:
    return [(a.position, b.position) for a, b in pairwise(shown)]


def test_a_part_of_a_game() -> None:
    played = positions("2-random")
    part = moments(played, "decision", 3, 5)
    assert part[0].done == []
    assert part[0].position.turn == 3
    assert part[-1].position.turn == 6
    inside = [p for p in played if 3 <= p.turn <= 5]
    assert [words for seat, words, _ in flat(part) if seat >= 0] == [p.action for p in inside]
    assert moments(played, "turn", 1, None)[-1].position.seat == -1


NO_PARTS = [
    ("trun", None, None, "did you mean 'turn'"),
    ("turn", 0, None, "the game has turns 1 to"),
    ("turn", 5, 4, "turns 5 to 4"),
    ("turn", 1, 999, "turns 1 to 999: the game has turns 1 to"),
]


@pytest.mark.parametrize(("every", "first", "last", "message"), NO_PARTS)
def test_what_is_no_part_is_refused(every: str, first: int | None, last: int | None, message: str) -> None:
    with pytest.raises(Refusal, match=message):
        moments(positions("2-random"), every, first, last)
