"""Regions, Towns and Terrain Modifiers of Migration: what may be established where, and what it is worth.

The half of the plain referee that only looks at a position, in the rulebook's order and words. Every physical
piece stays in the stack of its Region with its owner, also when it lies face down as Wasteland, so that no
piece can get lost unseen. Nothing here is shared with the compiled engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Hex = tuple[int, int]
Payment = tuple[Hex | None, bool]  # (Region to pay for, or None for a sea hex; whether it may be left out)

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # E NE NW W SW SE
BOOK_I = ("Bass", "Oak", "Rats", "Sparrow", "Fly")
BOOK_II = ("Wolf", "Skunk", "Poison Oak", "Jackal", "Lizard", "Cactus")
PIECES = BOOK_I + BOOK_II
TERRAINS = ("Fertile", "Lake", "Mountain", "Deep Woods", "Desert", "Oasis")

DEFAULTS: dict[str, Any] = {
    "abilities": True,
    "rats_points": 2,
    "jackal_base": 1,
    "jackal_points": 1,
    "fertile_points": 1,
    "desert_penalty": 1,
    "cactus_penalty": 1,
    "wolf_needs": 2,
    "migrate_over_ocean": "never",
    "enclosed_sea": "coastal",
    "covered_forest": "lost",
    "sea_desert_is_region": True,
    "short_payment": "illegal",
    "pay_on_wasteland": True,
    "jackal_counts": "region",
    "entry_with_spirit": True,
    "bass_on_wasteland": False,
    "voluntary_pass": True,
    "comeback": True,
    "effects_on_pass": True,
    "end_rule": "auto",
    "oak_from": "anywhere",
    "fertile_after_floor": False,
    "fly_lands_by": "both",
    "sparrow_over_towns": True,
    "sparrow_must_cover": True,
    "mountain_stops_sparrow": False,
    "sparrow_over_deep_woods": False,
    "skunk_concerns": "enemies",
    "mountain_silences": False,
    "mountain_shields_spirit": True,
    "wolf_concerns": "enemies",
    "wolf_exactly": False,
    "poison_oak_concerns": "enemies",
    "lizard_trigger": "established",
    "lizard_bonus": True,
    "lizard_flips": True,
    "bonus_entry": False,
    "cactus_returns": True,
    "cactus_after_oak": "start",
    "cactus_concerns": "all",
    "cactus_stacks": True,
    "oak_then_lake": True,
    "oasis_first_turn": "own",
    "persistent": ("Fertile", "Mountain", "Deep Woods", "Desert"),
    "bass_enters": "coast",
    "wolf_enters": "forest",
    "oasis_enters": True,
}
# The rules of the Alternative Play Styles that are no Age Cards; kept apart from the base game's.
VARIANTS: dict[str, Any] = {"oaths": False, "adjacent_migration": False}
# These only concern the set-up; the referee is given the board and the teams, so it takes and ignores them.
SETUP_ONLY = {
    "players.count",
    "books",
    "hand_size",
    "set_counts",
    "islands",
    "modifiers_per_region",
    "bass_required",
    "first_player",
    "ban_method",
    "age_mode",
    "age",
    "age_cards",
    "age_file",
    "draft",
    "draft_cap",
    "draft_bass",
    "draft_bans",
    "teams",
    "map",
}
FLY_LANDS = {"both": {"expand", "migrate"}, "expansion": {"expand"}, "migration": {"migrate"}, "never": set()}


@dataclass(frozen=True, eq=False)
class Piece:
    """One physical piece: its type, the seat that brought it (-1: unknown), whether it lies face up."""

    kind: str
    owner: int
    up: bool


@dataclass(frozen=True)
class Placement:
    """One way to establish a Town: how, which piece, where, and what has to be paid, near to far."""

    way: str
    kind: str
    at: Hex
    payments: tuple[Payment, ...] = ()

    def __str__(self) -> str:
        return f"{self.way} {self.kind} {text(self.at)}"


def text(h: Hex) -> str:
    """The text of a hex in actions, for example ``2,-1``."""
    return f"{h[0]},{h[1]}"


def step(h: Hex, direction: Hex, times: int = 1) -> Hex:
    """The hex so many steps from `h` in one direction."""
    return h[0] + direction[0] * times, h[1] + direction[1] * times


def neighbours(h: Hex) -> list[Hex]:
    """The six hexes around `h`, land or not."""
    return [step(h, d) for d in DIRECTIONS]


def concerns(whom: str, seat: int, other: int) -> bool:
    """Whether an ability of `seat` that concerns nobody, enemies, own or all concerns `other`."""
    return {"nobody": False, "enemies": seat != other, "own": seat == other, "all": True}[whom]


class Position:
    """What lies where, and what the rules say about it; who does what when is the `Referee`'s business."""

    def _lay_out(
        self,
        board: Mapping[Hex, Mapping[str, Any]],
        hands: Sequence[Mapping[str, int]],
        params: Mapping[str, Any] | None,
    ) -> None:
        """An empty board, the hands, and nobody's turn yet."""
        params = dict(params or {})
        unknown = set(params) - set(DEFAULTS) - set(VARIANTS) - SETUP_ONLY
        unknown |= {name for spot in board.values() for name in spot["terrain"]} - set(TERRAINS)
        unknown |= {kind for hand in hands for kind in hand} - set(PIECES)
        if unknown:
            raise ValueError(f"unknown parameter, terrain or piece: {sorted(unknown)}")
        self.rule: dict[str, Any] = DEFAULTS | VARIANTS | params
        n = len(hands)
        self.board: dict[Hex, dict[str, Any]] = {(q, r): dict(spot) for (q, r), spot in board.items()}
        self.coastal, self.interior = self._coast()
        self.stacks: dict[Hex, list[Piece]] = {h: [] for h in self.board}
        self.sunk: list[Piece] = []  # pieces paid at sea
        self.hands = [{kind: k for kind, k in hand.items() if k > 0} for hand in hands]
        self.spirits: list[Hex | None] = [None] * n
        self.turns, self.passes, self.established = [0] * n, [0] * n, [0] * n
        self.turn = 0  # turns completed by everybody
        self.out = [False] * n  # only without a comeback: who has passed
        self.still = 0  # passed turns in a row with no Town placed, covered or flipped and no card enacted
        self.declined = [False] * n  # who has passed during that count although it could have moved
        self.next_seat = 0
        self.revealed: list[dict[str, int]] = [{} for _ in hands]  # Oaths: the part of the hand shown to all
        self.cards: dict[str, set[str]] = {}  # the Age Cards in play, each a set of switches
        self.any_pair: set[int] = set()  # Oaths, in trials: who may have revealed whatever it has
        self.active: str | None = None  # the Age that is in force

    # ---------------------------------------------------------------- Regions and what lies on them

    def _is_region(self, h: Hex) -> bool:
        """A land hex, or a Desert in the sea where that counts as a Region."""
        return h in self.board and (not self.board[h]["sea"] or self.rule["sea_desert_is_region"])

    def _coast(self) -> tuple[set[Hex], set[Hex]]:
        """The Coastal and the Interior Regions; a Desert in the sea fills its hex in either case."""
        land = set(self.board)
        sea = {n for h in land for n in neighbours(h)} - land
        if self.rule["enclosed_sea"] == "neither":
            sea &= self._outer_sea(land)
        interior = {h for h in land if all(n in land for n in neighbours(h))}
        coastal = {h for h in land if any(n in sea for n in neighbours(h))}
        return {h for h in coastal if self._is_region(h)}, {h for h in interior if self._is_region(h)}

    @staticmethod
    def _outer_sea(land: set[Hex]) -> set[Hex]:
        """The sea hexes joined to the open water around the map."""
        qs, rs = [q for q, _ in land], [r for _, r in land]
        frame = {(q, r) for q in range(min(qs) - 1, max(qs) + 2) for r in range(min(rs) - 1, max(rs) + 2)}
        water: set[Hex] = set()
        todo = [(min(qs) - 1, min(rs) - 1)]
        while todo:
            h = todo.pop()
            if h in frame and h not in land and h not in water:
                water.add(h)
                todo.extend(neighbours(h))
        return water

    def _town(self, h: Hex) -> Piece | None:
        """The face-up piece on top, if there is one."""
        stack = self.stacks.get(h)
        return stack[-1] if stack and stack[-1].up else None

    def _wasteland(self, h: Hex) -> bool:
        return bool(self.stacks.get(h)) and self._town(h) is None

    def _frontier(self, h: Hex) -> bool:
        """No Town and no Wasteland on it (an open Lake is one too, but nobody may settle there)."""
        return not self.stacks[h]

    def _open_lake(self, h: Hex) -> bool:
        return h in self.board and "Lake" in self.board[h]["terrain"] and not self.stacks[h]

    def _forest(self, h: Hex) -> bool:
        """An uncovered Forest Region; Deep Woods count, a symbol under a Terrain Modifier does not."""
        terrain = self.board[h]["terrain"]
        symbol = self.board[h]["forest"] and (not terrain or self.rule["covered_forest"] == "kept")
        return self._frontier(h) and ("Deep Woods" in terrain or symbol)

    def _deep_woods(self, h: Hex) -> bool:
        lasting = "Deep Woods" in self.rule["persistent"]
        return "Deep Woods" in self.board[h]["terrain"] and (lasting or self._frontier(h))

    def _lasting(self, h: Hex, name: str) -> bool:
        """Fertile, Mountain or Desert under a Town: without any force when not persistent."""
        return name in self.board[h]["terrain"] and name in self.rule["persistent"]

    def _mountain(self, h: Hex) -> bool:
        return self._lasting(h, "Mountain")

    def _towns(self, kind: str, owner: int | None = None) -> Iterator[Hex]:
        """Where Towns of one type stand with their ability; none in the game without abilities."""
        for h in self.stacks if self.rule["abilities"] else ():
            town = self._town(h)
            if town and town.kind == kind and owner in (None, town.owner):
                yield h

    def _active(self, kind: str, owner: int | None = None) -> set[Hex]:
        """Towns whose ability reaches their neighbours (not from a Mountain if that silences them)."""
        return {
            h for h in self._towns(kind, owner) if not (self.rule["mountain_silences"] and self._mountain(h))
        }

    def _is(self, kind: str, name: str) -> bool:
        """Whether a piece has the ability of that Explorer."""
        return self.rule["abilities"] and kind == name

    def _hand_size(self, seat: int) -> int:
        return sum(self.hands[seat].values())

    def _choice(self, seat: int) -> dict[str, int]:
        """What may be established: the hand, under Oaths only its revealed part."""
        return self.revealed[seat] if self.rule["oaths"] and seat not in self.any_pair else self.hands[seat]

    def _age(self, switch: str) -> bool:
        """Whether the active Age Card changes this rule."""
        return self.active is not None and switch in self.cards[self.active]

    # ---------------------------------------------------------------- establishing a Town

    def _may_land(self, seat: int, kind: str, h: Hex, way: str) -> bool:
        """Whether the Region takes this piece: Frontier (or the Fly's Wasteland), no Lake, no Skunk."""
        if h not in self.board or self._open_lake(h) or self._town(h):
            return False
        if not self._is_region(h) and way != "expand":
            return False
        if self._wasteland(h):
            fly = self._is(kind, "Fly") and way in FLY_LANDS[self.rule["fly_lands_by"]]
            bass = self._is(kind, "Bass") and way == "enter" and self.rule["bass_on_wasteland"]
            # "coastal Wasteland too": only the coast, even where the Bass itself enters anywhere.
            if not fly and not (bass and h in self.coastal):
                return False
        return not self._skunk_blocks(seat, h)

    def _skunk_blocks(self, seat: int, h: Hex) -> bool:
        """A Skunk that has its owner's Spirit keeps others off the Regions around it, but off no Mountain."""
        if self._mountain(h):
            return False
        for skunk in self._active("Skunk"):
            owner = self.stacks[skunk][-1].owner
            if skunk in neighbours(h) and self.spirits[owner] == skunk:
                if concerns(self.rule["skunk_concerns"], owner, seat):
                    return True
        return False

    def _lines(self, seat: int, kind: str, start: Hex) -> Iterator[tuple[Hex, tuple[Payment, ...]]]:
        """Where this piece may Migrate to, and what lies in between: land near to far, then sea."""
        qs, rs = [q for q, _ in self.board], [r for _, r in self.board]
        reach = max(max(qs) - min(qs), max(rs) - min(rs))
        nearest = 1 if self.rule["adjacent_migration"] else 2
        for direction in DIRECTIONS:
            between: list[Payment] = []
            for distance in range(1, reach + 1):
                h = step(start, direction, distance)
                if distance >= nearest and self._may_land(seat, kind, h, "migrate"):
                    yield h, tuple(sorted(between, key=lambda payment: payment[0] is None))
                over = self._over(kind, h)
                if over is None:
                    break
                between += over

    def _over(self, kind: str, h: Hex) -> list[Payment] | None:
        """What Migrating over one hex costs, or None where the line ends."""
        choice = self._age("optional_payments")  # "for each Region": Towns and Wasteland included
        if not self._is_region(h):
            # A Desert in the sea that is no Region is on no line: it is passed like the sea it lies in.
            sea: list[Payment] = [] if self.rule["migrate_over_ocean"] == "free" else [(None, choice)]
            return None if self.rule["migrate_over_ocean"] == "never" else sea
        sparrow = self._is(kind, "Sparrow")
        if self._deep_woods(h) and not (sparrow and self.rule["sparrow_over_deep_woods"]):
            return None
        if self._town(h):
            stopped = self.rule["mountain_stops_sparrow"] and self._mountain(h)
            if not sparrow or not self.rule["sparrow_over_towns"] or stopped:
                return None
            return [(h, choice or not self.rule["sparrow_must_cover"])]
        if self._wasteland(h) and not self.rule["pay_on_wasteland"]:
            return []
        return [(h, choice)]

    def _may_enter(self, seat: int, kind: str, h: Hex, mind_first_turn: bool) -> bool:
        """Whether this piece needs no Pioneer Spirit there."""
        if self.spirits[seat] is not None and not self.rule["entry_with_spirit"]:
            return False
        if not self._may_land(seat, kind, h, "enter"):
            return False
        if self._wasteland(h):
            return self.rule["bass_enters"] != "nowhere"  # only a Bass gets here
        if not self.rule["abilities"] and self.established[seat] == 0 and h in self.coastal:
            return True
        if self._is(kind, "Bass"):
            if self.rule["bass_enters"] == "anywhere" or (
                self.rule["bass_enters"] == "coast" and h in self.coastal
            ):
                return True
        if self._is(kind, "Wolf"):
            if self.rule["wolf_enters"] == "anywhere" or (
                self.rule["wolf_enters"] == "forest" and self._forest(h)
            ):
                return True
        # The Oasis is terrain, so it also works in the game without abilities.
        oasis = self.rule["oasis_enters"] and "Oasis" in self.board[h]["terrain"]
        return oasis and not (mind_first_turn and self._first_turn(seat))

    def _first_turn(self, seat: int) -> bool:
        """Whether this is the turn on which the Oasis does not yet work."""
        return {
            "own": self.turns[seat] == 0,
            "game": self.turn == 0,
            "round": self.turn < len(self.hands),
        }[self.rule["oasis_first_turn"]]

    def placements(
        self, seat: int, *, entries: bool = True, mind_first_turn: bool = True
    ) -> dict[str, Placement]:
        """All ways for `seat` to establish a Town from the present position, by action text."""
        found: dict[str, Placement] = {}
        start = self.spirits[seat]
        for kind in self._choice(seat):
            here: list[Placement] = []
            if start is not None and not self._age("no_expansion"):
                near = [h for h in neighbours(start) if self._may_land(seat, kind, h, "expand")]
                here += [Placement("expand", kind, h) for h in near]
            if start is not None and not self._age("no_migration"):
                for h, payments in self._lines(seat, kind, start):
                    needed = 1 + sum(not optional for _, optional in payments)
                    if self._hand_size(seat) >= needed or self.rule["short_payment"] == "what you can":
                        here.append(Placement("migrate", kind, h, payments))
            if entries:
                expanding = {placement.at for placement in here if placement.way == "expand"}
                for h in self.board:
                    if h not in expanding and self._may_enter(seat, kind, h, mind_first_turn):
                        here.append(Placement("enter", kind, h))
            found |= {str(placement): placement for placement in here}
        return found

    # ---------------------------------------------------------------- Wolves, Poison Oaks, scores

    def _wolf_flips(self, seat: int) -> set[Hex]:
        """Towns with enough Wolves of `seat` beside them, judged on the present position."""
        wolves = self._active("Wolf", seat)
        flips = set()
        for h in self.stacks:
            town = self._town(h)
            if town and concerns(self.rule["wolf_concerns"], seat, town.owner) and not self._mountain(h):
                beside, needed = len(wolves.intersection(neighbours(h))), self.rule["wolf_needs"]
                if beside == needed or (beside > needed and not self.rule["wolf_exactly"]):
                    flips.add(h)
        return flips

    def _poisoned(self, seat: int) -> list[int]:
        """Players whose Spirit stands beside a Poison Oak of `seat`."""
        oaks = self._active("Poison Oak", seat)
        found = []
        for other, spirit in enumerate(self.spirits):
            if spirit is None or not concerns(self.rule["poison_oak_concerns"], seat, other):
                continue
            sheltered = self.rule["mountain_shields_spirit"] and self._mountain(spirit)
            if oaks.intersection(neighbours(spirit)) and not sheltered:
                found.append(other)
        return found

    def _score(self, h: Hex) -> int:
        """The worth of the Town on this Region (0 without one)."""
        town = self._town(h)
        if town is None:
            return 0
        points = 1
        if self._is(town.kind, "Rats"):
            points = self.rule["rats_points"]
        if self._is(town.kind, "Jackal"):
            waste = [self.stacks[n] for n in neighbours(h) if self._wasteland(n)]
            if self.rule["jackal_counts"] == "piece":
                count = sum(not piece.up for stack in waste for piece in stack)
            else:
                count = len(waste)
            points = self.rule["jackal_base"] + self.rule["jackal_points"] * count
        if self._lasting(h, "Desert"):
            points -= self.rule["desert_penalty"]
        if not self._mountain(h):
            cacti = self._active("Cactus").intersection(neighbours(h))
            owners = [self.stacks[n][-1].owner for n in cacti]
            count = sum(concerns(self.rule["cactus_concerns"], owner, town.owner) for owner in owners)
            points -= self.rule["cactus_penalty"] * (count if self.rule["cactus_stacks"] else min(count, 1))
        fertile = self.rule["fertile_points"] if self._lasting(h, "Fertile") else 0
        if self.rule["fertile_after_floor"]:
            return max(0, points) + fertile
        return max(0, points + fertile)

    def scores(self) -> list[int]:
        """The points of each seat if the game ended now."""
        points = [0] * len(self.hands)
        for h in self.stacks:
            town = self._town(h)
            if town:
                points[town.owner] += self._score(h)
        return points
