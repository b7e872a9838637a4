"""The referee's decks of Migrato agree with what the rulebooks say about the cards."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.reference.migrato.cards import (
    DECKS,
    Card,
    column_text,
    deck_of,
    hand_text,
    read_cards,
    read_columns,
)
from tests.reference.migrato.columns import DEFAULTS

TOTALS = {"B": 14, "K": 11, "S": 11, "E": 8, "T": 5, "X": 5}


@pytest.mark.parametrize("name", DECKS)
def test_decks_have_the_printed_totals(name: str) -> None:
    cards = [Card(text) for text in deck_of(name, DEFAULTS["dangers"])]
    assert Counter(card.species for card in cards) == TOTALS  # P:8-16
    assert {card.birds for card in cards if card.species == "B"} == {3, 4, 5}  # P:21
    assert {"B5N", "S1", "K3"} <= {card.text for card in cards}  # P:19, P:48
    assert cards == sorted(cards, key=lambda card: card.order)


@pytest.mark.parametrize("name", [name for name in DECKS if not name.startswith("house")])
def test_decks_have_the_teals_that_the_bans_imply(name: str) -> None:
    teals = [text for text in deck_of(name, DEFAULTS["dangers"]) if text.startswith("T")]
    assert sorted(text[1] for text in teals) == ["1", "2", "3", "4", "5"]
    assert {"T5D", "T4N", "T1D"} <= set(teals)  # F:64-66


def test_cards_left_out_lack_one_copy() -> None:
    whole, short = (
        Counter(deck_of("stand_in_v1", DEFAULTS["dangers"], out)) for out in ([], ["Teal 4 night", "Hunter"])
    )
    assert whole - short == Counter(["T4N", "Xd"])


def test_pieces_have_their_names() -> None:
    names = [Card(text).piece for text in ("B4N", "K3", "S1", "E4", "T2N", "T5D", "Xd", "Xn", "Xdn")]
    assert names == [
        "Brant 4 night",
        "Kite 3",
        "Stilt 1",
        "Bee-eater 4",
        "Teal 2 night",
        "Teal 5 day",
        "Hunter",
        "Light Pollution",
        "Habitat Destruction",
    ]


def test_texts_are_read_back() -> None:
    hand = "B4N* B5D K3 S1 S1* T2N Xd Xn Xdn"
    assert hand_text(reversed(read_cards(hand))) == hand
    columns = "[(B5N?) B4D] [K3] [(S3)]"
    assert " ".join(column_text(column) for column in read_columns(columns)) == columns


@pytest.mark.parametrize("text", ["K9", "K3D", "S1N", "B5", "Xnd", "", "T0D"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no card"):
        Card(text)
