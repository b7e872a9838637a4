"""Planted data that faulty picks do not pass."""

from __future__ import annotations

import polars as pl
import pytest

import analysis
from tests.analysis.draftset import drafted, with_tables


@pytest.mark.parametrize("noise", [1.0, 0.0])
def test_offers_of_one_game_are_no_independent_choices(noise: float) -> None:
    """Every offer of a game is made four times, with the same end: nothing is known better than by the first.

    With choosers that follow their taste to the letter the linear model answers, else the logit.
    """
    once = drafted(400, 2, appeal={"Rats": 0.5}, rounds=1, noise=noise)
    offers = once.drafts.collect()
    more = [offers.with_columns((pl.col("round") + 10 * k).cast(pl.Int8)) for k in range(4)]
    often = with_tables(once, drafts=pl.concat(more).sort("game_id", maintain_order=True).lazy())
    first, found = analysis.draft_picks(once), analysis.draft_picks(often)
    assert found["offers"][0] == 4 * first["offers"][0] == 4 * 400 * 2
    for value, ends in (("estimate", ("low", "high")), ("picked", ("picked_low", "picked_high"))):
        assert found[value].to_numpy() == pytest.approx(first[value].to_numpy(), abs=1e-6)
        width, before = ((f[ends[1]] - f[ends[0]]).to_numpy() for f in (found, first))
        assert width == pytest.approx(before, rel=0.05)
    assert found["blocks"].to_list() == [400] * 6


def test_the_order_of_the_draft_is_judged_by_the_margin_of_seats() -> None:
    d = drafted(6_000, 2, position=(0.4,), rounds=1)
    for seat, piece, word in ((0.02, 0.3, "favoured"), (0.3, 0.02, "balanced")):
        judge = {"seat": seat, "piece": piece, "pieces": {}, "even": "seats+pieces"}
        found = analysis.draft_seats(with_tables(d, {"judge": judge}))
        assert found["verdict"][0] == word
