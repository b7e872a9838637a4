"""Positions that cannot occur are refused, each by its own line; what play comes to never is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sim.checks.table import Table, make_cell, stream_of
from sim.core.cases import Given
from sim.core.game import get_game
from sim.core.rng import below
from sim.games.drifting_lands import impossible as drifting_lands
from sim.games.drifting_lands.rules.state import PHASES
from sim.games.mars import impossible as mars
from sim.games.migration import impossible as migration
from sim.games.migration.rules.params import AGE_CARDS
from sim.games.migration.rules.state import TURN
from sim.games.migrato import impossible as migrato
from tests.games.test_worked_cases import run

pytestmark = pytest.mark.plain

NOTHING = Given({}, "here", ())
ONE = {"hands": {"A": "Rats", "B": "Bass"}}
LAID = "(impossible = true lays it all the same)"

CANNOT: dict[str, list[tuple[dict[str, Any], str]]] = {
    "migration": [
        ({"map": "row 4 1,0=Lake", "position": "1,0 A:Bass*"}, "1,0: a Bass Town on an open Lake"),
        ({"position": "0,0 A:Bass*/w"}, "0,0: a Bass Town on Wasteland, where only a Fly may be (C1)"),
        ({"position": "0,0 A:Bass ; 1,0 A*"}, "1,0: the Spirit of A is on no Town of A"),
        (
            {"hands": {"A": "4xRats", "B": "Bass"}},
            "A has 4 times Rats in hand and on the board, a set holds 3",
        ),
        (
            {"hands": {"A": "3xBass", "B": "Bass"}},
            "A has 4 times Bass in hand and on the board, a set holds 3",
        ),
        (
            {"hands": {"A": "3xRats 3xOak 3xFly 3xWolf", "B": "Bass"}},
            "A has 13 Explorers in hand and on the board, a team has 12",
        ),
        (
            {"position": "0,0 A:Bass* ; 1,0 w24"},
            "27 Explorers are in hands, on the board and face down, 2 teams",
        ),
        ({"parameters": {"bans": ["Rats"]}}, "A has a Rats, which is banned"),
        ({"parameters": {"books": "I"}, "hands": {"A": "Wolf", "B": "Bass"}}, "A has 1 times Wolf"),
        ({"turns": {"A": 0}}, "A has a Town, but has had no turn"),
        ({"founder": "A"}, "A is Founder and goes first: the Founder never does (A13)"),
        ({"revealed": {"A": "Rats"}}, "A has revealed Explorers, which only oaths = true knows"),
        (
            {"parameters": {"oaths": True}, "revealed": {"A": "Rats Fly"}},
            "A has revealed a Fly that is not in",
        ),
        (
            {
                "parameters": {"oaths": True},
                "hands": {"A": "3xRats", "B": "Bass"},
                "revealed": {"A": "3xRats"},
            },
            "A has revealed 3 Explorers, two lie open",
        ),
        (
            {"parameters": {"oaths": True}, "revealed": {"A": "Rats"}},
            "B has revealed 0 of 1 Explorers, two lie",
        ),
        (
            {
                "parameters": {"draft": True},
                "groups": ["Bass"],
                "position": "0,0 A:Bass",
                "hands": {"A": "", "B": ""},
            },
            "groups are there to be drafted, but somebody has Explorers in hand or a Town already",
        ),
        (
            {"parameters": {"age_mode": "era"}, "deck": ["Famine", "Strife", "Famine"]},
            "the Age Card Famine is there 2 times, there is one of each",
        ),
        (
            {"parameters": {"age_mode": "era"}, "deck": ["Famine"], "active": "Famine"},
            "the Age Card Famine is there 2 times",
        ),
        (
            {"parameters": {"age_mode": "agenda"}, "agenda": {"A": "Strife", "B": "Strife"}},
            "the Age Card Strife is there 2 times",
        ),
        (
            {
                "parameters": {"draft": True},
                "position": "",
                "groups": ["5xCactus"],
                "hands": {"A": "", "B": ""},
            },
            "5 times Cactus in the groups, two sets hold 4",
        ),
        (
            {
                "parameters": {"draft": True},
                "groups": ["Bass"] * 6 + ["Oak"],
                "position": "",
                "hands": {"A": "", "B": ""},
            },
            "7 groups: a Draft of 2 players has 6",
        ),
        (
            {
                "parameters": {"draft": True, "bans": ["Fly"]},
                "position": "",
                "groups": ["Fly Oak"],
                "hands": {"A": "", "B": ""},
            },
            "a Fly in the groups, which is banned and was taken out before (G3)",
        ),
    ],
    "drifting_lands": [
        (
            {"phase": "drift", "A": "pawns 0,0:1 | hand Moving"},
            "A has cards in hand: they are selected after",
        ),
        (
            {"phase": "drift", "A": "discard Moving"},
            "A has 1 discards and 0 cards in hand in round 1: by then 0",
        ),
        (
            {"board": "disk 4", "land": " ".join(f"{q},{r}^" for q in range(5) for r in (-2, -1, 0))},
            "the land has 30 tiles, two in each mountain: there are 28",
        ),
        ({"land": "[0,0 2,0]"}, "2,0 does not hang together with 0,0: tiles of one continent do (R1)"),
        ({"land": "[0,0] [1,0]"}, "0,0 and 1,0 touch: their continents are one (R1, continents_merge)"),
        ({"A": "pawns 0,0:3 1,0:3"}, "A has 2 pawns of level 3 on the board, a player has 1"),
        ({"A": "pawns 0,0:1 | supply 5 2 1 1"}, "A has 1 pawns of level 1 on the board and 5 in the supply"),
        ({"A": "pawns 0,0:1 | supply 3 2 1 1"}, "A has 1 pawns of level 1 on the board and 3 in the supply"),
        ({"A": "hand 2xOrogeny | deck Orogeny"}, "A has 3 times Orogeny, a deck has 2"),
        ({"A": "hand 4xMoving Orogeny"}, "A has 5 cards in hand: 4 are selected in a round"),
        (
            {"A": "hand 2xMoving | discard 3xBreeding"},
            "A has 3 discards and 2 cards in hand in round 1: by then 4",
        ),
        ({"round": 5}, "round 5: the game has 4 rounds"),
        ({"A": "start NW", "B": "start NW"}, "A starts at NW and B at NW: each continent is for one player"),
        (
            {"A": "start NW", "B": "start NE"},
            "A starts at NW and B at NE: two players start in opposite corners",
        ),
    ],
    "migrato": [
        ({"A": "hand K5 K5", "B": "hand K5"}, "K5 (Kite 5) is there 3 times, the deck has 2"),
        ({"A": "columns [T1D]", "discard": "T1D"}, "T1D (Teal 1 day) is there 2 times, the deck has 1"),
        ({"A": "hand K5 K4 K3 K2"}, "A has 4 cards in hand, a hand has 3 (hand_size)"),
        ({"A": "columns [K5] [K4] [K3] [K2] [E4]"}, "A has 5 columns in flight, 4 are allowed"),
        ({"A": "columns [K5 E4]"}, "column 1 of A mixes Kite and Bee-eater (A1)"),
        ({"A": "columns [E4] [(S5) B4D]"}, "column 2 of A mixes Brant and Stilt (A1)"),
        ({"B": "columns [K3 K4]"}, "column 1 of B: K4 lies on K3, but birds must not become more"),
        ({"A": "columns [(S2) (S3)]"}, "column 1 of A: S3 lies on S2, but birds must not become more"),
        (
            {"A": "columns [E4 E3 E2]"},
            "column 1 of A has the 3 cards that Bee-eaters need: it would have arrived",
        ),
        ({"A": "columns [E4 E3 E2 E1]"}, "column 1 of A has 4 cards, Bee-eaters need 3"),
        ({"A": "columns [B5D B4D B4D (B4N) B3D B3D]"}, "column 1 of A has 6 cards, 5 are allowed (D8)"),
        ({"A": "columns [K5] | arrived [K4 K4 K3 K3]"}, "column 1 of A flies Kites, which have arrived"),
        ({"A": "arrived [E3 E4 E2]"}, "the pile of Bee-eaters of A: E4 lies on E3"),
        ({"A": "arrived [E4 E3]"}, "the pile of Bee-eaters of A has 2 cards, an arrival has 3"),
        (
            {
                "A": "arrived [E4 E3 E1] [K5 K4 K3 K2]",
                "B": "arrived [S4 S3 S2 S1] [T3D T2N] [B5D B4D B4D B3D B3D]",
            },
            "all five species have arrived: the game is over (A42)",
        ),
        (
            {"digital": True, "A": "columns [(S5) K4]"},
            "column 1 of A: K4 flies by day only, never with night cards",
        ),
        (
            {"digital": True, "A": "columns [(S5) T5D]"},
            "column 1 of A: T5D lies on S5, ",
        ),
        (
            {"digital": True, "A": "columns [(S5) (T4N)]"},
            "column 1 of A: T4N lies on S5, ",
        ),
        (
            {"digital": True, "A": "columns [T1D (B3N)]"},
            "column 1 of A: B3N lies on T1D, ",
        ),
        ({"digital": True, "A": "columns [B3D (S5) B4D]"}, "column 1 of A: B4D lies on B3D"),
    ],
    "mars": [
        (
            {"phase": "answer", "to_move": "B", "pending": "A to B: M for W"},
            "A has 0 of the 1 M on offer (R72)",
        ),
        (
            {"phase": "answer", "to_move": "B", "pending": "A to B: M for 2 W", "A": "M 1", "B": "W 1"},
            "B has 1 of the 2 W on offer (R72)",
        ),
        ({"map": "default", "board": "2,-2 A:Tunnel"}, "2,-2 A:Tunnel: nothing is built on a crater (R29)"),
        (
            {"map": "default", "board": "2,-2 meteorite"},
            "2,-2 meteorite: no meteorite strikes a crater (R61)",
        ),
        ({"board": "-3,0 A:Mine"}, "-3,0 A:Mine touches -4,0 A:HQ: a production building touches no other"),
        ({"board": "-2,0 A:Mine ; -2,1 A:Plant"}, "-2,0 A:Mine touches -2,1 A:Plant: a production building"),
        ({"board": "-1,0 A:LSC"}, "-1,0 A:LSC touches 0,0 Embassy: contact = 'banned' forbids that (R22)"),
        ({"board": "-2,0 A:LSC ; -2,1 A:LSC"}, "-2,0 A:LSC touches -2,1 A:LSC: contact = 'banned'"),
        ({"board": "-2,0 A:Mine ; -2,1 B:Mine"}, "-2,0 A:Mine touches -2,1 B:Mine: buildings of two players"),
        ({"board": "-2,0 A:Habitat"}, "-2,0 A:Habitat touches no Life Support Center of A (R21)"),
        (
            {"board": "-2,0 A:Mine ; 2,0 A:Mine ; -2,3 A:Mine"},
            "A has 3 times Mine (built, in reserve and in Salvage)",
        ),
        ({"A": "reserve 9xTunnel", "board": "-3,0 A:Tunnel"}, "A has 10 times Tunnel"),
        ({"A": "bay Mine", "board": "-2,0 A:Mine ; 2,0 A:Mine"}, "A has 3 times Mine"),
        ({"A": "bay Mine Mine Plant"}, "A has 3 buildings in Salvage, a bay holds 2"),
        ({"A": "bay LSC"}, "A has a LSC in Salvage"),
        ({"A": "bay Tunnel"}, "A has a Tunnel in Salvage"),
        (
            {"A": "marks never:Mine", "board": "-2,0 A:Mine"},
            "A has a Mine, which is withheld from it (never)",
        ),
        ({"A": "pop 7"}, "A has 7 population, Salvage counted, but 6 flags (R89)"),
        ({"A": "pop 3"}, "A has 3 population, its colony houses 2"),
        ({"A": "pop -1"}, "A has less than no population"),
        ({"A": "pop 2 | embassy 2"}, "A has 2 in the Embassy: at most 1 (R55)"),
        ({"A": "square 3 +5"}, "A stands on square 3 after 5 steps, but its own stop is square 4 of 32"),
        ({"board": "0,2 Ruin", "corners": 4}, "1 Ruins on the terrain and 4 in the corners: there are 4"),
        (
            {"board": "0,2 Ruin ; 1,2 Ruin ; 2,2 Ruin ; 3,2 Ruin ; 0,4 Ruin"},
            "5 Ruins are on the terrain, there are 4",
        ),
        ({"A": "Med 21"}, "Med: 21 are out, there are 20"),
        ({"A": "Med 1", "treasury": "Med 20"}, "Med: 1 are out, 20 in the treasury, there are 20"),
        ({"board": "1,1 meteorite", "treasury": "meteorite 20"}, "meteorite: 1 are out, 20 in the treasury"),
        ({"A": "events E8", "B": "events E8"}, "event E8 is there 2 times, there are 1 (event_counts)"),
        ({"A": "events E8", "deck": "E8"}, "event E8 is there 2 times"),
        ({"deck": "E1 E1"}, "event E1 is there 2 times, there are 1"),
    ],
}
"""Changes of a small position, and what is said of them."""

NEVER: dict[str, list[tuple[dict[str, Any], str]]] = {
    "migration": [
        ({"map": "0,0 1,0 0,0"}, "hex 0,0 is given twice"),
        ({"position": "0,0 A:Bass* ; 0,0 w"}, "Region 0,0 is given twice"),
        ({"position": "0,0 A:Bass* ; 1,0 A:Rats*"}, "two Spirits of A, at 0,0 and 1,0: a player has one"),
        ({"position": "9,9 A:Bass"}, "there is no Region '9,9' on this map"),
        ({"position": "0,0 A:Bass/w0"}, "Wasteland has at least one piece"),
        ({"map": "row"}, "small maps are 'flower', 'row N'"),
        ({"map": "row 3 5,0=Lake"}, "there is no hex 5,0 in 'row 3'"),
        ({"map": "flowr"}, "map = 'flowr': there is no such map"),
    ],
    "drifting_lands": [
        ({"land": "0,0 0,0"}, "two tiles on 0,0: each space holds one"),
        ({"land": "[flower(0,0)] [1,0]"}, "two tiles on 1,0: each space holds one"),
        ({"A": "pawns 0,0:1", "B": "pawns 0,0:2"}, "there are two pawns on 0,0"),
        ({"land": "9,9"}, "there is no space '9,9' on this map"),
        ({"land": "[0,0] 1,0"}, "should look like '[0,0 1,0] [3,0^]'"),
        ({"A": "hand - | hand Moving"}, "hand is given twice"),
    ],
    "migrato": [
        ({"A": "arrived [E4 E3 E1] [E4 E3 E2]"}, "two piles of Bee-eaters: a species arrives once"),
        ({"A": "arrived [E4 K3 E1]"}, "an arrived pile holds birds of one species"),
        ({"A": "columns [Xd]"}, "Xd does not fly in a column"),
        ({"A": "columns [(K5)]"}, "night cards lie face down"),
        ({"A": "hand K5 | hand K4"}, "hand is given twice"),
    ],
    "mars": [
        ({"board": "-3,0 A:Tunnel ; -3,0 A:Mine"}, "two pieces on tile -3,0"),
        ({"board": "-3,0 A:HQ"}, "the HQ of A is not on -3,0"),
        ({"board": "-3,0 Embassy"}, "Embassy is not on -3,0"),
        ({"board": "-3,0 A:Mine/A:Tunnel"}, "only Tunnels lie below, under Ruins and meteorites"),
        ({"board": "-3,0 Mine"}, "whose is it? Write A:Mine"),
        ({"board": "9,9 A:Mine"}, "there is no tile '9,9' on this map"),
        ({"A": "M 1 W 2 M 3"}, "M is given twice"),
        ({"A": "pop 1 | pop 2"}, "pop is given twice"),
        ({"chance": ["roll 7"], "do": ["roll"]}, "chance 'roll 7' should be"),
        ({"chance": ["face injry"], "do": ["roll"]}, "did you mean 'injury'?"),
    ],
}
"""What cannot be laid at all, not even with ``impossible = true``."""


def laid(game: str, change: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of a case in which the small position is changed so."""
    change = dict(change)
    if game == "migration":
        return {"hands": ONE["hands"], **change}
    case: dict[str, Any] = {key: change.pop(key) for key in ("chance", "do") if key in change}
    if game == "drifting_lands":
        case["board"] = change.pop("board", "disk 3")
    if game == "mars" and "map" in change:
        case["parameters"] = {"map": change.pop("map")}
    if game == "migrato" and change.pop("digital", False):
        case["parameters"] = {"rules": "digital"}
    start = {"drifting_lands": {"land": "0,0 1,0"}}.get(game, {})
    return {**case, "position": {**start, **change}}


