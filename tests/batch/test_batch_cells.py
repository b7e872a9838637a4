"""Cells, blocks and the layout of chunks."""

from __future__ import annotations

from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.batch.cells import Player, bot_spec
from sim.batch.experiment import read_experiment
from sim.batch.layout import MOST, blocks, chunks, cut, pending
from sim.batch.plan import make_plan
from sim.batch.rotations import orders
from sim.core.errors import Refusal

VARY = {"worth": [1, 2, 3], "pace": ["slow", "fast"]}
DECKS = {"a": {"Ant": 4}, "b": {"Bee": 4}, "c": {"Big Cow": 4}}


def described(**more: object) -> list[str]:
    return [spec.describe() for spec in make_plan(read_experiment({"game": "numbers", **more})).specs]


def test_grid_and_one_at_a_time() -> None:
    assert described(vary=VARY) == [
        f"worth = {w}, pace = {p}" for w, p in product((1, 2, 3), ("slow", "fast"))
    ]
    assert described(vary=VARY, design="one-at-a-time") == [
        "worth = 1, pace = slow",
        "worth = 2, pace = slow",
        "worth = 3, pace = slow",
        "worth = 1, pace = fast",
    ]


def test_variants_are_crossed_with_vary() -> None:
    variants = [{"name": "old"}, {"name": "new", "worth": 4}]
    cells = described(variant=variants, vary={"pace": ["slow", "fast"]})
    assert cells == [f"variant = {v}, pace = {p}" for v, p in product(("old", "new"), ("slow", "fast"))]
    one = described(variant=variants, vary={"pace": ["slow", "fast"]}, design="one-at-a-time")
    assert one == [cells[0], cells[2], cells[1]]


def test_sample_is_keyed_by_the_seed() -> None:
    wide = {"worth": list(range(10)), "bonus": [float(i) for i in range(10)]}
    few = described(vary=wide, design="sample", cells=8, seed=3)
    more = described(vary=wide, design="sample", cells=9, seed=3)
    assert len(set(few)) == 8
    assert set(few) < set(more)
    assert few != described(vary=wide, design="sample", cells=8, seed=4)
    assert few == [cell for cell in described(vary=wide) if cell in few]
    assert len(described(vary=wide, design="sample", cells=1000)) == 100


def test_huge_grids_are_refused_but_sampled() -> None:
    wide = {f"set_counts.{piece}": list(range(10)) for piece in ("Ant", "Bee", "Big Cow")}
    wide |= {"worth": list(range(10)), "bonus": [i / 10 for i in range(1000)]}
    with pytest.raises(Refusal, match=r"10,000,000 cells; use design"):
        described(vary=wide)
    assert len(described(vary=wide, design="sample", cells=5)) == 5


def test_matrix_of_decks() -> None:
    player = {"name": "p", "deck": "every deck"}
    plan = make_plan(read_experiment({"game": "numbers", "decks": DECKS, "player": [player]}))
    assert [spec.opponents for spec in plan.specs] == ["a vs b", "a vs c", "b vs c"]
    assert plan.factors == ["players"]
    assert all(len(order) == 2 for order in plan.orders)
    assert plan.decks == ["a", "b", "c"]
    two = [
        {"name": "x", "bot": "greedy", "deck": "every deck"},
        {"name": "y", "bot": "random", "deck": "every deck"},
    ]
    plan = make_plan(read_experiment({"game": "numbers", "decks": DECKS, "player": two}))
    assert len(plan.specs) == 9
    assert plan.specs[1].opponents == "x (a) vs y (b)"
    fixed = [{"name": "x", "deck": "every deck"}, {"name": "y", "deck": "a"}]
    plan = make_plan(read_experiment({"game": "numbers", "decks": DECKS, "player": fixed}))
    assert [spec.opponents for spec in plan.specs] == ["x (a) vs y (a)", "x (b) vs y (a)", "x (c) vs y (a)"]
    assert [len(order) for order in plan.orders] == [1, 2, 2]


def test_every_deck_as_teams_and_a_named_deck_for_all() -> None:
    every = make_plan(
        read_experiment({"game": "numbers", "decks": DECKS, "parameters": {"teams": "every deck"}})
    )
    assert [spec.opponents for spec in every.specs] == ["a vs b", "a vs c", "b vs c"]
    one = make_plan(read_experiment({"game": "numbers", "decks": DECKS, "parameters": {"teams": "b"}}))
    assert [(p.deck, p.counts) for p in one.specs[0].players] == [("b", {"Bee": 4})] * 2
    assert one.cells[0].lever is None


