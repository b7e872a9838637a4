"""The first screen: one sentence that answers, at most six lines, each made from the data."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from analysis.data.dataset import Dataset
from analysis.report import words
from analysis.report.blocks import Glance
from analysis.report.context import Context
from analysis.report.glance import glance
from analysis.report.sparks import MOST, Mark, spark
from tests.analysis.synthetic import make


def screen(d: Dataset) -> Glance:
    (block,) = glance(Context(d, "p1"))
    assert isinstance(block, Glance)
    assert len(block.lines) <= 6
    return block


def said(d: Dataset) -> dict[str, str]:
    block = screen(d)
    return {line.key: line.text for line in (block.head, *block.lines)}


def uneven(deals: int = 2_000, **changes: Any) -> Dataset:
    plan = {"players": 2, "deals": deals, "seat": (0.5, 0.0), "piece": {"Wolf": 0.4, "Oak": -0.4}}
    d: Dataset = make(**{**plan, **changes}).dataset()
    return d


def test_the_first_sentence_names_subject_effect_interval_and_play() -> None:
    d = uneven()
    row = Context(d, "p1").seats.row(0, named=True)  # type: ignore[union-attr]
    head = screen(d).head
    assert head.verdict == "favoured"
    share = f"Seat A wins {words.percent(row['estimate'])} ({words.percent_range(row['low'], row['high'])})"
    assert head.text.startswith(f"Seat A is favoured: {share}, for ")
    assert head.text.endswith("(a fair share is 50%).")
    assert d.play in head.text


def test_other_data_give_another_sentence() -> None:
    """The seats change places, and so does what is said of them."""
    told = said(uneven())
    other = said(uneven(seat=(0.0, 0.5)))
    assert "Seat A is favoured" in told["seats"]
    assert "Seat A is at a disadvantage" in other["seats"]
    assert re.search(r"[Ss]trong: Wolf \+\d", told["pieces"])
    assert re.search(r"weak: Oak −\d", told["pieces"])
    swapped = said(uneven(piece={"Wolf": -0.4, "Oak": 0.4}))["pieces"]
    assert re.search(r"[Ss]trong: Oak \+\d", swapped)


def test_what_was_compared_is_told_by_setting_and_never_on_average() -> None:
    effect = {("version", "v1", 0): 0.5, ("version", "v2", 0): -0.5}
    d = uneven(seat=(0.0,), piece={}, factors={"version": ["v1", "v2"]}, factor_on_seat=effect)
    told = said(d)
    assert re.search(r"Seat A is favoured with v1: Seat A wins (5|6)\d\.\d%", told["seats"])
    assert re.search(r"Seat A is at a disadvantage with v2: Seat A wins (3|4)\d\.\d%", told["seats"])
    assert re.search(r"largest: Seat A −\d\d\.\d points \(.*\) with v2 against v1", told["varied"])
    assert screen(d).head.verdict == "it depends"


def test_even_seats_and_few_games_are_told_apart() -> None:
    assert (
        "the seats are even within the margin" in said(uneven(20_000, seat=(0.0,), piece={}))["seats"].lower()
    )
    d = uneven(100, seat=(0.0,), piece={})
    assert "Let stronger bots judge" in said(d)["next"]
    d.manifest["bots_used"] = ["search:playouts=100"]
    undecided = said(d)
    assert "undecided whether the seats are even" in undecided["seats"]
    assert "--games" in undecided["next"]
    few = said(uneven(5))
    assert "nothing is said of the seats: too few games to say" in few["seats"].lower()


def test_the_question_that_is_asked_comes_first() -> None:
    d = uneven()
    for ask, key in (({"pieces": True}, "pieces"), ({"length": True}, "pace"), ({"seats": True}, "seats")):
        d.manifest["experiment"]["ask"] = ask
        assert screen(d).head.key == key


def test_a_failed_check_is_said_before_all() -> None:
    d = uneven()
    spoilt = d.seats.with_columns(win_share=pl.lit(0.7)).collect()
    broken = Dataset.from_frames(d.manifest, d.cells, d.games.collect(), spoilt, d.pieces.collect())
    told = screen(broken)
    assert told.head.verdict.startswith("perhaps ")
    assert {line.key: line.verdict for line in told.lines}["health"] == "failed"


def test_pictures_are_sound_and_show_what_is_furthest() -> None:
    marks = [Mark(f"piece {n} <b>", n / 10, n / 10 - 0.05, n / 10 + 0.05) for n in range(20)]
    text = spark(
        [*marks, Mark("no interval", 9.0, float("nan"), float("nan"))], 0.0, 0.03, 'what "this" says'
    )
    tree = ElementTree.fromstring(text)
    labels = [node.text for node in tree.iter("text")]
    assert len(labels) == MOST
    assert labels[-1] == "piece 19 <b>"
    assert tree.attrib["aria-label"] == 'what "this" says'
    width = float(tree.attrib["width"])
    places = [float(node.attrib[end]) for node in tree.iter("line") for end in ("x1", "x2")]
    assert all(0 <= place <= width for place in places)
    assert spark([], 0.0, 0.03, "") == ""


@pytest.mark.parametrize("log", ["games", "pieces"])
def test_any_data_set_has_a_first_screen(log: str) -> None:
    for players in (2, 3, 4):
        told = screen(make(players=players, deals=30, log=log).dataset())
        assert told.head.text.endswith(".")
        assert "None" not in " ".join(line.text for line in (told.head, *told.lines))
