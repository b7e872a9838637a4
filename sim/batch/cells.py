"""From an experiment to its cells: grid, one-at-a-time, sample or screen of settings, and who plays in each."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sim.batch import screening, seat_points
from sim.batch.experiment import Experiment, words_of
from sim.batch.sections import EVERY_DECK, is_builder
from sim.core.bot_doors import shown, split_name
from sim.core.errors import Refusal, nearest
from sim.core.params import nested

MOST_CELLS, MOST_PLAYERS = 1_000_000, 64
"""A grid or a table beyond this is a slip of the pen."""
MOST_NAMED = 8
"""Settings that a message names a cell by."""


@dataclass(frozen=True)
class Player:
    """What belongs to one player of a cell and moves with it around the seats."""

    name: str
    bot: str
    options: Mapping[str, Any] = field(default_factory=dict)  # tables within are dotted: "weights.points"
    deck: str | None = None
    counts: Mapping[str, float] | None = None
    bans: tuple[str, ...] = ()
    builder: str = ""  # "bot:rush" when the player's bot builds the team

    @property
    def label(self) -> str:
        """The bot with its options, as in ``greedy:jitter=0.1``."""
        options = ",".join(f"{k}={v}" for k, v in sorted(self.options.items()))
        return f"{shown(self.bot)}:{options}" if options else shown(self.bot)

    @property
    def kind(self) -> tuple[Any, ...]:
        """What makes two players differ, whatever they are called."""
        counts = tuple(sorted(self.counts.items())) if self.counts else None
        return (self.label, self.deck, counts, self.bans)

    def with_deck(self, experiment: Experiment, deck: str | None) -> Player:
        """Return the player with a deck of the experiment, with one that bots build, or with a drawn team."""
        entry = experiment.decks.get(str(deck))
        builder = entry if isinstance(entry, str) else str(deck) if is_builder(deck) else ""
        return replace(self, deck=deck, counts=None if isinstance(entry, str) else entry, builder=builder)


@dataclass(frozen=True)
class CellSpec:
    """One cell before the game has seen it: plain data, cheap to send to a worker.

    Attributes
    ----------
    index
        Number of the cell in the data set.
    values
        Settings that other cells have otherwise, by dotted key, in the order of the experiment.
    parameters
        The game's parameters that are set, tables nested.
    pairing
        The decks' names when "every deck" made this cell, else "".
    tier
        The bot of the tier of play that the cell belongs to; None without tiers.
    points
        What seats are given at the end, by seat.
    """

    index: int
    variant: str | None
    values: Mapping[str, Any]
    parameters: Mapping[str, Any]
    count: int
    players: tuple[Player, ...]
    pairing: str = ""
    tier: str | None = None
    points: Mapping[int, float] = field(default_factory=dict)

    @property
    def opponents(self) -> str:
        """Who plays, in words: "greedy", or "rush vs control"."""
        if self.pairing:
            return self.pairing
        names = [p.name for p in self.players]
        if len(set(names)) < len(names) or all(p.name == p.label for p in self.players):
            names = [p.label for p in self.players]
        return names[0] if len(set(names)) == 1 else " vs ".join(names)

    def describe(self) -> str:
        """Name the cell for a message: "map = islands, players.count = 3"."""
        parts = [f"tier = {self.tier}"] if self.tier else []
        parts += [f"variant = {self.variant}"] if self.variant else []
        values = [f"{key} = {words_of(value)}" for key, value in self.values.items()]
        parts += (
            values
            if len(values) <= MOST_NAMED
            else [*values[: MOST_NAMED - 1], f"{len(values)} settings in all"]
        )
        parts += [self.pairing] if self.pairing else []
        return ", ".join(parts)


def settings_of(experiment: Experiment) -> list[tuple[str | None, dict[str, Any]]]:
    """Return (variant, varied and bundled settings) of every cell, in order."""
    factors: list[tuple[str, list[Any]]] = []
    if experiment.variants:
        factors.append(("variant", list(experiment.variants)))
    factors += experiment.vary.items()
    sizes = [len(values) for _, values in factors]
    if experiment.design == "grid" and math.prod(sizes) > MOST_CELLS:
        raise Refusal(f'[vary] makes {math.prod(sizes):,} cells; use design = "sample" with cells = N')
    result = []
    for picks in _picks(experiment, factors):
        variant, settings = None, {}
        for (key, values), pick in zip(factors, picks):
            if key == "variant" and experiment.variants and values[0] in experiment.variants:
                variant, bundle = values[pick]
                settings.update(bundle)
            else:
                settings[key] = values[pick]
        result.append((variant, settings))
    return result


def _picks(experiment: Experiment, factors: list[tuple[str, list[Any]]]) -> Iterator[tuple[int, ...]]:
    sizes = [len(values) for _, values in factors]
    if experiment.design == "screen":
        yield from screening.cells_of(dict(zip((key for key, _ in factors), sizes)))
        return
    if experiment.design == "one-at-a-time":
        base = [0] * len(sizes)
        yield tuple(base)
        for place, size in enumerate(sizes):
            for pick in range(1, size):
                yield (*base[:place], pick, *base[place + 1 :])
    elif experiment.design == "sample" and experiment.cells and experiment.cells < math.prod(sizes):
        for number in sorted(_sample(experiment.seed, experiment.cells, math.prod(sizes))):
            picks = []
            for size in reversed(sizes):
                number, pick = divmod(number, size)
                picks.append(pick)
            yield tuple(reversed(picks))
    else:
        yield from itertools.product(*map(range, sizes))


def _sample(seed: int, wanted: int, size: int) -> set[int]:
    """Draw distinct numbers below `size`, keyed by the seed: asking for more keeps the earlier ones."""
    found: set[int] = set()
    for turn in itertools.count():
        digest = hashlib.blake2b(f"{seed}/cell/{turn}".encode(), digest_size=16).digest()
        found.add(int.from_bytes(digest, "big") % size)
        if len(found) == wanted:
            return found
    raise AssertionError


def cell_specs(experiment: Experiment) -> list[CellSpec]:
    """Return all cells of an experiment, numbered from 0.

    Raises
    ------
    Refusal
        For settings of players that cannot be: how many, which bots, which decks.
    """
    from sim.batch.engine import get_game

    teams = get_game(experiment.game).Parameters.model_fields.get("teams")
    specs: list[CellSpec] = []
    levels: list[str | None] = [bot for bot, _ in experiment.tiers] or [None]
    for tier, (variant, varied) in itertools.product(levels, settings_of(experiment)):
        settings = {**experiment.fixed, **varied}
        if tier is not None:
            settings["players.bots"] = [tier]
        points = _points(experiment, variant, settings)
        others = ("players.", "player.", f"{seat_points.TABLE}.")
        parameters = nested({k: v for k, v in settings.items() if not k.startswith(others)})
        team = settings.get("teams", teams.default if teams else None)
        if team == EVERY_DECK:
            del parameters["teams"]  # the game hears of each player's deck
        for pairing, players in _players(experiment, settings, team):
            values = {k: v for k, v in varied.items() if k in experiment.vary}
            spec = CellSpec(
                len(specs), variant, values, parameters, len(players), players, pairing, tier, points
            )
            specs.append(spec)
    return specs


def _points(experiment: Experiment, variant: str | None, settings: Mapping[str, Any]) -> dict[int, float]:
    """Return what seats are given at the end."""
    for key, value in settings.items():
        if seat_points.is_key(key):
            try:
                seat_points.check_value(key, value)
            except Refusal as error:
                raise Refusal(f"{experiment.at(key, variant)}{error}") from None
    return seat_points.told(settings)


def _players(
    experiment: Experiment, settings: Mapping[str, Any], team: Any
) -> Iterator[tuple[str, tuple[Player, ...]]]:
    """Yield (pairing, players): one for most cells, one for each pairing of decks under "every deck"."""
    listed = [_named(experiment, name, own, settings, team) for name, own in experiment.players]
    count = settings.get("players.count", max(2, len(listed)) if len(listed) != 1 else 2)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise Refusal(
            f"{experiment.at('players.count')}'players.count' must be a whole number, not {count!r}"
        )
    if count > MOST_PLAYERS:
        raise Refusal(f"{experiment.at('players.count')}no game is for {count} players")
    if not listed:
        listed = _from_bots(experiment, settings, team, count)
    elif len(listed) == 1:
        listed = (
            [replace(listed[0], name=f"{listed[0].name} {i + 1}") for i in range(count)]
            if count > 1
            else listed
        )
    if len(listed) != count:
        where = experiment.at("players.count") or experiment.source.at("player", 0)
        raise Refusal(
            f"{where}{count} players, but {len(listed)} are described; give one for all, or one a player"
        )
    yield from _pairings(experiment, listed)


def _from_bots(experiment: Experiment, settings: Mapping[str, Any], team: Any, count: int) -> list[Player]:
    bots = settings.get("players.bots", ["greedy"])
    bots = [bots] if isinstance(bots, str) else bots
    if not isinstance(bots, list) or not bots or not all(isinstance(b, str) for b in bots):
        raise Refusal(
            f"{experiment.at('players.bots')}'players.bots' must be a list of bots, as in [\"greedy\"]"
        )
    if len(bots) not in (1, count):
        text = f"{len(bots)} bots for {count} players; give one for all, or one a player"
        raise Refusal(f"{experiment.at('players.bots')}{text}")
    return [
        _player(experiment, "players.bots", bot, {"bot": bot}, team)
        for bot in (bots * count if len(bots) == 1 else bots)
    ]


def _named(
    experiment: Experiment, name: str, own: Mapping[str, Any], settings: Mapping[str, Any], team: Any
) -> Player:
    prefix = f"player.{name}."
    varied = {k.removeprefix(prefix): v for k, v in settings.items() if k.startswith(prefix)}
    usual = settings.get("players.bots", ["greedy"])[0]  # of a tier
    return _player(experiment, prefix, name, {"bot": usual, **own, **varied}, team)


def _player(experiment: Experiment, key: str, name: str, own: Mapping[str, Any], team: Any) -> Player:
    where = experiment.at(f"{key}bot" if key.endswith(".") else key) or experiment.source.at("tiers", "bots")
    bot, options = bot_spec(own["bot"], where, experiment.source.base)
    more = {k.removeprefix("options."): v for k, v in own.items() if k.startswith("options.")}
    options |= more
    _check_options(
        experiment, bot, options, experiment.at(f"{key}options.{next(iter(more))}") if more else where
    )
    deck = own.get("deck", team)
    if deck is not None and (
        not isinstance(deck, str)
        or not (deck in ("random", EVERY_DECK, *experiment.decks) or is_builder(deck))
    ):
        where = experiment.at(f"{key}deck") if "deck" in own else experiment.at("teams")
        names = ["random", EVERY_DECK, *experiment.decks]
        raise Refusal(f"{where}there is no deck {deck!r} in [decks]{nearest(deck, names)}")
    bans = own.get("bans", [])
    if not isinstance(bans, list) or not all(isinstance(b, str) for b in bans):
        raise Refusal(f"{experiment.at(f'{key}bans')}a player's bans are a list of pieces, not {bans!r}")
    return Player(name, bot, options, bans=tuple(bans)).with_deck(experiment, deck)


def _check_options(experiment: Experiment, bot: str, options: Mapping[str, Any], where: str) -> None:
    from sim.batch.engine import get_game
    from sim.core.bots import check_options

    try:
        check_options(bot, nested(options), get_game(experiment.game))
    except Refusal as error:
        raise Refusal(f"{where}{error}") from None


def bot_spec(text: Any, where: str = "", base: Path | None = None) -> tuple[str, dict[str, Any]]:
    """Read ``search:playouts=200,scale=1.4`` as ("search", {"playouts": 200, "scale": 1.4}).

    A bot may be a file too, ``./my_bot.py:Name:depth=2``, looked for in the folder `base`.

    Raises
    ------
    Refusal
        The text is no such thing, or there is no such bot.
    """
    if not isinstance(text, str):
        raise Refusal(f"{where}a bot is a name in quotes, not {text!r}")
    try:
        name, rest = split_name(text, base)
    except Refusal as error:
        raise Refusal(f"{where}{error}") from None
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise Refusal(f"{where}bot '{text}': options look like {shown(name)}:key=value")
        options[key.strip()] = literal(value.strip())
    return name, options


def literal(text: str) -> Any:
    """Return a switch, a number or the text itself."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _pairings(experiment: Experiment, players: list[Player]) -> Iterator[tuple[str, tuple[Player, ...]]]:
    """Put all decks in the place of "every deck"; players that are alike meet once in each combination."""
    open_places = [i for i, p in enumerate(players) if p.deck == EVERY_DECK]
    if not open_places:
        yield "", tuple(players)
        return
    if not experiment.decks:
        raise Refusal(
            f"{experiment.source.name}{': ' * bool(experiment.source.name)}'every deck' needs [decks]"
        )
    seen: set[tuple[Any, ...]] = set()
    alike = len({p.kind for p in players}) == 1
    for decks in itertools.product(experiment.decks, repeat=len(open_places)):
        meeting = list(players)
        for place, deck in zip(open_places, decks):
            meeting[place] = meeting[place].with_deck(experiment, deck)
        key = tuple(sorted(map(repr, (p.kind for p in meeting))))
        if key in seen or (alike and len(set(decks)) == 1 and len(experiment.decks) > 1):
            continue  # rotations play the other order; a deck against itself says nothing of decks
        seen.add(key)
        names = [p.deck if alike else f"{p.name} ({p.deck})" for p in meeting]
        yield " vs ".join(map(str, names)), tuple(meeting)


def prepare(game: Any, spec: CellSpec, base: Path) -> Any:
    """Let the game check one cell and make its records.

    Raises
    ------
    Refusal
        In the game's words.
    """
    from sim.core.game import Entrant

    entrants = [
        Entrant(
            name=p.name,
            bot=p.bot,
            bot_options=nested(p.options),
            deck=p.builder or p.deck,
            deck_counts=dict(p.counts) if p.counts else None,
            bans=list(p.bans),
        )
        for p in spec.players
    ]
    return game.prepare(dict(spec.parameters), spec.count, entrants, base)
