"""The command line: exit codes, one line for what cannot be done, what programs may read."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sim.cli import _run as run_command

COMMANDS = (
    "demo",
    "run",
    "report",
    "games",
    "experiments",
    "find",
    "replay",
    "draw",
    "check",
    "verify",
    "compact",
    "bench",
    "ladder",
)
DUEL = """\
name = "duel"
question = "Does the greedy bot win?"
game = "numbers"
games = 40
[vary]
worth = [1, 2]
[[player]]
name = "x"
[[player]]
name = "y"
bot = "random"
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duel.toml").write_text(DUEL)
    return tmp_path


def whimbrel(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run_command(shlex.split(line))
    out, err = capsys.readouterr()
    return code, out, err


def test_run_find_replay_verify(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = whimbrel("run duel.toml -o data --jobs 1", capsys)
    assert code == 0
    assert out.splitlines()[0].split() == ["cell", "games", "seat", "A", "seat", "B", "fair"]
    assert out.splitlines()[-1] == "next: whimbrel report data"
    assert "80 games in data (80 new" in out
    assert err == ""
    code, out, _ = whimbrel("run duel.toml -o data --jobs 1", capsys)
    assert (code, "nothing was missing" in out) == (0, True)
    code, out, err = whimbrel("run duel.toml -o data --games 61 --jobs 1", capsys)
    assert err.splitlines() == [
        "62 games a cell: whole blocks of 2, each order of the players once",
        "80 of 124 games are there already",
    ]
    code, out, _ = whimbrel("find data --most margin --where 'worth = 2' -n 2", capsys)
    assert (code, len(out.splitlines())) == (0, 5)
    assert out.splitlines()[-1].startswith("next: whimbrel replay data ")
    code, out, _ = whimbrel("find data --json -n 3", capsys)
    assert len(json.loads(out)) == 3
    code, out, _ = whimbrel("verify data --sample 20", capsys)
    assert code == 0
    assert "played again gave the same rows" in out
    code, out, _ = whimbrel("compact data", capsys)
    assert (code, out.splitlines()[0].split(" files are now ")[1]) == (0, "3, with the same rows")
    code, out, _ = whimbrel("compact data --json", capsys)
    assert (code, json.loads(out)["files"]) == (0, 3)
    assert whimbrel("compact data", capsys)[1] == "nothing to put together: 3 files\n"
    code, out, _ = whimbrel("verify data --json", capsys)
    assert json.loads(out)["ok"] is True


def test_run_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = whimbrel("run duel.toml -o data --jobs 1 --json", capsys)
    answer = json.loads(out)
    assert (code, answer["folder"], answer["played"], len(answer["cells"])) == (0, "data", 80, 2)
    code, out, _ = whimbrel("run duel.toml --dry-run --json", capsys)
    assert (code, json.loads(out)["games"]) == (0, 80)
    assert not Path("runs").exists()


def test_a_damaged_part_is_a_no(capsys: pytest.CaptureFixture[str]) -> None:
    whimbrel("run duel.toml -o data --jobs 1", capsys)
    part = next(Path("data/pieces").iterdir())
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    code, out, _ = whimbrel("verify data", capsys)
    assert (code, out) == (1, f"'{part}' is damaged: its content is not what was committed\n")


def test_other_rules_are_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    whimbrel("run duel.toml -o data --jobs 1", capsys)
    manifest = json.loads(Path("data/manifest.json").read_text())
    manifest["rules_version"] = "1+00000000"
    Path("data/manifest.json").write_text(json.dumps(manifest))
    code, out, _ = whimbrel("verify data", capsys)
    assert (code, "no game could be played again" in out) == (3, True)


REFUSED = [
    ("run dule.toml", "there is no file 'dule.toml'"),
    ("run quickstrat", "did you mean 'quickstart'"),
    ("run duel.toml --games 0", "'games' must be at least 1"),
    ("run duel.toml --games many", "--games"),
    ("run duel.toml --seed -1", "'seed' must be at least 0"),
    ("run duel.toml --log piece", "did you mean 'pieces'"),
    ("run duel.toml --jobs 0 -o data", "--jobs must be at least 1"),
    ("run duel.toml --over stand-in", "did you mean 'stand-ins'"),
    ("run duel.toml --bakcend x", "bakcend"),
    ("run duel.toml -o duel.toml", "is a file, not a folder"),
    ("run duel.toml -o duel.toml/below", "cannot write into the folder"),
    ("run duel.toml -o /proc/whimbrel/data", "cannot write into the folder"),
    ("run duel.toml -o other", "holds other things"),
    ("run bad.toml", "bad.toml, line 3: 'worht' is not a parameter of numbers; did you mean 'worth'?"),
    ("run five.toml", "five.toml, line 3: 'players.count' is 5"),
    ("run twice.toml", "twice.toml, line 3: 'games' is already set in line 2"),
    ("run duel.toml --backend nowhere --jobs 2 -o data", "nowhere"),
    ("verify nowhere", "there is no folder 'nowhere'"),
    ("verify other", "is not a Whimbrel data set"),
    ("find other", "is not a Whimbrel data set"),
    ("replay other 1", "is not a Whimbrel data set"),
    ("replay other x", "GAME_ID"),
    ("games numbres", "did you mean 'numbers'"),
    ("experiments quick", "did you mean 'quickstart'"),
    ("experiments quickstart --copy duel.toml", "exists already"),
    ("experiments --copy x.toml", "needs the name"),
    ("bench numbers --seconds 0", "--seconds"),
    ("draw duel.toml:7 -o x.svg", "duel.toml: unknown key 'name'"),
    ("draw gone.toml:7 -o x.svg", "cannot read 'gone.toml'"),
    ("draw 0,0 -o x.svg", "of which --game is it a position?"),
    ("draw gone.txt --game migration -o x.svg", "cannot read 'gone.txt'"),
    ("draw 0,0 --game migratoin -o x.svg", "did you mean 'migration'"),
    ("draw '0,0 A:Rts' --game migration --map 'row 2' -o x.svg", "did you mean 'Rats'"),
    ("draw '0,0 A:Rats' --game migration --map 'row 2' -o x.pdf", "written as .svg or .png"),
    ("draw '0,0 A:Rats' --game migration --map 'row 2' -o no/x.png", "cannot write 'no/x.png'"),
    ("draw '0,0 A:Rats' --game migration --map 'row 2' --width 5 -o x.png", "from 20 to 2000 millimetres"),
    ("draw '0,0 A:Rats' --game migration --map 'row 2' --after -o x.png", "--after is for a case"),
    ("draw 'hand K5' --game migrato --coordinates -o x.png", "no board"),
    ("draw 0,0 --game numbers -o x.png", "numbers"),
    ("bench numbres --start", "did you mean 'numbers'"),
    ("rnu quickstart", "rnu"),
    ("report", "DIR"),
]


@pytest.mark.parametrize(("line", "message"), REFUSED, ids=[line for line, _ in REFUSED])
def test_what_cannot_be_done_is_one_line_and_exit_2(
    line: str, message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "other").mkdir()
    (here / "other" / "notes.txt").write_text("mine")
    (here / "bad.toml").write_text('game = "numbers"\n[parameters]\nworht = 2\n')
    (here / "five.toml").write_text('game = "numbers"\n[players]\ncount = 5\n')
    (here / "twice.toml").write_text('game = "numbers"\ngames = 2\ngames = 3\n')
    before = sorted(str(p) for p in here.rglob("*"))
    code, out, err = whimbrel(line, capsys)
    assert (code, out) == (2, "")
    assert err.startswith("whimbrel: ")
    assert err.count("\n") == 1
    assert message in err
    if "--backend" not in line:
        assert sorted(str(p) for p in here.rglob("*")) == before, "nothing is written"


def test_unknown_game_in_replay(capsys: pytest.CaptureFixture[str]) -> None:
    whimbrel("run duel.toml -o data --jobs 1", capsys)
    code, _, err = whimbrel("replay data 12345", capsys)
    assert (code, err) == (2, "whimbrel: 'data' has no game 12345; `whimbrel find data` lists some\n")


def test_check(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert whimbrel("check duel.toml", capsys)[:2] == (0, "duel.toml: experiment: 2 cells, 80 games: good\n")
    (here / "bad.toml").write_text('game = "numbers"\n[parameters]\nworht = 2\n')
    (here / "junk.toml").write_text("a = \n")
    code, out, _ = whimbrel("check duel.toml bad.toml junk.toml gone.toml", capsys)
    lines = out.splitlines()
    assert code == 1
    assert lines[0].startswith("bad.toml: experiment: bad.toml, line 3: 'worht' is not a parameter")
    assert lines[1].startswith("junk.toml: file: junk.toml, line 1: this is not valid TOML")
    assert lines[2] == "gone.toml: file: cannot read 'gone.toml': No such file or directory"
    assert lines[3] == "1 of 4 good"
    code, out, _ = whimbrel("check duel.toml bad.toml --json", capsys)
    assert [row["ok"] for row in json.loads(out)] == [True, False]


def test_check_of_cards(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "cards.toml").write_text(
        '[card.Haste]\nswitches = ["faster"]\n[card.Sloth]\nswitches = ["slower"]\n'
    )
    assert whimbrel("check cards.toml --game numbers", capsys)[:2] == (0, "2 of 2 good\n")
    (here / "cards.toml").write_text('[card.Haste]\nswitches = ["fatser"]\n')
    code, out, _ = whimbrel("check cards.toml --game numbers", capsys)
    assert code == 1
    assert "card 'Haste': unknown switch 'fatser'; did you mean 'faster'?" in out.splitlines()[0]


def test_games_and_experiments(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = whimbrel("games numbers --json", capsys)
    card = json.loads(out)
    assert (code, card["name"]) == (0, "numbers")
    assert re.fullmatch("1[+][0-9a-f]{8}", card["rules_version"])
    assert {"name", "type", "default", "range", "help"} <= set(card["parameters"][0])
    assert "worth" in whimbrel("games numbers", capsys)[1]
    assert "quickstart" in whimbrel("experiments", capsys)[1]
    code, out, _ = whimbrel("experiments quickstart --copy mine.toml", capsys)
    assert (code, out) == (0, "next: edit mine.toml, then whimbrel run mine.toml\n")
    assert (here / "mine.toml").read_text() == whimbrel("experiments quickstart", capsys)[1]


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = whimbrel("bench numbers --json --seconds 0.05", capsys)
    rows = json.loads(out)
    assert (code, [(row["bot"], row["log"]) for row in rows]) == (
        0,
        [("random", "none"), ("random", "pieces"), ("greedy", "none"), ("greedy", "pieces")],
    )
    assert set(rows[0]) == {
        "game",
        "players",
        "bot",
        "log",
        "games",
        "games_per_cpu_s",
        "decisions_per_cpu_s",
    }
    for row in rows:
        assert row["decisions_per_cpu_s"] == pytest.approx(row["games_per_cpu_s"] * 16, rel=1e-6)


def test_bench_of_starts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from sim.batch import bench_start

    monkeypatch.setattr(bench_start, "TIMES", 1)
    code, out, _ = whimbrel("bench numbers --start --json", capsys)
    rows = json.loads(out)
    assert (code, [row["command"] for row in rows]) == (
        0,
        ["--help", "run --help", "experiments", "games numbers"],
    )
    assert all(row["cpu_seconds"] > 0 and 0 < row["best"] <= row["seconds"] for row in rows)


def test_bench_of_the_analysis(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from sim.batch import bench_analysis
    from tests.analysis.synthetic import make

    folder = make(deals=60, players=2).write(tmp_path / "set")
    kept = {name: bench_analysis.TASKS[name] for name in ("bare scan", "piece_strength")}
    monkeypatch.setattr(bench_analysis, "TASKS", kept)
    code, out, _ = whimbrel(f"bench --analysis {folder} --json", capsys)
    rows = json.loads(out)
    assert code == 0
    assert [row["what"] for row in rows] == list(kept)
    assert all(row["games"] == 120 and row["peak_mb"] > 20 and row["cpu_seconds"] >= 0 for row in rows)
    code, _, err = whimbrel(f"bench --analysis {tmp_path / 'none'}", capsys)
    assert (code, err.count("\n")) == (2, 1)


def test_bench_of_variants(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from sim.batch import bench
    from sim.core.game import get_game

    code, _, err = whimbrel("bench numbers --variants", capsys)
    assert (code, err) == (
        2,
        "whimbrel: --variants: numbers has no settings to measure beside the plain game\n",
    )
    settings = {"plain": {}, "fast": {"pace": "fast"}}
    monkeypatch.setattr(type(get_game("numbers")), "bench_settings", settings, raising=False)
    monkeypatch.setattr(bench, "PILOT", 50)
    code, out, _ = whimbrel("bench numbers --json --seconds 0.02 --variants", capsys)
    rows = json.loads(out)
    assert (code, [row["setting"] for row in rows]) == (0, ["plain"] * 4 + ["fast"] * 4)
    shares = [row["decisions_per_cpu_s"] / row["games_per_cpu_s"] for row in rows]
    assert shares == pytest.approx([16] * 4 + [8] * 4)
    assert "fast" in whimbrel("bench numbers --seconds 0.02 --variants", capsys)[1]


def test_report_writes_what_to_play_again(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import analysis

    (here / "mine.toml").write_text("x = 1\n")
    (here / "bans.toml").write_text(
        'game = "numbers"\ngames = 40\n[parameters]\nmap = "mine.toml"\n[vary]\nbans = "every 1"\n'
    )
    whimbrel("run bans.toml -o data --jobs 1", capsys)

    def best(d: Any) -> dict[str, Any]:
        again = {**d.manifest["experiment"], "name": "bans-verify", "seed": 99, "games": 80}
        return {**again, "vary": {"bans": [["Bee"], ["Ant"]]}}

    monkeypatch.setattr(analysis, "verify_experiment", best, raising=False)
    (here / "pages").mkdir()
    code, out, _ = whimbrel("report data -o pages/r.html", capsys)
    assert (code, out.splitlines()[-1]) == (0, "next: whimbrel run pages/verify.toml")
    assert whimbrel("run pages/verify.toml -o again --jobs 1", capsys)[0] == 0
    manifest = json.loads((here / "again" / "manifest.json").read_text())
    assert (manifest["name"], manifest["games_per_cell"]) == ("bans-verify", 80)
    assert (here / "again" / "inputs" / "mine.toml").read_text() == "x = 1\n"
    monkeypatch.setattr(analysis, "verify_experiment", lambda d: None, raising=False)
    (here / "pages" / "verify.toml").unlink()
    assert whimbrel("report data -o pages/r.html", capsys)[1] == "pages/r.html\n"
    assert not (here / "pages" / "verify.toml").exists()


def command(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    code = "import sys; from sim.cli import main; main(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments], capture_output=True, text=True, timeout=120, **more
    )


HEAVY = (
    *("jinja2", "joblib", "matplotlib", "numba", "numpy", "pandas", "PIL", "polars", "pyarrow"),
    *("scipy", "statsmodels", "analysis", "sim.batch", "sim.core.game"),
)
"""What makes help quick is that none of these is imported for it; `whimbrel bench --start` measures the seconds.

Not pydantic: Typer brings it.
"""

HELP = """
import sys
from sim.cli import _run, app
_run(["--help"])
for command in app.registered_commands:
    _run([command.name or command.callback.__name__.replace("_", "-"), "--help"])
sys.exit(" ".join(name for name in sys.argv[1:] if name in sys.modules))
"""


def test_help_imports_nothing_heavy() -> None:
    found = subprocess.run([sys.executable, "-c", HELP, *HEAVY], capture_output=True, text=True, timeout=120)
    assert found.stderr.strip() == ""
    for name in COMMANDS:
        assert f"\n  {name} " in found.stdout
        assert f"Example: whimbrel {name}" in found.stdout


def test_what_heavy_stands_for_would_be_seen() -> None:
    code = HELP.replace("import sys\n", "import sys, sim.core.play\n")
    found = subprocess.run([sys.executable, "-c", code, *HEAVY], capture_output=True, text=True, timeout=120)
    assert {"numpy", "numba", "sim.core.game"} <= set(found.stderr.split())


def test_usage_errors_name_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert whimbrel("find", capsys) == (
        2,
        "",
        "whimbrel: Missing argument 'DIR'. (see whimbrel find --help)\n",
    )
    code, out, _ = whimbrel("", capsys)
    assert (code, out.startswith("Usage: whimbrel")) == (0, True)


def test_ctrl_c_says_how_to_go_on(here: Path) -> None:
    import signal

    code = "import sys; from sim.cli import main; main(sys.argv[1:])"
    line = ["run", "duel.toml", "-o", "data", "--games", "1000", "--jobs", "2"]
    environment = {**os.environ, "NUMBERS_SLEEP": "0.2"}
    with subprocess.Popen(
        [sys.executable, "-c", code, *line],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 60
        log = here / "data" / "commits.jsonl"
        while time.monotonic() < deadline and not (log.exists() and log.stat().st_size):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    *others, last = err.splitlines()
    assert others == []
    assert last.startswith("stopped with ")
    assert last.endswith("in data; go on with: whimbrel run duel.toml -o data --games 1000 --jobs 2")
    assert command(*line[:-2], "--jobs", "1").returncode == 0
    assert command("verify", "data").returncode == 0


def test_a_folder_that_hides_a_package(here: Path) -> None:
    (here / "analysis").mkdir()
    (here / "analysis" / "__init__.py").write_text("")
    found = command("experiments")
    assert found.returncode == 0
    assert "hides Whimbrel's package 'analysis'" in found.stderr
    path = os.pathsep.join([str(here), os.environ["PYTHONPATH"]])
    found = command("experiments", env={**os.environ, "PYTHONPATH": path})
    assert found.returncode == 2
    assert found.stderr.startswith(f"whimbrel: '{here}/analysis/__init__.py' hides Whimbrel's own package")
    assert found.stderr.count("\n") == 1
