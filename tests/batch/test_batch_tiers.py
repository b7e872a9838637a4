"""Tiers of play: the same deals at several levels of play, games counted by tier, resumed and grown by tier."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import analysis
from sim.batch import store
from sim.batch.dry_run import estimate
from sim.batch.experiment import read_experiment
from sim.batch.layout import pending, pending_in_tiers
from sim.batch.manifest import open_folder
from sim.batch.plan import make_plan
from sim.batch.runner import run
from sim.core.errors import Refusal
from tests.batch.helpers import same_rows, tables

TIERS: dict[str, Any] = {"bots": ["random", "greedy", "flat:playouts=3"], "games": [60, 20, 6]}
DATA: dict[str, Any] = {"game": "numbers", "name": "tiers", "seed": 5, "vary": {"worth": [1, 2]}}
DATA |= {"players": {"count": 2}, "parameters": {"bans": "random 1"}, "tiers": TIERS}


def play(folder: Path, jobs: int = 1, games: int | None = None, **more: Any) -> Any:
    return run(read_experiment({**DATA, **more}, games=games), folder, jobs=jobs)


def counted(folder: Path) -> dict[tuple[str, str], int]:
    """Games by tier and level, and that `cells` says the same."""
    cells = pl.read_parquet(folder / store.CELLS)
    games = tables(folder)["games"].group_by("cell").len()
    found = cells.join(games.with_columns(pl.col("cell").cast(pl.Int32)), on="cell").sort("cell")
    assert found["games"].to_list() == found["len"].to_list()
    return {(row["tier"], str(row["worth"])): row["len"] for row in found.iter_rows(named=True)}


def test_each_tier_has_its_games_on_the_same_deals(tmp_path: Path) -> None:
    play(tmp_path / "a")
    counts = counted(tmp_path / "a")
    assert {tier: counts[tier, "1"] for tier in TIERS["bots"]} == dict(zip(TIERS["bots"], TIERS["games"]))
    games = tables(tmp_path / "a")["games"].join(
        pl.read_parquet(tmp_path / "a" / store.CELLS).select(pl.col("cell"), "tier"), on="cell"
    )
    by_tier = {tier: part.select("deal", "seed", "bans").unique() for (tier,), part in games.group_by("tier")}
    dear, cheap = by_tier["flat:playouts=3"], by_tier["random"]
    assert len(dear.join(cheap, on=["deal", "seed", "bans"])) == len(
        dear
    )  # the dear one plays the first deals
    seats = tables(tmp_path / "a")["seats"].join(games.select("game_id", "tier"), on="game_id")
    assert (seats["bot"].cast(pl.String) == seats["tier"]).all()
    manifest = store.read_manifest(tmp_path / "a")
    assert manifest["schema"] == 2
    assert manifest["factors"][0] == "tier"
    tiers = zip(TIERS["bots"], TIERS["games"])
    assert manifest["tiers"] == [{"bot": bot, "games": n, "bots": [bot]} for bot, n in tiers]


@pytest.mark.parametrize("tier", [None, "greedy", "random"])
def test_no_seats_are_read_to_open_a_tier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tier: str | None
) -> None:
    """They are in thousands of files; the manifest says who plays in a tier, that of an older data set does not."""
    players = [{"name": "x"}, {"name": "y", "bot": "random"}]
    play(tmp_path / "a", games=20, player=players, players={})
    read: list[int] = []
    collect = pl.LazyFrame.collect

    def counted(self: pl.LazyFrame, *given: Any, **named: Any) -> Any:
        read.append(1)
        return collect(self, *given, **named)

    monkeypatch.setattr(pl.LazyFrame, "collect", counted)
    whole = analysis.load(tmp_path / "a", tier="all")
    once = len(read)
    told = analysis.load(tmp_path / "a", tier).manifest["bots_used"]
    assert len(read) == 2 * once
    assert told == sorted({tier or "flat:playouts=3", "random"})
    for entry in whole.manifest["tiers"]:
        del entry["bots"]
    assert whole.at_tier(tier).manifest["bots_used"] == told
    assert len(read) > 2 * once


def test_rows_do_not_depend_on_workers_or_on_stops(tmp_path: Path) -> None:
    play(tmp_path / "whole")
    play(tmp_path / "two", jobs=2)
    assert same_rows(tmp_path / "whole", tmp_path / "two")
    play(tmp_path / "steps", games=20)  # a third of each tier
    assert counted(tmp_path / "steps")["flat:playouts=3", "2"] == 2
    result = play(tmp_path / "steps")
    assert result.before == 2 * (20 + 7 + 2)
    assert same_rows(tmp_path / "whole", tmp_path / "steps")


def test_more_games_at_the_dear_tier_go_on_and_fewer_keep_what_is_there(tmp_path: Path) -> None:
    play(tmp_path / "a")
    more = {"bots": TIERS["bots"], "games": [60, 20, 12]}
    assert play(tmp_path / "a", tiers=more).played == 12
    assert counted(tmp_path / "a")["flat:playouts=3", "1"] == 12
    assert play(tmp_path / "a").played == 0
    assert [tier["games"] for tier in store.read_manifest(tmp_path / "a")["tiers"]] == [60, 20, 12]
    other = {**TIERS, "bots": ["random", "greedy", "flat:playouts=5"]}
    with pytest.raises(Refusal, match=r"holds another experiment .*it differs in tiers"):
        play(tmp_path / "a", tiers=other)


def test_the_data_set_reads_back_as_the_same_experiment(tmp_path: Path) -> None:
    play(tmp_path / "a", games=20)
    manifest, experiment, plan = open_folder(tmp_path / "a")
    assert experiment.tiers == tuple(zip(TIERS["bots"], TIERS["games"]))
    assert plan.targets(manifest["games_per_cell"]) == (20, 7, 2)
    again = read_experiment(str(tmp_path / "a" / store.EXPERIMENT))
    assert again.hash() == experiment.hash()
    assert make_plan(again).total(again.games) == 2 * (20 + 7 + 2)


def test_without_numbers_all_tiers_play_as_many() -> None:
    plan = make_plan(read_experiment({**DATA, "tiers": {"bots": ["random", "greedy"]}, "games": 8}))
    assert plan.targets(8) == (8, 8)
    assert [plan.games_of(cell, 8) for cell in range(4)] == [8] * 4


def test_players_with_a_bot_of_their_own_keep_it() -> None:
    players = [{"name": "x"}, {"name": "y", "bot": "random"}]
    data = {**DATA, "player": players, "tiers": {"bots": ["greedy", "flat:playouts=3"]}, "players": {}}
    found = [[p.label for p in spec.players] for spec in make_plan(read_experiment(data)).specs]
    assert found == [["greedy", "random"]] * 2 + [["flat:playouts=3", "random"]] * 2


def test_a_tier_is_laid_out_as_if_it_were_alone() -> None:
    tiers, targets = (range(3), range(3, 6)), (900, 50)
    found = pending_in_tiers(tiers, "pieces", targets, [])
    for t, target in enumerate(targets):
        alone = list(pending(3, "pieces", target, []))
        assert [(c.number // 2, c.start, c.stop) for c in found[t]] == [
            (c.number, c.start, c.stop) for c in alone
        ]
        assert {c.number % 2 for c in found[t]} == {t}
        assert {i for c in found[t] for i in c.cells} == set(tiers[t])
    done = [(c.number, c.start, c.stop) for part in found for c in part]
    assert pending_in_tiers(tiers, "pieces", targets, done) == [[], []]


def test_what_it_costs_is_told_by_tier() -> None:
    found = estimate(make_plan(read_experiment(DATA)), jobs=1, seconds=0.3)
    assert [tier["bot"] for tier in found.tiers] == TIERS["bots"]
    assert [tier["games"] for tier in found.tiers] == [120, 40, 12]
    assert found.games == 172
    assert sum(tier["minutes"] for tier in found.tiers) == pytest.approx(found.minutes)
    assert json.dumps(found.data())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"tiers": {"bots": ["greedy"]}}, "'tiers.bots' must list two bots or more, weakest first"),
        ({"tiers": {"bots": ["greedy", "greedy"]}}, "'tiers.bots' names a bot twice"),
        ({"tiers": {"bots": ["greedy", "serch"]}}, "there is no bot 'serch'; did you mean 'search'?"),
        ({"tiers": {**TIERS, "games": [4, 4]}}, "a number of games for each of the 3 bots"),
        ({"tiers": {**TIERS, "games": [4, 0, 4]}}, "a number of games for each of the 3 bots"),
        ({"tiers": {**TIERS, "gmes": [4, 4]}}, "unknown key 'tiers.gmes'; did you mean 'games'?"),
        ({"players": {"bots": ["greedy"]}}, "bots are set in 'players.bots' and by [tiers]"),
        ({"player": [{"name": "x", "bot": "random"}]}, "every [[player]] has a bot of its own"),
    ],
)
def test_tiers_that_cannot_be(more: dict[str, Any], message: str) -> None:
    with pytest.raises(Refusal, match=re.escape(message)):
        make_plan(read_experiment({**DATA, **more}))
