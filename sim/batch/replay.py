"""A game of a data set again, position by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal, nearest
from sim.core.notation import LETTERS

if TYPE_CHECKING:
    import polars as pl

EVERY = ("decision", "turn")


@dataclass(frozen=True)
class Position:
    """One moment of a replayed game.

    Attributes
    ----------
    number
        Place in the list, from 0.
    seat
        Whose decision it is; -1 at the end.
    """

    game: Any
    cell: Any
    step: Any
    number: int
    seat: int

    @property
    def turn(self) -> int:
        """Which turn it is, from 1; at the end the last one."""
        turn = int(self.step.state["turn"])
        return turn + 1 if self.seat >= 0 else max(turn, 1)

    @property
    def text(self) -> str:
        """The position in the game's notation."""
        return str(self.game.position_text(self.step.rules, self.step.state, self.cell))

    @property
    def came(self) -> list[str]:
        """What went by itself since the position before, in words: what chance did, who had to pass, ..."""
        return list(self.step.came)

    @cached_property
    def legal(self) -> list[str]:
        """What may be done, in words."""
        return [self._words(action) for action in self.step.actions]

    @property
    def action(self) -> str | None:
        """What was done next, in words; None at the end."""
        return None if self.step.action is None else self._words(self.step.action)

    def _words(self, action: int) -> str:
        return str(self.game.action_text(action, self.step.rules, self.cell, self.step.state))

    def draw(self, ax: Any, **options: Any) -> None:
        """Draw the position on a matplotlib axes; options are `title`, `coordinates` and `panel` (see `Game.draw`)."""
        self.game.draw(self.step.rules, self.step.state, ax, **options)

    def explain(self, bot: str = "greedy") -> pl.DataFrame:
        """Return how a bot judges each legal action here, best first.

        Parameters
        ----------
        bot
            "random", "greedy", "flat" or "search", with options as in ``search:playouts=400``.

        Returns
        -------
        polars.DataFrame
            action, chosen, value; for greedy what each feature adds to the value, for flat and search the playouts
            behind it and its 95% interval (value: the share of the win). What a bot has not looked at is null.

        Raises
        ------
        Refusal
            The bot is unknown, or cannot say how it judges.
        """
        import polars as pl

        from sim.batch.opinions import order_of

        judged = self.judged(bot)
        rows = []
        for place in order_of(judged):
            row = {"action": self.legal[place], "chosen": judged[place]["chosen"], **judged[place]}
            rows.append({**{k: v for k, v in row.items() if k != "features"}, **row.get("features", {})})
        return pl.DataFrame(rows, infer_schema_length=None)

    def judged(self, bot: str) -> list[dict[str, Any]]:
        """Return what a bot says of each legal action, in their order; see `sim.batch.opinions`."""
        from sim.batch.opinions import opinion

        step = self.step
        return opinion(self.game, self.cell, step.rules, step.state, step.actions, bot)


@dataclass(frozen=True)
class Moment:
    """A position that is shown, and what led to it since the one shown before.

    Attributes
    ----------
    done
        Decisions as (seat, words, number of options) and what went by itself as (-1, words, 0).
    turn
        The turn in which the last of it was done; 0 when nothing was.
    """

    position: Position
    done: list[tuple[int, str, int]]
    turn: int

    @property
    def caption(self) -> list[str]:
        """What was done, word by word: ``turn 3, A: roll [roll 4], build Mine 2,0; B: accept``."""
        words = [f"turn {self.turn}," if self.turn else ""]
        for place, (seat, text, _) in enumerate(self.done):
            decider = next((s for s, _, _ in reversed(self.done[:place]) if s >= 0), -1)
            if seat < 0:
                words.append(f"[{text}]")
            elif seat == decider:
                words += [f"{words.pop()},", text]
            else:
                words += ([f"{words.pop()};"] if decider >= 0 else []) + [f"{LETTERS[seat]}: {text}"]
        return " ".join(words).split()


