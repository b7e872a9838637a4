"""People's games: files as they are kept become data sets, and of each row that is no game the reason is told."""

from __future__ import annotations

import contextlib
import inspect
from pathlib import Path

import numpy as np
import openpyxl
import polars as pl
import pytest

import analysis
from analysis.data.errors import Refusal
from analysis.data.importing import TEMPLATE, import_games, read_mapping
from analysis.data.importing.rows import number
from analysis.report import write
from analysis.report.context import Context
from analysis.report.seat_words import ruled_out, seat_sentences

MAP = [
    "Datum=date", "Runde=group", "Brett=map", "Dauer=minutes", "Punkte Rot=score 1", "Punkte Blau=score 2",
    "Karten Rot=cards 1", "Sieger=winner", "Vorzeitig=ended early",
]  # fmt: skip


def spreadsheet(path: Path, games: int = 40) -> Path:
    """A sheet with semicolons, decimal commas, a byte order mark, and headings of its own; two rows are broken."""
    rng = np.random.default_rng(3)
    names = ["N1", "N2", "N3", "N4", "N5"]
    lines = ["Datum;Runde;Brett;Dauer;Name 1;Punkte Rot;Name 2;Punkte Blau;Karten Rot;Sieger;Vorzeitig;Notiz"]
    for g in range(games):
        a, b = rng.permutation(5)[:2]
        red, blue = (round(float(x), 1) for x in rng.normal(20, 5, 2))
        blue = red if g % 13 == 5 else blue
        winner = "Unentschieden" if red == blue else names[a if red > blue else b]
        cells = [
            f"2025-01-{g % 28 + 1:02d}",
            "Di",
            "IP"[g % 2],
            f"{40 + g / 4}",
            names[a],
            red,
            names[b],
            blue,
        ]
        cells += [
            "2 Rats + Wolf" if g % 3 else "",
            winner,
            "ja" if g % 10 == 0 else "",
            "x;y" if g == 3 else "",
        ]
        lines.append(";".join(f'"{c}"' if ";" in str(c) else str(c).replace(".", ",") for c in cells))
    lines[8] = "2025-01-08;Di;I;40;N1;abc;N2;3;;N1;;"
    lines[20] = "2025-01-20;Di;I;40;N1;3,5;N2;9,5;;N1;;"
    path.write_text("\ufeff" + "\r\n".join(lines) + "\r\n", encoding="utf-8")
    return path


