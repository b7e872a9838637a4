"""A game of a data set again, position by position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal

if TYPE_CHECKING:
    import polars as pl


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
    def text(self) -> str:
        """The position in the game's notation."""
        return str(self.game.position_text(self.step.rules, self.step.state))

    @cached_property
    def legal(self) -> list[str]:
        """What may be done, in words."""
        return [self.game.action_text(action, self.step.rules) for action in self.step.actions]

    @property
    def action(self) -> str | None:
        """What was done next, in words; None at the end."""
        return (
            None
            if self.step.action is None
            else str(self.game.action_text(self.step.action, self.step.rules))
        )

    def draw(self, ax: Any) -> None:
        """Draw the position on a matplotlib axes."""
        self.game.draw(self.step.rules, self.step.state, ax)

    def explain(self, bot: str = "greedy") -> pl.DataFrame:
        """Return how a bot judges each legal action here, best first.

        Parameters
        ----------
        bot
            "random", or "greedy" with weights of its own, as in ``greedy:weights.points=2``.

        Returns
        -------
        polars.DataFrame
            action, value, and for greedy what each feature adds to the value.

        Raises
        ------
        Refusal
            The bot is unknown, or cannot say how it judges.
        """
        import polars as pl

        from sim.batch.cells import bot_spec

        name, options = bot_spec(bot)
        if name == "random":
            share = 1 / max(len(self.legal), 1)
            return pl.DataFrame({"action": self.legal, "value": [share] * len(self.legal)})
        if name != "greedy":
            raise Refusal(f"bot '{name}' cannot say how it judges; 'greedy' can")
        rows = [{"action": text, **row} for text, row in zip(self.legal, self._judged(options))]
        return pl.DataFrame(rows).sort("value", descending=True, maintain_order=True)

    def _judged(self, options: Mapping[str, Any]) -> list[dict[str, float]]:
        """Return value and contributions of the features after each legal action."""
        import numpy as np

        from sim.core.bots import room_for
        from sim.core.contract import apply, features

        names = self.game.features
        weights = np.array(
            [options.get(f"weights.{n}", w) for n, w in zip(names, self.game.weights)], dtype=float
        )
        numbers = np.zeros(room_for(names))
        rows = []
        for action in self.step.actions:
            states = np.zeros(1, dtype=self.game.State)
            states[0] = self.step.state
            apply(self.step.rules, states[0], np.int32(action))
            features(self.step.rules, states[0], np.int64(self.seat), numbers)
            parts = weights * numbers[: len(names)]
            rows.append({"value": float(parts.sum()), **dict(zip(names, parts.tolist()))})
        return rows


def replay(folder: Path, game_id: int) -> list[Position]:
    """Play one game of a data set again; see `sim.replay`."""
    from sim.batch.manifest import open_folder
    from sim.core import play

    _, _, plan = open_folder(folder)
    cell, seed, rotation = _find_game(folder, game_id)
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


def _find_game(folder: Path, game_id: int) -> tuple[int, int, int]:
    """Return cell, seed and rotation of a committed game."""
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
            .select("cell", "seed", "rotation")
            .collect()
        )
    except (pl.exceptions.PolarsError, OSError):
        raise Refusal(f"'{folder}' is damaged; see `whimbrel verify {folder}`") from None
    if not rows.height:
        raise missing
    cell, seed, rotation = rows.row(0)
    return int(cell), int(seed), int(rotation)
