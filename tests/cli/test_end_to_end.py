"""From the command to a data set, on the real game."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import polars as pl
import pytest

from sim.cli import _run as run_command
from tests.batch.helpers import same_rows, tables

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quickstart")
    assert run_command(shlex.split(f"run quickstart -o {folder}/one --games 60 --jobs 1")) == 0
    return folder


def test_quickstart_is_the_same_for_one_worker_and_two(data: Path) -> None:
    assert run_command(shlex.split(f"run quickstart -o {data}/two --games 60 --jobs 2")) == 0
    assert same_rows(data / "one", data / "two")


def test_quickstart_asks_for_ten_thousand_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(shlex.split("run quickstart --dry-run --json --jobs 2")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cells"] == 15
    assert found["games"] >= 10_000
    assert [tier["bot"].partition(":")[0] for tier in found["tiers"]] == ["greedy", "search", "search"]
    assert all(tier["minutes"] > 0 for tier in found["tiers"])


def test_more_games_add_what_is_missing(data: Path) -> None:
    assert run_command(shlex.split(f"run quickstart -o {data}/more --games 30 --jobs 1")) == 0
    before = tables(data / "more")["games"]
    assert run_command(shlex.split(f"run quickstart -o {data}/more --games 60 --jobs 1")) == 0
    after = tables(data / "more")["games"]
    assert after.join(before, on="game_id", how="semi").equals(before)
    assert same_rows(data / "one", data / "more")


def test_rows_of_migration(data: Path) -> None:
    found = tables(data / "one")
    games, seats, pieces = found["games"], found["seats"], found["pieces"]
    assert games.height == 5 * (60 + 30 + 30)  # at three tiers of play
    assert set(games["ended"]) <= {"finished", "all_passed"}
    assert {len(text.split("+")) for text in games["bans"]} == {3}
    assert seats["options_mean"].min() > 2 - 1e-6
    teams = pieces.group_by("game_id", "seat").agg(pl.col("assigned").sum())
    assert teams["assigned"].unique().to_list() == [12]
    played = (
        pieces.group_by("game_id", "seat").agg(pl.col("scored").sum()).join(seats, on=["game_id", "seat"])
    )
    assert (played["scored"] - played["score"]).abs().max() < 1e-6, "pieces' points add up to the score"


def test_verify_and_one_byte(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(shlex.split(f"verify {data}/one --sample 60")) == 0
    part = sorted((data / "one" / "seats").iterdir())[0]
    whole = part.read_bytes()
    part.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    capsys.readouterr()
    assert run_command(shlex.split(f"verify {data}/one")) == 1
    assert str(part) in capsys.readouterr().out
    part.write_bytes(whole)


def test_replay_ends_as_the_data_say(data: Path) -> None:
    from sim.batch.replay import replay

    games = tables(data / "one")["games"]
    seats = tables(data / "one")["seats"]
    for row in games.sample(5, seed=1).iter_rows(named=True):
        positions = replay(data / "one", row["game_id"])
        last = positions[-1]
        assert (last.seat, last.action, last.legal) == (-1, None, [])
        scores = last.game.scores(last.step.rules, last.step.state)
        assert scores == seats.filter(game_id=row["game_id"])["score"].to_list()
        assert sum(len(p.legal) > 1 for p in positions) == row["decisions"]
        assert all(p.action in p.legal for p in positions[:-1])


def test_greedy_explains_what_it_did(data: Path) -> None:
    from sim.batch.replay import replay

    game = int(tables(data / "one")["games"]["game_id"][7])
    for position in replay(data / "one", game)[:-1]:
        judged = position.explain("greedy")
        assert set(judged["action"]) == set(position.legal)
        chosen = judged.filter(action=position.action)["value"][0]
        gap = judged["value"][0] - chosen
        assert gap <= 0.35 * judged["value"].abs().max() + 1e-9, "weights wander by a tenth from deal to deal"


def test_pictures(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    line = f"replay {data}/one 0 --png {tmp_path}/png --gif {tmp_path}/game.gif"
    assert run_command(shlex.split(line)) == 0
    turns = sorted(path.name for path in (tmp_path / "png").iterdir())
    assert f"drawing {len(turns)} pictures" in capsys.readouterr().err
    frames = Image.open(tmp_path / "game.gif")
    assert frames.n_frames == len(turns) > 10
    sizes = [Image.open(tmp_path / "png" / name).size for name in turns]
    assert frames.size == (max(w for w, _ in sizes), max(h for _, h in sizes))
    assert len({w for w, _ in sizes}) == 1
    numbers = [int(name.split("-turn-")[1].removesuffix(".png")) for name in turns]
    assert numbers == sorted(set(numbers))  # turns that are passed by force have no picture of their own
    assert (numbers[0], numbers[-1]) == (0, max(numbers))


def test_pictures_of_a_part_of_a_game(data: Path, tmp_path: Path) -> None:
    from sim.batch.replay import replay

    line = f"replay {data}/one 0 --png {tmp_path} --every decision --from 3 --to 5 --coordinates"
    assert run_command(shlex.split(line)) == 0
    inside = [p.number for p in replay(data / "one", 0) if 3 <= p.turn <= 5]
    numbers = [int(path.name.split("-")[0]) for path in sorted(tmp_path.iterdir())]
    assert numbers == [*inside, inside[-1] + 1]


def test_a_replay_as_text(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sim.batch.replay import replay

    assert run_command(shlex.split(f"replay {data}/one 0")) == 0
    out = capsys.readouterr().out
    positions = replay(data / "one", 0)
    for p in positions[:-1]:
        assert f"{'AB'[p.seat]}: {p.action}   (of {len(p.legal)})" in out
    assert out.count("--- ") == len(positions)
    assert out.count("banned") == 2, "at the start and at the end"
    assert run_command(shlex.split(f"replay {data}/one 0 --json --every turn")) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(len([d for d in row["done"] if d["seat"] >= 0]) for row in found) == len(positions) - 1


def test_the_card_of_migration(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["games", "migration", "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert {"name", "type", "default", "range", "help"} <= set(card["parameters"][0])
    assert len(card["pieces"]) == 11
    assert len(card["maps"]) >= 6
    assert [bot["name"] for bot in card["bots"]] == ["random", "greedy", "flat", "search"]
    assert card["levers"]
    assert any(row["alternatives"] for row in card["stand_ins"])
    assert len(card["rulings"]) > 20


def test_games_as_frames() -> None:
    from sim import games

    assert "migration" in games()
    frame = games("migration").parameters
    assert frame.filter(name="rats_points")["default"].to_list() == ["2"]


def test_over_stand_ins() -> None:
    from sim.batch.experiment import read_experiment
    from sim.batch.plan import make_plan
    from sim.batch.stand_ins import AS_THEY_ARE, over_stand_ins

    data = {"game": "migration", "vary": {"map": ["default", "islands"]}, "parameters": {"bans": "random 3"}}
    experiment, left_out = over_stand_ins(read_experiment(data))
    plan = make_plan(experiment)
    names = [name for name, _ in experiment.variants]
    assert names[:2] == [AS_THEY_ARE, "set_counts 1"]
    assert any(name.startswith("all guesses drawn") for name in names)
    assert len(plan.cells) == 2 * len(names)
    assert all("'map'" in line for line in left_out)
    assert left_out


def test_guesses_that_show_on_founded_land_have_a_base_of_their_own() -> None:
    from sim.batch.experiment import read_experiment
    from sim.batch.stand_ins import AS_THEY_ARE, over_stand_ins

    experiment, left_out = over_stand_ins(read_experiment({"game": "migration"}))
    variants = dict(experiment.variants)
    founded = f"{AS_THEY_ARE} (map = founder)"
    assert left_out == []
    assert (variants[AS_THEY_ARE], variants[founded]) == ({}, {"map": "founder"})
    assert set(experiment.bases) == set(variants) - {AS_THEY_ARE, founded}
    for name, base in experiment.bases.items():
        assert variants[name].get("map") == variants[base].get("map"), name
    names = list(variants)
    assert all(name.startswith("all guesses drawn") for name in names[-3:])
    own, left_out = over_stand_ins(read_experiment({"game": "migration", "parameters": {"map": "founder"}}))
    assert left_out == []
    assert set(own.bases.values()) == {AS_THEY_ARE}
    assert not any("map" in settings for _, settings in own.variants)
