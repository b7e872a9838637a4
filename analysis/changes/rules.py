"""What does a change of a rule change, all else alike? (V1)

A rule is changed between cells, which share their deals: only cells that differ in nothing else are compared,
deal by deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analysis.bans_and_drafts.ban_effects import Arms
from analysis.changes.contrasts import corrected, effects
from analysis.data.errors import Refusal
from analysis.data.frames import Games

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


@dataclass(frozen=True)
class Change:
    """One rule changed: cells that differ in it alone.

    Attributes
    ----------
    factor, before, after : str
        What was changed, from which value to which, as texts.
    setting : str
        What it was changed in, where that is one variant among several; else empty.
    old, new : lists of int
        Cells on both sides; the lists are alike in everything else.
    """

    factor: str
    before: str
    after: str
    setting: str
    old: list[int]
    new: list[int]

    @property
    def label(self) -> str:
        """The change as one text."""
        head = self.after if self.factor == "variant" else f"{self.factor} {self.before} → {self.after}"
        return f"{head} (in {self.setting})" if self.setting else head


def cell_changes(d: Dataset) -> list[Change]:
    """Every comparison of cells that differ in one thing.

    Levels of a varied factor are set against its first level, over all settings of the others that have both.
    A variant is set against the first variant; but where it differs in one parameter only from another that
    was named before it, against that one, under the parameter's name.
    """
    if d.cells.height < 2:
        return []
    import polars as pl

    skip = ("cell", "games", "variant")
    names = [n for n in d.cells.columns if n not in skip and d.cells[n].n_unique() > 1]
    texts = d.cells.select("cell", *[pl.col(n).cast(pl.String).fill_null("none") for n in names])
    cells = {row.pop("cell"): row for row in texts.iter_rows(named=True)}
    variant = dict.fromkeys(cells, "")
    if "variant" in d.cells.columns:
        known = d.cells["variant"].fill_null("").to_list()
        variant = dict(zip(d.cells["cell"].to_list(), known, strict=True))
    experiment = d.manifest.get("experiment") or {}
    varied = [n for n in (experiment.get("vary") or {}) if n in names]
    if not varied and len(set(variant.values())) < 2:
        varied = [n for n in d.factors if n in names]
    return [*_of_factors(cells, variant, varied), *_of_variants(cells, variant, varied)]


def _of_factors(
    cells: dict[int, dict[str, str]], variant: dict[int, str], varied: list[str]
) -> Iterator[Change]:
    table = ("players", "players.count")
    for name in varied:
        if name in table or name.startswith("players."):
            continue
        rest = [n for n in varied if n != name] + [
            n for n in table if n not in varied and n in next(iter(cells.values()))
        ]
        strata: dict[tuple[str, ...], dict[str, int]] = {}
        for cell, row in cells.items():
            strata.setdefault((variant[cell], *(row[n] for n in rest)), {}).setdefault(row[name], cell)
        levels = list(dict.fromkeys(row[name] for row in cells.values()))
        for level in levels[1:]:
            both = [s for s in strata.values() if level in s and levels[0] in s]
            if both:
                old, new = [s[levels[0]] for s in both], [s[level] for s in both]
                yield Change(name, levels[0], level, "", old, new)


def _of_variants(
    cells: dict[int, dict[str, str]], variant: dict[int, str], varied: list[str]
) -> Iterator[Change]:
    members: dict[str, dict[tuple[str, ...], int]] = {}
    for cell, row in cells.items():
        members.setdefault(variant[cell], {}).setdefault(tuple(row[n] for n in varied), cell)
    names = list(members)
    for at, name in enumerate(names[1:], start=1):
        pairs = {
            other: [
                (members[other][key], members[name][key]) for key in members[name] if key in members[other]
            ]
            for other in names[:at]
        }
        found = {other: _differing(cells, both) for other, both in pairs.items() if both}
        if not found:
            continue
        first = next(iter(found))
        base = first if len(found[first]) == 1 else next((o for o in found if len(found[o]) == 1), first)
        old, new = [pair[0] for pair in pairs[base]], [pair[1] for pair in pairs[base]]
        if len(found[base]) == 1:
            column = next(iter(found[base]))
            setting = base if len(names) > 2 and base else ""
            yield Change(column, cells[old[0]][column], cells[new[0]][column], setting, old, new)
        else:
            yield Change("variant", base, name, "" if base == names[0] else base, old, new)


def _differing(cells: dict[int, dict[str, str]], pairs: list[tuple[int, int]]) -> set[str]:
    return {n for old, new in pairs for n in cells[old] if cells[old][n] != cells[new][n] and n != "players"}


def rule_changes(d: Dataset) -> pl.DataFrame:
    """What each change of a rule does, all else alike (V1).

    Returns
    -------
    polars.DataFrame
        ``change`` (as one text), ``factor, before, after, setting, measure, piece, players, sides, estimate,
        low, high, p, q, without, with, games, games_with, deals, blocks, design, method, note``, measures as
        in `level_effects`. ``estimate`` is ``with`` (the change) less ``without``.
    """
    changes = {change.label: change for change in cell_changes(d)}
    if not changes:
        raise Refusal(f"{d.name}: no two cells differ in one thing only")

    def arms(games: Games) -> Iterator[Arms]:
        cell = games.frame["cell"].to_numpy()
        for label, change in changes.items():
            old, new = (np.flatnonzero(np.isin(cell, part)) for part in (change.old, change.new))
            if len(old) and len(new):
                yield Arms(label, frozenset(), old, new, "paired")

    rows = []
    for row in effects(d, arms):
        change = changes[row.pop("arm")]
        head = {"change": change.label, "factor": change.factor, "before": change.before}
        rows.append({**head, "after": change.after, "setting": change.setting, **row})
    if not rows:
        raise Refusal(f"{d.name}: no two cells that differ in one thing only hold games")
    return corrected(rows, ["change", "factor", "before", "after", "setting"], [])
