"""`whimbrel competence`: what bots lose in endings whose exact values are known."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal

FEWEST = 5
"""Endings that a piece is told of from."""


def competence(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, such as migration.")],
    bot: Annotated[
        list[str] | None,
        typer.Option(help="A bot (repeat it) [default: those of the ladder]; also exact and worst."),
    ] = None,
    endings: Annotated[
        Path | None, typer.Option(help="A suite of your own [default: the one that comes with the game].")
    ] = None,
    hidden: Annotated[
        bool,
        typer.Option(
            "--hidden",
            help="Bots that look ahead see only what their seat may; else all, as the solver does.",
        ),
    ] = False,
    repeats: Annotated[int, typer.Option(min=1, help="Times that a bot is asked about an ending.")] = 8,
    pieces: Annotated[bool, typer.Option("--pieces", help="Also by the piece of the best choice.")] = False,
    make: Annotated[
        int | None, typer.Option(min=1, help="Make a suite of so many endings instead, into --out.")
    ] = None,
    players: Annotated[int, typer.Option(help="With --make: how many play.")] = 2,
    setting: Annotated[
        Path | None,
        typer.Option(help="With --make: TOML file whose [parameters] the games are played under."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="With --make: seed of the deals.")] = 1,
    nodes: Annotated[
        int, typer.Option(min=1, help="With --make: most positions to look at for an ending.")
    ] = 200_000,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="File for all choices (.parquet), or for the suite.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure bots in endings that are solved exactly: what share of the win their choices lose.

    Example: whimbrel competence migration --bot greedy --bot search:playouts=100 --pieces
    """
    from sim.batch.engine import get_game
    from sim.batch.ladder import default_bots
    from sim.batch.progress import say
    from sim.batch.source import read_toml
    from sim.exact.endings import suite_of

    if make is not None:
        parameters = read_toml(setting)[0].get("parameters", {}) if setting is not None else {}
        _make(game, make, players, parameters, seed, nodes, out)
        return
    import analysis
    from sim.exact.competence import EXACT, WORST, choices

    suite = suite_of(get_game(game), endings)
    bots = bot or [EXACT, *default_bots(game, (25, 100, 400)), WORST]
    found = choices(get_game(game), suite, bots, knows=not hidden, repeats=repeats, news=say)
    if out is not None:
        found.write_parquet(out)
    tables = [analysis.competence(found)]
    if pieces:
        tables.append(analysis.competence(found, by_piece=True))
    if as_json:
        told = {"endings": len(suite.endings), "bots": tables[0].to_dicts()}
        print(json.dumps(told | ({"pieces": tables[1].to_dicts()} if pieces else {})))
        return
    print(f"{len(suite.endings)} endings of {game}, {suite.players} players, solved exactly")
    print(f"{'bot':<26} {'win share lost':>26} {'best choices':>24} {'points lost':>12}")
    for row in tables[0].iter_rows(named=True):
        print(f"{row['bot']:<26} {_words(row)} {row['lead_lost']:>12.2f}")
    if pieces:
        print(f"where the best choice uses (pieces of at least {FEWEST} endings)")
        for row in tables[1].filter(tables[1]["endings"] >= FEWEST).iter_rows(named=True):
            print(f"{row['piece']:<14} {row['bot']:<26} {_words(row)} ({row['endings']} endings)")


def _words(row: dict[str, Any]) -> str:
    parts = []
    for at, width in (("estimate", 26), ("best", 24)):
        low, high = ("low", "high") if at == "estimate" else ("best_low", "best_high")
        span = "" if row[low] is None else f" ({100 * row[low]:.1f} to {100 * row[high]:.1f})"
        parts.append(f"{100 * row[at]:.1f}%{span}".rjust(width))
    return " ".join(parts)


def _make(
    name: str, wanted: int, players: int, parameters: dict[str, Any], seed: int, nodes: int, out: Path | None
) -> None:
    from sim.batch.engine import get_game
    from sim.batch.progress import say
    from sim.batch.toml_text import to_toml
    from sim.exact.endings import make_suite

    if out is None:
        raise Refusal("--make needs a file to write to: --out endings.toml")
    if not 2 <= players <= get_game(name).max_players:
        raise Refusal(f"--players {players}: {name} is for 2 to {get_game(name).max_players}")
    line = shlex.join(["whimbrel", *(out.name if word == str(out) else word for word in sys.argv[1:])])
    suite = make_suite(
        get_game(name),
        wanted,
        line,
        players=players,
        parameters=parameters,
        seed=seed,
        most_nodes=nodes,
        news=say,
    )
    out.write_text(to_toml(suite.as_tables()), encoding="utf-8")
    print(f"{len(suite.endings)} endings in '{out}'")
