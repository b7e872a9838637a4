"""Maps, decks, levers, drawn columns, and what is refused with one clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.batch.check_files import check_file
from sim.checks.table import Table, make_cell, make_job
from sim.core.errors import Refusal
from sim.core.game import Entrant
from sim.core.play import play_chunk, replay
from sim.games.drifting_lands.board import MAPS, validate, worth_of
from sim.games.drifting_lands.decks import DECKS
from sim.games.drifting_lands.game import GAME
from sim.games.drifting_lands.rules.params import CARDS, STARTS
from sim.games.drifting_lands.rules.scoring import continent_points


def refused(players: int = 2, entrants: list[Entrant] | None = None, **parameters: Any) -> str:
    """Return why a cell is refused; one line."""
    who = entrants or [Entrant(str(k), "random") for k in range(players)]
    with pytest.raises(Refusal) as caught:
        GAME.prepare(parameters, players, who, None)
    text = str(caught.value)
    assert "\n" not in text
    return text


# --- maps ----------------------------------------------------------------------------------------------------


def test_a_map_file_is_named_by_its_path_not_by_the_name_in_it(tmp_path: Path) -> None:
    text = (MAPS.folder / "devonian.toml").read_text().replace(". 1 1 1", ". . 1 1")
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(Refusal, match=r"^map 'mine\.toml': 27 land tiles, there must be 28$"):
        GAME.prepare({"map": "mine.toml"}, 2, [Entrant(k, "random") for k in "ab"], tmp_path)


def test_the_maps_that_come_with_the_game_are_legal_and_told() -> None:
    inventions = 0
    for name in MAPS.names():
        board = MAPS.load(name)
        validate(board, 4, equal=True)
        assert board.name == name
        assert board.grade in ("stand-in", "invention")
        inventions += board.grade == "invention"
    assert inventions >= 3
    assert {row["name"] for row in GAME.maps()} == set(MAPS.names())


def test_devonian_is_the_board_of_the_notes() -> None:
    board = MAPS.load("devonian")
    assert len(board.spaces) == 116
    centres = ((1, 2), (7, 2), (4, 8), (-2, 8))
    ring = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
    for c, (q, r) in enumerate(centres):
        flower = {(q, r), *((q + a, r + b) for a, b in ring)}
        assert {space for space, owner in board.land.items() if owner == c} == flower
        assert set(board.starts[c]) == {(q + a, r + b) for a, b in (ring[1], ring[2], ring[4], ring[5])}
    worth = worth_of(board, 3, 2, 1, flat=False)
    assert sorted(worth).count(3) == 32
    assert sorted(worth).count(2) == 42
    at = dict(zip(board.spaces, worth))
    assert [sum(at[s] for s, c in board.land.items() if c == k) for k in range(4)] == [12] * 4


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (". 1 1 1 .", ". 1 1 . .", "27 land tiles, there must be 28"),
        (". 2 2 2 .", ". 2 2 2 2", "29 land tiles, there must be 28"),
        (". 1 1 1 . . . 2", ". 1 1 . . 2 . 2", "continent 1 (NW) has 6 tiles, there must be 7"),
        (". 1 1 1 . .", ". . 1 1 . 1", "continent 1 (NW) is not in one piece"),
        (" . a a .", " . a 1 .", "continent 1 (NW) has 3 start spaces, start_pawns is 4"),
        (". 1 1 1 .", ". 1 x 1 .", "'x' in row 3"),
        (" . a a . . . . b b .", ". a a . . . . b b .", "is between two spaces"),
    ],
)
def test_wrong_maps_are_refused(tmp_path: Path, before: str, after: str, what: str) -> None:
    text = (MAPS.folder / "devonian.toml").read_text()
    path = tmp_path / "own.toml"
    path.write_text(text.replace(before, after, 1))
    assert what in refused(map=str(path))


def test_continents_that_touch_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text((MAPS.folder / "gondwana.toml").read_text().replace(". . 1 1 1 . 2", ". . . 1 1 1 2", 1))
    assert "continents 1 and 2 touch" in refused(map=str(path))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("spaces = 3", "spaces must be a text"),
        ("name = 'x'", "it has no drawing 'spaces'"),
        ("drawing = '.'", "unknown key 'drawing'"),
        ("spaces = '1'\nvalues = '. .'", "'.' in row 1"),
        ("spaces = '1'\nvalues = '1 1'", "the drawings of spaces and values differ at 1,0"),
        ("spaces = ", ""),
    ],
)
def test_files_that_are_no_maps_are_refused(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    answer = refused(map=str(path))
    assert what in answer
    assert "own.toml" in answer


def test_unknown_names_are_refused_with_the_nearest() -> None:
    assert "did you mean 'devonian'" in refused(map="devonain")
    assert "did you mean 'stand_in'" in refused(deck="standin")
    assert "did you mean 'withheld'" in refused(lever="witheld")
    assert "did you mean 'rounds'" in refused(round=3)
    assert "No such file" in refused(map="nowhere.toml")
    assert "No such file" in refused(deck="nowhere.toml")


# --- decks, players ------------------------------------------------------------------------------------------


def test_the_decks_that_come_with_the_game_have_24_cards() -> None:
    for name in DECKS.names():
        deck = DECKS.load(name)
        assert sum(deck.counts) == 24, name
        assert deck.grade == "stand-in"
        GAME.prepare({"deck": name}, 2, [Entrant("a", "random"), Entrant("b", "random")])
    usual = DECKS.load("stand_in")
    assert sum(n * p for n, p in zip(usual.counts, usual.points)) == 33


def test_decks_that_do_not_leave_8_cards_are_refused(tmp_path: Path) -> None:
    text = refused(counts={"Moving": 5})
    assert text == (
        "deck 'stand_in': 25 cards, of which 16 are played (4 rounds of 4): that leaves 9 unused, not 8"
    )
    assert "leaves 12 unused, not 8" in refused(rounds=3)
    who = [
        Entrant("a", "random"),
        Entrant("b", "random", deck="own", deck_counts={"Moving": 12, "Breeding": 11}),
    ]
    assert refused(entrants=who).startswith("deck 'own': 23 cards")
    path = tmp_path / "own.toml"
    path.write_text("[counts]\nMoving = 12\n[points]\nMovin = 1\n")
    assert "there is no card 'Movin'; did you mean 'Moving'" in refused(deck=str(path))
    path.write_text("[counts]\nMoving = 12.5\n[points]\n")
    assert "Moving = 12.5 is no whole number" in refused(deck=str(path))


def test_maps_and_decks_are_checked_by_the_command(tmp_path: Path) -> None:
    for name, folder in (("uneven", "maps"), ("land", "decks")):
        checked = check_file(MAPS.folder.parent / folder / f"{name}.toml")
        assert [(row.what, row.problem) for row in checked] == [(folder[:-1], "")]
    path = tmp_path / "own.toml"
    path.write_text("[counts]\nMoving = 12\n[points]\nMoving = 1\n")
    assert "12 cards, of which 16 are played" in check_file(path, "drifting_lands")[0].problem
    path.write_text((MAPS.folder / "bars.toml").read_text().replace("1 1 a", "1 . a", 1))
    assert "27 land tiles" in check_file(path, "drifting_lands")[0].problem


def test_players_may_have_decks_of_their_own() -> None:
    counts = {"Moving": 12, "Breeding": 12}
    who = [Entrant("a", "random", deck="own", deck_counts=counts), Entrant("b", "random")]
    cell = GAME.prepare({}, 2, who)
    assert cell.moves
    for seats in ([0, 1], [1, 0]):
        table = Table(GAME, cell, 1, seats)
        decks = table.state["deck"].tolist()
        assert [decks[seats.index(0)][CARDS.index(name)] for name in counts] == [12, 12]
        assert decks[seats.index(1)] == list(DECKS.load("stand_in").counts)


def test_wrong_tables_are_refused() -> None:
    assert "team_variety = true is for 4 players" in refused(3, team_variety=True)
    assert "team_variety = true is for 4 players" in refused(2, team_variety=True)
    assert "for 2 to 4 players" in refused(5)
    assert "has no bans" in refused(
        entrants=[Entrant("a", "random", bans=["Moving"]), Entrant("b", "random")]
    )
    assert "4 level-1 pawns are placed" in refused(pawns={"1": 3, "2": 3})
    assert "at most 12 are possible" in refused(pawns={"1": 9})
    assert "needs a card that is left unused" in refused(
        lever="withheld", unused_cards=0, counts={"Drifting": 0, "Moving": 0, "Orogeny": 1}
    )


# --- what is drawn and logged --------------------------------------------------------------------------------


def test_the_lever_belongs_to_a_player_and_is_logged() -> None:
    cell = make_cell(GAME, ["random"], 3, {"lever": "both", "start_continents": "by seat"})
    assert cell.lever is not None
    usual = np.array(DECKS.load("stand_in").counts)
    seatings = [[0, 1, 2], [1, 2, 0]]
    chunk = play_chunk(GAME, [cell], make_job([cell], range(1, 41), seatings), "pieces")
    assert chunk.pieces is not None
    given = chunk.pieces["assigned"].reshape(40, 2, 3, -1)[:, :, :, : len(CARDS)]
    off = given - usual
    assert (np.abs(off).sum(axis=(2, 3)) == 1).all(), "one card of one player in each game"
    assert (given[:, 0, [1, 2, 0]] == given[:, 1]).all(), "it moves with the player"
    assert {-1, 1} == set(off.sum(axis=(2, 3)).flat)
    assert len({tuple(row) for row in np.argwhere(off[:, 0])[:, 1:]}) > 20
    played = chunk.pieces["played"][:, :, : len(CARDS)]
    assert (played.sum(axis=2) == 16).all()
    assert (chunk.pieces["taken"][:, :, : len(CARDS)] == played).all()


def test_starts_are_written_by_seat() -> None:
    chosen = make_cell(GAME, ["random"], 3, {})
    assert chosen.drawn["start"]["chosen"] is True
    chunk = play_chunk(GAME, [chosen], make_job([chosen], range(1, 31)), "games")
    texts = GAME.drawn_columns(chosen, chunk.drawn)["start"]
    rows = [text.split("+") for text in texts]
    assert all(len(set(row)) == 3 and set(row) <= set(STARTS) for row in rows)
    assert len(set(texts)) > 10
    drawn = make_cell(GAME, ["random"], 2, {"start_continents": "drawn"})
    assert drawn.drawn["start"]["chosen"] is False
    fixed = make_cell(GAME, ["random"], 2, {"start_continents": "by seat"})
    assert fixed.drawn == {}
    assert GAME.drawn_columns(fixed, chunk.drawn) == {}


def test_points_of_the_log_add_up_to_the_score() -> None:
    """What cards and pawns scored, and continents, is the score."""
    cell = make_cell(GAME, ["random"], 2, {"start_continents": "by seat"})
    chunk = play_chunk(GAME, [cell], make_job([cell], [3]), "pieces")
    assert chunk.pieces is not None
    end = replay(GAME, cell, 3, [0, 1])[-1]
    points = np.zeros(4, dtype=np.int64)
    continent_points(end.rules, end.state, points)
    scored = chunk.pieces["scored"][0].sum(axis=1)
    assert (chunk.seats["score"][0] == points[:2] + scored).all()
