"""The end of a game of Migration: who can move now, what may still give somebody a move, and when we stop waiting.

The rulebook ends the game when no player has a legal move. Where turns without a new Town can bring somebody a
move (Oaths, Enacting, cards that move Towns or Spirits) the position of the moment does not tell that; there the
coming round of passed turns is tried, with every choice that it leaves, by the rules of `migration_turns` themselves.
Players who could move and never will are waited for during two rounds; that end has a name of its own.
"""

from __future__ import annotations

from typing import Any

from tests.reference.migration.ages import AT_THE_END
from tests.reference.migration.turns import Turns

FINISHED, ALL_PASSED = "finished", "all_passed"
ROUNDS_OF_PATIENCE = 2


class Ending(Turns):
    """The end test between two turns."""

    def _verdict(self) -> str | None:
        """How the game ends in the present position, or None while it goes on."""
        playing = self._playing()
        able = [seat for seat in playing if self._able(seat)]
        if not able and not self._may_change():
            return FINISHED
        rounds = self.still // len(playing) if playing else 0
        # Whoever has got a move and has not refused one yet is asked first, and waited for no longer than a round:
        # a move that one has between other players' turns may be gone whenever its own turn comes.
        asked = all(self.declined[seat] for seat in able) or rounds > ROUNDS_OF_PATIENCE
        return ALL_PASSED if self.rule["comeback"] and rounds >= ROUNDS_OF_PATIENCE and asked else None

    def _playing(self) -> list[int]:
        """Who takes turns; without a comeback whoever has passed is out."""
        return [seat for seat, out in enumerate(self.out) if not out]

    # ---------------------------------------------------------------- who can move now

    def _able(self, seat: int) -> bool:
        """Whether this player could establish a Town or do Strife if its turn began now.

        Oaks, Lakes and the Wandering that is due count. The Oasis' closed first turn does not end a game.
        """
        if not self.hands[seat]:
            return False  # whatever a player does takes an Explorer
        self._begin_turn(seat)
        return self._can_place(seat, mind_first_turn=False)

    def _somebody_is_able(self) -> bool:
        return any(self._able(seat) for seat in self._playing())

    # ---------------------------------------------------------------- what may still change

    def _may_change(self) -> bool:
        """Whether the position, in which nobody can move, may yet become one in which somebody can."""
        rule = self.rule["end_rule"]
        if rule == "position" or not any(self.hands[seat] for seat in self._playing()):
            return False
        if rule == "full round" or self._unsettling():
            table = self._trial()
            table.deck = self.deck[:1]  # nobody knows what comes after the card that lies face up
            return self._passed_turns_help(table, self._horizon(), set())
        return self.rule["effects_on_pass"] and self._wolves_help()

    def _unsettling(self) -> bool:
        """Whether turns without a Town may open moves by more than Wolves and lifted Spirits."""
        if self.rule["oaths"] or self.mode in ("era", "agenda"):
            return True
        return any(self._age(switch) for switch in (*AT_THE_END, "must_wander"))

    def _horizon(self) -> int:
        """How many passed turns are tried: a round, begun when the lock on the cards that are left is off."""
        locked_for = 0
        if self._locked() and (self._face_up() or any(self.own_cards[seat] for seat in self._playing())):
            trial = self._trial()
            while trial._locked():
                trial._go_to_next_seat()
                trial.turns[trial.next_seat] += 1
                trial.next_seat = (trial.next_seat + 1) % len(self.hands)
                locked_for += 1
        return locked_for + len(self._playing())

    def _passed_turns_help(self, table: Ending, horizon: int, seen: set[Any]) -> bool:
        """Whether somebody can get a move within so many passed turns; nobody has one at their beginning."""
        if horizon == 0 or not table._playing():
            return False
        table._go_to_next_seat()
        table._begin_turn(table.next_seat)
        table.stuck = True
        for after in table._ways_to_pass():
            position = horizon, after._position()
            if position in seen:
                continue
            seen.add(position)
            if after.phase == "turn":  # after an enactment, which may have freed the mover
                return True
            if after._somebody_is_able() or self._passed_turns_help(after, horizon - 1, seen):
                return True
        return False

    def _ways_to_pass(self) -> list[Ending]:
        """What the turn under way can lead to without a new Town; or itself where an enactment frees the mover."""
        found, todo, seen = [], [self], set()
        while todo:
            turn = todo.pop()
            for action in sorted(turn.actions()):
                branch = turn._trial()
                branch.do(action)
                if action.startswith("enact") and turn.phase == "turn":
                    if branch._can_place(branch.to_move, mind_first_turn=False):
                        return [branch]
                if branch.phase == "closed":
                    found.append(branch)
                    continue
                point = branch.phase, branch.wandered, sorted(branch.resolved), branch._position()
                if repr(point) not in seen:
                    seen.add(repr(point))
                    todo.append(branch)
        return found

    def _position(self) -> Any:
        """All that bears on the turns to come, to be compared."""
        stacks = tuple(
            tuple((piece.kind, piece.owner, piece.up) for piece in s) for s in self.stacks.values()
        )
        hands = tuple(tuple(sorted(hand.items())) for hand in self.hands)
        cards = self.active, self.lock, tuple(self.deck), tuple(self.own_cards)
        who = self.next_seat, tuple(self.turns), tuple(self.out), tuple(sorted(self.any_pair))
        return stacks, hands, tuple(self.spirits), cards, who

    # ---------------------------------------------------------------- Wolves in passed turns

    def _wolves_help(self) -> bool:
        """Whether in a round of forced passes a flip, and not only a lifted Spirit, gives somebody a move.

        Two tables play the round, one of them without flips; own Wolves and Poison Oak act in either order.
        """
        quiet, loud = self._trial(), [self._trial()]
        for _ in range(len(self._playing())):
            quiet._force_a_pass(("poison oak",))
            loud = [
                after
                for table in loud
                for order in (("wolves", "poison oak"), ("poison oak", "wolves"))
                if (after := table._trial())._force_a_pass(order)
            ]
            if not quiet._somebody_is_able() and any(table._somebody_is_able() for table in loud):
                return True
        return False

    def _force_a_pass(self, effects: tuple[str, ...]) -> bool:
        """The next player's passed turn with these effects at its end; whether anybody was left to take one."""
        if not self._playing():
            return False
        self._go_to_next_seat()
        self._begin_turn(self.next_seat)
        self.spirits[self.to_move], self.passed = None, True
        for effect in effects:
            self._end_effect(self.to_move, effect)
        self._close_turn()
        return True

    # ---------------------------------------------------------------- trying things out

    def _trial(self) -> Ending:
        """A copy to try something on; it stops where the turn ends. What no turn changes is shared."""
        fixed = ("board", "coastal", "interior", "rule", "cards", "teams")
        trial = object.__new__(type(self))
        for name, value in vars(self).items():
            setattr(trial, name, value if name in fixed else _copied(value))
        trial.trying = True
        return trial


def _copied(value: Any) -> Any:
    """A copy down to the pieces, which are never changed but replaced, so that they stay the same pieces."""
    if isinstance(value, list):
        return [_copied(part) for part in value]
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return set(value) if isinstance(value, set) else value
