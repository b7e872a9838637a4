"""The sections of an experiment, checked: top keys, `[players]`, `[[player]]`, `[decks]`, `[judge]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from sim.batch import seat_points
from sim.batch.source import Path_, Source, read_toml
from sim.core.errors import Refusal, nearest
from sim.core.notation import LETTERS

PLAYER_KEYS = ("bot", "deck", "bans", "options")
EVEN = ("seats", "pieces", "seats+pieces")
EVERY_DECK = "every deck"
BUILDER = "bot"
"""A deck called "bot", or "bot:" and a style, is built by the player's bot; the game knows the styles."""
JUDGE = {"seat": 0.02, "piece": 0.03, "even": "seats+pieces"}
"""Default margins: win share; win share a copy against the average piece."""


@dataclass(frozen=True)
class Names:
    """The names that an experiment on one game may use."""

    game: str
    parameters: tuple[str, ...]
    tables: Mapping[str, tuple[str, ...]]
    pieces: tuple[str, ...]
    players: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    seats: int = len(LETTERS)

    @classmethod
    def of(cls, game: Any) -> Names:
        """Collect them from a game's parameter model."""
        from pydantic import BaseModel

        plain, tables = [], {}
        for name, field in game.Parameters.model_fields.items():
            kind = field.annotation
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                tables[name] = tuple(f.alias or n for n, f in kind.model_fields.items())
            else:
                plain.append(name)
        return cls(
            game.name,
            tuple(plain),
            tables,
            tuple(game.pieces),
            kinds=tuple(game.kinds),
            seats=game.max_players,
        )

    def all(self) -> list[str]:
        """Return every dotted key that may be set for a cell."""
        nested = [f"{table}.{name}" for table, names in self.tables.items() for name in names]
        return [*self.parameters, *nested, "players.count", "players.bots", seat_points.key_of(0)]


