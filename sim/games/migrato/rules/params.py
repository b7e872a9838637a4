"""Everything a designer may turn: the two published rule sets as bundles of flags, numbers, and readings.

`ruling` names the entry of `facts/rulings.toml` (A..) or the difference between the rule sets (D..) that a
parameter decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sim.core.params import rule, setting

SPECIES = ("Brant", "Kite", "Stilt", "Bee-eater", "Teal")
LETTERS = "BKSET"
MOST_BIRDS = 6
BY_DAY, BY_NIGHT = (True, True, False, True, True), (True, False, True, False, True)
"""Which species have day cards and which have night cards."""
DANGERS = ("Hunter", "Light Pollution", "Habitat Destruction")
_BIRD_CARDS = tuple(
    (species, birds, night)
    for species in range(len(SPECIES))
    for birds in range(1, MOST_BIRDS + 1)
    for night in (False, True)
    if (BY_NIGHT if night else BY_DAY)[species]
)
N_BIRDS = len(_BIRD_CARDS)
CARD_SPECIES = tuple(card[0] for card in _BIRD_CARDS)
CARD_BIRDS = tuple(card[1] for card in _BIRD_CARDS)
CARD_NIGHT = tuple(card[2] for card in _BIRD_CARDS)


def _name(species: int, birds: int, night: bool) -> str:
    both = BY_DAY[species] and BY_NIGHT[species]
    return f"{SPECIES[species]} {birds}" + (" night" if night else " day") * both


def _short(species: int, birds: int, night: bool) -> str:
    both = BY_DAY[species] and BY_NIGHT[species]
    return f"{LETTERS[species]}{birds}" + ("N" if night else "D") * both


PIECES = (*(_name(*card) for card in _BIRD_CARDS), *DANGERS)
"""Every card that a deck may hold, by name; how many copies there are is the deck's matter."""
SHORT = (*(_short(*card) for card in _BIRD_CARDS), "Xd", "Xn", "Xdn")
"""The same cards as positions and actions write them."""

MOST_COLUMNS, MOST_LENGTH, MOST_HAND, MOST_CARDS = 6, 7, 8, 96

PRINTED: dict[str, Any] = {
    "rearrange": "split_or_merge",
    "hidden_check": "true_cards",
    "arrival_purge": "all_cards",
    "steal_from_arrived": False,
    "optional_reveal": False,
    "five_stilts": "no",
    "deduction_bans": False,
    "teal4_on_day5": True,
    "overlen": "forbidden",
}
DIGITAL: dict[str, Any] = {
    "rearrange": "move_tail",
    "hidden_check": "visible_only",
    "arrival_purge": "visible_columns",
    "steal_from_arrived": True,
    "optional_reveal": True,
    "five_stilts": "move",
    "deduction_bans": True,
    "teal4_on_day5": False,
    "overlen": "forbidden",
}
BUNDLES = {"printed": PRINTED, "digital": DIGITAL}

Objective = Annotated[int, Field(ge=1, le=MOST_LENGTH)]
Copies = Annotated[int, Field(ge=0, le=9)]


class Objectives(BaseModel):
    """How many cards a column of each species needs to arrive."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    brant: Objective = Field(default=5, alias="Brant")
    kite: Objective = Field(default=4, alias="Kite")
    stilt: Objective = Field(default=4, alias="Stilt")
    bee_eater: Objective = Field(default=3, alias="Bee-eater")
    teal: Objective = Field(default=2, alias="Teal")


class DangerCounts(BaseModel):
    """How many of each danger card are in the deck."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    hunter: Copies = Field(default=2, alias="Hunter")
    habitat: Copies = Field(default=2, alias="Habitat Destruction")
    light: Copies = Field(default=1, alias="Light Pollution")


