"""Runs of `[stop]`: a batch is played, all that is asked is judged, and the next one follows where it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.experiment import Experiment
    from sim.batch.runner import Result


def until_decided(
    experiment: Experiment, folder: Path, once: Callable[[Experiment], Result], news: Callable[[str], None]
) -> Result:
    """Play batch after batch until all that is asked is decided, or the cap is reached.

    What a batch is, and what it decides, depends on committed games only: any number of workers ends with the same
    rows, and so does a run that was stopped in between.

    Parameters
    ----------
    once
        Plays what is missing of an experiment.
    """
    import analysis
    from analysis.targets.judging import PROVEN, REFUTED
    from analysis.targets.stopping import asked, batches, spent
    from sim.batch.plan import make_plan
    from sim.batch.runner import target_of
    from sim.batch.store import MANIFEST, read_manifest, write_json

    plan = make_plan(experiment)
    games = sorted({target_of(plan, n) for n in batches(experiment.games, experiment.stop["batches"])})
    look = _begun(folder, games)
    played, before, seconds, cpu = 0, None, 0.0, 0.0
    while True:
        result = once(replace(experiment, games=games[look]))
        played, seconds, cpu = played + result.played, seconds + result.seconds, cpu + result.cpu_seconds
        before = result.before if before is None else before
        d, alpha = analysis.load(result.folder), spent(games, look)
        frame = analysis.check_targets(d, asked(d, experiment.stop["when"]), look=False, alpha=alpha)
        left = [r for r in frame.iter_rows(named=True) if r["verdict"] not in (PROVEN, REFUTED)]
        state: dict[str, Any] = {"games": games, "look": look, "alpha": alpha, "open": len(left)}
        manifest = read_manifest(result.folder)
        write_json(result.folder / MANIFEST, {**manifest, "stop": {**experiment.stop, **state}})
        last = look == len(games) - 1
        news(_said(frame.height, left, games, look))
        if not left or last:
            return replace(result, before=before, played=played, seconds=seconds, cpu_seconds=cpu)
        look += 1


def _begun(folder: Path, games: list[int]) -> int:
    """Which look a folder has got to; 0 where there is none."""
    from sim.batch.store import check_folder, read_manifest

    if not check_folder(folder):
        return 0
    manifest = read_manifest(folder)
    told = (manifest.get("stop") or {}).get("games")
    if (told is not None and told != games) or manifest.get("games_per_cell") not in games:
        raise Refusal(
            f"'{folder}' was begun with other batches ({', '.join(map(str, told or []))}): looks are planned once; "
            "choose another folder with -o"
        )
    return games.index(manifest["games_per_cell"])


def _said(asked: int, left: list[dict[str, Any]], games: list[int], look: int) -> str:
    here, cap = games[look], games[-1]
    text = f"batch {look + 1} of {len(games)}, {here:,} games a cell: {asked - len(left)} of {asked} decided"
    if not left and here < cap:
        return f"{text}; stopped, {100 * (1 - here / cap):.0f}% of {cap:,} games a cell saved"
    if look == len(games) - 1 and left:
        more = [r["more_games"] for r in left if r["more_games"]]
        hint = f" (about {max(more):,} more games would settle them)" if len(more) == len(left) else ""
        return f"{text}; the cap is reached{hint}"
    return text
