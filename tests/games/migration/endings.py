"""Whether a game of Migration ended when it had to: the engine plays, the plain referee judges.

A game is written down as its set-up, its actions in words and how it is said to have ended. The referee plays it
again without an end of its own and looks at the positions between the turns: in the last one nobody may have a move or
get one in passed turns, and before it that must not have been so for a whole round.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

from sim.core.contract import ENDED_NAMES
from sim.core.game import Cell
from sim.core.play import replay
from sim.games.migration.board_text import map_names
from sim.games.migration.notation import action_text
from sim.games.migration.positions import piece_names
from sim.games.migration.rules import state as records
from tests.games.deals import MIGRATION, VARIANTS, board_of, cell
from tests.games.migration.costep import referee_board
from tests.reference.migration.end import ALL_PASSED, FINISHED, Ending
from tests.reference.migration.position import DEFAULTS
from tests.reference.migration.position import VARIANTS as OATHS
from tests.reference.migration.referee import Referee

BOTS = (["greedy"], ["greedy", "random"], ["random"])


@dataclass
class Record:
    """A game as it was played: what the referee needs to set it up, the actions, the turns, the end code's name."""

    board: dict[tuple[int, int], dict[str, Any]]
    teams: list[dict[str, int]]
    params: dict[str, Any]
    ages: dict[str, Any] | None
    actions: list[str]
    turns: int
    ended: str


class Witness(Referee):
    """The referee as a mere witness: a game lasts as many turns as it is told, whatever the position says."""

    def __init__(self, record: Record) -> None:
        self.told = record.turns
        self.boundaries: deque[Ending] = deque(maxlen=len(record.teams) + 2)
        super().__init__(record.board, record.teams, record.params, ages=record.ages)

    def _verdict(self) -> str | None:
        self.boundaries.append(self._trial())
        return "told" if self.turn >= self.told else None


def faults(record: Record) -> list[str]:
    """What is wrong with the end of a game; empty if it ended when it had to."""
    witness = Witness(record)
    for action in record.actions:
        witness.do(action)
    assert witness.phase == "over", f"{len(record.actions)} actions for {record.turns} turns"
    *before, last = witness.boundaries
    found = []
    verdict = Ending._verdict(last)
    if verdict != record.ended:
        found.append(f"early: {record.ended} after {record.turns} turns, but it {ENDS[verdict]}")
    if len(before) > len(record.teams) and all(Ending._verdict(position) for position in reversed(before)):
        found.append(f"late: {record.ended} after {record.turns} turns, a whole round after it had to end")
    return found


ENDS = {
    None: "goes on: somebody has a move or may get one",
    FINISHED: "is finished: nobody has a move or can get one",
    ALL_PASSED: "has been passed by all for two rounds",
}


# --- games of the engine ------------------------------------------------------------------------------------


def played(sample: Cell, seed: int) -> Record | None:
    """Return a game of the bots of this cell as a record, or None if it was cut off."""
    steps = replay(MIGRATION, sample, seed, range(sample.players))
    end = steps[-1].state
    ended = ENDED_NAMES[int(end["ended"]) - 1]
    steps = [step for step in steps[:-1] if int(step.state["stage"]) in (records.SWEARING, records.PLAYING)]
    if ended not in (FINISHED, ALL_PASSED) or not steps:
        return None
    rules, state, cards = steps[0].rules, steps[0].state, list(sample.parameters["age_cards"])
    hands = [piece_names(state["hand"][seat]) for seat in range(sample.players)]
    return Record(
        referee_board(board_of(rules)),
        hands,
        {name: value for name, value in sample.parameters.items() if name in DEFAULTS | OATHS},
        ages_of(rules, state, cards),
        [action_text(step.action, rules, cards) for step in steps],
        int(end["turn"]),
        ended,
    )


def ages_of(rules: Any, state: Any, cards: list[str]) -> dict[str, Any] | None:
    """Return the Age Cards at the beginning of a game as the referee takes them; `cards` are their names."""
    mode = int(rules["age_mode"])
    if mode == records.SCENARIO:
        return {"mode": "scenario", "deck": [cards[int(state["active_card"])]]}
    if mode == records.ERA:
        deck = state["deck"][int(state["deck_place"]) : int(state["deck_size"])]
        return {"mode": "era", "deck": [cards[int(card)] for card in deck]}
    if mode == records.AGENDA:
        return {
            "mode": "agenda",
            "deck": [cards[int(card)] for card in state["agenda"][: int(state["players"])]],
        }
    return None


def sample(number: int) -> tuple[Cell, int]:
    """Return the cell and the seed of game `number` of the sample over variants, map families, players and bots."""
    rng = random.Random(number)
    players = rng.choice([2, 3, 4])
    bots = rng.choice(BOTS)
    parameters = {
        **rng.choice([*VARIANTS, *UNSETTLED]),
        "map": rng.choice(["founder", *map_names()]),
        "bans": rng.choice(["none", "random 3", ["Bass"], ["Oak", "Wolf"]]),
        "hand_size": rng.choice([12, 12, 5]),
        "end_rule": rng.choice(["auto", "auto", "full round", "position"]),
    }
    return cell(players, [bots[k % len(bots)] for k in range(players)], **parameters), number


UNSETTLED: list[dict[str, Any]] = [{"oaths": True}] + [
    {"age_mode": "scenario", "age": card} for card in ("Nostalgia", "Wandering", "Famine", "Aggression")
]
