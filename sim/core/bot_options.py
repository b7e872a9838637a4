"""Options of bots: checked, and settled from the user's wishes, a game's settings and the bot's own defaults."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from sim.core.bot_doors import bot_names, code_hash, file_in, kind_of, shown
from sim.core.errors import Refusal, nearest
from sim.core.sources import sources_hash

TYPES = ("int", "float", "bool", "choice", "weights", "text")


@dataclass(frozen=True)
class Option:
    """One option of a bot.

    Attributes
    ----------
    type
        "int", "float" or "bool"; "choice" (one of `choices`, held as its number); "weights" (a table of numbers by
        feature, held by feature; with the default None an empty one stands for the bot's `weights`); "text" (only
        read when the bot is prepared: no compiled code sees it).
    default
        Its value unless the game's settings or the user say otherwise; None: the game decides.
    range
        Least and greatest value of a number.
    """

    type: str
    default: Any
    help: str
    range: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()

    def card(self) -> dict[str, Any]:
        """Return it as plain data."""
        limits = None if self.range is None else list(self.range)
        data = {"type": self.type, "default": self.default, "range": limits, "help": self.help}
        return data | ({"choices": list(self.choices)} if self.choices else {})


WEIGHED: dict[str, Option] = {
    "jitter": Option(
        "float",
        None,
        "how far the weights wander from deal to deal (share of each weight); "
        "default 0.1 in games without chance after set-up, else 0",
        (0.0, 1.0),
    ),
    "weights": Option("weights", {}, "table feature = weight, instead of the game's own"),
    "set": Option("text", "shipped", "a named set of weights and options that comes with the game"),
}
"""Options of bots that judge positions by the game's weighted features."""

FOR_ALL: dict[str, Option] = {
    "never": Option("text", "", "pieces, joined by +, that it does not use while it can do anything else"),
    "idle": Option(
        "choice",
        "any",
        "when it takes what the game calls idle (to pass, to offer goods, ...): any: as it likes; "
        "last: only when there is nothing else, so that random games come to an end",
        choices=("any", "last"),
    ),
}
"""Options that every bot has."""

COMMON = ("jitter", "weights", "set", "never", "idle")
"""Options that are held in the part alike in all bots, or nowhere."""


def options_of(name: str) -> dict[str, Option]:
    """Return the options of bot `name`, those that every bot has included."""
    return {**kind_of(name).options, **FOR_ALL}


def describe(name: str) -> dict[str, Any]:
    """Return ``{"name", "about", "options"}`` of bot `name`."""
    about = kind_of(name).about
    return {
        "name": shown(name),
        "about": about,
        "options": {k: o.card() for k, o in options_of(name).items()},
    }


def describe_all() -> list[dict[str, Any]]:
    """Return what `describe` says of every bot; of one that cannot be loaded, why."""
    rows = []
    for name in bot_names():
        try:
            rows.append(describe(name))
        except Refusal as error:
            rows.append({"name": name, "about": str(error), "options": {}})
    return rows


def check_options(name: str, options: Mapping[str, Any], game: Any) -> dict[str, Any]:
    """Return `options` after checking names, types and ranges.

    Parameters
    ----------
    name
        A bot.
    options
        By name; tables are nested: ``{"weights": {"points": 1.0}}``.
    game
        Whose features, pieces and named sets options may name.
    """
    known = options_of(name)
    for key, value in options.items():
        if key not in known:
            raise Refusal(f"bot {shown(name)!r} has no option {key!r}{nearest(key, list(known))}")
        _check_value(f"bot {shown(name)!r}", key, known[key], value, tuple(getattr(game, "features", ())))
    never_mask(options.get("never", ""), tuple(getattr(game, "pieces", ())), f"bot {shown(name)!r}: ")
    if "set" in options:
        settings_of(game, name).named(options["set"])
    return dict(options)


def _check_value(who: str, key: str, option: Option, value: Any, features: tuple[str, ...]) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if option.type in ("int", "float") and option.range is not None:
        low, high = option.range
        if not number or not low <= value <= high:
            raise Refusal(f"{who}: {key} = {value!r} is not between {low} and {high}")
        if option.type == "int" and value != int(value):
            raise Refusal(f"{who}: {key} = {value!r} is not a whole number")
    elif option.type == "bool" and not isinstance(value, bool):
        raise Refusal(f"{who}: {key} = {value!r} is neither true nor false")
    elif option.type == "choice" and value not in option.choices:
        words = ", ".join(option.choices)
        raise Refusal(f"{who}: {key} = {value!r} is not one of {words}{nearest(value, option.choices)}")
    elif option.type == "text" and not isinstance(value, str | list | tuple):
        raise Refusal(f"{who}: {key} = {value!r} is not text")
    elif option.type == "weights":
        if not isinstance(value, Mapping):
            raise Refusal(f"{who}: {key} must be a table, such as {{ points = 1.0 }}")
        for feature, weight in value.items():
            if features and feature not in features:
                raise Refusal(f"{who}: there is no feature {feature!r}{nearest(feature, features)}")
            if isinstance(weight, bool) or not isinstance(weight, int | float):
                word = "the weight" if key == "weights" else f"{key}: the weight"
                raise Refusal(f"{who}: {word} of {feature!r} must be a number")


