"""A position under way in a worked case: rules, state, and the legal actions as text. Games fill in what is theirs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sim.core.cases import checks
from sim.core.cases.checks import Check
from sim.core.cases.given import Given
from sim.core.cases.running import CaseResult, check_file, run_case
from sim.core.cases.words import Forms
from sim.core.contract import (
    ENDED_NAMES,
    OVER,
    RESOLVE,
    apply,
    facts,
    legal,
    merit,
    score,
    setup,
    side,
)
from sim.core.errors import Refusal
from sim.core.notation import LETTERS
from sim.core.optional import founder
from sim.core.rng import CHANCE, start
from sim.core.room import action_room
from sim.core.settling import settle

CASE_KEYS = (
    *("id", "title", "tag", "note", "parameters", "position", "impossible", "deal", "seed"),
    *("do", "before", "after", "illegal"),
)
"""Keys that cases of every game may have."""


class Table(ABC):
    """The table on which a case is laid out and played.

    A game says which keys its cases have, how their position is laid out and what cannot occur in it, how its actions
    are written, and what a case may ask of a position beside what all games know.

    Parameters
    ----------
    case
        The case as it was read.
    where
        Where it stands, for refusals.
    base
        The folder that paths start from.
    still
        Whether it stays as it is written: what would follow by itself does not.
    """

    letters: ClassVar[str] = LETTERS[:4]
    keys: ClassVar[Sequence[str]] = ()
    """Keys that a case of this game may have beside `CASE_KEYS`."""
    phases: ClassVar[Sequence[str]]
    max_actions: ClassVar[int]
    own_checks: ClassVar[Mapping[str, Check]] = {}

    seats: str
    """Letters of those who play."""
    rules: Any
    states: Any
    forms: Forms

    def __init__(
        self, case: Mapping[str, Any], where: str, base: Path | None = None, still: bool = False
    ) -> None:
        self.where, self.base = where, base
        self.given = Given(case, where, (*CASE_KEYS, *self.keys))
        self.out = action_room(self)
        self.stream = np.ones(1, dtype=np.uint64)
        dealt = self.given.flag("deal")
        if dealt and "position" in self.given:
            raise Refusal(f"{where}: deal = true and a position do not go together")
        if "seed" in self.given and not dealt:
            raise Refusal(f"{where}: seed = {case['seed']!r} is for deal = true")
        self.lay(dealt)
        self.forms = self.action_forms()
        if not (dealt or self.given.flag("impossible")):
            for fault in self.faults():
                raise Refusal(f"{where}: {fault} (impossible = true lays it all the same)")
        if still and not dealt:
            self.stand()
        else:
            self.settle()

    @classmethod
    def run_case(cls, case: Mapping[str, Any], file: str, base: Path | None = None) -> CaseResult:
        """Run one case; one that is not well made is reported like one that does not hold."""
        return run_case(cls, case, file, base)

    @classmethod
    def check_file(cls, path: Path) -> list[CaseResult]:
        """Run all cases of a file, whatever becomes of one of them; `Refusal` when it is no file of cases."""
        return check_file(cls, path)

    # --- what a game says ------------------------------------------------------------------------------------

    @abstractmethod
    def lay(self, dealt: bool) -> None:
        """Set `seats`, `rules` and `states`: the position of the case, or (`dealt`) a new game by `deal`."""

    @abstractmethod
    def action_forms(self) -> Forms:
        """Return the forms of all actions, on the map that lies here."""

    @abstractmethod
    def action_words(self, action: int) -> str:
        """Return an action in words."""

    def here(self, words: str) -> str:
        """Return plain words of an action as the engine writes them in this very position."""
        return words

    def faults(self) -> Iterator[str]:
        """Say why the position cannot occur: the place and the rule, a line each; nothing when it can."""
        return iter(())

    # --- the course of play ----------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The position."""
        return self.states[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self.state["phase"]) == OVER

    def deal(self, rules: Any, entrants: Any, state_type: Any) -> None:
        """Set up the game of a seed, with the chance that it has in experiments."""
        seed = np.uint64(self.given.number("seed", 1, most=2**63 - 1))
        self.states = np.zeros(3, dtype=state_type)
        setup(rules, self.states[0], entrants, np.arange(len(self.seats), dtype=np.int8), seed)
        start(self.stream, seed, CHANCE, 0)

    def settle(self) -> None:
        """Let happen what follows by itself: draws, forced passes, the end."""
        settle(self.rules, self.state, self.stream, lambda: self.where)

    def stand(self) -> None:
        """Say whose turn it is in a position that is only looked at."""
        return

    def at_the_end(self) -> list[str]:
        """Return what is wrong once everything is done, whatever the case asks."""
        return []

    def actions(self) -> dict[str, int]:
        """Return the legal actions by their text."""
        if int(self.state["phase"]) in (OVER, RESOLVE):
            return {}
        n = int(legal(self.rules, self.state, self.out))
        return {self.action_words(int(code)): int(code) for code in self.out[:n]}

    def plain(self, text: str) -> str:
        """Return an action in the engine's words; `Refusal` when the game has no such action."""
        return self.forms.plain(text)

    def code(self, words: str, known: Mapping[str, int]) -> int | None:
        """Return the number of an action in plain words; None when it is not among the legal ones (`known`)."""
        return known.get(self.here(words))

    def do(self, text: str) -> str | None:
        """Carry out an action; return a complaint if it is not legal."""
        known = self.actions()
        code = self.code(self.plain(text), known)
        if code is None:
            legal_here = "; ".join(sorted(known)) or "nothing, the game is over"
            return f"{text!r} is not legal here; legal: {legal_here[:600]}"
        apply(self.rules, self.state, np.int32(code))
        self.settle()
        return None

    # --- what all games know of a position -------------------------------------------------------------------

    def known_checks(self) -> dict[str, Check]:
        """Return what a case may ask: what all games know, and what this one adds."""
        return {**COMMON, **self.own_checks}

    def points(self, seat: int) -> int:
        """Return what a seat would score if the game ended now."""
        return int(score(self.rules, self.state, seat))

    def facts(self, which: int) -> int:
        """Return the first seat (0) or the seat of the last turn (1); -1 for none."""
        out = np.zeros(2, dtype=np.int32)
        facts(self.rules, self.state, out)
        return int(out[which])

    def founder(self) -> int:
        """Return the Founder's seat; -1 for none."""
        return int(founder(self.rules, self.state))

    def winner(self) -> str:
        """Return who is ahead or has won: a seat, those of a side (``A+C``) or who tie, ``tie`` when all do."""
        seats = range(len(self.seats))
        points = [float(score(self.rules, self.state, seat)) for seat in seats]
        merits = [float(merit(self.rules, self.state, seat, points[seat])) for seat in seats]
        best = [seat for seat in seats if merits[seat] == max(merits)]
        if len(best) == len(merits) and len({int(side(self.rules, self.state, seat)) for seat in best}) > 1:
            return "tie"
        return "+".join(self.seats[seat] for seat in best)


