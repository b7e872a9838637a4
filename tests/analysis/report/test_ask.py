"""The opening answers what is asked, in its order, and never with an average over what was compared."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.report import words
from analysis.report.answer import short_answer
from analysis.report.blocks import Statement, Text
from analysis.report.context import Context
from tests.analysis.report.test_report import page
from tests.analysis.synthetic import make

OLD, NEW = "v1.3", "v1.4"
WOLF = {("version", OLD, "Wolf"): 0.35, ("version", NEW, "Wolf"): -0.35}
SEAT_A = {("version", OLD, 0): 0.4, ("version", NEW, 0): -0.4}


def versions(swap: bool = False, ask: dict[str, Any] | None = None, **changes: Any) -> Dataset:
    """Two versions, one on either side of even; on average they are even."""
    other = {OLD: NEW, NEW: OLD} if swap else {OLD: OLD, NEW: NEW}
    d: Dataset = make(
        **{
            "players": 2,
            "deals": 1_000,
            "seat": (0.0,),
            "piece": {},
            "factors": {"version": [OLD, NEW]},
            "factor_on_piece": {(f, other[v], p): x for (f, v, p), x in WOLF.items()},
            "factor_on_seat": {(f, other[v], n): x for (f, v, n), x in SEAT_A.items()},
            **changes,
        }
    ).dataset()
    if ask is not None:
        d.manifest["experiment"]["ask"] = ask
    return d


def said(d: Dataset) -> list[Statement]:
    return [block for block in short_answer(Context(d, "p1")) if isinstance(block, Statement)]


def text_of(d: Dataset) -> str:
    return "\n".join(block.text for block in said(d))


def share(row: dict[str, Any]) -> str:
    return words.share(row["value"], row["value_low"], row["value_high"], row["fair"])


def test_two_versions_are_told_apart_and_their_mean_is_nowhere(tmp_path: Path) -> None:
    d = versions()
    wolf = analysis.piece_strength(d).filter(pl.col("piece") == "Wolf")["estimate"][0]
    seat = analysis.seat_balance(d)["estimate"][0]
    assert abs(wolf) < 0.015
    assert abs(seat - 0.5) < 0.03
    answer = re.sub(r"\s+", " ", page(d, tmp_path).sections["p1-answer"])
    frame = analysis.compare(d)
    for what, about in (("piece", "Wolf"), ("seat", "0")):
        base, new = frame.filter((pl.col("what") == what) & (pl.col("about") == about)).to_dicts()
        told = (
            share if what == "seat" else lambda r: words.change(r["value"], r["value_low"], r["value_high"])
        )
        change = words.change(new["estimate"], new["low"], new["high"])
        assert f"{OLD} (the base) {told(base)}" in answer
        assert f"{NEW} {told(new)}" in answer
        assert f"{change} against the base" in answer
    assert f"Wolf {words.points(wolf)}" not in answer
    assert f"{words.percent(seat)} (" not in answer
    assert answer.index("Seat A by version") < answer.index("Wolf by version")


def test_levels_that_change_places_change_every_headline() -> None:
    one, other = (said(versions(swap)) for swap in (False, True))
    for about in ("Seat A by version", "Wolf by version", f"With {OLD}, each", f"With {NEW}, each"):
        here, there = (next(b.text for b in blocks if about in b.text) for blocks in (one, other))
        assert here != there
    assert "strong: Wolf" in next(b.text for b in one if f"With {OLD}, each" in b.text)
    assert "weak: Wolf" in next(b.text for b in other if f"With {OLD}, each" in b.text)


@pytest.mark.parametrize(
    ("factor", "levels", "said_as"),
    [
        ("draft", [True, False], ("draft yes", "draft no")),
        ("map", ["small", "large"], ("small", "large")),
        ("rats_points", [1, 2], ("rats_points 1", "rats_points 2")),
        ("trading", ["none", "any"], ("trading none", "any")),
    ],
)
def test_whatever_was_compared_is_told_apart(
    factor: str, levels: list[Any], said_as: tuple[str, str]
) -> None:
    texts = []
    for first, second in (levels, levels[::-1]):
        d = make(
            players=2,
            deals=700,
            seat=(0.0,),
            factors={factor: levels},
            factor_on_seat={(factor, first, 0): 0.5, (factor, second, 0): -0.5},
        ).dataset()
        told = next(b for b in said(d) if f"Seat A by {factor}" in b.text)
        assert told.verdict == "differs"
        texts.append(told.text)
    base, other = said_as
    for text, words_of in zip(texts, (("favoured", "unfavoured"), ("unfavoured", "favoured")), strict=True):
        assert re.search(rf"\n{base} \(the base\) \S+ \([^)]*\) {words_of[0]}\.", text)
        assert re.search(rf"\n{other} \S+ \([^)]*\) {words_of[1]}; \S+ \([^)]*\) against the base\.", text)


@pytest.mark.parametrize("sign", [1, -1])
def test_lengths_are_told_apart_with_the_tested_difference(sign: int) -> None:
    d = versions()
    longer = pl.when(pl.col("cell") == 1).then(3 * sign).otherwise(-3 * sign)
    tables = {name: d._tables[name].collect() for name in ("games", "seats", "pieces")}
    tables["games"] = tables["games"].with_columns(
        (pl.col("turns") + longer + 3).cast(pl.Int32).alias("turns")
    )
    d = Dataset.from_frames(d.manifest, d.cells, **tables)
    base, new = analysis.compare(d, what="length").to_dicts()
    assert sign * new["estimate"] > 5
    assert new["differs"]
    told = next(b for b in said(d) if b.text.startswith("A game with 2 players"))
    assert told.verdict == "differs"
    assert f"\n{OLD} (the base) {base['value']:.1f} (" in told.text
    assert f"\n{NEW} {new['value']:.1f} (" in told.text
    assert f"; {new['estimate']:+.2f} (".replace("-", "−") in told.text
    pooled = analysis.length(d).filter(pl.col("measure") == "turns")["estimate"][0]
    assert f" {pooled:.1f} (" not in told.text


def test_what_is_asked_is_answered_first_and_alone() -> None:
    ask = {"piece": ["Wolf"], "compare": {"version": [NEW, OLD]}, "length": True}
    found = said(versions(ask=ask))
    assert len(found) == 2
    assert found[0].text.startswith("Wolf by version")
    assert f"{NEW} (the base)" in found[0].text
    assert found[0].verdict == "differs"
    assert found[1].text.startswith("A game with 2 players")


def test_questions_are_answered_in_their_order() -> None:
    for order in (["length", "seats"], ["seats", "length"]):
        found = said(versions(ask=dict.fromkeys(order, True)))
        heads = ["seats" if "Seat A" in block.text else "length" for block in found]
        assert heads == order


def test_what_is_asked_and_cannot_be_told_is_said() -> None:
    d = versions(ask={"drafts": True})
    blocks = short_answer(Context(d, "p1"))
    told = [b.text for b in blocks if isinstance(b, Text)]
    assert any(text.startswith("Is the draft fair, and what is picked?") for text in told)
    assert any("These data cannot tell" in text for text in told)


def test_four_ban_lists_are_not_one_seat() -> None:
    d = make(
        players=2,
        deals=600,
        seat=(-0.5,),
        piece={},
        factors={"bans": ["none", "Wolf", "Fly", "Wolf+Fly"]},
        ban_on_seat={("Wolf", 0): 0.9},
    ).dataset()
    rows = analysis.compare(d, what="seats").filter(pl.col("about") == "0").to_dicts()
    assert [r["differs"] for r in rows] == [False, True, False, True]
    text = text_of(d)
    for r, name in zip(
        rows, ("no bans (the base)", "Wolf banned", "Fly banned", "Wolf+Fly banned"), strict=True
    ):
        assert f"{name} {share(r)}" in text
    pooled = analysis.seat_balance(d).row(0, named=True)
    assert f"Seat A wins {words.percent(pooled['estimate'])}" not in text


def test_sets_that_are_played_again_are_not_asked_for_levels_that_are_gone() -> None:
    levels = ["none", "Wolf", "Fly", "Wolf+Fly"]
    d = make(players=2, deals=60, factors={"bans": levels}).dataset()
    d.manifest["experiment"] |= {"vary": {"bans": levels}}
    d.manifest["experiment"]["ask"] = {"bans": "most even", "compare": {"bans": levels}}
    assert analysis.verify_experiment(d, top=2)["ask"] == {"bans": "most even"}
    assert d.asks[0].across[0].levels == tuple(levels)


def test_many_levels_are_told_by_the_base_and_those_that_differ(tmp_path: Path) -> None:
    levels = ["default", *(f"map {k}" for k in range(1, 12))]
    d = make(
        players=2, deals=400, seat=(0.0,), factors={"map": levels}, factor_on_seat={("map", "map 7", 0): 0.9}
    ).dataset()
    seats = next(b for b in said(d) if "Seat A by map" in b.text)
    assert "default (the base)" in seats.text
    assert "Of 11 others 1 differs from it beyond chance:\nmap 7 " in seats.text
    table = re.sub(r"\s+", " ", page(d, tmp_path).sections["p1-answer"])
    assert all(name in table for name in levels)
    assert "setting by setting: all 12" in table
    source = (tmp_path / "report.html").read_text(encoding="utf-8")
    answer = source.split('id="p1-answer"')[1].split("</section>")[0]
    assert "<details><summary>Seats with 2 players, setting by setting: all 12</summary>" in answer
    # Folded away, the table begins with the base and with what differs.
    rows = re.sub(r"<[^>]*>", " ", answer.split("<summary>Seats with 2 players")[1])
    assert rows.index("default") < rows.index("map 7") < rows.index("map 1 ")


def test_of_many_levels_without_a_base_none_is_one() -> None:
    levels = [f"map {k}" for k in range(12)]
    d = make(
        players=2, deals=400, seat=(0.0,), factors={"map": levels}, factor_on_seat={("map", "map 7", 0): 0.9}
    ).dataset()
    seats = next(b for b in said(d) if "Seat A by map" in b.text)
    assert "base" not in seats.text
    assert re.search(r"from \d+% .* to \d+% \(.*?\) favoured with map 7, of 12 settings", seats.text)


def test_a_piece_is_not_averaged_over_the_numbers_of_players() -> None:
    d = make(
        deals=900,
        piece={},
        factors={"players.count": [2, 4]},
        factor_on_piece={("players.count", 2, "Fly"): 0.4, ("players.count", 4, "Fly"): -0.4},
    ).dataset()
    fly = next(b for b in said(d) if b.text.startswith("Fly by players.count"))
    assert fly.verdict == "differs"
    assert re.search(r"2 players \(the base\) \+\d+\S* \([^)]*\), strong", fly.text)
    assert re.search(r"4 players −\d+\S* \([^)]*\), weak; −", fly.text)


def test_what_a_ban_does_is_told_on_each_map() -> None:
    d = make(
        players=2,
        deals=900,
        drawn_bans=2,
        seat=(0.0,),
        piece={},
        factors={"map": ["small", "large"]},
        ban_on_piece={("Wolf", "Oak"): 0.9},
    ).dataset()
    told = [b.text for b in said(d) if "is banned" in b.text]
    assert len(told) == 2
    assert all("with Wolf banned, Oak gains" in text for text in told)
    assert ["small" in told[0], "large" in told[1]] == [True, True]


def test_claims_are_counted_under_each_version() -> None:
    claim = {"id": "wolf", "claim": "Wolves win", "source": "p. 1"}
    d = versions()
    d.manifest["card"]["claims"] = [{**claim, "test": {"kind": "piece_above_average", "piece": "Wolf"}}]
    frame = analysis.claims(d)
    assert dict(zip(frame["tier"], frame["status"], strict=True)) == {OLD: "reproduced", NEW: "not"}
    assert analysis.claims(d, by="all")["status"].to_list() == ["not"]  # which is wrong of the old version
    told = next(b.text for b in said(d) if "claim" in b.text)
    assert f"\n{OLD}: 1 is seen, 0 are not seen" in told
    assert f"\n{NEW}: 0 are seen, 1 is not seen" in told
    swapped = versions(swap=True)
    swapped.manifest["card"]["claims"] = d.card["claims"]
    assert analysis.claims(swapped)["status"].to_list() == ["not", "reproduced"]


def test_a_claim_that_names_its_setting_has_one_row() -> None:
    d = versions()
    wolf = {"kind": "piece_above_average", "piece": "Wolf", "where": {"version": OLD}}
    change = {"kind": "change_raises", "factor": "version", "from": OLD, "to": NEW, "column": "turns"}
    d.manifest["card"]["claims"] = [
        {"id": name, "claim": name, "source": "", "test": test} for name, test in (("a", wolf), ("b", change))
    ]
    frame = analysis.claims(d)
    assert frame["id"].to_list() == ["a", "b"]
    assert frame["status"][0] == "reproduced"


def ban_on_one_map(swap: bool = False) -> Dataset:
    """A ban of the Wolf makes the Oak strong on the small map and weak on the large one; on average it does nothing."""
    parts = []
    for size, effect in (("small", 1.2), ("large", -1.2)):
        sign = -1 if swap else 1
        made = make(
            players=2,
            deals=1_500,
            drawn_bans=2,
            seat=(0.0,),
            piece={},
            factors={"map": ["small", "large"]},
            ban_on_piece={("Wolf", "Oak"): sign * effect},
        ).dataset()
        parts.append(made.filter(map=size))
    one, other = parts
    names = ("games", "seats", "pieces")
    tables = {name: pl.concat([part._tables[name].collect() for part in (one, other)]) for name in names}
    cells = pl.concat([one.cells, other.cells])
    return Dataset.from_frames(one.manifest, cells, **tables)


def test_a_ban_that_does_two_things_is_told_apart_and_tested() -> None:
    d = ban_on_one_map()
    pooled = analysis.ban_effects_on_pieces(d).filter(
        (pl.col("banned") == "Wolf") & (pl.col("piece") == "Oak")
    )
    assert abs(pooled["estimate"][0]) < 0.05
    frame = analysis.compare_bans(d).filter((pl.col("banned") == "Wolf") & (pl.col("about") == "Oak"))
    small, large = frame.sort("base", descending=True).to_dicts()
    assert (small["setting"], small["base"], large["against"]) == ("small", True, "small")
    assert small["value"] > 0.1
    assert large["value"] < -0.1
    assert large["differs"]
    assert large["high"] < -0.1
    others = analysis.compare_bans(d).filter(pl.col("about") != "Oak")
    assert not others["differs"].any()
    told = next(b for b in said(d) if b.text.startswith("What a ban does depends on map"))
    assert told.verdict == "differs"
    change = words.change(large["estimate"], large["low"], large["high"])
    assert f"Wolf banned, Oak: small (the base) {words.points(small['value'])}; large" in told.text
    assert change in told.text
    swapped = next(
        b for b in said(ban_on_one_map(swap=True)) if b.text.startswith("What a ban does depends on map")
    )
    assert swapped.text != told.text
    assert "small (the base) −" in swapped.text


def test_a_ban_that_does_the_same_everywhere_is_not_said_to_depend() -> None:
    d = make(
        players=2, deals=600, drawn_bans=2, factors={"map": ["a", "b"]}, ban_on_piece={("Wolf", "Oak"): 0.9}
    ).dataset()
    told = next(b for b in said(d) if b.text.startswith("What a ban does"))
    assert "is not shown to depend on map" in told.text


@pytest.mark.parametrize("tables", [1, 2])
def test_nothing_that_was_not_compared_is_taken_apart(tables: int) -> None:
    counts = [2, 3][:tables]
    d = make(deals=200, factors={"players.count": counts} if tables > 1 else {}).dataset()
    text = text_of(d)
    assert "the base" not in text or tables > 1
    assert "With 3 players" in text


def test_guesses_at_what_the_book_leaves_out_are_no_average_either() -> None:
    d = make(
        players=2,
        deals=500,
        seat=(0.0,),
        piece={},
        factors={"variant": ["guesses as they are", "set_counts 1"]},
        factor_on_seat={("variant", "guesses as they are", 0): 0.7, ("variant", "set_counts 1", 0): -0.7},
    ).dataset()
    d.manifest["stand_ins_run"] = {"names": ["set_counts"], "bases": {}}
    own = analysis.seat_balance(d.filter(variant="guesses as they are")).row(0, named=True)
    text = text_of(d)
    assert f"Seat A wins {words.share(own['estimate'], own['low'], own['high'], own['fair'])}" in text
    assert "the base" not in text
    assert "guesses at what the rulebook leaves out" in text
