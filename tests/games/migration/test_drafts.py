"""The Draft and the deck of Age Cards as random set-ups: nothing lost, nothing twice, nothing favoured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.checks.table import Table, make_job, stream_of
from sim.core.contract import determinize
from sim.core.play import Chunk, play_chunk
from sim.core.rng import below
from sim.core.seeds import deal_seed
from sim.games.migration.rules.drafting import chooser_of, owner_of_piece, piece_in, splitter_of
from sim.games.migration.rules.params import AGE_CARDS, PIECES
from sim.games.migration.rules.state import BASS, PLAYING, WOLF
from tests.games.deals import MIGRATION, cell

COUNTS = np.array([3, 3, 3, 3, 3, 3, 2, 2, 3, 3, 2])
GAMES = 30


def tables(count: int, players: int = 2, **parameters: Any) -> list[Any]:
    """Return the positions at the first decision of `count` deals."""
    box = cell(players, **parameters)
    return [Table(MIGRATION, box, seed).copy()[0] for seed in deal_seed(7, range(count)).tolist()]


def groups_of(state: Any) -> list[list[int]]:
    """Return the pieces of every group."""
    rows = [int(group) for group in state["groups"][: int(state["n_groups"])]]
    return [[code for k in range(5) if (code := row >> 4 * k & 15) != 15] for row in rows]


def pieces_of(groups: list[list[int]]) -> list[int]:
    """Return all pieces of some groups."""
    return [piece for group in groups for piece in group]


def played(players: int, **parameters: Any) -> Chunk:
    seeds = deal_seed(7, range(GAMES)).tolist()
    box = cell(players, draft=True, **parameters)
    return play_chunk(MIGRATION, [box], make_job([box], seeds), "pieces")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_three_groups_of_five_a_player_out_of_two_sets(players: int) -> None:
    """53: of the 12 groups 6, 9 and 12 are drafted."""
    for state in tables(40, players, draft=True):
        groups = groups_of(state)
        assert len(groups) == 3 * players
        assert {len(group) for group in groups} == {5}
        dealt = np.bincount(pieces_of(groups), minlength=len(PIECES))
        assert (dealt <= 2 * COUNTS).all()
        assert players < 4 or (dealt == 2 * COUNTS).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_piece_is_drafted_once_and_the_tables_agree(players: int) -> None:
    chunk = played(players)
    rows, pieces = chunk.drafts, chunk.pieces
    assert rows is not None
    assert pieces is not None
    dealt = [groups_of(state) for state in tables(GAMES, players, draft=True)]
    for g in range(GAMES):
        mine = rows["game"] == g
        drafted = np.bincount(rows["piece"][mine], minlength=len(PIECES))
        np.testing.assert_array_equal(drafted, np.bincount(pieces_of(dealt[g]), minlength=len(PIECES)))
        assert (rows["round"][mine] == np.repeat([1, 2, 3], 5 * players)).all()
        splitter, chooser = rows["splitter"][mine][::5], rows["chooser"][mine][::5]
        step = (chooser - splitter) % players
        assert (step == np.repeat([players - 1, 1, players - 1], players)).all(), "right, left, right"
        np.testing.assert_array_equal(splitter[1:], chooser[:-1])
        for seat in range(players):
            to_chooser = rows["taken"] == 1
            took = mine & np.where(to_chooser, rows["chooser"] == seat, rows["splitter"] == seat)
            got = np.bincount(rows["piece"][took], minlength=len(PIECES))
            pool = got.copy()
            pool[0] += 1  # the Bass that everybody adds
            owned = pieces["owned"][g, seat]
            assert (owned <= pool).all()
            assert owned.sum() == min(12, pool.sum())
            seen = mine & ((rows["chooser"] == seat) | (rows["splitter"] == seat))
            np.testing.assert_array_equal(
                pieces["offered"][g, seat], np.bincount(rows["piece"][seen], minlength=len(PIECES))
            )
            np.testing.assert_array_equal(pieces["taken"][g, seat], got)


def test_the_first_splitter_is_drawn_evenly() -> None:
    first = [int(state["splitter"]) for state in tables(1500, 3, draft=True)]
    assert stats.chisquare(np.bincount(first, minlength=3)).pvalue > 1e-3


@pytest.mark.parametrize("players", [2, 4])
def test_pieces_fall_evenly_into_the_draft(players: int) -> None:
    """With two players each of the 60 pieces is dealt in half of the deals; each place is as likely."""
    found = np.array(
        [np.bincount(pieces_of(groups_of(s)), minlength=11) for s in tables(600, players, draft=True)]
    )
    share = players * 15 / 60
    error = np.sqrt(share * (1 - share) * 2 * COUNTS / 600)
    assert (abs(found.mean(axis=0) - share * 2 * COUNTS) <= 5 * error).all()
    first = np.bincount([groups_of(s)[0][0] for s in tables(600, players, draft=True)], minlength=11)
    assert stats.chisquare(first, COUNTS / COUNTS.sum() * 600).pvalue > 1e-3


def test_removed_bans_leave_even_groups() -> None:
    for state in tables(40, 4, draft=True, bans=["Rats", "Fly", "Cactus"]):
        groups = groups_of(state)
        sizes = [len(group) for group in groups]
        assert sum(sizes) == 60 - 2 * (3 + 3 + 2) == 44
        assert max(sizes) - min(sizes) <= 1
        assert not {2, 4, 10} & set(pieces_of(groups))


def test_the_deck_of_age_cards_is_shuffled_evenly() -> None:
    decks = np.array([state["deck"][:9] for state in tables(1800, age_mode="era")])
    assert (np.sort(decks, axis=1) == np.arange(9)).all()
    for place in range(9):
        assert stats.chisquare(np.bincount(decks[:, place], minlength=9)).pvalue > 1e-4
    pairs = np.bincount(decks[:, 0] * 9 + decks[:, 1], minlength=81).reshape(9, 9)
    off = pairs[~np.eye(9, dtype=bool)]
    assert stats.chisquare(off).pvalue > 1e-4


def test_a_scenario_is_drawn_deal_by_deal() -> None:
    states = tables(900, age_mode="scenario")
    assert stats.chisquare(np.bincount([int(s["active_card"]) for s in states], minlength=9)).pvalue > 1e-4
    fixed = tables(5, age_mode="scenario", age="Famine")
    assert {int(s["active_card"]) for s in fixed} == {list(AGE_CARDS).index("Famine")}


def test_an_agenda_gives_everybody_another_card() -> None:
    cards = np.array([state["agenda"][:4] for state in tables(900, 4, age_mode="agenda")])
    assert all(len(set(row)) == 4 for row in cards.tolist())
    for seat in range(4):
        assert stats.chisquare(np.bincount(cards[:, seat], minlength=9)).pvalue > 1e-4


# --- what a seat saw pass by in the Draft ---------------------------------------------------------------------


def drafted_game(players: int, seed: int, **parameters: Any) -> Iterator[Table]:
    """Play a deal with a Draft at random and yield the table at every decision of play."""
    table = Table(MIGRATION, cell(players, draft=True, **parameters), seed)
    stream = stream_of(seed, 9)
    while not table.over:
        if int(table.state["stage"]) == PLAYING:
            yield table
        actions = table.actions()
        table.play(actions[int(below(stream, len(actions)))])


def seen_taken(state: Any, seat: int, other: int) -> Any:
    """Count what `other` got of the groups that `seat` split or chose from."""
    counts = np.zeros(len(PIECES), dtype=int)
    for group in range(int(state["n_groups"])):
        if seat in (int(splitter_of(state, group)), int(chooser_of(state, group))):
            for k in range(5):
                if int(piece_in(state, group, k)) >= 0 and int(owner_of_piece(state, group, k)) == other:
                    counts[int(piece_in(state, group, k))] += 1
    return counts


def team_of(state: Any, seat: int) -> Any:
    return (state["hand"][seat] + state["paid"][seat] + state["played"][seat]).astype(int)


def test_of_two_players_each_has_seen_the_whole_pool_of_the_other() -> None:
    """What is redrawn is which of it came into the team, and never anything else."""
    other_teams = 0
    for seed in (1, 2):
        for table in drafted_game(2, seed):
            seat, other = table.seat, 1 - table.seat
            truth = team_of(table.state, other)
            redrawn = table.copy()
            determinize(table.rules, redrawn[0], seat, stream_of(seed, table.plies))
            team = team_of(redrawn[0], other)
            assert team.sum() == truth.sum()
            pool = seen_taken(table.state, seat, other)
            pool[BASS if not int(table.state["banned"]) & 1 else WOLF] += 1
            assert (team <= pool).all()
            other_teams += (team != truth).any()
    assert other_teams > 10


@pytest.mark.parametrize("players", [3, 4])
def test_of_more_players_a_rivals_pool_holds_what_it_was_seen_to_take(players: int) -> None:
    others = 0
    for table in drafted_game(players, 3):
        seat = table.seat
        redrawn = table.copy()
        determinize(table.rules, redrawn[0], seat, stream_of(3, table.plies))
        drafted = np.bincount(pieces_of(groups_of(redrawn[0])), minlength=len(PIECES))
        assert (drafted <= 2 * COUNTS).all(), "no more than two sets"
        for other in range(players):
            pool, team = redrawn[0]["pool"][other].astype(int), team_of(redrawn[0], other)
            if other == seat:
                assert (team == team_of(table.state, other)).all()
                continue
            assert pool.sum() == table.state["pool"][other].sum()
            assert (seen_taken(table.state, seat, other) <= pool).all()
            assert team.sum() == team_of(table.state, other).sum()
            assert (team <= pool).all(), "also what it has played"
            others += (pool != table.state["pool"][other]).any()
    assert others > 10
