"""Facts of Migrato as data, bad input in one line, and the picture."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim.batch.experiment import read_experiment, ready_experiments
from sim.batch.plan import make_plan
from sim.core.errors import Refusal
from sim.core.game import Entrant, get_game
from sim.games.migrato.cases import Table
from sim.games.migrato.decks import PRESETS, TOTALS
from sim.games.migrato.rules.params import PIECES

GAME = get_game("migrato")
READY = ("rule-sets", "one-flag", "decks", "dangers", "objectives")


def prepare(**parameters: Any) -> Any:
    return GAME.prepare(parameters, 2, [Entrant("a", "random"), Entrant("b", "random")])


def test_the_readings_of_the_notes_and_the_cards_are_all_there() -> None:
    known = {row["id"] for row in (*GAME.rulings(), *GAME.stand_ins())}
    assert {f"A{number}" for number in range(1, 61)} <= known
    assert len(PIECES) == 45


def test_decks_keep_the_totals_of_the_box() -> None:
    for name, counts in PRESETS.items():
        for species, total in TOTALS.items():
            assert sum(n for piece, n in counts.items() if piece.split()[0] == species) == total, name
    assert prepare().in_play is not None
    assert len(prepare().in_play) == 27


# --- ready experiments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*(f"migrato-{part}" for part in READY), "claims-migrato"])
def test_ready_experiment(name: str) -> None:
    experiment = read_experiment(name)
    plan = make_plan(experiment)
    assert experiment.name == name
    assert experiment.question.endswith("?")
    assert "judge" in tomllib.loads(ready_experiments()[name].read_text(encoding="utf-8"))
    assert 10_000 <= plan.total(experiment.games) <= 300_000
    assert plan.factors


def test_one_flag_turns_each_flag_from_either_side() -> None:
    plan = make_plan(read_experiment("migrato-one-flag"))
    rows = [cell.parameters for cell in plan.cells]
    for base in rows[:2]:
        unlike = [{key for key in base if base[key] != row[key]} for row in rows[2:]]
        single = {key for keys in unlike if len(keys) == 1 for key in keys}
        assert single >= {"rearrange", "hidden_check", "arrival_purge", "steal_from_arrived"}
        assert single >= {"optional_reveal", "five_stilts", "deduction_bans"}


# --- bad input -----------------------------------------------------------------------------------------------

BAD: list[tuple[dict[str, Any], str]] = [
    ({"rules": "printd"}, "did you mean 'printed'"),
    ({"rearange": "move_tail"}, "did you mean 'rearrange'"),
    ({"memory": 0.5, "hidden_check": "true_cards"}, "needs memory = 1.0"),
    ({"five_stilts": "move", "merge_arrives": False}, "can never apply"),
    ({"five_stilts": "any", "max_column_length": 4, "objective": {"Brant": 4}}, "can never apply"),
    ({"max_column_length": 4}, "could never arrive"),
    ({"deck": "stilt_sixx"}, "did you mean 'stilt_six'"),
    ({"deck": "nowhere.toml"}, "No such file"),
    ({"left_out": "random"}, "write 'random 1'"),
    ({"left_out": ["Kite 9"]}, "there is no card 'Kite 9'"),
    ({"left_out": ["Kite 1"]}, "has no Kite 1 to leave out"),
    ({"dangers": {"Hunters": 1}}, "did you mean 'Hunter'"),
    ({"hand_size": 0}, "hand_size = 0"),
]


@pytest.mark.parametrize(("parameters", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_settings_are_refused_in_one_line(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal) as caught:
        prepare(**parameters)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[card]\n"Kite 3" = 3\n', "0 Brant cards, the rulebook has 14"),
        ('[card]\n"Kite 3" = -1\n', "Kite 3 = -1 is no whole number from 0 to"),
        ('[card]\n"Kyte 3" = 1\n', "did you mean 'Kite 3'"),
        ('[card]\n"Kite 3" = 1\nK3 = 1\n', "given twice"),
        ("cards = 3\n", "unknown key 'cards'"),
        ("[card\n", "deck 'own.toml'"),
    ],
)
def test_bad_decks_are_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(Refusal) as caught:
        GAME.check_cards(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_own_deck_is_checked_and_played(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    counts = {**PRESETS["flat"], "Hunter": 4}
    path.write_text('game = "migrato"\n[card]\n' + "".join(f'"{k}" = {n}\n' for k, n in counts.items()))
    assert "Hunter: 4" in GAME.check_cards(path)
    copies = dict(zip(PIECES, prepare(deck=str(path)).rules[0]["copies"]))
    assert (copies["Hunter"], copies["Light Pollution"], sum(copies.values())) == (4, 0, 53)


def test_a_third_player_or_a_deck_of_one_player_is_refused() -> None:
    with pytest.raises(Refusal, match="for 2 players"):
        GAME.prepare({}, 3, [Entrant(name, "random") for name in "abc"])
    with pytest.raises(Refusal, match="both play with one deck"):
        GAME.prepare({}, 2, [Entrant("a", "random", deck="x", deck_counts={}), Entrant("b", "random")])


# --- the picture ---------------------------------------------------------------------------------------------


def test_the_picture_shows_every_card_and_nothing_overlaps() -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    a = "hand K5 S1* Xdn | columns [B5D (B4N) (B4N) B3D] [(S3?) (S2)] [E4 E3] [T5D] | arrived [K5 K4 K4 K2]"
    case = {"parameters": {"rules": "digital"}, "position": {"A": a, "discard": "S1 Xd K3", "to_move": "B"}}
    table = Table(case, "here")
    figure = Figure(figsize=(7, 7), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    GAME.draw(table.rules, table.state, axes, "Who is ahead?")
    canvas.draw()
    words = [text for text in axes.texts if text.get_text()]
    shown = " ".join(text.get_text() for text in words)
    for part in ("K5", "S1", "Xdn", "B5", "T5", "known", "scores", "A: 2 points", "to move", "Who is ahead?"):
        assert part in shown
    boxes = [text.get_window_extent() for text in words]
    for k, box in enumerate(boxes):
        for other in boxes[:k]:
            assert not box.shrunk(0.95, 0.9).overlaps(other.shrunk(0.95, 0.9)), shown
