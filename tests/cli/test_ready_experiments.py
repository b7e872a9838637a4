"""The ready experiments can be played, and say what they are about; bad input to the variants is one line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sim.batch.experiment import read_experiment, ready_experiments
from sim.batch.plan import make_plan
from sim.core.errors import Refusal
from tests.cli.test_bad_migration import PARAMETERS

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


def test_every_legal_ban_of_three() -> None:
    plan = make_plan(read_experiment("random-bans", games=100))
    sets = plan.cell_rows(100)["bans"]
    tiers = len(plan.tiers)
    assert tiers == 2
    assert len(set(sets)) == len(sets) / tiers == 156
    assert not any("Bass" in text and "Wolf" in text for text in sets)
    assert plan.total(100) == 156 * (100 + 20)


BAD = [
    (
        PARAMETERS + "draft = true\n[players]\ncount = 1",
        "line 5: 'players.count' is 1; migration is for 2 to 4",
        "",
    ),
    (
        PARAMETERS + 'draft = true\nteams = "own"\n[decks]\nown = { Bass = 3, Rats = 3, Fly = 3, Wolf = 3 }',
        "line",
        "draft",
    ),
    (PARAMETERS + 'teams = "bot:rash"', "line 3: teams = 'bot:rash': there is no style 'rash'", "'rush'"),
    (PARAMETERS + 'age = "Famine"', "line 3: age = 'Famine' needs age_mode = 'scenario'", ""),
    (PARAMETERS + 'age_mode = "scenario"\nage = "Famin"', "line 4: age = 'Famin'", "'Famine'"),
    (PARAMETERS + 'age_mode = "eras"', "line 3: age_mode = 'eras'", "'era'"),
    (PARAMETERS + 'age_file = "cards.toml"', "line 3", "unknown switch 'no_migrating'; did you mean"),
    (PARAMETERS + 'age_mode = "agenda"\nage_cards = ["Famine"]', "line", "too few for 2 players"),
    (PARAMETERS + '[vary]\nbans = "every 12"', "line 4", "bans"),
    (
        'game = "migration"\nseries = true\n[players]\ncount = 3\n[parameters]\nfirst_player = "drawn"',
        "line 6: 'series' needs the Founder in the last seat",
        "",
    ),
]


@pytest.mark.parametrize(("text", "start", "hint"), BAD, ids=[text.splitlines()[-1] for text, _, _ in BAD])
def test_refused_with_one_line(tmp_path: Path, text: str, start: str, hint: str) -> None:
    (tmp_path / "cards.toml").write_text('[card.Lean]\nswitches = ["famine", "no_migrating"]\n')
    (tmp_path / "e.toml").write_text(text)
    with pytest.raises(Refusal) as caught:
        make_plan(read_experiment(tmp_path / "e.toml"))
    message = str(caught.value)
    assert message.startswith("e.toml, " + start)
    assert hint in message
    assert "\n" not in message
