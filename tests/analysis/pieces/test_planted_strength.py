"""Planted truth for pieces and bans: the naive way is wrong by at least the shown amount, ours is right."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis import stats
from analysis.pieces.strength import piece_model
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import PIECES, make


def contrast(effects: dict[str, float], names: tuple[str, ...] = PIECES) -> np.ndarray:
    """Planted effect of each piece against the average other piece, in log odds."""
    value = np.array([effects.get(name, 0.0) for name in names])
    return value - (value.sum() - value) / (len(value) - 1)


def within(frame: pl.DataFrame, truth: np.ndarray, errors: float = 3.0) -> bool:
    """Whether all log odds lie within so many standard errors of the truth."""
    se = (frame["log_odds_high"] - frame["log_odds_low"]).to_numpy() / (2 * 1.96)
    return bool((np.abs(frame["log_odds"].to_numpy() - truth) < errors * se).all())


def test_pt3_player_counts_are_not_pooled() -> None:
    """Null pieces; A is found mostly at tables of 2, B at tables of 5."""
    rng = np.random.default_rng(31)
    shares, counts = [], []
    for n, often in ((2, (0.6, 0.2)), (5, (0.15, 0.65))):
        kind = np.searchsorted(np.cumsum(often), rng.random((8_000, n)))
        counts.append((kind[..., None] == np.arange(3)).astype(np.int16))
        shares.append(winners(rng.random((8_000, n))))
    won = np.concatenate([part.ravel() for part in shares])
    held = np.concatenate([part.reshape(-1, 3) for part in counts])
    naive = [won[held[:, k] > 0].mean() for k in range(2)]
    assert naive[0] - naive[1] > 0.359 - 0.274
    d = from_shares(shares, counts=counts, pieces=["A", "B", "C"])
    ours = analysis.piece_strength(d)
    assert within(ours, np.zeros(3))
    assert set(ours["verdict"]) == {"balanced"}
    par = analysis.goes_with_winning(d).filter(pl.col("measure") == "owned")["par"].to_numpy()
    assert np.abs(par - 1).max() < 0.03


def test_pt8_many_pieces_are_corrected() -> None:
    """60 pieces, 6 of them real."""
    rng = np.random.default_rng(32)
    runs, naive, wrong, power = 400, 0, [], []
    for _ in range(runs):
        z = rng.standard_normal(60)
        z[:6] += rng.choice([-1, 1], 6) * rng.uniform(3, 5, 6)
        p = stats.effects(z, np.ones(60), 1e7).p()
        flagged = stats.bh(p) < 0.05
        naive += int((p[6:] < 0.05).sum())
        wrong.append(flagged[6:].sum() / max(flagged.sum(), 1))
        power.append(flagged[:6].mean())
    assert naive / runs > 2.4
    assert np.mean(wrong) < 0.07
    assert np.mean(power) > 0.75


def test_pt9_small_samples_do_not_top_the_list() -> None:
    """True shares N(.5, .02), from 40 to 8,000 games each."""
    rng = np.random.default_rng(33)
    kept: dict[str, list[float]] = {key: [] for key in ("raw", "eb", "raw n", "eb n", "raw top", "eb top")}
    for _ in range(100):
        true = rng.normal(0.5, 0.02, 60)
        n = np.exp(rng.uniform(np.log(40), np.log(8_000), 60)).astype(int)
        seen = rng.binomial(n, true) / n
        shrunk = stats.empirical_bayes(seen, np.sqrt(0.25 / n)).estimate
        for name, value in (("raw", seen), ("eb", shrunk)):
            best = np.argsort(-value)[:5]
            kept[name].append(np.mean(np.square(value - true)))
            kept[f"{name} n"].append(n[best].mean())
            kept[f"{name} top"].append(true[best].mean())
    mean = {name: float(np.mean(values)) for name, values in kept.items()}
    assert np.sqrt(mean["raw"]) > 0.030
    assert np.sqrt(mean["eb"]) < 0.016
    assert mean["raw n"] < 600
    assert mean["eb n"] > 2_300
    assert mean["eb top"] - mean["raw top"] > 0.008


def test_strength_recovers_planted_effects() -> None:
    planted = {"Rats": 0.3, "Fly": -0.25, "Oak": 0.05}
    d = make(deals=5_000, piece=planted, deal_spread=0.0, log="pieces").dataset()
    ours = analysis.piece_strength(d)
    assert within(ours, contrast(planted))
    verdicts = dict(zip(ours["piece"], ours["verdict"], strict=True))
    assert verdicts["Rats"] == "strong"
    assert verdicts["Fly"] == "weak"
    assert all(verdicts[name] == "balanced" for name in PIECES if name not in ("Rats", "Fly"))
    # A copy more instead of the average other piece, played out on the same utilities.
    slope = ours["estimate"] / ours["log_odds"]
    assert slope.to_numpy() == pytest.approx(np.full(11, 0.205), abs=0.01)


def test_leaving_one_piece_out_makes_it_the_yardstick() -> None:
    """Team counts add up to 12, so one column must go; read against strong Rats everything else looks weak."""
    planted = {"Rats": 0.3}
    d = make(deals=5_000, players=2, piece=planted, deal_spread=0.0, log="pieces").dataset()
    model = piece_model(d)
    games = model.games
    rest = [k for k, name in enumerate(PIECES) if name != "Rats"]
    every = np.arange(len(games))
    naive = stats.conditional_logit(
        games.pad(np.delete(model.counts, PIECES.index("Rats"), axis=1), every),
        games.pad(games.win_share, every),
        games.blocks,
    )
    assert (naive.beta < -0.2).all()
    ours = analysis.piece_strength(d)
    assert within(ours, contrast(planted))
    assert {ours["verdict"][k] for k in rest} == {"balanced"}


def test_victory_lap_is_not_strength() -> None:
    """Winners play more of everything: played figures flatter a null piece, assigned ones do not."""
    d = make(deals=4_000, piece={}, log="pieces").dataset()
    played = analysis.goes_with_winning(d).filter(pl.col("measure") == "played")
    assert played["low"].min() > 0.05
    ours = analysis.piece_strength(d)
    assert within(ours, np.zeros(11))
    assert set(ours["verdict"]) == {"balanced"}


def test_strength_by_copy_finds_a_ceiling() -> None:
    """Only the first copy is worth anything."""
    rng = np.random.default_rng(34)
    counts = rng.multinomial(4, [0.25] * 4, size=(20_000, 2))
    utility = 0.6 * (counts[..., 0] >= 1) + rng.gumbel(size=(20_000, 2))
    d = from_shares(winners(utility), counts=counts, pieces=list("ABCD"))
    ours = analysis.piece_strength(d, copies=True)
    first, second = (
        ours.row(by_predicate=(pl.col("piece") == "A") & (pl.col("copy") == c), named=True) for c in (1, 2)
    )
    assert first["log_odds_low"] < 0.6 < first["log_odds_high"]
    assert second["low"] < 0 < second["high"]


def test_different_bots_do_not_colour_the_pieces() -> None:
    d = make(
        deals=6_000, players=2, bots=("greedy", "rush"), bot={"rush": 1.0}, piece={"Rats": 0.2}, log="pieces"
    )
    ours = analysis.piece_strength(d.dataset())
    assert within(ours, contrast({"Rats": 0.2}))


def test_ranges_that_are_meant_shape_the_verdict() -> None:
    judge = {"seat": 0.02, "piece": 0.03, "pieces": {"Rats": [0.02, 0.08]}}
    d = make(deals=4_000, piece={"Rats": 0.25}, judge=judge, log="pieces").dataset()
    row = analysis.piece_strength(d).row(by_predicate=pl.col("piece") == "Rats", named=True)
    assert row["flag"] == "above"
    assert row["verdict"] == "balanced"
    assert (row["target_low"], row["target_high"]) == (0.02, 0.08)


def test_games_without_the_lever_do_not_water_strength_down() -> None:
    """Half of the games had other teams (a draft, say): their pieces were not assigned, and tell nothing."""
    made = make(deals=2_000, players=2, piece={"Rats": 0.3}, log="pieces", factors={"draft": [False, True]})
    alone = analysis.piece_strength(made.dataset().filter(draft=False))
    pieces = made.tables["pieces"]
    made.tables["pieces"] = pieces.with_columns(assigned=pl.when(pl.col("cell") == 0).then("assigned"))
    assert analysis.piece_strength(made.dataset()).equals(alone)


def test_strength_needs_random_assignment() -> None:
    d = make(deals=50, random_teams=False, log="pieces").dataset()
    with pytest.raises(analysis.Refusal, match="not assigned at random"):
        analysis.piece_strength(d)


def test_piece_that_is_never_assigned_is_named_not_guessed() -> None:
    d = make(deals=400, factors={"bans": ["Wolf"]}, log="pieces").dataset()
    ours = analysis.piece_strength(d)
    wolf = ours.row(by_predicate=pl.col("piece") == "Wolf", named=True)
    assert wolf["estimate"] is None
    assert wolf["verdict"] == "undecided"
    assert "never assigned" in wolf["note"]
    assert ours.filter(pl.col("piece") != "Wolf")["estimate"].null_count() == 0


@pytest.mark.parametrize("design", ["drawn", "paired"])
def test_bans_change_other_pieces_as_planted(design: str) -> None:
    how = {"drawn_bans": 3} if design == "drawn" else {"factors": {"bans": ["none", "Wolf", "Oak"]}}
    planted = {("Wolf", "Fly"): 0.4}
    d = make(deals=4_000, players=2, ban_on_piece=planted, deal_spread=0.0, log="pieces", **how).dataset()
    found = analysis.ban_effects_on_pieces(d)
    assert set(found["design"]) == {design}
    hit = found.row(by_predicate=(pl.col("banned") == "Wolf") & (pl.col("piece") == "Fly"), named=True)
    se = (hit["high"] - hit["low"]) / (2 * 1.96) * hit["log_odds"] / hit["estimate"]
    assert abs(hit["log_odds"] - 0.4) < 3 * se
    assert hit["q"] < 0.001
    # The average other piece moves too, by a ninth of it; nothing else does.
    rest = found.filter(pl.col("banned") != "Wolf")
    assert (rest["q"] < 0.05).mean() < 0.06
    assert not (found["banned"] == found["piece"]).any()


def test_bans_change_seats_as_planted() -> None:
    d = make(
        deals=5_000, players=2, seat=(0.0,), drawn_bans=3, ban_on_seat={("Oak", 0): 0.5}, log="pieces"
    ).dataset()
    found = analysis.ban_effects_on_seats(d)
    oak = found.row(by_predicate=pl.col("banned") == "Oak", named=True)
    rest = found.filter(pl.col("banned") != "Oak")
    assert oak["first_seat_low"] > 0.06
    assert oak["low"] > 0.05
    assert oak["q"] < 0.05
    assert (rest["first_seat_q"] < 0.05).sum() == 0
    assert (rest["q"] < 0.05).sum() == 0


def test_ban_gap_is_not_made_of_noise() -> None:
    """Even seats, few games: the raw gap is always positive, the corrected one is near 0."""
    raw, ours, alarms = [], [], 0
    for seed in range(30):
        d = make(
            deals=200, players=3, seat=(0.0,), deal_spread=0.0, drawn_bans=3, log="games", seed=seed
        ).dataset()
        shares = analysis.seat_balance(d.filter(pl.col("bans").str.contains("Oak")))["estimate"].to_numpy()
        raw.append(np.sqrt(np.mean(np.square(shares - 1 / 3))))
        row = analysis.ban_effects_on_seats(d).row(by_predicate=pl.col("banned") == "Oak", named=True)
        ours.append(row["with_ban"])
        alarms += not row["low"] <= 0 <= row["high"]
    assert np.mean(raw) > 0.02
    assert np.mean(ours) < 0.7 * np.mean(raw)
    assert alarms <= 5


def test_no_bans_is_said() -> None:
    with pytest.raises(analysis.Refusal, match="no bans"):
        analysis.ban_effects_on_pieces(make(deals=50, log="pieces").dataset())
