"""Drafts, series, teams that bots build, values that the game expands: on the game of numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sim.batch import store
from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from sim.batch.toml_text import to_toml
from sim.batch.verify import verify
from sim.core.errors import Refusal
from tests.batch.helpers import play, same_rows, tables

DRAFT = {"vary": {"draft": [False, True], "players.count": [2, 3]}}
NAMED = [{"name": "x"}, {"name": "y", "bot": "random"}, {"name": "z", "deck": "bot"}]


def plan_of(**more: object) -> object:
    return make_plan(read_experiment({"game": "numbers", **more}))


def test_drafts_are_a_table_where_some_cell_drafts(tmp_path: Path) -> None:
    play(tmp_path / "a", 300, **DRAFT)
    found = tables(tmp_path / "a")
    drafts, games = found["drafts"], found["games"]
    schema = store.read_manifest(tmp_path / "a")["schema_tables"]["drafts"]
    assert list(schema) == drafts.columns
    drafted = games.filter(pl.col("cell") >= 2)
    assert drafts["game_id"].n_unique() == drafted.height == 600
    assert drafts.height == 2 * drafted["players"].cast(pl.Int64).sum()
    assert drafts["taken"].sum() * 2 == drafts.height
    assert (drafts["splitter"] != drafts["chooser"]).all()
    same = drafts.join(games, on=["game_id", "cell", "deal"], how="semi")
    assert same.height == drafts.height
    assert drafts["piece"].dtype == pl.Enum(["Ant", "Bee", "Big Cow"])


@pytest.mark.parametrize("more", [{"log": "games", **DRAFT}, {"vary": {"worth": [1, 2]}}])
def test_no_table_of_drafts_without_drafts_or_pieces(tmp_path: Path, more: dict[str, object]) -> None:
    play(tmp_path / "a", 10, **more)
    assert "drafts" not in tables(tmp_path / "a")
    assert not (tmp_path / "a" / "drafts").exists()


def test_drafts_resume_and_verify(tmp_path: Path) -> None:
    play(tmp_path / "a", 100, **DRAFT)
    play(tmp_path / "a", 400, jobs=2, **DRAFT)
    play(tmp_path / "b", 400, **DRAFT)
    assert same_rows(tmp_path / "a", tmp_path / "b")
    assert verify(tmp_path / "a", 200).problems == []


def test_verify_plays_drafts_again(tmp_path: Path) -> None:
    play(tmp_path / "a", 20, **DRAFT)
    (entry,) = [e for e in store.read_commits(tmp_path / "a") if e["parts"]["drafts"]["rows"]][:1]
    part = entry["parts"]["drafts"]
    frame = pl.read_parquet(tmp_path / "a" / part["file"]).with_columns(taken=~pl.col("taken"))
    before = part["sha256"]
    log = (tmp_path / "a" / store.COMMITS).read_text()
    again = store.write_part(tmp_path / "a", "drafts", entry["chunk"], frame)
    log = log.replace(before, again["sha256"]).replace(part["file"], again["file"])
    (tmp_path / "a" / store.COMMITS).write_text(log)
    assert [p.split(":")[0] for p in verify(tmp_path / "a").problems] == [
        f"'{tmp_path / 'a' / again['file']}'"
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_series_makes_each_player_founder_once(tmp_path: Path, players: int) -> None:
    play(tmp_path / "a", 13, series=True, vary={"players.count": [players]})
    found = tables(tmp_path / "a")
    games, seats = found["games"], found["seats"]
    assert games.height == -(-13 // players) * players
    assert games["series"].to_list() == [i // players for i in range(games.height)]
    assert games["deal"].to_list() == list(range(games.height)), "every game has its own deal"
    last = seats.join(games.select("game_id", "series"), on="game_id").filter(seat=players - 1)
    for _, mine in last.group_by("series"):
        assert sorted(mine["player"]) == list(range(players))
    assert store.read_manifest(tmp_path / "a")["series"] is True
    assert verify(tmp_path / "a").problems == []


def test_series_are_the_same_for_any_way_to_the_target(tmp_path: Path) -> None:
    for jobs, games in ((1, 100), (2, 300)):
        play(tmp_path / "a", games, jobs=jobs, series=True)
    play(tmp_path / "b", 300, series=True)
    assert same_rows(tmp_path / "a", tmp_path / "b")
    fresh = {"series": True, "share_deals": False}
    play(tmp_path / "c", 60, **fresh)
    games = tables(tmp_path / "c")["games"]
    assert games["deal"].n_unique() == games.height
    sizes = games.group_by("series").agg(pl.len(), pl.col("players").first())
    assert (sizes["len"] == sizes["players"]).all()


def test_games_without_series_have_none(tmp_path: Path) -> None:
    play(tmp_path / "a", 4)
    assert tables(tmp_path / "a")["games"]["series"].null_count() == 16
    assert "series" not in read_experiment({"game": "numbers"}).canonical()
    canonical = read_experiment({"game": "numbers", "series": True}).canonical()
    assert read_experiment(canonical).series


def test_decks_that_bots_build_need_no_entry() -> None:
    plan = plan_of(parameters={"teams": "bot:odd"})
    assert plan.decks == ["bot:odd"]
    assert [e.deck for e in plan.cells[0].entrants] == ["bot:odd"] * 2
    plan = plan_of(player=NAMED, players={"count": 3})
    assert plan.decks == ["bot", "random"]
    assert len(plan.orders[0]) == 6
    plan = plan_of(
        player=[{"name": "x"}, {"name": "y", "deck": "bot:plain"}],
        vary={"player.x.deck": ["bot:plain", "bot:odd", "random"]},
    )
    assert plan.decks == ["bot:odd", "bot:plain", "random"]
    assert [len(order) for order in plan.orders] == [1, 2, 2]


def test_a_matrix_of_styles() -> None:
    decks = {"plain": "bot:plain", "odd": "bot:odd", "cows": {"Big Cow": 4}}
    data = {"game": "numbers", "decks": decks, "parameters": {"teams": "every deck"}}
    plan = make_plan(read_experiment(data))
    assert [spec.opponents for spec in plan.specs] == ["plain vs odd", "plain vs cows", "odd vs cows"]
    assert plan.decks == ["cows", "odd", "plain"]
    assert [e.deck for e in plan.cells[1].entrants] == ["bot:plain", "cows"]
    again = read_experiment(read_experiment(data).canonical())
    assert again.hash() == plan.experiment.hash()
    assert "bot:plain" in to_toml(again.canonical())


def test_players_with_teams_of_their_own_are_never_alike() -> None:
    alike = [
        {"name": "a", "deck": "bot"},
        {"name": "b", "deck": "bot"},
        {"name": "c", "bot": "random", "deck": "bot"},
    ]
    plan = plan_of(player=alike, players={"count": 3})
    assert len(np.unique(plan.orders[0], axis=0)) == 6


def test_values_that_the_game_expands() -> None:
    plan = plan_of(vary={"bans": "every 1"})
    assert [cell.parameters["bans"] for cell in plan.cells] == [["Ant"], ["Bee"], ["Big Cow"]]
    assert plan.cell_rows(1)["bans"] == ["Ant", "Bee", "Big Cow"]
    assert read_experiment(plan.experiment.canonical()).hash() == plan.experiment.hash()


def test_a_list_may_mix_values_with_what_the_game_expands() -> None:
    plan = plan_of(vary={"bans": [[], ["Bee"], "every 1"]})
    assert plan.cell_rows(1)["bans"] == ["none", "Bee", "Ant", "Big Cow"]  # Bee, once named, comes once
    assert read_experiment(plan.experiment.canonical()).hash() == plan.experiment.hash()
    with pytest.raises(Refusal, match=r"'bans' in \[vary\] names a value twice: Bee"):
        plan_of(vary={"bans": ["every 1", ["Bee"]]})


def test_all_sets_of_bans_beside_none() -> None:
    plan = plan_of(game="migration", vary={"bans": ["none", ["Fly", "Wolf"], "every 2"]}, parameters={})
    sets = plan.cell_rows(1)["bans"]
    assert sets[:2] == ["none", "Fly+Wolf"]
    assert len(sets) == 1 + 11 * 10 // 2 - 1  # Bass and Wolf are not both banned
    assert "Wolf+Fly" not in sets
    for bad, line in {"evry 2": "evry 2", "every 0": "write 'every 3', with a number from 1 to 10"}.items():
        with pytest.raises(Refusal, match=line):
            plan_of(game="migration", vary={"bans": ["none", bad]}, parameters={})


def test_random_where_nothing_was_drawn_is_none(tmp_path: Path) -> None:
    """A cell whose parameter says "random" without drawing has "none" in the drawn column."""
    variants = [{"name": "drawn", "map": "drawn"}, {"name": "fixed", "map": "plain"}]
    play(tmp_path / "a", 10, variant=variants, vary={"worth": [1]}, parameters={})
    games = tables(tmp_path / "a")["games"]
    assert set(games.filter(pl.col("cell") == 1)["map"]) == {"plain"}
    assert all(text.startswith("board ") for text in games.filter(pl.col("cell") == 0)["map"])


def test_what_some_variants_draw_is_no_factor_beside_their_names() -> None:
    variants = [{"name": "drawn", "map": "drawn"}, {"name": "fixed", "map": "plain", "worth": 2}]
    plan = plan_of(variant=variants, vary={"pace": ["slow", "fast"]})
    assert plan.factors == ["variant", "pace", "worth"]
    assert list(plan.drawn) == ["map"]
    assert plan_of(vary={"map": ["plain", "drawn"]}).factors == ["map"]


def test_series_without_a_founder_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.core.game import get_game

    monkeypatch.setattr(type(get_game("numbers")), "has_founder", False)
    with pytest.raises(Refusal, match="'series' makes each player Founder once; numbers has no Founder"):
        plan_of(series=True)
