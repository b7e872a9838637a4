"""What an experiment says, checked key by key: TOML file or dictionary -> `Experiment`.

Everything is flattened into dotted keys (``set_counts.Cactus``, ``players.count``, ``player.rush.bot``), so
that fixed, varied and bundled settings are the same thing and "a key in two places" is one look-up. Values
of the game's own parameters are judged by the game itself, when `sim.batch.plan` prepares the cells.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from sim.batch import asking, coalitions, sections
from sim.batch.screening import screened
from sim.batch.sections import Reader
from sim.batch.source import Path_, Source, read_toml
from sim.batch.variants import Variant, bundled, joined_decks, read_designs, spread
from sim.core.bot_doors import file_in
from sim.core.errors import Refusal, nearest
from sim.core.game_doors import game_files, is_place, split_place
from sim.core.sources import closure

LOGS = ("games", "pieces", "turns", "decisions")
DESIGNS = ("grid", "one-at-a-time", "sample", "screen")
READY = Path(__file__).resolve().parent.parent / "experiments"
"""Folder of the ready experiments."""
KEYS = (
    *("name", "question", "design_version", "game", "games", "seed", "log", "design", "cells", "share_deals"),
    *("series", "skip_impossible", "players", "parameters", "vary", "variant", "player", "decks", "judge"),
    *("pace", "tiers", "ask", "seating", "first_deal", "stop"),
)
_LABELS = ("name", "question", "design_version", "judge", "pace", "ask", "games", "stop")
"""Keys that no row depends on: they may change while a data set grows."""


@dataclass(frozen=True)
class Experiment:
    """A checked experiment.

    Attributes
    ----------
    fixed
        Settings of all cells, by dotted key.
    vary
        Values by dotted key; cells are made of their combinations.
    variants
        Named bundles: (name, settings by dotted key).
    players
        The `[[player]]` entries: name and settings ("bot", "deck", "bans", "options.x").
    series
        Whether a block is a series: as many games as players, each player Founder once.
    seating
        The player (from 0) at each seat, where all games keep to it; empty: all orders of differing players.
    first_deal
        Number of the first deal.
    decks
        Counts (or weights) by piece, or the team builder that a deck is another name of ("bot:rush").
    judge
        As in the manifest: seat, piece, pieces, even.
    pace
        Seconds at the table: of a game, a turn, a decision, or a kind of decision.
    ask
        What the report must answer, in its order (`sim.batch.asking`); empty: what follows from what is varied.
    tiers
        Levels of play, weakest first: (bot, games per cell as written; 0: as many as the first). `games` are those of
        the first tier; where they are not the ones written, all tiers grow or shrink in proportion.
    files
        Text of the files that values name, by file name.
    over
        Stand-ins whose alternatives are among the variants.
    stop
        In how many batches to play, and which targets must be decided before the cap; empty: all games are played.
    bases
        The variant that each of these is compared with.
    ways
        Where each dotted key stands in the text.
    designs
        The variants that were read from files, by name; "" for the design that the whole experiment stands on.
    """

    name: str
    question: str
    design_version: str
    game: str
    games: int
    seed: int
    log: str
    design: str
    cells: int | None
    share_deals: bool
    skip_impossible: bool
    fixed: dict[str, Any]
    vary: dict[str, list[Any]]
    variants: tuple[tuple[str, dict[str, Any]], ...]
    players: tuple[tuple[str, dict[str, Any]], ...]
    decks: dict[str, dict[str, float] | str]
    judge: dict[str, Any]
    files: dict[str, str] = field(default_factory=dict)
    over: tuple[str, ...] = ()
    bases: dict[str, str] = field(default_factory=dict)
    series: bool = False
    seating: tuple[int, ...] = ()
    first_deal: int = 0
    pace: dict[str, float] = field(default_factory=dict)
    ask: dict[str, Any] = field(default_factory=dict)
    tiers: tuple[tuple[str, int], ...] = ()
    stop: dict[str, Any] = field(default_factory=dict)
    source: Source = field(default_factory=Source)
    ways: dict[str, Path_] = field(default_factory=dict)
    designs: dict[str, Variant] = field(default_factory=dict, compare=False)

    def at(self, key: str, variant: str | None = None) -> str:
        """Return "file.toml, line 3: " for a dotted key, of the variant's own file where that sets it."""
        own = self.designs.get(variant or "")
        if own is not None and (where := own.at(key)):
            return where
        if key not in self.ways and "" in self.designs and (where := self.designs[""].at(key)):
            return where
        return self.source.at(*self.ways.get(key, ()))

    def canonical(self, folder: str | None = "") -> dict[str, Any]:
        """Return the experiment as plain data without `games`; it reads back as the same experiment.

        Files that it names (maps) are named as if they lay in `folder`; None: as they are.
        """
        data: dict[str, Any] = {"name": self.name, "question": self.question}
        data |= {"design_version": self.design_version, "game": self._own_game(folder)}
        data |= {"seed": self.seed, "log": self.log}
        data["design"] = self.design
        if self.cells is not None:
            data["cells"] = self.cells
        data |= {"share_deals": self.share_deals, "skip_impossible": self.skip_impossible}
        if self.series:
            data["series"] = True
        if self.seating:
            data["seating"] = list(self.seating)
        if self.first_deal:
            data["first_deal"] = self.first_deal
        fixed = self.own_files(self.fixed, folder)
        players = {k.split(".", 1)[1]: v for k, v in fixed.items() if k.startswith("players.")}
        if players:
            data["players"] = players
        data["parameters"] = {k: v for k, v in sorted(fixed.items()) if not k.startswith("players.")}
        if self.vary:
            data["vary"] = {k: [self._own_file(v, folder) for v in values] for k, values in self.vary.items()}
        if self.variants:
            data["variant"] = [
                {"name": name, **self.own_files(settings, folder)} for name, settings in self.variants
            ]
        if self.players:
            data["player"] = [
                {"name": name, **self.own_files(settings, folder)} for name, settings in self.players
            ]
        if self.decks:
            data["decks"] = self.decks
        pieces = {f"piece.{name}": margins for name, margins in self.judge["pieces"].items()}
        bands = self.judge.get("bands", {})
        data["judge"] = {k: v for k, v in self.judge.items() if k not in ("pieces", "bands")} | pieces | bands
        if self.pace:
            data["pace"] = self.pace
        if self.ask:
            data["ask"] = self.ask
        if self.stop:
            data["stop"] = self.stop
        if self.tiers:
            data["tiers"] = {"bots": [self._own_file(bot, folder) for bot, _ in self.tiers]}
            if all(games for _, games in self.tiers):
                data["tiers"]["games"] = [games for _, games in self.tiers]
        return data

    def _own_game(self, folder: str | None) -> str:
        """Return the game's name; of one that lies somewhere, as if its file or folder lay in `folder`."""
        if folder is None or not is_place(self.game):
            return self.game
        path, name = split_place(self.game)
        return f"./{folder}{path.name}" + (f":{name}" if name else "")

    def _own_file(self, value: Any, folder: str | None) -> Any:
        if folder is None:
            return value
        if isinstance(value, list):
            return [self._own_file(part, folder) for part in value]
        file = (file_in(value) or value) if isinstance(value, str) else ""
        name = Path(file).name
        return f"{folder}{name}{value[len(file) :]}" if name in self.files else value

    def own_files(self, settings: Mapping[str, Any], folder: str | None) -> dict[str, Any]:
        """Return settings whose files are named as if they lay in `folder`; None: as they are."""
        return {key: self._own_file(value, folder) for key, value in settings.items()}

    def hash(self) -> str:
        """Return 16 hex digits over everything that rows depend on, the text of map files included."""
        data = {k: v for k, v in self.canonical().items() if k not in _LABELS} | {"files": self.files}
        if self.tiers:  # how many games each has may change while a data set grows
            data["tiers"] = data["tiers"]["bots"]
        text = json.dumps(data, sort_keys=False, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_experiment(
    what: str | Path | Mapping[str, Any],
    *,
    base: Path | None = None,
    games: int | None = None,
    seed: int | None = None,
    log: str | None = None,
) -> Experiment:
    """Read and check an experiment.

    Parameters
    ----------
    what
        Path of a TOML file, name of a ready experiment, or the same content as a dictionary.
    base
        Folder that paths in a dictionary start from (default: the working folder).
    games, seed, log
        Beat what the experiment says.

    Raises
    ------
    Refusal
        For anything that cannot be played, before any game is played: what, where, the nearest valid name.
    """
    if isinstance(what, Mapping):
        data, source = dict(what), Source(base=base or Path.cwd())
    else:
        data, source = read_toml(find_experiment(str(what)))
    for key, value in (("games", games), ("seed", seed), ("log", log)):
        if value is not None:
            data[key] = value
            source = replace(source, lines={way: n for way, n in source.lines.items() if way != (key,)})
    return _Parse(data, source).result()


def ready_experiments() -> dict[str, Path]:
    """Return the ready experiments that come with the package, by name."""
    return {path.stem: path for path in sorted(READY.glob("*.toml"))}


def find_experiment(name_or_file: str) -> Path:
    """Return the file of a ready experiment or of one of the user's."""
    path = Path(name_or_file).expanduser()
    ready = ready_experiments()
    if path.is_file():
        return path
    if name_or_file in ready:
        return ready[name_or_file]
    if path.is_dir():
        raise Refusal(
            f"'{name_or_file}' is a folder; an experiment is a TOML file or one of: {', '.join(ready)}"
        )
    if path.suffix or "/" in name_or_file:
        raise Refusal(f"there is no file '{name_or_file}'")
    hint = nearest(name_or_file, ready) or f"; ready ones are: {', '.join(ready)}"
    raise Refusal(f"there is no experiment '{name_or_file}'{hint}")


class _Parse:
    """One pass over the data; `places` collects where each dotted key was set."""

    def __init__(self, data: dict[str, Any], source: Source) -> None:
        self.data, self.source = data, source
        self.read = Reader(data, source)
        self.places: dict[str, dict[str, Path_]] = {}

    def result(self) -> Experiment:
        read = self.read
        game, own, listed = read_designs(read)
        designs = [one for one in (own, *listed.values()) if one]
        names = sections.Names.of(game)
        for key in self.data:
            if key not in KEYS:
                known = key in names.parameters or key in names.tables
                hint = (
                    f"; a parameter of {game.name} stands under [parameters]" if known else nearest(key, KEYS)
                )
                read.refuse((key,), f"unknown key '{key}'{hint}")
        design = read.choice("design", DESIGNS, "grid")
        cells = read.whole("cells", 1, None)
        if (cells is not None) != (design == "sample"):
            read.refuse(
                ("cells",) if cells else ("design",), "'cells = N' and 'design = \"sample\"' go together"
            )
        players = sections.read_players(read, names)
        names = replace(names, players=tuple(name for name, _ in players))
        for number, (name, settings) in enumerate(players):
            prefixed = {f"player.{name}.{key}": value for key, value in settings.items()}
            self.note(prefixed, "[[player]]", ("player", number), cut=len(f"player.{name}."))
        table = {f"players.{key}": value for key, value in sections.read_table_players(read).items()}
        self.note(table, "[players]", ("players",), cut=len("players."))
        fixed = self.note(
            self.settings(names, read.table("parameters"), ("parameters",)), "[parameters]", ("parameters",)
        )
        varied = {key: value for key, value in read.table("vary").items() if key != "variant"}
        vary = self.note(self.settings(names, varied, ("vary",)), "[vary]", ("vary",))
        for key, values in vary.items():
            vary[key] = self.expanded(game, key, values)
            self.check_values(key, vary[key])
        if design == "screen":
            self.check_screen(vary)
        bundles = self.variants(names, listed)
        self.refuse_twice(bool(players))
        fixed, bundles = spread(fixed, own, bundles, vary)
        tiers = sections.read_tiers(read)
        self.refuse_own_bots(tiers, players)
        experiment = Experiment(
            name=read.text("name") or Path(self.source.name).stem or game.name,
            question=read.text("question"),
            design_version=read.text("design_version"),
            game=getattr(game, "place", "") or game.name,
            designs={**({"": own} if own else {}), **{k: v for k, v in listed.items() if v}},
            games=read.whole("games", 1, None) or (tiers[0][1] if tiers else 0) or 1000,
            tiers=tiers,
            seed=read.whole("seed", 0, 0) or 0,
            log=self.log(),
            design=design,
            cells=cells,
            share_deals=read.switch("share_deals", True),
            skip_impossible=read.switch("skip_impossible", False),
            series=read.switch("series", False),
            seating=sections.read_seating(read, players),
            first_deal=read.whole("first_deal", 0, 0) or 0,
            fixed={**table, **fixed},
            vary=vary,
            variants=tuple(bundles),
            players=tuple(players),
            decks=joined_decks(read, sections.read_decks(read, names), designs),
            judge=sections.read_judge(read, names),
            pace=sections.read_pace(read, names),
            stop=sections.read_stop(read, names),
            ask=asking.read_ask(read, names, vary, [name for name, _ in bundles]),
            source=self.source,
            ways={key: next(iter(spots.values())) for key, spots in self.places.items()},
        )
        sections.check_name(read, experiment.name)
        return replace(experiment, files=self.files(experiment))

    def log(self) -> str:
        if self.data.get("log") == "none":
            self.read.refuse(("log",), "log 'none' keeps no games; it is for `whimbrel bench` only")
        return self.read.choice("log", LOGS, "pieces")

    def note(self, settings: dict[str, Any], place: str, table: Path_, cut: int = 0) -> dict[str, Any]:
        """Remember that these keys (without their first `cut` letters) stand in this table."""
        for key in settings:
            self.places.setdefault(key, {}).setdefault(place, (*table, *self.split(table, key[cut:])))
        return settings

    def split(self, table: Path_, key: str) -> Path_:
        """Return a dotted key as it stands in the text: quoted in one piece, or as tables within tables."""
        return (key,) if (*table, key) in self.source.lines else tuple(key.split("."))

    def settings(self, names: sections.Names, data: Mapping[str, Any], table: Path_) -> dict[str, Any]:
        """Flatten a table of settings and check its keys."""
        flat = sections.flatten(data)
        for key in flat:
            way = (*table, *self.split(table, key))
            sections.check_key(self.read, names, key, way)
            if key == "games" or key.startswith("judge."):
                self.read.refuse(
                    way, f"'{key}' is one for the whole experiment; it stands at the top of the file"
                )
        return flat

    def expanded(self, game: Any, key: str, values: Any) -> Any:
        """Return the values that texts such as "every 3", alone or in a list, stand for, by the game.

        What such a text brings along and what stands before it in the list is there once.
        """
        expand = getattr(game, "expand", None)
        if coalitions.is_key(key):
            seed = self.read.whole("seed", 0, 0) or 0
            expand = partial(coalitions.banned_sets, pieces=list(game.pieces), seed=seed)
        if expand is None or not isinstance(values, str | list):
            return values
        result: list[Any] = []
        for value in values if isinstance(values, list) else [values]:
            with self.read.refusing(*self.places[key]["[vary]"]):
                found = expand(key, value)
            if found is None and not isinstance(values, list):
                return values
            known = [_unordered(one) for one in result]
            result += [value] if found is None else [one for one in found if _unordered(one) not in known]
        return result

    def check_values(self, key: str, values: Any) -> None:
        way = self.places[key]["[vary]"]
        if not isinstance(values, list) or not values:
            self.read.refuse(way, f"'{key}' in [vary] needs a list of values, as in {key} = [1, 2]")
        seen: set[str] = set()
        for value in values:
            told = json.dumps(value, sort_keys=True, default=str)
            if told in seen:
                self.read.refuse(way, f"'{key}' in [vary] names a value twice: {words_of(value)}")
            seen.add(told)

    def check_screen(self, vary: Mapping[str, list[Any]]) -> None:
        """A screen sets two levels of each number against each other, in cells of which none may be left out."""
        numbers = screened(list(vary))
        if not numbers:
            self.read.refuse(("design",), "'design = \"screen\"' needs [vary]: what is to be screened")
        for key in numbers:
            if len(vary[key]) != 2:
                text = (
                    f"'{key}' has {len(vary[key])} values; a screen sets two against each other, low and high"
                )
                self.read.refuse(self.places[key]["[vary]"], text)
        for key in ("skip_impossible", "ask"):
            if self.data.get(key):
                text = "needs all its cells" if key == "skip_impossible" else "has a question of its own"
                self.read.refuse(
                    (key,), f"'{key}' and 'design = \"screen\"' do not go together: a screen {text}"
                )

    def variants(
        self, names: sections.Names, listed: Mapping[str, Variant | None]
    ) -> list[tuple[str, dict[str, Any]]]:
        if listed or isinstance(self.data.get("variant"), str):
            return bundled(self.read, listed, self.places)
        result: list[tuple[str, dict[str, Any]]] = []
        for number, entry in enumerate(self.read.tables("variant")):
            way: Path_ = ("variant", number)
            name = entry.get("name")
            if not isinstance(name, str) or not name:
                self.read.refuse(way, "a [[variant]] needs a name")
            if name in dict(result):
                self.read.refuse((*way, "name"), f"two variants are called '{name}'")
            settings = self.settings(names, {k: v for k, v in entry.items() if k != "name"}, way)
            result.append((str(name), self.note(settings, "[[variant]]", way)))
        return result

    def refuse_twice(self, named_players: bool) -> None:
        for key, spots in self.places.items():
            if len(spots) > 1:
                *_, last = spots.values()
                places = " and in ".join(spots)
                self.read.refuse(last, f"'{key}' is set in {places}; leave it in one of them")
        if named_players and "players.bots" in self.places:
            way = next(iter(self.places["players.bots"].values()))
            self.read.refuse(
                way, "bots are set in 'players.bots' and by [[player]]; leave them in one of them"
            )

    def refuse_own_bots(self, tiers: tuple[tuple[str, int], ...], players: list[tuple[str, Any]]) -> None:
        """With tiers, the bots are theirs: of all players, or of those [[player]] entries that name none."""
        if not tiers:
            return
        if "players.bots" in self.places:
            way = next(iter(self.places["players.bots"].values()))
            self.read.refuse(way, "bots are set in 'players.bots' and by [tiers]; leave them in one of them")
        if players and all("bot" in settings for _, settings in players):
            self.read.refuse(
                ("tiers",), "every [[player]] has a bot of its own, so [tiers] would change nothing"
            )

    def named_files(self, values: list[tuple[str, Any]]) -> Iterator[tuple[str, Path]]:
        """Yield the files that values of these keys name; of a bot's file also those beside it that it imports."""
        for key, value in values:
            for text in value if isinstance(value, list) else [value]:
                if not isinstance(text, str):
                    continue
                if text.endswith(".toml"):
                    yield key, self.source.base / text
                elif key.rpartition(".")[2] in ("bot", "bots") and (file := file_in(text)) is not None:
                    path = (self.source.base / file).resolve()
                    if path.is_file():
                        yield from ((key, part) for part in closure(path) if part.parent == path.parent)

    def files(self, experiment: Experiment) -> dict[str, str]:
        """Read the files that values name (a map, say), by file name: the data set keeps its own copy."""
        result: dict[str, Path] = {}
        values = [*experiment.fixed.items()]
        values += [(key, value) for key, options in experiment.vary.items() for value in options]
        values += [pair for _, settings in experiment.variants for pair in settings.items()]
        values += [(f"player.{name}.{key}", v) for name, own in experiment.players for key, v in own.items()]
        values += [("tiers.bots", bot) for bot, _ in experiment.tiers]
        for name, path in game_files(experiment.game).items():
            result[name] = path
        for key, path in self.named_files(values):
            if not path.is_file():
                continue  # a missing one is refused by the game, in its own words
            if result.setdefault(path.name, path).resolve() != path.resolve():
                raise Refusal(f"{experiment.at(key)}two different files are called '{path.name}'; rename one")
        try:
            return {name: path.read_text(encoding="utf-8-sig") for name, path in sorted(result.items())}
        except (OSError, UnicodeDecodeError) as error:
            raise Refusal(f"a file named by the experiment cannot be read: {error}") from None


def words_of(value: Any) -> str:
    """Return a value in words: a list as ``Fly+Oak``, an empty one as ``none``."""
    return "+".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)


def _unordered(value: Any) -> str:
    return json.dumps(
        sorted(value, key=str) if isinstance(value, list) else value, sort_keys=True, default=str
    )
