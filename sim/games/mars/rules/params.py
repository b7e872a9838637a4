"""Everything a designer may turn: costs, starts, decks, housing, and the readings of unclear rules.

`ruling` names the entry of `facts/rulings.toml` that a parameter decides. Costs, track, map, die faces, treasury and
the events from 13 on are stand-ins (`facts/stand_ins.toml`): the rulebook does not print them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sim.core.params import rule, rule_table, setting

CARDS = ("M", "W", "S", "Med", "RCU", "Oly", "BP")
"""Kinds of cards: Metal, Water, Stone, Med Pack, R.C.U., Olympium, Blueprint."""
STRUCTURES = ("Tunnel", "Habitat", "LSC", "Hospital", "Plant", "Export", "Mine", "Ruin")
BUILDINGS = STRUCTURES[1:7]
EVENTS: dict[int, tuple[str, int]] = {
    1: ("Early Shipment", 1),
    2: ("Ahead of Schedule", 1),
    3: ("Supply Case", 2),
    5: ("Spare Tunnel", 2),
    7: ("Supply Shipment", 1),
    8: ("Abandoned Container", 1),
    9: ("Funded Exploration", 2),
    11: ("Ancient Artifact", 1),
    12: ("Generator Damage", 1),
    13: ("Called Meteorite", 2),
    15: ("Stray Meteorite", 2),
    17: ("Meteor Shower", 1),
    18: ("Explorer Injured", 2),
    20: ("Fouled Water", 1),
    21: ("Epidemic", 1),
    22: ("Planet Storm", 1),
    23: ("Local Storm", 1),
    24: ("Solar Flare", 1),
    25: ("Breakdown", 1),
    26: ("Cargo Lost", 1),
    27: ("Funding Cut", 1),
    28: ("Metal Find", 1),
    29: ("Water Find", 1),
    30: ("Stone Find", 1),
    31: ("Olympium Find", 1),
    32: ("Settlers", 1),
    33: ("Relief", 1),
    34: ("Aid Package", 1),
}
"""Kinds of event cards by their lowest printed number: title and copies.

What 1 to 12 do is printed, what 13 to 34 do is a stand-in; the rulebook prints no titles, all are ours."""
EVENT_NUMBERS = tuple(EVENTS)
EVENT_NAMES = tuple(name for name, _ in EVENTS.values())
SUPPLY_NAMES = ("Metal", "Water", "Stone", "Med Pack", "RCU", "Olympium", "Blueprint")
PIECES = (*STRUCTURES, *SUPPLY_NAMES, *EVENT_NAMES)
MAX_DECK = 120

Count = Annotated[int, Field(ge=0, le=12)]
Stock = Annotated[int, Field(ge=-1, le=200)]


class Table(BaseModel):
    """A table of whole numbers."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)


class Price(Table):
    """Metal, Water and Stone."""

    metal: Count = Field(default=0, alias="M")
    water: Count = Field(default=0, alias="W")
    stone: Count = Field(default=0, alias="S")


class RuinPrice(Price):
    """What an Ancient Ruin costs (printed)."""

    oly: Count = Field(default=1, alias="Oly")
    blueprint: Count = Field(default=1, alias="BP")


class Start(Table):
    """What each player begins with (printed)."""

    population: Count = Field(default=1)
    metal: Count = Field(default=2, alias="M")
    water: Count = Field(default=2, alias="W")
    stone: Count = Field(default=2, alias="S")
    med: Count = Field(default=1, alias="Med")
    rcu: Count = Field(default=1, alias="RCU")
    oly: Count = Field(default=0, alias="Oly")
    blueprint: Count = Field(default=0, alias="BP")
    tunnel: Count = Field(default=1, alias="Tunnel")


class StockTable(Table):
    """Structures and flags of one player (printed)."""

    tunnel: Annotated[int, Field(ge=0, le=30)] = Field(default=9, alias="Tunnel")
    habitat: Count = Field(default=5, alias="Habitat")
    lsc: Count = Field(default=2, alias="LSC")
    hospital: Count = Field(default=2, alias="Hospital")
    plant: Count = Field(default=2, alias="Plant")
    export: Count = Field(default=1, alias="Export")
    mine: Count = Field(default=2, alias="Mine")
    flags: Count = Field(default=6)


