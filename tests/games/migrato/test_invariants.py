"""Nothing is lost or invented in a game of Migrato, whatever the flags; redrawn positions are possible ones."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim.checks.table import Table, differing
from sim.core.cases import Given
from sim.core.contract import MEASURES, determinize, score, tally
from sim.core.game import Entrant, get_game
from sim.core.params import describe
from sim.games.migrato.notation import column_bytes, pile_pieces, position_text
from sim.games.migrato.positions import position, rules_for
from sim.games.migrato.rules.params import PIECES, Parameters
from sim.games.migrato.rules.state import ACTION, CARD, DOWN, LOST, NIGHT_OF

MIGRATO = get_game("migrato")
FIXED = {"deck", "check_deck", "left_out", "turn_cap", "memory"}


def random_parameters(rng: random.Random) -> dict[str, Any]:
    """Return a setting at random that the game accepts."""
    while True:
        values: dict[str, Any] = {"turn_cap": 60}
        for row in describe(Parameters):
            if row["name"] not in FIXED and row["type"] in ("choice", "bool") and rng.random() < 0.4:
                values[row["name"]] = rng.choice(row["range"])
        if rng.random() < 0.4:
            values |= {"memory": 0.6, "hidden_check": "visible_only"}
        if rng.random() < 0.4:
            values["left_out"] = "random 2"
        try:
            MIGRATO.prepare(values, 2, [Entrant("a", "random"), Entrant("b", "random")])
        except ValueError:
            continue
        return values


def cards_of(state: Any) -> Counter[int]:
    """Return every card of a position by piece, wherever it is."""
    found: Counter[int] = Counter()
    for seat in range(2):
        found.update(int(card) - 1 for card in state["hand"][seat] if card)
        for c in range(int(state["n_columns"][seat])):
            found.update((byte & CARD) - 1 for byte in column_bytes(state, seat, c))
        for species in range(5):
            found.update(pile_pieces(state, seat, species))
    for pile in ("deck", "discard", "apart"):
        found.update(int(card) - 1 for card in state[pile] if card)
    if state["taken"]:
        found[(int(state["taken"]) & CARD) - 1] += 1
    return found


def check_position(table: Table) -> None:
    """Counts, order and what lies face down are as they must be."""
    rules, state = table.rules, table.state
    copies = {piece: int(n) for piece, n in enumerate(rules["copies"]) if n}
    assert cards_of(state) == copies
    for seat in range(2):
        hand = [int(card) for card in state["hand"][seat, : int(state["hand_size"][seat])]]
        assert hand == sorted(hand)
        assert all(hand)
        assert not state["hand"][seat, len(hand) :].any()
        assert len(hand) <= int(rules["hand_size"])
        assert int(state["n_columns"][seat]) <= int(rules["max_columns"])
        for c in range(int(state["n_columns"][seat])):
            cards = column_bytes(state, seat, c)
            assert 0 < len(cards) <= int(rules["max_column_length"])
            for byte in cards:
                assert bool(byte & DOWN) == bool(NIGHT_OF[(byte & CARD) - 1])
                assert byte & DOWN or not byte & LOST
        for species in range(5):
            pile = pile_pieces(state, seat, species)
            assert all(PIECES[piece].split()[0] == PIECES[pile[0]].split()[0] for piece in pile)


@pytest.mark.parametrize("seed", range(12))
def test_every_card_is_somewhere(seed: int) -> None:
    rng = random.Random(seed)
    values = random_parameters(rng)
    table = Table(MIGRATO, MIGRATO.prepare(values, 2, [Entrant("a", "random"), Entrant("b", "random")]), seed)
    while not table.over:
        check_position(table)
        actions = table.actions()
        plays = [action for action in actions if action >> 16 not in (7, 8)]  # passes now and then only
        table.play(rng.choice(plays if plays and rng.random() < 0.9 else actions))
    check_position(table)


@pytest.mark.parametrize("seed", range(8))
def test_a_redrawn_position_agrees_with_all_that_the_seat_sees(seed: int) -> None:
    rng = random.Random(seed)
    values = random_parameters(rng)
    table = Table(MIGRATO, MIGRATO.prepare(values, 2, [Entrant("a", "random"), Entrant("b", "random")]), seed)
    for _ in range(60):
        if table.over:
            break
        seat = rng.randrange(2)
        other = table.states[:1].copy()
        determinize(table.rules, other[0], seat, np.array([seed], dtype=np.uint64))
        before, after = table.state, other[0]
        assert cards_of(after) == cards_of(before)
        assert set(differing(before, after)) <= {
            *("column", "kind", "low", "high", "last", "open", "hand", "star", "deck", "discard", "apart"),
            *(
                "taken",
                "stolen",
                "stolen_known",
                "held",
                "dealt",
                "played",
                "first_turn",
                "discarded",
                "lost",
                "harm",
            ),
        }
        assert (after["hand"][seat] == before["hand"][seat]).all()
        for owner in range(2):
            for c in range(int(before["n_columns"][owner])):
                for one, two in zip(column_bytes(before, owner, c), column_bytes(after, owner, c)):
                    unknown = one & (LOST if owner == seat else DOWN)
                    assert one == two or (unknown and two & DOWN)
        actions = table.actions()
        plays = [action for action in actions if action >> 16 not in (7, 8)]
        table.play(rng.choice(plays or actions))


def test_points_are_those_of_the_top_cards() -> None:
    table = Table(MIGRATO, MIGRATO.prepare({}, 2, [Entrant("a", "greedy"), Entrant("b", "greedy")]), 3)
    rng = random.Random(1)
    marks = np.zeros((len(MEASURES), len(PIECES)), dtype=np.int16)
    while not table.over:
        table.play(rng.choice(table.actions()))
        for seat in range(2):
            tops = [pile_pieces(table.state, seat, species)[-1:] for species in range(5)]
            points = sum(int(PIECES[piece].split()[1]) for top in tops for piece in top)
            tally(table.rules, table.state, seat, marks)
            assert score(table.rules, table.state, seat) == points == marks[MEASURES.index("scored")].sum()


@pytest.mark.parametrize("seed", range(5))
def test_a_position_is_read_as_it_is_written(seed: int) -> None:
    box = MIGRATO.prepare(
        {"rules": "digital", "memory": 0.8}, 2, [Entrant("a", "random"), Entrant("b", "random")]
    )
    table, rng = Table(MIGRATO, box, seed), random.Random(seed)
    rules = rules_for({"rules": "digital", "memory": 0.8})[0]
    for _ in range(80):
        if table.over:
            break
        text = position_text(table.state)
        first, *lines = text.splitlines()
        given: dict[str, Any] = dict(line.split(": ", 1) for line in lines)
        given["to_move"] = "AB"[table.seat]
        given["phase"] = first.split(": ")[1]
        given |= {"turn": int(table.state["turn"])}
        again = position(rules, Given(given, "here", list(given)))[0]
        assert position_text(again) == text
        if int(table.state["phase"]) == ACTION:
            unlike = differing(again, table.state)
            assert not {"column", "hand", "star", "pile", "low", "open", "kind"} & set(unlike)
        actions = table.actions()
        plays = [action for action in actions if action >> 16 not in (7, 8)]
        table.play(rng.choice(plays or actions))
