"""The table of Migration: Mars for the plain referee: hands, treasury, deck, population; read from a position."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from tests.reference.mars.board import PLACES, Board, track_of
from tests.reference.mars.rules import BUILDINGS, CARDS, KEPT, RESOURCES, STRUCTURES, full_rules

SEATS = "ABCD"
# What a part of a turn asks (seat, phase, actions); it is sent the action that was chosen.
Asking = Generator[tuple[int, str, list[str]], str, None]
Answer = Generator[tuple[int, str, list[str]], str, bool]


class Won(Exception):
    """A seat has won before the end of its turn."""

    def __init__(self, seat: int) -> None:
        super().__init__(SEATS[seat])
        self.seat = seat


@dataclass
class Seat:
    """What a player has off the board."""

    pop: int
    embassy: int
    cards: dict[str, int]
    events: list[str]
    reserve: Counter[str]
    bay: list[str]
    square: int
    steps: int
    flags: int
    dust: bool = False
    cut: bool = False
    dealt: str | None = None
    never: list[str] = field(default_factory=list)
    out: int = 0  # Tunnels lost for good (R41)
    gone: bool = False

    def in_bay(self) -> int:
        """Population that waits in Salvage."""
        return self.bay.count("Habitat*")

    def marks(self) -> str:
        words = ["dust"] * self.dust + ["cut"] * self.cut
        words += [f"dealt:{self.dealt}"] * (self.dealt is not None)
        words += ["never:" + ",".join(self.never)] * bool(self.never)
        words += [f"out:{self.out}"] * (self.out > 0) + ["quit"] * self.gone
        return " ".join(words) or "-"

    def text(self) -> str:
        kept = [card for kind in KEPT for card in self.events if card == kind]
        parts = [
            f"pop {self.pop}",
            f"embassy {self.embassy}",
            " ".join(f"{kind} {self.cards[kind]}" for kind in CARDS),
            "events " + (" ".join(kept) or "-"),
            "reserve " + reserve_text(self.reserve),
            "bay " + (" ".join(bay_order(self.bay)) or "-"),
            f"square {self.square} +{self.steps}",
            "marks " + self.marks(),
        ]
        return " | ".join(parts)


def bay_order(bay: list[str]) -> list[str]:
    """By kind, a Habitat with population after one without."""
    return sorted(bay, key=lambda piece: (BUILDINGS.index(piece.rstrip("*")), piece.endswith("*")))


def reserve_text(reserve: Counter[str]) -> str:
    words = [f"{reserve[k]}x{k}" if reserve[k] > 1 else k for k in STRUCTURES if reserve[k]]
    return " ".join(words) or "-"


def listed(text: str) -> list[str]:
    return [] if text == "-" else text.split()


def read_seat(text: str, flags: int) -> Seat:
    """A player's line of a position."""
    pop, embassy, cards, *named = text.split(" | ")
    parts = dict(part.split(" ", 1) for part in [pop, embassy, *named])
    words = cards.split()
    square, steps = parts["square"].split(" +")
    reserve: Counter[str] = Counter()
    for word in listed(parts["reserve"]):
        found = re.fullmatch(r"(?:(\d+)x)?(\w+)", word)
        assert found is not None, word
        reserve[found[2]] += int(found[1] or 1)
    seat = Seat(
        pop=int(parts["pop"]),
        embassy=int(parts["embassy"]),
        cards=dict(zip(words[::2], map(int, words[1::2]), strict=True)),
        events=listed(parts["events"]),
        reserve=reserve,
        bay=listed(parts["bay"]),
        square=int(square),
        steps=int(steps),
        flags=flags,
    )
    for mark in listed(parts["marks"]):
        word, _, kinds = mark.partition(":")
        if word == "dealt":
            seat.dealt = kinds
        elif word == "never":
            seat.never = kinds.split(",")
        elif word == "out":
            seat.out = int(kinds)
        else:
            setattr(seat, "gone" if word == "quit" else word, True)
    assert set(seat.cards) == set(CARDS), text
    return seat


