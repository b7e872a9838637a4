"""What a game is, outside its compiled rules: parameters, pieces, facts, notation, pictures.

A game subclasses `Game` in its folder; third parties name theirs in the entry-point group ``whimbrel.games``.
"""

from __future__ import annotations

import inspect
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, ValidationError

from sim.core.errors import Refusal, nearest
from sim.core.kinds import Actions, Counts, Entrants, Records
from sim.core.kinds import Rules as RulesRecord
from sim.core.kinds import State as StateRecord

_BUILT_IN = {
    "migration": "sim.games.migration.game:GAME",
    "drifting_lands": "sim.games.drifting_lands.game:GAME",
    "migrato": "sim.games.migrato.game:GAME",
    "mars": "sim.games.mars.game:GAME",
}


@dataclass(frozen=True)
class Entrant:
    """What belongs to one player and moves with it around the seats.

    Attributes
    ----------
    name, bot, bot_options
        Its label, its bot and that bot's options.
    deck
        None or "random" for a drawn team, else the name of a deck whose counts are in `deck_counts`.
    deck_counts
        Copies of each piece; fractions or sums other than a team are read as weights of a drawn team.
    bans
        Pieces that only this player may not use.
    """

    name: str
    bot: str
    bot_options: dict[str, Any] = field(default_factory=dict)
    deck: str | None = None
    deck_counts: dict[str, float] | None = None
    bans: list[str] = field(default_factory=list)


@dataclass
class Cell:
    """One cell of an experiment, checked and turned into records.

    Attributes
    ----------
    parameters
        All parameters, tables as dotted names.
    drawn
        Columns that are drawn per deal, with their kind: ``{"bans": {"kind": "piece set", ...}}``.
    rules, entrants
        Record arrays of length 1 and n.
    bots
        (name, options) of each player.
    lever
        The random assignment that makes piece strength a cause, or None.
    piece_total
        Pieces of a team, when that is the same for all.
    moves
        Whether something moves with a player, so that rotations are worth playing.
    drawn_width
        How many numbers the verb `drawn` writes.
    board, cards
        What the game needs to put actions and drawn numbers into words.
    drafts
        Whether pieces are drafted, so that there is a table of drafts.
    in_play
        The pieces that can turn up here; rows of others are not logged. None: all.
    """

    parameters: dict[str, Any]
    players: int
    drawn: dict[str, dict[str, Any]]
    rules: Records
    entrants: Entrants
    bots: list[tuple[str, dict[str, Any]]]
    lever: dict[str, str] | None
    piece_total: int | None
    moves: bool
    drawn_width: int = 1
    board: Any = None
    cards: tuple[str, ...] = ()
    drafts: bool = False
    in_play: tuple[str, ...] | None = None


