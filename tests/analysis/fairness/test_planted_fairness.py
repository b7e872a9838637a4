"""Planted truth for seats and shares: the naive way is wrong by at least the shown amount, ours is right."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis import stats
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make

TRIALS = 2_000
FALSE_ALARMS = pytest.approx(0.05, abs=0.02)  # of claims made at 5 %


def share_error(values: np.ndarray, blocks: stats.Blocks) -> tuple[float, float]:
    """Mean of 0/1 values and its block-robust error."""
    mean, cov = stats.block_means(values[:, None].astype(np.float64), blocks)
    return float(mean[0]), float(np.sqrt(cov[0, 0]))


def test_pt1a_seats_of_one_game_are_no_independent_rows() -> None:
    """No effect of the variant; the four seats of a game share half their variance."""
    rng = np.random.default_rng(11)
    games, half = 150, np.sqrt(0.5)
    variant = np.arange(games) % 2 == 0
    blocks = stats.make_blocks(np.repeat(np.arange(games), 4))
    naive = ours = 0
    for _ in range(TRIALS):
        score = half * rng.standard_normal((games, 1)) + half * rng.standard_normal((games, 4))
        a, b = score[variant], score[~variant]
        change = a.mean() - b.mean()
        naive += abs(change) > 1.96 * np.sqrt(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size)
        influence = np.where(variant[:, None], (score - a.mean()) / a.size, -(score - b.mean()) / b.size)
        se = np.sqrt(stats.covariance(influence.reshape(-1, 1), blocks)[0, 0])
        ours += stats.effects(change, se, games).p()[0] < 0.05
    assert naive / TRIALS > 0.18
    assert ours / TRIALS == FALSE_ALARMS


@pytest.mark.parametrize(("players", "naive_alarms"), [(2, 0.15), (4, 0.07)])
def test_pt1b_pieces_of_the_same_games_are_no_independent_shares(players: int, naive_alarms: float) -> None:
    """Two equal pieces, each held by one seat of every game."""
    rng = np.random.default_rng(12)
    games = 501
    blocks = stats.make_blocks(np.arange(games))
    naive = ours = 0
    for _ in range(TRIALS):
        won = winners(rng.random((games, players)))
        a, b = won[:, 0], won[:, 1]
        p, q = a.mean(), b.mean()
        naive += abs(p - q) > 1.96 * np.sqrt((p * (1 - p) + q * (1 - q)) / games)
        change, se = share_error(a - b, blocks)
        ours += stats.effects(change, se, games).p()[0] < 0.05
    assert naive / TRIALS > naive_alarms
    assert ours / TRIALS == FALSE_ALARMS


def tied_scores(games: int) -> np.ndarray:
    return np.round(np.random.default_rng(13).normal(0, 2.4, (games, 4)))


def test_pt2_ties_are_split_not_given_to_the_first() -> None:
    """Four equal seats with coarse scores."""
    score = tied_scores(30_000)
    first = score == score.max(axis=1, keepdims=True)
    assert 0.15 < np.mean(first.sum(axis=1) > 1) < 0.25
    naive = np.bincount(np.argmax(score, axis=1), minlength=4) / len(score)
    assert naive[0] - 0.25 > 0.048
    assert naive[3] - 0.25 < -0.039
    ours = analysis.seat_balance(from_shares(first / first.sum(axis=1, keepdims=True)))
    assert np.abs(ours["estimate"].to_numpy() - 0.25).max() < 3 * 0.0025
    assert ours["verdict"].to_list() == ["balanced"] * 4


def test_pt2b_ties_are_no_losses() -> None:
    """Two equal seats, 4 % ties: counted as losses both seats look weak; credits add up to the games."""
    rng = np.random.default_rng(14)
    shares = winners(rng.random((40_000, 2)))
    shares[rng.random(40_000) < 0.04] = 0.5
    naive = (shares == 1).mean(axis=0)
    assert (naive < 0.485).all()
    d = from_shares(shares)
    ours = analysis.seat_balance(d)
    assert ours["estimate"].sum() == pytest.approx(1.0, abs=1e-12)
    assert np.abs(ours["estimate"].to_numpy() - 0.5).max() < 3 * 0.0025
    assert analysis.ties(d)["estimate"].item() == pytest.approx(0.04, abs=0.003)


def test_pt12b_the_two_games_of_a_pair_are_one_block() -> None:
    """A sits in both seats of the same deal: its two results repel each other."""
    rng = np.random.default_rng(15)
    pairs = np.repeat(np.arange(200), 2)
    blocks = stats.make_blocks(pairs)
    naive, ours, found = [], [], []
    for _ in range(400):
        deal = rng.normal(0, 2.5, 200)
        won = np.stack([deal + rng.normal(0, 1, 200) > 0, -deal + rng.normal(0, 1, 200) > 0], axis=1).ravel()
        mean, se = share_error(won, blocks)
        naive.append(np.sqrt(mean * (1 - mean) / 400))
        ours.append(se)
        found.append(mean)
    truth = np.std(found)
    assert np.mean(naive) / truth > 0.0250 / 0.0147
    assert np.mean(ours) / truth == pytest.approx(1, abs=0.1)


def test_pt12c_replaying_a_seed_is_no_new_game() -> None:
    """40 deals, each replayed 10 times with other luck."""
    rng = np.random.default_rng(16)
    deal = np.repeat(np.arange(40), 10)
    blocks = stats.make_blocks(deal)
    naive, ours, found, covered = [], [], [], 0
    for _ in range(400):
        chance = 1 / (1 + np.exp(-rng.normal(0, 4, 40)))
        mean, se = share_error(rng.random(400) < chance[deal], blocks)
        naive.append(np.sqrt(mean * (1 - mean) / 400))
        ours.append(se)
        found.append(mean)
        low, high = stats.shares(mean, se**2, blocks).interval()
        covered += low[0] <= 0.5 <= high[0]
    truth = np.std(found)
    assert np.mean(naive) / truth < 0.0250 / 0.060
    assert np.mean(ours) / truth == pytest.approx(1, abs=0.1)
    assert covered / 400 > 0.92


def test_pt12c_seat_balance_takes_the_deal_as_its_block() -> None:
    rng = np.random.default_rng(17)
    deal = np.repeat(np.arange(40), 10)
    first = (rng.random(400) < (1 / (1 + np.exp(-rng.normal(0, 4, 40))))[deal]).astype(float)
    shares = np.stack([first, 1 - first], axis=1)
    as_played = analysis.seat_balance(from_shares(shares, deal=deal))
    as_if_new = analysis.seat_balance(from_shares(shares))
    width = [float((f["high"] - f["low"])[0]) for f in (as_played, as_if_new)]
    assert width[0] > 2 * width[1]
    assert as_played["deals"].to_list() == [40, 40]
    assert "few deals" in as_played["note"][0]


def test_pt13_not_significant_is_not_balanced() -> None:
    rng = np.random.default_rng(18)
    for true, n, at_most, at_least in [(0.56, 200, 0.005, 0.0), (0.505, 20_000, 1.0, 0.995)]:
        share = rng.binomial(n, true, 4_000) / n
        se = np.sqrt(share * (1 - share) / n)
        naive = np.mean(stats.effects(share, se, n).p(0.5) > 0.05)
        ours = np.mean(stats.effects(share, se, n).p_within(0.47, 0.53) < 0.05)
        assert naive > 0.5
        assert at_least <= ours <= at_most


def test_pt13_verdicts_of_seats() -> None:
    """200 games at 56 % are undecided; 20,000 at 50.5 % are balanced, at 56 % unbalanced."""
    rng = np.random.default_rng(19)
    found = []
    for true, n in [(0.56, 200), (0.505, 20_000), (0.56, 20_000)]:
        first = (rng.permutation(n) < true * n).astype(float)
        d = from_shares(np.stack([first, 1 - first], axis=1), judge={"seat": 0.03})
        test = analysis.seat_tests(d).row(0, named=True)
        seats = analysis.seat_balance(d)["verdict"].to_list()
        found.append((test["verdict"], seats))
        assert (test["p_equivalence"] < 0.05) == (test["verdict"] == "balanced")
    assert found == [
        ("undecided", ["undecided"] * 2),
        ("balanced", ["balanced"] * 2),
        ("unbalanced", ["favoured", "unfavoured"]),
    ]


def test_pt17_games_stopped_by_the_cap_are_counted_with_bounds() -> None:
    """The first seat wins half the games, slowly; the cap stops long games while it is still behind."""
    rng = np.random.default_rng(20)
    n, cap = 20_000, 48
    first = rng.random(n) < 0.5
    turns = np.where(first, rng.normal(45, 8, n), rng.normal(25, 8, n)).astype(int).clip(5)
    stopped = turns >= cap
    fastest = np.argsort(turns, kind="stable")[: n // 5]
    assert first[fastest].mean() < 0.05
    assert first[~stopped].mean() < 0.41
    at_cap = np.where(stopped, False, first).astype(float)
    d = from_shares(
        np.stack([at_cap, 1 - at_cap], axis=1),
        turns=np.minimum(turns, cap).astype(np.int32),
        ended=np.where(stopped, "turn_cap", "finished"),
    )
    row = analysis.seat_balance(d).row(0, named=True)
    assert row["games"] == n
    assert row["capped"] == pytest.approx(stopped.mean())
    assert row["capped_low"] - 1e-9 <= row["estimate"] <= row["capped_high"] + 1e-9
    assert row["capped_low"] - 0.01 < 0.5 < row["capped_high"] + 0.01
    assert row["capped_high"] - row["capped_low"] == pytest.approx(stopped.mean())
    checks = {c["check"]: c for c in analysis.audit(d).iter_rows(named=True)}
    assert checks["few games are stopped by the cap"]["ok"] is False
    ends = analysis.end_reasons(d)
    assert ends["count"].sum() == n


def test_pt17_length_treats_stopped_games_as_at_least_so_long() -> None:
    rng = np.random.default_rng(21)
    turns = rng.normal(40, 10, 20_000).astype(int).clip(1)
    cap = 42
    stopped = turns >= cap
    d = from_shares(
        winners(rng.random((20_000, 2))),
        turns=np.minimum(turns, cap).astype(np.int32),
        ended=np.where(stopped, "turn_cap", "finished"),
    )
    naive = np.median(turns[~stopped])
    row = analysis.length(d).filter(pl.col("measure") == "turns").row(0, named=True)
    assert naive < 36
    assert row["q50"] == pytest.approx(np.median(turns), abs=1)
    assert row["q75"] is None
    assert "lower bound" in row["note"]


def test_pt23_one_seed_in_every_game_is_one_deal() -> None:
    rng = np.random.default_rng(22)
    first = (rng.random(1_000) < 0.62).astype(float)
    d = from_shares(np.stack([first, 1 - first], axis=1), seed=np.full(1_000, 7, dtype=np.uint64))
    naive = np.sqrt(first.mean() * (1 - first.mean()) / 1_000)
    assert naive < 0.016
    checks = {c["check"]: c for c in analysis.audit(d).iter_rows(named=True)}
    assert checks["deals are distinct"]["ok"] is False
    assert checks["deals are distinct"]["value"] == 1
    assert checks["enough independent blocks"]["ok"] is False
    seats = analysis.seat_balance(d)
    assert seats["low"].to_list() == [None, None]
    assert seats["verdict"].to_list() == ["too few to say"] * 2
    assert "no verdict" in seats["note"][0]


def ban_cells(rng: np.random.Generator, cells: int) -> np.ndarray:
    order = np.argsort(rng.random((cells, 11)), axis=1)[:, :3]
    flags = np.zeros((cells, 11), dtype=bool)
    np.put_along_axis(flags, order, True, axis=1)
    return flags


def first_seat_wins(rng: np.random.Generator, allowed: np.ndarray, deals: int) -> np.ndarray:
    """0/1 (sets, deals): each deal has its own effects of pieces and of pairs of pieces on the first seat."""
    i, j = np.triu_indices(11, 1)
    single = allowed - 8 / 11
    pairs = (allowed[:, i] & allowed[:, j]) - 56 / 110
    pull = single @ rng.normal(0, 0.7, (11, deals)) + pairs @ rng.normal(0, 0.5, (len(i), deals))
    return rng.random(pull.shape) < 1 / (1 + np.exp(-pull))


def ban_effect(won: np.ndarray, banned: np.ndarray) -> tuple[float, np.ndarray]:
    """Change of the mean by a ban, and each game's influence on it."""
    a, b = won[banned].mean(), won[~banned].mean()
    influence = np.where(banned, (won - a) / banned.sum(), -(won - b) / (~banned).sum())
    return float(a - b), influence[:, None]


