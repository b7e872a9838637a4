"""Random games with every check on: ``python -m tests.soak.random_games GAME GAMES [--record]``.

Games are played in blocks, each in one setting: half of them as the box says, the others in the settings in which the
game is checked elsewhere (`tests/games/<game>/settings.py`). With ``--record`` what was counted is kept in
`tests/soak/random_games/<game>.json` after each block, and the next call goes on behind it; without, the first blocks
are played and nothing is kept. Bounds of arrays are checked too.
"""

from __future__ import annotations

import tests.conftest  # noqa: F401  (sets the flags of the test run before Numba is imported)

import argparse  # isort: skip
import importlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.checks.table import make_cell
from sim.core.contract import ENDED_NAMES
from sim.core.game import get_game
from sim.core.loop import MAX_SEATS
from sim.core.play import banks
from sim.core.room import action_room
from sim.core.seeds import deal_seed
from sim.games.migrato.rules.state import KIND_AT, PASS_COLUMN, PASS_HAND
from tests.soak.playing import COUNTED, DECISIONS, LONGEST, TURNS, play_random

GAMES = ("migration", "migrato", "drifting_lands", "mars")
RECORDS = Path(__file__).parent / "random_games"
BUSY = ", few passes"
BLOCK = {"migration": 10_000, "migrato": 1_000, "drifting_lands": 1_000, "mars": 200}
"""Games of a block: a second or a few."""
CAPS = {"mars": 5_000}
SEED = 17_000_000
IDLE = {"migrato": (PASS_COLUMN << KIND_AT, (PASS_HAND + 1) << KIND_AT)}
"""Actions without which games come to an end: where a setting ends with `BUSY` they are hardly ever played."""
BETWEEN = ("migration",)
"""Games whose checks hold between a decision and what follows by itself, too."""


class Broken(AssertionError):
    """A check that failed, with the game in which it did."""


def settings_of(name: str) -> list[tuple[str, int, Mapping[str, Any]]]:
    """Return (setting, players, parameters): the box at all its numbers of players, then the settings of the tests."""
    game = get_game(name)
    found: list[tuple[str, int, Mapping[str, Any]]] = []
    for players in range(game.min_players, game.max_players + 1):
        found.append((f"box, {players} players", players, {}))
        if name in IDLE:
            found.append((f"box, {players} players{BUSY}", players, {}))
    others = importlib.import_module(f"tests.games.{name}.settings").SETTINGS
    for title, setting in others.items():
        low, high = setting.players or (game.min_players, game.max_players)
        for players in sorted({low, high}):
            end = BUSY if name in IDLE else ""
            found.append((f"{title}, {players} players{end}", players, setting.parameters))
    return found


def order(settings: list[Any]) -> Iterator[Any]:
    """Return settings without end: every second one as the box says."""
    box = [setting for setting in settings if setting[0].startswith("box")]
    others = [setting for setting in settings if not setting[0].startswith("box")]
    number = 0
    while True:
        yield box[number % len(box)]
        yield others[number % len(others)]
        number += 1


def play_block(name: str, setting: tuple[str, int, Mapping[str, Any]], first: int, games: int) -> Any:
    """Play the deals `first` and following in a setting; return what was counted (int64, COUNTED).

    Raises
    ------
    Broken
        A check failed.
    """
    title, players, parameters = setting
    busy = title.endswith(BUSY)
    game = get_game(name)
    cell = make_cell(game, ["random"], players, dict(parameters))
    rules, entrants = banks(game, [cell])
    counted = np.zeros(COUNTED, dtype=np.int64)
    seeds = deal_seed(SEED, np.arange(first, first + games, dtype=np.int64))
    played, ply, broken = play_random(
        rules,
        entrants[0],
        np.arange(MAX_SEATS, dtype=np.int8)[:players],
        np.ascontiguousarray(seeds, dtype=np.uint64),
        np.zeros(2, dtype=game.State),
        np.zeros(1, dtype=game.State),
        action_room(game),
        np.zeros((2, 1), dtype=np.uint64),
        counted,
        game.max_actions,
        min(game.most_plies, CAPS.get(name, game.most_plies)),
        name in BETWEEN,
        IDLE.get(name, (0, 0)) if busy else (0, 0),
    )
    if broken:
        deal = first + int(played)
        raise Broken(
            f"{name}, {title}: check {int(broken)} fails in deal {deal} of seed {SEED}, action {int(ply)}"
        )
    return counted


