"""What a data set is asked: the one place that decides the list of questions.

An experiment says it under ``[ask]``; else the questions follow from what was varied, drawn and played. The plan of a
run prints the list, the opening of a report answers it in its order, and whatever judges a run reads it here
(``analysis.load(folder).asks``). All that it needs is in the manifest, and in the cells.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

SEATS, PIECES, PLAYERS, BANS = "seats", "pieces", "players", "bans"
DRAFTS, DRAWN, CLAIMS, LENGTH = "drafts", "drawn", "claims", "length"
KINDS = (SEATS, PIECES, PLAYERS, BANS, DRAFTS, DRAWN, CLAIMS, LENGTH)
SCREEN = "screen"
"""The one question to a screen, of which no setting is told by itself."""
MOST_EVEN = "most even"
COMPARED = (SEATS, PIECES, LENGTH)
"""What is asked of a comparison that says no more."""
SIZE = "players.count"
"""How many sit at the table: seats and lengths are told by it anyway."""
AS_THEY_ARE = "guesses as they are"
"""Of a run over stand-ins, the variant with nothing changed."""
PIECE_SET, LEVELS = "piece set", ("level", "card")
"""Kinds of columns that are drawn for each deal."""


@dataclass(frozen=True)
class Across:
    """Something that is compared: a factor and its levels as texts, the base first."""

    factor: str
    levels: tuple[str, ...]

    @property
    def base(self) -> str:
        """The level that the others are set against."""
        return self.levels[0]


@dataclass(frozen=True)
class Question:
    """One question to a data set.

    Attributes
    ----------
    what : str
        One of `KINDS`.
    about : tuple of str
        Pieces, where single ones are asked for; how bans are asked for (``most even``).
    across : tuple of Across
        What it is answered for one by one, and never on average: each level, set against the base.
    apart : tuple of str
        What else was varied: told apart too, but not set against each other.
    asked : bool
        Whether the experiment asks it; else it follows from what was varied.
    """

    what: str
    about: tuple[str, ...] = ()
    across: tuple[Across, ...] = ()
    apart: tuple[str, ...] = ()
    asked: bool = False

    @property
    def text(self) -> str:
        """The question in words."""
        plain = {
            SEATS: "Are the seats even?",
            PIECES: "What is each piece worth?",
            PLAYERS: "Who wins, of those who meet?",
            BANS: "What does each ban do?",
            DRAFTS: "Is the draft fair, and what is picked?",
            DRAWN: "What does each level that is drawn for a deal change?",
            CLAIMS: "Which of the author's claims hold?",
            LENGTH: "How long is a game?",
            SCREEN: "Which numbers of the rules matter, and for what?",
        }[self.what]
        if self.what == PIECES and self.about:
            plain = f"What is {_listed(self.about)} worth?"
        if self.what == BANS and MOST_EVEN in self.about:
            plain = "Which bans make the game most even?"
        if not self.across:
            return plain
        if len(self.across) > MOST_LISTED:
            return f"{plain} For each setting of {_listed([one.factor for one in self.across])} by itself."
        compared = " and ".join(_compared(one) for one in self.across)
        return f"{plain} For each {compared}{'; each ' if self.apart else ''}{_listed(self.apart)} by itself."

    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        across = {one.factor: list(one.levels) for one in self.across}
        return {
            "what": self.what,
            "about": list(self.about),
            "across": across,
            "apart": list(self.apart),
            "asked": self.asked,
        }


def questions(
    manifest: Mapping[str, Any], cells: pl.DataFrame, tables: Iterable[str] = ()
) -> tuple[Question, ...]:
    """The questions in the order in which they are answered.

    Parameters
    ----------
    manifest
        That of a data set, or of one that is planned; old ones without ``ask`` are asked what was varied.
    cells : polars.DataFrame
        As in ``cells.parquet``.
    tables
        Names of the tables that there are, where the manifest does not say.
    """
    if manifest.get("screen"):
        return (Question(SCREEN),)
    have = {*tables, *(manifest.get("schema_tables") or {})}
    ask = dict((manifest.get("experiment") or {}).get("ask") or {})
    wanted = ask.pop("compare", None)
    across, apart = compared(manifest, cells, wanted)
    if not ask and wanted:
        kinds = [what for what in COMPARED if _can(what, manifest, have)]
        return tuple(Question(what, (), across, apart, asked=True) for what in kinds)
    if not ask:
        return tuple(_following(manifest, cells, across, have))
    found: dict[str, Question] = {}
    for key, value in ask.items():
        what, about = (PIECES, tuple(value)) if key == "piece" else (key, ())
        if value == MOST_EVEN:
            about = (MOST_EVEN,)
        if what in found and not (about and found[what].about):
            about = ()  # all pieces are asked for, and so are single ones
        found[what] = Question(what, about, across, apart, asked=True)
    return tuple(found.values())


def _following(
    manifest: Mapping[str, Any], cells: pl.DataFrame, across: tuple[Across, ...], have: set[str]
) -> Iterable[Question]:
    """What is asked where the experiment does not say."""
    if across and [one.factor for one in across] == [BANS] and len(across[0].levels) > FEW_SETS:
        yield Question(BANS, (MOST_EVEN,), across)
        yield from (
            Question(what, (), across) for what in (SEATS, PIECES, LENGTH) if _can(what, manifest, have)
        )
        return
    for what in KINDS:
        if _can(what, manifest, have) or (
            what == BANS and BANS in cells.columns and cells[BANS].n_unique() > 1
        ):
            yield Question(what, (), across)


MOST_LISTED = 2
"""Of more factors the levels are not listed."""
FEW_SETS = 8
"""More sets of bans than these are ranked; fewer are told one by one."""


def _can(what: str, manifest: Mapping[str, Any], have: set[str]) -> bool:
    """Whether a data set with this manifest can say anything of it."""
    kinds = {entry.get("kind") for entry in (manifest.get("drawn") or {}).values()}
    categories = manifest.get("categories") or {}
    named = bool((manifest.get("experiment") or {}).get("player"))
    alone = {"bot": max(1, len(manifest.get("tiers") or [])), "deck": 1}  # bots of several tiers never meet
    return {
        SEATS: True,
        PIECES: bool(manifest.get("lever")) and manifest.get("log") != "games",
        PLAYERS: named or any(len(categories.get(kind) or []) > n for kind, n in alone.items()),
        BANS: PIECE_SET in kinds,
        DRAFTS: "drafts" in have,
        DRAWN: bool(kinds & set(LEVELS)),
        CLAIMS: bool((manifest.get("card") or {}).get("claims")),
        LENGTH: True,
    }[what]


def told(manifest: Mapping[str, Any], cells: pl.DataFrame) -> list[str]:
    """Factors that tell these cells apart, as the experiment names them.

    What follows from the variant, or from a bundle of rules that was varied, is no factor of its own.
    """
    import polars as pl

    names = [str(name) for name in manifest.get("factors") or []]
    varied = [n for n in dict.fromkeys(["variant", *names]) if n in cells.columns]
    varied = [n for n in varied if cells[n].n_unique() > 1]
    vary = (manifest.get("experiment") or {}).get("vary") or {}
    named = [n for n in varied if n == "variant" or n in vary]
    if not named:
        return varied
    most = cells.group_by(named).agg(pl.col(n).n_unique() for n in varied if n not in named)
    free = [n for n in varied if n not in named and int(most[n].max()) > 1]  # type: ignore[arg-type]
    return [*named, *free]


def compared(
    manifest: Mapping[str, Any], cells: pl.DataFrame, asked: Mapping[str, Sequence[Any]] | None = None
) -> tuple[tuple[Across, ...], tuple[str, ...]]:
    """What no answer may average over: all that tells the cells apart, but who meets whom and how well they play.

    `asked` names the levels, the base first, of what is set against each other; what else was varied is told apart, and
    is the second result.
    """
    names = [n for n in told(manifest, cells) if n not in ("players", "tier")]
    found = {}
    for name in names:
        levels = tuple(dict.fromkeys(level_text(level) for level in cells.sort("cell")[name].to_list()))
        if name == "variant" and manifest.get("stand_ins_run"):
            # Other guesses at what the rulebook leaves out are no versions: of them the stand-ins tell.
            levels = tuple(level for level in levels if level.rpartition(", ")[2] == AS_THEY_ARE) or levels
        wanted = [level_text(level) for level in (asked or {}).get(name) or levels]
        found[name] = Across(name, tuple(level for level in wanted if level in levels))
    if asked and (kept := [one for name, one in found.items() if name in asked and one.levels]):
        return tuple(kept), tuple(name for name in names if name not in asked)
    return tuple(found.values()), ()


def setting_text(names: Sequence[str], row: Mapping[str, Any]) -> str:
    """A setting of several factors in words: texts speak for themselves, numbers and switches need their name."""
    return ", ".join(_said(name, row[name]) for name in names)


def _said(name: str, value: Any) -> str:
    if name == SIZE:
        return f"{value} players"
    if name == BANS and isinstance(value, str) and not value.startswith("random"):
        return "no bans" if value == "none" else f"{value} banned"
    if isinstance(value, str) and value != "none":
        return short(value)
    if isinstance(value, bool):
        return f"{name} {'yes' if value else 'no'}"
    return (
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {'none' if value is None else value}"
    )


def short(text: str) -> str:
    """A text that fits into a sentence: of a drawing or a long list its beginning, and a mark that tells it apart."""
    plain = " ".join(text.split())
    if plain == text and len(text) <= LONGEST:
        return text
    return (
        f"{plain[: LONGEST // 2].rstrip()}… ({zlib.crc32(text.encode()) & 0xFFF:03x})"
        if len(plain) > LONGEST
        else plain
    )


LONGEST = 60
"""Letters of a level that are said."""


def level_text(level: Any) -> str:
    """A level as the text by which questions know it."""
    return "none" if level is None else str(level).lower() if isinstance(level, bool) else str(level)


def _compared(one: Across) -> str:
    shown = one.levels if len(one.levels) <= FEW_SETS else (*one.levels[:3], f"{len(one.levels) - 3} more")
    return f"{one.factor} ({', '.join(shown)})"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if names[1:] else "") + "".join(names[-1:])
