"""Everything a designer may turn: numbers, the shape of each ability, and the readings of unclear rules.

`ruling` names the entry of `facts/rulings.toml` that a parameter decides.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from sim.core.params import rule, setting

PIECES = (
    "Bass",
    "Oak",
    "Rats",
    "Sparrow",
    "Fly",
    "Wolf",
    "Skunk",
    "Poison Oak",
    "Jackal",
    "Lizard",
    "Cactus",
)
BOOK_ONE = 5
"""The first five pieces are those of Book I."""
SWITCHES = (
    "optional_payments",
    "must_wander",
    "stack_second",
    "no_migration",
    "nostalgia",
    "no_expansion",
    "famine",
    "aggression",
    "strife",
)
"""What an Age Card can turn on; a card is a set of these."""
AGE_CARDS: dict[str, tuple[str, ...]] = {
    "Exploration": ("optional_payments",),
    "Wandering": ("must_wander",),
    "Cooperation": ("stack_second",),
    "Treaties": ("no_migration",),
    "Nostalgia": ("nostalgia",),
    "Restlessness": ("no_expansion",),
    "Famine": ("famine",),
    "Aggression": ("aggression",),
    "Strife": ("strife",),
}
MAX_CARDS = 16
LASTING = ("Fertile", "Mountain", "Deep Woods", "Desert")

Concerns = Literal["nobody", "enemies", "own", "all"]
MOST_COPIES = 12
Count = Annotated[int, Field(ge=0, le=MOST_COPIES)]


class SetCounts(BaseModel):
    """How many copies of each Explorer one colour's set holds."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    bass: Count = Field(default=3, alias="Bass")
    oak: Count = Field(default=3, alias="Oak")
    rats: Count = Field(default=3, alias="Rats")
    sparrow: Count = Field(default=3, alias="Sparrow")
    fly: Count = Field(default=3, alias="Fly")
    wolf: Count = Field(default=3, alias="Wolf")
    skunk: Count = Field(default=2, alias="Skunk")
    poison_oak: Count = Field(default=2, alias="Poison Oak")
    jackal: Count = Field(default=3, alias="Jackal")
    lizard: Count = Field(default=3, alias="Lizard")
    cactus: Count = Field(default=2, alias="Cactus")


class ModifierCounts(BaseModel):
    """How many of each terrain modifier the box holds."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    fertile: Count = Field(default=8, alias="Fertile")
    lake: Count = Field(default=2, alias="Lake")
    mountain: Count = Field(default=2, alias="Mountain")
    deep_woods: Count = Field(default=2, alias="Deep Woods")
    desert: Count = Field(default=2, alias="Desert")
    oasis: Count = Field(default=2, alias="Oasis")


def _as_list(value: Any) -> Any:
    """Take ``"Fertile, Desert"`` and tuples for lists."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if isinstance(value, tuple) else value


AgeNames = Annotated[list[str], BeforeValidator(_as_list)]
Terrains = Annotated[list[Literal["Fertile", "Mountain", "Deep Woods", "Desert"]], BeforeValidator(_as_list)]


