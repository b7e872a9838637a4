"""Planted truth for the author's claims, and for verdicts under stand-ins."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.author_claims.piece_kinds import KINDS
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.false_verdicts import pieces
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import PIECES, make


def claim(kind: str, **test: Any) -> dict[str, Any]:
    return {"id": kind, "claim": f"{kind} {test}", "source": "L1", "test": {"kind": kind, **test}}


def tried(data: Dataset, *listed: dict[str, Any], **options: Any) -> pl.DataFrame:
    return analysis.claims(with_claims(data, *listed), **options)


def with_claims(data: Dataset, *listed: dict[str, Any]) -> Dataset:
    card = {**data.card, "claims": list(listed)}
    return Dataset({**data.manifest, "card": card}, data.cells, data._tables)


@pytest.fixture(scope="module")
def world() -> Dataset:
    """Rats strong, Fly weak, Oak hurt where Wolves are banned; nothing else."""
    made: Dataset = make(
        deals=5_000,
        players=2,
        piece={"Rats": 0.3, "Fly": -0.25},
        seat=(),
        deal_spread=0.0,
        drawn_bans=2,
        ban_on_piece={("Wolf", "Oak"): -0.4},
        log="turns",
    ).dataset()
    return made


def test_true_claims_are_reproduced_and_false_ones_are_not(world: Dataset) -> None:
    found = tried(
        world,
        claim("piece_above_average", piece="Rats"),
        claim("piece_below_average", piece="Rats"),
        claim("piece_above_average", piece="Bass"),
        claim("stronger_than", piece="Rats", than="Fly"),
        claim("stronger_than", piece="Fly", than="Rats"),
        claim("pieces_even"),
        claim("ban_lowers", ban="Wolf", piece="Oak"),
        claim("ban_raises", ban="Wolf", piece="Oak"),
        claim("lowers_for_opponents", piece="Rats", column="win_share"),
        claim("raises_for_owner", piece="Fly", column="score"),
        claim("not_measured", why="no log counts places"),
    )
    assert found["status"].to_list() == [
        "reproduced",
        "not",
        "not",
        "reproduced",
        "not",
        "not",
        "reproduced",
        "not",
        "reproduced",
        "not",
        "cannot tell",
    ]
    assert found["note"][10] == "no log counts places"
    assert set(found["tier"]) == {"greedy play"}
    strength = analysis.piece_strength(world).row(by_predicate=pl.col("piece") == "Rats", named=True)
    assert found["estimate"][0] == pytest.approx(strength["estimate"])
    assert "Rats" in found["note"][5]


def test_shares_and_totals(world: Dataset) -> None:
    """Pieces score 0 to 3 a copy played, at random; the log knows nothing else."""
    found = tried(
        world,
        claim("share_above", piece="Rats", column="scored", per="played", than=1.2),
        claim("share_below", piece="Rats", column="scored", than=1.2),
        claim("more_than_others", piece="Rats", column="scored"),
        claim("often_at_least", piece="Rats", column="scored", least=3, than=0.1),
        claim("often_at_least", piece="Rats", column="scored", least=3, than=0.6),
        claim("ban_raises", ban="Wolf", column="turns"),
        claim("ban_lowers", ban="Fly", column="played"),
        claim("decides_close_games", piece="Rats", margin=3),
        claim("comebacks", at=0.5, than=0.9),
    )
    status = dict(zip(zip(found["kind"], found["null"], strict=True), found["status"], strict=True))
    assert status["share_above", 1.2] == "reproduced"
    assert status["share_below", 1.2] == "not"
    assert status["more_than_others", 0.0] == "cannot tell"
    assert status["often_at_least", 0.1] == "reproduced"
    assert status["often_at_least", 0.6] == "not"
    assert status["ban_raises", 0.0] == "cannot tell"
    assert status["comebacks", 0.9] == "not"
    row = found.row(0, named=True)
    assert row["low"] < 1.5 < row["high"]


def test_a_piece_is_countered() -> None:
    rng = np.random.default_rng(51)
    counts = rng.multinomial(6, [1 / 3] * 3, size=(20_000, 2))
    own, facing = counts[..., 0], counts[:, ::-1, 1]
    utility = 0.3 * own - 0.15 * own * facing + rng.gumbel(size=(20_000, 2))
    data = from_shares(
        (utility == utility.max(axis=1, keepdims=True)).astype(float), counts=counts, pieces=list("ABC")
    )
    found = tried(data, claim("countered_by", piece="A", by="B"), claim("countered_by", piece="C", by="B"))
    assert found["status"].to_list() == ["reproduced", "not"]


def test_many_null_claims_are_corrected() -> None:
    """Every claim of two pieces about which of them is stronger, in a game of equal pieces and few games."""
    pairs = [claim("stronger_than", piece=a, than=b) for a, b in itertools.combinations(PIECES, 2)]
    false = 0
    for seed in range(12):
        data = make(deals=300, players=2, piece={}, log="pieces", seed=seed).dataset()
        false += int("reproduced" in tried(data, *pairs)["status"].to_list())
    assert false <= 3


def test_claims_of_several_bots_stand_side_by_side() -> None:
    weak = make(name="weak", deals=3_000, players=2, piece={"Rats": 0.0}, log="pieces").dataset()
    strong = make(
        name="strong", deals=3_000, players=2, bots=("mcts",), piece={"Rats": 0.35}, log="pieces"
    ).dataset()
    rats = claim("piece_above_average", piece="Rats")
    found = analysis.claims([with_claims(weak, rats), with_claims(strong, rats)])
    assert found["tier"].to_list() == ["greedy play", "mcts play"]
    assert found["status"].to_list() == ["not", "reproduced"]


def test_claims_by_a_column() -> None:
    data = make(
        deals=2_000,
        players=2,
        piece={},
        factors={"rats_points": [1, 3]},
        factor_on_piece={("rats_points", 3, "Rats"): 0.4},
    ).dataset()
    found = tried(data, claim("piece_above_average", piece="Rats"), by="rats_points")
    assert dict(zip(found["tier"], found["status"], strict=True)) == {"1": "not", "3": "reproduced"}


def test_a_column_of_pieces_summed_over_a_group(world: Dataset) -> None:
    groups = {"Rats": "vermin, small", "Fly": "vermin, winged"}
    pieces = [{"name": name, "group": groups.get(name, "beasts")} for name in world.piece_names]
    card = {**world.card, "pieces": pieces}
    data = Dataset({**world.manifest, "card": card}, world.cells, world._tables)
    both = world.pieces.filter(pl.col("piece").cast(pl.String).is_in(list(groups)))
    sums = both.group_by("game_id").agg(pl.col("played").sum().alias("n")).collect()["n"]
    half = float(sums.median())  # type: ignore[arg-type]
    share = float((sums >= half).mean())  # type: ignore[arg-type]
    test = {"column": "played", "of": "vermin", "least": half}
    found = tried(
        data,
        claim("games_share_above", **test, than=share - 0.1),
        claim("games_share_above", **test, than=share + 0.1),
        claim("mean_above", column="played", of="vermin", than=-1),
        claim("mean_above", column="played", of="fish", than=0),
    )
    assert found["status"].to_list() == ["reproduced", "not", "reproduced", "cannot tell"]
    assert found["estimate"][0] == pytest.approx(share)
    assert found["estimate"][2] == pytest.approx(float(sums.mean()))  # type: ignore[arg-type]
    assert "no group of pieces begins with 'fish'" in found["note"][3]


def test_what_the_data_cannot_speak_to_says_why() -> None:
    data = make(deals=200, players=2, random_teams=False, log="pieces").dataset()
    found = tried(
        data,
        claim("piece_above_average", piece="Rats"),
        claim("ban_raises", ban="Wolf", piece="Oak"),
        claim("comebacks", at=0.5, than=0.3),
        claim("share_above", piece="Rats", column="flown", than=1),
        claim("piece_above_average", piece="Rat"),
    )
    assert set(found["status"]) == {"cannot tell"}
    for note, words in zip(
        found["note"],
        ("at random", "no bans", "no turns were logged", "no column 'flown'", "did you mean 'Rats'"),
        strict=True,
    ):
        assert words in note


def test_claims_that_are_badly_written_are_refused() -> None:
    data = make(deals=20, players=2, log="pieces").dataset()
    with pytest.raises(analysis.Refusal, match="did you mean 'ban_raises'"):
        tried(data, claim("ban_raise", ban="Wolf"))
    with pytest.raises(analysis.Refusal, match="needs 'than'"):
        tried(data, claim("stronger_than", piece="Rats"))
    with pytest.raises(analysis.Refusal, match="holds no claims"):
        analysis.claims(data)


def test_every_kind_of_test_is_described() -> None:
    import analysis.author_claims.claims

    assert all(f"``{kind}``" in str(analysis.author_claims.claims.__doc__) for kind in KINDS)


def over(guesses: list[str], effects: dict[str, float], deals: int = 2_500, rats: float = 0.3) -> Dataset:
    """A run over stand-ins: Rats strong, except as `effects` change it under a guess."""
    made = make(
        deals=deals,
        players=2,
        seat=(),
        deal_spread=0.0,
        piece={"Rats": rats},
        factors={"guess": ["guesses as they are", *guesses]},
        factor_on_piece={("guess", guess, "Rats"): change for guess, change in effects.items()},
        log="pieces",
    ).dataset()
    cells = made.cells.with_columns(variant=pl.col("guess")).drop("guess")
    manifest = {
        **made.manifest,
        "stand_ins_run": {"names": ["set_counts", "forests"]},
        "factors": ["variant"],
    }
    return Dataset(manifest, cells, made._tables)


def test_a_verdict_that_depends_on_a_guess_says_on_which() -> None:
    guesses = ["set_counts 1", "set_counts 2", "forests 1", "all drawn 1"]
    found = analysis.under_stand_ins(over(guesses, {"set_counts 2": -0.3}))
    rats = found.row(by_predicate=pl.col("about") == "Rats", named=True)
    assert rats["verdict"] == "strong"
    assert rats["depends"] == ["set_counts"]
    assert rats["says"].startswith("depends on set_counts (by −")
    # 0.3 of log odds less, at an even table.
    assert rats["change_low"] < -0.3 * 0.245 < rats["change_high"] < 0
    oak = found.row(by_predicate=pl.col("about") == "Oak", named=True)
    assert oak["says"] == "holds under all 4 guesses"
    seats = found.row(by_predicate=pl.col("what") == "seats", named=True)
    assert seats["verdict"] == "balanced"
    assert seats["says"] == "holds under all 4 guesses"


def test_what_nothing_can_show_is_listed_once_whatever_was_compared() -> None:
    data = make(players=2, deals=20, factors={"map": ["large", "small"]}, log="games").dataset()
    data.manifest["card"]["claims"] = [
        {
            "id": "pretty",
            "claim": "It is pretty",
            "source": "p. 1",
            "test": {"kind": "not_measured", "why": "no log"},
        },
        {"id": "even", "claim": "It is even", "source": "p. 1", "test": {"kind": "seats_even"}},
    ]
    found = analysis.claims(data)
    assert found.filter(pl.col("id") == "pretty").height == 1
    assert found.filter(pl.col("id") == "even")["tier"].to_list() == ["large", "small"]


def test_a_guess_is_compared_under_the_setting_that_it_needs() -> None:
    """Rats are average wherever the land is drawn, under the guesses as they are too: no guess did that."""
    drawn = "guesses as they are (map = founder)"
    data = over([drawn, "forests 1", "set_counts 1"], {drawn: -0.3, "forests 1": -0.3})
    data.manifest["stand_ins_run"]["bases"] = {"forests 1": drawn, "set_counts 1": "guesses as they are"}
    rats = analysis.under_stand_ins(data).row(by_predicate=pl.col("about") == "Rats", named=True)
    assert rats["guesses"] == 2
    assert rats["says"] == "holds under all 2 guesses"


def test_too_few_games_are_no_dependence() -> None:
    found = analysis.under_stand_ins(over(["forests 1", "all drawn 1"], {}, deals=120))
    assert not any("depends" in says for says in found["says"])


def test_verdicts_that_differ_by_chance_are_no_dependence() -> None:
    """Rats lie just at the margin, with the same strength under all twelve guesses."""
    found = analysis.under_stand_ins(
        over([f"forests {k}" for k in range(1, 13)], {}, deals=1_500, rats=0.135)
    )
    assert found["depends"].list.len().sum() == 0


def test_a_run_without_stand_ins_is_said() -> None:
    with pytest.raises(analysis.Refusal, match="not played over stand-ins"):
        analysis.under_stand_ins(make(deals=20, players=2, log="games").dataset())


# -- claims on whole games ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def course() -> Dataset:
    """Two cells on the same deals: `fast` takes 5 of about 40 turns off; who ends wins less; storms are longer."""
    rng = np.random.default_rng(81)
    deals = 3_000
    storm = np.tile(rng.random(deals) < 0.5, 2)
    fast = np.repeat([False, True], deals)
    turns = (
        40 + np.tile(rng.integers(-5, 6, deals), 2) - 5 * fast + 3 * storm + rng.integers(-1, 2, 2 * deals)
    )
    utility = rng.gumbel(size=(2 * deals, 2)) + np.array([0.4, 0.0])
    share = (utility == utility.max(axis=1, keepdims=True)).astype(float)
    data = from_shares(
        share,
        cells=pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "fast": [False, True]}),
        cell=fast.astype(np.int32),
        deal=np.tile(np.arange(deals), 2).astype(np.int64),
        turns=turns.astype(np.int32),
        ended_by=np.where(rng.random(2 * deals) < 0.9, 1, 0).astype(np.int8),
        event=np.where(storm, "Storm", "Calm"),
    )
    more = {"drawn": {"event": {"kind": "level", "word": "event"}}, "pace": {"turn": 30}}
    more["experiment"] = {"vary": {"fast": [False, True]}}
    return Dataset({**data.manifest, **more}, data.cells, data._tables)


@pytest.mark.parametrize(
    ("status", "kind", "test"),
    [
        # Half of the games take 19.5 minutes or less: 40 turns of 30 seconds.
        ("reproduced", "quantile_between", {"column": "minutes", "at": 0.5, "low": 15, "high": 30}),
        ("not", "quantile_between", {"column": "minutes", "at": 0.5, "low": 25, "high": 30}),
        ("not", "quantile_between", {"column": "minutes", "at": 0.99, "low": 5, "high": 12}),
        ("reproduced", "mean_between", {"column": "turns", "low": 38, "high": 40}),
        ("not", "mean_between", {"column": "turns", "low": 41, "high": 50}),
        ("reproduced", "mean_below", {"column": "turns", "than": 40}),
        ("not", "mean_above", {"column": "turns", "than": 40}),
        ("reproduced", "games_share_above", {"column": "minutes", "least": 15, "most": 30, "than": 0.9}),
        ("not", "games_share_below", {"column": "minutes", "least": 15, "most": 30, "than": 0.9}),
        ("reproduced", "games_share_below", {"column": "ended", "is": "turn_cap", "than": 0.02}),
        ("reproduced", "change_lowers", {"factor": "fast", "from": False, "to": True, "column": "turns"}),
        ("reproduced", "change_raises", {"factor": "fast", "from": True, "to": False, "column": "turns"}),
        ("not", "change_raises", {"factor": "fast", "from": False, "to": True, "column": "turns"}),
        (
            "reproduced",
            "change_lowers",
            {"factor": "fast", "from": False, "to": True, "column": "minutes", "least": 2},
        ),
        (
            "not",
            "change_lowers",
            {"factor": "fast", "from": False, "to": True, "column": "minutes", "least": 3},
        ),
        ("reproduced", "level_raises", {"in": "event", "level": "Storm", "column": "turns", "least": 2}),
        ("not", "level_lowers", {"in": "event", "level": "Storm", "column": "turns"}),
        ("reproduced", "ender_not_favoured", {}),
        ("not", "ender_favoured", {}),
        ("reproduced", "seat_favoured", {"seat": "A"}),
        ("not", "seat_not_favoured", {"seat": "A"}),
        ("reproduced", "seat_not_favoured", {"seat": "B"}),
        ("not", "seats_even", {}),
        (
            "reproduced",
            "mean_below",
            {"column": "turns", "than": 37, "where": {"fast": True, "event": "Calm"}},
        ),
        ("not", "mean_below", {"column": "turns", "than": 37, "where": {"fast": False}}),
        ("cannot tell", "mean_above", {"column": "length", "than": 1}),
        ("cannot tell", "change_lowers", {"factor": "fast", "from": 1, "to": 2, "column": "turns"}),
        ("cannot tell", "level_raises", {"in": "event", "level": "Hail", "column": "turns"}),
    ],
)
def test_claims_on_whole_games(course: Dataset, status: str, kind: str, test: dict[str, Any]) -> None:
    row = tried(course, claim(kind, **test), by="all").row(0, named=True)
    assert row["status"] == status, row
    if status != "cannot tell":
        assert row["low"] is not None
        assert row["low"] <= row["estimate"] <= row["high"]


def test_true_claims_on_fair_games_are_not_denied() -> None:
    """A fair game: who ends and who goes first win no more than fair, which is shown, not assumed."""
    rng = np.random.default_rng(82)
    even = (rng.random(20_000) < 0.5).astype(float)
    data = from_shares(
        np.stack([even, 1 - even], axis=1), ended_by=rng.integers(0, 2, 20_000).astype(np.int8)
    )
    kinds = [claim("ender_not_favoured"), claim("seat_not_favoured", seat="A"), claim("seats_even")]
    assert set(tried(data, *kinds)["status"]) == {"reproduced"}
    few = data.filter(pl.col("game_id") < 200)
    assert set(tried(few, *kinds)["status"]) == {"cannot tell"}


def test_one_bot_beats_another() -> None:
    data = make(deals=600, players=2, bots=("sage", "fool"), bot={"sage": 1.0}, seat=(), piece={}).dataset()
    found = tried(
        data,
        claim("beats", bot="sage", other="fool"),
        claim("beats", bot="fool", other="sage"),
        claim("beats", bot="sage", other="fool", than=0.9),
        claim("beats", bot="sage", other="wizard"),
    )
    assert found["status"].to_list() == ["reproduced", "not", "not", "cannot tell"]


def test_a_circular_claim_on_minutes_is_refused(course: Dataset) -> None:
    """At the game's own guess of a pace, minutes give back what was put in; changes of them are still asked."""
    card = {**course.card, "pace": {"turn": 30, "source": "chosen to fit the box"}}
    manifest = {k: v for k, v in course.manifest.items() if k != "pace"}
    guessed = Dataset({**manifest, "card": card}, course.cells, course._tables)
    kinds = [
        claim("quantile_between", column="minutes", at=0.5, low=15, high=30),
        claim("mean_between", column="minutes", low=15, high=30),
        claim("mean_below", column="minutes", than=30),
        claim("games_share_above", column="minutes", least=15, most=30, than=0.9),
        claim("change_lowers", factor="fast", **{"from": False, "to": True}, column="minutes", least=2),
    ]
    found = tried(guessed, *kinds, by="all")
    assert found["status"].to_list() == ["cannot tell"] * 4 + ["reproduced"]
    assert all("a guess at the pace (chosen to fit the box)" in note for note in found["note"][:4])
    assert tried(course, *kinds, by="all")["status"].to_list() == ["reproduced"] * 5


