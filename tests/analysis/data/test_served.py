"""Data sets that no run of ours wrote: what they lack is filled in, left out and named, or refused in words."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import analysis
from analysis.data.dataset import Dataset
from analysis.data.errors import Refusal
from analysis.report import write
from sim.batch.find import find
from sim.batch.verify import verify


def tables(games: int = 40, players: int = 3) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(5)
    score = rng.integers(0, 9, (games, players))
    ids = np.arange(games)
    seats = {
        "game_id": np.repeat(ids, players),
        "seat": np.tile(np.arange(players), games),
        "score": score.ravel(),
    }
    return pl.DataFrame({"game_id": ids}), pl.DataFrame(seats)


def folder(path: Path, games: pl.DataFrame, seats: pl.DataFrame) -> Path:
    """The least that a data set may be: no types, no hashes, no experiment; a byte order mark in each text."""
    path.mkdir()
    parts = {}
    for name, frame in (("games", games), ("seats", seats)):
        (path / name).mkdir()
        frame.write_parquet(path / name / "all.parquet")
        parts[name] = {"file": f"{name}/all.parquet", "rows": frame.height}
    pl.DataFrame({"cell": [0]}).write_parquet(path / "cells.parquet")
    head = {"schema": 2, "name": "by-hand", "game": "x", "log": "games", "factors": [], "judge": {}}
    (path / "manifest.json").write_text("\ufeff" + json.dumps(head), encoding="utf-8")
    (path / "commits.jsonl").write_text("\ufeff" + json.dumps({"parts": parts}) + "\n", encoding="utf-8")
    return path


def test_the_least_there_can_be_is_a_data_set_everywhere(tmp_path: Path) -> None:
    made = folder(tmp_path / "by-hand", *tables())
    d = analysis.load(made)
    assert (d.n_games, d.n_players) == (40, [3])
    shares = d.seats.collect()
    assert shares.group_by("game_id").agg(pl.col("win_share").sum())["win_share"].to_list() == [1.0] * 40
    best = shares.filter(pl.col("score") == pl.col("score").max().over("game_id"))
    assert (best["win_share"] == 1 / pl.Series(best.select(pl.len().over("game_id")))).all()
    assert analysis.seat_balance(d)["games"].to_list() == [40] * 3
    text = write(made).read_text(encoding="utf-8")
    assert "was not recorded" in text
    assert find(made).height == 10
    with pytest.raises(Exception, match="'turns' was not recorded"):
        find(made, "turns")
    found = verify(made)
    assert (found.problems, found.unplayable, found.recorded, found.games) == ([], "", True, 40)


@pytest.mark.parametrize("known", [0, 39])
def test_a_column_with_nulls_is_told_of_the_games_that_have_it(tmp_path: Path, known: int) -> None:
    games, seats = tables()
    whole = pl.Series([*(k % 4 for k in range(known)), *[None] * (40 - known)], dtype=pl.Int64)
    columns = dict.fromkeys(("turns", "lead_changes", "tied", "minutes", "margin", "ended_by"), whole)
    ended = pl.Series([*["finished"] * known, *[None] * (40 - known)], dtype=pl.String)
    made = folder(tmp_path / "by-hand", games.with_columns(**columns, ended=ended), seats)
    text = write(made).read_text(encoding="utf-8")
    assert "9223372036854775808" not in text
    assert ">nan<" not in text
    d = analysis.load(made)
    if known:
        assert analysis.length(d).select("measure", "games").rows() == [("turns", 39), ("minutes", 39)]
        assert analysis.lead_changes(d)["of_games"][0] == analysis.ties(d)["games"][0] == 39
        assert "turns of 1 game is not known" in analysis.length(d)["note"][0]
    else:
        for ask in (analysis.length, analysis.lead_changes, analysis.ties, analysis.enders):
            with pytest.raises(Refusal, match=r"recorded|not logged"):
                ask(d)


def test_pandas_and_polars_give_the_same() -> None:
    games, seats = tables()
    plain = Dataset.from_frames(None, None, games, seats.lazy())
    other = Dataset.from_frames({}, None, games.to_pandas(), pd.DataFrame(seats.to_dict(as_series=False)))
    assert_frame_equal(analysis.seat_balance(plain), analysis.seat_balance(other))


def test_what_makes_no_sense_is_refused_in_words() -> None:
    games, seats = tables()

    def refused(match: str, games: pl.DataFrame = games, seats: pl.DataFrame = seats) -> None:
        with pytest.raises(Refusal, match=match) as caught:
            Dataset.from_frames(None, None, games, seats)
        assert "\n" not in str(caught.value)

    refused("the seats count from 1 here", seats=seats.with_columns(pl.col("seat") + 1))
    refused("no column 'seat'; did you mean 'seats'", seats=seats.rename({"seat": "seats"}))
    refused("nothing says who won", seats=seats.drop("score"))
    refused("missing or doubled: game 0 has 2 seats from 1 to 2", seats=seats[1:])
    refused("must be whole numbers", seats=seats.with_columns(pl.col("seat") + 0.5))
    refused(
        "1 seats have no score", seats=seats.with_columns(pl.when(pl.int_range(pl.len()) > 0).then("score"))
    )
    refused("does not lie between 0 and 1", seats=seats.with_columns(win_share=pl.col("score") * 1.0))
    with pytest.raises(Refusal, match="a polars or pandas frame is wanted, not list"):
        Dataset.from_frames(None, None, [1], seats)


def test_groups_are_blocks_where_there_are_enough() -> None:
    games, seats = tables(60)
    few = Dataset.from_frames(None, None, games.with_columns(group=pl.col("game_id") % 3), seats)
    many = Dataset.from_frames(None, None, games.with_columns(group=pl.col("game_id") % 12), seats)
    assert analysis.seat_balance(few)["blocks"].to_list() == [60.0] * 3
    assert analysis.seat_balance(many)["blocks"].to_list() == [12.0] * 3
    assert "errors by group" in analysis.seat_balance(many)["method"][0]


def test_hashes_that_are_there_are_checked(tmp_path: Path) -> None:
    made = folder(tmp_path / "by-hand", *tables())
    commit = json.loads((made / "commits.jsonl").read_text(encoding="utf-8-sig"))
    for part in commit["parts"].values():
        part["sha256"] = hashlib.sha256((made / part["file"]).read_bytes()).hexdigest()
    (made / "commits.jsonl").write_text(json.dumps(commit) + "\n", encoding="utf-8")
    assert verify(made).problems == []
    (made / "games" / "all.parquet").write_bytes(b"PAR1PAR1")
    assert "is damaged" in verify(made).problems[0]
