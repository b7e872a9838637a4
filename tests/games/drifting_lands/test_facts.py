"""Facts of Drifting Lands as data: cards, stand-ins, rulings and claims name what the engine has."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim.core.game import Entrant
from sim.games.drifting_lands.decks import DECKS
from sim.games.drifting_lands.game import GAME
from sim.games.drifting_lands.positions import nested
from sim.games.drifting_lands.rules.params import CARDS, PIECES, Parameters

ROOT = Path(__file__).parents[3]
HERE = ROOT / "sim" / "games" / "drifting_lands"


def read(name: str, key: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((HERE / "facts" / f"{name}.toml").read_text())[key]
    return rows


RULINGS, STAND_INS = read("rulings", "ruling"), read("stand_ins", "stand_in")


def test_every_piece_is_described_in_order() -> None:
    assert tuple(piece["name"] for piece in read("pieces", "piece")) == PIECES


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling["id"])
def test_rulings_are_complete(ruling: dict[str, Any]) -> None:
    assert set(ruling) == {"id", "question", "reading", "parameter", "impact", "support"}
    assert ruling["impact"] in ("H", "M", "L")
    assert ruling["parameter"] in ("", *Parameters.model_fields)
    assert ("lternative" in ruling["reading"]) <= bool(ruling["parameter"])


def test_every_ruling_that_a_parameter_or_the_rules_name_is_there() -> None:
    known = {row["id"] for row in (*RULINGS, *STAND_INS)}
    assert len(known) == len(RULINGS) + len(STAND_INS)
    for name, field in Parameters.model_fields.items():
        extra = field.json_schema_extra
        named = extra.get("ruling", "") if isinstance(extra, dict) else ""
        for ruling in str(named).replace(",", " ").split():
            assert ruling in known, name


def test_every_parameter_is_told_in_the_rules() -> None:
    text = (HERE / "RULES.md").read_text()
    missing = [name for name in Parameters.model_fields if f"`{name}" not in text]
    assert not missing


@pytest.mark.parametrize("stand_in", STAND_INS, ids=lambda row: row["id"])
def test_stand_ins_are_complete_and_their_alternatives_can_be_played(stand_in: dict[str, Any]) -> None:
    assert set(stand_in) == {"id", "name", "fact", "grade", "default", "why", "alternatives"}
    assert stand_in["grade"] in ("found", "derived", "stand-in")
    defaults = Parameters().model_dump(by_alias=True)
    if stand_in["name"] == "points":  # the parameter's own default follows the deck
        deck = DECKS.load(defaults["deck"])
        assert stand_in["default"] == dict(zip(CARDS, deck.points))
    elif stand_in["name"] in defaults:
        assert stand_in["default"] == defaults[stand_in["name"]]
    for setting in stand_in["alternatives"]:
        assert Parameters.model_validate(nested(setting)) != Parameters()
        GAME.prepare(nested(setting), 2, [Entrant("a", "random"), Entrant("b", "random")])


def test_the_card_of_the_game_can_be_written_down() -> None:
    import json

    card = json.loads(json.dumps(GAME.card()))
    assert {row["id"] for row in card["claims"]} == {row["id"] for row in read("claims", "claim")}
    assert len(card["features"]) == len(GAME.weights) <= 32
    assert {row["name"] for row in card["parameters"]} >= {"ultra", "points.Orogeny", "pawns.1"}
