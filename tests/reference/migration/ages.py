"""The Alternative Play Styles of Migration for the plain referee: Oaths, and Age Cards in their three modes.

An Age Card is a set of switches. Those that change what may be established, and how, are asked for in
`migration_position`; here is what else the cards let or make a player do, who may Enact them when, and what a
player shows under Oaths. When all of this happens within a turn is the business of `migration`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from tests.reference.migration.position import PIECES, Hex, Piece, Position, neighbours, text

CARDS: dict[str, set[str]] = {
    "Exploration": {"optional_payments"},
    "Wandering": {"must_wander"},
    "Cooperation": {"stack_second"},
    "Treaties": {"no_migration"},
    "Nostalgia": {"nostalgia"},
    "Restlessness": {"no_expansion"},
    "Famine": {"famine"},
    "Aggression": {"aggression"},
    "Strife": {"strife"},
}
SWITCHES = sorted(set().union(*CARDS.values()))
MODES = ("none", "scenario", "era", "agenda")
# What a card does at the end of a turn, in the order agreed for a card that does several of these.
AT_THE_END = ("famine", "aggression", "nostalgia")


def place(words: str) -> Hex:
    """The hex in a text like ``2,-1``."""
    q, r = words.split(",")
    return int(q), int(r)


class Ages(Position):
    """The cards on the table, and what the active one (or Oaths) adds to a turn."""

    phase: str
    to_move: int
    start_town: Hex | None  # the own Town under the Spirit when the turn began, wherever it is by now
    last_oak: Hex | None
    used: set[Hex]  # Oaks and Lakes used this turn
    wandered: bool  # whether a Town has wandered this turn
    touched: list[Piece]  # the Towns the mover's Spirit stood on during this turn
    changed: bool  # whether a Town was placed, flipped or covered, or a card enacted, this turn
    resolved: set[str]  # the end-of-turn effects that are done
    age_steps: list[str]  # what the active card still does at the end of this turn

    # ---------------------------------------------------------------- what a turn does to the board

    def _take(self, seat: int, kind: str, shown: bool = False) -> None:
        """Take one piece out of the hand: a revealed one to be `shown`, else the hidden one of two alike."""
        self.hands[seat][kind] -= 1
        left, seen = self.hands[seat][kind], self.revealed[seat].get(kind, 0)
        seen = seen - 1 if shown and self.rule["oaths"] else min(seen, left)
        for pieces, count in ((self.hands[seat], left), (self.revealed[seat], seen)):
            pieces[kind] = count
            if count == 0:
                del pieces[kind]

    def _drop_spirits(self, h: Hex) -> None:
        self.spirits = [None if spirit == h else spirit for spirit in self.spirits]

    def _flip(self, h: Hex) -> None:
        """Turn a Town to its Wasteland side; a Spirit on it is lost."""
        town = self.stacks[h].pop()
        self.stacks[h].append(Piece(town.kind, town.owner, False))
        self._drop_spirits(h)
        self.changed = True

    def _stand(self, seat: int, h: Hex) -> None:
        """Put the mover's Spirit there, and remember the Town it touched."""
        self.spirits[seat] = h
        town = self._town(h)
        if town:
            self.touched.append(town)

    def _move_town(self, start: Hex, goal: Hex) -> None:
        """The Town goes, with its Spirit; whatever lay beneath is exposed."""
        self.stacks[goal].append(self.stacks[start].pop())
        self.spirits = [goal if spirit == start else spirit for spirit in self.spirits]

    def _open_to_towns(self, h: Hex) -> list[Hex]:
        """The Frontier Regions around a Town that it could be moved to; never an open Lake."""
        around = [n for n in neighbours(h) if self._is_region(n) and self._frontier(n)]
        return [n for n in around if not self._open_lake(n)]

    # ---------------------------------------------------------------- the cards, Enact and its lock

    def _deal_ages(self, ages: Mapping[str, Any] | None) -> None:
        """Put the cards where the mode wants them."""
        ages = ages or {}
        self.mode = ages.get("mode", "none")
        self.cards = {name: set(switches) for name, switches in ages.get("cards", CARDS).items()}
        self.deck: list[Any] = list(ages.get("deck", ()))  # era: the first lies face up
        self.own_cards: list[str | None] = [None] * len(self.hands)  # agenda: not yet enacted
        self.lock: tuple[int, int] | None = None  # who enacted, and until that seat has taken more turns than
        wrong = {name for name in self.deck if name is not None} - set(self.cards)
        wrong |= {self.mode} - set(MODES) | set().union(*self.cards.values()) - set(SWITCHES)
        if wrong:
            raise ValueError(f"unknown card, switch or mode: {sorted(wrong)}")
        if len(self.deck) < {"scenario": 1, "agenda": len(self.hands)}.get(self.mode, 0):
            raise ValueError(f"too few cards for the mode {self.mode}")
        if self.mode == "scenario":
            self.active = self.deck[0]
        elif self.mode == "agenda":
            # one each; what is left of the deck stays in the box
            self.own_cards = [self.deck[seat] for seat in range(len(self.hands))]

    def _face_up(self) -> str | None:
        return self.deck[0] if self.mode == "era" and self.deck else None

    def _locked(self) -> bool:
        """Whether the player who enacted the Age in force has yet to finish another turn."""
        if self.lock is None:
            return False
        owner, turns = self.lock
        return not self.out[owner] and self.turns[owner] <= turns

    def _enactable(self, seat: int) -> str | None:
        """The card this player may Enact now."""
        if self._locked():
            return None
        return self.own_cards[seat] if self.mode == "agenda" else self._face_up()

    def _enact(self, seat: int) -> None:
        """The card replaces the former at once; it stays at least until the end of the enactor's next turn."""
        self.active = self._enactable(seat)
        if self.mode == "agenda":
            self.own_cards[seat] = None
        else:
            self.deck.pop(0)
        self.lock = (seat, self.turns[seat] + 1)  # this turn still counts as the first
        self.changed = True

    # ---------------------------------------------------------------- Wandering, Strife, Cooperation

    def _wanders(self, seat: int) -> list[tuple[Hex, Hex]]:
        """Wandering: the moves of own Towns of which one is due now."""
        if self.wandered or not self._age("must_wander"):
            return []
        own = [h for h in self.stacks if (town := self._town(h)) and town.owner == seat]
        return [(h, n) for h in own for n in self._open_to_towns(h)]

    def _wander(self, start: Hex, goal: Hex) -> None:
        """The moved Town stays the same Town: where the turn started, or an Oak that was used."""
        self._move_town(start, goal)
        self.used = {goal if h == start else h for h in self.used}
        self.start_town = goal if self.start_town == start else self.start_town
        self.last_oak = goal if self.last_oak == start else self.last_oak
        self.wandered = True

    def _strifes(self, seat: int) -> set[str]:
        """Strife: cover an adjacent enemy Town that has no Spirit, instead of Expanding or Migrating.

        The covering piece is Wasteland, so it comes from the whole hand under Oaths too.
        """
        spirit = self.spirits[seat]
        if spirit is None or not self._age("strife"):
            return set()
        towns = [h for h in neighbours(spirit) if (town := self._town(h)) and town.owner != seat]
        targets = [h for h in towns if h not in self.spirits]
        return {f"strife {kind} {text(h)}" for kind in self.hands[seat] for h in targets}

    def _strife(self, seat: int, kind: str, h: Hex) -> None:
        self._take(seat, kind)
        self.stacks[h].append(Piece(kind, seat, False))
        self.spirits[seat] = None
        self.changed = True

    def _stacks(self, seat: int, h: Hex) -> set[str]:
        """Cooperation: a second Town on top of the first one of the turn, where no Skunk forbids it."""
        if not self._age("stack_second") or self._skunk_blocks(seat, h):
            return set()
        return {f"stack {kind} {text(h)}" for kind in self._choice(seat)}

    # ---------------------------------------------------------------- the end window

    def _at_the_end(self) -> list[str]:
        """What the active card does at the end of a turn."""
        return [switch for switch in AT_THE_END if self._age(switch)]

    def _due(self, seat: int) -> set[str]:
        """The effects of this turn's end that the mover has still to resolve, by the present position.

        Wolves that flip the own Poison Oak, or a new Age, can so make an effect undue that was due before.
        """
        due = set()
        if sum(1 for _ in self._towns("Wolf", seat)) >= self.rule["wolf_needs"]:
            due.add("wolves")
        if any(self._towns("Poison Oak", seat)):
            due.add("poison oak")
        if self._at_the_end():
            due.add("age")
        return due - self.resolved

    def _end_window(self, seat: int) -> set[str]:
        due, card = self._due(seat), self._enactable(seat)
        return (due or {"done"}) | ({f"enact {card}"} if card else set())

    def _age_options(self, seat: int, step: str) -> set[str]:
        """The choices a card leaves at the end of the turn; a Mountain protects from none of them."""
        spirit = self.spirits[seat]
        if step == "nostalgia":
            own = [h for h in self.stacks if (town := self._town(h)) and town.owner == seat]
            fresh = [h for h in own if not any(piece is self.stacks[h][-1] for piece in self.touched)]
            return {f"nostalgia {text(h)}" for h in fresh} | ({"nostalgia off"} if fresh else set())
        if spirit is None:
            return set()
        around = [h for h in neighbours(spirit) if h in self.board]
        if step == "famine":
            # open Lakes are Frontier too, and cease to be Lakes
            waste = [h for h in around if self._is_region(h) and not self._town(h)]
            return {f"famine {kind} {text(h)}" for kind in self.hands[seat] for h in waste}
        enemies = [h for h in around if (town := self._town(h)) and town.owner != seat]
        return {
            f"aggression {text(h)} {text(goal)}" for h in enemies for goal in [h, *self._open_to_towns(h)]
        }

    def _go_on_with_age(self, seat: int) -> None:
        """Famine, Aggression, Nostalgia, as the card has them, until something has to be chosen."""
        while self.age_steps:
            self.phase = self.age_steps.pop(0)
            if self.phase == "nostalgia":
                self.spirits[seat] = None
            if self._age_options(seat, self.phase):
                return
        self.phase = "end"

    def _do_age(self, seat: int, words: str) -> None:
        """Carry out one choice of Famine, Aggression or Nostalgia."""
        if self.phase == "famine":
            kind, at = words.rsplit(" ", 1)
            self._take(seat, kind)
            self.stacks[place(at)].append(Piece(kind, seat, False))
        elif self.phase == "aggression":
            start, goal = (place(at) for at in words.split())
            if start != goal:
                self._move_town(start, goal)
        elif words != "off":
            self.spirits[seat] = place(words)
        self._go_on_with_age(seat)

    # ---------------------------------------------------------------- Oaths

    def _reveals(self, seat: int) -> dict[str, tuple[str, ...]]:
        """The ways to show exactly two Explorers of the hand, or all of fewer, in the order of the types."""
        pieces = [kind for kind in PIECES for _ in range(self.hands[seat].get(kind, 0))]
        return {f"reveal {' '.join(pair)}": pair for pair in combinations(pieces, min(2, len(pieces)))}

    def _show(self, seat: int, pieces: tuple[str, ...]) -> None:
        self.revealed[seat] = {kind: pieces.count(kind) for kind in pieces}

    def _shown(self, seat: int) -> int:
        return sum(self.revealed[seat].values())

    def _must_choose(self, seat: int) -> bool:
        """Whether there are several ways to reveal; the only way is taken at once."""
        ways = list(self._reveals(seat).values())
        if len(ways) == 1:
            self._show(seat, ways[0])
        return len(ways) > 1
