"""Splitting offers exactly the parts that a search over all sets of tiles finds."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from sim.games.drifting_lands.board import near
from sim.games.drifting_lands.positions import board_of, empty_states, lay, rules_for
from sim.games.drifting_lands.rules.land import tiles_of
from sim.games.drifting_lands.rules.splitting import parts

Tile = tuple[int, int]
BOARD = board_of("disk 5")
STEP = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def in_one_piece(tiles: set[Tile]) -> bool:
    found = {min(tiles)}
    edge = list(found)
    while edge:
        for other in near(edge.pop()):
            if other in tiles and other not in found:
                found.add(other)
                edge.append(other)
    return found == tiles


def legal(land: set[Tile], part: set[Tile], d: int, spaces: int, apart: bool) -> bool:
    """Return whether `part` may go: tried step by step, as a player would."""
    rest = land - part
    if not rest or not in_one_piece(part) or (apart and not in_one_piece(rest)):
        return False
    moved = part
    for _ in range(spaces):
        moved = {(q + STEP[d][0], r + STEP[d][1]) for q, r in moved}
        if moved & rest or not moved <= set(BOARD.spaces):
            return False
    return not apart or not any(other in rest for tile in moved for other in near(tile))


def continent(size: int, seed: int) -> set[Tile]:
    """Return a random continent."""
    draw = random.Random(seed)
    land = {(0, 0)}
    while len(land) < size:
        tile = draw.choice(sorted(land))
        other = draw.choice(near(tile))
        if other in BOARD.spaces:
            land.add(other)
    return land


def offered(land: set[Tile], d: int, spaces: int, most: int, **parameters: Any) -> list[frozenset[Tile]]:
    rules = rules_for(BOARD, 2, parameters)[0]
    state = empty_states(rules, 2)[0]
    lay(rules, state, " ".join(f"{q},{r}" for q, r in land), "here")
    out = np.zeros(512, dtype=np.int32)
    whole = tiles_of(state, np.int64(0))
    n = int(parts(rules, state, whole, np.int64(d), np.int64(spaces), np.int64(most), out))
    at = [(int(rules["q"][s]), int(rules["r"][s])) for s in state["tile"][: len(land)]]
    return [frozenset(tile for k, tile in enumerate(at) if mask >> k & 1) for mask in out[:n].tolist()]


@pytest.mark.parametrize("split_parts", ["apart", "any"])
@pytest.mark.parametrize("spaces", [1, 2])
def test_all_parts_are_found_and_no_other(split_parts: str, spaces: int) -> None:
    found = 0
    for seed, size in enumerate([2, 3, 4, 5, 6, 7, 7, 8, 9]):
        land = continent(size, seed)
        subsets = [set(some) for k in range(1, size) for some in combinations(sorted(land), k)]
        for d in range(6):
            wanted = {
                frozenset(some) for some in subsets if legal(land, some, d, spaces, split_parts == "apart")
            }
            listed = offered(land, d, spaces, 512, split_parts=split_parts)
            assert len(set(listed)) == len(listed), "a part twice"
            assert set(listed) == wanted, (seed, d)
            assert bool(offered(land, d, spaces, 1, split_parts=split_parts)) == bool(wanted)
            found += len(wanted)
    assert found > 100


def test_of_too_many_parts_each_is_drawn_as_often() -> None:
    """The list is cut by a hash of the position: over many positions every part comes up alike."""
    land = continent(9, 4)
    everything = offered(land, 0, 1, 512)
    assert len(everything) > 8
    rules = rules_for(BOARD, 2, {})[0]
    state = empty_states(rules, 2)[0]
    lay(rules, state, " ".join(f"{q},{r}" for q, r in land), "here")
    out = np.zeros(512, dtype=np.int32)
    counts: dict[int, int] = {}
    rounds = 1200
    for salt in range(rounds):
        state["salt"] = np.uint64(salt)
        call = (rules, state, tiles_of(state, np.int64(0)), np.int64(0), np.int64(1), np.int64(4), out)
        assert int(parts(*call)) == 4
        listed = out[:4].tolist()
        assert len(set(listed)) == 4
        assert (int(parts(*call)), out[:4].tolist()) == (4, listed), "asking again gives another list"
        for mask in listed:
            counts[mask] = counts.get(mask, 0) + 1
    share = 4 / len(everything)
    spread = (rounds * share * (1 - share)) ** 0.5
    assert len(counts) == len(everything)
    assert max(abs(n - rounds * share) for n in counts.values()) < 4.5 * spread


def test_large_continents_are_offered_legal_parts_where_parts_may_touch() -> None:
    land = continent(20, 9)
    for d in range(6):
        listed = offered(land, d, 1, 256, split_parts="any")
        assert 20 < len(listed) <= 256
        assert len(set(listed)) == len(listed)
        assert all(legal(land, set(part), d, 1, False) for part in listed)
