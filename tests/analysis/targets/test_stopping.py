"""Runs that stop when all is decided: verdicts are false in at most 5% of them, and intervals cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.stats.spending import spent
from analysis.targets.judging import PROVEN, REFUTED, TOO_FEW, UNDECIDED
from analysis.targets.stopping import batches, ended
from analysis.targets.table import read_targets
from tests.analysis.small import from_shares

CAP, LOOKS, MARGIN = 4000, 4, 0.03
GAMES = batches(CAP, LOOKS)
TARGETS = read_targets({"seat": MARGIN})


def played(won: Sequence[np.ndarray], counts: Sequence[int], look: int, closed: dict[str, int]) -> Dataset:
    """A run of several settings, each with its first games, as its folder is at a look."""
    cell = np.repeat(np.arange(len(won)), counts)
    deal = np.concatenate([np.arange(n) for n in counts])
    first = np.concatenate([one[:n] for one, n in zip(won, counts, strict=True)])
    cells = pl.DataFrame({"cell": np.arange(len(won), dtype=np.int32), "level": np.arange(len(won)) / 2})
    d = from_shares(
        np.stack([first, 1 - first], axis=1),
        cell=cell.astype(np.int32),
        deal=deal,
        game_id=cell * 2**32 + deal,
        cells=cells.with_columns(games=pl.Series(counts)) if len(won) > 1 else cells.drop("level"),
    )
    stop = {"games": GAMES, "look": look, "alpha": spent(GAMES, look), "closed": closed}
    d.manifest |= {"stop": stop, "games_per_cell": GAMES[look]}
    return d


def without_looks(d: Dataset) -> pl.DataFrame:
    """What a run of fixed length says of the same games."""
    d.manifest["stop"] = None
    return analysis.check_targets(d, TARGETS, look=False)


@dataclass(frozen=True)
class Run:
    """How a run ended: verdicts, intervals and games of its settings, and what naive looks say of the first one."""

    verdicts: list[str]
    covers: list[bool]
    games: list[int]
    naive: str
    fixed: list[str]


def run(seed: int, *shares: float) -> Run:
    """Play settings whose first seat wins a share of games, batch after batch."""
    rng = np.random.default_rng(seed)
    won = [(rng.random(CAP) < share).astype(float) for share in shares]
    closed: dict[str, int] = {}
    naive = ""
    for look, n in enumerate(GAMES):
        counts = [closed.get(str(cell), n) for cell in range(len(shares))]
        d = played(won, counts, look, closed)
        frame = analysis.check_targets(d, TARGETS, look=False)
        ends = ended(d, frame, spent(GAMES, look))
        if len(shares) == 1:
            plain = without_looks(d)["verdict"][0]
            naive = naive or (plain if plain in (PROVEN, REFUTED) else "")
        if set(frame["verdict"]) <= {PROVEN, REFUTED}:
            break
        if look < LOOKS - 1:
            closed = {str(cell): n for cell in ends} | closed
    rows = frame.filter(pl.col("about") == "Seat A")
    covers = [r["low"] <= share <= r["high"] for r, share in zip(rows.to_dicts(), shares, strict=True)]
    fixed = without_looks(played(won, [CAP] * len(shares), LOOKS - 1, {})).filter(pl.col("about") == "Seat A")
    return Run(rows["verdict"].to_list(), covers, counts, naive, fixed["verdict"].to_list())


def test_batches_double_and_share_the_5_per_cent() -> None:
    assert batches(4000, 4) == [500, 1000, 2000, 4000]
    assert batches(3, 10) == [1, 2, 3]
    games = batches(4000, 4)
    assert sum(spent(games, look) for look in range(4)) == pytest.approx(0.05)


def test_a_clear_case_is_decided_early() -> None:
    one = run(1, 0.7)
    assert (one.verdicts, one.games, one.covers) == ([REFUTED], [500], [True])


def test_settings_end_apart() -> None:
    """Two clear ones need the first batch, the one at the edge all; verdicts of the first stand to the end."""
    one = run(1, 0.7, 0.53, 0.3)
    assert one.games == [500, 4000, 500]
    assert (one.verdicts[0], one.verdicts[2]) == (REFUTED, REFUTED)
    assert one.fixed[::2] == [REFUTED, REFUTED]


@pytest.mark.parametrize(("p", "ends"), [(0.04, []), (0.01, [0])])
def test_a_setting_ends_only_where_its_verdict_holds_by_itself(p: float, ends: list[int]) -> None:
    """Two p values of 4% prove both; when more games raise one of them, the other alone of three would not."""
    d = played([np.ones(4), np.ones(4)], [4, 4], LOOKS - 1, {})
    frame = pl.DataFrame(
        {
            "setting": ["level 0", "level 0.5", "level 0.5"],
            "verdict": [PROVEN, PROVEN, TOO_FEW],
            "p_within": [p, 0.04, None],
        }
    )
    assert ended(d, frame, 0.05) == ends


@pytest.mark.soak
def test_false_verdicts_and_coverage() -> None:
    """At the edge of the margin, where looking four times at 5% is wrong far more often."""
    n = 400
    slack = 2 * np.sqrt(0.05 * 0.95 / n)
    edge = [run(seed, 0.5 + MARGIN) for seed in range(n)]
    assert np.mean([one.naive == PROVEN for one in edge]) > 0.08
    for word in (PROVEN, REFUTED):
        assert np.mean([one.verdicts == [word] for one in edge]) <= 0.05 + slack
    assert 0.93 <= np.mean([one.covers for one in edge]) <= 0.97 + slack / 2
    even = [run(seed, 0.5) for seed in range(200)]
    assert np.mean([one.verdicts == [PROVEN] for one in even]) > 0.85
    assert np.mean([one.games for one in even]) < 0.9 * CAP
    assert np.mean([one.covers for one in even]) >= 0.93


@pytest.mark.soak
@pytest.mark.parametrize(
    "shares",
    [
        (0.53, 0.53, 0.53, 0.53),  # every verdict that decides is false
        (0.47, 0.6, 0.4, 0.53),  # two end early, and leave the edges alone
        (0.5, 0.55, 0.57, 0.5),
    ],
)
def test_settings_that_end_apart_keep_the_5_per_cent(shares: tuple[float, ...]) -> None:
    n = 400
    slack = 2 * np.sqrt(0.05 * 0.95 / n)
    found = [run(seed, *shares) for seed in range(1000, 1000 + n)]
    wrong = {share: PROVEN if abs(share - 0.5) > MARGIN - 1e-9 else REFUTED for share in shares}
    edge = [k for k, share in enumerate(shares) if abs(abs(share - 0.5) - MARGIN) < 1e-9]
    for word in (PROVEN, REFUTED):
        false = [
            any(
                v == word and (word == wrong[s] or k in edge)
                for k, (v, s) in enumerate(zip(one.verdicts, shares, strict=True))
            )
            for one in found
        ]
        assert np.mean(false) <= 0.05 + slack
    covers = np.mean([one.covers for one in found], axis=0)
    assert (covers >= 0.93 - slack / 2).all(), covers
    assert (covers <= 0.97 + slack / 2).all(), covers
    # Who sees all games never says the opposite, but by chance; and nothing that ended is open again.
    opposite = [
        {a, b} == {PROVEN, REFUTED} for one in found for a, b in zip(one.verdicts, one.fixed, strict=True)
    ]
    assert np.mean(opposite) <= 0.005
    early = [v for one in found for v, n in zip(one.verdicts, one.games, strict=True) if n < max(one.games)]
    assert UNDECIDED not in early
    assert np.mean([one.games for one in found]) < CAP
