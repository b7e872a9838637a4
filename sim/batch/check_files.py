"""Check a file that a designer writes: experiment, worked cases, map, decks or cards, told apart by content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.batch.engine import get_game
from sim.batch.experiment import KEYS, read_experiment
from sim.batch.plan import make_plan
from sim.batch.sections import Reader, deck_counts
from sim.batch.source import Source, read_toml
from sim.core.errors import Refusal, nearest


@dataclass(frozen=True)
class Checked:
    """One thing that was checked: where, what, and "" or what is wrong."""

    where: str
    what: str
    problem: str = ""


def check_file(path: Path, game: str | None = None) -> list[Checked]:
    """Check one file.

    Parameters
    ----------
    path
        A TOML file.
    game
        The game that a map, a deck or a case is for; default: what the file or its folder says.

    Raises
    ------
    Refusal
        It cannot be read, or it is nothing that can be checked.
    """
    data, source = read_toml(path)
    if "game" not in data:
        own = get_game(game or game_of(path, data))
        for key, parameter in getattr(own, "own_files", {}).items():
            if key in data:
                return [_own_file(own, path, parameter)]
    kind = kind_of(data)
    if kind == "experiment":
        return [_experiment(path)]
    found = get_game(game or game_of(path, data))
    if kind == "case":
        return _cases(found, path)
    if kind == "map":
        return _map(found, path, data)
    if kind == "cards":
        return _cards(found, path)
    return _decks(found, path, data, source)


def kind_of(data: Mapping[str, Any]) -> str:
    """Return "case", "cards", "map", "experiment" or "deck" by what a file holds; `Refusal` for none of them."""
    if "case" in data or "cases" in data:
        return "case"
    if isinstance(data.get("card"), Mapping):
        return "cards"
    players = data.get("players")
    if isinstance(players, Mapping) and any(
        isinstance(v, Mapping) and "drawing" in v for v in players.values()
    ):
        return "map"
    if isinstance(players, Mapping | list) and all(_is_number(key) for key in players) and "game" not in data:
        return "map"
    if "game" in data or any(key in data for key in ("vary", "parameters", "variant", "judge", "games")):
        return "experiment"
    decks = data.get("decks", data)
    numbers = [v for v in decks.values() if isinstance(v, int | float) and not isinstance(v, bool)]
    if "decks" in data or (
        decks and (len(numbers) == len(decks) or all(isinstance(v, Mapping) for v in decks.values()))
    ):
        return "deck"
    hint = next((nearest(key, KEYS) for key in data if nearest(key, KEYS)), "")
    raise Refusal(f"this is no experiment, map, deck, card or case file{hint}")


def game_of(path: Path, data: Mapping[str, Any]) -> str:
    """Return the game that a file is for: it says so, or the folder that it lies in is named like one."""
    from sim.core.game import game_names

    names = game_names()
    if isinstance(data.get("game"), str):
        return str(data["game"])
    for folder in path.resolve().parents:
        if folder.name in names:
            return folder.name
    if len(names) > 1 and "migration" not in names:
        raise Refusal(f"'{path.name}' does not say for which game it is; use --game ({', '.join(names)})")
    return "migration" if "migration" in names else names[0]


def _experiment(path: Path) -> Checked:
    try:
        plan = make_plan(read_experiment(path))
    except Refusal as error:
        return Checked(str(path), "experiment", str(error))
    text = f"experiment: {len(plan.cells)} cells, {plan.total(plan.experiment.games):,} games"
    return Checked(
        str(path), text + (f", {len(plan.skipped)} impossible cells left out" if plan.skipped else "")
    )


def _cases(game: Any, path: Path) -> list[Checked]:
    results = []
    for result in game.check_cases(path):
        problem = "" if result.ok else " ".join("; ".join(result.problems).split())
        results.append(Checked(str(path), f"case {result.id} ({result.title})", problem))
    if not results:
        raise Refusal("it holds no case")
    return results


def _cards(game: Any, path: Path) -> list[Checked]:
    """Check own cards by the game, which refuses what is wrong."""
    return [Checked(str(path), f"card {name}") for name in game.check_cards(path)]


def _map(game: Any, path: Path, data: Mapping[str, Any]) -> list[Checked]:
    from sim.core.game import Entrant

    results = []
    players = data.get("players") or {}
    counts = [int(key) for key in players if _is_number(key)] or [game.min_players]
    for count in counts:
        what = f"map for {count} players"
        if not 1 <= count <= game.max_players:
            text = f"{game.name} is for {game.min_players} to {game.max_players} players"
            results.append(Checked(str(path), what, text))
            continue
        try:
            entrants = [Entrant(name=str(i), bot="random") for i in range(count)]
            game.prepare({"map": str(path.resolve())}, count, entrants, path.resolve().parent)
        except Refusal as error:
            results.append(Checked(str(path), what, str(error)))
        else:
            results.append(Checked(str(path), what))
    return results


def _is_number(key: Any) -> bool:
    """Whether a number of players is meant: few digits, and such as make a number ("²" makes none)."""
    return str(key).isdecimal() and len(str(key)) < 20


def _own_file(game: Any, path: Path, parameter: str) -> Checked:
    """Check a file that a parameter of the game may name, by making a cell with it."""
    from sim.core.game import Entrant

    entrants = [Entrant(name=str(i), bot="random") for i in range(game.min_players)]
    try:
        game.prepare({parameter: str(path.resolve())}, game.min_players, entrants, path.resolve().parent)
    except Refusal as error:
        return Checked(str(path), parameter, str(error))
    return Checked(str(path), parameter)


def _decks(game: Any, path: Path, data: Mapping[str, Any], source: Source) -> list[Checked]:
    from sim.core.game import Entrant

    read = Reader(data, source)
    decks = data.get("decks", data)
    if all(isinstance(value, int | float) for value in decks.values()):
        decks = {path.stem: decks}
    results = []
    for name, counts in decks.items():
        try:
            way = ("decks", name) if "decks" in data else (name,) if name in data else ()
            checked = deck_counts(read, way, name, counts, game.pieces)
            entrants = [
                Entrant(name=str(i), bot="random", deck=name, deck_counts=checked)
                for i in range(game.min_players)
            ]
            game.prepare({}, game.min_players, entrants, path.resolve().parent)
        except Refusal as error:
            results.append(Checked(str(path), f"deck {name}", str(error)))
        else:
            total = sum(checked.values())
            results.append(Checked(str(path), f"deck {name}: {total:g} pieces"))
    return results