class Die(Table):
    """Faces of the exploration die: how many of its sides show each."""

    blueprint: Count = 1
    olympium: Count = 2
    population: Count = 1
    meteorite: Count = 1
    injury: Count = 1
    blank: Count = 0


class Treasury(Table):
    """Cards and tiles in the treasury; -1: unlimited."""

    metal: Stock = Field(default=40, alias="M")
    water: Stock = Field(default=40, alias="W")
    stone: Stock = Field(default=40, alias="S")
    med: Stock = Field(default=20, alias="Med")
    rcu: Stock = Field(default=20, alias="RCU")
    oly: Stock = Field(default=24, alias="Oly")
    blueprint: Stock = Field(default=4, alias="BP")
    meteorite: Stock = Field(default=20)


class Quit(Table):
    """Who leaves the game early: from which number of completed turns on."""

    seat: Annotated[int, Field(ge=-1, le=3)] = -1
    turn: Annotated[int, Field(ge=0, le=5000)] = 0


def _event_counts() -> type[Table]:
    from pydantic import create_model

    fields: dict[str, Any] = {
        f"e{number}": (Count, Field(default=copies, alias=name)) for number, (name, copies) in EVENTS.items()
    }
    made: type[Table] = create_model("EventCounts", __base__=Table, **fields)
    return made


EventCounts: Any = _event_counts()


