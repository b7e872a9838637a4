"""The report says what turns, deals and pairs show, where the data have it, and nothing where they have not."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

import analysis
from tests.analysis.synthetic import make


def text_of(data: analysis.Dataset, folder: Path) -> str:
    page = analysis.report.write(data, folder / "r.html", only=["pieces", "pace", "luck"]).read_text(
        encoding="utf-8"
    )
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_turns_deals_and_ranks_are_told_where_the_data_have_them(tmp_path: Path) -> None:
    plan = {"deals": 150, "players": 2, "deal_spread": 1.5, "piece": {"Rats": 0.5, "Fly": -0.5}}
    data = make(**plan).dataset()
    text = text_of(data, tmp_path)
    decided = {row["measure"]: row for row in analysis.when_decided(data).iter_rows(named=True)}
    late = round(100 * decided["led for good"]["estimate"])
    assert f"leads for good after {late}% of the turns on average" in text
    assert "Is it alive to the end?" in text
    assert "What is a lead worth?" in text
    share = round(100 * analysis.set_up_luck(data).filter(pl.col("what") == "seat")["estimate"][0])
    assert share > 10
    assert f"The deal decides at least {share}% " in text
    assert "Which ranks are real?" in text
    plain = text_of(make(**plan, log="pieces").dataset(), tmp_path)
    assert "leads for good" not in plain
    assert "The deal decides" in plain
    once = text_of(make(**plan, log="pieces", rotate=False).dataset(), tmp_path)
    assert "The deal decides" not in once
