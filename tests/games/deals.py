"""Migration for tests: cells and settings at random, a board as plain Python sees it, games move by move."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from sim.checks.table import Table
from sim.core.game import Cell, Entrant, get_game
from sim.core.params import describe, nested
from sim.games.migration.board import Board, Region
from sim.games.migration.board_text import map_names
from sim.games.migration.notation import action_text
from sim.games.migration.rules.params import PIECES, Parameters

MIGRATION = get_game("migration")
Hex = tuple[int, int]
DIRECTIONS: list[Hex] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
TERRAIN = ("Fertile", "Lake", "Mountain", "Deep Woods", "Desert", "Oasis")


def cell(
    players: int = 2,
    bots: str | Sequence[str] = "random",
    entrants: Sequence[dict[str, Any]] = (),
    **parameters: Any,
) -> Cell:
    """Return a cell; `entrants` adds decks and bans player by player, dotted parameters come as ``**{...}``."""
    names = [bots] * players if isinstance(bots, str) else list(bots)
    extra = [*entrants, *[{}] * (players - len(entrants))]
    people = [Entrant(f"player {k}", name, **extra[k]) for k, name in enumerate(names)]
    return MIGRATION.prepare(nested(parameters), players, people)


def bits(mask: Any) -> list[int]:
    """Return the numbers of the set bits."""
    return [k for k in range(64) if int(mask) >> k & 1]


def board_of(rules: Any) -> Board:
    """Return the board that a rules record holds."""
    masks = {name: int(rules[name.lower().replace(" ", "_")]) for name in TERRAIN}
    return Board(
        tuple(
            Region(
                int(rules["q"][h]),
                int(rules["r"][h]),
                frozenset(name for name, mask in masks.items() if mask >> h & 1),
                bool(int(rules["forest_drawn"]) >> h & 1),
                bool(int(rules["sea_desert"]) >> h & 1),
            )
            for h in range(int(rules["n_regions"]))
        )
    )


# --- settings at random --------------------------------------------------------------------------------------

VARIANTS: list[dict[str, Any]] = [
    {},
    {},
    {"oaths": True},
    {"age_mode": "scenario"},
    {"age_mode": "scenario", "oaths": True, "adjacent_migration": True},
    {"age_mode": "era"},
    {"age_mode": "agenda", "age_cards": ["Wandering", "Cooperation", "Famine", "Aggression"]},
    {"draft": True},
    {"draft": True, "draft_cap": "pool", "draft_bass": "extra", "teams": "bot", "oaths": True},
    {"draft": True, "draft_bans": "void", "age_mode": "era", "teams": "bot:wasteland"},
]
FIXED = {"map", "teams", "bans", "books", "hand_size", "age", "age_cards", "age_file"} | {
    name for variant in VARIANTS for name in variant
}
"""Drawn by `settings_of_play` in its own way."""


@st.composite
def settings_of_play(draw: st.DrawFn, **fixed: Any) -> dict[str, Any]:
    """Draw parameters: a map (also a founding per deal), bans, and any of the other parameters.

    Counts of the set stay in a range in which every draw leaves a legal team. `fixed` has the last word.
    """
    rows = [row for row in describe(Parameters) if row["name"] not in FIXED | set(fixed)]
    values: dict[str, Any] = {"hand_size": draw(st.sampled_from([12, 12, 5, 15]))}
    number = draw(st.sampled_from([0, 4, len(rows)]))
    for row in draw(st.permutations(rows))[:number]:
        name = row["name"]
        if name == "persistent":
            values[name] = draw(st.lists(st.sampled_from(row["range"]), unique=True))
        elif name.startswith("set_counts."):
            values[name] = draw(st.integers(2, 5))
        elif row["type"] == "int":
            low, high = row["range"]
            values[name] = draw(st.integers(low, min(high, 3)))
        else:
            values[name] = draw(st.sampled_from(row["range"]))
    # a drawn map of the box is legal under the default set-up only; a founding always is
    legal = not {"islands", "plate_shapes", "modifiers_per_region", "enclosed_sea"} & set(values)
    legal = legal and not any(name.startswith("modifier_counts.") for name in values)
    values["map"] = draw(st.sampled_from(["founder", *(map_names() if legal else [])]))
    values["bans"] = draw(st.sampled_from(["none", "random 3", "random 1", ["Rats", "Cactus"], ["Wolf"]]))
    return {**values, **draw(st.sampled_from(VARIANTS)), **fixed}


# --- games ---------------------------------------------------------------------------------------------------


@dataclass
class Move:
    """One decision: the position before, what was legal and chosen in words, and the position after.

    `after` is taken before what follows by itself: phase "resolve" when the turn is over.
    """

    before: Any
    legal: list[str]
    action: str
    after: Any


@dataclass
class Played:
    """A game from its first decision to its end."""

    rules: Any
    start: Any
    moves: list[Move]
    end: Any


def play(cell: Cell, seed: int, choose: Callable[[random.Random, list[str]], int] | None = None) -> Played:
    """Play one game at random (few passes, so that games get long)."""
    import numpy as np

    from sim.core.contract import apply

    rng = random.Random(seed)
    table = Table(MIGRATION, cell, seed)
    begin, moves = table.copy()[0], []
    while not table.over:
        codes = table.actions()
        words = [action_text(code, table.rules) for code in codes]
        if choose is not None:
            k = choose(rng, words)
        else:
            k = rng.choice([k for k, text in enumerate(words) if text != "pass" or len(words) == 1])
        before = table.copy()[0]
        apply(table.rules, table.state, np.int32(codes[k]))
        moves.append(Move(before, words, words[k], table.copy()[0]))
        table.settle()
        assert len(moves) < 1000, f"no end, seed {seed}"
    return Played(table.rules, begin, moves, table.copy()[0])


def words_of(text: str) -> tuple[str, str, Hex | None]:
    """Split an action text into its kind, its piece ("" for none) and its hex (of two, the one it ends on)."""
    kind, _, rest = text.partition(" ")
    piece = next((name for name in PIECES if rest.startswith(name)), "")
    return kind, piece, hex_named(text, -1)


def hex_named(text: str, which: int) -> Hex | None:
    """Return the hex that is the word number `which` of an action text, or None."""
    words = text.split()
    if "," not in words[which]:
        return None
    q, r = words[which].split(",")
    return int(q), int(r)
