"""The simulation of a run's schedule, on schedules whose answer is known."""

from __future__ import annotations

import pytest

from sim.batch.schedule import Cluster, Kind, simulate

pytestmark = pytest.mark.plain


def test_equal_chunks_without_costs_take_what_they_take() -> None:
    found = simulate([Kind(100, 36.0, 0.0)], Cluster(10, start=0.0, line=0.0, wait=0.0))
    assert found.hours == pytest.approx(0.1)
    assert (found.busy, found.driver, found.lost, found.again, found.tail) == (1.0, 0.0, 0, 0.0, 0.0)


def test_workers_start_before_they_play() -> None:
    found = simulate([Kind(10, 36.0, 0.0)], Cluster(10, start=36.0, line=0.0, wait=0.0))
    assert found.hours == pytest.approx(0.02)
    assert found.busy == pytest.approx(0.5)


def test_a_driver_that_is_too_slow_sets_the_pace() -> None:
    found = simulate([Kind(5000, 1.0, 0.1)], Cluster(100, start=0.0, line=0.1, wait=0.0))
    assert found.hours * 3600 == pytest.approx(500, rel=0.01)
    assert found.busy == pytest.approx(0.1, rel=0.05)
    assert found.driver > 0.99


def test_to_wait_for_the_disk_does_not_set_the_pace_for_lines_go_there_together() -> None:
    """The disk alone would take 500 s for these, one after the other; a lone chunk waits for it once."""
    found = simulate([Kind(5000, 1.0, 0.1)], Cluster(100, start=0.0, line=0.0, wait=0.1))
    assert found.hours * 3600 == pytest.approx(50, rel=0.1)
    assert found.busy > 0.9
    alone = simulate([Kind(1, 36.0, 0.0)], Cluster(1, start=0.0, line=1.0, wait=35.0))
    assert alone.hours == pytest.approx(0.02)
    assert alone.driver == pytest.approx(0.5)


def test_a_long_chunk_at_the_end_is_waited_for() -> None:
    kinds = [Kind(100, 10.0, 0.0), Kind(1, 3600.0, 0.0)]
    assert simulate(kinds, Cluster(10, 0.0, 0.0, 0.0)).tail > 0.9
    assert simulate(kinds[::-1], Cluster(10, 0.0, 0.0, 0.0)).hours == pytest.approx(1.0)


def test_what_lost_workers_had_is_played_again() -> None:
    kind, cluster = Kind(2000, 360.0, 0.0), Cluster(50, start=10.0, line=0.0, wait=0.0, between_losses=2.0)
    found = simulate([kind], cluster)
    hours = 2000 * 0.1
    assert found.lost == pytest.approx(hours / 2.0, rel=0.3)  # one every two hours of playing
    assert found.again == pytest.approx(0.05 / 2.0, rel=0.3)  # each loses half a chunk on average
    assert found.hours > hours / 50
    assert found.hours * found.busy * 50 == pytest.approx(hours)
    assert found == simulate([kind], cluster)
    assert found != simulate([kind], cluster, seed=2)


def test_unlike_chunks_have_the_mean_and_spread_that_was_asked_for() -> None:
    one = simulate([Kind(20_000, 5.0, 0.5)], Cluster(1, 0.0, 0.0, 0.0))
    assert one.hours * 3600 == pytest.approx(100_000, rel=0.02)
    assert one.busy == pytest.approx(1.0)
