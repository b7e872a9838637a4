"""The ready experiments can be played, and say what they are about."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from statistics import NormalDist

import pytest

from sim.batch.experiment import read_experiment, ready_experiments
from sim.batch.plan import make_plan
from sim.games.migrato.rules.params import DIGITAL, PRINTED

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


HEALTH = {"migration": 9, "drifting": 6, "migrato": 4, "mars": 6}


@pytest.mark.parametrize(("name", "cells"), HEALTH.items())
def test_health_is_small_asked_at_two_tiers_and_can_be_decided(name: str, cells: int) -> None:
    """Each cell could prove its widest target at the last tier: seats at fair shares, no game stopped."""
    experiment = read_experiment(f"health-{name}")
    plan = make_plan(experiment)
    assert [bot for bot, _ in experiment.tiers] == ["greedy", "search:playouts=25"]
    assert len(plan.tiers[-1]) == cells
    assert plan.total(experiment.games) <= 12_000
    dear = experiment.tiers[-1][1]
    seats = max(spec.count for spec in plan.specs) * cells
    reach = (
        NormalDist().inv_cdf(1 - 0.025 / seats) * 0.5 / dear**0.5
    )  # the last look has at least half of the 5 %
    assert reach < experiment.judge["seat"]
    assert 1 - (0.025 / cells) ** (1 / dear) < experiment.judge["bands"]["stopped"][1]
    assert set(experiment.stop["when"]) == {"seat", "stopped", "ties"}
    assert experiment.question.endswith("?")


REPORTS = Path(__file__).parents[2] / "reports"
STUDIES = [name for name in ready_experiments() if name.startswith("study-")]


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_judged_at_search_and_has_its_page(name: str) -> None:
    experiment = read_experiment(name)
    tiers = [bot for bot, _ in experiment.tiers] or experiment.fixed["players.bots"]
    assert experiment.name == name
    assert experiment.question.endswith("?")
    assert tiers[-1].startswith("search:playouts=")
    page = "-".join(name.split("-")[:2])
    assert f"reports/{page}.md" in ready_experiments()[name].read_text(encoding="utf-8")
    told = (REPORTS / f"{page}.md").read_text(encoding="utf-8")
    assert f" {name}" in told, "the page says how to play it again"
    assert f"{page}.md" in (REPORTS / "README.md").read_text(encoding="utf-8")
    assert (REPORTS / f"{page}.html").stat().st_size < 1_000_000


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_a_quick_look(name: str) -> None:
    """A small part of its games, by the number that the page names behind the command."""
    page = (REPORTS / f"{'-'.join(name.split('-')[:2])}.md").read_text(encoding="utf-8")
    found = re.search(rf"^whimbrel (?:run|handicap) {name} [^#\n]*#.*--games (\d+)", page, flags=re.M)
    assert found, f"no '# ... --games N' behind the command of {name}"
    whole = read_experiment(name)
    quick = read_experiment(name, games=int(found[1]))
    assert 5 * make_plan(quick).total(quick.games) <= make_plan(whole).total(whole.games)


def test_the_proofs_of_the_studies_of_migration_play_their_ban_on_other_deals() -> None:
    tried, proof = (read_experiment(f"study-migration-{part}") for part in ("tables", "tables-proof"))
    assert proof.fixed["bans"] in tried.vary["bans"]
    assert proof.vary["players.count"] == tried.vary["players.count"] == [3, 4]
    seeds = [read_experiment(name).seed for name in STUDIES if name.startswith("study-migration")]
    assert len(set(seeds)) == len(seeds)


def test_the_proof_of_the_study_of_mars_plays_its_options_on_other_deals() -> None:
    asked, proof = (
        tomllib.loads(ready_experiments()[name].read_text(encoding="utf-8"))
        for name in ("study-mars", "study-mars-proof")
    )
    changes = {each.pop("name"): each for each in asked["variant"]}
    assert {each.pop("name"): each for each in proof["variant"]}.items() <= changes.items()
    options = [changes[name] for name in ("to 5 population", "free building", "no strikes on buildings")]
    assert changes["all three options"] == options[0] | options[1] | options[2]
    for guess in ("short track", "dear Habitats"):
        assert changes[f"{guess}, to 5 population"] == changes[guess] | options[0]
    assert proof["seed"] != asked["seed"]


def test_the_study_of_migrato_turns_every_flag_in_which_its_rule_sets_differ() -> None:
    variants = tomllib.loads(ready_experiments()["study-migrato"].read_text(encoding="utf-8"))["variant"]
    turned = {flag: value for variant in variants for flag, value in variant.items() if flag in PRINTED}
    assert turned == {flag: value for flag, value in DIGITAL.items() if PRINTED[flag] != value}


@pytest.mark.parametrize("name", ["tame-wolf", "short-migrato"])
def test_what_balance_begins_with_can_be_played(name: str) -> None:
    experiment = read_experiment(name)
    assert make_plan(experiment).factors
    assert experiment.question.endswith("?")
    assert all(len(values) > 1 for values in experiment.vary.values())
