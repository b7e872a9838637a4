"""The bots: what they promise in `sim.bots`, seen in Migration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.checks.table import Table, make_cell, make_job, stream_of
from sim.core import bots
from sim.core.bots import bot_set
from sim.core.contract import apply, choose, features
from sim.core.errors import Refusal
from sim.core.game import get_game
from sim.core.loop import seat_bot
from sim.core.play import play_chunk
from sim.core.seeds import deal_seed

MIGRATION = get_game("migration")
FEATURES = MIGRATION.features


def bot_of(name: str, **options: Any) -> Any:
    """Return the record of one bot in the set of both."""
    cell = make_cell(MIGRATION, ["greedy", "random"], 2)
    cell.bots = [(name, options), ("random" if name == "greedy" else "greedy", {})]
    return bot_set(MIGRATION, [cell])[1][0, :1].copy()[0]


def picks(bot: Any, table: Table, actions: Sequence[int], streams: int) -> list[int]:
    """Return what the bot chooses with so many different streams."""
    codes = np.array([*actions, 0], dtype=np.int32)
    desks = bot_set(MIGRATION, [make_cell(MIGRATION, ["greedy", "random"], 2)])[2]
    found = []
    for k in range(streams):
        before = table.copy()
        found.append(int(choose(bot, table.rules, before[0], codes, len(actions), stream_of(7, k), desks)))
    return found


def test_chunks_of_a_run_share_the_set_of_bots() -> None:
    """A tier of greedy and one of flat are played by the same machine code, with the same games as alone."""
    dtypes, every = set(), ("greedy", "flat", "random")
    for name in every:
        cell = make_cell(MIGRATION, [name], 2)
        cell.bots = [(name, {"playouts": 4} if name == "flat" else {})] * 2
        names, bank, desks = bot_set(MIGRATION, [cell], every)
        assert names == tuple(sorted(every))
        dtypes.add((bank.dtype, tuple(desk.nodes.dtype for desk in desks)))
        job = make_job([cell], [11, 12])
        alone, among = (play_chunk(MIGRATION, [cell], job, "games", bots) for bots in ((), every))
        for column, values in alone.games.items():
            assert (values == among.games[column]).all(), column
    assert len(dtypes) == 1


# --- names, options, records ---------------------------------------------------------------------------------


def test_every_bot_describes_itself() -> None:
    for name in bots.bot_names():
        row = bots.describe(name)
        assert row["name"] == name
        assert row["about"]
        assert all({"default", "range", "help"} <= set(option) for option in row["options"].values())


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("greedyy", {}, "there is no bot 'greedyy'; did you mean 'greedy'?"),
        ("greedy", {"jiter": 0.1}, "bot 'greedy' has no option 'jiter'; did you mean 'jitter'?"),
        ("greedy", {"jitter": 1.5}, "bot 'greedy': jitter = 1.5 is not between 0.0 and 1.0"),
        ("greedy", {"jitter": True}, "bot 'greedy': jitter = True is not between 0.0 and 1.0"),
        (
            "greedy",
            {"weights": {"pionts": 1.0}},
            "bot 'greedy': there is no feature 'pionts'; did you mean 'points'?",
        ),
        (
            "greedy",
            {"weights": {"points": "much"}},
            "bot 'greedy': the weight of 'points' must be a number",
        ),
        ("greedy", {"weights": 3}, "bot 'greedy': weights must be a table, such as { points = 1.0 }"),
        ("random", {"jitter": 0.1}, "bot 'random' has no option 'jitter'"),
    ],
)
def test_options_are_checked(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(Refusal) as error:
        bots.check_options(name, options, MIGRATION)
    assert str(error.value) == message


def test_good_options_are_handed_on() -> None:
    options = {"jitter": 0.2, "weights": {FEATURES[0]: 2, FEATURES[1]: -0.5}}
    assert bots.check_options("greedy", options, MIGRATION) == options
    record = bot_of("greedy", **options)
    assert record.common.jitter == 0.2
    assert record.common.weights[0] == 2.0
    assert record.common.weights[1] == -0.5
    assert record.common.weights[2] == MIGRATION.weights[2]
    assert record.common.n_features == len(FEATURES)


def test_a_set_of_bots_is_a_type_that_names_them() -> None:
    dtype = bots.set_type(("greedy", "random"), 32)
    fields = [name for name in dtype.names if "_" in name and name.split("_")[0] in bots.bot_names()]
    assert fields == [bots.field_of("greedy"), bots.field_of("random")]
    assert all(len(field.split("_")[1]) == 8 for field in fields), "with a hash of each one's source"


# --- random --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ply", [0, 3, 6])
def test_random_is_uniform(ply: int) -> None:
    table = Table(MIGRATION, make_cell(MIGRATION, ["greedy", "random"], 2), 11)
    for _ in range(ply):
        table.play(table.actions()[0])
    actions = table.actions()
    assert len(actions) > 2
    counts = np.bincount(picks(bot_of("random"), table, actions, 60 * len(actions)), minlength=len(actions))
    assert stats.chisquare(counts).pvalue > 1e-5


def test_random_stays_random_beside_greedy() -> None:
    """Code compiled for a set of one bot must not serve a larger set."""
    shares = []
    for names in (["random"], ["greedy"], ["greedy", "random"]):
        cell = make_cell(MIGRATION, names, 2)
        chunk = play_chunk(
            MIGRATION, [cell], make_job([cell], deal_seed(3, range(300)).tolist()), "decisions"
        )
        assert chunk.decisions is not None
        passes = chunk.decisions["action"] == 0
        seat = chunk.decisions["seat"] == 1
        shares.append(passes[seat].mean())
    alone, greedy, beside = shares
    assert greedy < alone / 2
    assert abs(beside - alone) < abs(beside - greedy)


# --- greedy --------------------------------------------------------------------------------------------------


def values(bot: Any, table: Table, actions: Sequence[int]) -> list[float]:
    """Return what each action is worth to the bot: weighted features of the position right after it."""
    found = []
    for action in actions:
        after = table.copy()
        apply(table.rules, after[0], np.int32(action))
        features(table.rules, after[0], table.seat, table.numbers)
        total = 0.0
        for k in range(len(FEATURES)):
            total += float(bot.common.weights[k]) * float(table.numbers[k])
        found.append(total)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_greedy_takes_the_best_and_breaks_ties_at_random(seed: int) -> None:
    bot = bot_of("greedy", jitter=0.0)
    table = Table(MIGRATION, make_cell(MIGRATION, ["greedy", "random"], 2), seed)
    ties = 0
    while not table.over:
        actions = table.actions()
        worth = values(bot, table, actions)
        best = [k for k, value in enumerate(worth) if value == max(worth)]
        chosen = picks(bot, table, actions, 3 if len(best) == 1 else 25 * len(best))
        assert set(chosen) == set(best)
        ties += len(best) > 1
        table.play(actions[chosen[0]])
    assert ties > 0


def test_greedy_without_wishes_is_random() -> None:
    """All actions tie: each must be as likely as the others, the first and the last too."""
    bot = bot_of("greedy", jitter=0.0, weights=dict.fromkeys(FEATURES, 0.0))
    table = Table(MIGRATION, make_cell(MIGRATION, ["greedy", "random"], 2), 11)
    actions = table.actions()
    counts = np.bincount(picks(bot, table, actions, 80 * len(actions)), minlength=len(actions))
    assert stats.chisquare(counts).pvalue > 1e-5


def test_jitter_belongs_to_deal_and_player() -> None:
    def weights(seed: int, player: int, **options: Any) -> Any:
        bot = bot_of("greedy", **options)
        seat_bot(bot, np.uint64(seed), player)
        return bot.common.weights[: len(FEATURES)] / np.array(MIGRATION.weights)

    usual = weights(1, 0)
    assert 0.0 < abs(usual - 1.0).max() <= 0.1, "on by default in a game without chance after set-up"
    np.testing.assert_array_equal(usual, weights(1, 0))
    assert (usual != weights(2, 0)).all()
    assert (usual != weights(1, 1)).all()
    assert (weights(1, 0, jitter=0.0) == 1.0).all()
    wide = np.array([weights(seed, 0, jitter=0.5) for seed in range(60)])
    assert stats.kstest((wide.ravel() - 0.5), "uniform").pvalue > 1e-5
    assert bot_of("random").common.jitter == 0.0


@pytest.mark.parametrize(
    ("players", "least"), [(2, 0.9), (3, 0.8), (4, 0.7)], ids=["2 players", "3 players", "4 players"]
)
def test_greedy_beats_random(players: int, least: float) -> None:
    """One greedy player among random ones, at each seat as often; a random one would win 1 in `players`."""
    cell = make_cell(MIGRATION, ["greedy", *["random"] * (players - 1)], players)
    seatings = [[(k + shift) % players for k in range(players)] for shift in range(players)]
    job = make_job([cell], deal_seed(1, range(200)).tolist(), seatings)
    shares = play_chunk(MIGRATION, [cell], job, "games").seats["win_share"]
    mine = shares[np.arange(len(shares)), (job.who == 0).argmax(axis=1)].reshape(-1, players)
    assert mine.mean() > least
    assert (mine.mean(axis=0) > 1.3 / players).all(), "from every seat"
