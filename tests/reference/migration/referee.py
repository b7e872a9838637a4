"""A plain, slow referee of Migration, written from the rulebook and sharing nothing with the engine.

`migration_position` says what is legal and what it is worth, `migration_ages` what Age Cards and Oaths add to
that, `migration_turns` plays, and `migration_end` says when that is over; here a game is begun, set up in the
middle, and looked at from outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.migration.end import Ending
from tests.reference.migration.position import Hex, Piece


class Referee(Ending):
    """One game of Migration; ask `actions`, then `do` one of them, until `phase` is ``over``.

    Parameters
    ----------
    board : dict
        Per axial hex ``{"terrain": set of names, "forest": bool, "sea": bool}``; "sea" marks a Desert
        placed in the sea.
    teams : list of dict
        Per seat the Explorers chosen, as counts by name. Seat 0 moves first.
    params : dict, optional
        What differs from `DEFAULTS` and `VARIANTS`; names of the set-up are taken and ignored.
    ages : dict, optional
        "mode" (none, scenario, era, agenda), "cards" (name to set of switches) and "deck": the names in order
        (era: the first lies face up; scenario: the one card; agenda: one for each seat).

    Raises
    ------
    ValueError
        On an unknown parameter, terrain, piece, card, switch or mode, and in `do` on an action that is not offered.
    """

    def __init__(
        self,
        board: Mapping[Hex, Mapping[str, Any]],
        teams: Sequence[Mapping[str, int]],
        params: Mapping[str, Any] | None = None,
        *,
        ages: Mapping[str, Any] | None = None,
    ) -> None:
        self._lay_out(board, teams, params)
        self._deal_ages(ages)
        self.teams = [dict(hand) for hand in self.hands]
        self._start()

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
        declined: Sequence[bool] | None = None,
        ages: Mapping[str, Any] | None = None,
        active: str | None = None,
        revealed: Sequence[Sequence[str]] | None = None,
        lock: tuple[int, int] | None = None,
    ) -> Referee:
        """A given position between two turns, with `to_move` next (end test and forced passes are done).

        `towns` holds per hex one entry or a list of entries from the bottom up: ``("Rats", 0)`` is a Town of
        seat 0, ``("Rats", 0, "down")`` the same piece face down, ``"w"`` a face-down piece of unknown origin.
        `turns` counts the turns each seat has taken (default 1 each: nobody is on its first turn);
        `established` the Towns each seat has ever established (default: the own pieces in the stacks).
        The deck in `ages` is what is left of it, so in an Agenda None stands for a card already enacted;
        `active` is the Age in force. `lock` is who enacted it and the number of turns (as counted in `turns`)
        that seat must exceed. Under Oaths without `revealed` everybody reveals first.
        """
        self = cls.__new__(cls)
        self._lay_out(board, hands, params)
        self._deal_ages(ages)
        self.active, self.lock = active or self.active, lock
        n = len(self.hands)
        for seat, kinds in enumerate(revealed or ()):
            self._show(seat, tuple(kinds))
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
        self.declined = list(declined or [False] * n)
        self.next_seat = to_move
        self._start()
        self.check()
        return self

    # ---------------------------------------------------------------- looking at it from outside

    def snapshot(self) -> dict[str, Any]:
        """Everything visible and hidden, as plain values; every hex of the board appears in both maps."""
        regions: dict[Hex, tuple[Any, ...] | None] = {}
        for h, stack in self.stacks.items():
            town = self._town(h)
            regions[h] = ("Town", town.kind, town.owner) if town else ("Wasteland",) if stack else None
        return {
            "phase": self.phase,
            "ended": self.ended,
            "to_move": self.to_move,
            "turn": self.turn,
            "regions": regions,
            "face_down": {h: sum(not piece.up for piece in stack) for h, stack in self.stacks.items()},
            "spirits": list(self.spirits),
            "hands": [dict(hand) for hand in self.hands],
            "passes": list(self.passes),
            "scores": self.scores(),
            "active": self.active,
            "face_up": self._face_up(),
            "revealed": [
                sorted(kind for kind, count in shown.items() for _ in range(count)) for shown in self.revealed
            ],
            "locked": self._locked(),
        }
