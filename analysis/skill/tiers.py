"""Tiers of play that an analysis needs several of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.data.errors import Refusal

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset


def several_tiers(d: Dataset, why: str) -> list[str]:
    """The tiers of play, weakest first; refuses a data set with one, and says `why` several are wanted."""
    tiers = d.all_tiers.tiers
    if len(tiers) < 2:
        raise Refusal(f"{d.name}: one tier of play; name several under [tiers] {why}")
    return tiers
