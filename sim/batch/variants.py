"""A design as a file: what of a game is otherwise, in one TOML file that experiments name by path.

It is an experiment's opening and no more: `name`, `question`, `game`, ``[parameters]`` and ``[decks]``, so that it can
be run, checked and played by itself. Experiments take it as `variant = "my_variant.toml"`, or several side by side as
`variant = ["base", "a.toml", "b.toml"]` under ``[vary]``. What it says is written into the experiment, so that a data
set needs no file from outside; maps and cards that it names are looked for beside it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.batch import sections
from sim.batch.sections import Reader
from sim.batch.source import Path_, Source, read_toml
from sim.core.errors import Refusal, nearest

KEYS = ("name", "question", "game", "parameters", "decks")
BASE = "base"
"""Beside the designs of a list: the game as the experiment has it."""


@dataclass(frozen=True)
class Variant:
    """A design that was read from a file.

    Attributes
    ----------
    settings
        Values by dotted key; files that they name as paths from the experiment's folder.
    ways
        Where each key stands in the file.
    """

    name: str
    game: Any
    settings: Mapping[str, Any]
    decks: Mapping[str, Mapping[str, float] | str]
    source: Source
    ways: Mapping[str, Path_]

    def at(self, key: str) -> str:
        """Return "file.toml, line 3: " for a dotted key, "" for one that the file does not set."""
        return self.source.at(*self.ways[key]) if key in self.ways else ""


def read_variant(text: str, base: Path) -> Variant:
    """Read a design.

    Parameters
    ----------
    text
        Its file, as a path from the folder `base`.

    Raises
    ------
    Refusal
        There is no such file, it says more than a design does, or something that its game does not have.
    """
    from sim.batch.engine import get_game

    path = base / Path(text).expanduser()
    if not path.is_file():
        beside = [p.name for p in path.parent.glob("*.toml")] if path.parent.is_dir() else []
        raise Refusal(f"there is no file '{text}'{nearest(path.name, beside)}")
    data, source = read_toml(path)
    read = Reader(data, source)
    for key in data:
        if key not in KEYS:
            read.refuse(
                (key,),
                f"'{key}' belongs to an experiment; a variant says {', '.join(KEYS)}{nearest(key, KEYS)}",
            )
    with read.refusing("game"):
        game = get_game(read.text("game", required=True), source.base)
    names = sections.Names.of(game)
    settings, ways = {}, {}
    for key, value in sections.flatten(read.table("parameters")).items():
        whole: Path_ = ("parameters", key)
        way = whole if whole in source.lines else ("parameters", *key.split("."))
        sections.check_key(read, names, key, way)
        if key.partition(".")[0] in ("players", "player", "judge"):
            read.refuse(way, f"'{key}' belongs to an experiment, not to a variant")
        settings[key] = _placed(read, way, value, base)
        ways[key] = way
    read.text("question")
    decks = sections.read_decks(read, names)
    return Variant(read.text("name") or path.stem, game, settings, decks, source, ways)


def _placed(read: Reader, way: Path_, value: Any, base: Path) -> Any:
    """Return a value whose files, which lie beside the variant, are named from the experiment's folder."""
    if isinstance(value, list):
        return [_placed(read, way, part, base) for part in value]
    if not isinstance(value, str) or not value.endswith(".toml"):
        return value
    path = read.source.base / value
    if not path.is_file():
        beside = [p.name for p in path.parent.glob("*.toml")] if path.parent.is_dir() else []
        read.refuse(way, f"there is no file '{value}'{nearest(path.name, beside)}")
    if path.resolve() == (base / value).resolve():
        return value
    return Path(os.path.relpath(path.resolve(), base.resolve())).as_posix()


