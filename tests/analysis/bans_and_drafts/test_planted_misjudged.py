"""Planted truth for what is taken and banned against what it is worth."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.draftset import PIECES as DRAFTED
from tests.analysis.draftset import drafted
from tests.analysis.small import from_shares, winners

pytestmark = pytest.mark.plain

PIECES = tuple("ABCDEFGHIJ")
WORTH = np.linspace(-0.45, 0.45, len(PIECES))


def banned(games: int, follow: float, odd: str = "", seed: int = 4) -> analysis.Dataset:
    """Two of ten pieces are banned in each game, by chances that follow worth; `odd` is strong and never banned."""
    rng = np.random.default_rng(seed)
    taste = follow * WORTH + rng.gumbel(size=(games, len(PIECES)))
    worth = WORTH.copy()
    if odd:
        worth[PIECES.index(odd)] = 1.2
        taste[:, PIECES.index(odd)] -= 3.0
    out = np.argsort(-taste, axis=1)[:, :2]
    allowed = np.ones((games, len(PIECES)), dtype=bool)
    np.put_along_axis(allowed, out, False, axis=1)
    counts = rng.multinomial(4, [1 / len(PIECES)] * len(PIECES), size=(games, 2)) * allowed[:, None, :]
    texts = ["+".join(sorted(PIECES[k] for k in row)) for row in out]
    data = from_shares(
        winners(counts @ worth + rng.gumbel(size=(games, 2))), counts=counts, pieces=PIECES, bans=texts
    )
    data.manifest["imported"] = True
    return data


def test_who_bans_what_is_strong_is_told_from_who_bans_at_random() -> None:
    wise = analysis.bans_against_worth(banned(4_000, 3.0))
    assert wise["slope_low"][0] > 0
    assert (wise["flag"] == "").sum() >= 9
    above = 0
    for seed in range(8):
        blind = analysis.bans_against_worth(banned(800, 0.0, seed=seed))
        above += blind["slope_low"][0] > 0
        assert blind["chosen"].mean() == pytest.approx(0.2)
    assert above <= 2


def test_the_strong_piece_that_nobody_bans_stands_out() -> None:
    found = analysis.bans_against_worth(banned(5_000, 3.0, odd="D"))
    first = found.row(0, named=True)
    assert first["piece"] == "D"
    assert first["flag"] == "better than its bans"
    assert first["low"] > 0
    assert (found["flag"] != "").sum() == 1, "and does not bend the line for the others"


def test_the_interval_of_what_a_piece_is_worth_beyond_its_bans_covers_nothing() -> None:
    """Bans follow worth on a line, so no piece is better or worse than its bans."""
    rng = np.random.default_rng(8)
    from analysis.bans_and_drafts.misjudged import _against

    inside = flagged = 0
    data = banned(60, 0.0)
    for _ in range(60):
        x = rng.random(10)
        y = 0.3 * x + rng.normal(0, 0.02, 10)
        worth = pl.DataFrame({"piece": PIECES, "estimate": y, "low": y - 0.0392, "high": y + 0.0392})
        chosen = dict(zip(PIECES, ((v, v, v) for v in x), strict=True))
        found = _against(data, chosen, worth, "", ("more", "less"), {})
        inside += int(((found["low"] <= 0) & (found["high"] >= 0)).sum())
        flagged += bool((found["flag"] != "").any())
    assert inside / 600 > 0.92
    assert flagged <= 8


def test_a_piece_that_choosers_of_a_draft_overlook_is_found() -> None:
    like = dict(zip(DRAFTED, np.linspace(-0.8, 0.8, len(DRAFTED)), strict=True))
    data = drafted(4_000, 3, appeal=like, worth={name: 0.5 * value for name, value in like.items()})
    found = analysis.picks_against_worth(data)
    assert found["slope_low"][0] > 0
    assert (found["flag"] == "").all()
    chance = np.random.default_rng(5).multinomial(4, [1 / 6] * 6, size=(6_000, 2))
    worth = np.array([0.5 * value for value in like.values()])
    worth[0] = 1.0
    utility = chance @ worth + np.random.default_rng(6).gumbel(size=(6_000, 2))
    strength = from_shares(winners(utility), counts=chance, pieces=DRAFTED)
    odd = analysis.picks_against_worth(data, strength)
    assert odd["piece"][0] == DRAFTED[0]
    assert odd["flag"].to_list() == ["better than its picks", *[""] * 5]
    assert odd["source"][0] == "random assignment in small"


def test_bans_are_read_from_decisions_too() -> None:
    told = banned(800, 3.0)
    texts = told.games.select("game_id", "bans").collect()
    chosen = texts.with_columns(pl.col("bans").str.split("+")).explode("bans").rename({"bans": "piece"})
    chosen = chosen.with_columns(kind=pl.lit("ban"))
    tables = {**told._tables, "games": told.games.drop("bans"), "decisions": chosen.lazy()}
    manifest = {**told.manifest, "drawn": {}}
    found = analysis.bans_against_worth(analysis.Dataset(manifest, told.cells, tables))
    assert found.equals(analysis.bans_against_worth(told))


def test_bans_that_nobody_chose_are_refused() -> None:
    drawn = banned(40, 0.0)
    drawn.manifest["imported"] = None
    with pytest.raises(analysis.Refusal, match="drawn for each deal, so nobody chose them"):
        analysis.bans_against_worth(drawn)
    none = from_shares(np.tile([[1.0, 0.0]], (40, 1)), counts=np.ones((40, 2, 10), dtype=int), pieces=PIECES)
    with pytest.raises(analysis.Refusal, match="nobody chose a ban"):
        analysis.bans_against_worth(none)
