"""Runs of `[stop]`: a batch is played, all that is asked is judged, and the next one follows where it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.plan import Plan
    from sim.batch.runner import Result


def until_decided(
    plan: Plan, folder: Path, once: Callable[[Plan], Result], news: Callable[[str], None]
) -> Result:
    """Play batch after batch until all that is asked is decided, or the cap is reached.

    A setting in which all is decided gets no more games, at any tier of play. What a batch is, and what it decides,
    depends on committed games only: any number of workers ends with the same rows, and so does a run that was stopped
    in between.

    Parameters
    ----------
    once
        Plays what is missing of a plan.
    """
    import analysis
    from analysis.targets.judging import PROVEN, REFUTED
    from analysis.targets.stopping import asked, batches, beyond_reach, ended, spent
    from sim.batch.runner import target_of
    from sim.batch.store import MANIFEST, read_manifest, write_json

    experiment = plan.experiment
    games = sorted({target_of(plan, n) for n in batches(experiment.games, experiment.stop["batches"])})
    look, closed = _begun(folder, games)
    state: dict[str, Any] = {"games": games, "look": max(0, look - 1), "closed": closed}
    played, before, seconds, cpu = 0, None, 0.0, 0.0
    while True:
        plan = replace(plan, experiment=replace(experiment, games=games[look]), looks=state)
        result = once(plan)
        played, seconds, cpu = played + result.played, seconds + result.seconds, cpu + result.cpu_seconds
        before = result.before if before is None else before
        d, alpha = analysis.load(result.folder), spent(games, look)
        frame = analysis.check_targets(d, asked(d, experiment.stop["when"]), look=False, alpha=alpha)
        left = [r for r in frame.iter_rows(named=True) if r["verdict"] not in (PROVEN, REFUTED)]
        last = look == len(games) - 1
        if left and not last:
            new = [cell for cell in ended(d, frame, alpha) if str(cell) not in closed]
            closed = {**closed, **{str(cell): games[look] for cell in new}}
        state = {"games": games, "look": look, "alpha": alpha, "open": len(left), "closed": closed}
        manifest = read_manifest(result.folder)
        write_json(result.folder / MANIFEST, {**manifest, "stop": {**experiment.stop, **state}})
        news(_said(plan, state, frame.height, left))
        if look == 0 and not last:
            for name, needed in beyond_reach(frame, games, look).items():
                news(
                    f"the target of {name} cannot be decided within {games[-1]:,} games a cell: its band is too narrow "
                    f"for fewer than about {needed:,}; widen it, or play more in another folder (--games)"
                )
        if not left or last:
            return replace(result, before=before, played=played, seconds=seconds, cpu_seconds=cpu)
        look += 1


def _begun(folder: Path, games: list[int]) -> tuple[int, dict[str, int]]:
    """Which look a folder has got to, and the cells that had ended before it; 0 and none where there is none."""
    from sim.batch.store import check_folder, read_manifest

    if not check_folder(folder):
        return 0, {}
    manifest = read_manifest(folder)
    stop = manifest.get("stop") or {}
    told, here = stop.get("games"), manifest.get("games_per_cell")
    if (told is not None and told != games) or here not in games:
        raise Refusal(
            f"'{folder}' was begun with other batches ({', '.join(map(str, told or []))}): looks are planned once; "
            "choose another folder with -o"
        )
    return games.index(here), {cell: n for cell, n in (stop.get("closed") or {}).items() if n < here}


def _said(plan: Plan, state: dict[str, Any], asked: int, left: list[dict[str, Any]]) -> str:
    games, look, closed = state["games"], state["look"], state["closed"]
    here, cap = games[look], games[-1]
    text = f"batch {look + 1} of {len(games)}, {here:,} games a cell: {asked - len(left)} of {asked} decided"
    if not left or look == len(games) - 1:
        text += "; stopped" if here < cap else "; the cap is reached" if left else ""
        more = [r["more_games"] for r in left if r["more_games"]]
        if left and len(more) == len(left):
            text += f" (about {max(more):,} more games would settle them)"
        return text + _saved(plan, cap)
    on = len(plan.cells) - len(closed)
    return f"{text}; {on} of {len(plan.cells)} cells go on" if closed else text


def _saved(plan: Plan, cap: int) -> str:
    """What stopping has saved, of the games that a run to the cap has; by tier where there are several."""
    whole, tiers = replace(plan, looks={}), []
    for cells, (bot, _) in zip(plan.tiers, plan.experiment.tiers or (("", 0),), strict=True):
        full = sum(whole.games_of(cell, cap) for cell in cells)
        here = sum(plan.games_of(cell, plan.experiment.games) for cell in cells)
        if full > here:
            of = f" of {bot}" if bot else ""
            tiers.append(f"{full - here:,} of {full:,} games{of} ({100 * (1 - here / full):.0f}%)")
    return f", {', '.join(tiers)} saved" if tiers else ""
