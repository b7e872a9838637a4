"""From parameters and players to the records of one experiment cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal
from sim.core.game import Cell, Entrant, validated
from sim.core.params import fill_rules, flatten
from sim.games.migrato.decks import copies_of, piece_code
from sim.games.migrato.rules import state as records
from sim.games.migrato.rules.lengths import fill_lengths
from sim.games.migrato.rules.params import PIECES, Parameters

LEFT_OUT = {"kind": "piece set", "sep": "+", "none": "none", "did": "left out"}
LEVER = {"column": "assigned", "text": "random opening hands"}


def parse_left_out(value: str | list[str]) -> tuple[int, list[int]]:
    """Return (how many cards are drawn for each deal, pieces that are always left out)."""
    if isinstance(value, str):
        words = value.split()
        if words and words[0] == "random":
            if len(words) != 2 or not words[1].isdecimal() or not 0 < int(words[1]) <= 20:
                raise Refusal(f"left_out = {value!r}: write 'random 1', with a number from 1 to 20")
            return int(words[1]), []
        value = (
            [] if value == "none" else [part for part in value.replace("+", ",").split(",") if part.strip()]
        )
    return 0, [piece_code(name.strip(), "left_out") for name in value]


def check_flags(model: Parameters) -> None:
    """Refuse settings that contradict each other."""
    if model.memory < 1 and model.hidden_check == "true_cards":
        raise Refusal(
            "hidden_check = 'true_cards' needs memory = 1.0: legal moves would tell a player what it has forgotten"
        )
    if model.five_stilts != "no":
        if model.max_column_length < 5:
            raise Refusal(
                f"five_stilts = {model.five_stilts!r} can never apply: "
                f"max_column_length is {model.max_column_length}"
            )
        if model.five_stilts == "move" and not model.merge_arrives:
            raise Refusal("five_stilts = 'move' can never apply: merge_arrives is false")
    most = max(model.objective.model_dump().values())
    if most > model.max_column_length:
        raise Refusal(
            f"max_column_length = {model.max_column_length}: a species with objective {most} could never arrive"
        )


def make_rules(model: Parameters, base: Path | None = None, any_deck: bool = False) -> Any:
    """Return the rules record (array of length 1) for checked parameters.

    `any_deck` leaves the deck unchecked, for positions that are laid by hand.
    """
    check_flags(model)
    bank = np.zeros(1, dtype=records.Rules)
    rules = bank[0]
    fill_rules(model, rules)
    dangers = model.dangers.model_dump(by_alias=True)
    copies = copies_of(model.deck, dangers, model.check_deck and not any_deck, base)
    drawn, always = parse_left_out(model.left_out)
    for code in always:
        copies[code] -= 1
        if copies[code] < 0:
            raise Refusal(f"left_out: the deck has no {PIECES[code]} to leave out")
    if drawn > sum(n > 0 for n in copies):
        raise Refusal(f"left_out = {model.left_out!r}: the deck has fewer kinds of cards")
    rules["copies"] = copies
    rules["left_out"] = drawn
    rules["cards"] = sum(copies) - drawn
    fill_lengths(model, rules)
    if rules["cards"] < 2 * model.hand_size + 1 and not any_deck:
        raise Refusal(
            f"hand_size = {model.hand_size}: a deck of {rules['cards']} cards is too small for two hands"
        )
    return bank


def prepare(parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None) -> Cell:
    """Check one cell and make its records."""
    model: Parameters = validated(Parameters, parameters)
    if n_players != 2 or len(entrants) != 2:
        raise Refusal(f"players.count = {n_players}: Migrato is for 2 players")
    for entrant in entrants:
        if entrant.deck_counts is not None or entrant.deck not in (None, "random"):
            raise Refusal(f"player {entrant.name!r}: both play with one deck, the parameter 'deck'")
        if entrant.bans:
            raise Refusal(f"player {entrant.name!r}: Migrato has no bans of one player; see 'left_out'")
    bank = make_rules(model, base)
    rules = bank[0]
    drawn = {"left_out": dict(LEFT_OUT)} if int(rules["left_out"]) else {}
    kinds = {(e.bot, str(sorted(e.bot_options.items()))) for e in entrants}
    return Cell(
        parameters=flatten(model),
        players=2,
        drawn=drawn,
        rules=bank,
        entrants=np.zeros(2, dtype=records.Entrant),
        bots=[(e.bot, dict(e.bot_options)) for e in entrants],
        lever=dict(LEVER),
        piece_total=model.hand_size,
        moves=len(kinds) > 1,
        drawn_width=max(1, int(rules["left_out"])),
        in_play=tuple(piece for piece, copies in zip(PIECES, rules["copies"]) if copies),
    )
