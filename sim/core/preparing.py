"""From parameters and players to the records of a cell, for games that need no more than that."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from sim.core.errors import Refusal
from sim.core.game import Cell, Entrant, Game, validated
from sim.core.kinds import Entrants
from sim.core.params import fill_rules, flatten
from sim.core.records import record_type

MOST_COPIES = 30_000
"""Copies of a piece in a deck (int16)."""


@cache
def entrant_type(n_pieces: int) -> Any:
    """Return the record type of a player: whether it brought a deck, and how many copies of each piece are in it."""
    return record_type([("has_deck", np.int32), ("deck", np.int16, (max(n_pieces, 1),))])


def prepare(game: Game, parameters: dict[str, Any], n_players: int, entrants: list[Entrant]) -> Cell:
    """Check one cell of `game` and make its records: parameters become rules, decks become counts of pieces.

    Raises
    ------
    Refusal
        A parameter, the number of players, a deck or a ban that the game does not have.
    """
    found = validated(game.Parameters, parameters)
    if not game.min_players <= n_players <= game.max_players:
        few, most = game.min_players, game.max_players
        span = f"{few} to {most}" if few < most else str(few)
        raise Refusal(f"players.count = {n_players}: {game.title} is for {span} players")
    rules = np.zeros(1, dtype=game.Rules)
    fill_rules(found, rules[0])
    if "players" in game.Rules.names:
        rules["players"] = n_players
    game.fill(rules[0], found, n_players)
    bank = decks_of(game, n_players, entrants)
    kinds = {(e.bot, str(sorted(e.bot_options.items())), bank[k].tobytes()) for k, e in enumerate(entrants)}
    text = game.lever(found)
    return Cell(
        parameters=flatten(found),
        players=n_players,
        drawn={},
        rules=rules,
        entrants=bank,
        bots=[(e.bot, dict(e.bot_options)) for e in entrants],
        lever={"column": "assigned", "text": text} if text else None,
        piece_total=None,
        moves=len(kinds) > 1,
    )


def decks_of(game: Game, n_players: int, entrants: list[Entrant]) -> Entrants:
    """Return the players' records (`entrant_type`); "random" is a deck that `setup` draws."""
    bank = np.zeros(n_players, dtype=entrant_type(len(game.pieces)))
    for record, entrant in zip(bank, entrants):
        if entrant.bans:
            raise Refusal(f"bans of player {entrant.name!r}: {game.title} has no bans")
        if entrant.deck is not None and not game.has_decks:
            raise Refusal(f"deck of player {entrant.name!r}: {game.title} has no decks")
        if entrant.deck is None or entrant.deck == "random":
            continue
        if entrant.deck_counts is None:
            raise Refusal(f"deck {entrant.deck!r}: {game.title} has no bot that builds decks")
        record["has_deck"] = 1
        for piece, copies in entrant.deck_counts.items():
            if copies != int(copies) or not 0 <= copies <= MOST_COPIES:
                raise Refusal(f"deck {entrant.deck!r}: {copies:g} copies of {piece}; write a whole number")
            record["deck"][game.pieces.index(piece)] = int(copies)
    return bank
