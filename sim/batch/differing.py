"""What differs between two designs, in words: variants, experiments, data sets, or a game as it is printed."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from sim.batch import seat_points
from sim.batch.cells import CellSpec, cell_specs, prepare
from sim.batch.experiment import Experiment, find_experiment, read_experiment, ready_experiments, words_of
from sim.batch.manifest import is_played
from sim.batch.sections import flatten
from sim.batch.source import read_toml
from sim.batch.store import MANIFEST, read_manifest
from sim.batch.variants import KEYS
from sim.core.errors import Refusal
from sim.core.game import game_names
from sim.core.game_doors import is_place
from sim.core.params import describe

NONE = "none"
LABELS = ("name", "question", "design_version", "game", "parameters", "variant", "decks", "about", "grade")
"""What is no difference between designs, or is told by itself."""


@dataclass(frozen=True)
class Difference:
    """One thing that two designs have otherwise.

    Attributes
    ----------
    part
        ``rules``, ``numbers``, ``pieces``, ``map``, ``files``, ``decks``, ``variants``, ``varied`` or ``run``.
    what
        Its name: a parameter, a piece, a terrain.
    before, after
        In words, in A and in B.
    help
        What the game says of it.
    """

    part: str
    what: str
    before: str
    after: str
    help: str = ""

    def line(self) -> str:
        """Return the difference in a line."""
        text = f"{self.what}: {self.before} -> {self.after}"
        return f"{text}   ({self.help})" if self.help else text

    def data(self) -> dict[str, str]:
        """Return it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Design:
    """One side: an experiment, and the version of the rules that it is, or was, played by.

    `bare`: it says what the rules are, and not how it is played.
    """

    name: str
    experiment: Experiment
    game: Any
    version: str
    bare: bool = False

    def values(self) -> dict[str, list[Any]]:
        """Return every parameter's value, by dotted name; several where it is varied."""
        now = {row["name"]: [row["default"]] for row in describe(self.game.Parameters)}
        now |= {row["name"]: [row["default"]] for row in self.given()}
        now |= {key: [value] for key, value in self.experiment.fixed.items() if key in now}
        return now | {key: list(values) for key, values in self.experiment.vary.items() if key in now}

    def given(self) -> list[dict[str, Any]]:
        """Return the seats that are given points at the end, as parameters are told."""
        keys = [key for key in (*self.experiment.fixed, *self.experiment.vary) if seat_points.is_key(key)]
        return seat_points.rows_of([seat_points.told(dict.fromkeys(keys, 0.0))])

    def file(self, key: str, value: Any) -> dict[str, Any] | None:
        """Return what the file holds that a parameter's value names: one of its own, or one of the game's."""
        if not isinstance(value, str) or re.fullmatch(r"[\w./-]+", value) is None:
            return None
        if value.endswith(".toml"):
            path = self.experiment.source.base / value
        else:
            path = Path(getattr(self.game, "folder", ".")) / f"{key}s" / f"{value}.toml"
        try:
            return tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError):
            return None

    def specs(self) -> dict[int, CellSpec]:
        """Return the first cell of each number of players."""
        found: dict[int, CellSpec] = {}
        for spec in cell_specs(self.experiment):
            found.setdefault(spec.count, spec)
        return found

    def board(self, spec: CellSpec) -> dict[str, int]:
        """Return what lies on the board of a cell, counted, where the game tells it."""
        folder = getattr(self.game, "folder", None)
        if folder is None or not (folder / "board_words.py").is_file():
            return {}
        words = import_module(f"{type(self.game).__module__.rpartition('.')[0]}.board_words")
        try:
            found: dict[str, int] = words.counts(prepare(self.game, spec, self.experiment.source.base))
        except Refusal:
            return {}
        return found