def moments(
    positions: Sequence[Position], every: str = "decision", first: int | None = None, last: int | None = None
) -> list[Moment]:
    """Choose the positions to show: where the first turn wanted begins, and then after each decision or turn.

    Parameters
    ----------
    every
        "decision" or "turn".
    first, last
        Turns, from 1; None: the first, the last.

    Raises
    ------
    Refusal
        There are no such turns.
    """
    if every not in EVERY:
        raise Refusal(f"--every must be one of {', '.join(EVERY)}; not '{every}'{nearest(every, EVERY)}")
    turns = positions[-1].turn
    first, last = 1 if first is None else first, turns if last is None else last
    if not 1 <= first <= last <= turns:
        raise Refusal(f"turns {first} to {last}: the game has turns 1 to {turns}")
    chosen: list[Moment] = []
    done: list[tuple[int, str, int]] = []
    for place, position in enumerate(positions):
        before = positions[place - 1] if place else None
        if before is not None and before.turn > last:
            break
        if before is not None and before.turn >= first and before.action is not None:
            done.append((before.seat, before.action, len(before.legal)))
        if position.turn >= first or position.seat < 0:
            done += [(-1, words, 0) for words in position.came if chosen or place == 0]
            ends = before is None or position.turn != before.turn or position.seat < 0
            if every == "decision" or ends or not chosen:
                chosen.append(Moment(position, done, before.turn if before and chosen else 0))
                done = []
    return chosen


def replay(folder: Path, game_id: int) -> list[Position]:
    """Play one game of a data set again; see `sim.replay`."""
    from sim.batch.manifest import open_folder
    from sim.core import play

    _, _, plan = open_folder(folder)
    cell, seed, rotation, _ = find_game(folder, game_id)
    who = plan.orders[cell][rotation]
    own = getattr(plan.game, "replay", None)
    prepared = plan.cells[cell]
    before = _standing(plan, cell, game_id, rotation) if plan.experiment.series else None
    steps = own(prepared, seed, who) if own else play.replay(plan.game, prepared, seed, who.tolist(), before)
    return [Position(plan.game, prepared, step, number, int(step.seat)) for number, step in enumerate(steps)]


def _standing(plan: Any, cell: int, game_id: int, rotation: int) -> list[float]:
    """Play the games before of a series and return what each seat has won in them when this one begins."""
    import numpy as np

    from sim.batch.dry_run import task_of
    from sim.batch.worker import CELL_SHIFT, cells_ready, play_games

    orders = plan.orders[cell]
    totals = np.zeros(orders.shape[1])
    if rotation:
        task, specs = task_of(plan), [plan.specs[cell]]
        turns = np.arange(rotation)
        number = game_id - (cell << CELL_SHIFT) - rotation + turns
        deal = number if task.share_deals else (cell << CELL_SHIFT) + number
        place = np.zeros(rotation, np.int32)
        ready = cells_ready(task, plan.game, specs)
        ids = game_id - rotation + turns
        played = play_games(task, plan.game, specs, ready, ids, deal, turns.astype(np.int16), place)
        for turn in turns:
            totals[orders[turn]] += played.chunk.seats["score"][turn]
    return [float(points) for points in totals[orders[rotation]]]


def find_game(folder: Path, game_id: int) -> tuple[int, int, int, int]:
    """Return cell, seed, rotation and deal of a committed game."""
    import polars as pl

    from sim.batch.store import read_commits

    files = [folder / entry["parts"]["games"]["file"] for entry in read_commits(folder)]
    missing = Refusal(f"'{folder}' has no game {game_id}; `whimbrel find {folder}` lists some")
    if not files:
        raise missing
    try:
        rows = (
            pl.scan_parquet(files)
            .filter(pl.col("game_id") == game_id)
            .select("cell", "seed", "rotation", "deal")
            .collect()
        )
    except (pl.exceptions.PolarsError, OSError):
        raise Refusal(f"'{folder}' is damaged; see `whimbrel verify {folder}`") from None
    if not rows.height:
        raise missing
    cell, seed, rotation, deal = rows.row(0)
    return int(cell), int(seed), int(rotation), int(deal)