def test_pt25_deals_shared_by_cells_are_the_blocks() -> None:
    """156 cells of bans on the same 32 deals; the true mean effect of a ban over deals is 0."""
    rng = np.random.default_rng(23)
    cells, deals, trials = 156, 32, 120
    naive = ours = fresh = 0
    inflation = []
    for _ in range(trials):
        banned = ban_cells(rng, cells)
        won = first_seat_wins(rng, ~banned, deals).ravel()
        change, influence = ban_effect(won, np.repeat(banned[:, 0], deals))
        as_if = np.sqrt(np.sum(influence**2))
        blocks = stats.make_blocks(np.tile(np.arange(deals), cells))
        se = np.sqrt(stats.covariance(influence, blocks)[0, 0])
        naive += abs(change) < 1.96 * as_if
        ours += abs(change) < stats.quantile(blocks.df) * se
        inflation.append((se / as_if) ** 2)
        many = ban_cells(rng, 400)
        own = np.array([first_seat_wins(rng, ~many[k : k + 1], 1)[0, 0] for k in range(400)])
        change, influence = ban_effect(own, many[:, 0])
        blocks = stats.make_blocks(np.arange(400))
        se = np.sqrt(stats.covariance(influence, blocks)[0, 0])
        fresh += abs(change) < stats.quantile(blocks.df) * se
    assert naive / trials < 0.70
    assert np.mean(inflation) > 4
    assert ours / trials > 0.86
    assert fresh / trials > 0.91


