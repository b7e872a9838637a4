"""Supply Stop, injuries, meteorites and Salvage of Migration: Mars, for the plain referee."""

from __future__ import annotations

from collections.abc import Callable

from tests.reference.mars.board import Tile, name, read_tile
from tests.reference.mars.rules import BUILDINGS, RESOURCES, SUPPLIES
from tests.reference.mars.table import SEATS, Answer, Asking, Table, Won, bay_order

# -- injury and death (M:219, M:273) --------------------------------------------------------------


def save(table: Table, seat: int) -> Asking:
    """A Med Pack for a life, if the player wants."""
    action = yield seat, "save", ["use Med", "let die"]
    if action == "use Med":
        table.pay(seat, "Med")
    else:
        table.die(seat)


def thirst(table: Table, seat: int) -> Asking:
    """One population of a Habitat without Water (M:187, R44)."""
    player = table.seats[seat]
    if player.pop == 0:
        return
    if player.cards["Med"] and table.rule["thirst_med"]:
        yield from save(table, seat)
    else:
        table.die(seat)


def injury(table: Table, seat: int) -> Asking:
    """Pay a Med Pack, else one population dies (R59)."""
    player = table.seats[seat]
    if player.pop == 0:
        return
    if player.cards["Med"] and table.rule["injury_med"] == "choice":
        yield from save(table, seat)
    elif player.cards["Med"]:
        table.pay(seat, "Med")
    else:
        table.die(seat)


def injury_in_ruin(table: Table, seat: int) -> Asking:
    """The skull of the exploration die: event 11 is given away instead of a Med Pack."""
    player = table.seats[seat]
    if player.pop and "E11" in player.events:
        player.events.remove("E11")
        table.bottom("E11")
    else:
        yield from injury(table, seat)


# -- Salvage (M:231-255) --------------------------------------------------------------------------


def bay_full(table: Table, seat: int) -> bool:
    return bool(len(table.seats[seat].bay) >= table.rule["salvage_bay"])


def discards(table: Table, seat: int) -> list[str]:
    return sorted({f"discard {piece}" for piece in table.seats[seat].bay})


def discard(table: Table, seat: int, piece: str) -> None:
    """Out of the bay, back to stock; population in it dies (R68)."""
    table.seats[seat].bay.remove(piece)
    if piece == "Habitat*":
        table.bury(seat, 1)


def into_bay(table: Table, seat: int, piece: str) -> None:
    table.seats[seat].bay = bay_order([*table.seats[seat].bay, piece])


def put_away(table: Table, seat: int, tile: Tile) -> Asking:
    """A building goes to Salvage without a strike: a Mine in default, or event 25 (R48)."""
    _, kind = table.board.pieces.pop(tile)
    table.rehouse()
    if bay_full(table, seat) and not table.rule["default_swap"]:
        return
    if bay_full(table, seat):
        table.pending = f"{SEATS[seat]} {kind} default"
        action = yield seat, "salvage", [*discards(table, seat), "let go"]
        table.pending = "-"
        if action == "let go":
            return
        discard(table, seat, action.split()[1])
    into_bay(table, seat, kind)


def salvage(table: Table, seat: int, kind: str) -> Asking:
    """The owner of a struck building may put it into Salvage; it is off the board already."""
    player = table.seats[seat]
    homeless = kind == "Habitat" and player.pop > table.capacity(seat)
    table.pending = f"{SEATS[seat]} {kind}" + " with 1" * homeless
    while True:
        if bay_full(table, seat):
            options = [*discards(table, seat), "let go"]
        else:
            options = ["salvage", "let go"]
            may_ride = homeless or (table.rule["ride"] == "optional" and player.pop > 0)
            if kind == "Habitat" and may_ride and player.cards["Med"]:
                options.append("salvage with population")
        action = yield seat, "salvage", options
        if not action.startswith("discard"):
            break
        discard(table, seat, action.split()[1])
    table.pending = "-"
    if action == "salvage with population":
        table.pay(seat, "Med")
        player.pop -= 1
        into_bay(table, seat, "Habitat*")
        table.rehouse()
        return
    if action == "salvage":
        into_bay(table, seat, kind)
    if homeless:
        table.die(seat)


