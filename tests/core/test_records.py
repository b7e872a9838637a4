"""Record types: aligned, and refused where a field would not be what it is called."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import BaseModel

from sim.core.errors import Refusal
from sim.core.jit import tag_of
from sim.core.params import rule_fields
from sim.core.records import FIELDS, record_type, state_type


def test_records_are_aligned_and_read_by_attribute() -> None:
    kind = record_type([("few", np.int8), ("many", np.int64, (3,))])
    record = np.zeros(1, dtype=kind)[0]
    record.many[1] = 7
    assert kind.isalignedstruct
    assert kind.fields["many"][1] == 8
    assert record["many"].tolist() == [0, 7, 0]


@pytest.mark.parametrize("name", [name for name in dir(np.record) if not name.startswith("_")])
def test_names_that_numpy_owns_are_refused(name: str) -> None:
    """`state.size` is the field in compiled code, and 1 in plain Python."""
    with pytest.raises(Refusal, match=f"record field '{name}': NumPy's records have an attribute"):
        record_type([("before", np.int32), (name, np.int32)])


def test_names_like_those_that_numpy_owns_are_fine() -> None:
    """Whatever is accepted reads the same as an attribute and as a field."""
    names = ("round_no", "rounds", "size_", "copies", "taken", "realm")
    record = np.zeros(1, dtype=record_type([(name, np.int32) for name in names]))[0]
    for value, name in enumerate(names):
        setattr(record, name, value)
        assert (getattr(record, name), record[name]) == (value, value)


def test_parameters_become_fields_and_are_refused_alike() -> None:
    class Parameters(BaseModel):
        towns: int = 3
        size: int = 11

    with pytest.raises(Refusal, match="record field 'size'"):
        record_type(rule_fields(Parameters))


@pytest.mark.parametrize(
    ("name", "what"), [("class", "no name"), ("two words", "no name"), ("twice", "twice")]
)
def test_other_names_that_cannot_be(name: str, what: str) -> None:
    with pytest.raises(Refusal, match=what):
        record_type([("twice", np.int8), (name, np.int8)])


def test_a_state_has_the_fields_of_the_contract_and_a_tag() -> None:
    kind = state_type("pebbles", [("heap", np.int16)])
    assert kind.names[1:] == (*FIELDS, "heap")
    assert all(kind.fields[name][0] == np.dtype(np.int32) for name in FIELDS)
    game, _, version = tag_of(kind.names).rpartition("_")
    assert game == "game_pebbles"
    assert len(version) == 8
    assert int(version, 16) >= 0
    with pytest.raises(Refusal, match="record field 'ended': every state has it"):
        state_type("pebbles", [("ended", np.int32)])
