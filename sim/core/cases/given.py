"""Reading what a case gives, key by key: each of the kind that it should be, anything else refused in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sim.core.errors import Refusal
from sim.core.files import check_keys


class Given:
    """A table of a case (or of its position): its keys are known, its values are read by kind.

    Parameters
    ----------
    values
        The table.
    where
        Where it stands, for refusals.
    keys
        The keys that it may have; others are refused.
    prefix
        What stands before a key in refusals, such as ``position.``.
    """

    def __init__(self, values: Any, where: str, keys: Iterable[str], prefix: str = "") -> None:
        if not isinstance(values, Mapping):
            raise Refusal(f"{where}: {prefix.rstrip('.') or 'a case'} must be a table, not {values!r}")
        self.values, self.where, self.prefix = values, where, prefix
        check_keys(values, list(keys), where, prefix)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def refuse(self, key: str, should: str) -> Refusal:
        """Return the refusal of the value of `key`: it should be something else."""
        return Refusal(f"{self.where}: {self.prefix}{key} = {self.values.get(key)!r} should be {should}")

    def text(self, key: str, default: str = "") -> str:
        """Return a text."""
        return read_text(self.values.get(key, default), self._at(key))

    def flag(self, key: str) -> bool:
        """Return true or false (when it is missing)."""
        return read_flag(self.values.get(key, False), self._at(key))

    def number(self, key: str, default: int, least: int = 0, most: int = 10**6) -> int:
        """Return a whole number from `least` to `most`."""
        value = read_number(self.values.get(key, default), self._at(key))
        if not least <= value <= most:
            raise self.refuse(
                key, f"{least} to {most}" if most < 10**6 else f"{least} or more" if least else "at least 0"
            )
        return value

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; a lone text is none."""
        return read_texts(self.values.get(key, []), self._at(key))

    def table(self, key: str, keys: Iterable[str] | None = None) -> dict[str, Any]:
        """Return a table, {} when it is missing; `keys`: those that it may have."""
        value = self.values.get(key, {})
        if not isinstance(value, Mapping):
            raise self.refuse(key, "a table")
        if keys is not None:
            Given(value, self.where, keys, f"{self.prefix}{key}.")
        return dict(value)

    def seat(self, key: str, seats: str, default: str = "A") -> int:
        """Return the number of a seat that plays."""
        return read_seat(self.values.get(key, default), seats, self._at(key))

    def by_seat(self, key: str, seats: str) -> dict[int, Any]:
        """Return a table by seat; seats that do not play are refused."""
        return {read_seat(seat, seats, self._at(key)): value for seat, value in self.table(key).items()}

    def _at(self, key: str) -> str:
        return f"{self.where}: {self.prefix}{key}"


def read_text(value: Any, what: str) -> str:
    """Return a text, or refuse."""
    if not isinstance(value, str):
        raise Refusal(f"{what} = {value!r} should be a text")
    return value


def read_flag(value: Any, what: str) -> bool:
    """Return true or false, or refuse."""
    if not isinstance(value, bool):
        raise Refusal(f"{what} = {value!r} should be true or false")
    return value


def read_number(value: Any, what: str, most: int = 2**31 - 1) -> int:
    """Return a whole number of at most `most` (in size), or refuse."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal(f"{what} = {value!r} should be a whole number")
    if abs(value) > most:
        raise Refusal(f"{what} = {value} is out of the question; at most {most:,}")
    return value


def read_texts(value: Any, what: str) -> list[str]:
    """Return a list of texts, or refuse: a lone text would be read letter by letter."""
    if isinstance(value, str):
        raise Refusal(f"{what} = {value!r} should be a list: [{value!r}]")
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise Refusal(f"{what} = {value!r} should be a list of texts")
    return list(value)


def read_one_or_more(value: Any, what: str) -> list[str]:
    """Return a text as a list of one, or a list of texts as it is."""
    return [value] if isinstance(value, str) else read_texts(value, what)


def read_seat(value: Any, seats: str, what: str) -> int:
    """Return the number of a seat, or refuse one that does not play."""
    if not isinstance(value, str) or len(value) != 1 or value not in seats:
        raise Refusal(f"{what}: {value!r} does not play; the players are {', '.join(seats)}")
    return seats.index(value)