ROWS = [(game, change, words) for game, rows in CANNOT.items() for change, words in rows]


@pytest.mark.parametrize(("game", "change", "words"), ROWS)
def test_what_cannot_occur_is_refused_unless_it_is_wanted(
    game: str, change: dict[str, Any], words: str
) -> None:
    result = run(game, **laid(game, change), before={"to_move": "A"})
    assert result.refused
    (problem,) = result.problems
    assert words in problem
    assert problem.endswith(LAID)
    wanted = run(game, **laid(game, change), impossible=True, before={"ended": False})
    assert not wanted.refused, wanted.problems


@pytest.mark.parametrize(
    ("game", "change", "words"), [(game, *row) for game, rows in NEVER.items() for row in rows]
)
def test_what_cannot_be_laid_is_refused_even_if_it_is_wanted(
    game: str, change: dict[str, Any], words: str
) -> None:
    for more in ({}, {"impossible": True}):
        result = run(game, **{"before": {"to_move": "A"}, **laid(game, change), **more})
        assert result.refused, change
        assert words in result.problems[0]
        assert LAID not in result.problems[0]


# --- what play comes to --------------------------------------------------------------------------------------


def at_the_beginning(state: Any) -> bool:
    """Whether a turn of Migration has just begun."""
    begun = (
        int(state["oaks_used"])
        or int(state["lakes_used"])
        or int(state["wandered"])
        or int(state["towns_made"])
    )
    return int(state["phase"]) == TURN and not begun


