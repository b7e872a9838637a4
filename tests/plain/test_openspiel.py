"""Games of OpenSpiel are experiments like any other where the extra is installed; what does not fit is one line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.batch.experiment import read_experiment
from sim.batch.runner import run
from sim.batch.verify import verify
from sim.core.errors import Refusal
from sim.core.game import Entrant, get_game


@pytest.fixture
def spiel() -> Any:
    return pytest.importorskip(
        "pyspiel", reason="the extra is not installed: pip install 'whimbrel[openspiel]'"
    )


def _played(folder: Path, **what: Any) -> pl.DataFrame:
    data = {"name": "spiel", "games": 12, "log": "decisions", **what}
    found = run(read_experiment(data), folder, jobs=1).folder
    assert verify(found).problems == []
    return pl.read_parquet(found / "games" / "*.parquet")


def test_hex_is_played_and_played_again(spiel: Any, tmp_path: Path) -> None:
    vary = {"board_size": [3, 4]}
    games = _played(
        tmp_path / "hex", game="openspiel:hex(board_size=5)", players={"bots": ["greedy"]}, vary=vary
    )
    assert set(games["ended"]) == {"finished"}
    assert set(games["tied"]) == {1}
    assert games.filter(pl.col("cell") == 0)["decisions"].max() <= 9
    assert games.filter(pl.col("cell") == 1)["decisions"].max() > 9


def test_a_search_looks_at_cards_that_it_has_made_anew(spiel: Any, tmp_path: Path) -> None:
    bots = ["search:playouts=5", "random"]
    games = _played(tmp_path / "leduc", game="openspiel:leduc_poker", players={"bots": bots})
    assert games.group_by("deal").len()["len"].to_list() == [2] * 6
    assert games["line"].n_unique() >= 6


def test_search_wins_where_it_sees_everything(spiel: Any, tmp_path: Path) -> None:
    bots = ["search:playouts=20", "random"]
    _played(tmp_path / "ttt", game="openspiel:tic_tac_toe", players={"bots": bots}, games=16)
    seats = pl.read_parquet(tmp_path / "ttt" / "seats" / "*.parquet")
    assert seats.filter(pl.col("player") == 0)["win_share"].mean() > 0.6


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hexx", "OpenSpiel has no game 'hexx'; did you mean 'hex'"),
        ("hex(bord_size=3)", "hex has no option 'bord_size'; did you mean 'board_size'"),
        ("hex(board_size=3", "OpenSpiel has no game|Missing closing bracket"),
        ("goofspiel", r"simultaneous; 'openspiel:turn_based_simultaneous_game\(game=goofspiel\)'"),
        ("2048", "it is for one player"),
        ("tiny_hanabi", "co-operative"),
        ("leduc_poker(players=9)", "9 players, and there are 8 seats"),
    ],
)
def test_what_does_not_fit_is_one_line(spiel: Any, name: str, text: str, capfd: Any) -> None:
    with pytest.raises(Refusal, match=text):
        get_game(f"openspiel:{name}")
    assert capfd.readouterr().err == ""


def test_chance_of_the_library_s_own_cannot_be_played_again(spiel: Any) -> None:
    kinds = [kind for kind in spiel.registered_games() if "SAMPLED" in str(kind.chance_mode)]
    own = next(k.short_name for k in kinds if k.default_loadable and "SEQUENTIAL" in str(k.dynamics))
    with pytest.raises(Refusal, match="chance is sampled"):
        get_game(f"openspiel:{own}")


def test_bots_that_look_into_worlds_are_refused_where_worlds_cannot_be_made(spiel: Any) -> None:
    game = get_game("openspiel:dark_hex(board_size=3)")
    game.prepare({}, 2, [Entrant("a", "random")] * 2)
    with pytest.raises(
        Refusal, match="bot 'search' makes hidden things anew, and OpenSpiel's dark_hex cannot"
    ):
        game.prepare({}, 2, [Entrant("a", "search")] * 2)


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.plain.spiel.loading import library

    monkeypatch.setitem(sys.modules, "pyspiel", None)
    library.cache_clear()
    try:
        with pytest.raises(Refusal, match=r"not installed: pip install 'whimbrel\[openspiel\]'"):
            get_game("openspiel:hex(board_size=4)")
    finally:
        library.cache_clear()
