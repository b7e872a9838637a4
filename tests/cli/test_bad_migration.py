"""Bad input to experiments on Migration: one line each, before anything is compiled or written."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from sim.core.errors import Refusal

PARAMETERS = 'game = "migration"\n[parameters]\n'
BAD = [
    (PARAMETERS + "rats_point = 1", "line 3: 'rats_point' is not a parameter of migration", "'rats_points'"),
    (PARAMETERS + "rats_points = 99", "line 3: rats_points = 99", "9"),
    (PARAMETERS + 'rats_points = "1"', "line 3: rats_points = '1'", "integer"),
    (PARAMETERS + "set_counts.Bas = 1", "line 3: 'Bas' is not in 'set_counts'", "'Bass'"),
    (PARAMETERS + 'wolf_concerns = "enemy"', "line 3: wolf_concerns = 'enemy'", "'enemies'"),
    (PARAMETERS + 'bans = ["Bass", "Wolf"]', "line 3: bans", "no team can ever enter"),
    (PARAMETERS + 'bans = "random 30"', "line 3: bans", "random 3"),
    (PARAMETERS + 'bans = ["Wolff"]', "line 3", "'Wolf'"),
    (PARAMETERS + 'map = "iland"', "line 3: map = 'iland': there is no such map", "'islands'"),
    (PARAMETERS + 'map = "gone.toml"', "line 3: map 'gone.toml'", "No such file"),
    (PARAMETERS + 'map = "two.toml"\n[players]\ncount = 3', "line 3: map 'two.toml': no drawing for 3", ""),
    (PARAMETERS + 'map = "broken.toml"', "line 3", "map 'broken.toml', line 4"),
    (PARAMETERS + 'teams = "rush"\n[decks]\nrush = { Bass = 12 }', "line 3", "a set holds 3"),
    (
        PARAMETERS + 'teams = "rash"\n[decks]\nrush = { Bass = 3 }',
        "line 3: there is no deck 'rash'",
        "'rush'",
    ),
    ('game = "migraton"', "line 1: there is no game 'migraton'", "'migration'"),
    ('game = "migration"\n[players]\ncount = 5', "line 3: 'players.count' is 5; migration is for 2 to 4", ""),
    ('game = "migration"\n[players]\nbots = ["greedy:weights.point=1"]', "line 3", "'points'"),
    ('game = "migration"\n[[player]]\nname = "a"\nbans = ["Rat"]', "line 4", "'Rats'"),
    ('game = "migration"\n[judge]\n"piece.Rat" = [0.1, 0.2]', "line 3", "'Rats'"),
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
    drawing = "[players.2]\ndrawing = '''\n. o o .\n'''\n"
    (tmp_path / "two.toml").write_text(drawing)
    (tmp_path / "cards.toml").write_text('[card.Lean]\nswitches = ["famine", "no_migrating"]\n')
    (tmp_path / "broken.toml").write_text("[players.2]\ndrawing = '''\n. o o\n . ? o\n'''\n")
    (tmp_path / "e.toml").write_text(text)
    with pytest.raises(Refusal) as caught:
        make_plan(read_experiment(tmp_path / "e.toml"))
    message = str(caught.value)
    assert message.startswith("e.toml, " + start)
    assert hint in message
    assert "\n" not in message