def design_of(text: str) -> Design:
    """Return the design that is meant: a file, a data set, a ready experiment, or a game as it is printed.

    Raises
    ------
    Refusal
        It is none of these, or games that were recorded.
    """
    from sim.batch.engine import get_game

    path = Path(text).expanduser()
    if (path / MANIFEST).is_file():
        manifest = read_manifest(path)
        if not is_played(manifest):
            raise Refusal(f"the games of '{text}' were recorded, not played by Whimbrel: no design is known")
        read = read_experiment(manifest["experiment"], base=path / "inputs", games=manifest["games_per_cell"])
        return Design(text, read, get_game(read.game), str(manifest["rules_version"]))
    as_game = (
        text in game_names() or text.startswith("openspiel:") or (is_place(text) and path.suffix != ".toml")
    )
    if as_game and text not in ready_experiments():
        read, bare = read_experiment({"game": text}), True
    else:
        file = find_experiment(text)
        read, bare = read_experiment(file), set(read_toml(file)[0]) <= set(KEYS)
    game = get_game(read.game)
    return Design(text, read, game, game.rules_version, bare)


def differences(a: Design, b: Design) -> list[Difference]:
    """Return all that differs: rules, numbers, pieces, map, files, decks, what is varied, how it is played.

    Beside a game as it is printed, or a variant, which say nothing of it, the last two are not told.
    """
    if a.game.name != b.game.name:
        return [Difference("rules", "game", a.game.name, b.game.name)]
    found = []
    if a.version != b.version:
        found.append(Difference("rules", "version of the rules", a.version, b.version))
    found += [*_numbers(a, b), *_files(a, b), *_decks(a, b), *_variants(a, b)]
    if not (a.bare or b.bare):
        found += _run(a, b)
    order = ("rules", "numbers", "pieces", "map", "files", "decks", "variants", "varied", "run")
    return sorted(found, key=lambda one: order.index(one.part))


def _numbers(a: Design, b: Design) -> Iterator[Difference]:
    rows = {
        row["name"]: row for design in (a, b) for row in [*describe(design.game.Parameters), *design.given()]
    }
    old, new = a.values(), b.values()
    pieces = set(a.game.pieces) | set(b.game.pieces)
    for key, row in rows.items():
        none = [0] if seat_points.is_key(key) else None  # a seat that is given nothing is not named
        before, after = old.get(key, none), new.get(key, none)
        if before == after or _alike(a, b, before, after):
            continue
        inner = key.partition(".")[2]
        part = "pieces" if inner in pieces else "numbers"
        varied = len(before or ()) > 1 or len(after or ()) > 1
        yield Difference(
            "varied" if varied else part, key, _several(before), _several(after), str(row.get("help") or "")
        )


def _alike(a: Design, b: Design, before: Any, after: Any) -> bool:
    """Whether two values name copies of the same file."""
    if before is None or after is None or len(before) != 1 or len(after) != 1:
        return False
    both = (str(before[0]), str(after[0]))
    return (
        all(one.endswith(".toml") for one in both) and a.file("", both[0]) == b.file("", both[1]) is not None
    )


def _several(values: Sequence[Any] | None) -> str:
    return "not there" if values is None else ", ".join(_word(value) for value in values)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words_of(Path(value).name if isinstance(value, str) and value.endswith(".toml") else value)


def _maps(a: Design, b: Design) -> Iterator[Difference]:
    before, after = a.specs(), b.specs()
    for players in sorted(before.keys() & after.keys()):
        old, new = a.board(before[players]), b.board(after[players])
        many = len(before.keys() & after.keys()) > 1
        for what in dict.fromkeys([*old, *new]):
            if old.get(what, 0) != new.get(what, 0):
                name = f"{what}, {players} players" if many else what
                yield Difference("map", name, str(old.get(what, 0)), str(new.get(what, 0)))


