"""`whimbrel plan`: what a run costs and what it can show, before it is played."""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.options import Json
from sim.cli.play import Jobs, print_cost
from sim.core.errors import Refusal

if TYPE_CHECKING:
    from analysis.targets.planning import Reach
    from sim.batch.dry_run import Estimate
    from sim.batch.experiment import Experiment

SHARES = ("seat", "piece", "ties", "stopped")
LEAST, MOST = 32, 400
"""Games of each cell in the pilot that tells how much results vary."""


def plan(
    experiment: Annotated[
        str, typer.Argument(metavar="NAME_OR_FILE", help="A ready experiment or a TOML file.")
    ],
    detect: Annotated[
        float | None, typer.Option(help="An effect in win share that must be seen, such as 0.02.")
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Games per cell, in whole blocks.")] = None,
    seconds: Annotated[float, typer.Option(min=1, help="About so long the pilots take.")] = 20.0,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Say what a run would cost, and the smallest effect that it can show for each of its questions.

    A short pilot of each tier of play tells the time; one of the cheapest tells how much results vary by deal.

    Example: whimbrel plan quickstart --detect 0.02
    """
    from sim.batch.dry_run import estimate
    from sim.batch.experiment import read_experiment
    from sim.batch.plan import make_plan
    from sim.batch.progress import say
    from sim.cli.targets import check_judge

    if detect is not None and not 0 < detect < 0.5:
        raise Refusal(f"--detect is an effect in win share, between 0 and 0.5; not {detect:g}")
    read = read_experiment(experiment, games=games)
    check_judge(read)
    planned = make_plan(read)
    cost = estimate(planned, jobs, seconds / 2, say)
    reach = _pilot(read, cost, seconds / 2)
    tiers = [(t["bot"], t["games"], t["minutes"]) for t in cost.tiers] or [("", cost.games, cost.minutes)]
    each = [(bot, total // max(1, cost.cells // len(tiers)), minutes) for bot, total, minutes in tiers]
    rows = [_row(one, each, detect) for one in reach]
    if as_json:
        told = {**cost.data(), "questions": rows}
        if detect is not None:
            told["detect"] = detect
        print(json.dumps(told))
        return
    print_cost(planned, cost)
    for row in rows:
        print(_line(row))
        if detect is not None and row["share"]:
            for tier in row["tiers"]:
                text = f"{tier['needed']:,} games a cell, {_time(tier['needed_minutes'])}"
                print(f"           to see {100 * detect:g} points{_of(tier['bot'])}: {text}")


def _pilot(read: Experiment, cost: Estimate, seconds: float) -> list[Reach]:
    """Play a few games of each cell at the cheapest tier into a folder that is thrown away, and read off the spread."""
    import analysis
    from analysis.targets.planning import changes, reaches
    from analysis.targets.stopping import asked
    from sim.batch import runner
    from sim.batch.experiment import read_experiment

    tiers = len(read.tiers) or 1
    rate = cost.games_per_second / cost.jobs
    if cost.tiers:
        first = cost.tiers[0]
        rate = first["games"] / max(first["minutes"] * 60 * cost.jobs, 1e-9)
    wanted = int(min(MOST, max(LEAST, rate * seconds / max(1, cost.cells // tiers))))
    data = read.canonical(None)
    data.pop("stop", None)
    if read.tiers:
        del data["tiers"]
        data["players"] = {**data.get("players", {}), "bots": [read.tiers[0][0]]}
    small = replace(read_experiment(data, base=read.source.base, games=wanted), files=read.files)
    with tempfile.TemporaryDirectory() as folder:
        result = runner.run(small, Path(folder) / "pilot", jobs=1)
        d = analysis.load(result.folder)
        return [*reaches(d, asked(d), result.target), *changes(d, result.target)]


def _row(one: Reach, tiers: list[tuple[str, int, float]], detect: float | None) -> dict[str, Any]:
    share = one.target.removesuffix(" change").partition(".")[0] in SHARES
    rows = []
    for bot, games, minutes in tiers:
        row: dict[str, Any] = {"bot": bot, "games": games, "effect": one.effect(games)}
        if detect is not None and share:
            row["needed"] = one.to_see(detect)
            row["needed_minutes"] = minutes * row["needed"] / max(games, 1)
        rows.append(row)
    told = {k: v for k, v in asdict(one).items() if k != "half"}
    half = one.half if math.isfinite(one.half) else None
    return {**told, "half": half, "share": share, "to_prove": one.to_prove, "tiers": rows}


def _line(row: dict[str, Any]) -> str:
    unit = (lambda x: f"{100 * x:.1f} points") if row["share"] else (lambda x: f"{x:.2f}")
    where = ", ".join(part for part in (row["setting"], row["table"]) if part)
    seen = "; ".join(f"{unit(t['effect'])}{_of(t['bot'])} ({t['games']:,} games)" for t in row["tiers"])
    text = f"{row['target']:8} shows {seen}" + (f", at worst of {row['about']} with {where}" if where else "")
    if row["to_prove"]:
        text += f"; to prove ±{unit(row['half'])}: {row['to_prove']:,} games a cell"
        if row["to_prove"] > row["tiers"][-1]["games"]:
            text += f", more than the {row['tiers'][-1]['games']:,} planned{_of(row['tiers'][-1]['bot'])}"
    return text


def _of(bot: str) -> str:
    return f" of {bot}" if bot else ""


def _time(minutes: float) -> str:
    return f"{minutes:,.1f} minutes" if minutes < 120 else f"{minutes / 60:,.1f} hours"
