"""The engine and the plain referee of Drifting Lands, step by step side by side.

Run as a module for a long check: ``python -m tests.games.drifting_lands.costep 0 100``.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from sim.core.contract import side
from tests.games.engine_side import EngineSide
from tests.reference.drifting_lands.cards import KINDS, read_cards
from tests.reference.drifting_lands.map import read_space
from tests.reference.drifting_lands.random import lively, random_map, random_params
from tests.reference.drifting_lands.referee import Referee

LONG = 14  # of continents of more tiles not all parts are looked for where any parts will do


class Engine(EngineSide):
    """One deal of the engine."""

    def __init__(self, params: dict[str, Any], players: int, seed: int) -> None:
        super().__init__("drifting_lands", params, players, seed)

    def sides(self) -> list[int]:
        return [int(side(self.rules, self.state, seat)) for seat in range(self.players)]


def deal_of(engine: Engine, params: dict[str, Any]) -> Referee:
    """The referee's game, which is told of the engine's only what chance drew; it checks that this could be drawn."""
    lines = engine.position().splitlines()[3:-1]
    parts = [dict(part.split(" ", 1) for part in line[3:].split(" | ")) for line in lines]
    decks = [read_cards(part["deck"]) for part in parts]
    starts = [part["start"] for part in parts]
    plain = Referee.deal(params | {"start_continents": "chosen"}, engine.players)
    changes = []
    for deck in decks:
        more, less = Counter(deck) - Counter(plain.cards), Counter(plain.cards) - Counter(deck)
        changes += [
            *(("given", kind) for kind in more.elements()),
            *(("withheld", k) for k in less.elements()),
        ]
    lever = plain.rule["lever"]
    allowed = {"none": (), "both": ("given", "withheld")}.get(lever, (lever,))
    assert len(changes) == (lever != "none"), f"{lever}: {changes}"
    assert all(how in allowed for how, _ in changes), f"{lever}: {changes}"
    if engine.players == 2 and params.get("two_player_start") != "any" and starts[0] != "-":
        assert set(starts) in ({"NW", "SE"}, {"NE", "SW"}), starts
    return Referee.deal(params, engine.players, decks, starts)


def compare_actions(actions: set[str], referee: Referee, hint: str) -> str:
    """Both offer the same; of long lists of parts only that each part is legal, and how many there are.

    Returns what was compared: "all", "number" or "legal".
    """
    offered = referee.actions()
    if referee.phase == "part":
        assert referee.splitting is not None
        kind, tiles, direction = referee.splitting
        parts = [[read_space(word) for word in action.split()[1:]] for action in actions]
        times = referee.distance(kind)
        wrong = [part for part in parts if not referee.is_part(part, tiles, direction, times)]
        assert not wrong, f"no parts: {wrong} {hint}"
        most = referee.rule["split_list"]
        if referee.rule["split_parts"] == "any" and len(tiles) > LONG:
            assert 0 < len(parts) <= most, hint
            return "legal"
        if len(offered) > most:
            assert len(parts) == most, hint
            return "number"
    assert actions == offered, (
        f"only engine {sorted(actions - offered)}, only referee {sorted(offered - actions)} {hint}\n"
        f"{referee.position_text()}"
    )
    return "all"


def compare_ends(engine: Engine, referee: Referee, hint: str) -> None:
    """Both have the same sides, rank them alike and agree who wins."""
    merits, sides = engine.merits(), engine.sides()
    for members, (points, ties) in zip(referee.sides(), referee.standings()):
        assert [merits[seat] for seat in members] == [1000 * points + ties] * len(members), hint
        assert len({sides[seat] for seat in members}) == 1, hint
    assert len(set(sides)) == len(referee.sides()), hint
    ahead = {seat for seat in range(engine.players) if merits[seat] == max(merits)}
    assert ahead == {seat for members in referee.winners() for seat in members}, hint


def co_step(
    params: dict[str, Any], players: int, seed: int, told: dict[str, Any] | None = None
) -> tuple[int, Counter[str]]:
    """Play one random game on both; raise AssertionError at the first difference.

    The referee plays by other parameters if it is `told` so. Returns the number of decisions, and how often the
    phases and kinds of cards came up.
    """
    rng = random.Random(seed)
    engine = Engine(params, players, seed)
    referee = deal_of(engine, params if told is None else told)
    played: list[str] = []
    seen: Counter[str] = Counter()
    while True:
        hint = f"{players} players, seed {seed}, after {played[-6:]} with {params}"
        ours, theirs = engine.position(), referee.position_text()
        assert ours == theirs, f"positions differ, {hint}\nengine\n{ours}\nreferee\n{theirs}"
        points = referee.scores()
        assert engine.scores() == points, f"{engine.scores()} {points} {hint}\n{theirs}"
        assert engine.over == (referee.phase == "over"), hint
        if engine.over:
            compare_ends(engine, referee, f"{hint}\n{theirs}")
            seen[referee.winner_text()] += 1
            return len(played), seen
        actions: dict[str, Any] = engine.actions()
        compared = compare_actions(set(actions), referee, hint)
        played.append(lively(referee, set(actions), rng))
        seen[referee.phase] += 1
        if referee.phase == "play":
            seen[next(kind for kind in KINDS if played[-1].startswith(kind + " "))] += 1
        if referee.splitting and len(referee.splitting[1]) > LONG:
            seen["part of big land"] += 1
        seen["compared " + compared] += 1
        engine.take(actions[played[-1]])
        referee.do(played[-1])


def game(seed: int) -> tuple[int, Counter[str]]:
    """Co-step random game number `seed`.

    Every third game has the default rules, one in four of the others a random board; 2, 3 and 4 players take turns.
    """
    rng = random.Random(seed)
    players = 2 + seed % 3
    if seed % 9 < 3:
        return co_step({}, players, seed)
    params = random_params(rng, players)
    if rng.random() < 0.75:
        return co_step(params, players, seed)
    if params.get("start_pawns") == 3 and "pawns" not in params:
        params["start_pawns"] = rng.choice([4, 5])  # no map of the game marks as many starts, random ones do
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.toml"
        text, equal = random_map(rng)
        path.write_text(text, encoding="utf-8")
        return co_step(params | {"map": str(path), "equal_continents": equal}, players, seed)


if __name__ == "__main__":
    first, last = (int(word) for word in sys.argv[1:3])
    games = [game(seed) for seed in range(first, last)]
    came_up = sum((seen for _, seen in games), Counter())
    print(f"{len(games)} games, {sum(n for n, _ in games)} decisions, no difference; {dict(came_up)}")