def test_pt25_bans_varied_between_cells_go_by_deal() -> None:
    rng = np.random.default_rng(24)
    cells, deals = 156, 32
    banned = ban_cells(rng, cells)
    won = first_seat_wins(rng, ~banned, deals).ravel().astype(float)
    names = [f"P{k}" for k in range(11)]
    texts = ["+".join(name for name, out in zip(names, row, strict=True) if out) for row in banned]
    d = from_shares(
        np.stack([won, 1 - won], axis=1),
        pieces=names,
        cell=np.repeat(np.arange(cells), deals).astype(np.int32),
        deal=np.tile(np.arange(deals), cells),
        cells=pl.DataFrame({"cell": pl.Series(range(cells), dtype=pl.Int32), "bans": texts}),
    )
    row = analysis.ban_effects_on_seats(d).filter(pl.col("banned") == "P0").row(0, named=True)
    change, influence = ban_effect(won, np.repeat(banned[:, 0], deals))
    blocks = stats.make_blocks(np.tile(np.arange(deals), cells))
    se = np.sqrt(stats.covariance(influence, blocks)[0, 0])
    assert row["first_seat"] == pytest.approx(change, abs=1e-12)
    assert row["first_seat_high"] - row["first_seat"] == pytest.approx(stats.quantile(31) * se)
    assert row["design"] == "paired"
    assert "few deals (32)" in row["note"]


