"""The random games of `make soak`: their checks find what is broken, and what was counted is what RULES.md says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim.games
from sim.checks.table import Table, make_cell
from sim.core.contract import OVER
from sim.core.game import get_game
from tests.soak import random_games as soak
from tests.soak.invariants import HOLDS

pytestmark = pytest.mark.plain
Spoil = Callable[[Any, Any], None]


def table_after(name: str, plies: int, players: int = 2) -> Table:
    """A position of a random game, the same each time."""
    game = get_game(name)
    table = Table(game, make_cell(game, ["random"], players), 3)
    rng = np.random.default_rng(1)
    for _ in range(plies):
        table.play(rng.choice(table.actions()))
    return table


def put(field: str, value: Any, *place: int, by: bool = False) -> Spoil:
    """Write a number into a field of the position, or add it."""

    def spoil(state: Any, seen: Any) -> None:
        if place:
            state[field][place] = state[field][place] + value if by else value
        else:
            state[field] = state[field] + value if by else value

    return spoil


def a_town_of_nobody(state: Any, seen: Any) -> None:
    state["kind"][0] ^= 1 << 40


def a_stack_that_shrinks(state: Any, seen: Any) -> None:
    seen["face_down"][0] = 5


SPOILT: dict[str, list[tuple[int, Spoil]]] = {
    "migration": [
        (2, put("waste", 1 << 3)),
        (6, a_stack_that_shrinks),
        (7, put("town", 1 << 60, 0, by=True)),
        (8, put("played", 1, 0, 2, by=True)),
        (10, put("revealed", 9, 0, 2)),
        (12, put("hand_size", 1, 0, by=True)),
        (13, put("paid_size", 1, 1, by=True)),
    ],
    "migrato": [
        (1, put("deck", 0, 0)),
        (3, put("hand", 7, 0, -1)),
        (4, put("n_columns", 7, 0)),
        (5, put("length", 9, 0, 0)),
    ],
    "drifting_lands": [
        (1, put("label", -1, 0)),
        (4, put("n_tiles", 1, by=True)),
        (7, put("continent", 1, 0, by=True)),
        (8, put("supply", -1, 0, 0)),
        (9, put("supply", 1, 0, 0, by=True)),
        (11, put("hand", 1, 0, 3, by=True)),
    ],
    "mars": [
        (1, put("cards", -1, 0, 0)),
        (2, put("cards", 1, 0, 0, by=True)),
        (3, put("meteor", 1 << 5, 0)),
        (4, put("corners", 1, by=True)),
        (5, put("deck_size", -1, by=True)),
        (7, put("built", 1, 0, 1, by=True)),
        (8, put("embassy", -1, 0)),
        (9, put("bay_pop", 1, 0)),
        (11, put("net", 1 << 20, 1, 0)),
    ],
}


@pytest.mark.parametrize("name", soak.GAMES)
def test_the_checks_find_what_is_broken(name: str) -> None:
    holds = getattr(HOLDS[name], "py_func", HOLDS[name])
    table = table_after(name, 9)
    for number, spoil in SPOILT[name]:
        state, seen = table.states[:1].copy()[0], np.zeros(1, dtype=table.game.State)[0]
        assert holds(state, table.rules, seen) == 0
        if name == "drifting_lands" and number == 1:
            state["label"][int(state["tile"][0])] = -1
        else:
            spoil(state, seen)
        assert holds(state, table.rules, seen) == number


def test_pieces_may_not_change_between_two_positions() -> None:
    """What is compared with the start of the game."""
    table, holds = table_after("migration", 9), HOLDS["migration"]
    holds = getattr(holds, "py_func", holds)
    seen = np.zeros(1, dtype=table.game.State)[0]
    assert holds(table.state, table.rules, seen) == 0
    state = table.states[:1].copy()[0]
    state["hand"][0][int(np.flatnonzero(state["hand"][0])[0])] -= 1
    assert holds(state, table.rules, seen) == 8


def test_games_are_counted_in_their_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "RECORDS", tmp_path)
    monkeypatch.setattr(soak, "BLOCK", {"migration": 1})
    monkeypatch.setattr(soak, "IDLE", {})
    for games in (1, 3):  # goes on where it was
        record = soak.play("migration", games, soak.taken_up("migration"), kept=True)
    assert record == soak.taken_up("migration")
    assert (soak.total(record), record["blocks"]) == (3, 3)
    whole = soak.play("migration", 3, soak.fresh("migration"), kept=False)
    assert whole == record
    assert list(record["settings"])[:2] == ["box, 2 players", "bans, 2 players"]


def test_a_broken_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import tests.soak.playing as playing

    def wrong(state: Any, rules: Any, seen: Any) -> int:
        return 3 if int(state["turn"]) >= 2 or int(state["phase"]) == OVER else 0

    monkeypatch.setattr(playing, "holds", wrong)
    monkeypatch.setattr(soak, "play_random", getattr(playing.play_random, "py_func", playing.play_random))
    with pytest.raises(
        soak.Broken, match=r"migration, box, 2 players: check 3 fails in deal 4 of seed \d+, action"
    ):
        soak.play_block("migration", soak.settings_of("migration")[0], 4, 2)


@pytest.mark.parametrize("name", soak.GAMES)
def test_what_was_counted_stands_in_the_rules(name: str) -> None:
    """RULES.md has the table that the record gives."""
    record = json.loads((soak.RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    rules = (Path(sim.games.__file__).parent / name / "RULES.md").read_text(encoding="utf-8")
    assert "\n".join(soak.lines(record)) in rules
    assert f"{soak.total(record):,} random games" in rules
    assert set(record["settings"]) <= {title for title, _, _ in soak.settings_of(name)}