Faults = Callable[[Table], Iterator[str]]
OCCURS: dict[str, tuple[Faults, Callable[[Any], bool], list[tuple[int, dict[str, Any]]]]] = {
    "migration": (
        lambda t: migration.faults(t.rules, t.state, t.cell.cards or tuple(AGE_CARDS)),
        at_the_beginning,
        [
            (2, {}),
            (3, {"map": "wilds", "oaths": True}),
            (2, {"age_mode": "era", "map": "lagoon"}),
            (4, {"age_mode": "agenda"}),
            (2, {"age_mode": "scenario", "age": "Cooperation"}),
            (2, {"age_mode": "scenario", "age": "Wandering", "map": "wilds"}),
            (3, {"draft": True, "bans": ["Fly"]}),
            (2, {"bans": "random 3", "books": "both", "map": "founder"}),
        ],
    ),
    "drifting_lands": (
        lambda t: drifting_lands.faults(
            t.rules, t.state, "-", [int(n) for n in t.cell.entrants["drifting_lands_deck"][0]]
        ),
        lambda state: PHASES[int(state["phase"])] in ("start", "drift", "select", "play"),
        [
            (2, {}),
            (3, {"map": "gondwana"}),
            (4, {"team_variety": True, "lever": "both"}),
            (2, {"continents_merge": False}),
        ],
    ),
    "migrato": (
        lambda t: migrato.faults(t.rules, t.state),
        lambda state: True,
        [
            (2, {"rules": "printed"}),
            (2, {"rules": "digital", "deduction_bans": False}),
            (2, {"rules": "digital", "deduction_bans": False, "memory": 0.5, "mixed": "allowed"}),
            (2, {"rules": "printed", "steal_from_arrived": True, "finish": "round", "deck": "flat"}),
            (2, {"rules": "printed", "merge_arrives": False, "overlen": "allowed"}),
        ],
    ),
    "mars": (
        lambda t: mars.faults(t.rules, t.state, NOTHING),
        lambda state: True,
        [
            (2, {}),
            (3, {"contact": "free", "lsc_move": "free", "cleared": "tunnel"}),
            (4, {"map": "lab", "lost_tunnels": "out", "dead_flags": "out", "ruin_on_crater": True}),
            (2, {"movable": "tunnels too", "start_building": "choice", "event_counts": {"Meteor Shower": 6}}),
        ],
    ),
}


@pytest.mark.parametrize("game", OCCURS)
def test_no_position_of_play_is_called_impossible(game: str) -> None:
    faults, fits, settings = OCCURS[game]
    looked = 0
    for number, (players, parameters) in enumerate(settings):
        cell = make_cell(get_game(game), ["random"], players, parameters)
        for seed in range(2 if game == "migration" else 1):
            table, stream = Table(get_game(game), cell, seed), stream_of(seed, number)
            while not table.over and table.plies < 600:
                if fits(table.state):
                    assert list(faults(table)) == [], f"{parameters}, {table.where}"
                    looked += 1
                actions = table.actions()
                table.play(actions[int(below(stream, len(actions)))])
    assert looked > 200
