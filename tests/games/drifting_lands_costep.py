"""The engine and the plain referee of Drifting Lands, step by step side by side, under the default rules.

Run as a module for a long check: ``python -m tests.games.drifting_lands_costep 100``.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

from sim.core.contract import OVER, RESOLVE, apply, legal, merit, resolve, score, setup
from sim.core.game import Entrant, get_game
from sim.core.play import banks
from sim.core.rng import CHANCE, start
from tests.reference.drifting_lands import Referee
from tests.reference.drifting_lands_map import BIG, Space, read_space

LISTED = 256  # so many parts of a continent are offered at most


def devonian() -> set[Space]:
    """Eleven rows of eleven and ten spaces in turn."""
    return {((c - r) // 2, r) for r in range(11) for c in range(21) if (c - r) % 2 == 0}


class Engine:
    """One deal of the engine, looked at only through texts and scores."""

    def __init__(self, players: int, seed: int) -> None:
        self.players = players
        self.game = get_game("drifting_lands")
        self.cell = self.game.prepare({}, players, [Entrant(f"bot {k}", "random") for k in range(players)])
        bank, entrants = banks(self.game, [self.cell])
        self.rules = bank[0]
        self.state = np.zeros(1, dtype=self.game.State)[0]
        self.out = np.zeros(self.game.max_actions + 1, dtype=np.int32)
        self.chance = np.zeros(1, dtype=np.uint64)
        setup(self.rules, self.state, entrants[0], np.arange(players, dtype=np.int8), np.uint64(seed))
        start(self.chance, np.uint64(seed), CHANCE, 0)
        self.settle()

    def settle(self) -> None:
        while int(self.state["phase"]) == RESOLVE:
            resolve(self.rules, self.state, self.chance)

    @property
    def over(self) -> bool:
        return int(self.state["phase"]) == OVER

    def actions(self) -> dict[str, int]:
        """The legal actions, code by text."""
        codes = self.out[: int(legal(self.rules, self.state, self.out))].tolist()
        actions = {self.game.action_text(code, self.rules, self.cell, self.state): code for code in codes}
        assert len(actions) == len(codes), f"an action twice: {sorted(actions)}"
        return actions

    def do(self, code: int) -> None:
        apply(self.rules, self.state, np.int32(code))
        self.settle()

    def position(self) -> str:
        return str(self.game.position_text(self.rules, self.state, self.cell)).strip()

    def scores(self) -> list[float]:
        return [float(score(self.rules, self.state, seat)) for seat in range(self.players)]

    def merits(self) -> list[float]:
        return [float(merit(self.rules, self.state, s, points)) for s, points in enumerate(self.scores())]


def compare_actions(actions: set[str], referee: Referee, hint: str) -> None:
    """Both offer the same; of long lists of parts only that each part is legal, and how many there are."""
    if referee.phase == "part":
        assert referee.splitting is not None
        _, tiles, direction = referee.splitting
        parts = [[read_space(word) for word in action.split()[1:]] for action in actions]
        wrong = [part for part in parts if not referee.is_part(part, tiles, direction)]
        assert not wrong, f"no parts: {wrong} {hint}"
        if len(tiles) > BIG:
            assert 0 < len(parts) <= LISTED, hint
            return
        if len(referee.parts(tiles, direction)) > LISTED:
            assert len(parts) == LISTED, hint
            return
    offered = referee.actions()
    if referee.phase == "play":
        ours = {action for action in actions if not of_big(action, referee)}
        offered = {a for a in offered if not a.endswith("Splitting without effect") or a in actions}
    else:
        ours = actions
    assert ours == offered, (
        f"only engine {sorted(ours - offered)}, only referee {sorted(offered - ours)} {hint}\n"
        f"{referee.position_text()}"
    )


def of_big(action: str, referee: Referee) -> bool:
    """Whether an action splits a continent that the referee does not list."""
    words = action.removeprefix("Ultra ").split()
    return words[0] == "Splitting" and words[1] != "without" and len(referee.continent(words[1])) > BIG


def co_step(players: int, seed: int) -> tuple[int, set[str]]:
    """Play one random game on both; raise AssertionError at the first difference.

    Returns the number of decisions and the phases and kinds of cards that came up.
    """
    rng = random.Random(seed)
    engine = Engine(players, seed)
    while engine.position().splitlines()[0].endswith(": start"):
        engine.do(rng.choice(sorted(engine.actions().values())))
    referee = Referee(engine.position(), devonian())
    played: list[str] = []
    seen: set[str] = set()
    while True:
        hint = f"{players} players, seed {seed}, after {played[-6:]}"
        ours, theirs = engine.position(), referee.position_text()
        assert ours == theirs, f"positions differ, {hint}\nengine\n{ours}\nreferee\n{theirs}"
        points = referee.scores()
        assert engine.scores() == points, f"{engine.scores()} {points} {hint}\n{theirs}"
        assert engine.over == (referee.phase == "over"), hint
        if engine.over:
            counts = [sum(pawn[0] == seat for pawn in referee.pawns.values()) for seat in range(players)]
            assert engine.merits() == [1000 * p + n for p, n in zip(points, counts)], f"{hint}\n{theirs}"
            return len(played), seen
        actions: dict[str, Any] = engine.actions()
        compare_actions(set(actions), referee, hint)
        played.append(lively(sorted(actions), rng))
        seen |= {referee.phase, played[-1].removeprefix("Ultra ").split()[0]}
        engine.do(actions[played[-1]])
        referee.do(played[-1])


def lively(actions: list[str], rng: random.Random) -> str:
    """A kind of action first, then one of that kind: so that moves, of which there are many, do not crowd out."""
    kinds = sorted({action.split()[0] for action in actions})
    kind = rng.choice(kinds)
    chosen = [action for action in actions if action.split()[0] == kind]
    if kind == "select":
        return rng.choice(chosen)
    return rng.choice(
        [action for action in chosen if "without" not in action and "stay" not in action] or chosen
    )


if __name__ == "__main__":
    total = sum(co_step(2 + seed % 3, seed)[0] for seed in range(int(sys.argv[1])))
    print(f"{sys.argv[1]} games, {total} decisions, no difference")
