"""`whimbrel tune`: find a bot's weights or settings for a game, and keep them if they hold on fresh deals."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal, nearest
from sim.core.game_doors import label_of

BOTS = ("greedy", "search")


def tune(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, such as migration.")],
    bot: Annotated[
        str, typer.Option(help="What to tune: greedy (its weights) or search (its values and settings).")
    ] = "greedy",
    players: Annotated[int | None, typer.Option(help="How many play.")] = None,
    name: Annotated[str, typer.Option("--set", help="Name of the set of settings.")] = "tuned",
    setting: Annotated[
        Path | None, typer.Option(help="TOML file whose [parameters] the games are played under.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="TOML file [default: tuned-GAME-BOT.toml].")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Folder that keeps the state [default: runs/tune-GAME-...].")
    ] = None,
    generations: Annotated[
        int | None, typer.Option(help="How often new candidates are tried [default: greedy 40, search 3].")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(help="Deals of a candidate with each opponent [default: greedy 100, search 20]."),
    ] = None,
    fresh: Annotated[
        int | None,
        typer.Option(
            help="Fresh deals on which the result must be better [default: greedy 4000, search 200]."
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Search: games a round that values are fitted on.")] = 200,
    playouts: Annotated[int, typer.Option(help="Search: playouts a decision.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the deals.")] = 1,
    as_json: Json = False,
) -> None:
    """Tune a bot for a game; the result is written only if it beats the shipped bot on fresh deals.

    Example: whimbrel tune migration --generations 60 --deals 200 -o tuned.toml
    """
    from sim.batch import tune_greedy, tune_search
    from sim.batch.engine import get_game
    from sim.batch.progress import say
    from sim.batch.source import read_toml
    from sim.batch.toml_text import to_toml
    from sim.batch.tune_match import Table

    if bot not in BOTS:
        raise Refusal(f"there is no way to tune {bot!r}{nearest(bot, BOTS)}; there is: {', '.join(BOTS)}")
    usual = (40, 100, 4000) if bot == "greedy" else (3, 20, 200)
    generations, deals, fresh = (
        default if given is None else given for given, default in zip((generations, deals, fresh), usual)
    )
    numbers = {"generations": generations, "deals": deals, "fresh": fresh}
    numbers |= {"games": games, "playouts": playouts} if bot == "search" else {}
    for word, value in numbers.items():
        if value < 1:
            raise Refusal(f"--{word} must be at least 1, not {value}")
    parameters = read_toml(setting)[0].get("parameters", {}) if setting is not None else {}
    path = out or Path(f"tuned-{label_of(game)}-{bot}.toml")
    if not path.parent.is_dir():
        raise Refusal(f"'{path}': there is no folder '{path.parent}'")
    count = max(2, get_game(game).min_players) if players is None else players
    table = Table(game, count, parameters, seed)
    folder = state or Path("runs") / f"tune-{game}-{bot}-{count}-{name}"
    if bot == "greedy":
        found = tune_greedy.tune_greedy(table, tune_greedy.Plan(generations, deals, fresh), folder, say)
    else:
        plan = tune_search.Plan(generations, games, deals=deals, fresh=fresh, playouts=playouts)
        found = tune_search.tune_search(table, plan, folder, say)
    words = ["whimbrel", "tune", game, "--bot", bot, "--players", str(count), "--set", name]
    words += ["--setting", setting.name] if setting is not None else []
    words += [part for key, value in numbers.items() for part in (f"--{key}", str(value))] + [
        "--seed",
        str(seed),
    ]
    measured = (
        f"{100 * found.share:.1f} ± {100 * found.half:.1f}% against the shipped settings on fresh deals"
    )
    if found.better:
        entry = {"set": name, "players": [count], "when": dict(parameters)}
        entry |= {"made": f"{shlex.join(words)} ({measured}, {found.games} games)"}
        entry |= {"options": found.options, "weights": found.weights}
        path.write_text(to_toml({"setting": [{k: v for k, v in entry.items() if v != {}}]}), encoding="utf-8")
    if as_json:
        text = {
            "better": found.better,
            "share": found.share,
            "half_width": found.half,
            "weights": found.weights,
        }
        print(json.dumps(text))
    elif found.better:
        print(f"{measured}; written to {path}")
    else:
        print(f"{measured}: that is not better, nothing is written")
    if not found.better:
        raise typer.Exit(1)
