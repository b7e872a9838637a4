"""What always holds in Migration: Mars, whatever is played: nothing is made or lost, and links are what they seem."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.checks.table import Table, make_cell, stream_of
from sim.core.contract import OVER, RESOLVE, apply, features, legal, resolve
from sim.core.rng import below
from sim.games.mars.game import GAME
from sim.games.mars.notation import action_text, deck_kinds, position_text
from sim.games.mars.rules import state as records
from sim.games.mars.rules.population import capacity
from sim.games.mars.rules.tiles import survey

LINKS = (
    *(
        "net",
        "near_net",
        "near_way",
        "near_lsc",
        "near_habitat",
        "by_habitat",
        "by_lsc",
        "by_plain",
        "linked",
    ),
)
SETTINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "4 players": (4, {"trade_offers": 3}),
    "3 players, other readings": (
        3,
        {
            "link": "tunnels",
            "contact": "free",
            "tunnels": "anywhere",
            "embassy_cut": "dies",
            "dead_flags": "out",
            "ride": "optional",
            "injury_med": "choice",
            "voluntary_default": True,
            "lsc_move": "free",
            "trading": "up to two",
            "trade_event12": True,
        },
    ),
    "2 players, poor": (
        2,
        {
            "treasury": {"M": 8, "W": 6, "S": 8, "Med": 3, "RCU": 3, "Oly": 5, "BP": 1, "meteorite": 4},
            "ruin_cost": {"M": 1, "W": 0, "S": 0},
            "dealt_event": "random",
            "start_building": "choice",
            "buy_to_reserve": True,
        },
    ),
    "a quitter": (3, {"quit": {"seat": 1, "turn": 40}, "start_building": "random"}),
    "hidden cards": (4, {"cards": "hidden", "event8_all": True, "overshoot": "pass"}),
    "what is struck": (
        3,
        {
            "cleared": "tunnel",
            "embassy_link": "any contact",
            "tunnels": "anywhere",
            "ruin_link": "owner",
            "ruin_cost": {"M": 1, "W": 0, "S": 0, "Oly": 0},
            "movable": "tunnels too",
            "mine_kind": "choice",
            "short_treasury": "nothing",
            "remove_meteorite_rcu": 0,
            "reposition_rcu": 0,
        },
    ),
    "only the next turn": (
        4,
        {
            "next_turn": "only",
            "lost_tunnels": "out",
            "dead_flags": "out",
            "production_site": "gap",
            "habitats_per_lsc": 1,
            "default_swap": False,
            "oly_pop": "once a turn",
            "export_oly_alone": True,
            "event_counts": {"Meteor Shower": 6, "Ahead of Schedule": 4},
            "house_order": "embassy last",
            "salvage_discard": "own turn",
            "event_after_stop": "stays",
            "event8_on_event_moves": True,
            "moves": "once a turn",
        },
    ),
}


def check(table: Table) -> None:
    """Compare the position with what there was at the start."""
    rules, state = table.rules, table.state
    players = range(table.cell.players)
    for kind in range(records.N_CARDS):
        held = sum(int(state["cards"][s][kind]) for s in players)
        assert all(int(state["cards"][s][kind]) >= 0 for s in players)
        assert int(rules["treasury"][kind]) == held + int(state["bank"][kind])
    meteors = sum(int(word).bit_count() for word in state["meteor"])
    assert int(rules["treasury"][records.METEORITES]) == meteors + int(state["bank"][records.METEORITES])
    ruins = sum(int(what) == records.RUIN for what in state["what"])
    lifted = int(state["lifted"]) == records.RUIN
    assert ruins + lifted + int(state["corners"]) == 4
    events = np.bincount(deck_kinds(state), minlength=records.N_EVENTS)
    for s in players:
        if state["dealt"][s] >= 0:
            events[state["dealt"][s]] += 1
        for k, kind in enumerate((records.E8, records.E11, records.E12)):
            events[kind] += state["kept"][s][k]
    if state["event"] >= 0:
        events[state["event"]] += 1
    assert events.tolist() == [int(n) for n in rules["event_counts"]]
    for s in players:
        check_seat(rules, state, s)


def check_seat(rules: Any, state: Any, s: int) -> None:
    for kind in range(records.RUIN):
        owned = sum(int(state[where][s][kind]) for where in ("built", "reserve", "bay"))
        owned += int(state["lifted"]) == kind and int(state["mover"]) == s
        owned += int(state["struck"]) == kind and int(state["struck_owner"]) == s
        owned += int(state["tunnels_out"][s]) if kind == records.TUNNEL else 0
        # a free building of the faster game and its like may not exceed the stock either
        assert owned <= int(rules["stock"][kind]), (s, kind)
        on_board = sum(
            int(state["owner"][t]) == s
            and (
                int(what) == kind
                or (kind == records.TUNNEL and int(what) in (records.RUIN, records.METEORITE))
            )
            for t, what in enumerate(state["what"])
        )
        assert on_board == int(state["built"][s][kind])
    pop, bay = int(state["pop"][s]), int(state["bay_pop"][s])
    assert 0 <= int(state["embassy"][s]) <= pop
    assert pop + bay <= int(rules["stock"][records.FLAGS])
    assert 0 <= bay <= int(state["bay"][s][records.HABITAT])
    if state["struck"] < 0 and state["lifted"] < 0 and not state["gone"][s]:
        assert pop <= int(capacity(rules, state, np.int64(s)))
    before = {name: state[name][s].copy() for name in LINKS}
    survey(rules, state, np.int64(s))
    for name, value in before.items():
        assert np.array_equal(value, state[name][s]), f"{name} of seat {s} is not up to date"


def play(players: int, parameters: dict[str, Any], seed: int, plies: int) -> None:
    table = Table(GAME, make_cell(GAME, ["random"], players, parameters), seed)
    stream = stream_of(seed, 0)
    for ply in range(plies):
        if table.over:
            break
        untouched = table.state.tobytes()
        actions = table.actions()
        assert table.state.tobytes() == untouched, "looking for legal actions changed the position"
        texts = [action_text(action, table.rules) for action in actions]
        assert len(set(texts)) == len(texts), f"one text for two actions, ply {ply}"
        assert max(len(actions), 1) < GAME.max_actions
        # rather something else than offers and rolls, so that positions are rich
        rich = [
            a for a in actions if a >> records.KIND_AT not in (records.A_OFFER, records.A_COUNTER)
        ] or actions
        pool = rich if below(stream, 4) else actions
        table.play(pool[int(below(stream, len(pool)))])
        check(table)
    assert position_text(table.rules, table.state).startswith("turn ")


@pytest.mark.parametrize("name", SETTINGS)
def test_nothing_is_made_or_lost(name: str) -> None:
    players, parameters = SETTINGS[name]
    for seed in (1, 2):
        play(players, parameters, seed, 400)


@pytest.mark.soak
@pytest.mark.parametrize("name", SETTINGS)
def test_nothing_is_made_or_lost_for_long(name: str) -> None:
    players, parameters = SETTINGS[name]
    for seed in range(3, 13):
        play(players, parameters, seed, 4000)


def test_a_look_changes_nothing_and_a_told_outcome_is_the_one_drawn() -> None:
    """A referee that is told what was drawn comes to the same position."""
    cell = make_cell(GAME, ["random"], 3, {})
    one, two = Table(GAME, cell, 7), Table(GAME, cell, 7)
    other = np.full(1, 12345, dtype=np.uint64)
    stream = stream_of(7, 1)
    numbers = np.zeros(len(GAME.features))
    for _ in range(300):
        if one.over:
            break
        actions = one.actions()
        action = np.int32(actions[int(below(stream, len(actions)))])
        features(one.rules, one.state, 0, numbers)
        one.play(int(action))
        told = [int(fate) & 255 for fate in one.state["fates"][: int(one.state["n_fates"])]]
        apply(two.rules, two.state, action)
        while int(two.state["phase"]) == RESOLVE:
            used = int(two.state["n_fates"])
            two.state["fate"] = told[used] if used < len(told) else -1
            resolve(two.rules, two.state, other)
            two.state["fate"] = -1
        assert position_text(one.rules, one.state) == position_text(two.rules, two.state)
    assert int(one.state["phase"]) == OVER or int(legal(one.rules, one.state, one.out)) > 0


def test_a_picture_is_drawn_of_any_position() -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    table = Table(GAME, make_cell(GAME, ["random"], 3, {"target": 2}), 3)
    stream = stream_of(3, 0)
    figure, ax = plt.subplots(figsize=(6, 4))
    while not table.over:
        actions = table.actions()
        table.play(actions[int(below(stream, len(actions)))])
    GAME.draw(table.rules, table.state, ax)
    texts = [text.get_text() for text in ax.texts]
    assert "Emb" in texts
    assert any("wins" in text for text in texts)
    plt.close(figure)
