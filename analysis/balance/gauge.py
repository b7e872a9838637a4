"""What the targets ask of a round, read off as numbers with their errors: of each variant by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis import stats
from analysis.balance.search import Band
from analysis.targets.judging import numbers
from analysis.targets.lines import line
from analysis.targets.table import Target
from analysis.targets.verdicts import PROVEN

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset

VARIANT = "variant"


@dataclass(frozen=True)
class Reading:
    """One number that a target asks for.

    Attributes
    ----------
    variant
        Whose it is.
    target
        The target, as it is written.
    about, table
        The seat, piece or measure; and the kind of table.
    found
        The estimate.
    band
        What it is meant to lie in.
    """

    variant: str
    target: str
    about: str
    table: str
    found: stats.Estimates
    band: Band
    games: int
    deals: int

    @property
    def what(self) -> str:
        """What tells this number from the others of its variant."""
        return ", ".join(part for part in (self.target, self.about, self.table) if part)

    @property
    def value(self) -> float:
        """The estimate."""
        return float(self.found.value[0])

    @property
    def se(self) -> float:
        """Its standard error; of a number that did not vary a cautious one."""
        low, high = self.found.interval()
        return max(float(self.found.se[0]), float(high[0] - low[0]) / 8)

    def line(self) -> str:
        """The number in words: how much, within what, and what it is meant to be."""
        low, high = (float(end[0]) for end in self.found.interval())
        return line(
            {
                "target": self.target,
                "about": self.about,
                "setting": "",
                "table": self.table,
                "estimate": self.value,
                "low": low,
                "high": high,
                "low_bound": self.band.low,
                "high_bound": self.band.high,
                "verdict": PROVEN,  # what would settle it is said of all numbers together
                "more_games": None,
            }
        )


def gauge(d: Dataset, targets: Sequence[Target]) -> list[Reading]:
    """Read off every number that the targets ask for, of each variant.

    Raises
    ------
    Refusal
        A target that names nothing measurable here.
    """
    import polars as pl

    names = d.cells[VARIANT].unique(maintain_order=True).to_list()
    # by their number: long names are cut short where settings are told
    codes = {name: str(k) for k, name in enumerate(names)}
    cells = d.cells.with_columns(pl.col(VARIANT).replace_strict(codes, return_dtype=pl.String))
    out = []
    for part in numbers(d.with_cells(cells), targets, [VARIANT]):
        # of two seats, or two pieces, the second only says the same again
        mirrored = part.target.kind in ("seat", "piece") and len(part.about) == 2
        for k, about in enumerate(part.about[:1] if mirrored else part.about):
            band = Band(float(part.low[k]), float(part.high[k]))
            found = part.found[k : k + 1]
            key = part.target.key
            variant = names[int(part.setting)]
            out.append(Reading(variant, key, about, part.table, found, band, part.games, part.deals))
    return out