def test_pt26_repeated_lines_of_play_are_no_new_games() -> None:
    """2,000 deals, 40 distinct lines."""
    rng = np.random.default_rng(25)
    games, lines, trials = 2_000, 40, 300
    naive, ours, found, covered = [], [], [], 0
    for _ in range(trials):
        which = rng.integers(0, lines, games)
        won = (rng.random(lines) < 0.5)[which]
        blocks = stats.make_blocks(np.arange(games), which)
        mean, se = share_error(won, blocks)
        naive.append(np.sqrt(mean * (1 - mean) / games))
        ours.append(se)
        found.append(mean)
        low, high = stats.shares(mean, se**2, blocks).interval()
        covered += low[0] <= 0.5 <= high[0]
    truth = np.std(found)
    assert truth / np.mean(naive) > 0.9 * np.sqrt(50)
    assert np.mean(ours) / truth == pytest.approx(1, abs=0.1)
    assert covered / trials > 0.91


def test_pt26_every_estimator_says_that_lines_repeat() -> None:
    d = make(deals=1_000, lines=40, rotate=False, players=2, log="pieces").dataset()
    for frame in (
        analysis.seat_balance(d),
        analysis.seat_tests(d),
        analysis.piece_strength(d),
        analysis.length(d),
    ):
        assert frame["note"].str.contains("lines of play repeat: 1,000 games are worth about 40").all()
        assert (frame["blocks"] == 40).all()
    honest = analysis.seat_balance(make(deals=40, rotate=False, players=2, seed=1).dataset())
    width = (analysis.seat_balance(d)["high"] - analysis.seat_balance(d)["low"]).to_numpy()
    assert width == pytest.approx((honest["high"] - honest["low"]).to_numpy(), rel=0.05)


