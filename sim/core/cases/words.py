"""The actions of a game as forms with gaps (``build {structure} {tile}``), so that what is no action is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from sim.core.errors import Refusal, nearest
from sim.core.notation import read_name


@dataclass(frozen=True)
class Gap:
    """A gap of a form.

    Attributes
    ----------
    shape
        A pattern that whatever is meant for the gap matches, rightly written or not.
    read
        Returns the words that the engine writes, or refuses them.
    """

    shape: str
    read: Callable[[str], str]


def names_gap(names: Collection[str], what: str) -> Gap:
    """Return the gap for one of some names, which may be of two words."""
    longest_first = sorted(names, key=len, reverse=True)
    known = "|".join(re.escape(name).replace(r"\ ", " ?") for name in longest_first)
    return Gap(rf"(?:{known})(?=\s|$)|[^\s\d,]+(?: [^\s\d,]+)?", lambda word: read_name(word, names, what))


class Forms:
    """All actions of a game: a text is one of them, in the words of the engine, or is refused."""

    def __init__(self, forms: Sequence[str], gaps: Mapping[str, Gap]) -> None:
        self._forms = []
        for form in forms:
            parts = re.split(r"\{(\w+)\}", form)
            shape = "".join(
                f"({gaps[part].shape})" if k % 2 else re.escape(part).replace(r"\ ", " ")
                for k, part in enumerate(parts)
            )
            readers = [gaps[name].read for name in parts[1::2]]
            self._forms.append((re.compile(shape, re.IGNORECASE), parts[::2], readers, form))

    def plain(self, text: str) -> str:
        """Return an action as the engine writes it.

        Raises
        ------
        Refusal
            The text is no action of the game: the reason, and what may have been meant.
        """
        words = " ".join(text.split())
        refused = None
        for shape, literal, readers, _ in self._forms:
            match = shape.fullmatch(words)
            if not match:
                continue
            try:
                filled = [read(word) for read, word in zip(readers, match.groups())]
            except Refusal as refusal:
                refused = refused or refusal
                continue
            return literal[0] + "".join(word + rest for word, rest in zip(filled, literal[1:]))
        if refused is not None:
            raise Refusal(f"{text!r}: {refused}")
        raise Refusal(f"{text!r} is no action of this game{self._hint(words)}")

    def _hint(self, words: str) -> str:
        """Return what may have been meant by words that fit no form."""
        first = words.partition(" ")[0]
        alike = [form for *_, form in self._forms if form.partition(" ")[0].lower() == first.lower()]
        if alike:
            forms = " or ".join(repr(_shown(form)) for form in alike[:3])
            return f"; it should look like {forms}"
        verbs = [form for *_, form in self._forms if not form.startswith("{")]
        return nearest(words, map(_shown, verbs)) or nearest(
            first, {form.partition(" ")[0] for form in verbs}
        )


def _shown(form: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda gap: gap[1].upper(), form)
