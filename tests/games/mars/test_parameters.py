"""Every parameter of Migration: Mars changes something: a test that fails when one is ignored, or not thought of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.checks.table import Table as Deal
from sim.checks.table import make_cell
from sim.core.contract import features
from sim.core.params import describe
from sim.games.mars import setup_cell
from sim.games.mars.cases import Table
from sim.games.mars.game import GAME
from sim.games.mars.notation import seat_text
from sim.games.mars.rules.params import EVENT_NAMES, EVENT_NUMBERS, Parameters
from tests.games.bites import bites

pytestmark = pytest.mark.plain

SEEDS = range(1, 40)


# --- tables and set-up ---------------------------------------------------------------------------------------


def nested(name: str, value: Any) -> dict[str, Any]:
    table, dot, key = name.partition(".")
    return {table: {key: value}} if dot else {name: value}


def deals(**parameters: Any) -> list[str]:
    """Return the positions at the start of some deals, in words."""
    cell = make_cell(GAME, ["random"], 2, parameters)
    return [GAME.position_text(table.rules, table.state) for table in (Deal(GAME, cell, s) for s in SEEDS)]


def differs(name: str, value: Any) -> bool:
    return deals(**nested(name, value)) != deals()


def squares(**parameters: Any) -> int:
    return int(make_cell(GAME, ["random"], 2, parameters).rules["n_squares"][0])


def craters(**parameters: Any) -> int:
    words = make_cell(GAME, ["random"], 2, parameters).rules["crater"][0]
    return sum(int(word).bit_count() for word in words)


def spent(name: str, value: int) -> bool:
    """Building costs what the table says."""
    structure = name.partition("_")[0]
    board = {
        "habitat": "-3,0 A:Tunnel ; -2,0 A:LSC",
        "tunnel": "",
    }.get(structure, "-3,0 A:Tunnel")
    tile = {"habitat": "-2,1", "tunnel": "-3,0"}.get(structure, "-2,0")
    kind = {"lsc": "LSC"}.get(structure, structure.capitalize())
    left = []
    for parameters in ({}, nested(name, value)):
        position = {"A": "M 9 W 9 S 9 Oly 9 BP 4", "board": board}
        case = {"parameters": parameters, "position": position}
        table = Table(case, "here", None)
        assert table.do(f"build {kind} {tile}") is None
        left.append(seat_text(table.state, 0))
    return left[0] != left[1]


def short(name: str, value: int) -> bool:
    """Nothing more can be built than the stock says."""
    kind = name.partition(".")[2]
    house = "-3,0 A:Tunnel ; -2,0 A:LSC" if kind == "Habitat" else "-3,0 A:Tunnel"
    position = {"A": "M 9 W 9 S 9", "board": house}
    found = []
    for parameters in ({}, {**nested(name, value), "target": 2}):
        table = Table({"parameters": parameters, "position": position}, "here", None)
        found.append(any(text.startswith(f"build {kind}") for text in table.actions()))
    return found == [True, False]


def owed(name: str, value: int) -> bool:
    """What is left after a Supply Stop with one Habitat and one Mine."""
    board = "-3,0 A:Tunnel ; -2,0 A:LSC ; -2,1 A:Habitat ; -4,1 A:Tunnel ; -4,2 A:Mine"
    left = []
    for parameters in ({}, nested(name, value)):
        position = {"A": "pop 2 | M 9 W 9 S 9 | square 3 +31", "board": board}
        table = Table({"parameters": parameters, "position": position, "chance": ["roll 1"]}, "here", None)
        assert table.do("roll") is None
        left.append(seat_text(table.state, 0))
    return left[0] != left[1]


def faces(name: str, value: int) -> bool:
    """The exploration die has the sides that the table says: how often each face comes in many rolls."""
    from sim.games.mars.rules.chance import face

    shown = []
    for parameters in ({}, nested(name, value)):
        deal = Deal(GAME, make_cell(GAME, ["random"], 2, parameters), 1)
        stream = np.ones(1, dtype=np.uint64)
        shown.append([int(face(deal.rules, deal.state, stream)) for _ in range(60)])
    return shown[0] != shown[1]


def far(sides: int) -> bool:
    """The numbered die has as many sides."""
    from sim.games.mars.rules.chance import roll

    deal = Deal(GAME, make_cell(GAME, ["random"], 2, {"move_die": sides}), 1)
    stream = np.ones(1, dtype=np.uint64)
    return {int(roll(deal.rules, deal.state, stream)) for _ in range(200)} == set(range(1, sides + 1))


def flags_bite() -> bool:
    houses = (
        "-3,0 A:Tunnel ; -2,0 A:LSC ; -2,1 A:Habitat ; -1,-1 A:Habitat ; -2,-1 A:Habitat ; -3,1 A:Habitat"
    )
    position = {"A": "pop 6 | Oly 4", "board": houses + " ; -4,1 A:Tunnel ; -5,2 A:LSC ; -5,3 A:Habitat"}
    offered = []
    for flags in (6, 7):
        table = Table({"parameters": {"stock": {"flags": flags}}, "position": position}, "here", None)
        offered.append("population" in table.actions())
    return offered == [False, True]


def on_crater() -> bool:
    found = []
    for allowed in (False, True):
        case = {
            "parameters": {"map": "default", "ruin_on_crater": allowed},
            "position": {"A": "M 3 W 3 S 3 Oly 1 BP 1"},
        }
        found.append("build Ruin 2,-2" in Table(case, "here", None).actions())
    return found == [False, True]


def moves_on() -> bool:
    """Event 2 at the own stop rolls again, or does nothing."""
    squares = []
    for reading, chance in (("moves on", ["roll 1", "roll 2"]), ("stays", ["roll 1"])):
        case = {
            "parameters": {"event_after_stop": reading},
            "position": {"A": "pop 2 | square 3 +31", "deck": "E2 E3"},
            "chance": chance,
        }
        table = Table(case, "here", None)
        assert [table.do("roll"), table.do("take M")] == [None, None]
        squares.append(int(table.state["square"][0]))
    return squares == [6, 4]


COSTS = [
    f"{k}_cost.{c}"
    for k in ("tunnel", "habitat", "lsc", "hospital", "plant", "export", "mine")
    for c in "MWS"
]
COSTS += [f"ruin_cost.{c}" for c in ("M", "W", "S", "Oly", "BP")]
DEFAULTS = {row["name"]: row["default"] for row in describe(Parameters)}
TRIED: dict[str, Callable[[], bool]] = {
    "start_building": lambda: differs("start_building", "Mine") and differs("start_building", "random"),
    "map": lambda: deals(map="lab") != deals(),
    "track": lambda: squares() == 32 and squares(track="short") == 28 and squares(track="long") == 36,
    "overlays": lambda: craters() > craters(overlays=False),
    "first_player": lambda: (
        any("first: B" in text for text in deals())
        and not any("first: B" in text for text in deals(first_player="A"))
    ),
    "never": lambda: differs("never", ["Mine"]) and differs("never", "random 2"),
    "dealt_event": lambda: differs("dealt_event", "random") and differs("dealt_event", "Supply Case"),
    "ruin_on_crater": on_crater,
    "move_die": lambda: far(6) and far(8),
    "stock.flags": flags_bite,
    "event_after_stop": moves_on,
    **{name: lambda name=name: spent(name, DEFAULTS[name] + 1) for name in COSTS},
    **{name: lambda name=name: owed(name, DEFAULTS[name] + 1) for name in DEFAULTS if "_upkeep." in name},
    **{
        name: lambda name=name: faces(name, DEFAULTS[name] + 2)
        for name in DEFAULTS
        if name.startswith("die.")
    },
    **{
        name: lambda name=name: short(name, 1 if name == "stock.Tunnel" else 0)
        for name in DEFAULTS
        if name.startswith("stock.") and name != "stock.flags"
    },
    **{
        name: lambda name=name: differs(name, DEFAULTS[name] + 1)
        for name in DEFAULTS
        if name.startswith(("start.", "treasury.", "event_counts."))
    },
}


@pytest.mark.parametrize("name", TRIED)
def test_it_matters_at_the_start_or_in_price(name: str) -> None:
    assert TRIED[name]()


def test_no_parameter_is_forgotten() -> None:
    tried = {*TRIED, *(bite["parameter"] for bite in bites("mars")), "quit.seat", "quit.turn"}
    assert set(DEFAULTS) - tried == set()


def test_a_quitter_waits_for_its_turn() -> None:
    case = {
        "players": 3,
        "parameters": {"quit": {"seat": 1, "turn": 5}},
        "position": {"A": "square 4 +0", "turn": 3},
        "chance": ["roll 1"],
    }
    table = Table(case, "here", None)
    assert table.do("roll") is None
    assert not table.state["gone"][1]
    case["position"] = {
        "A": "square 4 +0",
        "turn": 4,
        "B": "M 3 | events E8",
        "board": "3,0 B:Tunnel",
        "deck": "E3",
    }
    table = Table(case, "here", None)
    assert table.do("roll") is None
    assert table.state["gone"][1]
    assert "quit" in seat_text(table.state, 1)
    assert int(table.state["seat"]) == 2


def test_events_by_name_or_number() -> None:
    for name, number in zip(EVENT_NAMES, EVENT_NUMBERS):
        assert setup_cell.event_code(name, "here") == setup_cell.event_code(f"E{number}", "here")


def test_a_free_building_is_worth_more_to_bots_where_it_stands() -> None:
    """Else none would ever be placed: waiting in the reserve once counted for more than a Hospital on the board."""
    tunnels = " ; ".join(f"{tile} A:Tunnel" for tile in ("-3,0", "-2,0", "-2,1", "-2,2", "-3,3"))
    case = {"position": {"A": "reserve Hospital", "board": tunnels}}
    table = Table(case, "here", None)
    waiting, standing = np.zeros(len(GAME.features)), np.zeros(len(GAME.features))
    features(table.rules, table.state, 0, waiting)
    assert table.do("build Hospital -2,-1") is None
    features(table.rules, table.state, 0, standing)
    hospitals, reserve = GAME.features.index("hospitals"), GAME.features.index("reserve")
    assert 0 < waiting[hospitals] < standing[hospitals] == 1
    assert (waiting[reserve], standing[reserve]) == (1, 0)
    assert np.dot(GAME.weights, standing) > np.dot(GAME.weights, waiting)


def test_a_lifted_piece_counts_as_standing_for_bots() -> None:
    """Else a bot that looks at positions would never lift a Tunnel, or see housing where there is none."""
    case = {
        "parameters": {"movable": "tunnels too"},
        "position": {"A": "RCU 2", "board": "-3,0 A:Tunnel ; -4,1 A:Tunnel"},
    }
    table = Table(case, "here", None)
    before, lifted = np.zeros(len(GAME.features)), np.zeros(len(GAME.features))
    features(table.rules, table.state, 0, before)
    assert table.do("move Tunnel -4,1") is None
    features(table.rules, table.state, 0, lifted)
    for name in ("tunnels", "housing", "mines"):
        k = GAME.features.index(name)
        assert before[k] == lifted[k], name
