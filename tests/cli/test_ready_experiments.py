"""The ready experiments can be played, and say what they are about."""

from __future__ import annotations

import tomllib

import pytest

from sim.batch.experiment import read_experiment, ready_experiments
from sim.batch.plan import make_plan

WANTED = {
    *(
        "quickstart",
        "random-bans",
        "bans-by-players",
        "maps",
        "founders",
        "draft",
        "oaths",
        "age-cards",
        "books",
    ),
    *("archetypes", "series", "claims-migration"),
}


def test_all_are_there() -> None:
    assert set(ready_experiments()) >= WANTED


@pytest.mark.parametrize("name", sorted(WANTED))
def test_ready_experiment(name: str) -> None:
    experiment = read_experiment(name)
    plan = make_plan(experiment)
    data = tomllib.loads(ready_experiments()[name].read_text(encoding="utf-8"))
    assert experiment.name == name
    assert experiment.question.endswith("?")
    assert "judge" in data
    assert 10_000 <= plan.total(experiment.games) <= 300_000
    assert plan.factors or plan.drawn


JUDGED = [name for name in ready_experiments() if name.partition("-")[0] in ("drifting", "mars")]


@pytest.mark.parametrize("name", sorted([*JUDGED, "claims-drifting", "claims-mars"]))
def test_verdicts_are_read_at_search(name: str) -> None:
    tiers = read_experiment(name).tiers
    assert tiers[0][0] == "greedy"
    assert tiers[-1][0].startswith("search:playouts=")
    assert tiers[0][1] > tiers[-1][1] > 0


def test_every_legal_ban_of_three() -> None:
    plan = make_plan(read_experiment("random-bans", games=100))
    sets = plan.cell_rows(100)["bans"]
    tiers = len(plan.tiers)
    assert tiers == 2
    assert len(set(sets)) == len(sets) / tiers == 157
    assert sets[0] == "none"
    assert not any("Bass" in text and "Wolf" in text for text in sets)
    assert plan.total(100) == 157 * (100 + 20)
