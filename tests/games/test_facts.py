"""Facts of every game as data: pieces, stand-ins, rulings and claims name what the engine has."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim.core.game import Entrant, get_game
from sim.core.params import nested

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[2]
GAMES = {
    path.parents[1].name: get_game(path.parents[1].name)
    for path in ROOT.glob("sim/games/*/facts/rulings.toml")
}
RULINGS = [(name, ruling) for name, game in GAMES.items() for ruling in game.rulings()]
STAND_INS = [(name, row) for name, game in GAMES.items() for row in game.stand_ins()]
NO_DEFAULT = {("drifting_lands", "points"), ("mars", "track"), ("mars", "die"), ("mars", "trading")}
"""Stand-ins whose default is told in words, or by the deck, where the parameter names it."""
FOUND = {"migration": {"F4"}}
"""Facts that need no stand-in."""
NAMED_TOGETHER = {"mars": "_cost"}
"""Endings of parameters that the rules name as one."""


def named(entry: tuple[str, dict[str, Any]]) -> str:
    return f"{entry[0]}-{entry[1]['id']}"


def ids_of(game: str) -> set[str]:
    return {row["id"] for row in (*GAMES[game].rulings(), *GAMES[game].stand_ins())} | FOUND.get(game, set())


def test_there_are_games_to_look_at() -> None:
    assert set(GAMES) >= {"drifting_lands", "mars", "migration", "migrato"}


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_is_described_in_order(game: str) -> None:
    assert tuple(piece["name"] for piece in GAMES[game].facts("pieces")) == GAMES[game].pieces


@pytest.mark.parametrize("game", GAMES)
def test_ids_are_given_once(game: str) -> None:
    for rows in (GAMES[game].rulings(), GAMES[game].stand_ins()):
        ids = [row["id"] for row in rows]
        assert len(ids) == len(set(ids)) > 0


@pytest.mark.parametrize("entry", RULINGS, ids=named)
def test_rulings_are_complete(entry: tuple[str, dict[str, Any]]) -> None:
    game, ruling = entry
    assert set(ruling) == {"id", "question", "reading", "parameter", "impact", "support"}
    assert ruling["impact"] in ("H", "M", "L")
    assert ruling["parameter"] in ("", *GAMES[game].Parameters.model_fields)
    # whoever offers another reading must offer the switch
    assert ("lternative" in ruling["reading"]) <= bool(ruling["parameter"])


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_that_a_parameter_names_is_there(game: str) -> None:
    for name, field in GAMES[game].Parameters.model_fields.items():
        extra = field.json_schema_extra
        ruling = extra.get("ruling", "") if isinstance(extra, dict) else ""
        assert set(str(ruling).replace(",", " ").split()) <= ids_of(game), name


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_that_a_case_names_is_there(game: str) -> None:
    known = ids_of(game)
    for path in sorted((ROOT / "tests" / "cases" / game).glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            word = case["tag"].removeprefix("R(").removesuffix(")")
            assert word == "T" or {word, f"R{word}"} & known, (path.name, case["id"])


@pytest.mark.parametrize("game", GAMES)
def test_every_parameter_is_told_in_the_rules(game: str) -> None:
    text = (ROOT / "sim" / "games" / game / "RULES.md").read_text(encoding="utf-8")
    together = NAMED_TOGETHER.get(game, "`")
    names = [name for name in GAMES[game].Parameters.model_fields if not name.endswith(together)]
    assert not [name for name in names if f"`{name}" not in text]
    assert f"{together}" in text


@pytest.mark.parametrize("entry", STAND_INS, ids=named)
def test_stand_ins_are_complete_and_their_alternatives_can_be_played(
    entry: tuple[str, dict[str, Any]],
) -> None:
    name, row = entry
    game = GAMES[name]
    assert set(row) - {"parameters"} == {"id", "name", "fact", "grade", "default", "why", "alternatives"}
    assert set(row.get("parameters", [])) <= set(game.Parameters.model_fields)
    assert row["grade"] in ("found", "derived", "stand-in")
    defaults = game.Parameters().model_dump(by_alias=True)
    if row["name"] in defaults and (name, row["name"]) not in NO_DEFAULT:
        assert row["default"] == defaults[row["name"]]
    for setting in row["alternatives"]:
        # a table replaces its parameter, so its other fields keep their defaults
        assert game.Parameters.model_validate(nested(setting)) != game.Parameters()
        for players in {game.min_players, game.max_players}:
            entrants = [Entrant(str(k), "random") for k in range(players)]
            assert game.prepare(nested(setting), players, entrants).players == players


@pytest.mark.parametrize("game", GAMES)
def test_the_card_of_the_game_can_be_written_down(game: str) -> None:
    card = json.loads(json.dumps(GAMES[game].card()))
    assert {row["id"] for row in card["claims"]} == {row["id"] for row in GAMES[game].facts("claims")}
    assert len(card["features"]) == len(GAMES[game].weights)
    pieces = {name for lever in card["levers"] for name in lever["pieces"]}
    assert pieces <= set(GAMES[game].pieces)
