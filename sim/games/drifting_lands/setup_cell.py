"""From parameters, players, map and deck to the records of one experiment cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal
from sim.core.game import Cell, Entrant, validated
from sim.core.params import fill_rules, flatten
from sim.games.drifting_lands.board import MAPS, Board, near, validate, worth_of
from sim.games.drifting_lands.decks import DECKS, Deck, by_card
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.params import CARDS, FROM_DECK, PIECES, ByCard, Parameters

MOST_PAWNS = 12
START = {"kind": "seat level", "sep": "+", "word": "continent"}


def prepare(parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None) -> Cell:
    """Check one cell and make its records."""
    model: Parameters = validated(Parameters, parameters)
    if not 2 <= n_players <= records.MAX_PLAYERS:
        raise Refusal(
            f"players.count = {n_players}: Drifting Lands is for 2 to {records.MAX_PLAYERS} players"
        )
    if len(entrants) != n_players:
        raise Refusal(f"{len(entrants)} players are described, but players.count is {n_players}")
    if model.team_variety and n_players != records.MAX_PLAYERS:
        raise Refusal(f"team_variety = true is for 4 players, players.count is {n_players}")
    board = MAPS.load(model.map, base)
    file = model.map if model.map.endswith(".toml") else ""
    validate(board, model.start_pawns, model.equal_continents, file)
    model = with_deck(model, DECKS.load(model.deck, base))
    check_pawns(model)
    bank = make_entrants(model, n_players, entrants)
    lever = None
    if model.lever != "none":
        words = {"withheld": "withheld from", "given": "given to", "both": "withheld from or given to"}
        text = f"one copy of one card is {words[model.lever]} one player in each deal"
        lever = {"column": "assigned", "text": text}
    drawn = {}
    if model.start_continents != "by seat":
        drawn["start"] = {**START, "chosen": model.start_continents == "chosen"}
    kinds = [(e.bot, str(sorted(e.bot_options.items())), bank[k].tobytes()) for k, e in enumerate(entrants)]
    return Cell(
        parameters=flatten(model),
        players=n_players,
        drawn=drawn,
        rules=make_rules(model, n_players, board),
        entrants=bank,
        bots=[(e.bot, dict(e.bot_options)) for e in entrants],
        lever=lever,
        piece_total=None,
        moves=len(set(kinds)) > 1,
        board=board,
        in_play=tuple(
            piece
            for k, piece in enumerate(PIECES)
            if k >= len(CARDS) or bank["drifting_lands_deck"][:, k].any()
        ),
    )


def with_deck(model: Parameters, deck: Deck) -> Parameters:
    """Return the parameters with the counts and points in force: the deck's, where none are given."""

    def filled(own: ByCard, from_deck: tuple[int, ...]) -> ByCard:
        names = list(ByCard.model_fields)
        changed = {n: v for n, v in zip(names, from_deck) if getattr(own, n) == FROM_DECK}
        return own.model_copy(update=changed)

    changes = {"counts": filled(model.counts, deck.counts), "points": filled(model.points, deck.points)}
    return model.model_copy(update=changes)


def check_pawns(model: Parameters) -> None:
    """Refuse a supply that cannot be: too few pawns to begin with, or too many for the board."""
    supply = list(model.pawns.model_dump().values())
    if supply[0] < model.start_pawns:
        raise Refusal(f"pawns.1 = {supply[0]}: {model.start_pawns} level-1 pawns are placed at the start")
    if sum(supply) > MOST_PAWNS:
        raise Refusal(f"pawns: {sum(supply)} pawns a player, at most {MOST_PAWNS} are possible")


def check_deck(model: Parameters, counts: list[int], what: str) -> None:
    """Refuse a deck that does not leave as many cards unused as it should."""
    played, total = model.rounds * model.cards_per_round, sum(counts)
    if total != played + model.unused_cards:
        raise Refusal(
            f"{what}: {total} cards, of which {played} are played ({model.rounds} rounds of "
            f"{model.cards_per_round}): that leaves {total - played} unused, not {model.unused_cards}"
        )
    if model.lever in ("withheld", "both") and model.unused_cards < 1:
        raise Refusal(f"lever = {model.lever!r} needs a card that is left unused; unused_cards is 0")


def make_entrants(model: Parameters, n_players: int, entrants: list[Entrant]) -> Any:
    """Return the players' records: each one's own deck, or the deck of all."""
    bank = np.zeros(n_players, dtype=records.Entrant)
    common = list(model.counts.model_dump().values())
    for record, entrant in zip(bank, entrants):
        if entrant.bans:
            raise Refusal(
                f"bans of player {entrant.name!r}: Drifting Lands has no bans; see lever and counts"
            )
        counts, what = common, f"deck {model.deck!r}"
        if entrant.deck_counts is not None:
            what = f"deck {entrant.deck!r}"
            counts = list(by_card(entrant.deck_counts, what, 12))
        check_deck(model, counts, what)
        record["drifting_lands_deck"] = counts
    return bank


def make_rules(model: Parameters, n_players: int, board: Board) -> Any:
    """Return the rules record (array of length 1) for checked parameters on any board, legal map or not."""
    bank = np.zeros(1, dtype=records.Rules)
    rules = bank[0]
    fill_rules(model, rules)
    rules["drifting_lands_players"] = n_players
    rules["n_spaces"] = len(board.spaces)
    number = {space: k for k, space in enumerate(board.spaces)}
    rules["near"] = -1
    rules["first_label"] = -1
    for space, k in number.items():
        rules["q"][k], rules["r"][k] = space
        rules["near"][k] = [number.get(other, -1) for other in near(space)]
        if space in board.land:
            rules["first_land"][k] = records.PLAIN
            rules["first_label"][k] = board.land[space]
    flat = model.tile_value == "flat"
    worth = worth_of(board, model.equator_value, model.middle_value, model.polar_value, flat)
    rules["value"][: len(worth)] = worth
    for c, spaces in enumerate(board.starts):
        for k, space in enumerate(spaces[: records.MAX_START_SPACES]):
            rules["start_space"][c, k] = number[space]
    return bank