def test_a_sheet_of_their_own_becomes_a_report_that_says_what_it_excludes(tmp_path: Path) -> None:
    found = import_games([spreadsheet(tmp_path / "ours.csv")], read_mapping(MAP))
    assert [str(one) for one in found.left_out] == [
        "ours.csv, line 9: 'abc' is no number",
        "ours.csv, line 21: N1 won, and the best score is that of N2",
    ]
    assert found.games == 38
    d = found.dataset()
    games, seats = d.games.collect(), d.seats.collect()
    assert (games["tied"] == 2).sum() == (games["margin"] == 0).sum() == 5
    assert games["Notiz"].drop_nulls().to_list() == ["x;y"]
    assert games["minutes"].to_list()[:2] == [40.0, 40.25]
    assert seats.filter(pl.col("game_id") == 0)["score"].to_list()[0] % 1 > 0
    assert set(d.pieces.collect().select(pl.col("piece").cast(pl.String), "owned").rows()) == {
        ("Rats", 2),
        ("Wolf", 1),
    }
    assert (games["ended"].cast(pl.String) == "stopped").sum() == 4
    frame = analysis.seat_balance(d)
    gap = max(r["high_joint"] - r["fair"] for r in frame.to_dicts())
    text = write(d, tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"Ruled out: a seat advantage above {int(100 * gap) + 1} points, at any seat." in text
    assert "2 rows are no part of these games" in text
    assert "Not recorded" in text
    assert "failed a check" not in text


def test_every_analysis_answers_or_says_what_is_missing(tmp_path: Path) -> None:
    d = import_games([spreadsheet(tmp_path / "ours.csv")], read_mapping(MAP)).dataset()
    given = {
        "win_share_by": ("map",),
        "depends_on": ("map",),
        "compare_bans": (),
        "rule_changes": ("map", "I"),
    }
    skipped = ("load", "Dataset", "Judge", "Refusal", "stats", "plots", "report")
    for name in analysis.__all__:
        if name in skipped:
            continue
        told = list(inspect.signature(ask := getattr(analysis, name)).parameters.values())
        of_data = told[0].name == "d" and told[0].annotation == "Dataset"
        if of_data and sum(one.default is one.empty for one in told) == 1 + len(given.get(name, ())):
            with contextlib.suppress(Refusal):
                ask(d, *given.get(name, ()))


@pytest.mark.parametrize(
    ("counts", "wins", "p", "word"),
    [
        ("97 of 156", [97, 59], 0.0029, "favoured"),
        ("97 to 59", [97, 59], 0.0029, "favoured"),
        ("245 of 457", [245, 212], 0.134, "undecided"),
        ("26/30", [26, 4], 0.00006, "favoured"),
        ("12, 9, 14, 8, 10, 7, 11, 9", [12, 9, 14, 8, 10, 7, 11, 9], 0.590, "undecided"),
        ("10 10 2 ties", [11, 11], 1.0, "undecided"),
    ],
)
def test_a_table_of_wins_is_answered_as_a_statistician_would(
    counts: str, wins: list[int], p: float, word: str
) -> None:
    d = import_games(counts=counts).dataset()
    frame = analysis.seat_balance(d)
    assert (
        d.seats.group_by("seat").agg(pl.col("win_share").sum()).sort("seat").collect()["win_share"].to_list()
        == wins
    )
    assert frame["p"][0] == pytest.approx(p, abs=5e-4 if p > 0.01 else 5e-5)
    assert frame["verdict"][0] == word
    lines = seat_sentences(Context(d, "p1"))
    assert "Ruled out: a seat advantage above" in lines[-1]


def test_what_is_ruled_out_is_beyond_the_joint_band_of_all_seats() -> None:
    rows = analysis.seat_balance(import_games(counts="230 227").dataset()).to_dicts()
    gap = max(r["high_joint"] for r in rows) - 0.5
    assert 0.05 < gap < 0.06
    assert ruled_out(rows) == "Ruled out: a seat advantage above 6 points, at any seat."
    assert ruled_out(analysis.seat_balance(import_games(counts="1 1").dataset()).to_dicts()) == ""


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "json", "xlsx"])
def test_all_kinds_of_files_give_the_same_games(tmp_path: Path, ending: str) -> None:
    heads = ["game", "seat", "player", "score", "minutes"]
    rows = [
        (g, seat, f"N{(g + seat) % 4}", (7 * g + 3 * seat) % 11, 30.5 + g)
        for g in range(12)
        for seat in (1, 2, 3)
    ]
    frame = pl.DataFrame(rows, schema=heads, orient="row")
    path = tmp_path / f"games.{ending}"
    if ending == "parquet":
        frame.write_parquet(path)
    elif ending == "jsonl":
        frame.write_ndjson(path)
    elif ending == "json":
        frame.write_json(path)
    elif ending == "xlsx":
        book = openpyxl.Workbook()
        for row in (heads, *rows):
            book.active.append(list(row))
        book.save(path)
    else:
        frame.write_csv(path, separator="\t" if ending == "tsv" else ",")
    found = import_games([path])
    assert found.left_out == []
    assert found.notes == [f"games.{ending}: seats count from 1 (no seat 0 occurs): seat 1 is Seat A"] or (
        ending == "tsv" and len(found.notes) == 2
    )
    seats = found.dataset().seats.collect()
    assert seats["score"].to_list() == [float(row[3]) for row in rows]
    assert found.tables["games"]["minutes"].to_list() == [30.5 + g for g in range(12)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("players,winner\n3,tie", "a tie of 3 players, and not between whom: join them as in A+C"),
        ("players,winner\n3,D", "seat 'D' with 3 players"),
        ("players,winner\n3,White", "'White' is no seat; say which seat it is: --map 'White=A'"),
        (
            "players,winner\n4,2\n4,2\n4,3\n4,1",
            "seat 2: do seats count from 0 or from 1? (--seats-from 0, or 1)",
        ),
        ("players,winner\n,A", "how many play is not said (a column 'players', or --players 2)"),
        ("player 1,player 2,winner\nP,Q,Zed", "'Zed' is no seat nor one of P, Q"),
        ("player 1,player 2,winner\nP,P,P", "two seats are called 'P'"),
        ("player 1,player 2,player 3,winner\nP,,Q,P", "seat 2 is empty, and a later one is not"),
        ("score 1,score 2\n5,", "1 player: 2 to 12 can be read"),
        ("place 1,place 2\n2,3", "nobody has place 1"),
        ("player 1,player 2\nP,Q", "nothing says who won: no winner, no score, no place"),
        ("score 1,score 2,winner\n5,4,tie", "a tie, and seat A has the best score alone"),
        ("game,seat,score\n1,1,5\n1,1,4", "game 1 has seat A twice"),
        ("game,seat,score\n1,1,5\n1,3,4", "game 1 has no row for seat B"),
        ("game,seat,won\n1,1,maybe\n1,2,no", "won: 'maybe' is neither yes nor no"),
        ("players,winner,ended early\n2,A,hm", "ended early: 'hm' is neither yes nor no"),
        ("players,winner\n2,A,,9", "4 cells where there are 2 columns"),
    ],
)
def test_every_row_that_is_no_game_is_named_with_its_reason(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refusal, match=r"cannot be read: bad\.csv, line 2: ") as caught:
        import_games([path], strict=True)
    assert reason in str(caught.value)


