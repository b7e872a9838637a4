"""`whimbrel sensitivity`: screen many numbers, then turn the strongest one at a time on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.batch import levers, runner
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.plan import make_plan
from sim.batch.progress import quiet
from sim.core.errors import Refusal
from sim.core.params import describe

FRESH = 50_000_000
"""First deal of the curves: far from those of the screen."""
DEALS = 64
"""Fewest deals of a screen: errors go deal by deal."""


@dataclass(frozen=True)
class Screening:
    """A screen that can be played.

    Attributes
    ----------
    levels
        The two levels of each number.
    left_out
        What was not screened, and why.
    """

    experiment: Experiment
    base: Experiment
    levels: levers.Levels
    left_out: list[str]


def screening(what: str | Path, named: Sequence[str], games: int | None, seed: int | None) -> Screening:
    """Read an experiment and make its screen.

    Parameters
    ----------
    named
        As in `levers.wanted`.
    games
        Of each cell; by default as many that each level of a number has as many as the experiment plays a cell.

    Raises
    ------
    Refusal
        For parameters that are none, or nothing that could be screened.
    """
    base = read_experiment(what, seed=seed)
    if base.design == "screen":
        raise Refusal(f"'{what}' is a screen already; play it by: whimbrel run {what}")
    levels, left = levers.wanted(base, named)
    levels, impossible = levers.possible(base, levels)
    if named and not set(named) & set(levers.GROUPS) and impossible:
        raise Refusal(f"--parameters: {impossible[0]}")
    left += impossible
    if not levels:
        raise Refusal(
            f"nothing of {base.game} can be screened here: {'; '.join(left) or 'it has no numbers'}"
        )
    data = levers.screen_data(base, levels)
    cells = len(make_plan(_read(base, data, 1)).specs)
    experiment = _read(base, data, games or max(DEALS, -(-2 * base.games // cells)))
    return Screening(experiment, base, levels, left)


def _read(base: Experiment, data: Mapping[str, Any], games: int) -> Experiment:
    return replace(read_experiment(data, base=base.source.base, games=games), files=base.files)


def play_screen(
    screen: Screening,
    folder: Path,
    jobs: int | None = None,
    news: Callable[[str], None] = quiet,
    show: bool = False,
) -> Path:
    """Play the screen into a folder, or what is missing of it."""
    return runner.run(screen.experiment, folder, jobs=jobs, news=news, show=show).folder


def play_curves(
    screen: Screening,
    names: Sequence[str],
    folder: Path,
    jobs: int | None = None,
    news: Callable[[str], None] = quiet,
    show: bool = False,
) -> Path | None:
    """Turn these numbers one at a time, on fresh deals; None where there is none of them."""
    from sim.batch.engine import get_game

    if not names:
        return None
    rows = {row["name"]: row for row in describe(get_game(screen.base.game).Parameters)}
    now = levers.base_of(screen.base)
    swept = {}
    for name in names:
        both = screen.levels[name]
        row = rows.get(name)
        swept[name] = both if row is None or name not in now else levers.sweep_values(row, both, now[name])
    data = levers.sweep_data(screen.base, swept) | {"first_deal": FRESH}
    cells = screen.experiment.games * len(make_plan(screen.experiment).specs) // 2
    experiment = _read(screen.base, data, max(DEALS, min(cells // 2, screen.base.games)))
    return runner.run(experiment, folder, jobs=jobs, news=news, show=show).folder