def players(*kinds: str, deck: str | None = None) -> list[Player]:
    return [Player(f"{kind}{i}", kind, deck=deck) for i, kind in enumerate(kinds)]


def test_a_deal_is_played_once_when_nothing_moves() -> None:
    assert orders(players("g", "g", "g"), moves=False).tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("kinds", "games"), [("ab", 2), ("abc", 6), ("aab", 3), ("abcd", 4), ("aaab", 4), ("abab", 2)]
)
def test_every_player_sits_equally_often_everywhere(kinds: str, games: int) -> None:
    rows = orders(players(*kinds), moves=True)
    assert rows.shape == (games, len(kinds))
    assert (np.sort(rows, axis=1) == np.arange(len(kinds))).all()
    for seat in range(len(kinds)):
        seen = [kinds[who] for who in rows[:, seat]]
        assert {k: seen.count(k) * len(kinds) for k in set(kinds)} == {
            k: kinds.count(k) * games for k in set(kinds)
        }


def test_random_teams_make_all_players_differ() -> None:
    assert len(orders(players("g", "g", "g", deck="random"), moves=True)) == 6


def test_four_players_follow_each_other_equally_often() -> None:
    pairs = [(row[i], row[i + 1]) for row in orders(players(*"abcd"), True).tolist() for i in range(3)]
    assert len(set(pairs)) == len(pairs) == 12


def test_bot_specs() -> None:
    assert bot_spec("greedy:jitter=0.2,weights.points=1") == ("greedy", {"jitter": 0.2, "weights.points": 1})


@settings(max_examples=60, deadline=None)
@given(
    cells=st.integers(1, 300),
    log=st.sampled_from(sorted(MOST)),
    stops=st.lists(st.integers(1, 3000), min_size=1, max_size=3),
    size=st.sampled_from([1, 2, 4, 6]),
    keep=st.randoms(use_true_random=False),
)
def test_any_way_to_the_target_plays_every_game_once(cells, log, stops, size, keep) -> None:
    """However often a run is killed and lengthened, each cell ends with the blocks 0 .. n - 1, once each."""
    target = -(-max(stops) // size) * size
    done: list[tuple[int, int, int]] = []
    played: dict[int, list[int]] = {cell: [] for cell in range(min(cells, 3))}
    for stop in [*sorted(stops), target, target]:
        left = list(pending(cells, log, -(-stop // size) * size, done))
        if stop == target and len(done) and left and keep.random() < 0.5:
            keep.shuffle(left)
        last = stop == target
        left = list(cut(left, keep.randint(1, 5)))
        for chunk in left if last else left[: keep.randint(0, len(left))]:
            done.append((chunk.number, chunk.start, chunk.stop))
            for cell in played:
                if cell in chunk.cells:
                    played[cell] += blocks(size, chunk.start, chunk.stop)
    assert list(pending(cells, log, target, done)) == []
    for numbers in played.values():
        assert sorted(numbers) == list(range(target // size))


def test_chunks_grow_with_the_run_up_to_their_limit() -> None:
    for cells in (1, 5, 40, 2000):
        before = 0
        for chunk in islice(chunks(cells, "pieces"), 300):
            games = len(chunk.cells) * (chunk.stop - chunk.start)
            assert games <= max(500, before / 2), (cells, chunk)
            assert games <= MOST["pieces"] * 1.5
            before += games
        assert games > 3000


@pytest.mark.parametrize("jobs", [1, 2, 16])
@pytest.mark.parametrize(("cells", "target"), [(5, 2400), (1, 300_000), (300, 100)])
def test_no_worker_waits_long_for_the_last_one(jobs: int, cells: int, target: int) -> None:
    parts = list(cut(list(pending(cells, "pieces", target, [])), jobs))
    sizes = [len(part.cells) * (part.stop - part.start) for part in parts]
    assert sum(sizes) == cells * target
    assert max(sizes) <= max(400, cells * target / jobs / 12)
    ends = [0] * jobs
    for size in sizes:
        ends[ends.index(min(ends))] += size
    assert max(ends) < 1.08 * sum(sizes) / jobs + 400


def test_a_million_games_are_few_files() -> None:
    assert len(list(pending(1, "pieces", 1_000_000, []))) < 200
