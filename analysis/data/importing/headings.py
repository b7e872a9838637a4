"""Which column is what: headings that explain themselves, and those that are told once by ``--map``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.data.errors import Refusal, nearest

OF_GAME: dict[str, tuple[str, ...]] = {
    "game": ("game", "game id", "id", "match", "nr", "no", "game no", "game number"),
    "date": ("date", "played on", "played", "day"),
    "version": ("version", "ruleset", "rules", "edition", "prototype"),
    "group": ("group", "playgroup", "circle"),
    "map": ("map", "board", "scenario"),
    "minutes": ("minutes", "min", "mins", "duration", "play time", "playtime"),
    "turns": ("turns", "rounds"),
    "players": ("players", "player count", "number of players", "n players"),
    "winner": ("winner", "winners", "winning seat", "winning player", "won by"),
    "first": ("first", "first player", "start player", "starting player", "started"),
    "ended early": ("ended early", "early", "abandoned", "unfinished", "aborted"),
    "bans": ("bans", "banned"),
}
OF_SEAT: dict[str, tuple[str, ...]] = {
    "seat": ("seat", "position", "place at the table"),
    "player": ("player", "name", "player name"),
    "score": ("score", "scores", "points", "vp", "victory points"),
    "place": ("place", "rank", "placement", "finish"),
    "won": ("won", "win", "victory"),
    "deck": ("deck", "faction", "race", "character", "role"),
    "team": ("team", "side"),
    "cards": ("cards", "cards held", "cards owned"),
}
FIELDS = (*OF_GAME, *OF_SEAT)
_FIELD = {word: name for table in (OF_GAME, OF_SEAT) for name, words in table.items() for word in words}
_LABEL = r"(?:seat |player |p)?([a-z]|\d{1,2})"
MOST_SEATS = 12

YES = ("yes", "y", "true", "1", "x", "won", "win", "w", "ja", "oui", "si", "sí")
NO = ("no", "n", "false", "0", "", "lost", "loss", "l", "nein", "non", "-")
TIE = ("tie", "tied", "draw", "drawn", "remis", "unentschieden", "égalité", "empate", "pareggio")


@dataclass(frozen=True)
class Mapping:
    """What is told of the files beyond what they say themselves.

    Attributes
    ----------
    columns : dict
        Heading -> field (``winner``, ``score 1``, ...), or "" for a column that is left alone.
    words : dict
        Word in a cell -> what it means (a seat such as ``A``, ``tie``, ``yes``, ``no``).
    seats_from : int or None
        What the first seat is called where seats are numbers: 0 or 1; None: told by the numbers.
    players : int or None
        How many play, where the files do not say.
    lowest_wins : bool
        The lowest score wins.
    first_sits_first : bool
        Seat A is whoever began (``first``), the others follow as they sit.
    name, question, game : str
        For the head of the data set.
    judge : dict
        Margins of the verdicts, as in ``[judge]``.
    """

    columns: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    seats_from: int | None = None
    players: int | None = None
    lowest_wins: bool = False
    first_sits_first: bool = False
    name: str = ""
    question: str = ""
    game: str = ""
    judge: dict[str, Any] = field(default_factory=dict)

    def word(self, text: str) -> str:
        """What a word of a cell means."""
        return self.words.get(text.casefold(), text)


OPTIONS: dict[str, tuple[type, ...]] = {
    "seats_from": (int,),
    "players": (int,),
    "lowest_wins": (bool,),
    "first_sits_first": (bool,),
    "name": (str,),
    "question": (str,),
    "game": (str,),
}


def read_mapping(given: Sequence[str], base: Mapping | None = None) -> Mapping:
    """Read ``--map``: ``heading=field``, ``word=meaning``, or a TOML file with ``[columns]``, ``[words]`` and options.

    A left side that is no heading of the files is a word.
    """
    found = base or Mapping()
    columns, words, options = dict(found.columns), dict(found.words), {}
    judge = dict(found.judge)
    for text in given:
        left, mark, right = text.partition("=")
        if not mark:
            table = _toml(Path(text))
            columns |= _texts(text, "columns", table.pop("columns", {}))
            words |= {k.casefold(): v for k, v in _texts(text, "words", table.pop("words", {})).items()}
            judge |= _table(text, "judge", table.pop("judge", {}))
            for key, value in table.items():
                if key not in OPTIONS:
                    known = [*OPTIONS, "columns", "words", "judge"]
                    raise Refusal(f"{text}: unknown key '{key}'{nearest(key, known)}")
                if not isinstance(value, OPTIONS[key]) or (
                    isinstance(value, bool) and bool not in OPTIONS[key]
                ):
                    raise Refusal(
                        f"{text}: '{key}' must be of type {OPTIONS[key][0].__name__}, not {value!r}"
                    )
                options[key] = value
        elif field_of(right) is not None or not right.strip():
            columns[left.strip()] = right.strip()
        else:
            words[left.strip().casefold()] = right.strip()
    kept = {name: getattr(found, name) for name in OPTIONS}
    mapping = Mapping(columns, words, **{**kept, **options}, judge=judge)
    if mapping.seats_from not in (None, 0, 1):
        raise Refusal(f"seats_from is 0 or 1, not {mapping.seats_from}")
    if mapping.players is not None and not 2 <= mapping.players <= MOST_SEATS:
        raise Refusal(f"players must be 2 to {MOST_SEATS}, not {mapping.players}")
    for heading, meaning in columns.items():
        if meaning and field_of(meaning) is None:
            raise Refusal(
                f"column '{heading}': '{meaning}' is no field{nearest(meaning, FIELDS)} ({_known()})"
            )
    return mapping


def _known() -> str:
    return f"fields are {', '.join(OF_GAME)}; {', '.join(OF_SEAT)}, of a seat also as in 'score 1'"


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise Refusal(
            f"--map: '{path}' is neither heading=field nor a file that can be read ({error.strerror})"
        ) from None
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{path}: this is not valid TOML ({error})") from None


def _table(where: str, name: str, table: Any) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise Refusal(f"{where}: [{name}] must be a table")
    return table


def _texts(where: str, name: str, table: Any) -> dict[str, str]:
    for key, value in _table(where, name, table).items():
        if not isinstance(value, str):
            raise Refusal(f"{where}: [{name}] '{key}' must be text in quotes, not {value!r}")
    return dict(table)


def field_of(heading: str) -> tuple[str, str] | None:
    """What a heading means: the field, and the seat's label ("" where it has none); None: nothing that is known."""
    text = re.sub(r"[\s_.\-]+", " ", heading.strip().casefold()).strip()
    if text in _FIELD:
        return _FIELD[text], ""
    for name, words in OF_SEAT.items():
        if name == "seat":
            continue
        for word in words:
            before, after = re.fullmatch(rf"{word} ?{_LABEL}", text), re.fullmatch(rf"{_LABEL} {word}", text)
            if found := before or after:
                return name, found[1].upper()
    if found := re.fullmatch(r"seat ([a-z]|\d{1,2})", text):
        return "player", found[1].upper()
    return None


