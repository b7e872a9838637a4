"""Recorded games as text, so that a change of the rules is seen in a diff: ``python -m tests.playthroughs``.

One line a decision: its number, who decides, how many legal actions there were, the action, and then what
changed on the board and the scores after it. The position at the start and at the end stands in full.
Entries with a key ``game`` are of that game, the others of Migration.
"""

from __future__ import annotations

import tests.conftest  # noqa: F401  (sets the flags of the test run before Numba is imported)

import sys  # isort: skip
from itertools import pairwise
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "playthroughs"
DECK = {"Bass": 2, "Rats": 3, "Sparrow": 3, "Fly": 2, "Lizard": 2}
OTHER = {"Bass": 3, "Oak": 3, "Wolf": 3, "Cactus": 2, "Skunk": 1}
GAMES: dict[str, dict[str, Any]] = {
    "2-random": {"bots": ["random"] * 2, "seed": 2},
    "2-greedy-founder": {
        "bots": ["greedy"] * 2,
        "seed": 6,
        "parameters": {"map": "founder", "bans": "random 3"},
    },
    "2-decks-wilds": {
        "bots": ["greedy", "random"],
        "seed": 7,
        "parameters": {"map": "wilds"},
        "decks": [DECK, OTHER],
    },
    "2-draft-era": {
        "bots": ["greedy", "random"],
        "seed": 3,
        "parameters": {"draft": True, "age_mode": "era", "teams": "bot"},
    },
    "3-oaths-agenda": {
        "bots": ["greedy", "random", "greedy"],
        "seed": 5,
        "parameters": {"oaths": True, "age_mode": "agenda", "map": "wilds"},
    },
    "3-greedy-ridge": {"bots": ["greedy"] * 3, "seed": 10, "parameters": {"map": "ridge"}},
    "3-random-wilds": {"bots": ["random"] * 3, "seed": 149, "parameters": {"map": "wilds"}},
    "4-mixed-islands": {
        "bots": ["greedy", "random"] * 2,
        "seed": 6,
        "parameters": {"map": "islands", "migrate_over_ocean": "paid", "bans": ["Skunk"]},
    },
    "drifting_lands-2-random": {"game": "drifting_lands", "bots": ["random"] * 2, "seed": 1},
    "drifting_lands-3-mixed-gondwana": {
        "game": "drifting_lands",
        "bots": ["greedy", "random", "greedy"],
        "seed": 4,
        "parameters": {"map": "gondwana", "lever": "both", "start_continents": "drawn", "decline": True},
    },
    "drifting_lands-4-teams": {
        "game": "drifting_lands",
        "bots": ["random", "greedy"] * 2,
        "seed": 3,
        "parameters": {
            "team_variety": True,
            "continents_merge": False,
            "ultra": "two spaces",
            "tile_value": "printed",
            "expelling": "may remove",
        },
    },
    "migrato-greedy-printed": {"game": "migrato", "bots": ["greedy"] * 2, "seed": 2},
    "migrato-greedy-digital": {
        "game": "migrato",
        "bots": ["greedy"] * 2,
        "seed": 5,
        "parameters": {"rules": "digital", "left_out": "random 1"},
    },
    "migrato-mixed-forgetful": {
        "game": "migrato",
        "bots": ["greedy", "random"],
        "seed": 1,
        "parameters": {"rules": "digital", "memory": 0.8, "finish": "round"},
    },
    "mars-3-mixed": {
        "game": "mars",
        "bots": ["greedy", "random", "greedy"],
        "seed": 4,
        "parameters": {"start_building": "choice", "target": 4},
    },
    "mars-2-random-other-readings": {
        "game": "mars",
        "bots": ["random"] * 2,
        "seed": 2,
        "parameters": {
            "turn_cap": 60,
            "link": "tunnels",
            "voluntary_default": True,
            "injury_med": "choice",
            "trading": "up to two",
            "dealt_event": "random",
        },
    },
}


def record(name: str) -> str:
    """Play a game again and return its text."""
    from sim.core.game import Entrant, get_game
    from sim.core.play import replay
    from tests import playthroughs_as_text

    entry = GAMES[name]
    if "game" in entry:
        return playthroughs_as_text.record(entry)
    game = get_game("migration")
    bots, decks = entry["bots"], entry.get("decks", [None] * len(entry["bots"]))
    entrants = [
        Entrant(f"{bot} {k}", bot, deck=deck and f"deck {k}", deck_counts=deck)
        for k, (bot, deck) in enumerate(zip(bots, decks))
    ]
    cell = game.prepare(entry.get("parameters", {}), len(bots), entrants)
    steps = replay(game, cell, entry["seed"], range(len(bots)))
    lines = [
        *playthroughs_as_text.head(game, entry),
        *_map_lines(steps[0].rules),
        "",
        game.position_text(steps[0].rules, steps[0].state),
        "",
    ]
    lines += _decisions(game, steps)
    lines += ["", game.position_text(steps[-1].rules, steps[-1].state)]
    return playthroughs_as_text.as_text(lines)


def _map_lines(rules: Any) -> list[str]:
    from sim.games.migration.board_text import print_drawing
    from tests.games.deals import board_of

    drawing, first, legend = print_drawing(board_of(rules))
    own = "".join(f", {letter} {content}" for letter, content in legend.items())
    return [f"map, its first hex is {first[0]},{first[1]}{own}", *drawing.splitlines()]


def _decisions(game: Any, steps: Any) -> list[str]:
    """Return one line a decision; what follows by itself (forced passes) shows in the line before it."""
    from sim.games.migration.notation import SEATS

    lines, turn = [], -1
    for number, (step, after) in enumerate(pairwise(steps), start=1):
        if int(step.state["turn"]) != turn:
            turn = int(step.state["turn"])
            lines.append(f"turn {turn + 1}")
        scores = "-".join(f"{score:g}" for score in game.scores(after.rules, after.state))
        words = game.action_text(step.action, step.rules, None, step.state).replace(" | ", " / ")
        line = f"{number:4} {SEATS[step.seat]} {len(step.actions):3} > {words}"
        lines.append(f"{line:<32} | {_changes(step, after):<36} | {scores}")
    return lines


def _changes(step: Any, after: Any) -> str:
    """Return the Regions that look different, as ``2,0 A:Rats*``; ``-`` for one that is empty now."""
    from sim.games.migration.notation import SEATS, hex_of, top_text

    parts = []
    for h in range(int(step.rules["n_regions"])):
        if top_text(step.state, h) != top_text(after.state, h):
            parts.append(f"{hex_of(step.rules, h)} {top_text(after.state, h) or '-'}")
    players = range(int(step.state["players"]))
    passed = [SEATS[s] for s in players if after.state["passes"][s] > step.state["passes"][s]]
    return " ; ".join(parts) + (f" ({' and '.join(passed)} passed)" if passed else "")


def main() -> int:
    """Write every recorded game and say which changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        path, text = FOLDER / f"{name}.txt", record(name)
        same = path.is_file() and path.read_text() == text
        path.write_text(text)
        print(f"{'same   ' if same else 'changed'} {path.name} ({len(text) / 1000:.1f} KB)")
    for path in FOLDER.glob("*.txt"):
        if path.stem not in GAMES:
            print(f"unknown {path.name}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
