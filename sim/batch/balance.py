"""What `whimbrel balance` plays: rounds of changes on common deals, then the proposals on fresh seeds.

Nothing here judges: `analysis.balance` reads each round's data set and says what to play next. Every round is a data
set of its own, and what it plays follows from the ones before, so that the same command on the same folder goes on
where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.batch import runner
from sim.batch.cells import bot_spec
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.levers import plain
from sim.batch.plan import make_plan
from sim.batch.progress import quiet
from sim.batch.store import write_bytes
from sim.batch.toml_text import to_toml
from sim.core.errors import Refusal

FRESH = 1_000_003
"""Added to the seed for the games of the proof."""
LOOK = 2_000_003
"""Added to it for a first look with the dearest tier."""
APART = 1_000_000
"""Deals of a round begin so far from those of the one before."""
COUNT = "players.count"
VARIANT = "variant"
"""The lever that several designs of one's own are."""
INPUTS = "inputs/"
"""Where copies of the files that proposals name lie."""


@dataclass(frozen=True)
class Table:
    """Where changes are tried: an experiment, what it may change, and its tiers of play.

    Attributes
    ----------
    levels
        Values of each key that may be changed, the one now first.
    """

    base: Experiment
    levels: Mapping[str, list[Any]]
    jobs: int | None = None
    news: Callable[[str], None] = quiet
    show: bool = False

    def data(
        self,
        changes: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        name: str,
        bots: str | None = None,
        files: str | None = None,
    ) -> dict[str, Any]:
        """Return the experiment in which each change is a variant, by its name and its settings.

        Files are named as they are, or as copies in the folder `files`.
        """
        data = plain(self.base, files)
        data["parameters"] = {k: v for k, v in data["parameters"].items() if k not in self.levels}
        if bots is not None:
            data["players"] = {**data.get("players", {}), "bots": [bots]}
        told = {key for _, settings in changes for key in self._spread(settings)}
        data["parameters"] = {k: v for k, v in data["parameters"].items() if k not in told}
        data["variant"] = [
            {"name": what, **self._first(told), **self._spread(settings)} for what, settings in changes
        ]
        return data | {"name": name, "question": "Which change meets the targets?"}

    def _first(self, told: set[str]) -> dict[str, Any]:
        """Return what the base sets of these keys, which a variant that is a lever sets otherwise."""
        own = {**self.base.fixed, **dict(self.base.variants[0][1] if self.base.variants else {})}
        return {key: value for key, value in own.items() if key in told and key not in self.levels}

    def round(
        self, number: int, changes: Sequence[tuple[str, Mapping[str, Any]]], games: int, folder: Path
    ) -> Path:
        """Play a round of the search at the cheapest tier, on deals of its own that all changes share."""
        data = self.data(changes, name=f"{self.base.name}-round-{number}")
        data["first_deal"] = self.base.first_deal + number * APART
        return self._run(data, games, folder)

    def screen(self, changes: Sequence[tuple[str, Mapping[str, Any]]], games: int, folder: Path) -> Path:
        """Play changes at the dearest of several tiers, on seeds of its own."""
        data = self.data(changes, name=f"{self.base.name}-dearest", bots=self.base.tiers[-1][0])
        data["seed"] = self.base.seed + LOOK
        return self._run(data, games, folder)

    def prove(self, changes: Sequence[tuple[str, Mapping[str, Any]]], games: int, folder: Path) -> Path:
        """Play the proposals on fresh seeds, at the dearest tier."""
        bots = self.base.tiers[-1][0] if self.base.tiers else None
        data = self.data(changes, name=f"{self.base.name}-proof", bots=bots)
        data["seed"] = self.base.seed + FRESH
        return self._run(data, games, folder)

    def _run(self, data: Mapping[str, Any], games: int, folder: Path) -> Path:
        bots = [bot_spec(bot, base=self.base.source.base)[0] for bot, _ in self.base.tiers]  # compiled once
        read = self._read(data, games)
        return runner.run(read, folder, jobs=self.jobs, news=self.news, show=self.show, beside=bots).folder

    def _read(self, data: Mapping[str, Any], games: int) -> Experiment:
        return replace(read_experiment(data, base=self.base.source.base, games=games), files=self.base.files)

    def impossible(self, name: str, settings: Mapping[str, Any]) -> str:
        """Say why a change cannot be played; empty where it can."""
        try:
            make_plan(self._read(self.data([(name, settings)], name="trial"), 1))
        except Refusal as error:
            return str(error)
        return ""

    def write(self, path: Path, name: str, settings: Mapping[str, Any], question: str, games: int) -> Path:
        """Write the experiment file of a proposal, all tiers of the base in it."""
        data = self.data([], name=name, files=INPUTS)
        data.pop("variant")
        for key, value in self._placed(self._spread(settings)).items():
            table, inner = (
                ("players", key.partition(".")[2]) if key.startswith("players.") else ("parameters", key)
            )
            data[table] = {**data.get(table, {}), inner: value}
        if self.base.tiers:
            data["players"].pop("bots", None)
            data["tiers"] = self.base.canonical(INPUTS)["tiers"]
        data |= {"question": question, "games": games}
        return _write(path, data)

    def write_variant(self, path: Path, name: str, settings: Mapping[str, Any], question: str) -> Path:
        """Write a proposal as a design: what `[vary] variant`, `play`, `compare` and `diff` take by path."""
        data = plain(self.base, INPUTS)
        parameters = {**data["parameters"], **self._placed(self._spread(settings))}
        whole = {"name": name, "question": question, "game": data["game"], "parameters": parameters}
        return _write(path, whole | ({"decks": data["decks"]} if data.get("decks") else {}))

    def _placed(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings whose files are named as the copies beside the proposals."""
        return self.base.own_files(settings, INPUTS)

    def _spread(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings with what a variant sets in its place."""
        chosen = settings.get(VARIANT)
        bundle = dict(self.base.variants).get(chosen, {}) if chosen else {}
        return {**bundle, **{key: value for key, value in settings.items() if key != VARIANT}}

    def keep_files(self, folder: Path) -> None:
        """Copy the files that proposals name (maps, cards, a game of one's own) beside them."""
        for name, text in self.base.files.items():
            path = folder / INPUTS / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, text.encode())


def _write(path: Path, data: Mapping[str, Any]) -> Path:
    """Write an experiment, or a design, that can be read where it lies."""
    read_experiment(data, base=path.parent)
    write_bytes(path, to_toml(data).encode())
    return path


def table_of(
    what: str | Path,
    seed: int | None,
    jobs: int | None,
    news: Callable[[str], None] = quiet,
    show: bool = False,
    beside: bool = False,
) -> Table:
    """Read the experiment whose `[vary]` says what may be changed, the value now first.

    With something to change `beside`, it may vary nothing.

    Raises
    ------
    Refusal
        It varies nothing, or not the rules.
    """
    base = read_experiment(what, seed=seed)
    levels = {key: values for key, values in base.vary.items() if key != COUNT and len(values) > 1}
    if len(base.variants) > 1:
        levels = {VARIANT: [name for name, _ in base.variants], **levels}
    if not levels and not beside:
        raise Refusal(
            f"{base.source.at()}balance changes what [vary] lists, the value now first; there is nothing in it"
        )
    for key in levels:
        if key.startswith(("players.", "player.")):
            raise Refusal(
                f"{base.at(key)}'{key}' is varied: balance changes rules, bans, maps and decks, not who plays"
            )
    return Table(base, levels, jobs, news, show)