class Game(ABC):
    """A game's plain Python face. Compiled verbs are found by the type of `State`."""

    name: str
    title: str
    about: str
    min_players: int
    max_players: int
    max_actions: int
    Parameters: type[BaseModel]
    State: Any
    Rules: Any

    # what follows fits a simple game as it is
    version: str = "1"
    pieces: tuple[str, ...] = ()
    most_plies: int = 10_000
    needs_jitter: bool = True
    perft: tuple[int, ...] = ()
    """How many lines of play of one, two, three, ... actions the default game of the fewest players allows."""
    has_decks: bool = False
    """Whether a player may bring a deck of `pieces`, or a faction that is one piece: `setup` reads
    ``entrants[who[seat]].deck`` (copies of each piece) where ``.has_deck`` is set."""
    own_files: Mapping[str, str] = MappingProxyType({})
    """Files that parameters may name: by a key that such a file has, the parameter."""
    bench_settings: ClassVar[dict[str, dict[str, Any]]] = {}
    """Settings to measure the speed of, beside the plain game."""
    phases: tuple[str, ...] = ("resolve", "over", "move")
    kinds: tuple[str, ...] = ("move",)
    features: tuple[str, ...] = ("lead",)
    feature_help: Mapping[str, str] = MappingProxyType({"lead": "points ahead of the best other side"})
    weights: tuple[float, ...] = (1.0,)
    harm: str = ""

    place: str = ""
    """The file or folder that the game was given by; "" where it was named."""
    draws: bool = False
    """Whether lines of play are told apart by their deals: where few cards are dealt, the same actions in two deals are
    two draws of chance and no game that was played twice."""
    plain: bool = False
    """Whether positions are Python objects, so that loop and bots run as their uncompiled twins (`sim.core.twins`)."""

    def __new__(cls, *given: Any) -> Self:
        """Refuse a face that lacks a method, naming the one that may have been meant."""
        for missing in sorted(cls.__abstractmethods__):
            own = sorted(set(vars(cls)) - set(vars(Game)))
            raise Refusal(f"{cls.__name__} has no method {missing!r}{nearest(missing, own)}")
        return super().__new__(cls)

    @cached_property
    def folder(self) -> Path:
        """The folder that the game's module lies in."""
        return Path(inspect.getfile(type(self))).resolve().parent

    @cached_property
    def rules_version(self) -> str:
        """The version of the rules with a hash of their sources, such as ``1+1a2b3c4d``.

        Its sources are those of the state (`sim.core.records.state_type`), of this class with what it imports, and
        the core that games are played with; not the bots, and not what is for looking only, such as pictures.
        """
        from sim.core.jit import tag_of
        from sim.core.sources import rules_hash

        return f"{self.version}+{rules_hash(Path(inspect.getfile(type(self))), tag_of(self.State.names))}"

    def prepare(
        self, parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None = None
    ) -> Cell:
        """Check one cell and make its records; `Refusal` names what is wrong.

        By default as `sim.core.preparing` does it: the parameters fill the rules, then `fill` adds what is derived.
        """
        from sim.core.preparing import prepare

        return prepare(self, parameters, n_players, entrants)

    def fill(self, rules: RulesRecord, parameters: Any, n_players: int) -> None:  # noqa: B027
        """Fill what `rules` has beside the parameters (tables of a board, say); `Refusal` where they do not agree."""

    def lever(self, parameters: Any) -> str:
        """Say in a sentence how `setup` assigns pieces at random, so that their strength is a cause; "": it does not.

        What was assigned is written by the verb `tally`.
        """
        return ""

    def card(self, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what a manifest tells about the game: pieces, parameters, maps, stand-ins, rulings, levers."""
        from sim.core import bot_options
        from sim.core.params import describe, flatten

        values = parameters or flatten(self.Parameters())
        rows = describe(self.Parameters)
        for row in rows:
            row["value"] = values.get(row["name"], row["default"])
        return {
            "title": self.title,
            "about": self.about,
            "pieces": self.facts("pieces"),
            "parameters": rows,
            "maps": self.maps(),
            "levers": [],
            "stand_ins": self.stand_ins(),
            "rulings": self.rulings(),
            "claims": self.facts("claims"),
            "harm": self.harm,
            "features": [
                {"name": name, "weight": weight, "help": self.feature_help[name]}
                for name, weight in zip(self.features, self.weights)
            ],
            "bots": bot_options.describe_all(),
            "players": [self.min_players, self.max_players],
            "fair": "1/n",
            **self.own_card(),
        }

    def own_card(self) -> dict[str, Any]:
        """Return what the card says beside, or instead of, what every game's says: levers, words, pace, ..."""
        return {}

    def maps(self) -> list[dict[str, Any]]:
        """Return the maps that come with the game: name, about, players."""
        return []

    def facts(self, name: str) -> list[dict[str, Any]]:
        """Return the entries of ``facts/<name>.toml`` in the game's folder; none when there is no such file.

        Of pieces there is always an entry, with their names.
        """
        path = self.folder / "facts" / f"{name}.toml"
        if not path.is_file():
            return [{"name": piece} for piece in self.pieces] if name == "pieces" else []
        with path.open("rb") as file:
            (rows,) = tomllib.load(file).values()
        return list(rows)

    def scores(self, rules: RulesRecord, state: StateRecord) -> list[float]:
        """Return the points of every seat."""
        from sim.core.contract import score

        return [float(score(rules, state, seat)) for seat in range(int(state["players"]))]

    def drawn_columns(self, cell: Cell, drawn: Counts) -> dict[str, Any]:
        """Return the drawn factors (`Cell.drawn`) as text, one list a column."""
        return {}

    def action_kind(self, codes: Actions) -> Counts:
        """Return the kind (index into `kinds`) of each action."""
        return np.zeros(len(codes), dtype=np.int8)

    def action_piece(self, codes: Actions) -> Counts:
        """Return the piece (index into `pieces`) of each action, -1 for none."""
        return np.full(len(codes), -1, dtype=np.int8)

    def places(self, cell: Cell) -> dict[str, Any] | None:
        """Return where on the board of a cell actions put pieces, for heat maps; None: there is no such board.

        A dictionary of plain data: ``kinds`` (of action that put a piece somewhere), ``shift`` and ``bits`` (where in
        the number of such an action the number of the place stands), ``points`` ((x, y) of each place, y upwards),
        ``names`` (of each place).
        """
        return None

    @abstractmethod
    def action_text(
        self, action: int, rules: RulesRecord, cell: Cell | None = None, state_: StateRecord = None
    ) -> str:
        """Return an action in words; `cell` and the position before it make some words clearer."""

    @abstractmethod
    def position_text(self, rules: RulesRecord, state: StateRecord, cell: Cell | None = None) -> str:
        """Return a position as text."""

    said_once: ClassVar[tuple[str, ...]] = ()
    """Labels of lines of a position's text that a replay shows once: what changes in them, `happened` tells."""

    def happened(
        self, rules: RulesRecord, before: StateRecord, after: StateRecord, cell: Cell | None = None
    ) -> list[str]:
        """Return in words what went by itself in one call of `resolve`: what chance did, who had to pass, ..."""
        return []

    def draw(
        self,
        rules: RulesRecord,
        state: StateRecord,
        ax: Any,
        title: str = "",
        coordinates: bool = False,
        panel: bool = True,
    ) -> None:
        """Draw a position on a matplotlib axes, whose contents and limits are replaced.

        Parameters
        ----------
        title
            What stands above it.
        coordinates
            Whether places bear the coordinates that `action_text` names them by.
        panel
            Whether what belongs to the players and a legend stand beside the board.

        By default the text of the position is written there.
        """
        lines = [*([title] if title else []), *self.position_text(rules, state).splitlines()]
        ax.clear()
        ax.set_axis_off()
        ax.set_xlim(0, 2 + max(map(len, lines)))
        ax.set_ylim(-1.8 * len(lines) - 1, 1)
        for k, line in enumerate(lines):
            ax.text(1, -1.8 * k, line, va="top", family="monospace", fontsize=9, parse_math=False)

    def check_cases(self, path: Path) -> list[Any]:
        """Run the worked cases of a file, on the game's `case_table`."""
        found: list[Any] = self.case_table().check_file(path)
        return found

    def check_cards(self, path: Path) -> Collection[str]:
        """Check a file of cards of one's own and return what they are called; `Refusal` names what is wrong."""
        raise Refusal(f"{self.name} has no cards of one's own")

    def case_table(self) -> type[Any]:
        """Return the table on which worked cases of the game are laid out."""
        from sim.core.cases.simple import simple_table

        return simple_table(self)

    def case_of(self, text: str, board: str = "") -> tuple[dict[str, Any], int | None]:
        """Return a position's text as a case lays it out, and how many turns were taken (None: not said).

        `text` is as `position_text` writes it, or less; `board` names the map where the text does not.
        """
        raise Refusal(f"positions of {self.name} are read from files of cases only")

    def expand(self, name: str, value: Any) -> list[Any] | None:
        """Return all values that a shorthand of a varied parameter stands for, or None when it is none."""
        return None

    def stand_ins(self) -> list[dict[str, Any]]:
        """Return the guesses that the rules rest on."""
        return self.facts("stand_ins")

    def rulings(self) -> list[dict[str, Any]]:
        """Return the readings of unclear rules."""
        return self.facts("rulings")


def game_names() -> list[str]:
    """Return the names of all games, built in first."""
    return [*_BUILT_IN, *sorted(set(_installed()) - set(_BUILT_IN))]


@cache
def _installed() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="whimbrel.games")}


