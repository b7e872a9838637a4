"""`whimbrel ladder`: how strong each bot is, and what more thought buys."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from sim.cli.options import Json
from sim.cli.play import Interrupted, Jobs, Patience
from sim.core.errors import Refusal
from sim.core.patience import USUAL


def ladder(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, such as migration.")],
    bot: Annotated[
        list[str] | None,
        typer.Option(help="A rung (repeat it); default: random, greedy, flat, search at doubling budgets."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each pair, from all seats.")] = 200,
    players: Annotated[int | None, typer.Option(help="How many play.")] = None,
    setting: Annotated[
        Path | None, typer.Option(help="TOML file whose [parameters] the games are played under.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Folder [default: runs/ladder-GAME].")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    jobs: Jobs = None,
    patience: Patience = USUAL,
    as_json: Json = False,
) -> None:
    """Let every bot play every other from all seats, rate them, and say what twice the thinking buys.

    Example: whimbrel ladder migration --games 100 --bot greedy --bot search:playouts=50 --bot search:playouts=100
    """
    import analysis
    from sim.batch import runner
    from sim.batch.experiment import read_experiment
    from sim.batch.ladder import costs, default_bots, keep_costs, ladder_experiment
    from sim.batch.plan import make_plan
    from sim.batch.progress import say
    from sim.batch.source import read_toml

    if games < 1:
        raise Refusal(f"--games must be at least 1, not {games}")
    parameters = read_toml(setting)[0].get("parameters", {}) if setting is not None else {}
    rungs = bot or default_bots(game)
    data = ladder_experiment(game, rungs, games=games, players=players, seed=seed, parameters=parameters)
    read = read_experiment(data)
    plan = make_plan(read)
    try:
        result = runner.run(read, out, jobs=jobs, news=say, show=True, plan=plan, patience=patience)
    except runner.Stopped as stop:
        raise Interrupted(str(stop)) from None
    found = costs(plan)
    keep_costs(result.folder, found)
    frame = analysis.ladder(analysis.load(result.folder))
    if as_json:
        rows = [{**row, "cpu_ms_per_decision": found.get(row["bot"])} for row in frame.to_dicts()]
        print(json.dumps({"folder": str(result.folder), "rungs": rows}))
        return
    print(f"{'bot':<28} {'rating':>7} {'95% interval':>16} {'a doubling brings':>24} {'ms/decision':>12}")
    for row in frame.iter_rows(named=True):
        ends = [f"{row[end]:+.0f}" if row[end] is not None else "" for end in ("low", "high")]
        span = " to ".join(ends) if all(ends) else f"above {ends[0]}" if ends[0] else f"below {ends[1]}"
        rating = "" if row["estimate"] is None else f"{row['estimate']:+.0f}"
        gain = ""
        if row["gain"] is not None:
            gain = f"{row['gain']:+.0f} ({row['gain_low']:+.0f} to {row['gain_high']:+.0f})"
        cost = f"{found[row['bot']]:.3f}" if row["bot"] in found else ""
        print(f"{row['bot']:<28} {rating:>7} {span:>16} {gain:>24} {cost:>12}")
    print(f"next: whimbrel report {shlex.quote(str(result.folder))}")
