"""`whimbrel balance`: the smallest change that meets the targets, and its proof."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.options import Json
from sim.cli.play import Interrupted, Jobs
from sim.core.errors import Refusal
from sim.core.notation import LETTERS

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset
    from sim.batch.balance import Table

CODES = {"proven": 0, "refuted": 1, "undecided": 3}


Changes = Sequence[tuple[str, Mapping[str, Any]]]


@dataclass
class _Play:
    """Plays what a search asks for, each round into a folder of its own.

    Points that seats are given change no game: changes that differ in nothing else are one variant that is played, and
    are told apart afterwards.
    """

    table: Table
    folder: Path

    def round(self, number: int, changes: Changes, games: int) -> Dataset:
        folder = self.folder / f"round-{number + 1}"
        return self._given(changes, lambda played: self.table.round(number, played, games, folder))

    def _given(self, changes: Changes, play: Callable[[Changes], Path]) -> Dataset:
        import analysis
        from analysis.fairness.handicap import with_points

        played: dict[str, tuple[str, Mapping[str, Any]]] = {}
        asked = []
        for name, settings in changes:
            rules, points = _apart(settings)
            of, _ = played.setdefault(json.dumps(rules, sort_keys=True), (name, rules))
            asked.append((name, of, points))
        d = analysis.load(play(list(played.values())))
        return with_points(d, asked) if any(points for *_, points in asked) else d

    def screen(self, changes: Changes, games: int) -> Dataset | None:
        if not self.table.base.tiers:
            return None
        return self._given(changes, lambda played: self.table.screen(played, games, self.folder / "dearest"))

    def prove(self, look: int, changes: Changes, games: int) -> Dataset:
        folder = self.folder / f"proof-{look + 1}"
        return self._given(changes, lambda played: self.table.prove(played, games, folder))

    def impossible(self, name: str, settings: Mapping[str, Any]) -> str:
        return self.table.impossible(name, settings)


def _apart(settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[int, float]]:
    """Return the settings of the game, and the points that each seat is given."""
    from sim.batch import seat_points

    rules = {key: value for key, value in settings.items() if not seat_points.is_key(key)}
    return rules, seat_points.told(settings)


def _points(given: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values of each seat's points, none first: of ``B=0..3`` or ``B=0.5,1``."""
    from sim.batch.seat_points import key_of

    levels: dict[str, list[Any]] = {}
    for text in given:
        seat, equals, span = text.partition("=")
        seat = seat.strip().upper()
        low, dots, high = span.partition("..")
        try:
            values = [*range(int(low), int(high) + 1)] if dots else [float(part) for part in span.split(",")]
        except ValueError:
            values = []
        if not equals or len(seat) != 1 or seat not in LETTERS or not values or min(values) < 0:
            raise Refusal(f"--points '{text}': write a seat and its points, as in B=0..3 or B=0.5,1")
        levels[key_of(LETTERS.index(seat))] = [0, *sorted({value for value in values if value})]
    return levels


def _weights(targets: Path) -> dict[str, float]:
    """Return [change] of a targets file: how much a change of each key counts against the others."""
    from sim.batch.source import read_toml

    table = read_toml(targets)[0].get("change") or {} if targets.is_file() else {}
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise Refusal(f"{targets}: 'change.{key}' must be a number above 0, not {value!r}")
    return {key: float(value) for key, value in table.items()}


