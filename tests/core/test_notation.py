"""Counts and names as text, and back."""

from __future__ import annotations

import pytest

from sim.core.errors import Refusal
from sim.core.notation import counts_text, read_counts, read_name

CARDS = ("Drifting", "Ultra Drifting", "Splitting", "Poison Oak", "Oak")


@pytest.mark.parametrize(
    "counts", [[0, 0, 0, 0, 0], [2, 0, 1, 0, 0], [1, 3, 0, 0, 12], [0, 1, 0, 2, 1], [1, 1, 1, 1, 1]]
)
def test_counts_come_back(counts: list[int]) -> None:
    assert read_counts(counts_text(zip(CARDS, counts)), CARDS, "card", "hand") == counts
    compact = counts_text(((name.replace(" ", ""), n) for name, n in zip(CARDS, counts)), "")
    assert read_counts(compact, CARDS, "card", "hand") == counts


def test_how_counts_are_written() -> None:
    assert counts_text(zip(CARDS, [2, 1, 0, 0, 0])) == "2xDrifting Ultra Drifting"
    assert (counts_text([]), counts_text([("Oak", 0)], "(empty)")) == ("-", "(empty)")


@pytest.mark.parametrize(
    "text", ["2xultra drifting  oak", " 2xUltraDrifting Oak ", "Ultra Drifting Oak ULTRADRIFTING"]
)
def test_blanks_and_capitals_do_not_matter(text: str) -> None:
    assert read_counts(text, CARDS, "card", "hand") == [0, 2, 0, 0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Oak 2xSpliting", "hand: there is no card 'Spliting'; did you mean 'Splitting'?"),
        ("OakOak", "hand: there is no card 'OakOak'; did you mean 'Oak'?"),
        ("Oak - Oak", "hand: there is no card '-'"),
        ("2x Oak", "hand: there is no card '2x'"),
    ],
)
def test_what_is_no_count_is_named(text: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_counts(text, CARDS, "card", "hand")
    assert str(refused.value).startswith(message)


def test_read_name() -> None:
    assert read_name("poisonoak", CARDS, "card") == "Poison Oak"
    with pytest.raises(Refusal, match="there is no card 'Oka'; did you mean 'Oak'"):
        read_name("Oka", CARDS, "card")
