"""The engine and the plain referee, step by step side by side: same actions, positions and scores.

Run as a module for a long check: ``python -m tests.games.migration.costep variants 2000`` (or plain, late, or one
variant: oaths, adjacent, era, agenda or an Age Card in lower case, as in ``wandering 2000``).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from sim.core.contract import ENDED_NAMES, OVER, RESOLVE, apply, legal, resolve, score
from sim.games.migration.board import Board, Region, validate
from sim.games.migration.board_text import load_map, map_names
from sim.games.migration.notation import SEATS, action_text, owner_of
from sim.games.migration.positions import empty_states, lay_cards, piece_names, place, rules_for
from sim.games.migration.rules import state as records
from sim.games.migration.rules.params import PIECES
from tests.reference.migration.ages import CARDS, MODES
from tests.reference.migration.position import TERRAINS, neighbours
from tests.reference.migration.random import (
    ALTERNATIVES,
    land,
    random_ages,
    random_board,
    random_params,
    random_teams,
    random_variant_params,
)
from tests.reference.migration.referee import Referee

STREAM = np.zeros(1, dtype=np.uint64)


def engine_board(board: dict[tuple[int, int], dict[str, Any]]) -> Board:
    return Board(
        tuple(
            Region(q, r, frozenset(cell["terrain"]), cell["forest"], cell["sea"])
            for (q, r), cell in board.items()
        )
    )


def referee_board(board: Board) -> dict[tuple[int, int], dict[str, Any]]:
    return {
        region.hex: {"terrain": set(region.terrain), "forest": region.forest, "sea": region.sea}
        for region in board.regions
    }


def engine_snapshot(rules: Any, state: Any, cards: Sequence[str] = ()) -> dict[str, Any]:
    hexes = [(int(rules["q"][h]), int(rules["r"][h])) for h in range(int(rules["n_regions"]))]
    regions: dict[tuple[int, int], Any] = {}
    for h, cell in enumerate(hexes):
        top = int(state["top"][h])
        if top == records.WASTELAND:
            regions[cell] = ("Wasteland",)
        elif top == records.NOTHING:
            regions[cell] = None
        else:
            regions[cell] = ("Town", PIECES[top], owner_of(state, h))
    players = range(int(state["players"]))
    era = int(rules["age_mode"]) == records.ERA and state["deck_place"] < state["deck_size"]
    face_up = cards[int(state["deck"][int(state["deck_place"])])] if era else None
    lock = int(state["lock_seat"])
    locked = lock >= 0 and not state["out"][lock] and bool(state["turns_taken"][lock] < state["lock_until"])
    return {
        "phase": records.PHASES[int(state["phase"])],
        "ended": ENDED_NAMES[int(state["ended"]) - 1] if int(state["ended"]) else None,
        "turn": int(state["turn"]),
        "regions": regions,
        "face_down": {cell: int(state["face_down"][h]) for h, cell in enumerate(hexes)},
        "spirits": [hexes[int(state["spirit"][s])] if state["spirit"][s] >= 0 else None for s in players],
        "hands": [piece_names(state["hand"][s]) for s in players],
        "passes": [int(state["passes"][s]) for s in players],
        "scores": [int(score(rules, state, s)) for s in players],
        "active": None if state["active_card"] < 0 else cards[int(state["active_card"])],
        "face_up": face_up,
        "revealed": [
            sorted(name for name, n in piece_names(state["revealed"][s]).items() for _ in range(n))
            for s in players
        ],
        "locked": locked,
    }


def settle(rules: Any, state: Any) -> None:
    while int(state["phase"]) == RESOLVE:
        resolve(rules, state, STREAM)


def co_step(
    board: Board,
    teams: list[dict[str, int]],
    params: dict[str, Any],
    rng: random.Random,
    ages: dict[str, Any] | None = None,
    boldness: float = 0.85,
    late: Late | None = None,
) -> int:
    """Play one random game on both; raise AssertionError at the first difference; return the decisions.

    `ages` are the Age Cards: mode, cards (name: switches) and deck, as the referee takes them. `boldness` is how
    often a pass, which loses the Spirit, is not even thought of. `late` is where to begin.
    """
    cards = list(ages["cards"]) if ages else []
    deck = {name: tuple(sorted(switches)) for name, switches in ages["cards"].items()} if ages else None
    setting = params | {"age_mode": ages["mode"]} if ages else params
    rules = rules_for(board, len(teams), setting, deck)[0]
    hands = [{PIECES.index(name): n for name, n in team.items() if n} for team in teams]
    states = empty_states(rules, hands, [0] * len(teams))
    state = states[0]
    if ages:
        lay_cards(rules, state, [cards.index(name) for name in ages["deck"]])
    if late is None:
        referee = Referee(referee_board(board), teams, params, ages=ages)
    else:
        more: dict[str, Any] = {"to_move": late.to_move, "spirits": late.spirits, "turns": [0] * len(teams)}
        referee = Referee.at(referee_board(board), teams, late.towns, params, ages=ages, **more)
        place(rules, state, late.text(), "late game")
        state["seat"] = (late.to_move - 1) % len(teams)
    out = np.zeros(records.MAX_ACTIONS + 1, dtype=np.int32)
    settle(rules, state)
    played: list[str] = []
    while True:
        ours, theirs = engine_snapshot(rules, state, cards), referee.snapshot()
        seat = theirs.pop("to_move")
        hint = f"after {played[-8:]} with {params} {ages}"
        assert ours == theirs, f"{[k for k in ours if ours[k] != theirs[k]]} {hint}\n{ours}\n{theirs}"
        if int(state["phase"]) == OVER:
            return len(played)
        assert int(state["seat"]) == seat, hint
        codes = out[: int(legal(rules, state, out))].tolist()
        texts = [action_text(code, rules, cards) for code in codes]
        assert len(set(texts)) == len(texts), f"an action twice: {texts} {hint}"
        offered = referee.actions()
        assert set(texts) == offered, (
            f"only engine {sorted(set(texts) - offered)}, only referee {sorted(offered - set(texts))} "
            f"{SEATS[seat]} {hint}\n{theirs}"
        )
        choices = [k for k, text in enumerate(texts) if text != "pass"] if rng.random() < boldness else []
        k = rng.choice(choices or range(len(texts)))
        played.append(texts[k])
        apply(rules, state, np.int32(codes[k]))
        settle(rules, state)
        referee.do(texts[k])


def few_types(rng: random.Random) -> list[dict[str, int]]:
    """Two or three teams of many copies of a few types, so that rare meetings of abilities become common."""
    teams = []
    for _ in range(rng.choice([2, 2, 3])):
        types = rng.sample(PIECES, 3)
        team = {"Bass": 2, "Wolf": rng.randint(0, 3)}
        for _copy in range(8):
            name = rng.choice(types)
            team[name] = team.get(name, 0) + 1
        teams.append(team)
    return teams


def rough_board(rng: random.Random) -> dict[tuple[int, int], dict[str, Any]]:
    """A compact patch of 10 to 16 hexes, half of them with terrain of two or three kinds."""
    kinds = rng.sample(TERRAINS, rng.choice([1, 2, 3]))
    hexes = [(q, r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2]
    hexes = [(0, 0), *rng.sample([h for h in hexes if h != (0, 0)], rng.randint(9, 15))]
    terrain = {h: rng.choice(kinds) for h in hexes if rng.random() < 0.5}
    return land(hexes, terrain, [h for h in hexes if rng.random() < 0.4])


def game(seed: int) -> int:
    """Co-step random game number `seed`: a map of the box, a random patch of land, or a rough one with few types."""
    rng = random.Random(seed)
    params = random_params(rng)
    if seed % 3 == 0:
        board, teams = engine_board(random_board(rng)), random_teams(rng)
    elif seed % 3 == 1:
        params = {name: rng.choice(ALTERNATIVES[name]) for name in rng.sample(sorted(ALTERNATIVES), 6)}
        board, teams = engine_board(rough_board(rng)), few_types(rng)
    else:
        players = rng.randint(2, 4)
        board = load_map(rng.choice(map_names()), players)
        validate(board, n_players=players)
        counts = [3, 3, 3, 3, 3, 3, 2, 2, 3, 3, 2]
        banned = rng.sample(range(11), rng.choice([0, 3]))
        pool = [p for p in range(11) for _ in range(counts[p]) if p not in banned]
        picks = [rng.sample(pool, 12) for _ in range(players)]
        teams = [{PIECES[p]: pick.count(p) for p in range(11)} for pick in picks]
    return co_step(board, teams, params, rng)


def variant_game(seed: int) -> int:
    """Co-step random game number `seed` with Age Cards, Oaths, or both."""
    rng = random.Random(seed)
    params = random_params(rng) if seed % 4 == 0 else {}
    params |= random_variant_params(rng)
    board = engine_board(random_board(rng) if seed % 2 else rough_board(rng))
    teams = random_teams(rng) if seed % 3 else few_types(rng)
    ages = random_ages(rng, len(teams)) if seed % 5 else None
    return co_step(board, teams, params, rng, ages)


def one_variant_game(variant: str, seed: int) -> int:
    """Co-step random game number `seed` of one variant alone: a key of `ONE_VARIANT`."""
    rng = random.Random(f"{variant} {seed}")
    board = engine_board(random_board(rng) if seed % 2 else rough_board(rng))
    teams = random_teams(rng) if seed % 3 else few_types(rng)
    mode, cards = ONE_VARIANT[variant]
    if mode not in MODES:
        return co_step(board, teams, {mode: True}, rng)
    return co_step(board, teams, {}, rng, random_ages(rng, len(teams), mode, cards))


# A parameter of its own, or the mode of the Age Cards and the cards (none: all nine, or own ones among them)
ONE_VARIANT: dict[str, tuple[str, list[str]]] = {
    "oaths": ("oaths", []),
    "adjacent": ("adjacent_migration", []),
    "era": ("era", []),
    "agenda": ("agenda", []),
} | {card.lower(): ("scenario", [card]) for card in CARDS}


KINDS = ["Bass", "Oak", "Rats", "Fly", "Wolf", "Wolf", "Skunk", "Poison Oak", "Jackal", "Lizard"]
PACK = ["Wolf", "Wolf", "Wolf", "Rats", "Skunk", "Poison Oak"]


def late_game(seed: int) -> int:
    """Co-step the end of game number `seed`, from a position drawn at random on little land.

    Games that are played out seldom come to where Wolves, Skunks and passes decide whether anybody may yet move.
    """
    rng = random.Random(seed)
    players = rng.choice([2, 2, 3, 4])
    params = {"end_rule": rng.choice(["auto", "auto", "auto", "full round"])}
    params["oaths"] = rng.random() < 0.15
    for name in rng.sample(sorted(set(ALTERNATIVES) - {"abilities"}), rng.choice([0, 0, 2])):
        params[name] = rng.choice(ALTERNATIVES[name])
    packed = rng.random() < 0.6  # with Wolves, and no room but what they make
    if packed:
        params["wolf_needs"] = rng.choice([1, 2, 2])
    hexes = [(0, 0)]
    while len(hexes) < rng.randint(4, 9):
        hexes.append(rng.choice([n for h in hexes for n in neighbours(h) if n not in hexes]))
    terrain = {h: rng.choice(TERRAINS) for h in hexes if rng.random() < 0.1}
    board = engine_board(land(hexes, terrain, [h for h in hexes if rng.random() < 0.4]))
    towns: dict[tuple[int, int], Any] = {}
    for h in hexes:
        if terrain.get(h) != "Lake" and rng.random() < (0.97 if packed else 0.85):
            town = rng.choice(PACK if packed else KINDS), rng.randrange(players)
            low = 0 if packed else rng.random()
            towns[h] = town if low < 0.8 else ["w", town] if low < 0.9 else "w"
    tops = {h: entry[-1] if isinstance(entry, list) else entry for h, entry in towns.items() if entry != "w"}
    own = [[h for h, (_, owner) in tops.items() if owner == seat] for seat in range(players)]
    spirits = [rng.choice(spots) if spots and rng.random() < 0.7 else None for spots in own]
    choice = ["Fly", "Fly", "Rats"] if packed else KINDS
    picks = [rng.choices(choice, k=rng.randint(0, 3)) for _ in range(players)]
    hands = [{kind: pick.count(kind) for kind in sorted(set(pick))} for pick in picks]
    ages = random_ages(rng, players) if rng.random() < 0.25 else None
    to_move = 0 if params["oaths"] else rng.randrange(players)  # after the first oaths A is first
    return co_step(board, hands, params, rng, ages, 0.7, Late(towns, spirits, to_move))


@dataclass
class Late:
    """A position to begin with: what lies where, as `Referee.at` takes it, the Spirits, and who is next."""

    towns: dict[tuple[int, int], Any]
    spirits: list[tuple[int, int] | None]
    to_move: int

    def text(self) -> str:
        """The position as the engine reads it."""
        words = []
        for (q, r), entry in self.towns.items():
            kind, owner = ("", 0) if entry == "w" else entry[-1] if isinstance(entry, list) else entry
            spirit = "*" * ((q, r) in self.spirits)
            name = f"{SEATS[owner]}:{kind.replace(' ', '')}{spirit}"
            words.append(f"{q},{r} " + ("w" if entry == "w" else name + "/w" * isinstance(entry, list)))
        return " ; ".join(words)


GAMES: dict[str, Callable[[int], int]] = {"plain": game, "variants": variant_game, "late": late_game}
GAMES |= {variant: partial(one_variant_game, variant) for variant in ONE_VARIANT}

if __name__ == "__main__":
    play = GAMES[sys.argv[1]]
    first, last = (int(number) for number in ["0", *sys.argv[2:]][-2:])
    total = sum(play(seed) for seed in range(first, last))
    print(f"{last - first} games, {total} decisions, no difference")
