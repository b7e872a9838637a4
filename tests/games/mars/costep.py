"""The engine and the plain referee of Migration: Mars, step by step side by side.

Run as a module for a long check: ``python -m tests.games.mars.costep 100`` (and a first seed, a scene).
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sim.core.contract import merit
from sim.games.mars.notation import chance_words
from tests.games.engine_side import EngineSide
from tests.reference.mars.random import (
    check,
    check_deal,
    lively,
    random_params,
    small_map,
    small_track,
)
from tests.reference.mars.referee import Referee

ENDS = {1: "finished", 2: "turn_cap"}


class Engine(EngineSide):
    """One deal of the engine."""

    def __init__(self, params: dict[str, Any], players: int, seed: int) -> None:
        super().__init__("mars", params, players, seed)

    def do(self, code: int) -> list[str]:
        """Take an action; return what chance did until the next decision, in words."""
        self.take(code)
        return [str(word) for word in chance_words(self.rules, self.state)]

    def ahead(self) -> list[int]:
        """Who is ahead by what ranks the seats."""
        merits = [float(merit(self.rules, self.state, s, points)) for s, points in enumerate(self.scores())]
        return [seat for seat, worth in enumerate(merits) if worth == max(merits)]


def compare_end(engine: Engine, referee: Referee, hint: str) -> None:
    """The same end: a winner alone ahead, or the turn cap with all level."""
    capped = referee.winner is None
    assert ENDS[int(engine.state["ended"])] == ("turn_cap" if capped else "finished"), hint
    ahead = list(range(engine.players)) if referee.winner is None else [referee.winner]
    assert engine.ahead() == ahead, f"{engine.ahead()} ahead, not {ahead} {hint}"


def compare(engine: Engine, referee: Referee, hint: str) -> dict[str, int]:
    """Same position, scores and actions on both sides; return the engine's actions."""
    ours, theirs = engine.position(), referee.position_text()
    if ours != theirs:
        pairs = zip(ours.splitlines(), theirs.splitlines(), strict=False)
        lines = "\n".join(f"engine  {a}\nreferee {b}" for a, b in pairs if a != b)
        raise AssertionError(f"positions differ {hint}\n{lines}\nreferee's\n{theirs}")
    assert engine.scores() == referee.scores(), f"{engine.scores()} {referee.scores()} {hint}\n{theirs}"
    assert engine.over == (referee.phase == "over"), hint
    if engine.over:
        return {}
    actions, offered = engine.actions(), referee.actions()
    assert set(actions) == offered, (
        f"only engine {sorted(set(actions) - offered)}, only referee {sorted(offered - set(actions))} "
        f"{hint}\n{theirs}"
    )
    return actions


def sights(referee: Referee) -> set[str]:
    """Rare things that lie on the table."""
    board = referee.board
    found = {
        "buried Tunnel": board.buried,
        "cleared in time": any(board.meteorites.values()),
        "too late to clear": referee.rule["next_turn"] == "only" and not all(board.meteorites.values()),
        "owned Ruin": referee.rule["ruin_link"] == "owner" and any(o >= 0 for o in board.ruins.values()),
        "Tunnel out": any(player.out for player in referee.seats),
        "propagated": referee.propagated and referee.rule["oly_pop"] == "once a turn",
        "Tunnel lifted": referee.pending.startswith("Tunnel from"),
    }
    return {sight for sight, there in found.items() if there}


def co_step(
    engine: Engine,
    params: dict[str, Any],
    players: int,
    seed: int,
    steps: int,
    told: dict[str, Any] | None = None,
) -> Counter[str]:
    """Play one random game on both; raise AssertionError at the first difference.

    Returns how often each phase, kind of action, thing done, rare sight and word of chance came up.
    The referee may be `told` other rules than the engine's `params`.
    """
    rng = random.Random(seed)
    begun = engine.position()
    if engine.over:  # all but one quit at the start
        return Counter()
    if " quit" not in begun:
        check_deal(begun, engine.players, params)
    referee = Referee(begun, params if told is None else told)
    played: list[str] = []
    seen: Counter[str] = Counter()
    for _ in range(steps):
        hint = f"{players} players, seed {seed}, after {played[-6:]} with {params}"
        actions = compare(engine, referee, hint)
        if engine.over:
            compare_end(engine, referee, hint)
            seen[referee.position_text().splitlines()[0].split(", ")[1]] += 1
            break
        check(referee)
        played.append(lively(referee, rng))
        doing = " ".join(referee.doing.split()[:2])
        seen.update({referee.phase, played[-1].split()[0], doing} | sights(referee))
        words = engine.do(actions[played[-1]])
        seen.update(words)
        try:
            referee.do(played[-1], words)
        except AssertionError as problem:
            raise AssertionError(f"{problem}; chance {words} {hint}; played {played[-1]}") from problem
    seen["decisions"] = len(played)
    return seen


def game(players: int, seed: int, scene: str | None = None, steps: int = 150) -> Counter[str]:
    """Co-step random game number `seed` under random rules."""
    rng = random.Random(f"{seed} {scene}")
    with TemporaryDirectory() as folder:
        params = random_params(rng, players, scene)
        if params.get("track") == "little" or rng.random() < 0.15:
            params["track"] = small_track(Path(folder))
        if rng.random() < 0.1:
            params["map"] = small_map(Path(folder))
        return co_step(Engine(params, players, seed), params, players, seed, steps)


if __name__ == "__main__":
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    which = sys.argv[3] if len(sys.argv) > 3 else None
    total: Counter[str] = Counter()
    for number in range(first, first + int(sys.argv[1])):
        total += game(2 + number % 3, number, which)
    total = Counter({word: n for word, n in total.items() if not word.startswith("tile")})
    print(f"{sys.argv[1]} games, no difference: {sorted(total.items())}")
