"""Facts of Migration as data: pieces, stand-ins and rulings name what the engine has."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim.core.params import nested
from sim.games.migration.rules.params import PIECES, Parameters

HERE = Path(__file__).parents[2]
FACTS = HERE / "sim" / "games" / "migration" / "facts"
CASES = HERE / "tests" / "cases" / "migration"


def read(name: str, key: str) -> list[dict[str, Any]]:
    with (FACTS / f"{name}.toml").open("rb") as file:
        rows: list[dict[str, Any]] = tomllib.load(file)[key]
    return rows


RULINGS = read("rulings", "ruling")
STAND_INS = read("stand_ins", "stand_in")


def test_every_explorer_is_described_in_order() -> None:
    pieces = read("pieces", "piece")
    assert tuple(piece["name"] for piece in pieces) == PIECES
    assert [piece["group"] for piece in pieces] == ["Book I"] * 5 + ["Forest"] * 3 + ["Desert"] * 3


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling["id"])
def test_rulings_are_complete(ruling: dict[str, Any]) -> None:
    assert set(ruling) == {"id", "question", "reading", "parameter", "impact", "support"}
    assert ruling["impact"] in ("H", "M", "L")
    assert ruling["parameter"] in ("", *Parameters.model_fields)
    # whoever offers another reading must offer the switch
    assert ("lternative" in ruling["reading"]) <= bool(ruling["parameter"])


def test_every_ruling_that_a_parameter_names_is_there() -> None:
    known = {ruling["id"] for ruling in RULINGS} | {row["id"] for row in STAND_INS} | {"F4"}
    for name, field in Parameters.model_fields.items():
        extra = field.json_schema_extra
        named = extra.get("ruling", "") if isinstance(extra, dict) else ""
        for ruling in str(named).replace(",", " ").split():
            assert ruling in known, name


def test_every_ruling_that_a_case_names_is_there() -> None:
    known = {ruling["id"] for ruling in RULINGS}
    for path in sorted(CASES.glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            tag = case["tag"]
            assert tag == "T" or tag.removeprefix("R(").removesuffix(")") in known, (path.name, case["id"])


def test_ids_are_given_once() -> None:
    for rows in (RULINGS, STAND_INS):
        ids = [row["id"] for row in rows]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("stand_in", STAND_INS, ids=lambda row: row["id"])
def test_stand_ins_are_complete(stand_in: dict[str, Any]) -> None:
    assert set(stand_in) == {"id", "name", "fact", "grade", "default", "why", "alternatives"}
    assert stand_in["grade"] in ("found", "derived", "stand-in")
    defaults = Parameters().model_dump(by_alias=True)
    if stand_in["name"] in defaults:
        assert stand_in["default"] == defaults[stand_in["name"]]


@pytest.mark.parametrize(
    "setting", [setting for row in STAND_INS for setting in row["alternatives"]], ids=lambda s: ",".join(s)
)
def test_alternatives_are_settings_that_change_something(setting: dict[str, Any]) -> None:
    # a table replaces its parameter, so its other fields keep their defaults
    assert Parameters.model_validate(nested(setting)) != Parameters()


def test_set_counts_and_their_alternatives_leave_a_team_after_three_bans() -> None:
    (row,) = (row for row in STAND_INS if row["name"] == "set_counts")
    for setting in ({}, *row["alternatives"]):
        counts = Parameters.model_validate(nested(setting)).model_dump(by_alias=True)["set_counts"]
        assert sum(sorted(counts.values())[:-3]) >= 12
