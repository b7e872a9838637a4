"""A sheet is cut to its picture, and used again."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from sim.show.drawing import Pen, text_width, wrapped
from sim.show.sheet import DPI, HEIGHT, UNIT, WIDTH, Sheet


def strip(width: float, height: float, text: str = "") -> Any:
    def paint(ax: Any) -> None:
        pen = Pen(ax, 0, 0, width, height)
        pen.box(0, 0, width, height, "black")
        pen.text(width / 2, height / 2, text, 0.5, color="white")

    return paint


def image(sheet: Sheet) -> Image.Image:
    return Image.open(io.BytesIO(sheet.png())).convert("L")


@pytest.mark.parametrize(("width", "height"), [(30, 4), (8, 8), (27, 20), (3, 60)])
def test_nothing_but_the_picture_is_on_it(width: float, height: float) -> None:
    sheet = Sheet()
    sheet.draw(strip(width, height))
    found = image(sheet)
    assert found.getextrema() == (0, 0), "no margin"
    assert found.width / found.height == pytest.approx(width / height, rel=0.02)
    inches = (found.width / DPI, found.height / DPI)
    assert inches[0] <= WIDTH[1] + 0.01
    assert inches[1] <= HEIGHT + 0.01
    if WIDTH[0] < UNIT * width < WIDTH[1]:
        assert found.width == pytest.approx(UNIT * width * DPI, abs=1)


def test_a_given_width_is_kept() -> None:
    sheet = Sheet(width=2.5, dpi=200)
    sheet.draw(strip(30, 3))
    assert image(sheet).size == (500, 50)


def test_text_has_the_same_share_of_every_sheet() -> None:
    shares = []
    for width in (2.0, 8.0):
        sheet = Sheet(width=width)
        sheet.draw(strip(20, 5, "the same words"))
        sheet.figure.canvas.draw()
        (text,) = sheet.axes.texts
        shares.append(text.get_window_extent().width / sheet.figure.bbox.width)
    assert shares[0] == pytest.approx(shares[1], rel=0.05)


def test_the_next_picture_replaces_the_one_before() -> None:
    sheet = Sheet()
    sheet.draw(strip(30, 10, "first"), ["A:", "first"])
    with_caption = image(sheet)
    sheet.draw(strip(30, 4, "second"))
    assert [text.get_text() for text in sheet.axes.texts] == ["second"]
    assert not sheet.figure.texts
    assert image(sheet).width == with_caption.width
    again = Sheet()
    again.draw(strip(30, 4, "second"))
    assert sheet.png() == again.png()


def test_a_caption_stands_below_and_is_cut_when_it_is_long() -> None:
    sheet = Sheet()
    sheet.draw(strip(30, 4))
    plain = image(sheet).height
    sheet.draw(strip(30, 4), ["word"])
    assert image(sheet).height > plain
    assert image(sheet).crop((0, 0, image(sheet).width, plain - 1)).getextrema() == (0, 0)
    sheet.draw(strip(30, 4), ["words"] * 500)
    assert len(sheet.figure.texts) == 4
    assert sheet.figure.texts[-1].get_text().endswith(" ...")
    sheet.figure.canvas.draw()
    for text in sheet.figure.texts:
        box = text.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= sheet.figure.bbox.x1
        assert box.y0 >= 0


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_the_same_picture_gives_the_same_bytes(tmp_path: Path, name: str) -> None:
    files = [tmp_path / "one" / name, tmp_path / "two" / name]
    for path in files:
        path.parent.mkdir()
        sheet = Sheet(width=3)
        sheet.draw(strip(12, 4, "words"))
        sheet.write(path)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert (b"<svg" in files[0].read_bytes()) == name.endswith("svg")


def test_lines_are_as_wide_as_they_may_be() -> None:
    words = [f"{k} Explorers" for k in range(20)]
    lines = wrapped(words, 30, 1.0, ", ")
    assert ", ".join(line.removesuffix(",") for line in lines) == ", ".join(words)
    assert all(text_width(line) <= 30 for line in lines)
    assert all(text_width(f"{a} {b.split(',')[0]}") > 28 for a, b in itertools.pairwise(lines))
    assert wrapped([], 30, 1.0) == []
    assert wrapped(["much-too-long-for-this"], 1, 1.0) == ["much-too-long-for-this"]
