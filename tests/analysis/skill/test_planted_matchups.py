"""Planted truth for matchups, standings and the equilibrium."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.skill.pairings import nash
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make


def field(chance: np.ndarray, names: list[str], deals: int, seat: float = 0.0, seed: int = 1) -> Dataset:
    """Every pair of names, each deal in both seats; ``chance[i, j]``: i beats j."""
    rng = np.random.default_rng([seed, 9])
    shares, decks, deal, player = [], [], [], []
    for pair, (i, j) in enumerate(itertools.combinations_with_replacement(range(len(names)), 2)):
        for turn in range(2):
            here = np.arange(deals) + pair * deals
            a, b = (i, j) if turn == 0 else (j, i)
            won = rng.random(deals) < chance[a, b] + seat
            shares.append(np.stack([won, ~won], axis=1).astype(float))
            decks += [[names[a], names[b]]] * deals
            deal.append(here)
            player += [[turn, 1 - turn]] * deals
    data = from_shares(
        np.concatenate(shares), rotations=True, deal=np.concatenate(deal), player=np.array(player)
    )
    seats = data.seats.with_columns(deck=pl.Series(np.array(decks).ravel(), dtype=pl.Enum(names)))
    return with_tables(data, {"categories": {"deck": names, "bot": ["greedy"]}}, seats=seats)


CIRCLE = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])


def test_matrix_is_recovered_and_adds_up() -> None:
    """Seat A wins 10 points more: both seats are played, so the matrix does not show it."""
    names = ["rush", "control", "wasteland"]
    found = analysis.matchups(field(CIRCLE, names, 1_500, seat=0.1))
    at = {(r["row"], r["column"]): r for r in found.iter_rows(named=True)}
    for i, j in itertools.permutations(range(3), 2):
        row, back = at[names[i], names[j]], at[names[j], names[i]]
        assert row["low"] < CIRCLE[i, j] < row["high"]
        assert row["estimate"] + back["estimate"] == pytest.approx(1)
        assert row["eb"] + back["eb"] == pytest.approx(1)
        assert row["verdict"] == ("ahead" if CIRCLE[i, j] > 0.5 else "behind")
    mirrors = found.filter(pl.col("mirror"))
    assert len(mirrors) == 3
    assert mirrors["p"].min() > 0.001
    assert mirrors["verdict"].null_count() == 3


def test_a_mirror_that_is_off_is_seen() -> None:
    data = field(CIRCLE, ["a", "b", "c"], 600)
    seats = data.seats.collect()
    # Player 0 gets the win of every fourth mirror that it lost.
    ids = seats.filter((pl.col("deck") == "a").all().over("game_id"))["game_id"].unique().sort()[::4]
    seats = seats.with_columns(
        win_share=pl.when(pl.col("game_id").is_in(ids.implode()))
        .then((pl.col("player") == 0).cast(pl.Float64))
        .otherwise(pl.col("win_share"))
    )
    found = analysis.matchups(with_tables(data, seats=seats.lazy())).filter(pl.col("mirror"))
    assert found["p"][0] < 1e-6


def test_pt14_equilibrium_is_not_fooled_by_clones() -> None:
    """Rock, paper, scissors with four more copies of the first: means move, the equilibrium does not."""
    kind = [0, 1, 2, 0, 0, 0, 0]
    chance = CIRCLE[np.ix_(kind, kind)]
    mass = nash(chance)
    by_kind = [sum(m for m, k in zip(mass, kind, strict=True) if k == one) for one in range(3)]
    assert by_kind == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert mass[[0, 3, 4, 5, 6]] == pytest.approx(np.full(5, 1 / 15), abs=2e-3)
    names = [f"{'abc'[k]}{i}" for i, k in enumerate(kind)]
    found = analysis.standing(field(chance, names, 2_000)).sort("name")
    mean = found["estimate"].to_numpy()
    assert mean[found["name"].to_list().index("b1")] < 0.42
    assert mean[found["name"].to_list().index("c2")] > 0.58
    kinds = found.group_by(pl.col("name").str.slice(0, 1)).agg(pl.col("nash").sum()).sort("name")["nash"]
    assert kinds.to_numpy() == pytest.approx(np.full(3, 1 / 3), abs=0.06)
    assert (found["nash_low"] <= found["nash_high"]).all()


def test_standing_counts_opponents_alike() -> None:
    data = field(np.array([[0.5, 0.6, 0.8], [0.4, 0.5, 0.5], [0.2, 0.5, 0.5]]), ["a", "b", "c"], 2_000)
    row = analysis.standing(data).row(0, named=True)
    assert row["name"] == "a"
    assert row["low"] < 0.7 < row["high"]
    assert row["opponents"] == 2


def test_null_field_gives_few_alarms() -> None:
    alarms = 0
    for seed in range(15):
        found = analysis.matchups(field(np.full((4, 4), 0.5), list("abcd"), 100, seed=seed))
        alarms += int((found["q"] < 0.05).any())
    assert alarms <= 3


def test_three_at_a_table_are_compared_by_who_finishes_ahead() -> None:
    data = make(
        deals=2_000, bots=("greedy", "rush", "wild"), bot={"rush": 0.6}, seat=(), piece={}, log="games"
    ).dataset()
    found = analysis.matchups(data)
    at = {(r["row"], r["column"]): r["estimate"] for r in found.iter_rows(named=True)}
    assert at["rush", "greedy"] > 0.58
    assert at["greedy", "wild"] == pytest.approx(0.5, abs=0.03)
    assert analysis.standing(data)["name"][0] == "rush"


def test_alike_players_have_no_matchups() -> None:
    data = from_shares(winners(np.random.default_rng(1).random((30, 2))))
    with pytest.raises(analysis.Refusal, match="all players are alike"):
        analysis.matchups(data)
    with pytest.raises(analysis.Refusal, match="did you mean 'deck'"):
        analysis.matchups(data, of="decks")


def named(shares: np.ndarray, player: np.ndarray, bots: dict[str, str], **columns: object) -> Dataset:
    """A data set of named players; `bots` has the bot of each."""
    data = from_shares(shares, player=player, **columns)  # type: ignore[arg-type]
    names = list(bots)
    bot = (
        pl.col("player").cast(pl.Int64).replace_strict(dict(enumerate(bots.values())), return_dtype=pl.String)
    )
    more = {"categories": {"player": names, "bot": sorted(set(bots.values()))}}
    more["experiment"] = {"player": [{"name": name, "bot": bots[name]} for name in names]}
    return with_tables(data, more, seats=data.seats.with_columns(bot=bot))


def test_players_are_called_by_their_names() -> None:
    rng = np.random.default_rng(60)
    player = np.where(rng.random(400)[:, None] < 0.5, [0, 1], [1, 0])
    shares = (player == 0) * 1.0
    shares[rng.random(400) < 0.2] = 0.5
    found = analysis.win_share_by(
        named(shares, player, {"Ann": "greedy", "Bea": "rush"}), "cell", of="player"
    )
    assert found["who"].to_list() == ["Ann", "Bea"]
    assert found["estimate"][0] == pytest.approx(0.9, abs=0.03)


def test_mirror_games_do_not_water_a_headline_down() -> None:
    """Rush wins 80 % against control; half of its games are against itself, and tell nothing of it."""
    chance = np.array([[0.5, 0.8], [0.2, 0.5]])
    found = analysis.win_share_by(field(chance, ["rush", "control"], 1_000), "cell", of="deck")
    rush = found.row(by_predicate=pl.col("who") == "rush", named=True)
    assert rush["low"] < 0.8 < rush["high"]
    assert rush["low"] > 0.75
    assert rush["games"] == 2_000
    assert rush["p"] < 1e-6
    assert rush["q"] is None
    standing = analysis.standing(field(chance, ["rush", "control"], 1_000)).row(0, named=True)
    assert standing["games"] == 2_000


def test_a_mirror_that_does_not_rotate_is_the_effect_of_the_seat() -> None:
    """Alike players are not moved: 60 % is what the earlier seat wins, and said to be that."""
    rng = np.random.default_rng(61)
    first = (rng.random(2_000) < 0.6) * 1.0
    data = named(
        np.stack([first, 1 - first], axis=1), np.tile([0, 1], (2_000, 1)), {"a": "greedy", "b": "greedy"}
    )
    seat = analysis.matchups(data).row(0, named=True)
    assert seat["mirror"]
    assert seat["tells"] == "seat"
    assert seat["verdict"] is None
    assert "what the earlier seat wins" in seat["note"]
    shares = analysis.win_share_by(data, "cell", of="player")
    assert shares["who"].to_list() == ["a", "b"]
    assert "always in Seat A: the seat's effect" in shares["note"][0]
    turned = analysis.matchups(field(CIRCLE, ["a", "b", "c"], 200)).filter("mirror")
    assert turned["tells"].to_list() == ["check"] * 3


def test_players_that_are_alike_are_one_class() -> None:
    """Two names for one bot: no result against each other, one part of the equilibrium between them."""
    rng = np.random.default_rng(62)
    player = np.concatenate(
        [np.tile(pair, (400, 1)) for pair in ([0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1])]
    )
    first = rng.random(len(player)) < np.where(player[:, 0] == 2, 0.7, np.where(player[:, 1] == 2, 0.3, 0.5))
    data = named(
        np.stack([first, ~first], axis=1) * 1.0,
        player,
        {"one": "greedy", "two": "greedy", "best": "rush"},
        deal=np.concatenate([np.tile(np.arange(400), 2) + 400 * k for k in range(3)]),
    )
    pairs = analysis.matchups(data)
    twins = pairs.filter(pl.col("row") == "one", pl.col("column") == "two").row(0, named=True)
    assert twins["mirror"]
    assert twins["verdict"] is None
    found = {r["name"]: r for r in analysis.standing(data).iter_rows(named=True)}
    assert found["one"]["opponents"] == 1
    assert found["best"]["nash"] == pytest.approx(1.0, abs=1e-6)
    # With nobody better the two share the equilibrium; they are no "100 % and 0 %".
    even = data.seats.with_columns(win_share=pl.lit(0.5), rank=pl.lit(1))
    alike = {r["name"]: r for r in analysis.standing(with_tables(data, seats=even)).iter_rows(named=True)}
    assert alike["one"]["nash"] == pytest.approx(alike["two"]["nash"], abs=1e-9)
    only = named(
        np.stack([first, ~first], axis=1)[:800] * 1.0, player[:800], {"one": "greedy", "two": "greedy"}
    )
    with pytest.raises(analysis.Refusal, match="alike"):
        analysis.standing(only)


def test_who_plays_is_a_factor_of_its_own() -> None:
    """An experiment that varies the players alone: by = d.factors gives the pairings, not the number of players."""
    rng = np.random.default_rng(63)
    cells = pl.DataFrame(
        {"cell": pl.Series([0, 1], dtype=pl.Int32), "players": ["greedy vs rush", "rush vs wild"]}
    )
    d = from_shares(winners(rng.random((600, 2))), cell=np.repeat([0, 1], 300).astype(np.int32), cells=cells)
    assert d.factors == ["players"]
    seats = analysis.seat_balance(d, by=d.factors)
    assert seats["pairing"].to_list() == ["greedy vs rush"] * 2 + ["rush vs wild"] * 2
    assert seats["players"].to_list() == [2] * 4
    assert (
        analysis.win_share_by(d, "players")["level"].unique().sort().to_list() == cells["players"].to_list()
    )
    assert analysis.seat_tests(d, by="players.count")["players.count"].to_list() == [2]
    sizes = make(deals=30, factors={"players.count": [2, 3]}, log="games").dataset()
    assert analysis.seat_tests(sizes, by="players")["players"].to_list() == [2, 3]
