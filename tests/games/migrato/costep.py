"""The engine and the plain referee of Migrato, step by step side by side: same actions, positions and scores.

Run as a module for a long check: ``python -m tests.games.migrato.costep 2000 printed`` (or digital, flags).
"""

from __future__ import annotations

import random
import sys
from typing import Any

from sim.core.contract import merit, score
from tests.games.engine_side import EngineSide
from tests.reference.migrato.arrivals import SEATS
from tests.reference.migrato.cards import read_cards, read_columns, read_player
from tests.reference.migrato.random import eager, random_params
from tests.reference.migrato.referee import Referee

ENDS = {1: "finished", 2: "turn_cap"}


class Engine(EngineSide):
    """One deal of the engine."""

    def __init__(self, params: dict[str, Any], seed: int) -> None:
        super().__init__("migrato", params, 2, seed)

    def winner(self) -> int | None:
        """Who is ahead by what ranks the seats."""
        one, other = (
            merit(self.rules, self.state, seat, score(self.rules, self.state, seat)) for seat in (0, 1)
        )
        return None if one == other else int(other > one)


def parts_of(position: str) -> dict[str, str]:
    """The lines of a position by name: A, B, deck, discard."""
    return dict(line.split(": ", 1) for line in position.splitlines()[1:])


def deal_of(position: str, params: dict[str, Any]) -> Referee:
    """The referee's game from the engine's deal; it checks that this is the deck."""
    parts = parts_of(position)
    hands = [[card.text for card in read_cards(read_player(parts[name])["hand"])] for name in SEATS]
    return Referee(hands, [card.text for card in read_cards(parts["deck"])], params)


def tell_chance(referee: Referee, position: str) -> None:
    """Tell the referee what chance did, as the engine's position shows it afterwards."""
    parts, seat = parts_of(position), referee.to_move
    if (
        referee.pending == "shuffle"
    ):  # what was drawn from the new deck is in the hand, the rest lies there still
        held = [card.text for card in referee.hands[seat]]
        drawn = [card.text for card in read_cards(read_player(parts[SEATS[seat]])["hand"])]
        for text in held:
            drawn.remove(text)
        referee.tell_deck([*drawn, *parts["deck"].split()] if parts["deck"] != "-" else drawn)
    if referee.pending == "forget":
        columns = read_columns(read_player(parts[SEATS[seat]])["columns"])
        places = {
            (k, p) for k, column in enumerate(columns) for p, card in enumerate(column) if card.forgotten
        }
        referee.tell_forgotten(places & referee.may_be_forgotten())


def co_step(params: dict[str, Any], seed: int) -> int:
    """Play one random game on both; raise AssertionError at the first difference; return the decisions."""
    rng = random.Random(seed)
    engine = Engine(params, seed)
    referee = deal_of(engine.position(), params)
    played: list[str] = []
    while True:
        hint = f"seed {seed}, after {played[-6:]} with {params}"
        ours, theirs = engine.position(), referee.position_text()
        assert ours == theirs, f"positions differ {hint}\nengine\n{ours}\nreferee\n{theirs}"
        assert engine.scores() == referee.scores(), f"{engine.scores()} {referee.scores()} {hint}\n{theirs}"
        assert engine.over == (referee.phase == "over"), hint
        if engine.over:
            assert ENDS[int(engine.state["ended"])] == referee.ended, hint
            assert engine.winner() == referee.winner(), (
                f"{engine.winner()} {referee.winner()} {hint}\n{theirs}"
            )
            return len(played)
        actions, offered = engine.actions(), referee.actions()
        assert set(actions) == offered, (
            f"only engine {sorted(set(actions) - offered)}, only referee {sorted(offered - set(actions))} "
            f"{hint}\n{theirs}"
        )
        played.append(eager(referee, rng))
        engine.take(actions[played[-1]])
        referee.do(played[-1])
        tell_chance(referee, engine.position())


def game(rules: str, seed: int) -> int:
    """Co-step random game number `seed` under ``printed`` or ``digital``, or with random ``flags``."""
    params = random_params(random.Random(seed)) if rules == "flags" else {"rules": rules}
    return co_step(params, seed)


if __name__ == "__main__":
    first, last = 0, int(sys.argv[1])
    which = sys.argv[2] if len(sys.argv) > 2 else "flags"
    if len(sys.argv) > 3:
        first = int(sys.argv[3])
    total = sum(game(which, seed) for seed in range(first, last))
    print(f"{last - first} games, {total} decisions, no difference")
