"""Sheets with whatever columns people have, with holes in them: each is a report or one line, never a crash."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

import analysis
from analysis.data.errors import Refusal
from analysis.data.importing import import_games
from analysis.report import write

OF_GAME = (
    "date",
    "version",
    "group",
    "map",
    "minutes",
    "turns",
    "first",
    "bans",
    "ended early",
    "winner",
    "mood",
)
OF_SEAT = ("player", "score", "place", "deck", "cards")
ASKED = (
    "seats_among_equals", "held_adjusted", "rated_players", "standing", "matchups", "role_effect", "goes_with_winning",
    "length", "ties", "lead_changes", "luck_and_skill", "check_targets", "enders", "tie_breaks", "series_balance",
)  # fmt: skip


def sheet(r: random.Random) -> str:
    """A sheet of games for 2 to 5, with some of the columns, and a cell in fourteen left empty."""
    most, games, mixed = r.randint(2, 5), r.choice([1, 3, 11, 40, 90]), r.random() < 0.4
    kept = [name for name in (*OF_GAME, *OF_SEAT) if r.random() < 0.5]
    kept += [] if {"winner", "score", "place"} & set(kept) else ["winner"]
    groups = r.choice([2, 14])
    head = ["players", *(name for name in OF_GAME if name in kept)]
    head += [f"{name} {seat}" for seat in range(1, most + 1) for name in OF_SEAT if name in kept]
    lines = [head]
    for _ in range(games):
        n = r.randint(2, most) if mixed else most
        score = [r.randint(0, 12) for _ in range(n)]
        names = r.sample([f"N{k}" for k in range(9)], n)
        row = {
            "players": str(n),
            "date": "2025-01-01",
            "version": r.choice(["v1", "v2"]),
            "group": f"g{r.randrange(groups)}",
            "map": r.choice("IJ"),
            "minutes": str(r.randint(20, 90)),
            "turns": str(r.randint(5, 30)),
            "first": r.choice(names if "player" in kept else "ABCDE"[:n]),
            "bans": "Wolf",
            "ended early": r.choice(["yes", "no"]),
            "mood": r.choice(["1", "2.5", "x"]),
        }
        hole = {name for name in (*row, "player", "deck") if r.random() < 0.07 and name != "players"}
        row = {name: "" if name in hole else text for name, text in row.items()}
        row["winner"] = "+".join("ABCDE"[k] for k in range(n) if score[k] == max(score))
        for k in range(n):
            row[f"player {k + 1}"] = "" if "player" in hole else names[k]
            row[f"deck {k + 1}"] = "" if "deck" in hole else r.choice(["red", "blue"])
            row[f"score {k + 1}"] = str(score[k])
            row[f"place {k + 1}"] = str(1 + sum(other > score[k] for other in score))
            row[f"cards {k + 1}"] = r.choice(["Wolf", "Rats+Fly", "2 Wolf", ""])
        lines.append([row.get(name, "") for name in head])
    return "\n".join(";".join(line) for line in lines)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_any_sheet_is_a_report_or_one_line(tmp_path: Path, seed: int) -> None:
    (tmp_path / "g.csv").write_text(sheet(random.Random(seed)), encoding="utf-8")
    try:
        d = import_games([tmp_path / "g.csv"]).dataset()
    except Refusal as refusal:
        pytest.skip(str(refusal))
    text = write(d, tmp_path / "r.html").read_text(encoding="utf-8")
    assert ">nan<" not in text
    assert ">None<" not in text
    for name in ASKED:
        with contextlib.suppress(Refusal):
            getattr(analysis, name)(d)
