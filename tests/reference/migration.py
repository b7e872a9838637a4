"""A plain, slow referee of Migration, written from the rulebook and sharing nothing with the engine.

`migration_position` says what is legal and what it is worth; this half plays: a turn from its beginning to
its end in small decisions, then forced passes and the end test. Where rulebook and agreed words leave
something open, a comment says what was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.migration_position import (
    PIECES,
    Hex,
    Payment,
    Piece,
    Placement,
    Position,
    neighbours,
    text,
)


class Referee(Position):
    """One game of Migration; ask `actions`, then `do` one of them, until `phase` is ``over``.

    Parameters
    ----------
    board : dict
        Per axial hex ``{"terrain": set of names, "forest": bool, "sea": bool}``; "sea" marks a Desert
        placed in the sea.
    teams : list of dict
        Per seat the Explorers chosen, as counts by name. Seat 0 moves first.
    params : dict, optional
        What differs from `DEFAULTS`; names of the set-up are taken and ignored.

    Raises
    ------
    ValueError
        On an unknown parameter, terrain or piece, and in `do` on an action that is not offered.
    """

    def __init__(
        self,
        board: Mapping[Hex, Mapping[str, Any]],
        teams: Sequence[Mapping[str, int]],
        params: Mapping[str, Any] | None = None,
    ) -> None:
        self._lay_out(board, teams, params)
        self.teams = [dict(hand) for hand in self.hands]
        self._next_decision()

    @classmethod
    def at(
        cls,
        board: Mapping[Hex, Mapping[str, Any]],
        hands: Sequence[Mapping[str, int]],
        towns: Mapping[Hex, Any],
        params: Mapping[str, Any] | None = None,
        *,
        to_move: int = 0,
        spirits: Sequence[Hex | None] | None = None,
        turns: Sequence[int] | None = None,
        passes: Sequence[int] | None = None,
        established: Sequence[int] | None = None,
        out: Sequence[bool] | None = None,
        still: int = 0,
    ) -> Referee:
        """A given position between two turns, with `to_move` next (end test and forced passes are done).

        `towns` holds per hex one entry or a list of entries from the bottom up: ``("Rats", 0)`` is a Town of
        seat 0, ``("Rats", 0, "down")`` the same piece face down, ``"w"`` a face-down piece of unknown origin.
        `turns` counts the turns each seat has taken (default 1 each: nobody is on its first turn);
        `established` the Towns each seat has ever established (default: the own pieces in the stacks).
        """
        self = cls.__new__(cls)
        self._lay_out(board, hands, params)
        n = len(self.hands)
        for h, entries in towns.items():
            for entry in entries if isinstance(entries, list) else [entries]:
                kind, owner, *face = ("Rats", -1, "down") if entry == "w" else entry
                self.stacks[h].append(Piece(kind, owner, not face))
        self.teams = [dict(hand) for hand in self.hands]
        for piece in (piece for stack in self.stacks.values() for piece in stack if piece.owner >= 0):
            team = self.teams[piece.owner]
            team[piece.kind] = team.get(piece.kind, 0) + 1
        self.spirits = list(spirits or [None] * n)
        self.turns = list(turns or [1] * n)
        self.turn = sum(self.turns)
        self.passes = list(passes or [0] * n)
        pieces = [piece.owner for stack in self.stacks.values() for piece in stack]
        self.established = list(established or [pieces.count(seat) for seat in range(n)])
        self.out = list(out or [False] * n)
        self.still = still
        self.next_seat = to_move
        self._next_decision()
        self.check()
        return self

    # ---------------------------------------------------------------- the beginning of a turn

    def _begin_turn(self, seat: int) -> None:
        """Note where the Spirit starts; nothing has been used or done yet."""
        self.phase = "turn"
        self.to_move = seat
        self.start_spirit = self.spirits[seat]
        town = None if self.start_spirit is None else self._town(self.start_spirit)
        self.start_town = self.start_spirit if town and town.owner == seat else None
        self.used: set[Hex] = set()  # Oaks and Lakes used this turn
        self.last_oak: Hex | None = None
        self.passed = self.changed = False
        self.payments: list[Payment] = []  # still to come in the Migration under way
        self.bonus_of: Hex | None = None  # the Lizard whose bonus is being taken

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
        """Whether a Town can be established at once or after moves to Oaks and Lakes not yet used."""
        spirit, used = self.spirits[seat], set(self.used)
        todo, found = [spirit], False
        while todo and not found:
            self.spirits[seat] = todo.pop()
            found = bool(self.placements(seat, mind_first_turn=mind_first_turn))
            for h in self._oaks(seat) + self._lakes(seat):
                self.used.add(h)
                todo.append(h)
        self.spirits[seat], self.used = spirit, used
        return found

    def _lake_helps(self, seat: int, lake: Hex) -> bool:
        """Whether some Town could still be established after moving the Spirit to this Lake."""
        spirit = self.spirits[seat]
        self.spirits[seat] = lake
        self.used.add(lake)
        helps = self._can_place(seat)
        self.spirits[seat] = spirit
        self.used.remove(lake)
        return helps

    # ---------------------------------------------------------------- decisions

    def actions(self) -> set[str]:
        """The texts of all decisions open to `to_move`; empty when the game is over."""
        seat = self.to_move
        if self.phase == "turn":
            found = set(self.placements(seat))
            found |= {f"oak {text(h)}" for h in self._oaks(seat)}
            found |= {f"lake {text(h)}" for h in self._lakes(seat) if self._lake_helps(seat, h)}
            if self.rule["voluntary_pass"] or not found:
                found.add("pass")
            return found
        if self.phase == "pay":
            h, optional = self.payments[0]
            place = "at sea" if h is None else text(h)
            owed = sum(not later for _, later in self.payments[1:])
            affordable = not optional or self._hand_size(seat) > owed
            found = {f"pay {kind} {place}" for kind in self.hands[seat] if affordable}
            return found | ({f"leave {place}"} if optional else set())
        if self.phase == "bonus":
            return set(self._bonus_placements(seat)) | {"decline"}
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
        elif self.phase == "pay":
            self._pay(
                seat, None if word == "leave" else next(kind for kind in PIECES if rest.startswith(kind))
            )
        elif word == "decline":
            self._end_turn()
        elif word == "pass":
            self._pass(seat)
        elif word in ("oak", "lake"):
            q, r = rest.split(",")
            h = (int(q), int(r))
            self.spirits[seat] = h
            self.used.add(h)
            self.last_oak = h if word == "oak" else self.last_oak
        elif self.phase == "bonus":
            placement = self._bonus_placements(seat)[action]
            self.bonus_of = self.spirits[seat]
            self._establish(seat, placement)
        else:
            self._establish(seat, self.placements(seat)[action])
        self.check()

    def _take(self, seat: int, kind: str) -> None:
        """Take one piece out of the hand."""
        self.hands[seat][kind] -= 1
        if self.hands[seat][kind] == 0:
            del self.hands[seat][kind]

    def _drop_spirits(self, h: Hex) -> None:
        self.spirits = [None if spirit == h else spirit for spirit in self.spirits]

    def _establish(self, seat: int, placement: Placement) -> None:
        """The Town is there before anything is paid."""
        self._take(seat, placement.kind)
        self.stacks[placement.at].append(Piece(placement.kind, seat, True))
        self.established[seat] += 1
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
        self.spirits[seat] = self.new_town
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
        if triggered and self.rule["lizard_bonus"] and self._bonus_placements(seat):
            self.phase = "bonus"
        else:
            self._end_turn()

    def _cactus(self, seat: int) -> Hex | None:
        """Put the Spirit back on the Town where the turn started, if that still stands."""
        goal = self.start_town
        if self.rule["cactus_after_oak"] == "oak" and self.last_oak is not None:
            goal = self.last_oak
        town = None if goal is None else self._town(goal)
        if town is None or town.owner != seat:
            return None
        self.spirits[seat] = goal
        return goal

    def _bonus_placements(self, seat: int) -> dict[str, Placement]:
        """After a Lizard: Expand or Migrate from it."""
        return self.placements(seat, entries=self.rule["bonus_entry"])

    def _flip(self, h: Hex) -> None:
        """Turn a Town to its Wasteland side; a Spirit on it is lost."""
        self.stacks[h][-1].up = False
        self._drop_spirits(h)
        self.changed = True

    # ---------------------------------------------------------------- the end of a turn

    def _pass(self, seat: int) -> None:
        self.spirits[seat] = None
        self.passed = True
        self._end_turn()

    def _end_turn(self) -> None:
        """Ask for the order of the effects where it matters, else carry them out, Wolves first."""
        seat = self.to_move
        if self.passed and not self.rule["effects_on_pass"]:
            self._close_turn()
            return
        own_oaks = set(self._towns("Poison Oak", seat))
        if self._wolf_flips(seat) & own_oaks and self._poisoned(seat):
            self.phase = "order"
        else:
            self._end_effects(wolves_first=True)

    def _end_effects(self, wolves_first: bool) -> None:
        seat = self.to_move
        for wolves in (wolves_first, not wolves_first):
            if wolves:
                for h in self._wolf_flips(seat):
                    self._flip(h)
            else:
                for other in self._poisoned(seat):
                    self.spirits[other] = None
        self._close_turn()

    def _close_turn(self) -> None:
        seat = self.to_move
        self.turn += 1
        self.turns[seat] += 1
        self.passes[seat] += self.passed  # forced passes too
        self.out[seat] = self.passed and not self.rule["comeback"]
        self.still = self.still + 1 if self.passed and not self.changed else 0
        self.next_seat = (seat + 1) % len(self.hands)
        self._next_decision()

    # ---------------------------------------------------------------- continuation and end of the game

    def _next_decision(self) -> None:
        """The end test; else the next player's turn, which is a pass by force if it can place nothing."""
        if self._ended():
            self.phase, self.to_move = "over", -1
            return
        while self.out[self.next_seat]:
            self.next_seat = (self.next_seat + 1) % len(self.hands)
        self._begin_turn(self.next_seat)
        if not self._can_place(self.to_move):
            # held up by nothing but the Oasis' first turn: this pass does not count towards a full round
            self.changed = self._can_place(self.to_move, mind_first_turn=False)
            self._pass(self.to_move)

    def _ended(self) -> bool:
        playing = [seat for seat, out in enumerate(self.out) if not out]
        # Without a comeback whoever passes is out, so that a full round of passes leaves nobody.
        if not playing or (self.rule["comeback"] and self.still >= len(playing)):
            return True
        if self.rule["end_rule"] == "full round":
            return False
        for seat in playing:
            self._begin_turn(seat)  # judged as if it were that player's turn now
            if self._can_place(seat, mind_first_turn=False):
                return False
        waiting = self.rule["end_rule"] == "auto" and self.rule["effects_on_pass"]
        return not (waiting and any(self._wolf_flips(seat) for seat in playing))

    # ---------------------------------------------------------------- looking at it from outside

    def snapshot(self) -> dict[str, Any]:
        """Everything visible and hidden, as plain values; every hex of the board appears in both maps."""
        regions: dict[Hex, tuple[Any, ...] | None] = {}
        for h, stack in self.stacks.items():
            town = self._town(h)
            regions[h] = ("Town", town.kind, town.owner) if town else ("Wasteland",) if stack else None
        return {
            "phase": self.phase,
            "to_move": self.to_move,
            "turn": self.turn,
            "regions": regions,
            "face_down": {h: sum(not piece.up for piece in stack) for h, stack in self.stacks.items()},
            "spirits": list(self.spirits),
            "hands": [dict(hand) for hand in self.hands],
            "passes": list(self.passes),
            "scores": self.scores(),
        }

    def check(self) -> None:
        """Assert what must hold after every decision: no piece lost, Spirits where they may be."""
        lying = [piece for stack in [*self.stacks.values(), self.sunk] for piece in stack]
        for seat, team in enumerate(self.teams):
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