@dataclass(frozen=True)
class Columns:
    """The columns of a file, told apart.

    Attributes
    ----------
    game : dict
        Field of a game (or of a row's seat, in a file with a row a seat) -> heading.
    seats : dict
        (field, label of the seat) -> heading.
    labels : list of str
        Labels of the seats in their order; none in a file with a row a seat.
    own : list of str
        Headings that mean nothing known: kept as they are.
    """

    game: dict[str, str]
    seats: dict[tuple[str, str], str]
    labels: list[str]
    own: list[str]

    @property
    def row_a_seat(self) -> bool:
        """Whether each row is a seat of a game."""
        return "game" in self.game and not self.labels and any(f in self.game for f in OF_SEAT)


def columns_of(where: str, heads: Sequence[str], mapping: Mapping) -> Columns:
    """Tell the columns of a file apart; refuses two columns of one meaning, and seats that leave one out."""
    told = {heading.casefold(): meaning for heading, meaning in mapping.columns.items()}
    game: dict[str, str] = {}
    seats: dict[tuple[str, str], str] = {}
    own: list[str] = []
    for head in heads:
        meaning = told.get(head.casefold(), head)
        found = field_of(meaning) if meaning else None
        if found is None:
            own.append(head)
            continue
        name, label = found
        key = name if not label else f"{name} {label}"
        there = game.get(name) if not label else seats.get((name, label))
        if there is not None:
            raise Refusal(
                f"{where}: '{there}' and '{head}' both mean {key}; tell one apart by --map '{head}='"
            )
        if label:
            seats[name, label] = head
        else:
            game[name] = head
    labels = _labels(where, {label for _, label in seats})
    return Columns(game, seats, labels, own)


def _labels(where: str, found: set[str]) -> list[str]:
    """Labels of the seats in their order, without gaps."""
    if not found:
        return []
    numbers = {label for label in found if label.isdecimal()}
    if numbers and numbers != found:
        raise Refusal(
            f"{where}: the seats are called {', '.join(sorted(found))}: letters or numbers, not both"
        )
    if numbers:
        first = min(int(n) for n in numbers)
        wanted = [str(k) for k in range(first, first + len(found))]
        if first not in (0, 1) or set(wanted) != {str(int(n)) for n in found}:
            raise Refusal(
                f"{where}: the seats {', '.join(sorted(found))} do not count from 0 or 1 without gaps"
            )
        return sorted(found, key=int)
    wanted = [chr(65 + k) for k in range(len(found))]
    if set(wanted) != found:
        raise Refusal(f"{where}: the seats {', '.join(sorted(found))} are not A, B, ... without gaps")
    return wanted