def balance(
    experiment: Annotated[
        str,
        typer.Argument(
            metavar="NAME_OR_FILE",
            help="An experiment whose [vary] lists what may be changed, the value now first.",
        ),
    ],
    targets: Annotated[
        Path | None,
        typer.Option(
            metavar="NAME_OR_FILE",
            help="What is wanted, as for `assert`: a TOML file with [judge], or a ready one such as even-seats "
            "[default: what [judge] of the experiment says].",
        ),
    ] = None,
    points: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=VALUES",
            help="Points that a seat may be given, as in B=0..3: a compensation beside what [vary] lists; repeat it.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=20, help="Games of each change in the first round.")] = 400,
    proof: Annotated[
        int, typer.Option(min=20, help="Fresh games of each proposal, at the first look.")
    ] = 3000,
    most: Annotated[int, typer.Option(min=1, help="Most settings that are changed at once.")] = 3,
    proposals: Annotated[int, typer.Option(min=1, help="Proposals that are proved.")] = 4,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed, instead of the experiment's.")] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Folder [default: runs/balance-NAME].")
    ] = None,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Search the smallest change that meets the targets, and prove it on fresh seeds.

    Rule numbers, bans, maps, decks and set-up are changed as [vary] lists them. The search plays the cheapest tier on
    common deals; the proof plays the dearest on fresh seeds. The same command on the same folder goes on where it
    stopped. Exit code 0: a change is proven; 1: all that came near miss; 3: undecided.

    Example: whimbrel balance tame-wolf --games 300
    """
    import analysis
    from analysis.balance.proposing import propose
    from analysis.balance.space import Space
    from analysis.report import balancing
    from analysis.targets.table import read_targets, targets_file
    from sim.batch.balance import table_of
    from sim.batch.experiment import find_experiment
    from sim.batch.progress import say
    from sim.batch.runner import Stopped
    from sim.batch.source import read_toml

    if targets is None:
        file = find_experiment(experiment)
        wanted, weights = read_targets(read_toml(file)[0].get("judge") or {}, f"[judge] of {file.name}"), {}
    else:
        wanted, weights = targets_file(targets), _weights(targets)
    given = _points(points or [])
    table = table_of(experiment, seed, jobs, say, True, beside=bool(given))
    folder = out or Path("runs") / f"balance-{table.base.name}"
    for key in given:
        if (
            key in table.base.fixed
            or key in table.levels
            or any(key in own for _, own in table.base.variants)
        ):
            text = f"'{key}' is set by the experiment and by --points; leave it in one of them"
            raise Refusal(f"{table.base.at(key)}{text}")
    space = Space({**table.levels, **given}, weights)
    for key in weights:
        if key not in space.levels:
            raise Refusal(f"{targets}: [change] weighs '{key}', which [vary] does not change")
    play = _Play(table, folder)
    try:
        found = propose(play, space, wanted, games, proof, most=most, wanted=proposals, news=say)
        last = analysis.load(folder / "proof-1")
    except Stopped as stop:
        raise Interrupted(str(stop)) from None
    files, designs = {}, {}
    table.keep_files(folder)
    for number, one in enumerate(found.proposals, start=1):
        name = f"{table.base.name}-{number}-{re.sub(r'[^A-Za-z0-9]+', '-', one.name).strip('-')}"[:60]
        question = f"{one.name}: {one.verdict.word}"
        whole = {k: v for k, v in one.settings.items() if v or k not in given}
        files[one.name] = table.write(folder / f"proposal-{number}.toml", name, whole, question, proof)
        designs[one.name] = table.write_variant(folder / f"variant-{number}.toml", name, whole, question)
    page = balancing.write(last, found, files, designs, folder / "report.html")
    if as_json:
        print(json.dumps({**balancing.data(found), "folder": str(folder), "report": str(page)}))
    else:
        print(balancing.headline(found))
        for number, one in enumerate(found.proposals, start=1):
            print(f"{number}. [{one.verdict.word}] size {one.size:.1f}  {balancing.sentence(one)}")
            print(f"   {shlex.quote(str(designs[one.name]))}")
        print(f"as it is: [{found.now.verdict.word}] {balancing.sentence(found.now)}")
        print(f"report: {shlex.quote(str(page))}")
        if found.word == "proven":
            print(f"next: whimbrel run {shlex.quote(str(folder / 'proposal-1.toml'))}")
    if CODES[found.word]:
        raise typer.Exit(CODES[found.word])
