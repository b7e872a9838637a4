"""The 34 events of Migration: Mars for the plain referee; 13 to 34 are stand-ins."""

from __future__ import annotations

from tests.reference.mars.board import name, read_tile
from tests.reference.mars.rules import KEPT, PRODUCTION, RESOURCES, SUPPLIES
from tests.reference.mars.stop import (
    choose,
    expenses,
    hit,
    injury,
    put_away,
    strike,
    strike_tiles,
    thirst,
)
from tests.reference.mars.table import SEATS, Asking, Table

# What the drawer gets, as far as the treasury has it.
GIFTS = {
    "E3": {"Med": 1},
    "E7": {"RCU": 1},
    "E28": {"M": 2},
    "E29": {"W": 2},
    "E30": {"S": 2},
    "E31": {"Oly": 1},
    "E34": {"Med": 1, "RCU": 1},
}


def draw_card(table: Table, seat: int) -> str | None:
    """The dealt event first, else the top of the deck."""
    player = table.seats[seat]
    if player.dealt is not None:
        card, player.dealt = player.dealt, None
        return card
    if not table.deck:
        return None
    card = table.deck.pop(0)
    table.seen = min(table.seen, len(table.deck))
    return card


def stays(table: Table, seat: int, card: str) -> bool:
    """Whether the drawer keeps the card: 8, 11, and 12 as long as it is not paid."""
    return card in KEPT and not (card == "E12" and table.seats[seat].cards["RCU"])


def exercise(table: Table, seat: int, card: str) -> Asking:
    """The effect of a card that is not kept; what follows on events 2 and 9 is done elsewhere."""
    player = table.seats[seat]
    for kind, count in GIFTS.get(card, {}).items():
        table.gain(seat, kind, count)
    if card == "E1":
        yield from choose(table, seat, (*SUPPLIES, *RESOURCES))
    elif card == "E5":
        if table.in_stock(seat, "Tunnel") and "Tunnel" not in player.never:
            player.reserve["Tunnel"] += 1
    elif card == "E12":
        table.pay(seat, "RCU")
    elif card == "E13":
        yield from strike(table, seat)
    elif card == "E15":
        tiles = strike_tiles(table)
        if tiles:
            yield from hit(table, read_tile(table.draw("tile", [name(tile) for tile in tiles])))
    elif card == "E18":
        yield from injury(table, seat)
    elif card == "E20":
        habitats = len(table.board.own(seat, "Habitat"))
        yield from expenses(table, seat, "event E20", habitats, {"W": 1}, thirst)
    elif card == "E22":
        table.storm = seat
    elif card == "E23":
        player.dust = True
    elif card == "E25":
        yield from breakdown(table, seat)
    elif card == "E26":
        yield from lose_cargo(table, seat)
    elif card == "E27":
        player.cut = True
    elif card == "E32":
        if table.room(seat):
            table.arrive(seat)
    elif card in ROUND:
        for other in table.round_from(seat):
            table.doing = f"event {card} {SEATS[other]}"
            yield from ROUND[card](table, other)


def give(table: Table, seat: int) -> Asking:
    """One resource of own choice, if there is any."""
    kinds = [kind for kind in RESOURCES if table.seats[seat].cards[kind]]
    if kinds:
        action = yield seat, "give", [f"give {kind}" for kind in kinds]
        table.pay(seat, action.split()[1])


def flare(table: Table, seat: int) -> Asking:
    if table.seats[seat].cards["RCU"]:
        table.pay(seat, "RCU")
    else:
        yield from give(table, seat)


def relief(table: Table, seat: int) -> Asking:
    yield from choose(table, seat, RESOURCES)


# Events that go round, from the drawer clockwise.
ROUND = {"E17": strike, "E21": injury, "E24": flare, "E33": relief}


def lose_cargo(table: Table, seat: int) -> Asking:
    for left in (2, 1):
        table.doing = f"event E26 {left}"
        yield from give(table, seat)


def breakdown(table: Table, seat: int) -> Asking:
    tiles = table.board.own(seat, *PRODUCTION)
    options = ["pay RCU"] * (table.seats[seat].cards["RCU"] > 0)
    options += [f"put away {name(tile)}" for tile in tiles]
    if not options:
        return
    action = yield seat, "breakdown", options
    if action == "pay RCU":
        table.pay(seat, "RCU")
    else:
        yield from put_away(table, seat, read_tile(action.split()[2]))
