"""From a parameter model to a rules record and to the table that `whimbrel games` prints."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict, Field

from sim.core import params
from sim.core.errors import Refusal
from sim.core.game import validated


class Herd(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    big_cow: int = Field(3, alias="Big Cow", ge=0, le=9)
    calf: int = Field(1, alias="Calf", ge=0, le=4)


class Farm(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field("plain", description="its name", json_schema_extra={"rules": False})
    acres: int = Field(4, description="size", ge=1, le=9, json_schema_extra={"ruling": "Q1"})
    open: bool = Field(True, description="gates")
    rain: float = Field(0.25, description="share of days", ge=0.0, le=1.0)
    soil: Literal["clay", "sand", "peat"] = Field("sand", description="what one digs in")
    herd: Herd = Field(default_factory=Herd, description="how many")
    crops: list[str] = Field(default=["rye"], json_schema_extra={"rules": False, "range": ["rye", "oats"]})


RECORD = np.dtype((np.record, params.rule_fields(Farm)))


def test_rule_fields() -> None:
    assert params.rule_fields(Farm) == [
        ("acres", np.int32),
        ("open", np.int32),
        ("rain", np.float64),
        ("soil", np.int32),
        ("herd", np.int32, (2,)),
    ]


def test_fill_rules() -> None:
    record = np.zeros(1, dtype=RECORD)[0]
    params.fill_rules(Farm(acres=7, open=False, soil="peat", herd=Herd(calf=4)), record)
    assert (record.acres, record.open, record.rain, record.soil) == (7, 0, 0.25, 2)
    assert record.herd.tolist() == [3, 4]


def test_a_choice_is_its_place_in_the_list() -> None:
    assert [params.choice(Farm, "soil", value) for value in ("clay", "sand", "peat")] == [0, 1, 2]
    with pytest.raises(ValueError):
        params.choice(Farm, "soil", "rock")


def test_what_has_no_place_in_a_record() -> None:
    class Odd(BaseModel):
        words: list[str] = []

    with pytest.raises(TypeError, match="'words'"):
        params.rule_fields(Odd)


def test_flatten() -> None:
    assert params.flatten(Farm()) == {
        "name": "plain",
        "acres": 4,
        "open": True,
        "rain": 0.25,
        "soil": "sand",
        "herd.Big Cow": 3,
        "herd.Calf": 1,
        "crops": ["rye"],
    }


def test_describe() -> None:
    rows = {row["name"]: row for row in params.describe(Farm)}
    assert list(rows) == list(params.flatten(Farm()))
    assert rows["acres"] == {
        "name": "acres",
        "type": "int",
        "default": 4,
        "range": [1, 9],
        "help": "size",
        "ruling": "Q1",
    }
    seen = {name: (row["type"], row["default"], row["range"]) for name, row in rows.items()}
    assert seen["name"] == ("str", "plain", None)
    assert seen["open"] == ("bool", True, [False, True])
    assert seen["rain"] == ("float", 0.25, [0.0, 1.0])
    assert seen["soil"] == ("choice", "sand", ["clay", "sand", "peat"])
    assert seen["herd.Calf"] == ("int", 1, [0, 4])
    assert seen["crops"] == ("list", ["rye"], ["rye", "oats"])
    assert rows["herd.Big Cow"]["help"] == "how many"


def test_describe_and_flatten_name_the_same_parameters_of_migration() -> None:
    from sim.games.migration.rules.params import Parameters

    rows = params.describe(Parameters)
    flat = params.flatten(Parameters())
    assert {row["name"]: row["default"] for row in rows} == flat
    assert all(row["help"] for row in rows)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"acre": 3}, "unknown parameter 'acre'; did you mean 'acres'?"),
        ({"herd": {"Big Caw": 3}}, "unknown parameter 'herd.Big Caw'; did you mean 'Big Cow'?"),
        ({"soil": "snad"}, "soil = 'snad': should be 'clay', 'sand' or 'peat'; did you mean 'sand'?"),
        ({"acres": 12}, "acres = 12: should be less than or equal to 9"),
        ({"acres": "4"}, "acres = '4': should be a valid integer"),
        ({"open": 1}, "open = 1: should be a valid boolean"),
        ({"herd": {"Calf": -1}}, "herd.Calf = -1: should be greater than or equal to 0"),
    ],
)
def test_refusals_name_what_was_meant(values: dict[str, Any], message: str) -> None:
    with pytest.raises(Refusal) as error:
        validated(Farm, values)
    assert str(error.value) == message


class Declared(BaseModel):
    """Parameters as games declare them."""

    steps: int = params.rule(3, "steps of a turn", "A1", ge=1, le=9)
    board: str = params.setting("plain", "a board", "A2", shorthand="every board")
    spare: int = params.setting(8, "cards left over", ge=0, le=40)
    herd: Herd = params.rule_table(Herd, "how many", "A3")


def test_declared_parameters_are_fields_or_stay_outside() -> None:
    assert [field[0] for field in params.rule_fields(Declared)] == ["steps", "herd"]
    rows = {row["name"]: row for row in params.describe(Declared)}
    assert (rows["steps"]["range"], rows["spare"]["range"]) == ([1, 9], [0, 40])
    assert [rows[name]["ruling"] for name in ("steps", "board", "spare")] == ["A1", "A2", ""]
    assert Declared.model_fields["board"].json_schema_extra == {
        "rules": False,
        "ruling": "A2",
        "shorthand": "every board",
    }


@pytest.mark.soak  # a new column of results has to be added to the list
def test_no_parameter_is_called_like_a_column_of_results() -> None:
    """Every column that an estimator writes is reserved: what a game calls so would be written over."""
    from sim.batch.tables import GAMES, PIECES, SEATS
    from sim.core.game import game_names, get_game
    from sim.core.reserved import RESERVED

    written = set(GAMES) | set(SEATS) | set(PIECES)
    for path in (Path(__file__).parents[2] / "analysis").rglob("*.py"):
        if {"report", "plots"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
                for row in (given for given in node.args if isinstance(given, ast.Dict)):
                    written |= {key.value for key in row.keys if isinstance(key, ast.Constant)}
    words = {name for name in written if isinstance(name, str) and re.fullmatch("[a-z][a-z_0-9]*", name)}
    assert len(words) > 80
    own = {
        "bans",
        "deck",
    }  # Migration and Drifting Lands vary these; results by deck are by the players' decks
    assert words - RESERVED <= own
    for name in game_names():
        assert not set(get_game(name).Parameters.model_fields) & RESERVED, name