def get_game(name: str, base: Path | None = None) -> Any:
    """Return the game called `name`, or the one that lies there (``./my_game.py``, a folder; from `base` on).

    ``openspiel:hex(board_size=5)`` is one of OpenSpiel's.

    Raises
    ------
    Refusal
        There is no such game, it cannot be loaded, or it lacks something that every game has.
    """
    from sim.core.game_doors import OPENSPIEL, game_at, is_place, spiel_at

    if name.startswith(OPENSPIEL):
        return spiel_at(name)
    return game_at(name, base) if is_place(name) else _known_game(name)


@cache
def _known_game(name: str) -> Any:
    from sim.core.game_doors import as_game
    from sim.core.registration import check_face, guard, load

    if name not in _BUILT_IN and name not in game_names():
        raise Refusal(f"there is no game {name!r}{nearest(name, game_names())}")
    if name in _BUILT_IN:
        game = load(name, _BUILT_IN[name])
    else:
        point = _installed()[name]
        game = as_game(load(name, f"{point.module}:{point.attr}"))
    check_face(name, game)
    if name not in _BUILT_IN:
        guard(name, game)
    return game


def validated(model: type[BaseModel], values: dict[str, Any]) -> Any:
    """Return `values` as an instance of `model`, or refuse with one line about the first fault."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        place = [
            str(part) for part in fault["loc"] if not str(part).startswith(("str", "list[", "function-"))
        ]
        key = ".".join(place)
        if fault["type"] == "extra_forbidden":
            names = _names_at(model, place[:-1])
            raise Refusal(f"unknown parameter {key!r}{nearest(place[-1], names)}") from None
        wanted = fault["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
        given = fault.get("input")
        hint = ""
        if fault["type"] == "literal_error":
            options = [part.strip(" '") for part in wanted.replace(" or ", ", ").split(",")]
            hint = nearest(given, options)
        raise Refusal(f"{key} = {given!r}: should be {wanted}{hint}") from None


def _names_at(model: type[BaseModel], place: Sequence[str]) -> list[str]:
    current = model
    for part in place:
        current = current.model_fields[part].annotation  # type: ignore[assignment]
    return [field.alias or name for name, field in current.model_fields.items()]
