"""Every check of the audit can fail, and passes on sound data."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.synthetic import Synthetic, make


@pytest.fixture(scope="module")
def sound() -> Synthetic:
    return make(deals=300, factors={"rats_points": [1, 2]}, capped=0.0, log="pieces")


def checks(d: Dataset) -> dict[str, bool | None]:
    return {row["check"]: row["ok"] for row in analysis.audit(d).iter_rows(named=True)}


def changed(made: Synthetic, table: str, frame: pl.DataFrame) -> Dataset:
    return Dataset.from_frames(made.manifest, made.cells, **{**made.tables, table: frame})


def test_sound_data_pass(sound: Synthetic) -> None:
    frame = analysis.audit(sound.dataset())
    assert frame["ok"].to_list() == [True] * frame.height
    assert frame.height >= 14


def test_mixed_table_sizes_bots_and_bans_pass() -> None:
    plan = {"deals": 300, "drawn_bans": 3, "factors": {"players.count": [2, 3, 4]}, "capped": 0.0}
    assert all(checks(make(**plan, log="pieces").dataset()).values())
    two = make(deals=300, players=2, bots=("greedy", "rush"), bot={"rush": 1.0}, capped=0.0, log="games")
    assert all(checks(two.dataset()).values())


def shift_share(f: pl.DataFrame) -> pl.DataFrame:
    return f.with_columns(pl.when(pl.col("game_id") == 5).then(0.9).otherwise("win_share").alias("win_share"))


def always_first(f: pl.DataFrame) -> pl.DataFrame:
    return f.with_columns(pl.col("seat").alias("player"))


def one_player_wins(f: pl.DataFrame) -> pl.DataFrame:
    lucky = (pl.col("player") == 0) & (pl.col("game_id") % 3 > 0)
    given = pl.when(pl.col("game_id") % 3 == 0).then("win_share").otherwise(lucky.cast(pl.Float64))
    return f.with_columns(given.alias("win_share"))


def more_rats_in_front(f: pl.DataFrame) -> pl.DataFrame:
    extra = ((pl.col("seat") == 0) & (pl.col("piece") == "Rats") & (pl.col("game_id") % 2 == 0)).cast(pl.Int8)
    return f.with_columns(pl.col("assigned") + extra)


def set_value(column: str, value: object) -> object:
    return lambda f: f.with_columns(pl.lit(value).cast(f.schema[column]).alias(column))


@pytest.mark.parametrize(
    ("table", "spoil", "failing"),
    [
        ("games", set_value("seed", 3), "deals are distinct"),
        (
            "games",
            lambda f: f.with_columns(pl.col("game_id").cast(pl.UInt64).alias("seed")),
            "deals are distinct",
        ),
        ("games", lambda f: f.with_columns(pl.col("line") % 50), "lines of play are distinct"),
        ("games", set_value("tied", 2), "winners agree with win shares"),
        ("games", set_value("ended", "turn_cap"), "few games are stopped by the cap"),
        ("games", set_value("ended", "overflow"), "no game overflowed"),
        (
            "games",
            lambda f: f.with_columns(pl.col("turns").cast(pl.Int64)),
            "columns have the promised types",
        ),
        ("seats", shift_share, "win shares of each game add up to 1"),
        ("seats", always_first, "players sit in each seat equally often"),
        ("seats", one_player_wins, "alike players win alike (3 players)"),
        ("pieces", more_rats_in_front, "assigned pieces add up"),
        ("pieces", more_rats_in_front, "assigned pieces do not depend on the seat"),
    ],
)
def test_each_check_can_fail(sound: Synthetic, table: str, spoil: object, failing: str) -> None:
    spoiled = changed(sound, table, spoil(sound.tables[table]))  # type: ignore[operator]
    assert checks(spoiled)[failing] is False


def test_games_that_stop_on_passes_are_told(sound: Synthetic) -> None:
    assert "few games stop on passes" not in checks(sound.dataset())
    games = sound.tables["games"]
    for share, verdict in ((0.2, None), (0.0005, True)):
        few = pl.col("game_id") < share * games.height
        word = pl.when(few).then(pl.lit("all_passed")).otherwise(pl.lit("finished"))
        spoiled = changed(sound, "games", games.with_columns(word.cast(games.schema["ended"]).alias("ended")))
        assert checks(spoiled)["few games stop on passes"] is verdict


def test_cut_blocks_and_missing_games_are_seen(sound: Synthetic) -> None:
    keep = sound.tables["games"]["game_id"].to_numpy()[: 100 * 3 + 2]
    tables = {name: frame.filter(pl.col("game_id").is_in(keep)) for name, frame in sound.tables.items()}
    found = checks(Dataset.from_frames(sound.manifest, sound.cells, **tables))
    assert found["all planned games are there"] is None
    assert found["deals are whole blocks"] is False
    assert found["cells have the planned shares of games"] is None
    uneven = Dataset.from_frames(
        sound.manifest, sound.cells.with_columns(games=pl.Series([300, 1_500])), **sound.tables
    )
    assert checks(uneven)["cells have the planned shares of games"] is False


def test_doubled_or_missing_rows_are_refused(sound: Synthetic) -> None:
    games = sound.tables["games"]
    with pytest.raises(analysis.Refusal, match="occur twice"):
        analysis.audit(changed(sound, "games", pl.concat([games, games.head(1)])))
    with pytest.raises(analysis.Refusal, match="seat rows"):
        analysis.audit(changed(sound, "seats", sound.tables["seats"].head(-1)))
    seats = sound.tables["seats"]
    doubled = pl.concat([seats.head(-1), seats.head(1)])
    with pytest.raises(analysis.Refusal, match="missing or doubled"):
        analysis.seat_balance(changed(sound, "seats", doubled))


def test_lines_shared_by_cells_of_one_deal_are_no_repeats(sound: Synthetic) -> None:
    """A rule that changes nothing gives every cell the same lines: that is one deal, not a fault."""
    games = sound.tables["games"]
    line = (games["deal"] * 10 + games["rotation"]).cast(pl.UInt64)
    d = changed(sound, "games", games.with_columns(line.alias("line")))
    assert checks(d)["lines of play are distinct"] is True
    assert (analysis.seat_balance(d)["blocks"] == 300).all()
    assert np.isfinite(analysis.seat_balance(d)["low"].to_numpy()).all()
