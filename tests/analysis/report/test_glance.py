"""The first screen: one sentence that answers, at most six lines, each made from the data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from analysis.data.dataset import Dataset, load
from analysis.report import words
from analysis.report.answer import short_answer
from analysis.report.blocks import Glance, Statement
from analysis.report.clauses import LONGEST, Clause, sentence
from analysis.report.context import Context
from analysis.report.course_answer import ties_stopped
from analysis.report.glance import glance
from analysis.report.over_play import _furthest
from analysis.report.sparks import MOST, Mark, spark
from tests.analysis.draftset import drafted
from tests.analysis.synthetic import make


def screen(d: Dataset) -> Glance:
    (block,) = glance(Context(d, "p1"))
    assert isinstance(block, Glance)
    assert len(block.lines) <= 6
    return block


def said(d: Dataset) -> dict[str, str]:
    block = screen(d)
    return {"head": block.head.text, **{line.key: line.whole for line in (block.head, *block.lines)}}


def uneven(deals: int = 2_000, **changes: Any) -> Dataset:
    plan = {"players": 2, "deals": deals, "seat": (0.5, 0.0), "piece": {"Wolf": 0.4, "Oak": -0.4}}
    d: Dataset = make(**{**plan, **changes}).dataset()
    return d


def test_the_first_sentence_names_subject_effect_interval_and_play() -> None:
    d = uneven()
    row = Context(d, "p1").seats.row(0, named=True)  # type: ignore[union-attr]
    head = screen(d).head
    assert head.verdict == "favoured"
    share = f"it wins {words.percent(row['estimate'])} ({words.percent_range(row['low'], row['high'])})"
    assert head.text.startswith(f"Seat A is favoured: {share} where 50% is fair; strong Explorers: Wolf +")
    assert head.text.endswith(f", for {d.play}.")


def test_other_data_give_another_sentence() -> None:
    """The seats change places, and so does what is said of them."""
    told = said(uneven())
    other = said(uneven(seat=(0.0, 0.5)))
    assert "Seat A is favoured" in told["seats"]
    assert "Seat A is at a disadvantage" in other["seats"]
    assert re.search(r"strong Explorers: Wolf \+\d", told["head"])
    assert re.search(r"weak Explorers: Oak −\d", told["head"])
    swapped = said(uneven(piece={"Wolf": -0.4, "Oak": 0.4}))["head"]
    assert re.search(r"strong Explorers: Oak \+\d", swapped)
    assert "strong" not in told["pieces"], "said twice"


def test_what_was_compared_is_told_by_setting_and_never_on_average() -> None:
    effect = {("version", "v1", 0): 0.5, ("version", "v2", 0): -0.5}
    d = uneven(seat=(0.0,), piece={}, factors={"version": ["v1", "v2"]}, factor_on_seat=effect)
    told = said(d)
    assert re.search(r"Seat A is favoured: it wins (5|6)\d\.\d% \(.*?\) with v1", told["seats"])
    assert re.search(r"Seat A is at a disadvantage: it wins (3|4)\d\.\d% \(.*?\) with v2", told["seats"])
    assert re.search(r"largest: Seat A −\d\d(\.\d)? \(.*\) points with v2 against v1", told["varied"])
    assert screen(d).head.verdict == "it depends"


def test_even_seats_and_few_games_are_told_apart() -> None:
    assert "The seats are even within 2 points" in said(uneven(20_000, seat=(0.0,), piece={}))["seats"]
    d = uneven(100, seat=(0.0,), piece={})
    assert "Let stronger bots judge" in said(d)["next"]
    d.manifest["bots_used"] = ["search:playouts=100"]
    undecided = said(d)
    assert "seats are even is undecided: Seat A wins" in undecided["seats"]
    command = r"To settle it: whimbrel run synthetic/experiment.toml -o synthetic --games (\d+)$"
    found = re.search(command, undecided["seats"])
    assert found, undecided["seats"]
    assert int(found[1]) > d.manifest["games_per_cell"]
    assert "--games" in undecided["next"]
    d.manifest["stop"] = {"games": [50, 100], "look": 1, "alpha": 0.025, "open": 1}  # keeps to its looks
    assert "whimbrel run synthetic/experiment.toml -o synthetic-longer --games" in said(d)["seats"]
    d.manifest["stop"] = None
    assert said(uneven(5))["seats"].startswith("There are too few games to judge the seats")


def test_the_question_that_is_asked_comes_first() -> None:
    d = uneven()
    for ask, key in (({"pieces": True}, "pieces"), ({"length": True}, "length"), ({"seats": True}, "seats")):
        d.manifest["experiment"]["ask"] = ask
        assert screen(d).head.key == key


def test_over_maps_the_sentence_names_the_map_and_what_goes_with_it() -> None:
    effect = {("map", "small", 0): 0.6}
    plan = {"seat": (0.0,), "piece": {}, "factors": {"map": ["large", "small"]}}
    d = uneven(**plan, factor_on_seat=effect, factor_on_piece={("map", "small", "Rats"): 0.5})
    d.manifest["experiment"]["ask"] = {"seats": True}
    d.manifest["card"]["maps"] = [{"name": "small", "about": "Seven islands. No coast."}]
    text = screen(d).head.text
    assert re.search(r"Seat A is favoured: it wins \d\d(\.\d)?% \(.*?\) on small", text)
    assert re.search(
        r"on small \(seven islands\) each copy of Rats adds \d+(\.\d)? points \(.*?\) more .*than on large",
        text,
    )
    other = uneven(**plan, factor_on_seat={("map", "large", 0): 0.6})
    other.manifest["experiment"]["ask"] = {"seats": True}
    assert re.search(r"Seat A is favoured: it wins .* on large", screen(other).head.text)


def test_the_most_even_set_of_bans_is_named() -> None:
    """With Wolf banned the seats are even; then the planted set is another one."""
    sets = ["none", "Rats", "Wolf", "Oak", "Fly", "Bass", "Skunk", "Lizard"]

    def head(even: str) -> str:
        effect = {("bans", name, 0): 1.2 for name in sets if name != even}
        d = uneven(300, seat=(0.0,), piece={}, factors={"bans": sets}, factor_on_seat=effect)
        d.manifest["experiment"]["ask"] = {"bans": "most even"}
        return screen(d).head.text

    for even in ("Wolf", "Lizard"):
        text = head(even)
        assert text.startswith(f"Of 8 sets banning {even} looks most even: seats and Explorers lie "), text
        assert "all others are shown to be less even" in text
        assert re.search(r"against \d+(\.\d)? points \(.*?\) without a ban", text)


def test_a_draft_is_told_of_drafted_games() -> None:
    def told(**plan: Any) -> dict[str, str]:
        d = drafted(1_500, 3, **plan)
        d.manifest.setdefault("experiment", {})["ask"] = {"drafts": True}
        block = screen(d)
        assert len(block.head.text) <= LONGEST
        return {"head": block.head.text, **said(d)}

    worth = {"Rats": 0.5, "Fly": -0.5}
    found = told(appeal={"Rats": 0.8, "Fly": -0.8}, worth=worth, position=(0.8,))
    head = r"^It matters who splits first: who splits first wins [45]\d(\.\d)?% \(.*; players take what wins, for "
    assert re.search(head, found["head"]), found["head"]
    assert re.search(r"^It matters who splits first: .*, for greedy play\.$", found["order"])
    assert re.search(r"^Players take Rats \+\d+\S* \(.*\) most eagerly and leave Fly −", found["taken"])
    assert "what choosers like wins: a group better liked by one standard deviation adds +" in found["taken"]
    found = told(appeal={"Fly": 0.8, "Rats": -0.8}, worth=worth, seat=(0.8,))
    fair = r"^Drafted games are not fair to every seat: Seat A wins [45]\d.* is fair; players take what loses, for "
    assert re.search(fair, found["head"]), found["head"]
    assert re.search(r"^Players take Fly \+\d.* most eagerly and leave Rats −", found["taken"])
    assert "what choosers like loses" in found["taken"]
    found = told()
    assert re.search(
        r"^Whether drafted games are fair to every seat is undecided: furthest off, ", found["head"]
    )
    assert "whether players take what wins is undecided" in found["head"]


def test_a_sentence_is_read_in_one_breath() -> None:
    """The first question is always answered, then each other one, then what there is room for."""
    first, second = Clause("a" * 100, "", more=["b" * 150, "c" * 20]), Clause("d" * 100, "", more=["e" * 20])
    assert sentence([first, second], ".") == f"A{'a' * 99}; {'d' * 100}; {'e' * 20}."
    assert sentence([first], ".") == f"A{'a' * 99}; {'b' * 150}; {'c' * 20}."
    long = Clause("f" * 280, "")
    assert sentence([first, long, second], ".") == f"A{'a' * 99}; {'d' * 100}; {'e' * 20}."
    assert sentence([Clause("g" * 400, ""), second], ".") == f"G{'g' * 399}."


def test_commands_run_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    d = load(make(players=2, deals=60).write(tmp_path / "runs" / "my study"))
    d.manifest["bots_used"] = ["search:playouts=100"]
    monkeypatch.chdir(tmp_path)
    command = "whimbrel run 'runs/my study'/experiment.toml -o 'runs/my study' --games "
    assert command in said(d)["seats"]
    told = [block.text for block in short_answer(Context(d, "p1")) if isinstance(block, Statement)]
    assert [text for text in told if "undecided" in text]
    assert all(command in text.splitlines()[-1] for text in told if "undecided" in text)
    monkeypatch.chdir(tmp_path / "runs")
    assert "whimbrel run 'my study'/experiment.toml" in said(d)["seats"]


def test_what_was_alike_in_all_games_has_no_interval() -> None:
    assert words.exactly(40.0) == "exactly 40"
    assert words.exactly(91 / 3) == "exactly 30.3"
    assert words.share(1 / 3, 1 / 3, 1 / 3 + 1e-15) == "33.3%"
    assert words.share(0.5, 0.45, 0.55) == "50% (45 to 55%)"


def test_ties_of_stopped_games_are_named() -> None:
    d = uneven(100)
    games = d.games.collect()
    first = pl.int_range(pl.len()) < 5
    spoilt = games.with_columns(
        ended=pl.when(first).then(pl.lit("turn_cap")).otherwise(pl.col("ended").cast(pl.String)),
        tied=pl.when(pl.int_range(pl.len()) < 8).then(2).otherwise(1).cast(games.schema["tied"]),
    )
    d = Dataset.from_frames(d.manifest, d.cells, spoilt, d.seats.collect(), d.pieces.collect())
    assert ties_stopped(Context(d, "p1"), {"players": 2}) == ", 5 of 8 of them in games that were stopped"
    spoilt = spoilt.with_columns(tied=pl.when(first).then(2).otherwise(1).cast(games.schema["tied"]))
    d = Dataset.from_frames(d.manifest, d.cells, spoilt, d.seats.collect(), d.pieces.collect())
    assert ties_stopped(Context(d, "p1"), {"players": 2}) == ", all of them in games that were stopped"


def test_a_picture_over_play_names_no_more_than_it_has_room_for() -> None:
    rows = [
        {"tier": tier, "piece": f"card {n}", "estimate": n / 100, "low": 0.0, "high": 1.0}
        for tier in ("greedy", "search")
        for n in range(28)
    ]
    shown = _furthest(pl.DataFrame(rows))
    assert set(shown["piece"]) == {f"card {n}" for n in range(16, 28)}
    assert shown.height == 24


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
        assert not told.head.then or " --games " in told.head.then
        assert "None" not in " ".join(line.whole for line in (told.head, *told.lines))