def _files(a: Design, b: Design) -> Iterator[Difference]:
    """What differs on the boards, and within the files that a parameter names: cards, decks, tracks, drawings."""
    old, new = a.values(), b.values()
    yield from (maps := list(_maps(a, b)))
    for key in old.keys() & new.keys():
        if len(old[key]) > 1 or len(new[key]) > 1:
            continue
        before, after = a.file(key, old[key][0]), b.file(key, new[key][0])
        if before is None or after is None or before == after or (key == "map" and maps):
            continue  # a board that was counted needs no count of its signs
        left, right = _told(before), _told(after)
        told = [
            Difference("files", f"{key}, {what}", left.get(what, NONE), right.get(what, NONE))
            for what in dict.fromkeys([*left, *right])
            if left.get(what) != right.get(what)
        ]
        yield from told or [Difference("files", key, "one arrangement", "another")]


def _told(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what a file holds by dotted name; of a drawing how often each symbol is in it."""
    found = {}
    for key, value in flatten(data).items():
        if key in LABELS:
            continue
        if isinstance(value, str) and "\n" in value:
            for symbol, n in sorted(Counter(value.split()).items()):
                found[f"{key}: {symbol}"] = str(n)
        else:
            found[key] = (
                f"{len(value)} entries" if isinstance(value, list) and len(value) > 8 else _word(value)
            )
    return found


def _decks(a: Design, b: Design) -> Iterator[Difference]:
    old, new = a.experiment.decks, b.experiment.decks
    for name in dict.fromkeys([*old, *new]):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        if not isinstance(before, Mapping) or not isinstance(after, Mapping):
            yield Difference("decks", name, _deck(before), _deck(after))
            continue
        for piece in dict.fromkeys([*before, *after]):
            if before.get(piece, 0) != after.get(piece, 0):
                yield Difference(
                    "decks", f"{name}, {piece}", f"{before.get(piece, 0):g}", f"{after.get(piece, 0):g}"
                )


def _deck(deck: Any) -> str:
    if isinstance(deck, Mapping):
        return ", ".join(f"{n:g} {piece}" for piece, n in deck.items())
    return NONE if deck is None else str(deck)


def _variants(a: Design, b: Design) -> Iterator[Difference]:
    old, new = dict(a.experiment.variants), dict(b.experiment.variants)
    for name in dict.fromkeys([*old, *new]):
        if _contents(a, old.get(name)) != _contents(b, new.get(name)):
            yield Difference("variants", name, _settings(old.get(name)), _settings(new.get(name)))


def _contents(design: Design, settings: Mapping[str, Any] | None) -> Any:
    """Return settings with what files hold in place of their names, which copies of data sets have otherwise."""
    own = {k: v for k, v in (settings or {}).items() if isinstance(v, str) and v.endswith(".toml")}
    return settings and {**settings, **{key: design.file(key, value) for key, value in own.items()}}


def _settings(settings: Mapping[str, Any] | None) -> str:
    if settings is None:
        return NONE
    return ", ".join(f"{key} = {_word(value)}" for key, value in settings.items()) or "as it is"


def _run(a: Design, b: Design) -> Iterator[Difference]:
    """How it is played: players, bots, tiers, games, seed, targets."""
    old, new = _playing(a.experiment), _playing(b.experiment)
    for what in dict.fromkeys([*old, *new]):
        if old.get(what) != new.get(what):
            yield Difference("run", what, old.get(what, NONE), new.get(what, NONE))


def _playing(read: Experiment) -> dict[str, str]:
    counts = read.vary.get("players.count") or [read.fixed.get("players.count", 2)]
    bots = read.fixed.get("players.bots", [] if read.players or read.tiers else ["greedy"])
    found = {"players": _several(counts), "games a cell": f"{read.games:,}", "seed": str(read.seed)}
    found |= {"bots": words_of(bots), "design": read.design}
    found |= {f"player {name}": _settings(own) for name, own in read.players}
    found |= {"tiers": ", ".join(bot for bot, _ in read.tiers) or NONE}
    targets = flatten(read.judge).items()
    found |= {f"target {key.replace('pieces.', 'piece.')}": _target(value) for key, value in targets}
    return found


def _target(value: Any) -> str:
    return " to ".join(f"{one:g}" for one in value) if isinstance(value, list) else str(value)