def test_pt26_two_lines_of_play_give_no_verdict() -> None:
    d = make(deals=1_000, lines=2, rotate=False, players=2).dataset()
    assert analysis.seat_tests(d)["verdict"].to_list() == ["too few to say"]
    assert set(analysis.piece_strength(d)["verdict"]) == {"too few to say"}
    checks = {c["check"]: c for c in analysis.audit(d).iter_rows(named=True)}
    assert checks["lines of play are distinct"]["ok"] is False
    assert checks["enough independent blocks"]["ok"] is False


def test_pt27_rotation_that_moves_nothing_repeats_the_deal() -> None:
    rng = np.random.default_rng(26)
    deal = np.repeat(np.arange(200), 2)
    blocks = stats.make_blocks(deal)
    naive, ours, found = [], [], []
    for _ in range(600):
        won = np.repeat(rng.normal(0, 1.0, 200), 2) + rng.normal(0, 1, 400) > 0
        mean, se = share_error(won, blocks)
        naive.append(mean * (1 - mean) / 400)
        ours.append(se**2)
        found.append(mean)
    truth = np.var(found)
    assert truth / np.mean(naive) > 1.2
    assert np.mean(ours) / truth == pytest.approx(1, abs=0.15)
    shares = winners(rng.random((400, 2)))
    d = from_shares(shares, deal=deal, rotation=np.tile([0, 1], 200).astype(np.int16))
    checks = {c["check"]: c for c in analysis.audit(d).iter_rows(named=True)}
    assert checks["each deal is played once"]["ok"] is False


def test_shares_of_a_factor_are_compared_deal_by_deal() -> None:
    """Two rules on the same deals: pairing narrows the interval of the change, and finds it."""
    plan = {"deals": 3_000, "players": 2, "deal_spread": 2.0, "same_noise": 0.9, "log": "games"}
    d = make(**plan, factors={"rats_points": [1, 2]}, factor_on_seat={("rats_points", 2, 0): 0.4}).dataset()
    rows = {}
    for paired in (True, False):
        frame = analysis.win_share_by(d, "rats_points", paired=paired)
        rows[paired] = frame.filter((pl.col("what") == "difference") & (pl.col("who") == "0")).row(
            0, named=True
        )
    widths = {paired: row["high"] - row["low"] for paired, row in rows.items()}
    assert rows[True]["estimate"] == pytest.approx(rows[False]["estimate"])
    assert widths[True] < 0.6 * widths[False]
    assert rows[True]["low"] > 0
    assert rows[True]["paired"]
    assert not rows[False]["paired"]


def test_pt26_one_cell_that_repeats_itself_is_found_among_many() -> None:
    """Ten cells of new games and one of two lines: only the one is doubted."""
    rng = np.random.default_rng(27)
    cell = np.repeat(np.arange(11), 200)
    line = np.where(cell < 10, np.arange(2_200), 5_000 + rng.integers(0, 2, 2_200)).astype(np.uint64)
    first = np.where(cell < 10, rng.random(2_200) < 0.5, line == 5_000).astype(float)
    cells = pl.DataFrame({"cell": pl.Series(range(11), dtype=pl.Int32), "map": [f"m{k}" for k in range(11)]})
    d = from_shares(np.stack([first, 1 - first], axis=1), cell=cell.astype(np.int32), line=line, cells=cells)
    notes = analysis.seat_tests(d, by="map")["note"].to_list()
    assert notes[:10] == [""] * 10
    assert "only 2 distinct lines" in notes[10]


def test_levels_come_in_the_order_of_the_experiment() -> None:
    d = make(deals=40, players=2, factors={"map": ["wilds", "islands", "ridge"]}, log="games").dataset()
    assert analysis.seat_tests(d, by="map")["map"].to_list() == ["wilds", "islands", "ridge"]
    changes = analysis.win_share_by(d, "map").filter(pl.col("what") == "difference")
    assert changes["level"].unique(maintain_order=True).to_list() == ["islands", "ridge"]
