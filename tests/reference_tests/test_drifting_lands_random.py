"""The plain referee of Drifting Lands by itself: parts against a count of all sets, random games from the outside."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from tests.reference.drifting_lands.cards import (
    DEFAULTS,
    KINDS,
    deck_names,
    deck_of,
    full_rules,
    read_cards,
)
from tests.reference.drifting_lands.map import DIRECTIONS, load_map, map_names, map_of, open_sea
from tests.reference.drifting_lands.random import (
    ALTERNATIVES,
    play_out,
    random_land,
    random_map,
    random_params,
    seat_cards,
)
from tests.reference.drifting_lands.referee import Referee


@pytest.mark.parametrize("seed", range(12))
def test_referee_parts_are_all_sets_of_tiles_that_are_parts(seed: int) -> None:
    rng = random.Random(seed)
    sea = open_sea("disk 3")
    assert sea is not None
    land = random_land(rng, sea.spaces, [rng.randint(2, 8), rng.randint(1, 5)])
    if land is None:
        land = [{(0, 0), (1, 0), (2, 0), (1, 1)}]
    found = 0
    for which in ("apart", "any"):
        referee = Referee(sea, {"split_parts": which, "continents_merge": False}, 2)
        for tiles in land:
            referee.lay(tiles)
        sets = [frozenset(s) for n in range(1, len(land[0])) for s in combinations(sorted(land[0]), n)]
        for direction in DIRECTIONS:
            for times in (1, 2):
                wanted = {part for part in sets if referee.is_part(part, land[0], direction, times)}
                parts = list(referee.parts(land[0], direction, times))
                assert len(parts) == len(set(parts))
                assert set(parts) == wanted
                found += len(parts)
    assert found > 0


@pytest.mark.parametrize("seed", range(24))
def test_referee_random_games_lose_nothing(seed: int) -> None:
    rng = random.Random(seed)
    players = 2 + seed % 3
    params = random_params(rng, players)
    referee = Referee.deal(params | {"start_continents": "chosen", "lever": "none"}, players)
    before = [seat_cards(referee, seat) for seat in range(players)]
    whole = [list(supply) for supply in referee.supply]
    played = play_out(referee, rng)
    assert before == [seat_cards(referee, seat) for seat in range(players)]
    rounds, cards = referee.rule["rounds"], referee.rule["cards_per_round"]
    assert [len(discard) for discard in referee.discard] == [rounds * cards] * players
    assert [len(deck) for deck in referee.deck] == [referee.rule["unused_cards"]] * players
    assert referee.turn == players * rounds * (1 + cards)
    assert referee.first == (rounds - 1) % players
    mountains = sum(action.startswith("Orogeny") and "onto" in action for action in played)
    assert len(referee.land) == 28 - mountains
    assert sum(tile.mountain for tile in referee.land.values()) == mountains
    for seat in range(players):
        for level in range(1, 5):
            on_board = referee.levels(seat).count(level)
            assert referee.supply[seat][level] + on_board == whole[seat][level]


def test_referee_reads_every_map_and_deck() -> None:
    for name in map_names():
        where = load_map(name)
        assert sum(len(tiles) for tiles in where.tiles) == 28
        assert all(len(starts) >= 4 for starts in where.starts)
        assert len(where.spaces) <= 126
    for name in deck_names():
        cards, points = deck_of(full_rules({"deck": name}))
        assert len(cards) == 24
        assert set(points) == set(KINDS)
    cards, points = deck_of(full_rules({"counts": {"Orogeny": 0, "Moving": 1}, "points": {"Moving": 7}}))
    assert (cards.count("Orogeny"), cards.count("Moving"), points["Moving"]) == (0, 1, 7)
    assert read_cards("2xMoving Ultra Splitting") == ["Moving", "Moving", "Ultra Splitting"]


def test_referee_parameters_by_table_or_entry() -> None:
    assert full_rules({"pawns.1": 7})["pawns"] == full_rules({"pawns": {"1": 7}})["pawns"]
    assert full_rules({})["pawns"]["1"] == 5
    for wrong in ("paws", "pawn.1", "map.1"):
        with pytest.raises(ValueError, match="no parameter"):
            full_rules({wrong: 1})


def test_referee_board_of_the_notes() -> None:
    """Section 1.4: 116 spaces; 32 of them are worth 3, 42 worth 2, 42 worth 1; each continent is worth 12."""
    referee = Referee.deal({}, 2)
    values = [referee.space_value(space) for space in referee.spaces]
    assert [values.count(n) for n in (3, 2, 1)] == [32, 42, 42]
    assert [sum(referee.value(tile) for tile in tiles) for tiles in referee.continents()] == [12] * 4


def test_referee_random_maps_have_starts() -> None:
    rng = random.Random(0)
    for _ in range(10):
        text, equal = random_map(rng)
        where = map_of(text.split("'''\n")[1])
        assert all(len(starts) >= 6 for starts in where.starts)
        assert not equal or {len(tiles) for tiles in where.tiles} == {7}


def test_referee_every_parameter_is_drawn() -> None:
    tables = {"map", "deck", "counts", "points", "team_variety", "unused_cards", "equal_continents"}
    assert set(ALTERNATIVES) | tables == set(DEFAULTS)
    for key, values in ALTERNATIVES.items():
        assert DEFAULTS[key] not in values, key
    drawn: dict[str, Any] = {}
    for seed in range(60):
        drawn |= random_params(random.Random(seed), 4)
    assert set(drawn) == set(DEFAULTS) - {"equal_continents"}