def never_mask(never: str | Sequence[str], pieces: tuple[str, ...], where: str = "") -> int:
    """Return the pieces of an option `never` ("Skunk+Fly", or a list) as bits."""
    names = never.split("+") if isinstance(never, str) else list(never)
    mask = 0
    for name in filter(None, (str(name).strip() for name in names)):
        plain = {"".join(piece.lower().split()): k for k, piece in enumerate(pieces)}
        code = plain.get("".join(name.lower().split()))
        if code is None or code > 62:
            raise Refusal(f"{where}never = {name!r}: there is no such piece{nearest(name, pieces)}")
        mask |= 1 << code
    return mask


NO_IDLE = -(2**63)
"""The sign bit of a bot's field `never`, above those of all pieces: nothing idle while there is anything else."""


# --- what comes with a game ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """Settings of one bot that come with a game, from ``play/<bot>.toml`` in the game's folder.

    Each entry may have ``set`` (its name, default "shipped"), ``players`` (numbers of players that it is for), ``when``
    (parameters that it is for), ``options``, ``weights`` and ``made`` (the line that made it).
    """

    bot: str
    file: str
    entries: tuple[dict[str, Any], ...] = field(default=())

    def names(self) -> list[str]:
        """Return the names of the sets."""
        return list(dict.fromkeys(["shipped", *(str(e.get("set", "shipped")) for e in self.entries)]))

    def named(self, name: str) -> list[dict[str, Any]]:
        """Return the entries of a set."""
        if name not in self.names():
            raise Refusal(
                f"bot {self.bot!r}: there is no set {name!r}{nearest(name, self.names())}; "
                f"there are: {', '.join(self.names())}"
            )
        return [entry for entry in self.entries if entry.get("set", "shipped") == name]

    def pick(self, name: str, players: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return options (weights among them) of a set; later entries that fit go over earlier ones."""
        found: dict[str, Any] = {}
        for entry in self.named(name):
            when = entry.get("when", {})
            if players not in entry.get("players", [players]):
                continue
            if all(parameters.get(key) == value for key, value in when.items()):
                found |= entry.get("options", {})
                found |= {"weights": entry["weights"]} if "weights" in entry else {}
        return found


@cache
def _read_settings(name: str, path: Path) -> Settings:
    with path.open("rb") as file:
        rows = tomllib.load(file).get("setting", [])
    return Settings(name, path.name, tuple(rows))


def settings_of(game: Any, name: str) -> Settings:
    """Return the settings of bot `name` that come with `game`; empty when there are none."""
    path = _settings_file(game, name)
    return Settings(name, "") if path is None else _read_settings(name, path)


def _settings_file(game: Any, name: str) -> Path | None:
    folder = getattr(game, "folder", None)
    path = Path(folder or "") / "play" / f"{name}.toml"
    return path if folder is not None and file_in(name) is None and path.is_file() else None


def settled(game: Any, name: str, options: Mapping[str, Any], cell: Any) -> dict[str, Any]:
    """Return all options of a bot at a table: the user's, else the game's settings, else the bot's defaults."""
    known = options_of(name)
    defaults = {key: option.default for key, option in known.items()}
    chosen = settings_of(game, name).pick(
        options.get("set", "shipped"), int(cell.players), getattr(cell, "parameters", None) or {}
    )
    whole = {**defaults, **chosen, **options}
    for key, option in known.items():  # tables: feature by feature
        if option.type == "weights":
            whole[key] = {**(option.default or {}), **chosen.get(key, {}), **options.get(key, {})}
    return whole


def bot_version(name: str, game: Any) -> str:
    """Return the version of a bot at a game, such as ``1a2b3c4d`` or ``1a2b3c4d+5e6f7a8b`` with the game's settings."""
    path = _settings_file(game, name)
    return code_hash(name) + ("" if path is None else f"+{sources_hash([path])}")
