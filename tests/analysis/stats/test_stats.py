"""The statistical functions against other libraries, closed forms and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare
from statsmodels.stats import multitest, weightstats

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


def test_a_separated_effect_spoils_what_rests_on_it_and_nothing_else() -> None:
    """One game with a piece, lost: the likelihood is flat long before infinity, and the fit comes to rest."""
    rng = np.random.default_rng(11)
    x = np.zeros((60, 2, 3))
    x[:, :, 1] = rng.integers(0, 2, (60, 2))
    x[0, 0, 0] = 1
    x[1:, 0, 2] = rng.integers(0, 2, 59)
    won = (rng.random(60) < 1 / (1 + np.exp(x[:, 1, 1] - x[:, 0, 1]))).astype(float)
    won[0] = 0.0
    fit = stats.conditional_logit(x, np.stack([won, 1 - won], axis=1), stats.make_blocks(np.arange(60)))
    assert fit.converged
    assert abs(fit.beta[0]) > 10
    told = fit.finite(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1 / 3, 1.0, -1 / 3], [0.0, 1.0, -1.0]]))
    assert told.tolist() == [False, True, False, True]


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


def independent(won: int, n: int) -> stats.Estimates:
    """The share of `won` among `n` independent games."""
    mean, cov = stats.block_means(np.arange(n)[:, None] < [won], stats.make_blocks(np.arange(n)))
    return stats.shares(mean, cov[0], stats.make_blocks(np.arange(n)))


@pytest.mark.parametrize(
    ("won", "n"), [(0, 10), (1, 10), (3, 20), (29, 30), (97, 156), (245, 457), (40, 40), (250, 1_000)]
)
def test_shares_of_independent_games_are_exact(won: int, n: int) -> None:
    """Interval, p value and equivalence are those of the binomial."""
    found = independent(won, n)
    theirs = binomtest(won, n, 0.4)
    assert [float(end[0]) for end in found.interval()] == pytest.approx(theirs.proportion_ci(), abs=1e-9)
    tails = [binomtest(won, n, 0.4, alternative=side).pvalue for side in ("less", "greater")]
    assert found.p(0.4)[0] == pytest.approx(min(1.0, 2 * min(tails)), abs=1e-9)
    ends = (
        binomtest(won, n, 0.3, alternative="greater").pvalue,
        binomtest(won, n, 0.5, alternative="less").pvalue,
    )
    assert found.p_within(0.3, 0.5)[0] == pytest.approx(max(ends), abs=1e-9)


def test_tost_agrees_with_statsmodels() -> None:
    values = np.random.default_rng(7).normal(0.01, 0.2, 300)
    theirs = weightstats.ttost_ind(values, values * 0, -0.03, 0.03, usevar="unequal")[0]
    one = weightstats.DescrStatsW(values).ttost_mean(-0.03, 0.03)[0]
    found = stats.effects(values.mean(), values.std(ddof=1) / np.sqrt(300), 300)
    assert found.p_within(-0.03, 0.03)[0] == pytest.approx(one)
    assert one == pytest.approx(theirs, abs=0.01)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_bh_agrees_with_statsmodels(p: list[float]) -> None:
    assert stats.bh(p) == pytest.approx(multitest.multipletests(p, method="fdr_bh")[1])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_hochberg_agrees_with_statsmodels(p: list[float]) -> None:
    assert stats.hochberg(p) == pytest.approx(multitest.multipletests(p, method="simes-hochberg")[1])


def test_bh_passes_over_what_is_unknown() -> None:
    q = stats.bh([0.01, np.nan, 0.04])
    assert np.isnan(q[1])
    assert q[[0, 2]] == pytest.approx([0.02, 0.04])


@settings(max_examples=100)
@given(
    st.floats(0.01, 0.99),
    st.floats(0.001, 0.2),
    st.integers(12, 400),
    st.integers(1, 3),
    st.booleans(),
    st.floats(0.0, 0.5),
)
def test_interval_test_and_equivalence_agree(
    value: float, se: float, games: int, rows: int, share: bool, null: float
) -> None:
    """p is below 5 % where the interval leaves the value out; equivalence where the 90 % interval lies inside."""
    blocks = stats.make_blocks(np.arange(games) // rows)
    found = stats.shares(value, se**2, blocks) if share else stats.effects(value, se, blocks.number)
    low, high = (float(end[0]) for end in found.interval())
    assert low < value < high
    assert not share or 0 <= low < high <= 1
    p = float(found.p(null)[0])
    if abs(p - 0.05) > 1e-6:
        assert (p < 0.05) == (not low <= null <= high)
    low, high = (float(end[0]) for end in found.interval(0.90))
    p = float(found.p_within(null - 0.1, null + 0.1)[0])
    if abs(p - 0.05) > 1e-6:
        assert (p < 0.05) == (low > null - 0.1 and high < null + 0.1)


@pytest.mark.parametrize("games", [10, 30, 1_000])
def test_no_interval_is_without_width(games: int) -> None:
    """All won, none won, each deal split, a difference that is the same everywhere: blocks unseen may differ."""
    blocks, pairs = stats.make_blocks(np.arange(games)), stats.make_blocks(np.arange(games) // 2)
    always, never = stats.shares([1.0, 0.0], 0.0, blocks).interval()
    assert (always < never).all()
    for found in (
        stats.shares([1.0, 0.0, 0.5], 0.0, blocks),
        stats.shares([1.0, 0.0, 0.5], 0.0, pairs),
        stats.effects([0.0, 2.0], 0.0, games),
    ):
        low, high = found.interval()
        assert (high - low > 1 / games).all()
        assert (low <= found.value).all()
        assert (found.value <= high).all()


def test_rounding_is_no_effect() -> None:
    """A rule that changes nothing on shared deals: -2e-12 with an error of its own is 0, and no verdict."""
    found = stats.effects([-2e-12, -2e-10], [5e-13, 5e-11], 400, reach=[1.0, 30.0])
    assert found.value.tolist() == [0.0, 0.0]
    assert found.p().tolist() == [1.0, 1.0]
    small = stats.effects(-2e-3, 5e-4, 400)
    assert small.p()[0] < 0.001


def test_two_deals_at_least() -> None:
    low, high = stats.shares(0.5, np.nan, stats.make_blocks(np.zeros(40, dtype=int))).interval()
    assert np.isnan([low[0], high[0]]).all()


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


def words(value: list[float], se: float, **more: object) -> list[str]:
    return stats.judge(stats.effects(value, se, 1_000), -0.03, 0.03, stats.STRENGTH, **more).words  # type: ignore[arg-type]


def test_verdicts_say_what_was_shown() -> None:
    """Beyond the margin with the whole interval, off the middle, inside the margin, or none of these."""
    assert words([0.05], 0.005) == ["strong"]
    assert words([-0.05], 0.005) == ["weak"]
    assert words([0.05], 0.015) == ["above"]
    assert words([-0.025], 0.01) == ["below"]
    assert words([0.02], 0.015) == ["undecided"]
    assert words([0.01], 0.005) == ["balanced"]
    assert words([float("nan")], float("nan")) == ["undecided"]
    few = stats.judge(stats.effects([0.2], 0.005, 9), -0.03, 0.03, stats.STRENGTH)
    assert few.words == ["too few to say"]
    assert words([0.05], 0.005, unused=np.array([True])) == ["not used by these bots"]


def test_verdicts_are_corrected_over_the_family() -> None:
    """What is clear by itself is not among forty."""
    assert words([0.05], 0.009) == ["strong"]
    assert words([0.05] + [0.0] * 39, 0.009)[0] == "above"
    assert words([0.022], 0.01) == ["above"]
    assert words([0.022] + [0.0] * 39, 0.01)[0] == "undecided"
    # All are balanced when each is at 5 %; one by itself among open ones needs more.
    assert words([0.005] * 20, 0.014) == ["balanced"] * 20
    assert words([0.005] + [0.03] * 19, 0.014)[0] == "undecided"


def test_verdicts_see_the_shrunk_value() -> None:
    assert words([0.05], 0.005, shrunk=np.array([0.04])) == ["strong"]
    assert words([0.05], 0.005, shrunk=np.array([0.029])) == ["above"]


def test_one_verdict_on_a_family() -> None:
    assert stats.together(["favoured", "below", "balanced"]) == "unbalanced"
    assert stats.together(["above", "undecided"]) == "uneven"
    assert stats.together(["balanced", "balanced"]) == "balanced"
    assert stats.together(["balanced", "undecided"]) == "undecided"
    assert stats.together(["too few to say"] * 2) == "too few to say"


def test_two_shares_that_add_up_are_one_test() -> None:
    won = np.array([0.0, 1.0, 0.5, 1.0])
    assert stats.free_tests(np.stack([won, 1 - won], axis=1)) == 1
    assert stats.free_tests(np.stack([won, 1 - won, won, 1 - won], axis=1)) == 1
    assert stats.free_tests(np.eye(4)) == 4


def test_pearson_agrees_with_scipy() -> None:
    """72 games of four seats: the test that belongs to independent games, not a looser one."""
    counts = np.array([25, 12, 20, 15])
    won = np.eye(4)[np.repeat(np.arange(4), counts)]
    blocks = stats.make_blocks(np.arange(72))
    mean, cov = stats.block_means(won, blocks)
    found = stats.shares(mean, np.diag(cov), blocks)
    chi2, degrees, p = stats.pearson(mean, 0.25, found.size, np.inf)
    theirs = chisquare(counts)
    assert (chi2, degrees, p) == pytest.approx((theirs.statistic, 3, theirs.pvalue))
