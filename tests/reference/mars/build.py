"""What a player may do before the roll in Migration: Mars: build, move, exchange, offer; for the plain referee."""

from __future__ import annotations

from typing import Any

from tests.reference.mars.board import Tile, name, read_tile
from tests.reference.mars.rules import BUILDINGS, CARDS, RESOURCES, STRUCTURES, SUPPLIES
from tests.reference.mars.stop import discard, discards
from tests.reference.mars.table import SEATS, Asking, Table

# -- what may be done -----------------------------------------------------------------------------


def price(table: Table, kind: str) -> dict[str, int]:
    cost: dict[str, int] = table.rule[f"{kind.lower()}_cost"]
    return cost


def may_buy(table: Table, seat: int, kind: str) -> bool:
    """The price can be paid and one is there: on the mat, or a Ruin in a corner."""
    there = table.corners > 0 if kind == "Ruin" else table.in_stock(seat, kind)
    return there and kind not in table.seats[seat].never and table.can_pay(seat, price(table, kind))


def builds(table: Table, seat: int) -> list[str]:
    player = table.seats[seat]
    kinds = [k for k in STRUCTURES if player.reserve[k] or may_buy(table, seat, k)]
    kinds = [k for k in kinds if k not in player.never]
    return [f"build {kind} {name(tile)}" for kind in kinds for tile in table.board.eligible(seat, kind)]


def buys(table: Table, seat: int) -> list[str]:
    if not table.rule["buy_to_reserve"]:
        return []
    return [f"buy {kind}" for kind in STRUCTURES if kind != "Ruin" and may_buy(table, seat, kind)]


def returns(table: Table, seat: int) -> list[str]:
    """Out of Salvage to a tile where it could be built (M:240)."""
    player = table.seats[seat]
    if player.cards["RCU"] < table.rule["salvage_return_rcu"]:
        return []
    kinds = {piece.rstrip("*") for piece in player.bay}
    return [f"return {kind} {name(tile)}" for kind in kinds for tile in table.board.eligible(seat, kind)]


def moves(table: Table, seat: int) -> list[str]:
    """Own buildings that may be lifted (M:158), Ruins that may be stolen (M:285)."""
    found = []
    if not table.closed and table.seats[seat].cards["RCU"] >= table.rule["reposition_rcu"]:
        movable = STRUCTURES if table.rule["movable"] == "tunnels too" else BUILDINGS
        own = [tile for tile in table.board.own(seat, *movable) if tile not in table.board.ruins]
        found += [(table.board.pieces[tile][1], tile) for tile in own]
    withheld = "Ruin" in table.seats[seat].never
    if table.corners == 0 and not withheld and table.can_pay(seat, price(table, "Ruin")):
        found += [("Ruin", tile) for tile in table.board.ruins]
    verbs = {"Ruin": "steal"}
    return [f"{verbs.get(k, 'move')} {k} {name(t)}" for k, t in found if places(table, seat, k, t)]


def places(table: Table, seat: int, kind: str, old: Tile) -> list[Tile]:
    """Where a piece could come down again if it were lifted."""
    board = table.board
    lying: dict[Tile, Any] = board.ruins if kind == "Ruin" else board.pieces
    piece = lying.pop(old)
    tiles = board.new_tiles(seat, kind, old)
    lying[old] = piece
    return tiles


def clears(table: Table, seat: int) -> list[str]:
    if table.seats[seat].cards["RCU"] < table.rule["remove_meteorite_rcu"]:
        return []
    always = table.rule["next_turn"] == "or later"
    return [f"clear {name(tile)}" for tile, may in table.board.meteorites.items() if always or seat in may]


def clear(table: Table, seat: int, where: str) -> None:
    """A meteorite is removed; a Tunnel below it is back (R64)."""
    tile = read_tile(where)
    table.pay(seat, "RCU", table.rule["remove_meteorite_rcu"])
    del table.board.meteorites[tile]
    if tile in table.board.buried:
        table.board.pieces[tile] = (table.board.buried.pop(tile), "Tunnel")
        table.rehouse()
    table.back("meteorite", 1)


