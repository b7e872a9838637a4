"""How sentences name the settings that were compared: "on ridge", "with 3 players", "on 3 of 5 maps"."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.data.questions import BANS, SIZE
from analysis.report import words
from analysis.report.found import Found
from analysis.stats.power import about

if TYPE_CHECKING:
    from analysis.report.context import Context

NAMED = 3
"""Settings that a sentence lists; more are counted."""
NOUNS = {"map": ("on", "maps"), BANS: ("with", "sets of bans"), "variant": ("with", "variants")}
USUAL = ("with", "settings")


def axis(context: Context) -> tuple[str, str]:
    """The preposition and the plural noun of what was compared."""
    first = context.asks[0] if context.asks else None
    names = [one.factor for one in first.across if one.factor != SIZE] if first is not None else []
    sizes = len(names) < len(first.across) if first is not None else False
    if len(names) != 1 or (sizes and context.many_tables) or (first is not None and first.apart):
        return NOUNS["map"][0] if names == ["map"] else "with", "settings"
    return NOUNS.get(names[0], USUAL)


def at(context: Context, setting: str) -> str:
    """' on ridge'; nothing where nothing was compared."""
    return f" {axis(context)[0]} {setting}" if setting else ""


def where(context: Context, names: Sequence[str], total: int) -> str:
    """Where something holds, of `total` settings: each by name, or how many of them."""
    few = list(dict.fromkeys(name for name in names if name))
    if not few:
        return ""
    on, noun = axis(context)
    if len(few) <= NAMED and total > 1:
        return f" {on} {words.listing(few)}"
    return f" {on} {'all' if len(few) == total else f'{len(few):,} of'} {total:,} {noun}"


def settling(context: Context, undecided: Sequence[Found]) -> str:
    """The command that would settle what is undecided, with the games it takes; empty where nobody can say.

    The games are those that the widest of them needs, if it is as it looks.
    """
    more = [1 + float(one.more_games or 0) / one.games for one in undecided if one.games]
    known = [one for one in undecided if one.more_games and not words.missing(one.more_games)]
    if not undecided or not more:
        return ""
    experiment, here = context.whole.manifest.get("experiment"), context.whole.manifest.get("games_per_cell")
    if not known:
        factor = 4.0  # nothing is known of how far it is: four times the games halve each interval
    else:
        factor = max(1 + float(one.more_games or 0) / one.games for one in known)
    if experiment is None or not here:
        games = about((factor - 1) * max(one.games for one in undecided))
        return f"About {games:,.0f} more games would settle {'it' if len(undecided) == 1 else 'all of them'}."
    say = {1: "To settle it", 2: "To settle both"}.get(len(undecided), f"To settle all {len(undecided):,}")
    return f"{say if known else 'To halve the interval'}: {again(context, about(factor * int(here)))}"


def settled_by(context: Context, rows: Iterable[Mapping[str, Any]]) -> str:
    """The same of rows of an analysis, of which only the undecided ones are heeded."""
    mine = [row for row in rows if row["verdict"] == "undecided"]
    return settling(context, [opened(row) for row in mine])


def opened(row: Mapping[str, Any]) -> Found:
    """What of a row says how many games it takes to settle it."""
    more = row.get("more_games")
    return Found("", "", 0.0, None, None, None, str(row["verdict"]), None, None, int(row["games"]), more)


def again(context: Context, games: float) -> str:
    """The command that goes on with a data set up to so many games a cell (of the first tier).

    A run that stops by planned looks keeps to them: with more games it is another run, in a folder beside it.
    """
    folder, name = shlex.quote(context.folder_name), context.folder_name
    if context.whole.manifest.get("stop"):
        name += "-longer"
    return f"whimbrel run {folder}/experiment.toml -o {shlex.quote(name)} --games {games:.0f}"
