"""Pictures of positions: everything is drawn, inside the picture, and no two labels collide."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest

pytest.importorskip("matplotlib")

import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from sim.core.errors import Refusal
from sim.games.migration.board_text import load_map
from sim.games.migration.picture import draw_position
from sim.games.migration.rules.params import PIECES
from sim.show.drawing import SEAT_COLOURS
from sim.show.sheet import Sheet
from tests.games.recorded import positions


def crowded(name: str, n_players: int) -> dict[str, Any]:
    """A position with something on every Region but a Lake, and hands of every Explorer."""
    board = load_map(name, n_players)
    regions: list[dict[str, Any]] = []
    spirits: list[Any] = [None] * n_players
    for i, region in enumerate(board.regions):
        seat = i % n_players
        top: Any = {"piece": PIECES[i % len(PIECES)], "seat": seat}
        if i % 5 == 3:
            top = "Wasteland"
        elif "Lake" in region.terrain:
            top = None
        elif spirits[seat] is None:
            spirits[seat] = region.hex
        regions.append(
            {
                "q": region.q,
                "r": region.r,
                "terrain": sorted(region.terrain),
                "forest": region.forest,
                "sea": region.sea,
                "top": top,
                "face_down": i % 4 if top is not None else 0,
            }
        )
    return {
        "regions": regions,
        "spirits": spirits,
        "scores": list(range(n_players)),
        "hands": [[(piece, 1 + i % 2) for i, piece in enumerate(PIECES)] for _ in range(n_players)],
        "to_move": 1,
        "turn": 17,
        "title": f"{name} with {n_players} players",
    }


def drawn(
    position: dict[str, Any], size: tuple[float, float] = (9, 6), coordinates: bool = False
) -> list[Text]:
    figure, ax = plt.subplots(figsize=size)
    ax.set_position((0.01, 0.01, 0.98, 0.98))
    draw_position(ax, position, coordinates)
    figure.canvas.draw()
    plt.close(figure)
    return [text for text in ax.texts if text.get_text()]


def words(position: dict[str, Any]) -> list[str]:
    return [text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in drawn(position)]


@pytest.mark.parametrize("coordinates", [False, True])
@pytest.mark.parametrize("size", [(9, 6), (5, 4)])
@pytest.mark.parametrize(
    ("name", "n_players"),
    [("default", 2), ("wilds", 2), ("islands", 3), ("wilds", 4), ("ridge", 4), ("heartland", 4)],
)
def test_no_two_labels_collide(
    name: str, n_players: int, size: tuple[float, float], coordinates: bool
) -> None:
    assert not collisions(drawn(crowded(name, n_players), size, coordinates))


def collisions(texts: list[Text]) -> list[tuple[str, str]]:
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    return [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if box.overlaps(other)]


@pytest.mark.parametrize(("name", "n_players"), [("default", 2), ("wilds", 4), ("ridge", 4)])
def test_labels_stay_inside_the_picture(name: str, n_players: int) -> None:
    assert not outside(drawn(crowded(name, n_players), coordinates=True))


def outside(texts: list[Text]) -> list[str]:
    figure = texts[0].get_figure()
    assert figure is not None
    room = figure.bbox
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    return [
        text
        for text, box in boxes
        if box.x0 < 0 or box.y0 < 0 or box.x1 > room.x1 or box.y1 > room.y1  # bottom left is 0, 0
    ]


RECORDED = {
    "3-oaths-agenda": 9,
    "4-mixed-islands": 7,
    "drifting_lands-3-mixed-gondwana": 17,
    "drifting_lands-4-teams": 23,
    "migrato-greedy-digital": 19,
    "migrato-mixed-forgetful": 61,
    "mars-3-mixed": 41,
    "mars-2-random-other-readings": 37,
}
"""Recorded games, and of how many positions one is drawn."""


@pytest.mark.compiled
@pytest.mark.parametrize("coordinates", [False, True])
@pytest.mark.parametrize("name", RECORDED)
def test_pictures_of_played_games(name: str, coordinates: bool) -> None:
    options = {"coordinates": coordinates and not name.startswith("migrato")}
    sheet = Sheet()
    for position in positions(name)[:: RECORDED[name]]:
        sheet.draw(lambda ax, position=position: position.draw(ax, **options))
        sheet.figure.canvas.draw()
        texts = [text for text in sheet.axes.texts if text.get_text().strip()]
        assert not collisions(texts)
        assert not outside(texts)
        said = {text.get_text() for text in texts}
        if options["coordinates"]:
            rules = position.step.rules
            assert f"{int(rules['q'][0])},{int(rules['r'][0])}" in said


@pytest.mark.compiled
def test_labels_of_the_track_of_mars_stay_in_their_squares() -> None:
    from sim.games.mars.picture import _SQUARE

    sheet = Sheet()
    sheet.draw(lambda ax: positions("mars-3-mixed")[40].draw(ax, coordinates=True))
    sheet.figure.canvas.draw()
    unit = sheet.figure.bbox.x1 / (sheet.axes.get_xlim()[1] - sheet.axes.get_xlim()[0])
    stops = [text for text in sheet.axes.texts if text.get_text().endswith("stop")]
    assert {text.get_text() for text in stops} >= {"A stop", "B stop", "C stop"}
    for text in stops:
        box = text.get_window_extent()
        middle = sheet.axes.transData.transform(text.get_position())[0]
        assert box.width < _SQUARE[0] * unit
        assert abs(middle - (box.x0 + box.x1) / 2) < 1


@pytest.mark.compiled
def test_the_board_alone() -> None:
    for name in ("2-random", "drifting_lands-2-random", "mars-3-mixed"):
        whole, board = Sheet(), Sheet()
        position = positions(name)[5]
        whole.draw(position.draw)
        board.draw(lambda ax, position=position: position.draw(ax, panel=False))
        assert len(board.axes.texts) < len(whole.axes.texts)
        assert board.axes.get_xlim()[1] < whole.axes.get_xlim()[1] - 5
    with pytest.raises(Refusal, match="no board"):
        Sheet().draw(lambda ax: positions("migrato-greedy-printed")[0].draw(ax, panel=False))


def test_names_of_towns_fit_their_hexes() -> None:
    position = crowded("default", 2)
    for region in position["regions"]:
        region["top"], region["face_down"] = {"piece": "Poison Oak", "seat": 0}, 0
    texts = drawn(position)
    names = [text.get_window_extent() for text in texts if text.get_text() == "Poison Oak"]
    assert len(names) == 14
    centres = sorted({round((box.x0 + box.x1) / 2) for box in names})
    apart = 2 * min(b - a for a, b in pairwise(centres) if b - a > 2)
    assert max(box.width for box in names) < 0.9 * apart


def test_scores_hands_and_title_are_told() -> None:
    position = crowded("default", 3)
    position["scores"] = [0.0, 1.0, 2.0]
    position["hands"] = [[("Rats", 2), ("Fly", 1)], None, []]
    said = words(position)
    assert "default with 3 players" in said
    assert "turn 18" in said
    for line in ("0 points", "1 point", "2 points", "2 Rats, 1 Fly", "hand hidden", "hand empty"):
        assert line in said


def test_the_end_is_told() -> None:
    assert "over after 17 turns" in words(crowded("default", 2) | {"to_move": None})


def test_the_legend_names_what_is_on_the_map() -> None:
    assert {"Lake", "Deep Woods", "sea Desert", "Forest"} <= set(words(crowded("wilds", 2)))
    plain = words(crowded("ridge", 2))
    assert "Forest" in plain
    assert "Lake" not in plain


def test_face_down_pieces_are_counted() -> None:
    position = crowded("default", 2)
    for region in position["regions"]:
        region["top"], region["face_down"] = None, 0
    position["regions"][0] |= {"top": {"piece": "Fly", "seat": 1}, "face_down": 7}
    position["regions"][1] |= {"top": "Wasteland", "face_down": 8}
    position["regions"][2] |= {"top": "Wasteland", "face_down": 1}
    position["spirits"] = [None, None]
    said = words(position)
    assert "7" in said
    assert "8" in said
    assert "1" not in said


def test_a_spirit_on_a_lake_shows_its_owner() -> None:
    position = crowded("wilds", 2)
    for region in position["regions"]:
        region["top"], region["face_down"] = None, 0
    lake = next(region for region in position["regions"] if "Lake" in region["terrain"])
    position["spirits"] = [None, None]
    before = words(position).count("B")
    position["spirits"] = [None, (lake["q"], lake["r"])]
    assert words(position).count("B") == before + 1


def test_drawing_twice_replaces_the_picture() -> None:
    figure, ax = plt.subplots()
    draw_position(ax, crowded("wilds", 4))
    draw_position(ax, crowded("default", 2))
    once = len(ax.patches)
    draw_position(ax, crowded("default", 2))
    assert len(ax.patches) == once
    plt.close(figure)


def test_owners_differ_in_brightness_where_shapes_are_alike() -> None:
    light = [sum(w * c for w, c in zip((0.299, 0.587, 0.114), to_rgb(x), strict=True)) for x in SEAT_COLOURS]
    assert light == sorted(light)
    assert min(b - a for a, b in pairwise(light)) > 0.1
