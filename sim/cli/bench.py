"""`whimbrel bench`: how fast it is."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal


def bench(
    game: Annotated[str, typer.Argument(metavar="[GAME]")] = "migration",
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    seconds: Annotated[float, typer.Option(help="CPU seconds that the games take about without logs.")] = 3.0,
    variants: Annotated[
        bool, typer.Option("--variants", help="Also drafts, Oaths, Age Cards and the like, one at a time.")
    ] = False,
    start: Annotated[
        bool, typer.Option("--start", help="Instead: how long commands take that play nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure games and decisions per CPU second, with and without piece logs, on one core.

    Example: whimbrel bench migration --json
    """
    from sim.batch.bench import bench as measure
    from sim.batch.progress import say

    if start:
        _start(game, as_json)
        return
    if not 0 < seconds <= 600:
        raise Refusal(f"--seconds must be between 0 and 600, not {seconds:g}")
    rows = []
    if not as_json:
        head = f"{'setting':<12} " if variants else ""
        print(f"{head}{'bot':<8} {'log':<8} {'games':>10} {'games/cpu s':>12} {'decisions/cpu s':>16}")
    for row in measure(game, players, seconds, news=say, variants=variants):
        rows.append(row)
        if not as_json:
            head = f"{row['setting']:<12} " if variants else ""
            speed = f"{row['games_per_cpu_s']:>12,.0f} {row['decisions_per_cpu_s']:>16,.0f}"
            print(f"{head}{row['bot']:<8} {row['log']:<8} {row['games']:>10,} {speed}", flush=True)
    if as_json:
        print(json.dumps(rows))


def _start(game: str, as_json: bool) -> None:
    from sim.batch.bench_start import bench_start

    rows = list(bench_start(game))
    if as_json:
        print(json.dumps(rows))
        return
    print(f"{'command':<24} {'seconds':>8} {'best':>8} {'cpu s':>8}")
    for row in rows:
        times = " ".join(f"{row[key]:8.2f}" for key in ("seconds", "best", "cpu_seconds"))
        print(f"{row['command']:<24} {times}")
