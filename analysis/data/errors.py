"""Errors that tell a user in one line what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterable


class Refusal(ValueError):
    """Something asked of the analysis cannot be done; the message is one line, fit to print as it is."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(str(message).split()))  # what it quotes may go over several lines


def nearest(name: str, names: Iterable[str]) -> str:
    """Hint for a misspelt name: ``"; did you mean 'x'?"``, or an empty string when nothing is close."""
    import difflib

    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
