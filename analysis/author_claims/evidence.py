"""What the author's claims are judged by: one finding a claim, from estimates that several claims share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.bans_and_drafts.ban_effects import ban_effects_on_pieces
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, read_games
from analysis.data.measures import Measures
from analysis.pieces.harm import piece_sums
from analysis.pieces.strength import PieceModel, piece_model, piece_strength
from analysis.stats.blocks import Blocks
from analysis.stats.verdicts import ABOVE, BELOW

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Test = dict[str, Any]

SHARE = "win share a copy"
TURNED = {"strong": "weak", "weak": "strong", "above": "below", "below": "above"}


@dataclass
class Finding:
    """What the data say of one claim.

    `p` tests the estimate against `null`, `p_same` that it is as good as `null`. With `direction` 0 the claim is a
    range: `p` tests that the value lies outside of ``range_low .. range_high``, `p_same` that it lies inside.
    Where another analysis judges the same numbers, `said` is what its verdict makes of the claim (1, -1, or 0:
    nothing), `modest` whether that was merely shown to be off the middle.
    """

    estimate: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    null: float = 0.0
    direction: int = 1
    unit: str = ""
    p: float = float("nan")
    p_same: float = float("nan")
    games: int = 0
    deals: int = 0
    enough: bool = False
    method: str = ""
    note: str = ""
    status: str | None = None
    range_low: float = float("nan")
    range_high: float = float("nan")
    said: int | None = None
    modest: bool = False


class Evidence:
    """A data set with the estimates that several claims share, computed once."""

    def __init__(self, d: Dataset) -> None:
        self.d = d

    @cached_property
    def games(self) -> Games:
        """The games, with what was drawn for each deal."""
        have = self.d.games.collect_schema().names()
        return read_games(self.d, extra=[name for name in ("margin", *self.d.drawn) if name in have])

    @cached_property
    def measures(self) -> Measures:
        """Numbers of each game by their names."""
        return Measures(self.games)

    @cached_property
    def strength(self) -> pl.DataFrame:
        """Strength of each piece."""
        return piece_strength(self.d)

    @cached_property
    def model(self) -> PieceModel:
        """Arrays of the conditional logit."""
        return piece_model(self.d)

    @cached_property
    def fit(self) -> stats.LogitFit:
        """The conditional logit over all games."""
        return self.model.fit(np.arange(len(self.model.games)))

    @cached_property
    def bans(self) -> pl.DataFrame:
        """What each ban does to the other pieces."""
        return ban_effects_on_pieces(self.d)

    def piece(self, name: Any) -> str:
        """The name of a kind of piece; refuses one that the game does not have."""
        if name not in self.d.piece_names:
            raise Refusal(f"no piece is called '{name}'{nearest(str(name), self.d.piece_names)}")
        return str(name)

    def sums(self, column: str) -> Floats:
        """Sums over seats of a column of ``pieces`` (games, pieces)."""
        have = self.d.pieces.collect_schema().names()
        if column not in have:
            raise Refusal(f"no column '{column}' in pieces{nearest(column, have)}")
        return piece_sums(self.games, column, self.d.piece_names)

    def total(self, column: str, group: str) -> Floats:
        """Sums of a column of ``pieces`` over all seats and the pieces whose group begins so (games,)."""
        pieces = self.d.card.get("pieces") or []
        known = sorted({str(p.get("group") or "") for p in pieces})
        names = {str(p["name"]) for p in pieces if str(p.get("group") or "").startswith(group)}
        if not names:
            raise Refusal(f"no group of pieces begins with '{group}'{nearest(group, known)}")
        at = [k for k, name in enumerate(self.d.piece_names) if name in names]
        return np.asarray(self.sums(column)[:, at].sum(axis=1))

    def found(
        self,
        estimate: stats.Estimates,
        blocks: Blocks,
        what: str,
        unit: str,
        direction: int,
        *,
        null: float = 0.0,
        same: float | None = None,
        rows: Rows | None = None,
    ) -> Finding:
        """A finding from one estimate; `same` is a margin around `null` within which the two count as equal."""
        low, high = estimate.interval()
        behind = self.games.behind(np.arange(len(self.games)) if rows is None else rows, what, blocks)
        return Finding(
            float(estimate.value[0]),
            float(low[0]),
            float(high[0]),
            null,
            direction,
            unit,
            float(estimate.p(null)[0]),
            float("nan") if same is None else float(estimate.p_within(null - same, null + same)[0]),
            behind["games"],
            behind["deals"],
            bool(estimate.enough[0]),
            behind["method"],
            behind["note"],
        )

    def within(
        self,
        estimate: stats.Estimates,
        blocks: Blocks,
        what: str,
        unit: str,
        ends: tuple[float, float],
        *,
        rows: Rows | None = None,
    ) -> Finding:
        """A finding on the claim that a value lies between the two `ends`."""
        value = float(estimate.value[0])
        nearest_end = min(max(value, ends[0]), ends[1])
        found = self.found(estimate, blocks, what, unit, 0, null=nearest_end, rows=rows)
        found.p = found.p if value != nearest_end else 1.0
        found.p_same = float(estimate.p_within(*ends)[0])
        found.null, (found.range_low, found.range_high) = float("nan"), ends
        return found


# What a claim of "more than even" and one of "no more than even and the margin" are, by the verdict on the numbers.
MORE = {"strong": 1, "favoured": 1, "above": 1, "balanced": -1, "weak": -1, "unfavoured": -1, "below": -1}
NO_MORE = {"strong": -1, "favoured": -1, "balanced": 1, "weak": 1, "unfavoured": 1, "below": 1}


def by_verdict(found: Finding, row: dict[str, Any], means: dict[str, int], direction: int = 1) -> Finding:
    """The finding with what the verdict of the row makes of it: one standard for claim and verdict."""
    word = str(row["verdict"])
    found.said = means.get(TURNED.get(word, word) if direction < 0 else word, 0)
    found.modest = word in (ABOVE, BELOW)
    found.note = "; ".join(part for part in (f"verdict: {word}", found.note) if part)
    return found


def from_row(row: dict[str, Any], direction: int, margin: float, enough: float) -> Finding:
    """A finding from a row of another analysis in win share a copy, with equivalence read off its interval."""
    number = {k: float("nan") if row[k] is None else float(row[k]) for k in ("estimate", "low", "high", "p")}
    df = max(float(row["blocks"]) - 1.0, 0.0)
    se = (number["high"] - number["low"]) / (2 * stats.quantile(df))
    p_same = float(stats.effects(number["estimate"], se, df + 1.0).p_within(-margin, margin)[0])
    ends = (number["estimate"], number["low"], number["high"], 0.0, direction, SHARE, number["p"], p_same)
    return Finding(*ends, row["games"], row["deals"], row["blocks"] >= enough, row["method"], row["note"])


def is_named(column: str, name: str) -> Any:
    """The rows whose `column` holds `name`."""
    import polars as pl

    return pl.col(column).cast(pl.String) == name
