"""The recorded games, position by position."""

from __future__ import annotations

from functools import cache

from sim.batch.replay import Position
from sim.core.game import Entrant, get_game
from sim.core.play import replay
from tests.playthroughs import GAMES


@cache
def positions(name: str) -> list[Position]:
    entry = GAMES[name]
    game, bots = get_game(entry.get("game", "migration")), entry["bots"]
    decks = entry.get("decks", [None] * len(bots))
    entrants = [
        Entrant(f"{bot} {k}", bot, deck=deck and f"deck {k}", deck_counts=deck)
        for k, (bot, deck) in enumerate(zip(bots, decks))
    ]
    cell = game.prepare(entry.get("parameters", {}), len(bots), entrants, None)
    steps = replay(game, cell, entry["seed"], range(len(bots)))
    return [Position(game, cell, step, k, int(step.seat)) for k, step in enumerate(steps)]