def test_seats_are_counted_from_0_or_1_and_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("players,winner\n3,0\n3,2\n3,1\n", encoding="utf-8")
    found = import_games([path])
    assert found.tables["games"]["winner"].to_list() == [0, 2, 1]
    assert found.notes == ["g.csv: seats count from 0 (a seat 0 occurs): seat 0 is Seat A"]
    path.write_text("players,winner\n3,1\n3,3\n", encoding="utf-8")
    found = import_games([path])
    assert found.tables["games"]["winner"].to_list() == [0, 2]
    assert "seat 3 occurs with 3 players, and no seat 0" in found.notes[0]
    path.write_text("players,winner\n3,1\n3,2\n", encoding="utf-8")
    with pytest.raises(Refusal, match="do seats count from 0 or from 1"):
        import_games([path])


def test_the_map_file_the_words_and_the_template(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(
        '\ufefflowest_wins = true\nname = "golf"\n[columns]\n"Schläge W" = "score A"\n"Schläge S" = "score B"\n'
        '"Sieger" = "winner"\n[words]\n"Weiß" = "A"\nSchwarz = "B"\n[judge]\nseat = 0.05\n',
        encoding="utf-8",
    )
    (tmp_path / "g.csv").write_bytes(
        "Schläge W;Schläge S;Sieger\n70;72;Weiß\n80;71;schwarz\n".encode("cp1252")
    )
    found = import_games([tmp_path / "g.csv"], read_mapping([str(tmp_path / "map.toml")]))
    assert found.tables["games"]["winner"].to_list() == [0, 1]
    assert found.manifest["name"] == "golf"
    assert found.dataset().judge.seat == 0.05
    assert "g.csv: read as Windows-1252, for it is no UTF-8" in found.notes
    for wrong, match in (
        ("Siger=winner", "did you mean 'Sieger'"),
        ("nothing.toml", "neither heading=field nor"),
    ):
        with pytest.raises(Refusal, match=match):
            import_games([tmp_path / "g.csv"], read_mapping([wrong]))
    (tmp_path / "t.csv").write_text(TEMPLATE, encoding="utf-8")
    example = import_games([tmp_path / "t.csv"], strict=True)
    assert example.games == 3
    assert example.manifest["factors"] == ["version"]
    assert example.tables["games"]["first_seat"].to_list() == [0, 0, 0]


@pytest.mark.parametrize(
    ("text", "comma", "value"),
    [
        ("12,5", True, 12.5),
        ("1.234,5", True, 1234.5),
        ("1,234", False, 1234),
        ("1 234", False, 1234),
        ("−3", False, -3),
    ],
)
def test_numbers_as_people_write_them(text: str, comma: bool, value: float) -> None:
    assert number(text, comma) == value


def test_teams_win_together(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    rows = [
        f"{g},{s},{'NS' if s % 2 else 'EW'},{5 if s % 2 == g % 2 else 3}"
        for g in range(20)
        for s in (1, 2, 3, 4)
    ]
    path.write_text("game,seat,team,score\n" + "\n".join(rows), encoding="utf-8")
    d = import_games([path]).dataset()
    assert d.tables == [(4, 2)]
    assert analysis.seat_balance(d)["fair"].to_list() == [0.5] * 4
    assert analysis.audit(d).filter(pl.col("ok") == False).is_empty()  # noqa: E712