class Parameters(BaseModel):
    """Parameters of Migration, in the order of the rulebook."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    # what is played, and how it is drawn
    map: str = setting(
        "default",
        "name of a map family or a map file; 'founder': a random legal founding per deal; "
        "'founder-bot': the Founder's bot lays it",
    )
    teams: str = setting(
        "random",
        "'random': drawn from the set (or from what was drafted); 'bot' or 'bot:STYLE': built by the bot; "
        "else the name of a deck",
    )
    bans: str | list[str] = setting(
        "none", "'none', 'random K' (drawn per deal by the printed procedure), or a list of pieces"
    )
    books: Literal["both", "I"] = rule("both", "which Books' Explorers are in the set")
    abilities: bool = rule(
        True, "false: the basic game, every Explorer plain, first Towns on the coast", "G5"
    )
    hand_size: int = rule(12, "Explorers in a team", "F4", ge=1, le=30)
    set_counts: SetCounts = Field(
        default_factory=lambda: SetCounts(),
        description="copies of this Explorer in one set",
        json_schema_extra={"ruling": "F3"},
    )
    ban_method: Literal["printed", "uniform"] = rule(
        "printed",
        "how 'random K' bans are drawn: card by card with repair, or uniformly over legal sets",
        "G1",
    )
    first_player: Literal["left of founder", "drawn"] = rule(
        "left of founder", "who goes first with 3 or 4 players (never the Founder)", "A13"
    )
    bass_required: bool = rule(False, "true: every team must hold a Bass (unless banned)", "A12")

    # variants
    draft: bool = rule(False, "teams come from a Draft: I split, you choose")
    draft_cap: Literal["team", "pool"] = rule(
        "team", "at most hand_size Explorers of what was drafted make the team, or all of it", "G4"
    )
    draft_bass: Literal["pool", "extra"] = rule(
        "pool", "the Bass that everybody adds enters the pool, or comes on top of the team", "E34"
    )
    draft_bans: Literal["removed", "void"] = rule(
        "removed", "banned Explorers are taken out before the Draft, or dealt and void", "G3"
    )
    oaths: bool = rule(False, "exactly two Explorers of each hand lie open, and only they may be established")
    age_mode: Literal["none", "scenario", "era", "agenda"] = rule("none", "how Age Cards come into play")
    age: str = setting("random", "the card of a scenario; 'random': drawn for each deal")
    age_cards: AgeNames = Field(
        default=list(AGE_CARDS),
        description="the Age Cards in the deck",
        json_schema_extra={"rules": False, "range": list(AGE_CARDS)},
    )
    age_file: str = setting("", "a TOML file of own Age Cards: [card.NAME] switches = [...]")
    adjacent_migration: bool = rule(
        False, "a placement next to the Spirit may be called a Migration of cost 0", "B1"
    )

    # the land
    plate_shapes: Literal["flower", "bars", "star and triangle", "any"] = rule(
        "flower", "shapes of the two halves of an Island Plate", "F6"
    )
    modifier_counts: ModifierCounts = Field(
        default_factory=lambda: ModifierCounts(),
        description="terrain modifiers of this kind in the box",
        json_schema_extra={"ruling": "F9"},
    )
    enclosed_sea: Literal["coastal", "neither"] = rule(
        "coastal",
        "Region that touches only an enclosed sea hole: coastal, or neither coastal nor Interior",
        "A2",
    )
    islands: Literal["allowed", "forbidden"] = rule("allowed", "whether a half plate may lie apart", "A3")
    modifiers_per_region: int = rule(1, "terrain modifiers that may share a Region", "A6", ge=1, le=3)
    covered_forest: Literal["lost", "kept"] = rule("lost", "a Forest symbol under a terrain modifier", "A7")
    sea_desert_is_region: bool = rule(
        True,
        "a Desert in the sea counts for coast, lines and the Bass; false: Expansion and Interior only",
        "A8",
    )
    persistent: Terrains = Field(
        default=["Fertile", "Mountain", "Deep Woods", "Desert"],
        description="terrain that goes on while the Region is covered",
        json_schema_extra={"ruling": "D9", "rules": False, "range": list(LASTING)},
    )

    # Expansion, Migration, payment
    migrate_over_ocean: Literal["never", "free", "paid"] = rule(
        "never", "Migration across sea: never, free of charge, or one Explorer a sea hex", "A1"
    )
    short_payment: Literal["illegal", "what you can"] = rule("illegal", "a hand too small to pay", "B3")
    pay_on_wasteland: bool = rule(True, "Regions that are already Wasteland are paid for again", "B4")
    entry_with_spirit: bool = rule(
        True, "placing without the Spirit is allowed while it is on the board", "B9"
    )

    # the course of play
    voluntary_pass: bool = rule(True, "a player may pass although it could move", "B12")
    comeback: bool = rule(True, "after a pass one may move again on a later turn", "B13")
    effects_on_pass: bool = rule(True, "end-of-turn effects run in a passed turn", "B15")
    end_rule: Literal["auto", "position", "full round"] = rule(
        "auto",
        "the game is over when nobody can move now ('position'), and a round of passed turns could give nobody "
        "a move ('full round'); 'auto': the former, but Wolf flips and the variants as the latter",
        "B17, G2",
    )

    # scoring
    fertile_points: int = rule(1, "extra points of a Town on a Fertile Region", ge=0, le=9)
    desert_penalty: int = rule(1, "points a Town on a Desert loses", ge=0, le=9)
    fertile_after_floor: bool = rule(
        False, "Fertile points are added after a Town's worth is floored at 0", "B29, G6"
    )

    # Bass, Oak, Rats, Sparrow, Fly
    bass_enters: Literal["coast", "anywhere", "nowhere"] = rule("coast", "where the Bass needs no Spirit")
    bass_on_wasteland: bool = rule(False, "the Bass may also enter on coastal Wasteland", "B11")
    oak_from: Literal["anywhere", "board", "never"] = rule(
        "anywhere", "from where the Spirit may go to an Oak", "B23"
    )
    rats_points: int = rule(2, "worth of a Rats Town", "C44", ge=0, le=9)
    sparrow_over_towns: bool = rule(True, "the Sparrow may Migrate over Towns")
    sparrow_must_cover: bool = rule(True, "Towns under a Sparrow must be paid for and covered", "C6")
    mountain_stops_sparrow: bool = rule(False, "a Town on a Mountain blocks the Sparrow", "C7")
    sparrow_over_deep_woods: bool = rule(False, "the Sparrow may Migrate over Deep Woods", "C8")
    fly_lands_by: Literal["both", "expansion", "migration", "never"] = rule(
        "both", "how the Fly may land on Wasteland", "C1"
    )

    # Wolf, Skunk, Poison Oak
    wolf_enters: Literal["forest", "anywhere", "nowhere"] = rule("forest", "where the Wolf needs no Spirit")
    wolf_needs: int = rule(2, "adjacent Wolves that flip a Town", "C20", ge=1, le=6)
    wolf_exactly: bool = rule(False, "exactly that many Wolves, not more", "C20")
    wolf_concerns: Concerns = rule("enemies", "whose Towns Wolves flip")
    skunk_concerns: Concerns = rule("enemies", "whom the Skunk keeps from establishing Towns", "C11, C15")
    poison_oak_concerns: Concerns = rule("enemies", "whose Spirits the Poison Oak removes", "C26")

    # Jackal, Lizard, Cactus
    jackal_base: int = rule(1, "worth of a Jackal Town without Wasteland", "C45", ge=0, le=9)
    jackal_points: int = rule(1, "points of a Jackal for each adjacent Wasteland", "C45", ge=0, le=9)
    jackal_counts: Literal["region", "piece"] = rule(
        "region", "Wasteland counted by Region or by piece", "B7"
    )
    lizard_bonus: bool = rule(True, "the Lizard gives another Expansion or Migration")
    lizard_flips: bool = rule(True, "the Lizard flips after its bonus", "C30")
    lizard_trigger: Literal["established", "any move"] = rule(
        "established", "bonus only when the Lizard is established, or whenever the Spirit comes to it", "C27"
    )
    bonus_entry: bool = rule(False, "the bonus may be a placement without the Spirit", "C29")
    cactus_returns: bool = rule(True, "after a Cactus the Spirit goes back to the Town where the turn began")
    cactus_after_oak: Literal["start", "oak"] = rule(
        "start", "where it goes back after an Oak was used", "C36"
    )
    cactus_penalty: int = rule(1, "points a Town beside a Cactus loses", ge=0, le=9)
    cactus_concerns: Concerns = rule("all", "whose Towns a Cactus makes poorer", "C40")
    cactus_stacks: bool = rule(True, "two Cactuses take twice", "C41")

    # terrain
    mountain_silences: bool = rule(False, "a Town on a Mountain does not affect its neighbours either", "C17")
    mountain_shields_spirit: bool = rule(
        True, "the Poison Oak cannot remove a Spirit on a Mountain Town", "C19"
    )
    oak_then_lake: bool = rule(True, "a Lake that one comes beside only during the turn may be used", "D2")
    oasis_enters: bool = rule(True, "any Explorer may enter on an open Oasis")
    oasis_first_turn: Literal["own", "game", "round"] = rule(
        "own", "which first turn the Oasis is closed in", "D7"
    )