class Reader:
    """Typed reading of the top keys; every refusal says where."""

    def __init__(self, data: Mapping[str, Any], source: Source) -> None:
        self.data, self.source = data, source

    def refuse(self, way: Path_, message: str) -> NoReturn:
        """Raise a `Refusal` that starts with file and line."""
        raise Refusal(f"{self.source.at(*way)}{message}")

    @contextmanager
    def refusing(self, *way: str | int) -> Iterator[None]:
        """Put file and line of `way` before a `Refusal` raised within."""
        try:
            yield
        except Refusal as error:
            raise Refusal(f"{self.source.at(*way)}{error}") from None

    def text(self, key: str, required: bool = False) -> str:
        """Return a text, "" when it is missing."""
        if required and key not in self.data:
            self.refuse((), f"'{key}' is missing")
        value = self.data.get(key, "")
        if not isinstance(value, str):
            self.refuse((key,), f"'{key}' must be text in quotes, not {value!r}")
        return value

    def whole(self, key: str, least: int, default: int | None) -> int | None:
        """Return a whole number of at least `least`."""
        value = self.data.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse((key,), f"'{key}' must be a whole number, not {value!r}")
        if not least <= value < 2**63:
            self.refuse((key,), f"'{key}' must be at least {least}, not {value}")
        return value

    def switch(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            self.refuse((key,), f"'{key}' must be true or false, not {value!r}")
        return value

    def choice(self, key: str, options: Sequence[str], default: str) -> str:
        """Return one of `options`."""
        value = self.data.get(key, default)
        if value not in options:
            known = ", ".join(options)
            self.refuse((key,), f"'{key}' must be one of {known}; not {value!r}{nearest(value, options)}")
        return str(value)

    def table(self, key: str) -> dict[str, Any]:
        """Return a table, {} when it is missing."""
        value = self.data.get(key, {})
        if not isinstance(value, Mapping):
            self.refuse((key,), f"'{key}' must be a table: [{key}]")
        return dict(value)

    def tables(self, key: str) -> list[dict[str, Any]]:
        """Return an array of tables, [] when it is missing."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
            self.refuse((key,), f"'{key}' must be tables in double brackets: [[{key}]]")
        return [dict(entry) for entry in value]


def read_seating(read: Reader, players: Sequence[Any]) -> tuple[int, ...]:
    """Return which player sits at each seat in all games, () when all orders are played."""
    wanted = read.data.get("seating", [])
    if not wanted:
        return ()
    if not isinstance(wanted, list) or sorted(map(str, wanted)) != sorted(map(str, range(len(players)))):
        read.refuse(
            ("seating",),
            f"'seating' names each [[player]] once by its number from 0, as in [1, 0]; not {wanted!r}",
        )
    if read.data.get("series"):
        read.refuse(
            ("seating",), "'seating' keeps everybody in place, 'series' moves them on; leave one away"
        )
    return tuple(wanted)


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Turn tables within tables into dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def check_key(read: Reader, names: Names, key: str, way: Path_) -> None:
    """Refuse a dotted key that names nothing, with the nearest one that does."""
    head, _, rest = key.partition(".")
    if seat_points.is_key(key):
        with read.refusing(*way):
            seat_points.check_key(key, names.seats)
        return
    if key in names.parameters or key in ("players.count", "players.bots") or head == "judge":
        return
    if head in names.tables:
        if rest in names.tables[head]:
            return
        if not rest:
            read.refuse(way, f"'{head}' is a table: write {head}.{names.tables[head][0]} = ...")
        hint = nearest(rest, names.tables[head])
        read.refuse(way, f"'{rest}' is not in '{head}'{hint}")
    if head == "player":
        player, _, what = rest.partition(".")
        if player not in names.players:
            hint = nearest(player, names.players) or "; players are named by [[player]]"
            read.refuse(way, f"'{key}': there is no player '{player}'{hint}")
        if what.partition(".")[0] in PLAYER_KEYS:
            return
        read.refuse(way, f"'{key}': a player has no '{what}'{nearest(what, PLAYER_KEYS)}")
    read.refuse(way, f"'{key}' is not a parameter of {names.game}{nearest(key, names.all())}")


def read_table_players(read: Reader) -> dict[str, Any]:
    """Return the checked keys of `[players]`."""
    table = read.table("players")
    for key in table:
        if key not in ("count", "bots"):
            read.refuse(("players", key), f"unknown key 'players.{key}'{nearest(key, ('count', 'bots'))}")
    return table


def read_players(read: Reader, names: Names) -> list[tuple[str, dict[str, Any]]]:
    """Return the `[[player]]` entries as (name, settings by key; options dotted)."""
    result: list[tuple[str, dict[str, Any]]] = []
    for number, entry in enumerate(read.tables("player")):
        way: Path_ = ("player", number)
        name = entry.pop("name", None)
        if not isinstance(name, str) or not re.fullmatch(r"[^.\s][^.]*", name):
            read.refuse((*way, "name"), "a [[player]] needs a name without dots")
        if name in dict(result):
            read.refuse((*way, "name"), f"two players are called '{name}'")
        for key in entry:
            if key.partition(".")[0] not in PLAYER_KEYS:
                read.refuse((*way, key), f"player '{name}': unknown key '{key}'{nearest(key, PLAYER_KEYS)}")
        result.append((name, flatten(entry)))
    return result


def piece_named(name: str, names: Sequence[str]) -> str | None:
    """Return the piece that is meant by `name` ("PoisonOak" is "Poison Oak"), or None."""
    plain = {"".join(n.lower().split()): n for n in names}
    return plain.get("".join(name.lower().split()))


def is_builder(deck: Any) -> bool:
    """Whether a deck's name says that a bot builds the team."""
    return isinstance(deck, str) and deck.partition(":")[0] == BUILDER


def read_decks(read: Reader, names: Names) -> dict[str, dict[str, float] | str]:
    """Return `[decks]`: counts or weights by piece; a text names a TOML file that holds them, or a team builder."""
    decks: dict[str, dict[str, float] | str] = {}
    for deck, counts in read.table("decks").items():
        if deck in ("random", EVERY_DECK) or is_builder(deck):
            read.refuse(("decks", deck), f"a deck may not be called '{deck}'")
        if is_builder(counts):
            decks[deck] = counts
        elif isinstance(counts, str):
            counts, source = read_toml(read.source.base / counts)
            decks[deck] = deck_counts(Reader(counts, source), (), deck, counts, names.pieces)
        else:
            decks[deck] = deck_counts(read, ("decks", deck), deck, counts, names.pieces)
    return decks


def deck_counts(read: Reader, way: Path_, deck: str, counts: Any, pieces: Sequence[str]) -> dict[str, float]:
    """Check one deck: known pieces, numbers of at least 0, not empty."""
    if not isinstance(counts, Mapping) or not counts:
        example = f", as in {{ {pieces[0]} = 2 }}" if pieces else "; the game has none"
        read.refuse(way, f"deck '{deck}' must be a table of pieces{example}")
    result: dict[str, float] = {}
    for name, count in counts.items():
        piece = piece_named(name, pieces)
        if piece is None:
            read.refuse((*way, name), f"deck '{deck}': there is no piece '{name}'{nearest(name, pieces)}")
        if piece in result:
            read.refuse((*way, name), f"deck '{deck}' names {piece} twice")
        if isinstance(count, bool) or not isinstance(count, int | float) or not 0 <= count < 1000:
            read.refuse((*way, name), f"deck '{deck}': {piece} must be a number of at least 0, not {count!r}")
        result[piece] = count
    if not any(result.values()):
        read.refuse(way, f"deck '{deck}' is empty")
    return result


def read_judge(read: Reader, names: Names) -> dict[str, Any]:
    """Return `[judge]` as in the manifest: seat, piece, pieces (name -> [low, high]), even."""
    judge: dict[str, Any] = {**JUDGE, "pieces": {}}
    for key, value in flatten(read.table("judge")).items():
        way = ("judge", key)
        if key in ("seat", "piece"):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
                read.refuse(way, f"'judge.{key}' must be a win share between 0 and 1, not {value!r}")
            judge[key] = float(value)
        elif key == "even":
            if value not in EVEN:
                hint = nearest(value, EVEN)
                read.refuse(way, f"'judge.even' must be one of {', '.join(EVEN)}; not {value!r}{hint}")
            judge[key] = value
        elif key.startswith("piece."):
            name = piece_named(key.partition(".")[2], names.pieces)
            if name is None:
                hint = nearest(key.partition(".")[2], names.pieces)
                read.refuse(way, f"'judge.{key}': there is no such piece{hint}")
            judge["pieces"][name] = _margins(read, way, key, value)
        elif key in BANDS or (key.startswith("seat.") and key[5:] in LETTERS) or _of_games(key):
            judge.setdefault("bands", {})[key] = _band(read, way, key, value)
        else:
            known = [*JUDGE, *(f"piece.{name}" for name in names.pieces[:1]), "seat.A", *BANDS]
            read.refuse(way, f"unknown key 'judge.{key}'{nearest(key, known)}")
    return judge


BANDS = ("ties", "stopped", "turns", "minutes", "decisions", "margin", "lead_changes", "points")
"""Targets of `[judge]` beside seats and pieces: the same as in a targets file (`analysis.targets.table`)."""
PACE_KEYS = ("game", "turn", "decision")


STOP_KEYS = ("batches", "when")


def read_stop(read: Reader, names: Names) -> dict[str, Any]:
    """Return `[stop]`: in how many batches to play at most, and which targets must be decided."""
    if "stop" not in read.data:
        return {}
    table = read.table("stop")
    for key in table:
        if key not in STOP_KEYS:
            read.refuse(("stop", key), f"unknown key 'stop.{key}'{nearest(key, STOP_KEYS)}")
    looks = table.get("batches", 4)
    if isinstance(looks, bool) or not isinstance(looks, int) or not 2 <= looks <= 10:
        read.refuse(("stop", "batches"), f"'stop.batches' must be a whole number from 2 to 10, not {looks!r}")
    when = table.get("when", [])
    when = [when] if isinstance(when, str) else when
    known = ["seat", "piece", *BANDS]
    for one in when if isinstance(when, list) else [when]:
        kind, _, of = str(one).partition(".")
        named = kind != "piece" or not of or piece_named(of, names.pieces)
        if not isinstance(one, str) or kind not in known or not named:
            near = [f"piece.{name}" for name in names.pieces] if kind == "piece" else known
            read.refuse(("stop", "when"), f"'stop.when': there is no target {one!r}{nearest(str(one), near)}")
    return {"batches": looks, "when": list(when)}


def read_pace(read: Reader, names: Names) -> dict[str, float]:
    """Return the seconds of ``[pace]``: a game's (set-up), a turn's, a decision's, or those of a kind of decision."""
    pace: dict[str, float] = {}
    for key, value in read.table("pace").items():
        if key not in (*PACE_KEYS, *names.kinds):
            read.refuse(("pace", key), f"unknown key 'pace.{key}'{nearest(key, [*PACE_KEYS, *names.kinds])}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
            read.refuse(("pace", key), f"'pace.{key}' must be a number of seconds, not {value!r}")
        pace[key] = float(value)
    return pace


def read_tiers(read: Reader) -> tuple[tuple[str, int], ...]:
    """Return the tiers of play, weakest first: (bot, games per cell); games are 0 where all tiers play as many."""
    table = read.table("tiers")
    for key in table:
        if key not in ("bots", "games"):
            read.refuse(("tiers", key), f"unknown key 'tiers.{key}'{nearest(key, ('bots', 'games'))}")
    if not table:
        return ()
    bots, games = table.get("bots"), table.get("games")
    if not isinstance(bots, list) or len(bots) < 2 or not all(isinstance(bot, str) for bot in bots):
        read.refuse(
            ("tiers", "bots"),
            '\'tiers.bots\' must list two bots or more, weakest first, as in ["greedy", "search:playouts=100"]',
        )
    if len(set(bots)) < len(bots):
        read.refuse(("tiers", "bots"), "'tiers.bots' names a bot twice")
    if games is None:
        return tuple((bot, 0) for bot in bots)
    whole = isinstance(games, list) and all(
        isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in games
    )
    if not whole or len(games) != len(bots):
        read.refuse(
            ("tiers", "games"), f"'tiers.games' must list a number of games for each of the {len(bots)} bots"
        )
    return tuple(zip(bots, games))


def _of_games(key: str) -> bool:
    """Whether a target is on a share of the games, as in ``minutes.80%``."""
    measure, _, part = key.partition(".")
    return measure in BANDS[2:] and re.fullmatch(r"\d{1,2}(\.\d+)?%", part) is not None


def _band(read: Reader, way: Path_, key: str, value: Any) -> list[float]:
    """Two numbers in order; a number alone is the most that a measure may be."""
    listed = [0.0, value] if key in BANDS and not isinstance(value, list) else value
    numbers = isinstance(listed, list) and all(
        isinstance(v, int | float) and not isinstance(v, bool) for v in listed
    )
    if not numbers or len(listed) != 2 or not listed[0] < listed[1]:
        read.refuse(
            way, f"'judge.{key}' must be two numbers, low and high, as in [0.45, 0.55]; not {value!r}"
        )
    return [float(v) for v in listed]


def _margins(read: Reader, way: Path_, key: str, value: Any) -> list[float]:
    numbers = isinstance(value, list) and all(
        isinstance(v, int | float) and not isinstance(v, bool) and -1 < v < 1 for v in value
    )
    if not numbers or len(value) != 2 or value[0] >= value[1]:
        read.refuse(
            way, f"'judge.{key}' must be two win shares, low and high, as in [0.02, 0.06]; not {value!r}"
        )
    return [float(v) for v in value]


def check_name(read: Reader, name: str) -> None:
    """Refuse a name that cannot be a folder's."""
    if not re.fullmatch(r"[^/\\\0]{1,100}", name) or name.strip(". ") == "":
        read.refuse(("name",), f"'name' becomes a folder's name: no slashes, 1 to 100 letters; not {name!r}")
