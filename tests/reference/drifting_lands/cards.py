"""Cards, decks and the parameters of the rules, for the plain referee of Drifting Lands."""

from __future__ import annotations

import re
import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.reference.drifting_lands.map import DATA

KINDS = [
    "Drifting",
    "Ultra Drifting",
    "Splitting",
    "Ultra Splitting",
    "Orogeny",
    "Moving",
    "Migrating",
    "Breeding",
    "Reproducing",
    "Evolving",
    "Mutating",
]

DEFAULTS: dict[str, Any] = {
    "map": "devonian",
    "equal_continents": True,
    "team_variety": False,
    "rounds": 4,
    "cards_per_round": 4,
    "unused_cards": 8,
    "start_pawns": 4,
    "start_continents": "chosen",
    "start_order": "first player first",
    "two_player_start": "diagonal",
    "pawns": {"1": 5, "2": 2, "3": 1, "4": 1},
    "deck": "stand_in",
    "counts": {},
    "points": {},
    "drifting_phase": "must",
    "continents_merge": True,
    "ultra": "any continent",
    "drifting_target": "own continent",
    "splitting_target": "own continent",
    "orogeny_target": "own continent",
    "split_parts": "apart",
    "split_list": 256,
    "orogeny_cut": True,
    "steps_moving": 3,
    "steps_migrating": 5,
    "cost_up_one": 2,
    "cost_up_two": 3,
    "expel_back": True,
    "expelling": "must",
    "mutating": "illegal",
    "decline": False,
    "tile_value": "latitude",
    "equator_value": 3,
    "middle_value": 2,
    "polar_value": 1,
    "mountain_factor": 2,
    "threshold": 2,
    "threshold_for": "two players",
    "threshold_second": "everybody",
    "tie_break": "pawns",
    "lever": "none",
}


def full_rules(params: dict[str, Any]) -> dict[str, Any]:
    """All parameters; of a table only the entries that are given change, also by keys such as "pawns.1"."""
    rule = {key: dict(value) if isinstance(value, dict) else value for key, value in DEFAULTS.items()}
    for key, value in params.items():
        table, _, entry = key.partition(".")
        if table not in rule or (entry and not isinstance(rule[table], dict)):
            raise ValueError(f"no parameter {key!r}")
        if entry:
            rule[table][entry] = value
        elif isinstance(value, dict):
            rule[table] |= value
        else:
            rule[table] = value
    return rule


def deck_names() -> list[str]:
    return sorted(path.stem for path in (DATA / "decks").glob("*.toml"))


def deck_of(rule: dict[str, Any]) -> tuple[list[str], dict[str, int]]:
    """A player's cards, and the points of each kind."""
    which = rule["deck"]
    path = Path(which) if which.endswith(".toml") else DATA / "decks" / f"{which}.toml"
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    counts = {kind: rule["counts"].get(kind, content["counts"].get(kind, 0)) for kind in KINDS}
    points = {kind: rule["points"].get(kind, content["points"].get(kind, 0)) for kind in KINDS}
    return [kind for kind in KINDS for _ in range(counts[kind])], points


def cards_text(cards: list[str]) -> str:
    """Cards in the order of the kinds, copies counted."""
    groups = [(kind, len(list(group))) for kind, group in groupby(sorted(cards, key=KINDS.index))]
    return " ".join(f"{n}x{kind}" if n > 1 else kind for kind, n in groups) or "-"


def read_cards(text: str) -> list[str]:
    found = re.findall(r"(?:(\d+)x)?((?:Ultra )?[A-Z]\w+)", text)
    return [kind for n, kind in found for _ in range(int(n or 1))]
