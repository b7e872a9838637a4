"""Teams that bots build by a taste drawn for each seat: what a piece does is a cause, about teams like these."""

from __future__ import annotations

import numpy as np
import pytest

import analysis
from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners

GAMES, TIES = 8_000, 0.2
PIECES = ["A", "B", "C", "D"]
ABOUT = "about teams as bots build them"
LEVER = {"column": "assigned", "text": "built teams", "about": ABOUT}


def built(rng: np.random.Generator, banned: np.ndarray) -> np.ndarray:
    """Teams of six (games, seats, pieces): who likes A takes B with it, and where A is banned more of B."""
    likes = rng.normal(size=(GAMES, 2, 1))
    liking = np.concatenate([likes, likes, -likes, np.zeros_like(likes)], axis=2)
    liking = liking + rng.normal(size=liking.shape) * 0.4
    liking[banned, :, 0] = -np.inf
    teams = np.zeros(liking.shape, np.int16)
    for _copy in range(6):
        best = (liking - 0.8 * teams).argmax(axis=2)
        teams += (np.arange(4) == best[..., None]).astype(np.int16)
    return teams


def test_a_copied_companion_is_not_strong_and_the_note_says_whose_teams() -> None:
    rng = np.random.default_rng(31)
    banned = rng.random(GAMES) < 0.3
    teams = built(rng, banned)
    utility = 0.4 * teams[..., 0] - 0.25 * (teams[..., 3] * banned[:, None]) + rng.gumbel(size=(GAMES, 2))
    shares = winners(utility)
    shares[rng.random(GAMES) < TIES] = 0.5
    has, more = teams[..., 1], teams[..., 1] > teams[:, ::-1, 1]
    assert shares[more].mean() > 0.52, f"B goes with winning ({has.mean():.1f} copies)"
    texts = np.where(banned, "A", "none")
    d = from_shares(shares, counts=teams, pieces=PIECES, bans=texts)
    d = with_tables(d, {"lever": LEVER})
    rows = {row["piece"]: row for row in analysis.piece_strength(d).iter_rows(named=True)}
    assert rows["A"]["verdict"] == "strong"
    assert rows["B"]["verdict"] not in ("strong", "above")
    assert all(ABOUT in row["note"] for row in rows.values())
    on_pieces = analysis.ban_effects_on_pieces(d)
    found = {row["piece"]: row for row in on_pieces.iter_rows(named=True) if row["banned"] == "A"}
    assert found["D"]["high"] < 0, "a copy of D is worth less where A is banned"
    assert found["D"]["high"] < found["B"]["low"]
    for frame in (on_pieces, analysis.ban_effects_on_seats(d)):
        assert frame["note"].str.contains(ABOUT).all()
    drawn = with_tables(d, {"lever": {"column": "assigned", "text": "random teams"}})
    assert not analysis.piece_strength(drawn)["note"].str.contains("as bots build").any()


def lever_of(**parameters: object) -> dict[str, str] | None:
    found: dict[str, str] | None = (
        make_plan(read_experiment({"name": "few", "game": "migration", "parameters": parameters}))
        .cells[0]
        .lever
    )
    return found


@pytest.mark.parametrize(("teams", "about"), [("random", None), ("bot", ABOUT), ("bot:rush", ABOUT)])
def test_migration_says_whose_teams_its_pieces_are_drawn_for(teams: str, about: str | None) -> None:
    lever = lever_of(teams=teams)
    assert lever is not None
    assert lever["column"] == "assigned"
    assert lever.get("about") == about


def test_drafted_teams_have_no_lever() -> None:
    assert lever_of(teams="bot", draft=True) is None
