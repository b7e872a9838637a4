"""Set-up of Migration: foundings, Random Bans, teams, the Founder. Everything is drawn by keys from the deal's seed."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.checks.table import Table, make_job
from sim.core.game import Cell
from sim.core.play import Chunk, play_chunk
from sim.core.seeds import deal_seed
from sim.games.migration.board import MODIFIER_COUNTS
from sim.games.migration.rules.params import PIECES
from sim.games.migration.rules.state import ENTER, PASS
from tests.games.deals import MIGRATION, TERRAIN, bits, board_of, cell

BASS, RATS, WOLF = (PIECES.index(name) for name in ("Bass", "Rats", "Wolf"))
COUNTS = [3, 3, 3, 3, 3, 3, 2, 2, 3, 3, 2]


def deals(cell: Cell, count: int, log: str = "pieces", seatings: Any = None) -> Chunk:
    """Play `count` deals of a cell and return what was logged."""
    return play_chunk(MIGRATION, [cell], make_job([cell], deal_seed(5, range(count)).tolist(), seatings), log)


def teams(cell: Cell, count: int) -> Any:
    """Return the teams (deals, seats, pieces) that were held."""
    chunk = deals(cell, count)
    assert chunk.pieces is not None
    return chunk.pieces["owned"]


# --- foundings -----------------------------------------------------------------------------------------------


def test_foundings_are_as_varied_as_the_rules_allow() -> None:
    box = cell(3, map="founder")
    boards = [board_of(Table(MIGRATION, box, seed).rules) for seed in range(150)]
    assert len({frozenset(region.hex for region in board.regions) for board in boards}) == len(boards)
    used = {name: {sum(name in r.terrain for r in board.regions) for board in boards} for name in TERRAIN}
    for name in ("Lake", "Mountain", "Deep Woods", "Desert", "Oasis"):
        assert used[name] == set(range(MODIFIER_COUNTS[name] + 1)), name
    islands = [len(board.islands(sea_deserts=False)) for board in boards]
    assert 1 in islands
    assert max(islands) > 1
    assert {sum(region.sea for region in board.regions) for board in boards} == {0, 1}
    assert len({len([r for r in board.regions if board.is_interior(r.hex)]) for board in boards}) > 3
    assert any(r.sea and board.islands() != board.islands(False) for board in boards for r in board.regions)


def test_a_founding_depends_on_the_seed_alone() -> None:
    box = cell(2, map="founder")
    first = Table(MIGRATION, box, 3)
    Table(MIGRATION, box, 4)
    again = Table(MIGRATION, cell(2, map="founder", rats_points=3, bans="random 3"), 3)
    assert board_of(first.rules) == board_of(again.rules)


# --- bans ----------------------------------------------------------------------------------------------------


@cache
def drawn_bans(method: str, count: int = 40_000) -> tuple[int, ...]:
    """Return the masks that were drawn for many deals."""
    box = cell(2, bans="random 3", ban_method=method)
    return tuple(deals(box, count, "games").drawn[:, 0].tolist())


def odds(method: str) -> dict[int, float]:
    """Return the probability of every legal set of three (ruling G1)."""
    found = {}
    for trio in combinations(range(len(PIECES)), 3):
        if not {BASS, WOLF} <= set(trio):
            exactly_one = BASS in trio or WOLF in trio
            mask = sum(1 << piece for piece in trio)
            found[mask] = (3 / 440 if exactly_one else 1 / 165) if method == "printed" else 1 / 156
    return found


def p_value(drawn: tuple[int, ...], wanted: dict[int, float]) -> float:
    """Return the chi-square probability of what was drawn, by sets with one of Bass and Wolf and without."""
    share = sum(p for mask, p in wanted.items() if mask & (1 << BASS | 1 << WOLF))
    with_one = sum(bool(mask & (1 << BASS | 1 << WOLF)) for mask in drawn)
    n = len(drawn)
    return float(stats.chisquare([with_one, n - with_one], [n * share, n * (1 - share)]).pvalue)


def test_the_odds_add_up() -> None:
    for method in ("printed", "uniform"):
        assert len(odds(method)) == 156
        assert sum(odds(method).values()) == pytest.approx(1.0)


@pytest.mark.parametrize(("method", "other"), [("printed", "uniform"), ("uniform", "printed")])
def test_random_bans_have_the_odds_of_their_procedure(method: str, other: str) -> None:
    drawn = drawn_bans(method)
    assert set(drawn) == set(odds(method)), "every legal set comes up, and no other"
    assert p_value(drawn, odds(method)) > 1e-4
    assert p_value(drawn, odds(other)) < 1e-12, "the other procedure would be told apart"
    counts = np.array([drawn.count(mask) for mask in odds(method)])
    expected = np.array(list(odds(method).values())) * len(drawn)
    assert stats.chisquare(counts, expected).pvalue > 1e-4


@pytest.mark.parametrize("cards", [1, 2, 4, 6])
def test_random_bans_leave_legal_teams(cards: int) -> None:
    box = cell(3, bans=f"random {cards}")
    chunk = deals(box, 400)
    assert chunk.pieces is not None
    owned = chunk.pieces["owned"]
    for g, mask in enumerate(chunk.drawn[:, 0].tolist()):
        banned = bits(mask)
        assert len(banned) == cards
        assert not {BASS, WOLF} <= set(banned)
        assert owned[g][:, banned].sum() == 0
    assert (owned.sum(axis=2) == 12).all()


def test_random_bans_mind_what_one_player_may_not_use() -> None:
    """A player whose Bass is banned for itself must keep the Wolf."""
    box = cell(2, bans="random 3", entrants=[{}, {"bans": ["Bass"]}])
    masks = deals(box, 500, "games").drawn[:, 0]
    assert not (masks & 1 << WOLF).any()
    assert (masks & 1 << BASS).any()


# --- teams ---------------------------------------------------------------------------------------------------


def test_random_teams_are_legal() -> None:
    held = teams(cell(4), 500)
    assert (held.sum(axis=2) == 12).all()
    assert (held <= COUNTS).all()
    assert (held >= 0).all()
    assert (held[:, :, [BASS, WOLF]].sum(axis=2) > 0).all()
    assert len(np.unique(held.reshape(-1, 11), axis=0)) > 1500


def test_random_teams_are_drawn_evenly_from_the_set() -> None:
    """Without the rule about Bass and Wolf (basic game) each of the 30 pieces is in 12 of 30 teams."""
    held = teams(cell(4, abilities=False), 2000).reshape(-1, 11)
    shares = held.mean(axis=0) / COUNTS
    spread = np.sqrt(0.4 * 0.6 / (len(held) * 2))
    assert abs(shares - 12 / 30).max() < 5 * spread
    three = np.bincount(held[:, RATS], minlength=4)
    expected = stats.hypergeom(30, 3, 12).pmf(range(4)) * len(held)
    assert stats.chisquare(three, expected).pvalue > 1e-4


def test_no_team_without_bass_and_wolf_even_where_that_is_likely() -> None:
    held = teams(cell(2, hand_size=2), 500)
    assert (held.sum(axis=2) == 2).all()
    assert (held[:, :, [BASS, WOLF]].sum(axis=2) > 0).all()
    free = teams(cell(2, hand_size=2, abilities=False), 500)
    assert (free[:, :, [BASS, WOLF]].sum(axis=2) == 0).any(), "the basic game asks for neither"


def test_bass_required() -> None:
    assert (teams(cell(2, hand_size=3, bass_required=True), 300)[:, :, BASS] > 0).all()
    assert (teams(cell(2, hand_size=3), 300)[:, :, BASS] == 0).any()
    banned = teams(cell(2, hand_size=3, bass_required=True, bans=["Bass"]), 300)
    assert (banned[:, :, BASS] == 0).all(), "what is banned is not asked for"


def test_a_ban_changes_as_few_other_pieces_as_possible() -> None:
    """Every banned piece in a team is replaced by one other: 3 of 30, so 1.2 of 12 on average."""
    before, after = teams(cell(2), 1000), teams(cell(2, bans=["Rats"]), 1000)
    assert (after[:, :, RATS] == 0).all()
    changed = np.abs(after - before).sum(axis=2) / 2
    needed = before[:, :, RATS]
    assert (changed >= needed).all()
    # but where a team had to be drawn anew for want of Bass and Wolf
    assert (changed == needed).mean() > 0.97
    assert 1.1 < changed.mean() < 1.35


def test_weights() -> None:
    """With one piece a team, a piece comes up in proportion to its weight times its copies."""
    weights = {"Bass": 2.0, "Rats": 1.0, "Skunk": 3.0, "Cactus": 0.5}
    deck = {"deck": "w", "deck_counts": weights}
    box = cell(2, hand_size=1, abilities=False, entrants=[deck, deck])
    held = teams(box, 3000).reshape(-1, 11).sum(axis=0)
    copies = [weights.get(name, 0.0) * COUNTS[code] for code, name in enumerate(PIECES)]
    used = [code for code, weight in enumerate(copies) if weight > 0]
    assert held.sum() == held[used].sum() == 6000
    expected = np.array(copies)[used] / sum(copies) * 6000
    assert stats.chisquare(held[used], expected).pvalue > 1e-4


def test_even_weights_are_no_weights() -> None:
    even = {"deck": "w", "deck_counts": dict.fromkeys(PIECES, 2.5)}
    np.testing.assert_array_equal(teams(cell(2, entrants=[even, even]), 100), teams(cell(2), 100))


DECK = {"Bass": 2, "Rats": 3, "Sparrow": 3, "Fly": 2, "Lizard": 2}


def test_decks_go_with_their_player() -> None:
    box = cell(3, entrants=[{"deck": "rush", "deck_counts": DECK}])
    chunk = deals(box, 50, seatings=[[0, 1, 2], [2, 0, 1]])
    assert chunk.pieces is not None
    owned, assigned = chunk.pieces["owned"], chunk.pieces["assigned"]
    for row in (owned[::2, 0], owned[1::2, 1]):
        assert (row == [DECK.get(name, 0) for name in PIECES]).all()
    np.testing.assert_array_equal(owned[::2, 1], owned[1::2, 2])
    assert (assigned[::2, 0] == -1).all(), "a deck is no random assignment"
    np.testing.assert_array_equal(assigned[::2, 1:], owned[::2, 1:])


def test_bans_for_one_player_only() -> None:
    held = teams(cell(2, entrants=[{"bans": ["Wolf", "Fly"]}]), 300)
    fly = PIECES.index("Fly")
    assert (held[:, 0, [WOLF, fly]] == 0).all()
    assert (held[:, 1, WOLF] > 0).any()
    assert (held[:, 1, fly] > 0).any()
    assert (held.sum(axis=2) == 12).all()


def test_book_one() -> None:
    held = teams(cell(2, books="I"), 300)
    assert (held[:, :, 5:] == 0).all()
    assert (held.sum(axis=2) == 12).all()
    assert (held[:, :, BASS] > 0).all(), "without Wolves every team needs a Bass"


def test_the_basic_game_has_no_abilities() -> None:
    """Every Town is worth one (no Fertile, no Desert here), and first Towns go on the coast, whatever the piece."""
    box = cell(2, map="archipelago", abilities=False)
    chunk = deals(box, 200)
    assert chunk.pieces is not None
    standing = chunk.pieces["played"].sum(axis=2) - chunk.pieces["lost"].sum(axis=2)
    np.testing.assert_array_equal(chunk.seats["score"], standing)
    assert chunk.pieces["harm"].sum() == 0
    table = Table(MIGRATION, box, 1)
    kinds = {code >> 16 for code in table.actions()}
    pieces = {code >> 6 & 15 for code in table.actions() if code >> 16 == ENTER}
    assert kinds == {PASS, ENTER}
    assert pieces == {p for p in range(11) if table.state["hand"][0][p]}


# --- seats ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_founder_sits_last_unless_drawn(players: int) -> None:
    games = deals(cell(players), 300, "games").games
    assert (games["founder_seat"] == players - 1).all()
    assert (games["first_seat"] == 0).all()
    drawn = deals(cell(players, first_player="drawn"), 3000, "games").games["founder_seat"]
    counts = np.bincount(drawn, minlength=players)
    assert counts[0] == 0, "the Founder never goes first"
    assert players == 2 or stats.chisquare(counts[1:]).pvalue > 1e-4
    assert counts.sum() == 3000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_play_in_turn(players: int) -> None:
    chunk = deals(cell(players), 30, "turns")
    assert chunk.turns is not None
    for g in range(30):
        seats = chunk.turns["seat"][chunk.turns["game"] == g]
        assert seats.tolist() == [turn % players for turn in range(len(seats))]
