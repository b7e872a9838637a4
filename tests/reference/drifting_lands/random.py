"""Random rules, maps and play of Drifting Lands for the referee."""

from __future__ import annotations

import random
from typing import Any

from tests.reference.drifting_lands.cards import KINDS, deck_names, deck_of, full_rules
from tests.reference.drifting_lands.map import (
    Space,
    around,
    in_one_piece,
    map_names,
    map_of,
    read_space,
)
from tests.reference.drifting_lands.referee import Referee

# Per parameter the values to draw from; tables and what must fit together are drawn in `random_params`.
ALTERNATIVES: dict[str, list[Any]] = {
    "start_continents": ["drawn", "by seat"],
    "start_order": ["last player first"],
    "two_player_start": ["any"],
    "drifting_phase": ["may"],
    "continents_merge": [False],
    "ultra": ["two spaces", "both"],
    "drifting_target": ["any continent"],
    "splitting_target": ["any continent"],
    "orogeny_target": ["any continent"],
    "split_parts": ["any"],
    "split_list": [1, 2, 10, 40, 512],
    "orogeny_cut": [False],
    "steps_moving": [1, 2, 4, 6],
    "steps_migrating": [3, 4, 6, 9],
    "cost_up_one": [1, 3, 4],
    "cost_up_two": [1, 2, 4, 6],
    "expel_back": [False],
    "expelling": ["may remove"],
    "mutating": ["as one"],
    "decline": [True],
    "tile_value": ["printed", "flat"],
    "equator_value": [0, 1, 4, 9],
    "middle_value": [0, 1, 3, 8],
    "polar_value": [0, 2, 5],
    "mountain_factor": [0, 1, 3, 4],
    "threshold": [0, 1, 3, 5],
    "threshold_for": ["all", "nobody"],
    "threshold_second": ["first only"],
    "tie_break": ["levels", "none"],
    "lever": ["withheld", "given", "both"],
    "rounds": [1, 2, 3, 5],
    "cards_per_round": [1, 2, 3, 5, 6],
    "start_pawns": [1, 2, 3],
    "pawns": [
        {"1": 4, "2": 2, "3": 2, "4": 1},
        {"1": 6, "2": 4, "3": 0, "4": 2},
        {"1": 8, "2": 1, "3": 2},
        {"1": 4, "2": 0, "3": 2, "4": 0},
    ],
}


def random_params(rng: random.Random, players: int) -> dict[str, Any]:
    """Maps, decks and about every third parameter drawn at random, such that a game can be played."""
    chosen = [key for key in ALTERNATIVES if rng.random() < 0.3]
    params: dict[str, Any] = {key: rng.choice(ALTERNATIVES[key]) for key in chosen}
    params |= {"map": rng.choice(map_names()), "deck": rng.choice(deck_names())}
    if players == 4 and rng.random() < 0.5:
        params["team_variety"] = True
    for table in ("counts", "points"):
        if rng.random() < 0.3:
            params[table] = {kind: rng.randint(0, 4) for kind in rng.sample(KINDS, 3)}
    if rng.random() < 0.25:  # much of a few kinds, so that land is broken, piled up or crowded
        params["counts"] = dict.fromkeys(KINDS, 1) | dict.fromkeys(rng.sample(KINDS, 3), rng.randint(4, 9))
        params |= {"rounds": rng.randint(3, 8), "cards_per_round": rng.randint(3, 8)}
    return fitted(params)


def fitted(params: dict[str, Any]) -> dict[str, Any]:
    """Fewer cards or rounds where the deck would not do; the rest of the deck is what is left unused."""
    rule = full_rules(params)
    have = len(deck_of(rule)[0])
    if rule["lever"] in ("withheld", "both"):
        have -= 1  # one of those that stay unused is the one that may be missing
    while rule["rounds"] * rule["cards_per_round"] > have:
        rule[max("rounds", "cards_per_round", key=rule.__getitem__)] -= 1
    unused = len(deck_of(rule)[0]) - rule["rounds"] * rule["cards_per_round"]
    return params | {
        "rounds": rule["rounds"],
        "cards_per_round": rule["cards_per_round"],
        "unused_cards": unused,
    }


# -- maps -----------------------------------------------------------------------------------------