class Parameters(BaseModel):
    """Parameters of Migrato: the rule set and its flags first, then numbers and readings."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    # the rule set, and the flags that it is a bundle of (defaults: printed)
    rules: Literal["printed", "digital"] = setting(
        "printed", "which published rules are played: sets every flag below that is not given itself"
    )
    rearrange: Literal["split_or_merge", "move_tail"] = rule(
        "split_or_merge",
        "what may be done with columns: split one or merge two, or move a card and all laid after it",
        "D4",
    )
    hidden_check: Literal["true_cards", "visible_only"] = rule(
        "true_cards",
        "whether one's own face-down cards bind what one may lay on them, or only what is visible does",
        "A2, D11",
    )
    arrival_purge: Literal["all_cards", "visible_columns", "visible_cards"] = rule(
        "all_cards",
        "what an arrival takes from the other columns: all cards of the species, columns that show it, or "
        "visible cards of it",
        "A33, A34, D13",
    )
    steal_from_arrived: bool = rule(False, "a danger card may take the top card of an arrived pile", "D14")
    optional_reveal: bool = rule(
        False, "after a merge or move into a column that lies all face down, turning it up is optional", "D19"
    )
    five_stilts: Literal["no", "move", "any"] = rule(
        "no",
        "a column of five Stilts arrives: never, after a merge or move, or also after a play",
        "A12, A13, D20",
    )
    deduction_bans: bool = rule(
        False,
        "the list of placements that can never come right is forbidden (Kite and Bee-eater, Teal)",
        "D10",
    )
    teal4_on_day5: bool = rule(True, "deduction_bans spare the night Teal 4 on the day Teal 5", "A5")
    overlen: Literal["forbidden", "allowed"] = rule(
        "forbidden", "a column longer than the objective of its species", "A14, A16"
    )

    # the deck
    deck: str = setting("stand_in_v1", "a deck by name, or a TOML file of one's own", "F1")
    check_deck: bool = setting(
        True, "the deck must keep the totals of each species and what the rules say of single cards", "F1"
    )
    dangers: DangerCounts = Field(
        default_factory=lambda: DangerCounts(),
        description="danger cards of this kind in the deck",
        json_schema_extra={"rules": False},
    )
    left_out: str | list[str] = setting(
        "none", "'none', 'random K' (K single cards drawn for each deal), or a list of cards, one copy each"
    )

    # numbers
    hand_size: int = rule(3, "cards in a hand", ge=1, le=MOST_HAND)
    max_columns: int = rule(4, "columns that a player may have in flight", "A20", ge=1, le=MOST_COLUMNS)
    max_column_length: int = rule(5, "cards in a column at most", "D8", ge=2, le=MOST_LENGTH)
    objective: Objectives = Field(
        default_factory=lambda: Objectives(),
        description="cards that a column of this species needs to arrive",
        json_schema_extra={"ruling": ""},
    )
    turn_cap: int = rule(
        300, "turns of both players together after which a game is cut off", "A54", ge=2, le=5000
    )
    memory: float = rule(
        1.0, "chance to remember one's own face-down card through each of one's turns", "A47", ge=0.0, le=1.0
    )

    # readings: what may be laid where
    mixed: Literal["forbidden", "allowed"] = rule("forbidden", "several species in one column", "A1")
    hidden_order: Literal["lowest visible", "ignore"] = rule(
        "lowest visible",
        "visible_only: what a card is compared with when the last card lies face down",
        "A3",
    )
    night_on_teal1: bool = rule(False, "deduction_bans spare night cards on the day Teal 1", "A6")
    day_on_hidden: bool = rule(True, "a day card may be laid on a column that lies all face down", "A7")
    overlen_by: Literal["played card", "visible"] = rule(
        "played card", "visible_only: whose objective bounds a play on a column all face down", "A9"
    )

    # readings: arrival
    reveal_by: Literal["played card", "true contents"] = rule(
        "played card", "visible_only: whose objective turns up a column that lies all face down", "A10"
    )
    reveal_offer: Literal["arrival lengths", "any length"] = rule(
        "arrival lengths", "when an optional reveal is offered", "A11"
    )
    incomplete_reveal: Literal["discard", "return"] = rule(
        "discard", "a column turned up by choice that is in order but too short", "A56"
    )
    merge_arrives: bool = rule(True, "a merge or move that reaches the objective arrives", "A15")
    void_ends_turn: bool = rule(False, "a column turned up in vain ends the turn without a discard", "A36")

    # readings: rearranging
    null_move: bool = rule(False, "move_tail: a whole column may be moved to a new place", "A19")
    undo_moves: bool = rule(
        True, "false: no rearrangement may restore what lay before the mover's last turn", "A22"
    )

    # readings: danger cards
    danger_without_target: Literal["illegal", "wasted"] = rule(
        "illegal", "playing a danger card that nothing can be taken with", "A23"
    )
    steal: Literal["compulsory", "optional"] = rule(
        "compulsory", "whether a danger card that is played must take a card", "A24"
    )
    discard_stolen: bool = rule(True, "the stolen card may be the compulsory discard of the turn", "A25")
    lone_card: Literal["stealable", "protected"] = rule(
        "stealable", "taking the only card of a column", "A27"
    )
    danger_reach: Literal["last card", "last of phase"] = rule(
        "last card", "whether a danger card reaches below a last card of the other phase", "A29"
    )
    pile_phase: Literal["top", "any"] = rule(
        "top", "which danger cards take from an arrived pile: those of its top card's phase, or any", "A30"
    )
    reduced_pile: Literal["arrived", "lost"] = rule(
        "arrived", "a pile robbed below its objective stays arrived, or is lost and may be flown again", "A31"
    )

    # readings: discard, deck, end
    discard_kinds: Literal["any", "birds"] = rule("any", "cards that may be the compulsory discard", "A37")
    rebuild: Literal["when needed", "when empty"] = rule(
        "when needed", "when the discards become a new deck", "A39"
    )
    discard_memory: Literal["all", "top"] = rule("all", "what searching bots may know of the discards", "A48")
    end: Literal["species", "settlements"] = rule(
        "species", "the game ends with the fifth species over both players, or with five piles in all", "A42"
    )
    finish: Literal["at once", "turn", "round"] = rule(
        "at once", "when it then ends: at once, after that turn, or after equal turns", "A43"
    )
    ties: Literal["draw", "settlements", "settlements then second"] = rule(
        "draw", "equal totals: a draw, more settlements, and then the second player", "A45"
    )

    @model_validator(mode="before")
    @classmethod
    def _flags_of_the_bundle(cls, values: Any) -> Any:
        """Fill in the flags that are not given: those of the rule set; forgetful players see only what is visible."""
        if not isinstance(values, Mapping):
            return values
        flags = dict(BUNDLES.get(str(values.get("rules", "printed")), PRINTED))
        memory = values.get("memory", 1.0)
        if isinstance(memory, float | int) and memory < 1:
            flags["hidden_check"] = "visible_only"
        return {**flags, **values}
