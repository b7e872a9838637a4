"""Leaf counts of fixed positions, by the engine and by the plain referee.

``python -m tests.games.perft`` counts every depth that the data hold with both (minutes) and prints them.
"""

from __future__ import annotations

import copy
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.contract import OVER, RESOLVE, apply, legal, resolve
from sim.games.migration.cases import Table
from sim.games.migration.notation import SEATS
from sim.games.migration.positions import piece_names
from sim.games.migration.rules.params import PIECES
from tests.games.deals import board_of
from tests.reference.migration.referee import Referee

DATA = Path(__file__).parents[1] / "data"


def positions() -> list[dict[str, Any]]:
    """Return the positions with their `counts` by depth."""
    with (DATA / "perft.toml").open("rb") as file:
        found: list[dict[str, Any]] = tomllib.load(file)["position"]
    return found


def table_of(entry: dict[str, Any]) -> Table:
    """Return the position on the engine's table."""
    return Table({k: v for k, v in entry.items() if k not in ("name", "counts")}, entry["name"], DATA)


def count_engine(table: Table, depth: int) -> int:
    """Return how many sequences of `depth` decisions there are."""

    def count(state: Any, depth: int) -> int:
        if int(state["phase"]) == OVER:
            return 0
        n = int(legal(table.rules, state, table.out))
        if depth == 1:
            return n
        total = 0
        for action in table.out[:n].tolist():
            after = np.zeros(1, dtype=state.dtype)
            after[0] = state
            apply(table.rules, after[0], np.int32(action))
            while int(after[0]["phase"]) == RESOLVE:
                resolve(table.rules, after[0], table.stream)
            total += count(after[0], depth - 1)
        return total

    return count(table.state, depth)


def referee_of(entry: dict[str, Any]) -> Referee:
    """Return the position as the plain referee has it, read from the text anew."""
    regions = board_of(table_of(entry).rules).regions
    board = {r.hex: {"terrain": set(r.terrain), "forest": r.forest, "sea": r.sea} for r in regions}
    seats = sorted(entry["hands"])
    hands = []
    for seat in seats:
        words = entry["hands"][seat].replace("PoisonOak", "Poison_Oak").split()
        pairs = [word.split("x") if re.match(r"\dx", word) else ["1", word] for word in words]
        hands.append({kind.replace("_", " "): int(n) for n, kind in pairs})
        assert set(hands[-1]) <= set(PIECES)
    towns: dict[tuple[int, int], Any] = {}
    spirits: list[Any] = [None] * len(seats)
    for part in entry["position"].split(";") if entry["position"] else []:
        place, what = part.split()
        q, r = (int(x) for x in place.split(","))
        if what == "w":
            towns[q, r] = "w"
            continue
        seat = SEATS.index(what[0])
        towns[q, r] = (what[2:].rstrip("*").replace("PoisonOak", "Poison Oak"), seat)
        if what.endswith("*"):
            spirits[seat] = (q, r)
    turns = [entry.get("turns", {}).get(seat, 1) for seat in seats]
    return Referee.at(board, hands, towns, entry.get("parameters"), spirits=spirits, turns=turns)


def count_referee(referee: Referee, depth: int) -> int:
    """Return how many sequences of `depth` decisions there are."""
    actions = referee.actions()
    if depth == 1 or not actions:
        return len(actions)
    total = 0
    for action in actions:
        after = copy.deepcopy(referee)
        after.do(action)
        total += count_referee(after, depth - 1)
    return total


def hands_agree(entry: dict[str, Any]) -> bool:
    """Whether both read the same hands from the text."""
    state = table_of(entry).state
    ours = [piece_names(state["hand"][seat]) for seat in range(int(state["players"]))]
    return ours == referee_of(entry).hands


if __name__ == "__main__":
    for entry in positions():
        depths = range(1, len(entry.get("counts", [0] * 4)) + 1)
        engine = [count_engine(table_of(entry), depth) for depth in depths]
        print(f"{entry['name']}: engine {engine}", flush=True)
        referee = [count_referee(referee_of(entry), depth) for depth in depths]
        print(f"{entry['name']}: referee {referee} {'ok' if engine == referee else 'DIFFERENT'}", flush=True)