def random_map(rng: random.Random) -> tuple[str, bool]:
    """The text of a file with a random board with six starts a continent, and whether continents are equal."""
    while True:
        rows, wide = rng.randint(7, 11), rng.randint(8, 11)
        board = {((c - r) // 2, r) for r in range(rows) for c in range(r % 2, 2 * wide, 2)}
        for space in rng.sample(sorted(board), rng.randint(0, 12)):
            board.discard(space)
        equal = rng.random() < 0.6
        cut = sorted(rng.sample(range(7, 26), 3)) if not equal else [7, 14, 21]
        sizes = [b - a for a, b in zip([0, *cut], [*cut, 28])]
        land = random_land(rng, board, sizes)
        if land and in_one_piece(board):
            text = drawn(rng, board, land, rows)
            if all(map_of(text.split("'''\n")[1]).starts[k][5:] for k in range(4)):
                return text, equal


def random_land(rng: random.Random, board: set[Space], sizes: list[int]) -> list[set[Space]] | None:
    """Continents of these sizes that do not touch, or None if they find no room."""
    free, land = set(board), []
    for size in sizes:
        if not free:
            return None
        grown = {rng.choice(sorted(free))}
        while len(grown) < size:
            edge = sorted({other for tile in grown for other in around(tile)} & free - grown)
            if not edge:
                return None
            grown.add(rng.choice(edge))
        land.append(grown)
        free -= grown | {other for tile in grown for other in around(tile)}
    return land


def drawn(rng: random.Random, board: set[Space], land: list[set[Space]], rows: int) -> str:
    """Draw a map, with six or more start spaces for each continent, on tiles or beside them, and perhaps values."""
    signs = dict.fromkeys(board, ".")
    for k, tiles in enumerate(land):
        signs |= dict.fromkeys(tiles, "1234"[k])
    for k, tiles in enumerate(land):
        shore = sorted({space for tile in tiles for space in around(tile) if signs.get(space) == "."})
        rng.shuffle(shore)
        ashore = rng.sample(sorted(tiles), rng.randint(0 if len(shore) > 5 else len(tiles), len(tiles)))
        signs |= dict.fromkeys(ashore, "abcd"[k])
        signs |= dict.fromkeys(shore[: max(0, 6 - len(ashore))], "ABCD"[k])
    text = 'name = "random"\nabout = "a random board"\ngrade = "invention"\n' + drawing("spaces", signs, rows)
    if rng.random() < 0.4:
        text += drawing("values", {space: str(rng.randint(0, 9)) for space in board}, rows)
    return text


def drawing(key: str, signs: dict[Space, str], rows: int) -> str:
    lines = []
    for r in range(rows):
        row = {2 * space[0] + r: sign for space, sign in signs.items() if space[1] == r}
        lines.append("".join(row.get(c, " ") for c in range(max(row, default=-1) + 1)))
    return f"{key} = '''\n" + "\n".join(lines) + "\n'''\n"


# -- play -----------------------------------------------------------------------------------------


def lively(referee: Referee, actions: set[str], rng: random.Random) -> str:
    """Some action; the kind first, so that moves do not crowd out the rest, and what has an effect more often.

    Moves that expel, land that comes closer and what is rare are preferred at times.
    """
    kinds = sorted({action.split()[0] for action in actions})
    kind = rng.choice(kinds)
    chosen = sorted(action for action in actions if action.split()[0] == kind)
    if rng.random() < 0.9:
        idle = ("without effect", "stay", "stop")
        chosen = [action for action in chosen if not action.endswith(idle)] or chosen
    if kind in ("Moving", "Migrating") and rng.random() < 0.7:
        hits = [a for a in chosen if a.split()[-1] != "stay" and read_space(a.split()[-1]) in referee.pawns]
        chosen = hits or chosen
    return rng.choice(chosen)


def play_out(referee: Referee, rng: random.Random) -> list[str]:
    """Play on the referee alone to the end; return what was played."""
    played = []
    while referee.phase != "over":
        played.append(lively(referee, referee.actions(), rng))
        referee.do(played[-1])
    return played


def seat_cards(referee: Referee, seat: int) -> list[str]:
    """All cards of a seat, wherever they are."""
    return sorted(referee.deck[seat] + referee.hand[seat] + referee.discard[seat])