def exchanges(table: Table, seat: int) -> list[str]:
    """At the treasury, with an Export Station on the board (M:172-177)."""
    if not table.board.own(seat, "Export"):
        return []
    cards = table.seats[seat].cards
    wild = cards["Oly"] if table.rule["export_oly"] else 0
    found = []
    for kind in RESOURCES:
        for rate, wanted in (("export_resource", RESOURCES), ("export_supply", SUPPLIES)):
            if cards[kind] and cards[kind] + wild >= table.rule[rate]:
                found += [f"exchange {kind} for {k}" for k in wanted if k != kind and table.there(k)]
    if table.rule["export_oly_alone"]:
        for rate, wanted in (("export_resource", RESOURCES), ("export_supply", SUPPLIES)):
            found += [f"exchange Oly for {k}" for k in wanted if wild >= table.rule[rate] and table.there(k)]
    return found


def exchange(table: Table, seat: int, given: str, got: str) -> None:
    rate = table.rule["export_resource" if got in RESOURCES else "export_supply"]
    plain = min(rate, table.seats[seat].cards[given])
    table.pay(seat, given, plain)
    table.pay(seat, "Oly", rate - plain)
    table.gain(seat, got)


def acts(table: Table, seat: int) -> list[str]:
    """Everything that a player may do before the roll."""
    found = ["roll", *builds(table, seat), *buys(table, seat), *returns(table, seat), *moves(table, seat)]
    found += [*clears(table, seat), *exchanges(table, seat), *offers(table, seat)]
    again = not table.propagated or table.rule["oly_pop"] == "any number"
    if table.seats[seat].cards["Oly"] >= table.rule["oly_per_pop"] and table.room(seat) and again:
        found.append("population")
    if table.rule["salvage_discard"] == "own turn":
        found += discards(table, seat)
    return found


# -- doing it -------------------------------------------------------------------------------------


def act(table: Table, seat: int) -> Asking:
    """Phase 1 of a turn, up to the roll (M:114-116)."""
    table.asked, table.closed, table.propagated, table.report = [], False, False, None
    while True:
        action = yield seat, "act", acts(table, seat)
        verb, *words = action.split()
        if verb == "roll":
            if table.rule["next_turn"] == "only":
                let_go(table, seat)
            return
        if verb == "build":
            build(table, seat, words[0], words[1])
        elif verb == "buy":
            table.pay_price(seat, price(table, words[0]))
            table.seats[seat].reserve[words[0]] += 1
        elif verb == "return":
            put_back(table, seat, words[0], words[1])
        elif verb in ("move", "steal"):
            yield from lift(table, seat, words[0], words[1])
        elif verb == "clear":
            clear(table, seat, words[0])
        elif verb == "exchange":
            exchange(table, seat, words[0], words[2])
        elif verb == "discard":
            discard(table, seat, words[0])
        elif verb == "population":
            table.pay(seat, "Oly", table.rule["oly_per_pop"])
            table.propagated = True
            table.arrive(seat)
        else:
            yield from offer(table, seat, SEATS.index(words[0]), " ".join(words[1:]))


def let_go(table: Table, seat: int) -> None:
    """What was not returned or removed in this turn cannot be any more (R65)."""
    table.bury(seat, table.seats[seat].in_bay())
    table.seats[seat].bay = []
    for may in table.board.meteorites.values():
        may.discard(seat)


def build(table: Table, seat: int, kind: str, where: str) -> None:
    """One from the reserve if there is any, else at full price."""
    if table.seats[seat].reserve[kind]:
        table.seats[seat].reserve[kind] -= 1
    else:
        table.pay_price(seat, price(table, kind))
        table.corners -= kind == "Ruin"
    lay(table, seat, kind, where)


def lay(table: Table, seat: int, kind: str, where: str) -> None:
    if kind == "Ruin":
        table.board.ruins[read_tile(where)] = seat
    else:
        table.board.pieces[read_tile(where)] = (seat, kind)
    table.rehouse()


def put_back(table: Table, seat: int, kind: str, where: str) -> None:
    """A building comes out of Salvage; a Habitat with population goes first."""
    bay = table.seats[seat].bay
    table.pay(seat, "RCU", table.rule["salvage_return_rcu"])
    riding = kind == "Habitat" and "Habitat*" in bay
    bay.remove("Habitat*" if riding else kind)
    lay(table, seat, kind, where)
    if riding:
        table.arrive(seat)