def _how(table: Table) -> str:
    ended = int(table.state["ended"])
    return ENDED_NAMES[ended - 1] if ended else "running"


COMMON: dict[str, Check] = {
    "legal": checks.LEGAL,
    "includes": checks.INCLUDES,
    "illegal": checks.ILLEGAL,
    "to_move": checks.seat(lambda t: int(t.state["seat"])),
    "phase": Check(
        lambda t, value, what: checks.chosen(lambda t: "", t.phases, "phase").read(t, value, what),
        lambda t, wanted, what: checks.compare(what, wanted, t.phases[int(t.state["phase"])]),
    ),
    "turn": checks.number(lambda t: int(t.state["turn"])),
    "scores": checks.by_seat(lambda t, seat: t.points(seat)),
    "first": checks.seat(lambda t: t.facts(0)),
    "ended": checks.flag(lambda t: t.over),
    "how": checks.chosen(_how, ("running", *ENDED_NAMES), "end"),
    "winner": Check(
        lambda t, value, what: read_winner(t, value, what),
        lambda t, wanted, what: checks.compare(what, wanted, t.winner()),
    ),
}


def read_winner(table: Table, value: Any, what: str) -> str:
    """Return who should win: a seat, several (``A+C``), ``tie`` or ``none``."""
    if value in ("tie", "none"):
        return str(value)
    letters = str(value).split("+")
    if not all(letter in table.seats and letter for letter in letters):
        raise Refusal(
            f"{what} = {value!r} should be of {', '.join(table.seats)}, several as A+C, or 'tie', or 'none'"
        )
    return "+".join(sorted(letters))
