"""Estimates of seats, pieces and lengths, one a setting, whether something was compared or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from analysis.report import words
from analysis.report.blocks import TONES, Tone

if TYPE_CHECKING:
    from analysis.report.context import Context


@dataclass(frozen=True)
class Found:
    """One estimate under one setting."""

    about: str
    setting: str
    value: float
    low: float | None
    high: float | None
    fair: float | None
    verdict: str
    players: int | None
    sides: int | None
    games: int = 0
    more_games: float | None = None

    @property
    def gap(self) -> float:
        """Distance from what is fair."""
        return abs(self.value - (self.fair or 0.0))

    @property
    def tone(self) -> Tone:
        """That of its verdict."""
        return TONES.get(self.verdict, "undecided")


def found_of(context: Context, what: str) -> list[Found]:
    """The estimates of seats or pieces: of each setting, where something was compared."""
    if context.single:
        part = context.parts()[0][1]
        frame = part.seats if what == "seat" else part.pieces
        rows = [] if frame is None else frame.to_dicts()
        return [
            Found(
                str(row[what]), "", row["estimate"], row["low"], row["high"], row.get("fair"), str(row["verdict"]),
                row.get("players"), row.get("sides"), row["games"], row.get("more_games"),
            )
            for row in rows
            if row["estimate"] is not None
        ]  # fmt: skip
    return _compared(context, lambda kind: kind == what)


def lengths_of(context: Context) -> list[Found]:
    """The length of games: of each setting, where something was compared."""
    if not context.single:
        found = _compared(context, lambda kind: kind not in ("seat", "piece"))
        named = [replace(one, setting=name) for name, mine in tables_of(found) for one in mine]
        return [replace(one, low=None if one.low is None else max(0.0, one.low)) for one in named]
    import analysis

    part = context.parts()[0][1]
    frame = context.ask("length", lambda: analysis.length(part.d))
    rows = [] if frame is None else frame.to_dicts()
    kinds = [row["measure"] for row in rows]
    what = "minutes" if "minutes" in kinds else "turns"
    several = len({(row["players"], row["sides"]) for row in rows}) > 1
    return [
        Found(
            what, words.table(row) if several else "", row["estimate"], row["low"], row["high"], None, "measured",
            row["players"], row["sides"],
        )
        for row in rows
        if row["measure"] == what and row["estimate"] is not None
    ]  # fmt: skip


def _compared(context: Context, wanted: Callable[[str], bool]) -> list[Found]:
    """One estimate a setting, the base first: a setting that is set against two bases counts once."""
    frame = context.every
    rows = [] if frame is None else frame.to_dicts()
    found: dict[tuple[Any, ...], Found] = {}
    for row in rows:
        if not wanted(row["what"]) or row["value"] is None:
            continue
        if row["what"] == "piece" and abs(row["value"]) > 1:
            continue  # a fit that has found no end in few games
        about = str(row["about"]) if row["what"] in ("seat", "piece") else str(row["what"])
        key = (about, row["setting"], row["players"], row["sides"])
        one = Found(
            about, str(row["setting"]), row["value"], row["value_low"], row["value_high"], row["fair"],
            str(row["verdict"]), row["players"], row["sides"], row["games"], row.get("more_games"),
        )  # fmt: skip
        found.setdefault(key, one)
    return list(found.values())


def tables_of(found: Sequence[Found]) -> list[tuple[str, list[Found]]]:
    """The seats of each setting and kind of table, each with its name."""
    units: dict[tuple[Any, ...], list[Found]] = {}
    for one in found:
        units.setdefault((one.setting, one.players, one.sides), []).append(one)
    sizes = {key[1:] for key in units}
    out = []
    for (setting, players, sides), mine in units.items():
        table = words.table({"players": players, "sides": sides})
        if len(sizes) > 1 and table not in setting:
            setting = f"{setting}, {table}" if setting else table
        out.append((setting, mine))
    return out