def lift(table: Table, seat: int, kind: str, where: str) -> Asking:
    """Pay for a building or a Ruin, take it up and set it down elsewhere."""
    old = read_tile(where)
    tiles = places(table, seat, kind, old)
    if kind == "Ruin":
        table.pay_price(seat, price(table, "Ruin"))
        del table.board.ruins[old]
    else:
        table.pay(seat, "RCU", table.rule["reposition_rcu"])
        del table.board.pieces[old]
        # "move (1)" (M:158, R99); what costs nothing could otherwise be undone for ever
        table.closed = table.rule["moves"] == "once a turn" or table.rule["reposition_rcu"] == 0
    table.pending = f"{kind} from {where}"
    action = yield seat, "place", [f"to {name(tile)}" for tile in tiles]
    table.pending = "-"
    lay(table, seat, kind, action.split()[1])


# -- trade with other players (M:164-168) ---------------------------------------------------------


def trade_kinds(table: Table) -> list[str]:
    return [*CARDS, "E8", "E11", *(["E12"] if table.rule["trade_event12"] else [])]


def held(table: Table, seat: int, kind: str) -> int:
    player = table.seats[seat]
    return player.events.count(kind) if kind.startswith("E") else player.cards[kind]


def seems_held(table: Table, seat: int, kind: str, count: int) -> bool:
    """Whether another player may hold so many: hidden cards may be anything, kept events lie open."""
    hidden = table.rule["cards"] == "hidden" and kind in CARDS
    return hidden or held(table, seat, kind) >= count


def side(count: int, kind: str) -> str:
    return kind if count == 1 else f"{count} {kind}"


def read_side(text: str) -> tuple[int, str]:
    *count, kind = text.split()
    return int(count[0]) if count else 1, kind


def offers(table: Table, seat: int) -> list[str]:
    if table.rule["trading"] == "off" or len(table.asked) >= table.rule["trade_offers"]:
        return []
    sizes = [(1, 1)] if table.rule["trading"] == "one for one" else [(1, 1), (2, 1), (1, 2)]
    return [
        f"offer {SEATS[other]} {side(x, given)} for {side(y, got)}"
        for other in table.in_play()
        if other != seat and other not in table.asked
        for given in trade_kinds(table)
        for got in trade_kinds(table)
        for x, y in sizes
        if given != got and held(table, seat, given) >= x and seems_held(table, other, got, y)
    ]


def counters(table: Table, seat: int, other: int, bundle: str) -> list[str]:
    """What the asked seat `other` may ask for instead: one side of the offer changed (R72)."""
    (a, given), (b, got) = (read_side(text) for text in bundle.split(" for "))
    kinds = [kind for kind in trade_kinds(table) if kind not in (given, got)]
    found = []
    if held(table, other, got) >= b:
        if a + 1 <= 3 and seems_held(table, seat, given, a + 1):
            found.append((a + 1, given, b, got))
        found += [(1, kind, b, got) for kind in kinds if seems_held(table, seat, kind, 1)]
    found += [(a, given, 1, kind) for kind in kinds if held(table, other, kind)]
    return [f"counter {side(x, one)} for {side(y, two)}" for x, one, y, two in found]


def offer(table: Table, seat: int, other: int, bundle: str) -> Asking:
    """One proposal to one player: accepted, declined, or countered once."""
    table.asked.append(other)
    table.pending = f"{SEATS[seat]} to {SEATS[other]}: {bundle}"
    count, got = read_side(bundle.split(" for ")[1])
    answers = ["decline"] + ["accept"] * (held(table, other, got) >= count)
    if table.rule["counter_offers"]:
        answers += counters(table, seat, other, bundle)
    action = yield other, "answer", answers
    if action.startswith("counter "):
        bundle = action.removeprefix("counter ")
        table.pending = f"{SEATS[seat]} to {SEATS[other]}: {bundle}"
        count, given = read_side(bundle.split(" for ")[0])
        action = yield seat, "counter", ["decline"] + ["accept"] * (held(table, seat, given) >= count)
    table.pending = "-"
    if action == "accept":
        for text, giver, taker in zip(bundle.split(" for "), (seat, other), (other, seat), strict=True):
            hand_over(table, *read_side(text), giver, taker)
        table.pay_debts(seat)
        table.pay_debts(other)


def hand_over(table: Table, count: int, kind: str, giver: int, taker: int) -> None:
    one, two = table.seats[giver], table.seats[taker]
    if kind.startswith("E"):
        for _ in range(count):
            one.events.remove(kind)
            two.events.append(kind)
    else:
        one.cards[kind] -= count
        two.cards[kind] += count
