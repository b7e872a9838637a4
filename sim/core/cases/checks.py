"""What a case may ask of a position: each check reads what the case gives, and compares it with what is there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.cases.given import (
    read_flag,
    read_number,
    read_one_or_more,
    read_seat,
    read_text,
    read_texts,
)
from sim.core.errors import Refusal, nearest


@dataclass(frozen=True)
class Check:
    """One key of the tables ``before`` and ``after``.

    Attributes
    ----------
    read
        Gets the table, the value given and where it stands; returns the value in the words of the engine, or refuses
        it. Called before anything is played.
    test
        Gets the table, what `read` returned and where it stands; returns what does not hold, in words.
    """

    read: Callable[[Any, Any, str], Any]
    test: Callable[[Any, Any, str], list[str]]


def compare(what: str, wanted: Any, found: Any) -> list[str]:
    """Return a problem, in a list, when something is not as it should be."""
    return [] if wanted == found else [f"{what}: expected {said(wanted)}, found {said(found)}"]


def said(value: Any) -> str:
    """Return a value as a person writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {said(entry)}" for key, entry in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(said, value)) or "nothing"
    return str(value) or "nothing"


def checked(what: str, value: Any) -> Any:
    """Return a list or table that asks for something; an empty one is refused."""
    if not value:
        raise Refusal(f"{what} is empty: it checks nothing")
    return value


def _same(table: Any, value: Any, what: str) -> Any:
    return value


Find = Callable[[Any], Any]
Normal = Callable[[Any, Any], Any]
"""Gets a table and a value given; returns it as the engine writes it."""


def _check(read_kind: Callable[[Any, str], Any], find: Find, normal: Normal | None = None) -> Check:
    def read(table: Any, value: Any, what: str) -> Any:
        given = read_kind(value, what)
        if normal is None:
            return given
        try:
            return normal(table, given)
        except Refusal as refusal:
            raise Refusal(f"{what}: {refusal}") from None

    return Check(read, lambda table, wanted, what: compare(what, wanted, find(table)))


def text(find: Find, normal: Normal | None = None) -> Check:
    """Return the check of something written as text."""
    return _check(read_text, find, normal)


def number(find: Find) -> Check:
    """Return the check of a whole number."""
    return _check(read_number, find)


def flag(find: Find) -> Check:
    """Return the check of something that is so or not."""
    return _check(read_flag, find)


def texts(find: Find, normal: Normal | None = None, ordered: bool = False) -> Check:
    """Return the check of a list; `normal` gets one entry. In any order, unless `ordered`."""

    def arranged(table: Any, given: list[str]) -> list[str]:
        plain = [normal(table, entry) if normal else entry for entry in given]
        return plain if ordered else sorted(plain)

    return _check(read_texts, (lambda t: list(find(t))) if ordered else (lambda t: sorted(find(t))), arranged)


def chosen(find: Find, allowed: Collection[str], what_it_is: str) -> Check:
    """Return the check of one of some words."""

    def read(value: Any, what: str) -> str:
        word = read_text(value, what)
        if word not in allowed:
            raise Refusal(f"{what}: there is no {what_it_is} {word!r}{nearest(word, allowed)}")
        return word

    return _check(read, find)


def seat(find: Find, others: Collection[str] = ()) -> Check:
    """Return the check of a player's letter (`find`: its number); `others`: words for nobody and the like."""

    def read(table: Any, value: Any, what: str) -> str:
        if value not in others:
            read_seat(value, table.seats, what)
        return str(value)

    def test(table: Any, wanted: str, what: str) -> list[str]:
        found = find(table)
        return compare(what, wanted, table.seats[found] if isinstance(found, int) and found >= 0 else found)

    return Check(read, test)


def by_seat(
    find: Callable[[Any, int], Any],
    read_kind: Callable[[Any, str], Any] = read_number,
    normal: Normal | None = None,
) -> Check:
    """Return the check of something that each player has, such as ``scores = { A = 3 }``."""

    def read(table: Any, value: Any, what: str) -> dict[str, Any]:
        wanted = {}
        for letter, entry in checked(what, _table(value, what)).items():
            read_seat(letter, table.seats, what)
            given = read_kind(entry, f"{what}.{letter}")
            try:
                wanted[letter] = normal(table, given) if normal else given
            except Refusal as refusal:
                raise Refusal(f"{what}.{letter}: {refusal}") from None
        return wanted

    def test(table: Any, wanted: dict[str, Any], what: str) -> list[str]:
        return compare(what, wanted, {letter: find(table, table.seats.index(letter)) for letter in wanted})

    return Check(read, test)


def by_name(find: Callable[[Any], Mapping[str, int]]) -> Check:
    """Return the check of numbers by name, such as ``counts = { deck = 3 }``."""

    def read(table: Any, value: Any, what: str) -> dict[str, int]:
        known = find(table)
        for name, entry in checked(what, _table(value, what)).items():
            if name not in known:
                raise Refusal(
                    f"{what}: there is no {name!r}{nearest(name, known)}; there are {said(list(known))}"
                )
            read_number(entry, f"{what}.{name}")
        return dict(value)

    def test(table: Any, wanted: dict[str, int], what: str) -> list[str]:
        found = find(table)
        return compare(what, wanted, {name: found[name] for name in wanted})

    return Check(read, test)


def _table(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refusal(f"{what} = {value!r} should be a table")
    return value


# --- actions -------------------------------------------------------------------------------------------------


def read_actions(table: Any, value: Any, what: str) -> list[str]:
    """Return a list of actions in the words of the engine; what is no action of the game is refused."""
    return [read_action(table, entry, what) for entry in read_texts(value, what)]


def read_action(table: Any, entry: str, what: str) -> str:
    """Return an action in the words of the engine, or refuse it."""
    try:
        return str(table.plain(entry))
    except Refusal as refusal:
        raise Refusal(f"{what}: {refusal}") from None


def _some_actions(table: Any, value: Any, what: str) -> list[str]:
    return checked(what, read_actions(table, read_one_or_more(value, what), what))


def _legal(table: Any, wanted: list[str], what: str) -> list[str]:
    offered, named = set(table.actions()), {table.here(entry) for entry in wanted}
    missing, more = sorted(named - offered), sorted(offered - named)
    problems = [f"not offered: {'; '.join(missing)}"] * bool(missing)
    problems += [f"offered too: {'; '.join(more)}"] * bool(more)
    return [f"{what}: {', '.join(problems)}"] if problems else []


def _includes(table: Any, wanted: list[str], what: str) -> list[str]:
    missing = [entry for entry in wanted if table.here(entry) not in table.actions()]
    return [f"{what}: not offered: {'; '.join(missing)}"] if missing else []


def _illegal(table: Any, wanted: list[str], what: str) -> list[str]:
    present = [entry for entry in wanted if table.here(entry) in table.actions()]
    return [f"{what}: offered: {'; '.join(present)}"] if present else []


LEGAL = Check(read_actions, _legal)
INCLUDES = Check(_some_actions, _includes)
ILLEGAL = Check(_some_actions, _illegal)