class Table:
    """A game from a position before the first roll of a turn (or in the start phase) on.

    With `rng` the table draws its own chance; without, it has to be told.
    """

    def __init__(self, position: str, params: dict[str, Any], rng: random.Random | None = None) -> None:
        self.rule = full_rules(params)
        self.rng = rng
        self.told: list[str] = []
        lines = dict(line.split(": ", 1) for line in position.strip().splitlines()[1:])
        head = re.fullmatch(r"turn (\d+), ([A-D]): (start|act)", position.strip().splitlines()[0])
        assert head is not None, position
        self.turn, self.to_move, self.phase = int(head[1]), SEATS.index(head[2]), head[3]
        self.first = SEATS.index(lines["first"])
        flags = self.rule["stock"]["flags"]
        self.seats = [read_seat(lines[name], flags) for name in SEATS if name in lines]
        self.board = Board(self.rule, PLACES[len(self.seats)])
        self.board.read(lines["board"])
        self.track = track_of(self.rule)
        side = len(self.track) // 4
        self.stops = [place * side + self.track.index("STOP") for place in PLACES[len(self.seats)]]  # by seat
        words = lines["treasury"].split()
        self.treasury = {
            kind: None if count == "-" else int(count)
            for kind, count in zip(words[::2], words[1::2], strict=True)
        }
        self.corners = int(lines["corners"])
        deck, _, seen = lines["deck"].partition(" | seen ")
        self.deck, self.seen = listed(deck), int(seen or 0)
        self.storm = None if lines["storm"] == "-" else SEATS.index(lines["storm"])
        self.doing, self.pending = "-", "-"
        self.report: int | None = None
        self.asked: list[int] = []
        self.closed = False  # no further building may be moved in this turn (R99)
        self.propagated = False  # Olympium made population in this turn (R57)
        self.winner: int | None = None
        assert lines["doing"] == lines["report"] == lines["offers"] == lines["pending"] == "-", position

    # -- chance -----------------------------------------------------------------------------------

    def draw(self, kind: str, choices: list[str]) -> str:
        """What chance says: told, or drawn."""
        if self.told:
            word, _, value = self.told.pop(0).partition(" ")
            assert (word, value in choices) == (kind, True), f"told {word} {value}, due {kind} of {choices}"
            return value
        assert self.rng is not None, f"not told: {kind}"
        return self.rng.choice(choices)

    # -- cards ------------------------------------------------------------------------------------

    def there(self, kind: str) -> bool:
        """Whether the treasury has one."""
        return self.treasury[kind] != 0

    def take(self, kind: str, count: int) -> int:
        """Take up to `count` out of the treasury; return how many there were."""
        stock = self.treasury[kind]
        if stock is None:
            return count
        taken = min(count, stock)
        self.treasury[kind] = stock - taken
        return taken

    def back(self, kind: str, count: int) -> None:
        stock = self.treasury[kind]
        if stock is not None:
            self.treasury[kind] = stock + count

    def gain(self, seat: int, kind: str, count: int = 1) -> int:
        """A player gets cards from the treasury, as far as it has them, or all or none (M:304, R10)."""
        stock = self.treasury[kind]
        if stock is not None and stock < count and self.rule["short_treasury"] == "nothing":
            return 0
        taken = self.take(kind, count)
        self.seats[seat].cards[kind] += taken
        self.pay_debts(seat)
        return taken

    def pay(self, seat: int, kind: str, count: int = 1) -> None:
        assert self.seats[seat].cards[kind] >= count, (seat, kind, count)
        self.seats[seat].cards[kind] -= count
        self.back(kind, count)

    def pay_debts(self, seat: int) -> None:
        """An RCU that comes to who holds event 12 is paid at once."""
        player = self.seats[seat]
        while "E12" in player.events and player.cards["RCU"]:
            self.pay(seat, "RCU")
            player.events.remove("E12")
            self.bottom("E12")

    def missing(self, seat: int, cost: dict[str, int]) -> int:
        """How many resource cards a player lacks for a price."""
        return sum(max(0, cost.get(kind, 0) - self.seats[seat].cards[kind]) for kind in RESOURCES)

    def can_pay(self, seat: int, cost: dict[str, int]) -> bool:
        """Olympium stands for what is missing of the resources (M:55)."""
        cards = self.seats[seat].cards
        wild = cards["Oly"] - cost.get("Oly", 0)
        return wild >= self.missing(seat, cost) and wild >= 0 and cards["BP"] >= cost.get("BP", 0)

    def pay_price(self, seat: int, cost: dict[str, int]) -> None:
        wild = self.missing(seat, cost) + cost.get("Oly", 0)
        for kind in RESOURCES:
            self.pay(seat, kind, min(cost.get(kind, 0), self.seats[seat].cards[kind]))
        self.pay(seat, "Oly", wild)
        self.pay(seat, "BP", cost.get("BP", 0))

    def bottom(self, card: str) -> None:
        self.deck.append(card)
        self.seen += 1

    # -- pieces -----------------------------------------------------------------------------------

    def in_stock(self, seat: int, kind: str) -> bool:
        """Whether the player has one more of this kind on the mat (R40)."""
        player = self.seats[seat]
        used = len(self.board.own(seat, kind)) + player.reserve[kind]
        used += sum(piece.rstrip("*") == kind for piece in player.bay)
        if kind == "Tunnel":
            used += list(self.board.buried.values()).count(seat) + player.out
        return bool(used < self.rule["stock"][kind])

    def in_play(self) -> list[int]:
        return [seat for seat, player in enumerate(self.seats) if not player.gone]

    def round_from(self, seat: int) -> list[int]:
        """All seats in play, clockwise from one."""
        order = [(seat + k) % len(self.seats) for k in range(len(self.seats))]
        return [other for other in order if not self.seats[other].gone]

    # -- population -------------------------------------------------------------------------------

    def homes(self, seat: int) -> int:
        return int(self.rule["hq_housing"]) + len(self.board.own(seat, "Habitat"))

    def capacity(self, seat: int) -> int:
        linked = self.board.at_embassy(seat)
        return self.homes(seat) + int(self.rule["embassy_housing"] if linked else self.seats[seat].embassy)

    def room(self, seat: int) -> bool:
        """Whether one more may come: a flag, a bed, and no debt of event 12."""
        player = self.seats[seat]
        flag = player.pop + player.in_bay() < player.flags
        return flag and player.pop < self.capacity(seat) and "E12" not in player.events

    def bury(self, seat: int, count: int) -> None:
        """The flags of the dead: back to stock, or out of the game (R53)."""
        if self.rule["dead_flags"] == "out":
            self.seats[seat].flags -= count

    def rehouse(self) -> None:
        """See who lives in the Embassy after a change (R55, R56)."""
        for seat in self.in_play():
            player = self.seats[seat]
            if self.board.at_embassy(seat):
                player.embassy = self.guests(seat)
            elif self.rule["embassy_cut"] == "dies":
                player.pop -= player.embassy
                self.bury(seat, player.embassy)
                player.embassy = 0
            player.embassy = min(player.embassy, player.pop)

    def guests(self, seat: int) -> int:
        """How many of a linked colony live in the Embassy: who stays at a cut is best off there (R97)."""
        first = self.rule["house_order"] == "embassy first"
        if self.rule["house_order"] == "owner":
            first = self.rule["embassy_cut"] == "stays"
        player = self.seats[seat]
        inside = player.pop if first else max(0, player.pop - self.homes(seat))
        return int(min(inside, self.rule["embassy_housing"]))

    def die(self, seat: int) -> None:
        assert self.seats[seat].pop > 0
        self.seats[seat].pop -= 1
        self.bury(seat, 1)
        self.rehouse()

    def arrive(self, seat: int) -> None:
        self.seats[seat].pop += 1
        self.rehouse()
        if self.rule["victory"] == "at once" and self.seats[seat].pop >= self.rule["target"]:
            raise Won(seat)

    def scores(self) -> list[int]:
        return [player.pop for player in self.seats]

    # -- in words ---------------------------------------------------------------------------------

    def head(self) -> str:
        if self.phase != "over":
            return f"turn {self.turn}, {SEATS[self.to_move]}: {self.phase}"
        return f"turn {self.turn}, over: " + (
            "no winner" if self.winner is None else f"{SEATS[self.winner]} wins"
        )

    def position_text(self) -> str:
        """The position, as the engine writes it."""
        treasury = " ".join(f"{k} {'-' if n is None else n}" for k, n in self.treasury.items())
        offers = "".join(SEATS[seat] for seat in sorted(self.asked)) + "!" * self.closed
        offers += "*" * (self.propagated and self.rule["oly_pop"] == "once a turn")
        lines = [self.head(), f"first: {SEATS[self.first]}"]
        lines += [f"{SEATS[seat]}: {player.text()}" for seat, player in enumerate(self.seats)]
        lines += [
            f"board: {self.board.text()}",
            f"treasury: {treasury}",
            f"corners: {self.corners}",
            f"deck: {' '.join(self.deck) or '-'} | seen {self.seen}",
            f"storm: {'-' if self.storm is None else SEATS[self.storm]}",
            f"doing: {self.doing}",
            f"report: {'-' if self.report is None else self.report}",
            f"offers: {offers or '-'}",
            f"pending: {self.pending}",
        ]
        return "\n".join(lines)
