"""From rows to games: who sat where, who won, and of each row that is no game the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analysis.data.errors import nearest
from analysis.data.importing.headings import MOST_SEATS, NO, TIE, YES, Columns, Mapping
from analysis.data.importing.sheets import LeftOut, Row, Sheet

SPLIT = re.compile(r"\s*(?:\+|&|/|;|,|\band\b|\bund\b|\bet\b)\s*", re.IGNORECASE)
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")


class Unclear(ValueError):
    """Why a row is no game."""


@dataclass
class Chair:
    """One seat of a game, as it was written; None: not written."""

    player: str | None = None
    score: float | None = None
    place: int | None = None
    won: str | None = None
    deck: str | None = None
    team: str | None = None
    cards: dict[str, int] | None = None
    own: dict[str, str] = field(default_factory=dict)


@dataclass
class Game:
    """One game: seats in their order, shares of the win that add up to 1, and what was written besides."""

    file: str
    line: int
    chairs: list[Chair]
    shares: list[float]
    first: int | None
    early: bool | None
    text: dict[str, str]
    minutes: float | None
    turns: int | None
    own: dict[str, str]


@dataclass(frozen=True)
class Style:
    """How a file writes: whether numbers have a decimal comma, and what the first seat is called (0 or 1)."""

    comma: bool
    base: int | None
    base_why: str


def number(text: str, comma: bool) -> float:
    """A number as people write it: ``12,5``, ``1.234``, ``1 234``, ``-3``."""
    plain = re.sub(r"[\s'’\u00a0\u202f]", "", text)
    if comma:
        plain = plain.replace(".", "") if re.fullmatch(r"[-−]?\d{1,3}(\.\d{3})+(,\d+)?", plain) else plain
        plain = plain.replace(",", ".")
    elif re.fullmatch(r"[-−]?\d{1,3}(,\d{3})+(\.\d+)?", plain):
        plain = plain.replace(",", "")
    if not NUMBER.fullmatch(plain):
        raise Unclear(f"'{text}' is no number")
    return float(plain.replace("−", "-"))


def whole(text: str, comma: bool, what: str) -> int:
    """A whole number."""
    value = number(text, comma)
    if value != int(value):
        raise Unclear(f"{what} '{text}' is no whole number")
    return int(value)


def style_of(sheet: Sheet, columns: Columns, mapping: Mapping) -> Style:
    """How a file writes its numbers and its seats."""
    comma = any(
        re.fullmatch(r"[-−]?\d+,\d{1,2}|[-−]?\d{1,3}(\.\d{3})*,\d+", cell)
        and not re.fullmatch(r"\d{1,3},\d{3}", cell)
        for row in sheet.rows
        for head, cell in row.cells.items()
        if head not in (columns.game.get("winner"), columns.game.get("cards"), columns.game.get("bans"))
    )
    if mapping.seats_from is not None:
        return Style(comma, mapping.seats_from, "as told")
    if columns.labels:
        if not columns.labels[0].isdecimal():
            return Style(comma, None, "")
        return Style(comma, int(columns.labels[0]), f"the columns begin with seat {columns.labels[0]}")
    seen = [
        int(text)
        for row in sheet.rows
        for name in ("seat", "winner", "first")
        if name in columns.game and (name == "seat" or not columns.row_a_seat)
        for text in SPLIT.split(mapping.word(row.cells[columns.game[name]]))
        if re.fullmatch(r"\d{1,2}", text)
    ]
    if not seen:
        return Style(comma, None, "")
    if 0 in seen:
        return Style(comma, 0, "a seat 0 occurs")
    if columns.row_a_seat:
        return Style(comma, 1, "no seat 0 occurs")
    sizes = _sizes(sheet, columns, mapping)
    if max(seen) in sizes and max(seen) == max(sizes, default=0):
        return Style(comma, 1, f"seat {max(seen)} occurs with {max(seen)} players, and no seat 0")
    return Style(comma, None, "unclear")


def _sizes(sheet: Sheet, columns: Columns, mapping: Mapping) -> list[int]:
    head = columns.game.get("players")
    told = {int(r.cells[head]) for r in sheet.rows if r.cells[head].isdecimal()} if head else set()
    return sorted(told | ({mapping.players} if mapping.players else set()))


def games_of(sheet: Sheet, columns: Columns, mapping: Mapping, style: Style) -> Iterator[Game | LeftOut]:
    """The games of a file, and its rows that are none."""
    if columns.row_a_seat:
        yield from _of_seats(sheet, columns, mapping, style)
        return
    for row in sheet.rows:
        try:
            yield _game(row, _chairs(row, columns, mapping, style), columns, mapping, style)
        except Unclear as why:
            yield row.out(str(why))


def _of_seats(sheet: Sheet, columns: Columns, mapping: Mapping, style: Style) -> Iterator[Game | LeftOut]:
    by_game: dict[str, list[Row]] = {}
    for row in sheet.rows:
        by_game.setdefault(row.cells[columns.game["game"]], []).append(row)
    for name, rows in by_game.items():
        at = rows[0].line
        try:
            if not name:
                raise Unclear("it names no game")
            chairs: dict[int, Chair] = {}
            for k, row in enumerate(rows):
                at = row.line
                seat = k
                if "seat" in columns.game:
                    seat = seat_number(row.cells[columns.game["seat"]], mapping, style, MOST_SEATS)
                if seat in chairs:
                    raise Unclear(f"game {name} has seat {letter(seat)} twice")
                chairs[seat] = _chair(row, columns.game, mapping, style)
                chairs[seat].own = {head: row.cells[head] for head in columns.own}
            if sorted(chairs) != list(range(len(chairs))):
                missing = min(set(range(max(chairs))) - set(chairs))
                raise Unclear(f"game {name} has no row for seat {letter(missing)}")
            at = rows[0].line
            yield _game(rows[0], [chairs[k] for k in sorted(chairs)], columns, mapping, style, rows)
        except Unclear as why:
            for row in rows:
                yield row.out(
                    str(why) if row.line == at else f"left out with line {at} of its game {name}: {why}"
                )


def _chairs(row: Row, columns: Columns, mapping: Mapping, style: Style) -> list[Chair]:
    """The seats of a game that stands in one row; a seat without anything in it was not taken."""
    chairs = []
    for label in columns.labels:
        heads = {name: head for (name, seat), head in columns.seats.items() if seat == label}
        chairs.append(
            _chair(row, heads, mapping, style) if any(row.cells[h] for h in heads.values()) else None
        )
    while chairs and chairs[-1] is None:
        chairs.pop()
    if None in chairs:
        raise Unclear(f"seat {columns.labels[chairs.index(None)]} is empty, and a later one is not")
    taken = [chair for chair in chairs if chair is not None]
    told = row.cells[columns.game["players"]] if "players" in columns.game else ""
    n = whole(told, style.comma, "players") if told else len(taken) or mapping.players or 0
    if taken and told and n != len(taken):
        raise Unclear(f"{n} players, and {len(taken)} seats that are filled in")
    if n == 0:
        raise Unclear("how many play is not said (a column 'players', or --players 2)")
    return taken or [Chair() for _ in range(n)]


def _chair(row: Row, heads: dict[str, str], mapping: Mapping, style: Style) -> Chair:
    cell = {name: row.cells[head] for name, head in heads.items()}
    chair = Chair(
        player=cell.get("player") or None,
        won=mapping.word(cell["won"]) if "won" in cell else None,
        deck=cell.get("deck") or None,
        team=cell.get("team") or None,
    )
    if cell.get("score"):
        chair.score = number(cell["score"], style.comma)
    if cell.get("place"):
        chair.place = whole(re.sub(r"(st|nd|rd|th|\.|º|°)$", "", cell["place"]), style.comma, "place")
    if "cards" in cell:
        chair.cards = held(cell["cards"])
    return chair


def held(text: str) -> dict[str, int]:
    """Cards and their numbers: ``Ace + 2 Kings``, ``Kings x2``, ``King, King``."""
    out: dict[str, int] = {}
    for part in re.split(r"\s*[+;,|/]\s*", text.strip()):
        before = re.fullmatch(r"(\d+)\s*[x×*]?\s+(.+)", part) or re.fullmatch(r"(\d+)[x×*](.+)", part)
        after = re.fullmatch(r"(.+?)\s*[x×*]\s*(\d+)", part)
        name, n = (before[2], int(before[1])) if before else (after[1], int(after[2])) if after else (part, 1)
        if name.strip():
            out[name.strip()] = out.get(name.strip(), 0) + n
    return out


def letter(seat: int) -> str:
    """The letter of a seat."""
    return chr(65 + seat)


def seat_number(
    text: str, mapping: Mapping, style: Style, players: int, names: Sequence[str | None] = ()
) -> int:
    """The seat that a cell means: a letter, a number, or the name of who sits there."""
    word = mapping.word(text)
    folded = [None if name is None else name.casefold() for name in names]
    if word.casefold() in folded:
        if folded.count(word.casefold()) > 1:
            raise Unclear(f"two seats are called '{word}'")
        return folded.index(word.casefold())
    plain = re.sub(r"^(seat|player|p)\s*(?=[a-z]$|\d{1,2}$)", "", word.casefold())
    if re.fullmatch(r"\d{1,2}", plain):
        if style.base is None:
            raise Unclear(f"seat {plain}: do seats count from 0 or from 1? (--seats-from 0, or 1)")
        seat = int(plain) - style.base
    elif re.fullmatch(r"[a-z]", plain):
        seat = ord(plain) - 97
    else:
        known = [name for name in names if name]
        among = f" nor one of {', '.join(known)}" if known else f"; say which seat it is: --map '{text}=A'"
        raise Unclear(f"'{text}' is no seat{among}{nearest(text, known)}")
    if not 0 <= seat < players:
        raise Unclear(f"seat '{text}' with {players} players{'' if style.base is None else _counting(style)}")
    return seat


def _counting(style: Style) -> str:
    return f", counted from {style.base}"


def _game(
    row: Row,
    chairs: list[Chair],
    columns: Columns,
    mapping: Mapping,
    style: Style,
    rows: Sequence[Row] = (),
) -> Game:
    def cell(name: str) -> str:
        return row.cells[columns.game[name]] if name in columns.game else ""

    n = len(chairs)
    if not 2 <= n <= MOST_SEATS:
        raise Unclear(f"{n} player{'' if n == 1 else 's'}: 2 to {MOST_SEATS} can be read")
    for other in rows[1:]:
        for name in (
            "date",
            "version",
            "group",
            "map",
            "minutes",
            "turns",
            "winner",
            "first",
            "bans",
            "players",
        ):
            if name in columns.game and other.cells[columns.game[name]] not in ("", cell(name)):
                raise Unclear(f"the rows of game {cell('game')} differ in {name}")
    if cell("players") and rows and whole(cell("players"), style.comma, "players") != n:
        raise Unclear(f"{cell('players')} players, and {n} rows")
    names = [chair.player for chair in chairs]
    first = seat_number(cell("first"), mapping, style, n, names) if cell("first") else None
    shares = _shares(chairs, cell("winner"), mapping, style, names)
    if mapping.first_sits_first:
        if first is None:
            raise Unclear("who began is not said, and Seat A is whoever began (first_sits_first)")
        chairs, shares = [*chairs[first:], *chairs[:first]], [*shares[first:], *shares[:first]]
        first = 0
    early = mapping.word(cell("ended early")).casefold()
    if early not in (*YES, *NO):
        raise Unclear(f"ended early: '{cell('ended early')}' is neither yes nor no")
    minutes = number(cell("minutes"), style.comma) if cell("minutes") else None
    if minutes is not None and minutes < 0:
        raise Unclear(f"{cell('minutes')} minutes")
    return Game(
        row.file,
        row.line,
        chairs,
        shares,
        first,
        early in YES if "ended early" in columns.game else None,
        {name: cell(name) for name in ("game", "date", "version", "group", "map", "bans") if cell(name)},
        minutes,
        whole(cell("turns"), style.comma, "turns") if cell("turns") else None,
        {} if rows else {head: row.cells[head] for head in columns.own},
    )


def _shares(
    chairs: list[Chair], winner: str, mapping: Mapping, style: Style, names: Sequence[str | None]
) -> list[float]:
    """Shares of the win: by the winner that is named, else by who won, the score, the place."""
    n = len(chairs)
    scores = [chair.score for chair in chairs if chair.score is not None]
    if scores and len(scores) < n:
        lacking = next(k for k in range(n) if chairs[k].score is None)
        raise Unclear(f"seat {letter(lacking)} has no score")
    top = (min if mapping.lowest_wins else max)(scores, default=None)
    best = [k for k, score in enumerate(scores) if score == top]
    won = [chair.won for chair in chairs]
    if winner:
        found = _named(winner, mapping, style, n, names, best, chairs)
    elif any(w is not None for w in won):
        found = []
        for k, word in enumerate(won):
            said = (word or "").casefold()
            if said not in (*YES, *NO, *TIE):
                raise Unclear(f"won: '{word}' is neither yes nor no")
            found += [k] if said in YES or said in TIE else []
    elif best:
        return _even(_sides(best, chairs), chairs)
    else:
        places = [chair.place for chair in chairs]
        if None in places:
            raise Unclear("nothing says who won: no winner, no score, no place")
        found = [k for k in range(n) if places[k] == 1]
        if not found:
            raise Unclear("nobody has place 1")
    if not found:
        raise Unclear("nobody won")
    found = _sides(found, chairs)
    if best and not set(found) & set(_sides(best, chairs)) and not any(chair.team for chair in chairs):
        low = "lowest" if mapping.lowest_wins else "best"
        who = " and ".join(names[k] or letter(k) for k in found)
        raise Unclear(
            f"{who} won, and the {low} score is that of {' and '.join(names[k] or letter(k) for k in best)}"
        )
    return _even(found, chairs)


def _named(
    winner: str,
    mapping: Mapping,
    style: Style,
    n: int,
    names: Sequence[str | None],
    best: list[int],
    chairs: list[Chair],
) -> list[int]:
    word = mapping.word(winner)
    if word.casefold() in TIE:
        if best:
            if len(best) == 1 and n > 1 and not any(chair.team for chair in chairs):
                raise Unclear(f"a tie, and seat {letter(best[0])} has the best score alone")
            return best
        if n == 2:
            return [0, 1]
        raise Unclear(f"a tie of {n} players, and not between whom: join them as in A+C")
    if word.casefold() in [None if name is None else name.casefold() for name in names]:
        return [seat_number(winner, mapping, style, n, names)]
    return sorted({seat_number(part, mapping, style, n, names) for part in SPLIT.split(word) if part})


def _sides(found: list[int], chairs: list[Chair]) -> list[int]:
    """All who win with those found: the members of their teams."""
    teams = {chairs[k].team for k in found if chairs[k].team}
    return [k for k, chair in enumerate(chairs) if k in found or (chair.team and chair.team in teams)]


def _even(found: list[int], chairs: list[Chair]) -> list[float]:
    """The win shared by those found; the members of a team have its whole share each, as it wins once."""
    sides = {chairs[k].team or k for k in found}
    return [1.0 / len(sides) if k in found else 0.0 for k in range(len(chairs))]