def added(record: dict[str, Any], title: str, counted: Any) -> None:
    """Add what was counted in a block to the record of a game."""
    entry = record["settings"].setdefault(
        title, {"games": 0, "turns": 0, "decisions": 0, "longest": 0, "ended": {}}
    )
    for code, name in enumerate(ENDED_NAMES, start=1):
        if counted[code]:
            entry["ended"][name] = entry["ended"].get(name, 0) + int(counted[code])
            entry["games"] += int(counted[code])
    entry["turns"] += int(counted[TURNS])
    entry["decisions"] += int(counted[DECISIONS])
    entry["longest"] = max(entry["longest"], int(counted[LONGEST]))


def total(record: Mapping[str, Any]) -> int:
    """Return how many games a record holds."""
    return sum(entry["games"] for entry in record["settings"].values())


def fresh(name: str) -> dict[str, Any]:
    """Return a record of no game."""
    return {
        "game": name,
        "rules_version": get_game(name).rules_version,
        "seed": SEED,
        "blocks": 0,
        "settings": {},
    }


def taken_up(name: str) -> dict[str, Any]:
    """Return the kept record, or a new one where there is none or it is of other rules."""
    path = RECORDS / f"{name}.json"
    record = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else fresh(name)
    if record["rules_version"] != get_game(name).rules_version:
        print(f"{name}: the record is of rules {record['rules_version']}; a new one is begun", flush=True)
        return fresh(name)
    return dict(record)


def keep(record: Mapping[str, Any]) -> None:
    """Write the record, whole or not at all."""
    RECORDS.mkdir(exist_ok=True)
    path = RECORDS / f"{record['game']}.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    os.replace(temporary, path)


def play(name: str, games: int, record: dict[str, Any], kept: bool) -> dict[str, Any]:
    """Play blocks until the record holds so many games."""
    if games <= 0:
        return record
    blocks = order(settings_of(name))
    size, told = BLOCK[name], time.monotonic()
    for number in range(1 << 40):
        setting = next(blocks)
        if number < record["blocks"]:
            continue
        if total(record) >= games:
            break
        added(record, setting[0], play_block(name, setting, number * size, size))
        record["blocks"] = number + 1
        if kept:
            keep(record)
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"  {name}: {total(record):,} games", flush=True)
    return record


def lines(record: Mapping[str, Any]) -> list[str]:
    """Return the table of a record in Markdown: how games ended, in each setting."""
    out = [
        "| setting | games | ended by themselves | at the cap | other ends | turns | choices | most choices |",
        "| --- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for title, entry in record["settings"].items():
        games, ended = entry["games"], entry["ended"]
        share = {key: f"{100 * ended.get(key, 0) / games:.4g}%" for key in ENDED_NAMES}
        others = ", ".join(
            f"{key} {share[key]}" for key in ("all_passed", "stuck", "overflow") if ended.get(key, 0)
        )
        out.append(
            f"| {title} | {games:,} | {share['finished']} | {share['turn_cap']} | {others or '-'} | "
            f"{entry['turns'] / games:.1f} | {entry['decisions'] / games:.1f} | {entry['longest']:,} |"
        )
    return out


def main(arguments: list[str]) -> int:
    """Play and print; 1 when a check failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.random_games")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("games", type=int, help="so many games in all, in whole blocks")
    parser.add_argument("--record", action="store_true", help="go on from the record and keep it")
    given = parser.parse_args(arguments)
    begun = time.process_time()
    record = taken_up(given.game) if given.record else fresh(given.game)
    before = total(record)
    try:
        play(given.game, given.games, record, given.record)
    except Broken as broken:
        print(broken)
        return 1
    print("\n".join(lines(record)))
    new = total(record) - before
    spent = f"{new:,} games in {time.process_time() - begun:.0f} CPU s"
    print(f"{given.game}: {spent}, {total(record):,} in all, no check fails")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