class Parameters(BaseModel):
    """Parameters of Migration: Mars, in the order of the rulebook."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    # faster play
    target: int = rule(
        6, "population to acquire and report (printed); 5 is the rulebook's first faster option", ge=1, le=12
    )
    start_building: str = setting(
        "none",
        "one more building free in the reserve: 'none', 'choice' (the second faster option), 'random' (drawn for "
        "each player), or a building for all",
        "R92",
    )
    building_strikes: bool = rule(
        True, "meteorites may strike buildings; false is the third faster option", "R71"
    )

    # the board
    map: str = setting("default", "the terrain (stand-in): 'default', 'lab' (all flat) or a TOML file", "1.3")
    track: str = setting(
        "default",
        "one side of the track (stand-in): 'default' (32 squares), 'short', 'long' or a TOML file",
        "1.2",
    )
    overlays: bool = setting(
        True, "terrain overlays lie on the bases of absent players (printed; their shape is a stand-in)"
    )

    # what there is
    start: Start = rule_table(Start, "arrival supplies of each player (printed)")
    tunnel_cost: Price = rule_table(lambda: Price(S=1), "price of a Tunnel (stand-in)", "1.4")
    habitat_cost: Price = rule_table(lambda: Price(M=2, W=1, S=1), "price of a Habitat (stand-in)", "1.4")
    lsc_cost: Price = rule_table(
        lambda: Price(M=2, W=2, S=2), "price of a Life Support Center (stand-in)", "1.4"
    )
    hospital_cost: Price = rule_table(lambda: Price(M=2, W=2, S=1), "price of a Hospital (stand-in)", "1.4")
    plant_cost: Price = rule_table(
        lambda: Price(M=2, W=1, S=2), "price of an Industrial Plant (stand-in)", "1.4"
    )
    export_cost: Price = rule_table(
        lambda: Price(M=2, W=1, S=1), "price of an Export Station (stand-in)", "1.4"
    )
    mine_cost: Price = rule_table(lambda: Price(M=2, W=0, S=2), "price of a Mine (stand-in)", "1.4")
    ruin_cost: RuinPrice = rule_table(lambda: RuinPrice(M=3, W=3, S=3), "price of an Ancient Ruin (printed)")
    stock: StockTable = rule_table(StockTable, "structures and flags of one player (printed)")
    habitat_upkeep: Price = rule_table(
        lambda: Price(W=1), "paid for each Habitat at the Supply Stop (printed)"
    )
    mine_upkeep: Price = rule_table(
        lambda: Price(M=1, S=1), "paid for each Mine at the Supply Stop (printed)"
    )
    hq_housing: int = rule(2, "population that the HQ houses (printed)", ge=0, le=6)
    embassy_housing: int = rule(
        1, "population of each linked colony that the Embassy houses (printed)", ge=0, le=3
    )
    move_die: int = rule(6, "sides of the numbered die (printed)", ge=2, le=12)
    die: Die = rule_table(Die, "sides of the exploration die that show this (stand-in: how many)", "1.5")
    olympium_bonus: int = rule(2, "Olympium of the bonus face (printed)", ge=0, le=6)
    treasury: Treasury = rule_table(
        Treasury, "cards of this kind in the treasury (stand-in); -1: unlimited", "1.5"
    )
    event_counts: EventCounts = rule_table(
        EventCounts,
        "copies of this event card in the deck (1 to 12 printed, 13 to 34 stand-ins, all titles ours)",
        "1.6",
    )
    salvage_bay: int = rule(2, "buildings that a Salvage bay holds (printed)", ge=0, le=6)
    reposition_rcu: int = rule(2, "R.C.U. to move a building (printed)", ge=0, le=9)
    remove_meteorite_rcu: int = rule(2, "R.C.U. to remove a meteorite (printed)", ge=0, le=9)
    salvage_return_rcu: int = rule(1, "R.C.U. to bring a building back from Salvage (printed)", ge=0, le=9)
    export_resource: int = rule(
        3, "equal resources for another resource at an Export Station (printed)", ge=1, le=9
    )
    export_supply: int = rule(4, "equal resources for a supply at an Export Station (printed)", ge=1, le=9)
    oly_per_pop: int = rule(4, "Olympium for one population (printed)", ge=1, le=12)

    # the course of play
    first_player: Literal["rolled", "A"] = rule("rolled", "who goes first", "R4")
    turn_cap: int = rule(
        600,
        "turns of all players after which the game is stopped without winner (stand-in)",
        "R94",
        ge=1,
        le=5000,
    )
    buy_to_reserve: bool = rule(False, "Tunnels and buildings may be bought now and placed later", "R3")
    overshoot: Literal["halt", "pass"] = rule("halt", "a roll beyond the own Supply Stop", "R5")
    unused_stop_event: bool = rule(False, "the stop of an absent player gives an event too", "R8")
    short_treasury: Literal["part", "nothing"] = rule(
        "part", "a treasury that holds less than is due at once: one takes that part, or nothing", "R10"
    )
    mine_kind: Literal["landed", "choice"] = rule(
        "landed", "kind of what a Mine adds: the one landed on, or the owner's choice", "R11"
    )
    unlinked_mines: bool = rule(True, "Mines that are not linked to the HQ still count", "R12")

    # building
    link: Literal["structures", "tunnels"] = rule(
        "structures", "what carries the link: all own structures, or Tunnels and Ruins alone", "R19, R20"
    )
    contact: Literal["banned", "free"] = rule(
        "banned", "an LSC or Habitat touching HQ, Embassy or (LSC) another LSC", "R22"
    )
    ruin_link: Literal["anyone", "owner"] = rule(
        "anyone", "whose link a placed Ruin carries: everybody's, or that of who paid for it last", "R28"
    )
    production_site: Literal["way", "gap"] = rule(
        "way",
        "what a production building needs: a linked Tunnel or Ruin beside it, or one tile of gap to the linked network "
        "at most",
        "R24",
    )
    habitats_per_lsc: int = rule(
        5, "Habitats beside one Life Support Center that it supports (printed)", ge=1, le=6
    )
    ruin_on_crater: bool = rule(False, "a Ruin may be built on a crater", "R29")
    tunnels: Literal["linked", "anywhere"] = rule("linked", "where a Tunnel may be placed", "R35")
    movable: Literal["buildings", "tunnels too"] = rule(
        "buildings", "what may be moved for R.C.U.: buildings, or own Tunnels too", "R37"
    )
    lsc_move: Literal["guarded", "free"] = rule(
        "guarded", "a Life Support Center may leave Habitats without one when it is moved", "R38"
    )
    moves: Literal["any number", "once a turn"] = rule(
        "any number",
        "buildings that may be moved in one turn: any number, each paid for, or one; one that costs nothing is moved "
        "once a turn in either reading",
        "R99",
    )

    lost_tunnels: Literal["back", "out"] = rule(
        "back", "Tunnels struck by a meteorite: back to stock or out of the game", "R41"
    )
    cleared: Literal["bare", "tunnel"] = rule(
        "bare", "what is under a meteorite that is removed: bare ground, or the Tunnel that it struck", "R64"
    )

    # supply stop, population, strikes
    voluntary_default: bool = rule(False, "a player who can pay upkeep may refuse", "R42")
    thirst_med: bool = rule(True, "a Med Pack may save population of an unpaid Habitat", "R44")
    dead_flags: Literal["back", "out"] = rule(
        "back", "flags of the dead: back to stock or out of the game", "R53"
    )
    default_swap: bool = rule(
        True, "a building given up may take the place of another in a full Salvage bay", "R48"
    )
    embassy_link: Literal["linked way", "any contact"] = rule(
        "linked way",
        "what links to the Embassy: a linked Tunnel or Ruin beside it, or anything of one's own",
        "R55",
    )
    embassy_cut: Literal["stays", "dies"] = rule(
        "stays", "population in the Embassy when the link is cut", "R56"
    )
    house_order: Literal["owner", "embassy last", "embassy first"] = rule(
        "owner",
        "which housing of a linked colony fills first: as is never worse for its owner (the Embassy, or homes where a "
        "cut kills who lives in it), the homes, or the Embassy",
        "R97",
    )
    oly_pop: Literal["any number", "once a turn"] = rule(
        "any number", "how often Olympium may be turned into population", "R57"
    )
    injury_med: Literal["compulsory", "choice"] = rule(
        "compulsory", "whether a Med Pack must be paid at an injury", "R59"
    )
    salvage_discard: Literal["when full", "own turn"] = rule(
        "when full",
        "when a building in Salvage may be discarded: when a loss meets a full bay, or before one's own roll too",
        "R96",
    )
    ride: Literal["no housing", "optional"] = rule(
        "no housing", "when population of a struck Habitat may go into Salvage with it", "R66"
    )

    next_turn: Literal["or later", "only"] = rule(
        "or later",
        "'on the next turn' of returns from Salvage and of removing meteorites: any later turn too, or that one only",
        "R65",
    )

    # trade and events
    trading: Literal["one for one", "up to two", "off"] = rule(
        "one for one",
        "what may be offered (the menu is a stand-in): one card for one, also two for one, or no trading",
        "R72",
    )
    trade_offers: int = rule(
        1, "offers that a player may make in one turn, one to each other player (stand-in)", "R72", ge=1, le=9
    )
    counter_offers: bool = rule(True, "an offer may be answered by one counter-offer (stand-in)", "R72")
    trade_event12: bool = rule(False, "the debt of event 12 can be traded away", "R74")
    export_oly: bool = rule(True, "Olympium counts as the same resource in an exchange", "R75")
    export_oly_alone: bool = rule(
        False, "Olympium alone may be exchanged too, not only to fill up (with export_oly)", "R75"
    )
    event8_all: bool = rule(False, "event 8 takes the whole yield", "R78")
    event8_on_event_moves: bool = rule(
        False, "event 8 takes of what the extra move of another event yields too", "R95"
    )
    event_after_stop: Literal["moves on", "stays"] = rule(
        "moves on",
        "events 2, 9 and 10 at the own Supply Stop: they move the rover on at once, or do nothing",
        "R98",
    )
    victory: Literal["after event", "at report", "at once"] = rule(
        "after event", "when victory is judged", "R86"
    )
    late_report: bool = rule(False, "population that comes in the event after the report counts", "R87")
    cards: Literal["open", "hidden"] = rule("open", "whether players see each other's cards", "R93")
    quit: Quit = rule_table(Quit, "a player who leaves early: seat (0..3, -1 nobody) and turn", "R91")

    # random treatments
    never: str | list[str] = setting(
        "none",
        "structures withheld: 'none', a list for all, or 'random K' (K buildings drawn for each player)",
    )
    dealt_event: str = setting(
        "none",
        "the first event that a player draws: 'none' (the deck's), 'random' (dealt to each), or an event's name",
    )
