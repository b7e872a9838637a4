"""`whimbrel bench`: how fast it is."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal


def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Default: migration; with --compile, every game.")
    ] = None,
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    seconds: Annotated[float, typer.Option(help="CPU seconds that the games take about without logs.")] = 3.0,
    variants: Annotated[
        bool, typer.Option("--variants", help="Also drafts, Oaths, Age Cards and the like, one at a time.")
    ] = False,
    start: Annotated[
        bool, typer.Option("--start", help="Instead: how long commands take that play nothing.")
    ] = False,
    compiling: Annotated[
        bool,
        typer.Option(
            "--compile", help="Instead: what compiling costs from an empty cache, and what is kept."
        ),
    ] = False,
    reading: Annotated[
        str | None,
        typer.Option(
            "--analysis",
            metavar="DIR",
            help="Instead: what the analysis of this data set costs beside a bare scan.",
        ),
    ] = None,
    bots: Annotated[str, typer.Option(help="Two bots, for --compile.")] = "greedy,search",
    as_json: Json = False,
) -> None:
    """Measure games and decisions per CPU second, with and without piece logs, on one core.

    Example: whimbrel bench migration --json
    """
    from sim.batch.bench import bench as measure
    from sim.batch.progress import say

    if compiling:
        _compile(game, bots, as_json)
        return
    if reading is not None:
        _analysis(reading, as_json)
        return
    game = game or "migration"
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


def _analysis(folder: str, as_json: bool) -> None:
    from sim.batch.bench_analysis import bench_analysis

    rows: list[dict[str, Any]] = []
    for row in bench_analysis(folder):
        if not as_json and not rows:
            print(f"{'games':>10}  {'what':<16} {'cpu s':>8} {'seconds':>8} {'peak MB':>8}")
        rows.append(row)
        if not as_json:
            spent = f"{row['cpu_seconds']:>8.2f} {row['seconds']:>8.2f} {row['peak_mb']:>8.0f}"
            print(f"{row['games']:>10,}  {row['what']:<16} {spent}", flush=True)
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


def _compile(game: str | None, bots: str, as_json: bool) -> None:
    from sim.batch.bench_compile import bench_compile
    from sim.core.game import game_names

    names = [name.strip() for name in bots.split(",")]
    if len(names) != 2 or names[0] == names[1]:
        raise Refusal(f"--bots = '{bots}': write two different bots, such as greedy,search")
    rows: list[dict[str, Any]] = []
    for name in [game] if game else game_names():
        for row in bench_compile(name, names):
            if not as_json and not rows:
                head = f"{'game':<16} {'bots':<20} {'cache':<18}"
                print(f"{head} {'compiled':>8} {'cpu s':>8} {'seconds':>8}")
            rows.append(row)
            if not as_json:
                what = f"{row['game']:<16} {', '.join(row['bots']):<20} {row['cache']:<18}"
                spent = f"{row['cpu_seconds']:>8.1f} {row['seconds']:>8.1f}"
                print(f"{what} {row['functions']:>8} {spent}", flush=True)
    if as_json:
        print(json.dumps(rows))
