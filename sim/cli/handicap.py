"""`whimbrel handicap`: what handicap makes it even, with its proof."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.options import Json
from sim.cli.play import Interrupted, Jobs
from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.experiment import Experiment

FRESH = 1_000_003
"""Added to the seed for the games of the proof."""
CODES = {"proven": 0, "refuted": 1}


def handicap(
    experiment: Annotated[
        str, typer.Argument(metavar="NAME_OR_FILE", help="A ready experiment or a TOML file.")
    ],
    turn: Annotated[
        str | None,
        typer.Option(
            metavar="KEY=VALUES",
            help="A number of the rules to turn, such as hand_size=8..14, instead of points at the end.",
        ),
    ] = None,
    prove: Annotated[
        str | None,
        typer.Option(
            metavar="GIVEN",
            help="Prove this handicap, not the one that is found: points by seat, as in B=2 or B=2,C=3.5 (with two "
            "players 2 alone, for the seat that is behind), or with --turn a value of the number.",
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(min=20, help="Games, of each value that is turned.")] = None,
    proof: Annotated[
        int | None, typer.Option(min=20, help="Fresh games of the proof [default: four times as many].")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed, instead of the experiment's.")] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Folder [default: runs/handicap-NAME].")
    ] = None,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Find the handicap that makes the seats even, with its interval, and prove it on fresh games.

    Points are added to final scores; --turn plays each value of a number of the rules (a card more, a free placement)
    and takes the most even. --prove 2 asks whether 2 points make it even. Exit code 0: fresh games prove it; 1: they
    refute it; 3: undecided, with the games that would settle it.

    Example: whimbrel handicap quickstart --games 2000
    """
    import analysis
    from analysis.fairness import handicap as found_by
    from analysis.report import evening
    from sim.batch import runner
    from sim.batch.experiment import read_experiment
    from sim.batch.plan import make_plan
    from sim.batch.progress import say

    base = read_experiment(experiment, games=games, seed=seed)
    key, values = _turned(base, turn)
    folder = out or Path("runs") / f"handicap-{base.name}"

    def read(name: str, settings: dict[str, Any], vary: dict[str, Any], count: int, more: int) -> Experiment:
        data = _data(base, settings, vary) | {"name": f"{base.name}-{name}", "seed": base.seed + more}
        return replace(read_experiment(data, base=base.source.base, games=count), files=base.files)

    def play(name: str, *how: Any) -> Any:
        one = read(name, *how)
        return analysis.load(runner.run(one, folder / name, jobs=jobs, news=say, show=True).folder)

    fresh = proof or 4 * base.games
    vary = {key: values} if key else {}
    sizes = sorted({spec.count for spec in make_plan(read("search", {}, vary, base.games, 0)).specs})
    claim = _value(prove, key) if prove is not None and key else None
    if claim is not None:
        for n in sizes:
            make_plan(read("proof", {key: claim, "players.count": n}, {}, fresh, FRESH))
    elif prove is not None:
        found_by.given_points(prove, dict.fromkeys(sizes, 0))
    last: Any = None
    try:
        if key:
            every = found_by.turned(play("search", {}, vary, base.games, 0), key)
            proofs = []
            for one in every:
                n, value = one.players, _as_given(one.values[0], values) if claim is None else claim
                name = f"proof-{n}" if claim is None else f"proof-{n}-of-{claim:g}"
                last = play(name, {key: value, "players.count": n}, {}, fresh, FRESH)
                proofs += [replace(proved, given=(float(value),)) for proved in found_by.prove(last)]
        else:
            every = found_by.points(play("search", {}, {}, base.games, 0))
            last = play("proof", {}, {}, fresh, FRESH)
            given: dict[int, list[float]] = {one.players: one.values for one in every}
            if prove is not None:
                behind = {one.players: min(range(one.players), key=one.before.__getitem__) for one in every}
                given = found_by.given_points(prove, behind)
            proofs = found_by.prove(last, given)
    except runner.Stopped as stop:
        raise Interrupted(str(stop)) from None
    words = {one.verdict for one in proofs}
    word = "refuted" if "refuted" in words else "proven" if words == {"proven"} else "undecided"
    page = evening.write(last, every, proofs, key, folder / "report.html")
    settings = {
        one.players: {key: _as_given(one.given[0], values) if claim is None else claim}
        if key
        else _points(base, one.given)
        for one in proofs
    }
    designs = _designs(base, folder, {players: own for players, own in settings.items() if own})
    if as_json:
        told = {"verdict": word, "turned": key or "points", "folder": str(folder), "report": str(page)}
        rows = {"found": [asdict(h) for h in every], "proof": [asdict(p) for p in proofs]}
        print(json.dumps({**told, **rows, "designs": [str(path) for path in designs]}))
    else:
        for one, proved in zip(every, proofs, strict=True):
            print(evening.line(one, proved, key))
        for path in designs:
            print(f"as a design, for run, compare, diff and play: {shlex.quote(str(path))}")
        print(f"report: {shlex.quote(str(page))}")
    if word != "proven":
        raise typer.Exit(CODES.get(word, 3))


def _points(base: Experiment, values: Sequence[float]) -> dict[str, Any]:
    """Return what each seat is given, beside what it has in the experiment, as an experiment says it."""
    from sim.batch.seat_points import key_of

    return {
        key_of(seat): value + base.fixed.get(key_of(seat), 0) for seat, value in enumerate(values) if value
    }


def _designs(base: Experiment, folder: Path, given: Mapping[int, Mapping[str, Any]]) -> list[Path]:
    """Write what was found for each number of players as a design and return the files."""
    from sim.batch.balance import Table

    table = Table(base, {})
    table.keep_files(folder)
    written = []
    for players, own in given.items():
        name = "design" if len(given) == 1 else f"design-{players}-players"
        question = f"What makes it even for {players} players?"
        written.append(table.write_variant(folder / f"{name}.toml", f"even-{base.name}", own, question))
    return written


def _turned(base: Experiment, turn: str | None) -> tuple[str, list[Any]]:
    """Return the number that is turned and its values; an empty name for points."""
    from sim.batch.engine import get_game
    from sim.batch.levers import sweep_values, wanted
    from sim.core.params import describe

    if turn is None:
        return "", []
    levels, _ = wanted(base, [turn])
    ((key, both),) = levels.items()
    row = next(r for r in describe(get_game(base.game).Parameters) if r["name"] == key)
    if any(isinstance(v, bool) or not isinstance(v, int | float) for v in both):
        raise Refusal(f"--turn: '{key}' is no number; compare such settings with [vary], or with balance")
    return key, sorted(sweep_values(row, both, both[0]))


def _value(text: str, key: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Refusal(f"--prove: a value of '{key}' is a number, not '{text}'")
    return int(value) if value.is_integer() else value


def _data(base: Experiment, settings: dict[str, Any], vary: dict[str, Any]) -> dict[str, Any]:
    from sim.batch.levers import plain

    data = plain(base)
    if base.tiers:
        data["players"] = {**data["players"], "bots": [base.tiers[-1][0]]}
    for key, value in settings.items():
        table, name = ("players", "count") if key == "players.count" else ("parameters", key)
        data[table] = {**data.get(table, {}), name: value}
        if key == "players.count":
            data["vary"] = {k: v for k, v in data["vary"].items() if k != key}
    data["parameters"] = {k: v for k, v in data["parameters"].items() if k not in vary}
    data["vary"] = {**vary, **data["vary"]}
    return data | {"question": "What handicap makes it even?", "log": "games"}


def _as_given(value: float, values: list[Any]) -> Any:
    return min(values, key=lambda v: abs(v - value))
