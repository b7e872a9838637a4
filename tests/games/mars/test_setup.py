"""What cannot be played is refused in one line; what comes with the game can be played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.core.errors import Refusal
from sim.core.game import Entrant
from sim.games.mars.board_files import MAPS, TRACKS, craters
from sim.games.mars.game import GAME
from sim.games.mars.rules.params import BUILDINGS, EVENT_NAMES

MAP = """
radius = 2
embassy = [0, 0]
bases = [[2, -2], [2, 0], [-2, 2], [-2, 0]]
"""
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "map": ({"map": "defualt"}, "did you mean 'default'"),
    "track": ({"track": "logn"}, "did you mean 'long'"),
    "event": ({"dealt_event": "Releif"}, "did you mean 'Relief'"),
    "building": ({"start_building": "Tunnel"}, "is no building"),
    "structure": ({"never": ["Mien"]}, "did you mean 'Mine'"),
    "never drawn": ({"never": "random 9"}, "write 'random 1'"),
    "no home": ({"never": ["LSC"]}, "can house 3 at most"),
    "too few flags": ({"stock": {"flags": 5}}, "can house 5 at most"),
    "treasury": ({"treasury": {"M": 3}}, "the starting kits of 2 players need 4"),
    "die": ({"die": dict.fromkeys(("blueprint", "olympium", "population", "meteorite", "injury"), 0)}, "no side"),
    "deck": ({"event_counts": dict.fromkeys(("Relief", "Settlers", "Aid Package", "Olympium Find", "Stone Find",
             "Water Find", "Metal Find", "Funding Cut", "Cargo Lost"), 12)}, "cards are more than 120"),
    "quitter": ({"quit": {"seat": 3}}, "there are 2 players"),
    "unknown": ({"tarjet": 5}, "did you mean 'target'"),
    "start": ({"start": {"population": 3}}, "the HQ houses 2"),
    "price": ({"mine_cost": {"M": -1}}, "mine_cost.M"),
    "choice of nothing": ({"target": 3, "start_building": "choice", "never": ["Habitat", "LSC", "Hospital", "Plant",
                           "Export", "Mine"]}, "no building is left for '0'"),
    "draw from nothing": ({"target": 3, "start_building": "random", "stock": dict.fromkeys(BUILDINGS, 0)},
                          "no building is left"),
    "building not in stock": ({"start_building": "Mine", "stock": {"Mine": 0}}, "stock.Mine = 0"),
    "building withheld": ({"start_building": "Mine", "never": ["Mine"]}, "Mine is or may be withheld"),
    "building drawn away": ({"start_building": "Mine", "never": "random 1"}, "Mine is or may be withheld"),
    "no way": ({"never": ["Tunnel", "Ruin"]}, "without any way to build along, can house 2 at most"),
    "no way in stock": ({"stock": {"Tunnel": 0}, "start": {"Tunnel": 0}, "never": ["Ruin"]}, "without any way"),
    "no way, no blueprint": ({"never": ["Tunnel"], "die": {"blueprint": 0}}, "without any way"),
    "events do not go round": ({"dealt_event": "Relief"}, "event_counts.Relief is 1, less than one for each of 2"),
    "short deck": ({"dealt_event": "random", "event_counts": dict.fromkeys(EVENT_NAMES, 0)}, "the deck has 0"),
    "two treatments": ({"dealt_event": "random", "never": "random 1"}, "dealt_event and never are drawn at random"),
    "two more": ({"dealt_event": "random", "start_building": "random"}, "only one of them can be in one game"),
    "few to withhold": ({"never": "random 3", "stock": {"Mine": 0, "Plant": 0}}, "only 2 of Hospital, Plant"),
    "event name": ({"event_counts": {"Reliev": 2}}, "did you mean 'Relief'"),
}  # fmt: skip


def prepare(parameters: dict[str, Any], players: int = 2, base: Path | None = None) -> Any:
    return GAME.prepare(parameters, players, [Entrant(str(k), "random") for k in range(players)], base)


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_what_and_where(name: str) -> None:
    parameters, words = REFUSED[name]
    with pytest.raises(Refusal) as caught:
        prepare(parameters)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MAP.replace("[2, 0]", "[2, -2]"), "four different hexes"),
        (MAP.replace("[2, 0]", "[0, 0]"), "stands on a landing base"),
        (MAP.replace("[2, 0]", "[5, 0]"), "is not on the map"),
        (MAP + "crater = [[2, -2]]", "is not flat"),
        (MAP + "rocky = [[1, 0]]\ncrater = [[1, 0]]", "both rocky and a crater"),
        (MAP + "crater = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]]", "can reach the Embassy"),
        (MAP + "colour = 1", "unknown key 'colour'"),
        (MAP.replace("radius = 2", "radius = 9"), "from 2 to 5"),
        (MAP + "overlays = [[], [[2, -2]], [], []]", "an overlay covers hex [2, -2]"),
        ("radius = ", "map"),
    ],
)
def test_maps_that_cannot_be_played(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(Refusal, match=r"own\.toml") as caught:
        prepare({"map": "own.toml"}, 2 if "overlay" in text else 4, tmp_path)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ('["RUIN", "M", "W"]', "exactly one STOP"),
        ('["STOP", "M", "W"]', "exactly one RUIN"),
        ('["RUIN", "STOP"]', "needs a resource square"),
        ('["RUIN", "STOP", "Q"]', "no square 'Q'"),
        ('["RUIN", "STOP"' + ', "M"' * 20 + "]", "more than 64"),
        ("3", "a list of squares"),
    ],
)
def test_tracks_that_cannot_be_played(tmp_path: Path, side: str, words: str) -> None:
    (tmp_path / "own.toml").write_text(f"side = {side}\n")
    with pytest.raises(Refusal, match=r"own\.toml") as caught:
        prepare({"track": "own.toml"}, 2, tmp_path)
    assert words in str(caught.value)


def test_players_with_decks_or_odd_numbers_are_refused() -> None:
    with pytest.raises(Refusal, match="2 to 4 players"):
        prepare({}, 5)
    with pytest.raises(Refusal, match="no decks"):
        GAME.prepare({}, 2, [Entrant("a", "random", deck="x"), Entrant("b", "random")], None)


def test_flat_tiles_for_a_colony_are_asked_for(tmp_path: Path) -> None:
    """Two flat tiles side by side, apart from HQs and Embassy, with a way beside: without them nobody can win."""
    all_ = [(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3]
    bases = [(3, -3), (3, 0), (-3, 3), (-3, 0)]

    def prepared(name: str, flat: list[tuple[int, int]], **parameters: Any) -> Any:
        rocky = [list(cell) for cell in all_ if cell not in (*bases, (0, 0), *flat)]
        text = f"radius = 3\nembassy = [0, 0]\nbases = {[list(b) for b in bases]}\nrocky = {rocky}\n"
        (tmp_path / name).write_text(text)
        return prepare({"map": name, **parameters}, 2, tmp_path)

    ring = [(1, 0), (0, 1), (1, -1)]
    for name, flat in (("none.toml", []), ("one.toml", [(1, 2)]), ("ring.toml", ring)):
        with pytest.raises(Refusal, match="without flat tiles for a Life Support Center and a Habitat"):
            prepared(name, flat)
    assert prepared("none.toml", [], target=3)
    assert prepared("ring.toml", ring, contact="free")
    assert prepared("three.toml", [(1, 1), (0, 2), (0, 3)])


def test_a_player_with_bans_has_enough_to_withhold() -> None:
    players = [Entrant("a", "random", bans=["Mine", "Export"]), Entrant("b", "random")]
    assert GAME.prepare({"never": "random 2"}, 2, players, None).piece_total is None
    with pytest.raises(Refusal, match="only 2 of Hospital, Plant, Export, Mine can be withheld from 'a'"):
        GAME.prepare({"never": "random 3"}, 2, players, None)
    assert prepare({"never": "random 3"}).piece_total == 1


def test_a_structure_may_be_withheld_from_one_player() -> None:
    cell = GAME.prepare({}, 2, [Entrant("a", "random", bans=["Mine"]), Entrant("b", "random")], None)
    assert cell.moves
    assert cell.entrants["never"].tolist() == [1 << 6, 0]


@pytest.mark.parametrize("name", MAPS.names())
def test_all_maps_can_be_played(name: str) -> None:
    for players in (2, 3, 4):
        assert prepare({"map": name}, players).players == players


def test_the_terrain_is_the_one_described() -> None:
    terrain = MAPS.load("default")
    assert (len(terrain.tiles), len(terrain.rocky), len(terrain.crater)) == (91, 12, 8)
    for turn in (lambda q, r: (-q - r, r), lambda q, r: (q + r, -r), lambda q, r: (-q, -r)):
        assert {turn(*cell) for cell in terrain.rocky} == terrain.rocky
        assert {turn(*cell) for cell in terrain.crater} == terrain.crater
        assert {turn(*cell) for cell in terrain.bases} == set(terrain.bases)
    usable = [91 - len(craters(terrain, players, True)) for players in (2, 3, 4)]
    assert usable == [67, 75, 83]


@pytest.mark.parametrize("name", TRACKS.names())
def test_all_tracks_treat_the_seats_alike(name: str) -> None:
    track = TRACKS.load(name)
    side = len(track) // 4
    assert track[:side] * 4 == track
