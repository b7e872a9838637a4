"""Everything a designer may turn: set-up, cards, board values, and the readings of unclear rules.

`ruling` names the entry of `facts/rulings.toml` or `facts/stand_ins.toml` that a parameter decides.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sim.core.params import rule, setting

CARDS = (
    "Drifting",
    "Ultra Drifting",
    "Splitting",
    "Ultra Splitting",
    "Orogeny",
    "Moving",
    "Migrating",
    "Breeding",
    "Reproducing",
    "Evolving",
    "Mutating",
)
LEVELS = 4
PIECES = (*CARDS, *(f"Pawn {level}" for level in range(1, LEVELS + 1)))
STARTS = ("NW", "NE", "SE", "SW")
"""The four continents at the start, clockwise; a map file numbers them 1 to 4."""
MAX_ROUNDS = 8
FROM_DECK = -1
"""In `counts` and `points`: as the deck says."""

Target = Literal["own continent", "any continent"]
Count = Annotated[int, Field(ge=FROM_DECK, le=12)]
Pawns = Annotated[int, Field(ge=0, le=9)]


class PawnCounts(BaseModel):
    """How many pawns of each level a player has."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    level_1: Pawns = Field(default=5, alias="1")
    level_2: Pawns = Field(default=2, alias="2")
    level_3: Pawns = Field(default=1, alias="3")
    level_4: Pawns = Field(default=1, alias="4")


class ByCard(BaseModel):
    """A number for each kind of card; -1: as the deck says."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    drifting: Count = Field(default=FROM_DECK, alias="Drifting")
    ultra_drifting: Count = Field(default=FROM_DECK, alias="Ultra Drifting")
    splitting: Count = Field(default=FROM_DECK, alias="Splitting")
    ultra_splitting: Count = Field(default=FROM_DECK, alias="Ultra Splitting")
    orogeny: Count = Field(default=FROM_DECK, alias="Orogeny")
    moving: Count = Field(default=FROM_DECK, alias="Moving")
    migrating: Count = Field(default=FROM_DECK, alias="Migrating")
    breeding: Count = Field(default=FROM_DECK, alias="Breeding")
    reproducing: Count = Field(default=FROM_DECK, alias="Reproducing")
    evolving: Count = Field(default=FROM_DECK, alias="Evolving")
    mutating: Count = Field(default=FROM_DECK, alias="Mutating")


class Parameters(BaseModel):
    """Parameters of Drifting Lands, in the order of the rulebook."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    # set-up
    map: str = setting("devonian", "name of a map or a map file", "G12, G14")
    equal_continents: bool = setting(True, "every continent of a map must have a quarter of the tiles")
    team_variety: bool = rule(False, "four players as two teams, A and C against B and D", "R57")
    rounds: int = rule(4, "rounds of play", ge=1, le=MAX_ROUNDS)
    cards_per_round: int = rule(4, "cards that each player selects and plays in a round", ge=1, le=8)
    unused_cards: int = setting(8, "cards of a deck that are never played; they score", "G3", ge=0, le=40)
    start_pawns: int = rule(4, "level-1 pawns that each player places at the start", "G14", ge=1, le=6)
    pawns: PawnCounts = Field(
        default_factory=lambda: PawnCounts(),
        description="pawns of this level that each player has",
        json_schema_extra={"ruling": "G9"},
    )
    start_continents: Literal["chosen", "drawn", "by seat"] = rule(
        "chosen",
        "who starts where: chosen by the players, drawn for each deal, or clockwise from NW by seat (two: NW, SE)",
    )
    start_order: Literal["first player first", "last player first"] = rule(
        "first player first", "in which order the starting continents are chosen", "R61"
    )
    two_player_start: Literal["diagonal", "any"] = rule(
        "diagonal", "with 2 players the second to choose has the continent diagonally opposite, or any other"
    )

    # the decks
    deck: str = setting("stand_in", "name of a deck or a TOML file with [counts] and [points]", "G4, G5")
    counts: ByCard = Field(
        default_factory=lambda: ByCard(),
        description="copies of this card in each deck (-1: as the deck says)",
        json_schema_extra={"rules": False, "ruling": "G4"},
    )
    points: ByCard = Field(
        default_factory=lambda: ByCard(),
        description="basic points of this card when it is left unused (-1: as the deck says)",
        json_schema_extra={"ruling": "G5"},
    )
    lever: Literal["none", "withheld", "given", "both"] = rule(
        "none",
        "one copy of one kind of card, drawn for each deal, is withheld from or given to one player: what that "
        "does to its chances is caused by the card",
    )

    # continents
    drifting_phase: Literal["must", "may"] = rule("must", "a continent must or may be moved", "R4")
    continents_merge: bool = rule(
        True, "continents that touch are one; false: a tile belongs to its continent for good", "R1"
    )
    drifting_target: Target = rule("own continent", "what the card Drifting may move", "G6")
    splitting_target: Target = rule("own continent", "what the card Splitting may split", "G6")
    ultra: Literal["any continent", "two spaces", "both"] = rule(
        "any continent", "how the Ultra cards are stronger: any continent, two spaces, or both", "R3"
    )
    split_parts: Literal["apart", "any"] = rule(
        "apart",
        "'apart': both parts in one piece and not touching after the split; 'any': a part in one piece moves",
        "R13",
    )
    split_list: int = rule(
        256, "parts offered for one continent and direction; of more, this many are drawn", ge=1, le=512
    )
    orogeny_target: Target = rule("own continent", "where Orogeny may raise a mountain", "R19")
    orogeny_cut: bool = rule(True, "Orogeny may cut a continent in two", "R21")

    # pawns
    steps_moving: int = rule(3, "steps of Moving", ge=1, le=9)
    steps_migrating: int = rule(5, "steps of Migrating", ge=1, le=9)
    cost_up_one: int = rule(2, "steps that one landscape up costs", "R28", ge=1, le=9)
    cost_up_two: int = rule(3, "steps from ocean to a mountain", "R28", ge=1, le=9)
    expel_back: bool = rule(True, "an expelled pawn may go where the mover came from", "R33")
    expelling: Literal["must", "may remove"] = rule(
        "must", "a pawn is expelled if there is room, or may be removed instead", "R34"
    )
    mutating: Literal["illegal", "as one"] = rule(
        "illegal", "Mutating a pawn that cannot rise by two: not at all, or by one", "R43"
    )
    decline: bool = rule(False, "a card may be played without effect although it could have one", "R46")

    # scoring
    tile_value: Literal["latitude", "printed", "flat"] = rule(
        "latitude",
        "a tile is worth what its space is worth, what is printed on it, or the same everywhere",
        "G11",
    )
    equator_value: int = setting(3, "worth of a space within a row of the equator", "G11", ge=0, le=9)
    middle_value: int = setting(
        2, "worth of a space 2 or 3 rows off, or of every tile ('flat')", "G11", ge=0, le=9
    )
    polar_value: int = setting(1, "worth of a space farther off", "G11", ge=0, le=9)
    mountain_factor: int = rule(2, "how often a mountain counts", ge=0, le=4)
    threshold: int = rule(2, "levels that a player must have more of to score a continent", ge=0, le=9)
    threshold_for: Literal["two players", "all", "nobody"] = rule(
        "two players", "with how many players the threshold holds"
    )
    threshold_second: Literal["everybody", "first only"] = rule(
        "everybody", "who must exceed the threshold: whoever scores, or the first place alone", "R51"
    )
    tie_break: Literal["pawns", "levels", "none"] = rule(
        "pawns", "equal points are decided by pawns on the board, by their levels, or not at all", "R56"
    )
