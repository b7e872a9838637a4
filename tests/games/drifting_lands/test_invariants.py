"""What holds at every moment of every game of Drifting Lands: nothing appears, nothing is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.contract import merit
from sim.games.drifting_lands.notation import action_text, pending_text, plain_text, position_text
from sim.games.drifting_lands.rules import state as records
from tests.games.drifting_lands.play import SETTINGS, pawns_on_board, play


def check(table: Any, tiles_before: int, mountains_before: int) -> tuple[int, int]:
    rules, state = table.rules, table.state
    players = int(state["players"])
    # land: tiles go only where a mountain rises, and each space knows its tile
    land = state["land"]
    tiles, mountains = int((land != records.OCEAN).sum()), int((land == records.MOUNTAIN).sum())
    assert tiles + mountains == records.TILES
    assert tiles <= tiles_before
    assert mountains >= mountains_before
    assert int(state["n_tiles"]) == tiles
    assert [int(s) for s in state["tile"][:tiles]] == list(np.flatnonzero(land))
    assert ((state["number"] >= 0) == (land != 0)).all()
    assert ((state["label"] >= 0) == (land != 0)).all()
    assert not land[int(rules["n_spaces"]) :].any()
    if rules["continents_merge"]:
        check_continents(rules, state)
    check_worth(rules, state)
    # pawns: on the board, in supply, or about to be expelled
    counted = pawns_on_board(state) + state["supply"]
    waiting = int(state["expelled"]) - 1
    if waiting >= 0:
        counted[waiting // 4, waiting % 4] += 1
    assert (state["supply"] >= 0).all()
    assert (counted[:players] == rules["pawns"]).all()
    assert (
        pawns_on_board(state).sum(axis=1) + (np.arange(4) == waiting // 4) <= int(rules["pawns"].sum())
    ).all()
    # cards
    held = state["deck"] + state["hand"] + state["discard"]
    assert (held == state["given"]).all()
    assert all((state[key] >= 0).all() for key in ("deck", "hand", "discard"))
    played = int(state["discard"].sum())
    drifts = int(state["turn"]) - played + (state["phase"] in (records.PART, records.EXPEL, records.SECOND))
    assert 0 <= drifts <= players * (int(state["round_no"]) + 1)
    return tiles, mountains


def check_continents(rules: Any, state: Any) -> None:
    """Tiles that touch are of one continent, and a continent hangs together."""
    for space in np.flatnonzero(state["land"]):
        for other in rules["near"][space]:
            if other >= 0 and state["land"][other]:
                assert state["label"][other] == state["label"][space]
    for label in set(state["label"][state["land"] != 0].tolist()):
        spaces = set(np.flatnonzero(state["label"] == label).tolist())
        found, edge = {min(spaces)}, [min(spaces)]
        while edge:
            for other in rules["near"][edge.pop()]:
                if int(other) in spaces - found:
                    found.add(int(other))
                    edge.append(int(other))
        assert found == spaces


def check_worth(rules: Any, state: Any) -> None:
    """The points kept for each continent are those of its tiles."""
    worth = [0] * records.TILES
    for space in np.flatnonzero(state["land"]):
        printed = int(rules["tile_value"]) == records.PRINTED
        points = int(state["worth"][space] if printed else rules["value"][space])
        factor = int(rules["mountain_factor"]) if state["land"][space] == records.MOUNTAIN else 1
        worth[state["label"][space]] += points * factor
    assert state["continent"].tolist() == worth
    assert int(state["n_continents"]) == int(state["label"].max()) + 1


@pytest.mark.parametrize("name", SETTINGS)
def test_nothing_appears_and_nothing_is_lost(name: str) -> None:
    for seed in range(3):
        tiles, mountains = records.TILES, 0
        for table, _ in play(name, seed):
            tiles, mountains = check(table, tiles, mountains)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_action_has_words_of_its_own_that_can_be_read(name: str) -> None:
    for table, action in play(name, 7):
        if action is None:
            assert position_text(table.rules, table.state).splitlines()[0].endswith("over")
            continue
        texts = [action_text(code, table.rules, table.state) for code in table.actions()]
        assert len(set(texts)) == len(texts)
        assert all(plain_text(text, table.rules, table.state) == text for text in texts[:20])
        waits = table.state["phase"] in (records.PART, records.EXPEL, records.SECOND)
        assert waits == (pending_text(table.rules, table.state) != "-")


@pytest.mark.parametrize("name", SETTINGS)
def test_a_game_has_its_rounds_and_leaves_the_cards_that_it_should(name: str) -> None:
    players, parameters = SETTINGS[name]
    *_, (table, _) = play(name, 11)
    state = table.state
    assert int(state["turn"]) == 4 * players * (1 + 4)
    assert int(state["round_no"]) == 3
    assert int(state["first"]) == 3 % players
    assert (state["discard"][:players].sum(axis=1) == 16).all()
    left = state["deck"][:players].sum(axis=1)
    wanted = {8} if "lever" not in parameters else {7, 8, 9}
    assert set(left.tolist()) <= wanted
    assert not state["hand"].any()


def test_teammates_have_the_same_merit_and_their_points_count_together() -> None:
    *_, (table, _) = play("teams, land that stays apart", 3)
    points = table.scores()
    merits = [float(merit(table.rules, table.state, s, points[s])) for s in range(4)]
    assert merits[0] == merits[2] != merits[1] == merits[3]
    pawns = pawns_on_board(table.state).sum(axis=1)
    assert merits[0] == 1000 * (points[0] + points[2]) + pawns[0] + pawns[2]
