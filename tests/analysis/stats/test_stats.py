"""The statistical functions against other libraries, closed forms and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats import multitest, proportion, weightstats

from analysis import stats


def logit_data(seed: int = 1, games: int = 400, seats: int = 3, k: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, (games, seats, k))
    utility = x @ np.array([0.4, -0.3, 0.0, 0.2])[:k] + rng.gumbel(size=(games, seats))
    won = (np.arange(seats) == np.argmax(utility, axis=1)[:, None]).astype(float)
    return x, won


def test_conditional_logit_agrees_with_statsmodels() -> None:
    from statsmodels.discrete.conditional_models import ConditionalLogit

    x, won = logit_data()
    games, seats, k = x.shape
    groups = np.repeat(np.arange(games), seats)
    theirs = ConditionalLogit(won.ravel(), x.reshape(-1, k).astype(float), groups=groups).fit(
        method="newton", disp=False
    )
    ours = stats.conditional_logit(x.astype(np.int16), won, stats.make_blocks(np.arange(games)))
    assert ours.converged
    assert ours.beta == pytest.approx(theirs.params, abs=1e-8)
    assert np.sqrt(np.diag(ours.inverse)) == pytest.approx(theirs.bse, rel=1e-6)


def test_conditional_logit_sandwich_is_the_sum_of_block_scores() -> None:
    x, won = logit_data(games=600)
    deal = np.arange(600) // 2
    fit = stats.conditional_logit(x, won, stats.make_blocks(deal))
    _, cov = fit.contrast(np.eye(4))
    p = np.exp(x @ fit.beta)
    p /= p.sum(axis=1, keepdims=True)
    score = np.einsum("gs,gsk->gk", won - p, x)
    centred = x - np.einsum("gs,gsk->gk", p, x)[:, None, :]
    bread = np.linalg.inv(np.einsum("gs,gsk,gsl->kl", p, centred, centred))
    blocks = np.stack([score[deal == d].sum(axis=0) for d in range(300)])
    assert cov == pytest.approx(bread @ (blocks.T @ blocks * 300 / 299) @ bread, rel=1e-3)


def test_few_blocks_use_the_jackknife() -> None:
    """With 30 deals the errors are those of leaving one deal out at a time, to first order."""
    x, won = logit_data(games=240)
    deal = np.arange(240) % 30
    fit = stats.conditional_logit(x, won, stats.make_blocks(deal))
    _, cov = fit.contrast(np.eye(4))
    out = np.stack(
        [
            stats.conditional_logit(x[deal != d], won[deal != d], stats.make_blocks(deal[deal != d])).beta
            for d in range(30)
        ]
    )
    jackknife = (out - fit.beta).T @ (out - fit.beta) * 29 / 30
    assert np.sqrt(np.diag(cov)) == pytest.approx(np.sqrt(np.diag(jackknife)), rel=0.03)


def test_tables_of_different_size_go_into_one_fit() -> None:
    x, won = logit_data(games=300)
    mask = np.ones((300, 3), dtype=bool)
    mask[:100, 2] = False
    pair = x[:100, :2] @ np.array([0.4, -0.3, 0.0, 0.2]) + np.random.default_rng(5).gumbel(size=(100, 2))
    won[:100] = np.stack([pair[:, 0] > pair[:, 1], pair[:, 0] <= pair[:, 1], np.zeros(100)], axis=1)
    both = stats.conditional_logit(x, won, stats.make_blocks(np.arange(300)), mask)
    spoiled = x.copy()
    spoiled[:100, 2] = 9
    again = stats.conditional_logit(spoiled, won, stats.make_blocks(np.arange(300)), mask)
    assert both.beta == pytest.approx(again.beta, abs=1e-9)
    assert both.slope == pytest.approx(again.slope)


def test_constant_sums_leave_only_contrasts() -> None:
    rng = np.random.default_rng(3)
    x = rng.multinomial(6, [0.25] * 4, size=(800, 2))
    won = (x[..., 0] + rng.gumbel(size=(800, 2))).argmax(axis=1)[:, None] == np.arange(2)
    fit = stats.conditional_logit(x, won.astype(float), stats.make_blocks(np.arange(800)))
    assert not fit.identified(np.eye(4)).any()
    assert fit.identified(np.array([[1.0, -1.0, 0.0, 0.0]])).all()


def test_separation_is_noticed() -> None:
    x = np.zeros((50, 2, 1))
    x[:, 0, 0] = 1
    won = np.tile([1.0, 0.0], (50, 1))
    assert not stats.conditional_logit(x, won, stats.make_blocks(np.arange(50))).converged


def test_two_way_covariance_is_deal_plus_line_less_both() -> None:
    rng = np.random.default_rng(4)
    deal, line = np.arange(600) // 3, rng.integers(0, 40, 600)
    values = rng.normal(size=(200, 2))[deal] + rng.normal(size=(40, 2))[line] + rng.normal(size=(600, 2))

    def one_way(label: np.ndarray) -> np.ndarray:
        sums = np.stack([values[label == code].sum(axis=0) for code in np.unique(label)])
        return sums.T @ sums * len(sums) / (len(sums) - 1)

    expected = one_way(deal) + one_way(line) - one_way(deal * 40 + line)
    cov = stats.covariance(values, stats.make_blocks(deal, line))
    assert cov == pytest.approx(expected)
    assert (np.diag(cov) > np.maximum(np.diag(one_way(deal)), np.diag(one_way(line)))).all()


def test_blocks_notice_repeated_lines_only_across_deals() -> None:
    deal = np.arange(300) // 3
    same_in_a_deal = stats.make_blocks(deal, deal.astype(np.uint64))
    across = stats.make_blocks(deal, (np.arange(300) % 20).astype(np.uint64))
    assert not same_in_a_deal.repeats
    assert across.repeats
    assert not across[:20].repeats
    assert across.number == pytest.approx(20)


def test_block_means_agree_with_statsmodels_clusters() -> None:
    from statsmodels.regression.linear_model import OLS

    rng = np.random.default_rng(6)
    deal = rng.integers(0, 60, 500)
    y = rng.normal(size=60)[deal] + rng.normal(size=500)
    mean, cov = stats.block_means(y[:, None], stats.make_blocks(deal))
    theirs = OLS(y, np.ones(500)).fit(cov_type="cluster", cov_kwds={"groups": deal, "df_correction": True})
    correction = 499 / 499
    assert mean[0] == pytest.approx(theirs.params[0])
    assert np.sqrt(cov[0, 0]) == pytest.approx(theirs.bse[0] * correction, rel=1e-9)


@pytest.mark.parametrize(("count", "n"), [(0, 10), (3, 20), (250, 1_000), (40, 40)])
def test_wilson_agrees_with_statsmodels(count: int, n: int) -> None:
    low, high = stats.wilson(count / n, n)
    theirs = proportion.proportion_confint(count, n, method="wilson")
    assert (float(low), float(high)) == pytest.approx(theirs, abs=1e-12)


def test_tost_agrees_with_statsmodels() -> None:
    values = np.random.default_rng(7).normal(0.01, 0.2, 300)
    theirs = weightstats.ttost_ind(values, values * 0, -0.03, 0.03, usevar="unequal")[0]
    one = weightstats.DescrStatsW(values).ttost_mean(-0.03, 0.03)[0]
    se = values.std(ddof=1) / np.sqrt(300)
    assert float(stats.tost(values.mean(), se, -0.03, 0.03, 299)) == pytest.approx(one)
    assert one == pytest.approx(theirs, abs=0.01)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_bh_agrees_with_statsmodels(p: list[float]) -> None:
    assert stats.bh(p) == pytest.approx(multitest.multipletests(p, method="fdr_bh")[1])


def test_bh_passes_over_what_is_unknown() -> None:
    q = stats.bh([0.01, np.nan, 0.04])
    assert np.isnan(q[1])
    assert q[[0, 2]] == pytest.approx([0.02, 0.04])


@settings(max_examples=60)
@given(st.floats(-0.1, 0.1), st.floats(0.001, 0.05), st.floats(5, 5_000))
def test_equivalence_and_interval_agree(estimate: float, se: float, df: float) -> None:
    """Equivalent at 5 % exactly when the 90 % interval lies inside the margin."""
    low, high = stats.interval(estimate, se, df, level=0.90)
    inside = low > -0.03 and high < 0.03
    p = float(stats.tost(estimate, se, -0.03, 0.03, df))
    if abs(p - 0.05) > 1e-9:
        assert inside == (p < 0.05)


def test_joint_band_holds_all_entries_at_once() -> None:
    rng = np.random.default_rng(8)
    cov = np.eye(4) - 0.25
    band = stats.joint_quantile(cov, 1e7)
    draws = rng.standard_normal((20_000, 4)) @ np.linalg.cholesky(cov + 1e-12 * np.eye(4)).T
    inside = np.all(np.abs(draws) < band * np.sqrt(np.diag(cov)), axis=1).mean()
    assert inside == pytest.approx(0.95, abs=0.008)
    assert stats.joint_quantile(np.array([[1.0, -1.0], [-1.0, 1.0]]), 1e7) == pytest.approx(1.96, abs=0.03)


def test_joint_test_of_shares_that_sum_to_one() -> None:
    rng = np.random.default_rng(9)
    alarms = 0
    for _ in range(1_500):
        won = np.eye(3)[rng.integers(0, 3, 300)]
        mean, cov = stats.block_means(won, stats.make_blocks(np.arange(300)))
        chi2, rank, p = stats.wald(mean - 1 / 3, cov, 299)
        assert rank == 2
        assert chi2 >= 0
        alarms += p < 0.05
    assert alarms / 1_500 == pytest.approx(0.05, abs=0.02)


def test_shrinkage_leaves_equal_errors_in_order_and_pure_noise_at_the_centre() -> None:
    rng = np.random.default_rng(10)
    real = stats.empirical_bayes(rng.normal(0, 1, 50), np.full(50, 0.2))
    assert real.spread == pytest.approx(1.0, abs=0.3)
    noise = stats.empirical_bayes([0.1, -0.1, 0.05, -0.05], [1.0, 1.0, 1.0, 1.0])
    assert noise.spread == 0
    assert noise.estimate == pytest.approx(np.zeros(4), abs=1e-12)
    with_gap = stats.empirical_bayes([0.3, np.nan, -0.2, 0.1], [0.1, np.nan, 0.1, 0.1], centre=0.0)
    assert np.isnan(with_gap.estimate[1])


def test_verdicts() -> None:
    word = stats.verdict
    assert word(0.05, 0.001, 0.9, -0.03, 0.03) == "strong"
    assert word(-0.05, 0.001, 0.9, -0.03, 0.03) == "weak"
    assert word(0.02, 0.001, 0.2, -0.03, 0.03) == "undecided"
    assert word(0.05, 0.2, 0.9, -0.03, 0.03) == "undecided"
    assert word(0.01, 0.001, 0.001, -0.03, 0.03) == "balanced"
    assert word(0.05, 0.001, 0.9, -0.03, 0.03, enough=False) == "undecided"
    assert word(float("nan"), float("nan"), float("nan"), -0.03, 0.03) == "undecided"
