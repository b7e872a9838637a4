"""Facts of Migration: Mars as data: pieces, stand-ins, rulings and claims name what the engine has."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim.core.game import Entrant
from sim.games.mars.game import GAME
from sim.games.mars.rules.params import EVENTS, PIECES, Parameters

HERE = Path(__file__).parents[3]
FACTS = HERE / "sim" / "games" / "mars" / "facts"
CASES = HERE / "tests" / "cases" / "mars"


def read(name: str, key: str) -> list[dict[str, Any]]:
    with (FACTS / f"{name}.toml").open("rb") as file:
        rows: list[dict[str, Any]] = tomllib.load(file)[key]
    return rows


RULINGS = read("rulings", "ruling")
STAND_INS = read("stand_ins", "stand_in")


def test_every_piece_is_described_in_order() -> None:
    assert tuple(piece["name"] for piece in read("pieces", "piece")) == PIECES


def test_the_deck_has_34_cards_and_says_which_are_guesses() -> None:
    assert sum(copies for _, copies in EVENTS.values()) == 34
    assert sum(copies for number, (_, copies) in EVENTS.items() if number <= 12) == 12
    groups = {piece["name"]: piece["group"] for piece in read("pieces", "piece")}
    for number, (name, _) in EVENTS.items():
        assert ("stand-ins" in groups[name]) == (number > 12)


def test_rulings_are_complete() -> None:
    assert [ruling["id"] for ruling in RULINGS] == [f"R{k}" for k in range(1, 100)]
    for ruling in RULINGS:
        assert set(ruling) == {"id", "question", "reading", "parameter", "impact", "support"}
        assert ruling["impact"] in ("H", "M", "L")
        assert ruling["parameter"] in ("", *Parameters.model_fields)
        assert ("lternative" in ruling["reading"]) <= bool(ruling["parameter"])


def test_every_ruling_that_a_parameter_names_is_there() -> None:
    known = {ruling["id"] for ruling in RULINGS} | {row["id"] for row in STAND_INS}
    for name, field in Parameters.model_fields.items():
        extra = field.json_schema_extra
        named = extra.get("ruling", "") if isinstance(extra, dict) else ""
        for ruling in str(named).replace(",", " ").split():
            assert ruling in known, name


def test_rules_text_names_every_ruling_with_a_parameter_and_every_stand_in() -> None:
    text = (FACTS.parent / "RULES.md").read_text(encoding="utf-8")
    for ruling in RULINGS:
        if ruling["parameter"]:
            assert ruling["id"] in text or f"`{ruling['parameter']}" in text, ruling["id"]
    assert text.lower().count("stand-in") >= 8


@pytest.mark.parametrize("stand_in", STAND_INS, ids=lambda row: row["id"])
def test_alternatives_of_stand_ins_can_be_played(stand_in: dict[str, Any]) -> None:
    assert set(stand_in) - {"parameters"} == {"id", "name", "fact", "grade", "default", "why", "alternatives"}
    assert set(stand_in.get("parameters", [])) <= set(Parameters.model_fields)
    assert stand_in["grade"] in ("found", "derived", "stand-in")
    for setting in stand_in["alternatives"]:
        nested: dict[str, Any] = {}
        for key, value in setting.items():
            table, dot, name = key.partition(".")
            if dot:
                nested.setdefault(table, {})[name] = value
            else:
                nested[key] = value
        for players in (2, 4):
            entrants = [Entrant(str(k), "random") for k in range(players)]
            assert GAME.prepare(nested, players, entrants, None).players == players


def test_every_ruling_that_a_case_names_is_there() -> None:
    known = {ruling["id"] for ruling in RULINGS}
    for path in sorted(CASES.glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            tag = case["tag"]
            named = tag.removeprefix("R(").removesuffix(")").removeprefix("R")
            assert tag == "T" or f"R{named}" in known, (path.name, case["id"])


def test_the_card_has_a_pace_and_levers() -> None:
    card = GAME.card()
    assert card["pace"]["turn"] > 0
    assert "nobody has timed it" in card["pace"]["source"]
    assert {name for lever in card["levers"] for name in lever["pieces"]} <= set(PIECES)