def read_designs(read: Reader) -> tuple[Any, Variant | None, dict[str, Variant | None]]:
    """Return an experiment's game, the design that the whole of it stands on, and those of [vary], by name."""
    from sim.batch.engine import get_game

    own, game = None, None
    if "game" in read.data:
        name = read.text("game")
        with read.refusing("game"):
            game = get_game(name, read.source.base)
    said, table = read.data.get("variant"), read.table("vary")
    if isinstance(said, str):
        with read.refusing("variant"):
            own = read_variant(said, read.source.base)
        game = game or own.game
        check_game(read, ("variant",), game, [own])
    way: Path_ = ("vary", "variant")
    listed = read_listed(read, table["variant"], way, game) if "variant" in table else {}
    if listed and said and own is None:
        read.refuse(way, "variants are listed in [vary] and by [[variant]]; leave them in one of them")
    game = game or next((one.game for one in listed.values() if one), None)
    if game is None:
        read.text("game", required=True)
    return game, own, listed


def bundled(
    read: Reader, listed: Mapping[str, Variant | None], places: Mapping[str, Mapping[str, Path_]]
) -> list[tuple[str, dict[str, Any]]]:
    """Return the listed designs as (name, settings); `Refusal` where the experiment sets a key of theirs itself."""
    for one in filter(None, listed.values()):
        for key in one.settings:
            if key in places:
                first = next(iter(places[key]))
                text = f"'{key}' is set in {first} and in '{one.source.name}'; leave it in one of them"
                read.refuse(("vary", "variant"), text)
    return [(name, dict(one.settings) if one else {}) for name, one in listed.items()]


def read_listed(read: Reader, listed: Any, way: Path_, game: Any) -> dict[str, Variant | None]:
    """Return the designs of ``[vary] variant`` by name, None for the game as the experiment has it.

    Raises
    ------
    Refusal
        It is no list of files, names a design twice, or one of another game than `game` (None: of the first one).
    """
    if not isinstance(listed, list) or not listed or not all(isinstance(one, str) for one in listed):
        read.refuse(way, '\'variant\' in [vary] lists files, as in variant = ["base", "my_variant.toml"]')
    found: dict[str, Variant | None] = {}
    for text in listed:
        with read.refusing(*way):
            one = None if text == BASE else read_variant(text, read.source.base)
        name = one.name if one else BASE
        if name in found or (one and name == BASE):
            read.refuse(way, f"two variants are called '{name}'")
        found[name] = one
        game = game or (one.game if one else None)
    check_game(read, way, game, [one for one in found.values() if one])
    return found


def check_game(read: Reader, way: Path_, game: Any, designs: Sequence[Variant]) -> None:
    """Refuse a design of another game than the experiment's."""
    for one in designs:
        if game is not None and one.game is not game and one.game.rules_version != game.rules_version:
            text = (
                f"variant '{one.name}' is a design of {one.game.name}, this is an experiment on {game.name}"
            )
            read.refuse(way, text)


def joined_decks(
    read: Reader, own: Mapping[str, Any], designs: Sequence[Variant]
) -> dict[str, dict[str, float] | str]:
    """Return the decks of the experiment and of all designs; `Refusal` where one name stands for two decks."""
    decks = dict(own)
    for one in designs:
        for name, deck in one.decks.items():
            if decks.setdefault(name, deck) != deck:
                read.refuse(
                    ("vary", "variant"),
                    f"deck '{name}' of variant '{one.name}' is another one elsewhere; rename one",
                )
    return decks


def spread(
    fixed: dict[str, Any], design: Variant | None, variants: Sequence[tuple[str, dict[str, Any]]], vary: Any
) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """Lay the settings of an experiment's own design beneath what it says otherwise: each key stands in one place.

    Returns
    -------
    fixed, variants
        What a variant sets, all the others set too, as the design has it.
    """
    under = {k: v for k, v in (design.settings if design else {}).items() if k not in {**fixed, **vary}}
    told = {key for _, settings in variants for key in settings}
    moved = {key: value for key, value in under.items() if key in told}
    kept = {key: value for key, value in under.items() if key not in told}
    return {**kept, **fixed}, [(name, {**moved, **settings}) for name, settings in variants]