@pytest.mark.parametrize(("lift", "verdict"), [(0.012, "balanced"), (0.05, "above"), (0.09, "strong")])
def test_one_standard_for_the_claim_and_the_verdict_on_a_piece(lift: float, verdict: str) -> None:
    """A piece a little above the average beyond chance, and balanced: the author's "wins games" is not reproduced."""
    games = {"balanced": 60_000, "above": 1_500, "strong": 20_000}[verdict]
    d = pieces(games, lift, kinds=4)(np.random.default_rng(85))
    row = analysis.piece_strength(d).row(0, named=True)
    assert row["verdict"] == verdict
    assert row["q"] < 0.05
    found = tried(d, claim("piece_above_average", piece="P0"), claim("piece_below_average", piece="P0"))
    assert found["status"].to_list() == ["not" if verdict == "balanced" else "reproduced", "not"]


@pytest.mark.parametrize(("won", "verdict"), [(5_060, "balanced"), (5_150, "above"), (5_600, "favoured")])
def test_one_standard_for_the_claim_and_the_verdict_on_a_seat(won: int, verdict: str) -> None:
    first = (np.arange(10_000) < won).astype(float)
    d = from_shares(np.stack([first, 1 - first], axis=1))
    assert analysis.seat_balance(d)["verdict"][0] == verdict
    found = tried(
        d, claim("seat_favoured", seat="A"), claim("seat_not_favoured", seat="A"), claim("seats_even")
    )
    assert (
        found["status"].to_list()
        == {
            "balanced": ["not", "reproduced", "reproduced"],
            "above": ["reproduced", "cannot tell", "cannot tell"],
            "favoured": ["reproduced", "not", "not"],
        }[verdict]
    )
    wide = tried(
        d, claim("seat_not_favoured", seat="A", margin=0.09), claim("seat_favoured", seat="A", margin=0.09)
    )
    assert wide["status"].to_list() == ["reproduced", "not"]


def test_a_difference_may_be_negative() -> None:
    """Points of one piece decide fewer close games than those of the others: below 0, and printed so."""
    rng = np.random.default_rng(86)
    n, names = 3_000, ["A", "B", "C"]
    d = from_shares(winners(rng.random((n, 2))), counts=np.ones((n, 2, 3), dtype=int), pieces=names)
    games = d.games.with_columns(margin=pl.lit(2.0))
    scored = (
        pl.when(pl.col("piece").cast(pl.String) == "A").then(1.0).otherwise(2.0 + (pl.col("game_id") % 2))
    )
    d = with_tables(d, games=games, pieces=d.pieces.with_columns(scored=scored))
    row = tried(d, claim("decides_close_games", piece="A", margin=3)).row(0, named=True)
    assert row["estimate"] == -1.0
    assert row["low"] < row["estimate"] < row["high"] < 0
    from analysis.report.variants import _contrast

    assert _contrast(row).startswith("−100.0 (")