def hit(table: Table, tile: Tile) -> Asking:
    """A meteorite falls on a tile."""
    table.take("meteorite", 1)
    owner, kind = table.board.pieces.pop(tile, (-1, ""))
    in_time = table.in_play() if table.rule["next_turn"] == "only" else []
    table.board.meteorites[tile] = set(in_time)
    if kind == "Tunnel" and table.rule["cleared"] == "tunnel":
        table.board.buried[tile] = owner
    elif kind == "Tunnel" and table.rule["lost_tunnels"] == "out":
        table.seats[owner].out += 1
    table.rehouse()
    if kind in BUILDINGS and not table.seats[owner].gone:
        yield from salvage(table, owner, kind)


def strike_tiles(table: Table) -> list[Tile]:
    return table.board.strike_tiles() if table.there("meteorite") else []


def strike(table: Table, seat: int) -> Asking:
    """A player conjures a meteorite; compulsory where one is possible (R62)."""
    tiles = strike_tiles(table)
    if tiles:
        action = yield seat, "strike", [f"strike {name(tile)}" for tile in tiles]
        yield from hit(table, read_tile(action.split()[1]))


# -- the Supply Stop (M:181-197) ------------------------------------------------------------------


def settled(table: Table, seat: int, cost: dict[str, int]) -> Answer:
    """Whether an expense is paid: with plain cards if they suffice, else with Olympium if the player wants."""
    missing = table.missing(seat, cost)
    if missing == 0 and table.rule["voluntary_default"]:
        action = yield seat, "upkeep", ["pay", "do not pay"]
    elif missing == 0:
        action = "pay"
    elif missing <= table.seats[seat].cards["Oly"]:
        action = yield seat, "upkeep", ["pay with Oly", "do not pay"]
    else:
        action = "do not pay"
    if action != "do not pay":
        table.pay_price(seat, cost)
    return action != "do not pay"


def expenses(
    table: Table,
    seat: int,
    doing: str,
    count: int,
    cost: dict[str, int],
    unpaid: Callable[[Table, int], Asking],
) -> Asking:
    """Settle an expense for each of `count` pieces, one after the other."""
    for left in range(count, 0, -1):
        table.doing = f"{doing} {left}"
        paid = yield from settled(table, seat, cost)
        if not paid:
            yield from unpaid(table, seat)


def default(table: Table, seat: int) -> Asking:
    """An unpaid Mine goes to Salvage; its owner says which (R47)."""
    mines = table.board.own(seat, "Mine")
    action = yield seat, "default", [f"default {name(tile)}" for tile in mines]
    yield from put_away(table, seat, read_tile(action.split()[1]))


def choose(table: Table, seat: int, kinds: tuple[str, ...]) -> Asking:
    """One card of choice, of what the treasury has."""
    there = [kind for kind in kinds if table.there(kind)]
    if there:
        action = yield seat, "take", [f"take {kind}" for kind in there]
        table.gain(seat, action.split()[1])


def supply_stop(table: Table, seat: int) -> Asking:
    """Steps 1 to 4; the event of step 5 is drawn by who calls this."""
    rule, player = table.rule, table.seats[seat]
    habitats = len(table.board.own(seat, "Habitat"))
    yield from expenses(table, seat, "stop water", habitats, rule["habitat_upkeep"], thirst)
    mines = len(table.board.own(seat, "Mine"))
    yield from expenses(table, seat, "stop mines", mines, rule["mine_upkeep"], default)
    table.gain(seat, "RCU", len(table.board.own(seat, "Plant")))
    table.gain(seat, "Med", len(table.board.own(seat, "Hospital")))
    table.doing = "stop shipment"
    if player.cut:
        player.cut = False
    else:
        yield from choose(table, seat, (*SUPPLIES, *RESOURCES))
    table.doing = "stop accept"
    accepted = False
    if table.room(seat):
        action = yield seat, "accept", ["accept population", "no population"]
        accepted = action == "accept population"
    table.report = player.pop + accepted
    if accepted:
        table.arrive(seat)
    if rule["victory"] == "at report" and player.pop >= rule["target"]:
        raise Won(seat)
