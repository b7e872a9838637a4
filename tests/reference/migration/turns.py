"""A turn of Migration from its beginning to its end in small decisions, and the forced passes in between.

Where rulebook and agreed words leave something open, a comment says what was chosen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from tests.reference.migration.ages import AT_THE_END, Ages, place
from tests.reference.migration.position import (
    PIECES,
    Hex,
    Payment,
    Piece,
    Placement,
    neighbours,
    text,
)


class Turns(Ages, ABC):
    """Who decides what, and when; what is decided about is the business of the other files."""

    teams: list[dict[str, int]]  # what every seat brought to the game
    could_move: bool = False  # whether the mover could do more than pass when its turn began
    ended: str | None = None  # how the game ended
    trying: bool = False  # a copy on which a turn is only tried

    # ---------------------------------------------------------------- the beginning of a turn

    def _begin_turn(self, seat: int) -> None:
        """Note where the Spirit starts; nothing has been used or done yet."""
        self.phase = "turn"
        self.to_move = seat
        self.start_spirit = self.spirits[seat]
        town = None if self.start_spirit is None else self._town(self.start_spirit)
        self.start_town = self.start_spirit if town and town.owner == seat else None
        self.touched = [town] if town and town.owner == seat else []
        self.used = set()
        self.last_oak = None
        self.passed = self.changed = self.wandered = False
        self.stuck = False  # this turn will be a pass by force
        self.made = 0  # Towns established this turn
        self.payments: list[Payment] = []  # still to come in the Migration under way
        self.bonus_of: Hex | None = None  # the Lizard whose bonus is being taken
        self.bonus_open = self.stack_open = False
        self.resolved, self.age_steps = set(), []

    def _oaks(self, seat: int) -> list[Hex]:
        """Own Oaks the Spirit may still go to this turn."""
        spirit = self.spirits[seat]
        if self.rule["oak_from"] == "never" or (self.rule["oak_from"] == "board" and spirit is None):
            return []
        return [h for h in self._towns("Oak", seat) if h not in self.used and h != spirit]

    def _lakes(self, seat: int) -> list[Hex]:
        """Open Lakes beside the Spirit it may still go to this turn, useful or not."""
        spirit = self.spirits[seat]
        if spirit is None:
            return []
        lakes = [h for h in neighbours(spirit) if self._open_lake(h) and h not in self.used]
        if self.rule["oak_then_lake"]:
            return lakes
        beside = [] if self.start_spirit is None else neighbours(self.start_spirit)
        return [h for h in lakes if h in beside]

    def _can_place(self, seat: int, mind_first_turn: bool = True) -> bool:
        """Whether a Town can be established, or Strife done, at once or later in the beginning of this turn.

        Every order of the moves still open is tried: Oaks and Lakes not yet used and, where one of the Towns
        must wander, that; while it must, a position before it does not count.
        """
        seen: set[tuple[Any, ...]] = set()
        barren: set[tuple[Any, ...]] = set()  # Spirit (and Town that wandered) from where nothing is possible

        def search(wander: tuple[Hex, Hex] | None) -> bool:
            spirit, used = self.spirits[seat], self.used
            if (spirit, frozenset(used), wander) in seen:
                return False
            seen.add((spirit, frozenset(used), wander))
            due = self._wanders(seat)
            if not due and (spirit, wander) not in barren:
                if self.placements(seat, mind_first_turn=mind_first_turn) or self._strifes(seat):
                    return True
                barren.add((spirit, wander))
            found = False
            for h in self._oaks(seat) + self._lakes(seat):
                self.spirits[seat], self.used = h, used | {h}
                found = found or search(wander)
                self.spirits[seat], self.used = spirit, used
            same = self.start_town, self.last_oak
            for start, goal in due:
                if not found:
                    self._wander(start, goal)
                    found = search((start, goal))
                    self._move_town(goal, start)
                    self.spirits[seat], self.used, self.wandered = spirit, used, False
                    self.start_town, self.last_oak = same
            return found

        return search(None)

    def _lake_helps(self, seat: int, lake: Hex) -> bool:
        """Whether some Town could still be established after moving the Spirit to this Lake."""
        spirit = self.spirits[seat]
        self.spirits[seat] = lake
        self.used.add(lake)
        helps = self._can_place(seat)
        self.spirits[seat] = spirit
        self.used.remove(lake)
        return helps

    def _turn_actions(self, seat: int) -> set[str]:
        """The beginning of the turn and its action in one; a Town that must wander comes before the action."""
        wanders = {f"wander {text(start)} {text(goal)}" for start, goal in self._wanders(seat)}
        card = self._enactable(seat)
        enact = {f"enact {card}"} if card else set()
        if self.stuck:
            return (wanders or {"pass"}) | enact
        found = set(wanders) or set(self.placements(seat)) | self._strifes(seat)
        found |= {f"oak {text(h)}" for h in self._oaks(seat)}
        found |= {f"lake {text(h)}" for h in self._lakes(seat) if self._lake_helps(seat, h)}
        if not wanders and (self.rule["voluntary_pass"] or not found):
            found.add("pass")
        return found | enact

    # ---------------------------------------------------------------- decisions

    def actions(self) -> set[str]:
        """The texts of all decisions open to `to_move`; empty when the game is over."""
        seat = self.to_move
        if self.phase == "turn":
            return self._turn_actions(seat)
        if self.phase == "pay":
            h, optional = self.payments[0]
            where = "at sea" if h is None else text(h)
            owed = sum(not later for _, later in self.payments[1:])
            affordable = not optional or self._hand_size(seat) > owed
            found = {f"pay {kind} {where}" for kind in self.hands[seat] if affordable}
            return found | ({f"leave {where}"} if optional else set())
        if self.phase == "bonus":
            bonus = set(self._bonus_placements(seat)) if self.bonus_open else set()
            return bonus | (self._stacks(seat, self.new_town) if self.stack_open else set()) | {"decline"}
        if self.phase == "reveal":
            return set(self._reveals(seat))
        if self.phase == "end":
            return self._end_window(seat)
        if self.phase in AT_THE_END:
            return self._age_options(seat, self.phase)
        return {"wolves first", "poison oak first"} if self.phase == "order" else set()

    def do(self, action: str) -> None:
        """Carry out one decision, and then everything that needs none until the next one or the end."""
        action = action.replace("PoisonOak", "Poison Oak")
        if action not in self.actions():
            raise ValueError(f"not offered to seat {self.to_move} in phase {self.phase}: {action}")
        seat = self.to_move
        word, _, rest = action.partition(" ")
        if self.phase == "order":
            self._end_effects(wolves_first=word == "wolves")
        elif self.phase == "reveal":
            self._show(seat, self._reveals(seat)[action])
            if self.begun:
                self._close_turn()
            else:
                self._start()
        elif self.phase in AT_THE_END:
            self._do_age(seat, rest)
        elif word == "enact":
            self._enact(seat)
            self._still_stuck(seat)
        elif self.phase == "end":
            self._do_end(seat, action)
        elif word == "wander":
            self._wander(*(place(at) for at in rest.split()))
            self._still_stuck(seat)
        elif word == "strife":
            kind, at = rest.rsplit(" ", 1)
            self._strife(seat, kind, place(at))
            self._end_turn()
        elif word == "stack":
            kind, at = rest.rsplit(" ", 1)
            self._establish(seat, Placement("stack", kind, place(at)))
        elif self.phase == "pay":
            self._pay(
                seat, None if word == "leave" else next(kind for kind in PIECES if rest.startswith(kind))
            )
        elif word == "decline":
            self._end_turn()
        elif word == "pass":
            self._pass(seat)
        elif word in ("oak", "lake"):
            h = place(rest)
            self._stand(seat, h)
            self.used.add(h)
            self.last_oak = h if word == "oak" else self.last_oak
        elif self.phase == "bonus":
            placement = self._bonus_placements(seat)[action]
            self.bonus_of = self.spirits[seat]
            self._establish(seat, placement)
        else:
            self._establish(seat, self.placements(seat)[action])
        if not self.trying:
            self.check()

    def _establish(self, seat: int, placement: Placement) -> None:
        """The Town is there before anything is paid."""
        self._take(seat, placement.kind, shown=True)
        self.stacks[placement.at].append(Piece(placement.kind, seat, True))
        self.established[seat] += 1
        self.made += 1
        self.changed = True
        self.new_town = placement.at
        self.payments = list(placement.payments)
        self._go_on_paying(seat)

    def _go_on_paying(self, seat: int) -> None:
        # With an empty hand nothing is asked: no piece is left to pay for a Town that may be left alone,
        # nor, under "what you can", for anything else.
        if self.payments and self.hands[seat]:
            self.phase = "pay"
        else:
            self.payments = []
            self._settle(seat)

    def _pay(self, seat: int, kind: str | None) -> None:
        """Lay one piece face down on the next Region of the path (or sink it, or leave the Region)."""
        h, _ = self.payments.pop(0)
        if kind is not None:
            self._take(seat, kind)
            where = self.sunk if h is None else self.stacks[h]
            where.append(Piece(kind, seat, False))
            if h is not None:
                self._drop_spirits(h)
        self._go_on_paying(seat)

    def _settle(self, seat: int) -> None:
        """The Spirit moves to the new Town; then Cactus and Lizard have their say."""
        self._stand(seat, self.new_town)
        returned = None
        if self._is(self.stacks[self.new_town][-1].kind, "Cactus") and self.rule["cactus_returns"]:
            returned = self._cactus(seat)
        if self.bonus_of is not None and self.rule["lizard_flips"]:
            self._flip(self.bonus_of)
        self.bonus_of = None
        lizards = set(self._towns("Lizard", seat))
        triggered = self.new_town in lizards and self.spirits[seat] == self.new_town
        if self.rule["lizard_trigger"] == "any move":
            triggered = triggered or returned in lizards
        self.bonus_open = triggered and self.rule["lizard_bonus"] and bool(self._bonus_placements(seat))
        self.stack_open = self.made == 1 and bool(self._stacks(seat, self.new_town))
        if self.bonus_open or self.stack_open:
            self.phase = "bonus"
        else:
            self._end_turn()

    def _cactus(self, seat: int) -> Hex | None:
        """Put the Spirit back on the Town where the turn started, if that still stands."""
        goal = self.start_town
        if self.rule["cactus_after_oak"] == "oak" and self.last_oak is not None:
            goal = self.last_oak
        town = None if goal is None else self._town(goal)
        if goal is None or town is None or town.owner != seat:
            return None
        self._stand(seat, goal)
        return goal

    def _bonus_placements(self, seat: int) -> dict[str, Placement]:
        """After a Lizard: Expand or Migrate from it."""
        return self.placements(seat, entries=self.rule["bonus_entry"])

    # ---------------------------------------------------------------- the end of a turn

    def _pass(self, seat: int) -> None:
        self.spirits[seat] = None
        self.passed = True
        self._end_turn()

    def _end_turn(self) -> None:
        """Ask for the order of the effects where it matters, else carry them out, Wolves first.

        Where a card does something now or may be enacted, the mover resolves everything one by one instead.
        """
        seat = self.to_move
        if self.passed and not self.rule["effects_on_pass"]:
            self._last_reveal()
        elif self._at_the_end() or self._enactable(seat):
            self.phase = "end"
        elif self._wolf_flips(seat) & set(self._towns("Poison Oak", seat)) and self._poisoned(seat):
            self.phase = "order"
        else:
            self._end_effects(wolves_first=True)

    def _end_effects(self, wolves_first: bool) -> None:
        for effect in ("wolves", "poison oak") if wolves_first else ("poison oak", "wolves"):
            self._end_effect(self.to_move, effect)
        self._last_reveal()

    def _end_effect(self, seat: int, effect: str) -> None:
        if effect == "wolves":
            for h in self._wolf_flips(seat):
                self._flip(h)
        else:
            for other in self._poisoned(seat):
                self.spirits[other] = None

    def _do_end(self, seat: int, choice: str) -> None:
        """One step of the end window; what was resolved under a former Age is not due again."""
        self.resolved.add(choice)
        if choice == "done":
            self._last_reveal()
        elif choice == "age":
            self.age_steps = self._at_the_end()
            self._go_on_with_age(seat)
        else:
            self._end_effect(seat, choice)

    def _last_reveal(self) -> None:
        """Under Oaths a turn, passed or not, ends with the choice of what to reveal until the next."""
        if self.rule["oaths"] and self.trying:
            self.any_pair.add(self.to_move)  # all pairs at once
            self._close_turn()
        elif self.rule["oaths"] and self._must_choose(self.to_move):
            self.phase = "reveal"
        else:
            self._close_turn()

    def _close_turn(self) -> None:
        seat = self.to_move
        self.turn += 1
        self.turns[seat] += 1
        self.passes[seat] += self.passed  # forced passes too
        self.out[seat] = self.passed and not self.rule["comeback"]
        self.still = self.still + 1 if self.passed and not self.changed else 0
        self.declined[seat] |= self.passed and self.could_move
        if self.still == 0:
            self.declined = [False] * len(self.hands)
        self.next_seat = (seat + 1) % len(self.hands)
        if self.trying:
            self.phase = "closed"
        else:
            self._next_decision()

    # ---------------------------------------------------------------- continuation of play

    def _start(self) -> None:
        """Under Oaths everybody reveals, in the order of play but secretly (the snapshot shows it at once)."""
        self.begun = False
        for seat, hand in enumerate(self.hands):
            if self.rule["oaths"] and self._shown(seat) < min(2, sum(hand.values())):
                if self._must_choose(seat):
                    self.phase, self.to_move = "reveal", seat
                    return
        self.begun = True
        self._next_decision()

    def _next_decision(self) -> None:
        """The end test; else the next player's turn, which is a pass by force if it can place nothing."""
        self.ended = self._verdict()
        if self.ended:
            self.phase, self.to_move = "over", -1
            return
        self._go_to_next_seat()
        self._begin_turn(self.next_seat)
        self.could_move = self._can_place(self.to_move)
        if not self.could_move:
            # held up by nothing but the Oasis' first turn: this pass does not count towards a full round
            self.changed = self._can_place(self.to_move, mind_first_turn=False)
            self.stuck = True
            self._still_stuck(self.to_move)

    def _go_to_next_seat(self) -> None:
        while self.out[self.next_seat]:
            self.next_seat = (self.next_seat + 1) % len(self.hands)

    def _still_stuck(self, seat: int) -> None:
        """A stuck player may be freed by the card it enacts; with nothing left to decide it passes by force."""
        if self.phase == "turn" and self.stuck and not self.trying:
            self.stuck = not self._can_place(seat)
            if self.stuck and not self._wanders(seat) and not self._enactable(seat):
                self._pass(seat)

    @abstractmethod
    def _verdict(self) -> str | None:
        """How the game ends in the present position, or None while it goes on."""

    def check(self) -> None:
        """Assert what must hold after every decision: no piece lost, Spirits where they may be."""
        lying = [piece for stack in [*self.stacks.values(), self.sunk] for piece in stack]
        for seat, team in enumerate(self.teams):
            hand, shown = self.hands[seat], self.revealed[seat]
            assert all(0 < count <= hand.get(kind, 0) for kind, count in shown.items()), (hand, shown)
            if self.rule["oaths"] and self.begun and seat != self.to_move:
                assert self._shown(seat) == min(2, self._hand_size(seat))
            assert self.rule["oaths"] or not shown
            for kind in PIECES:
                count = sum(piece.owner == seat and piece.kind == kind for piece in lying)
                assert self.hands[seat].get(kind, 0) + count == team.get(kind, 0), (seat, kind)
            spirit = self.spirits[seat]
            if spirit is not None:
                town = self._town(spirit)
                on_lake = seat == self.to_move and self.phase in ("turn", "pay") and self._open_lake(spirit)
                assert on_lake or (town and town.owner == seat), f"Spirit of seat {seat} on {spirit}"
        for h, stack in self.stacks.items():
            below = stack[:1] if "Lake" in self.board[h]["terrain"] else []
            assert not any(piece.up for piece in below), f"a Town on the open Lake {h}"
        assert min(self.scores()) >= 0
        assert (self.phase == "over") == (not self.actions())
