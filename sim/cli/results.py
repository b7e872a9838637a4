"""`whimbrel import`: people's own games as a data set that every analysis reads."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal

if TYPE_CHECKING:
    from analysis.data.importing import Imported

MOST_SHOWN = 20
"""More rows that are left out are only counted; all are in the file beside."""


def import_games(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="CSV, TSV, Parquet, JSON lines or .xlsx (an extra)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Folder of the data set [default: runs/NAME].")
    ] = None,
    mapped: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="HEADING=FIELD",
            help="What a heading of yours means, or a word in a cell (White=A); or a TOML file. Repeat it.",
        ),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(
            help="A table of wins: '97 of 156', '97 to 59', '12 9 14 8', or a file with seat and wins."
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play, where the file does not say.")] = None,
    seats_from: Annotated[
        int | None, typer.Option(help="0 or 1: what the first seat is called, where the file leaves it open.")
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="Points of win share within which a seat counts as balanced [default: 2]."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse the file when a row cannot be read.")
    ] = False,
    template: Annotated[
        bool, typer.Option("--template", help="Print a small example with comments.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a data set of games that people played: a row a game, or a row a game and seat.

    Rows that cannot be read are listed with their reason, and kept in left_out.csv beside the games (or --strict).

    Example: whimbrel import our-games.csv --map "Sieger=winner" -o runs/ours
    """
    from dataclasses import replace

    from analysis.data import importing

    if template:
        print(importing.TEMPLATE, end="")
        return
    mapping = importing.read_mapping(mapped or [])
    if players is not None or seats_from is not None:
        told = {"players": players, "seats_from": seats_from}
        changed = replace(mapping, **{k: v for k, v in told.items() if v is not None})  # type: ignore[arg-type]
        mapping = importing.read_mapping([], changed)
    if margin is not None:
        if not 0 < margin < 100:
            raise Refusal(f"--margin is a number of points between 0 and 100, not {margin:g}")
        mapping = replace(mapping, judge={**mapping.judge, "seat": margin / 100})
    found = importing.import_games(files or [], mapping, counts, strict)
    folder = out or Path("runs") / str(found.manifest["name"])
    maps = [Path(text) for text in mapped or [] if "=" not in text]
    write(folder, found, [*(files or []), *maps])
    if as_json:
        import analysis

        left_out = [vars(one) for one in found.left_out]
        seats = analysis.seat_balance(found.dataset()).to_dicts()
        print(
            json.dumps(
                {
                    "folder": str(folder),
                    "games": found.games,
                    "left_out": left_out,
                    "notes": found.notes,
                    "seats": seats,
                },
                ensure_ascii=False,
            )
        )
        return
    _tell(folder, found)


def _tell(folder: Path, found: Imported) -> None:
    from analysis.report.context import Context
    from analysis.report.seat_words import seat_sentences

    for note in found.notes:
        print(note)
    for one in found.left_out[:MOST_SHOWN]:
        print(f"left out: {one}")
    if len(found.left_out) > MOST_SHOWN:
        print(f"left out: {len(found.left_out) - MOST_SHOWN:,} more rows")
    if found.left_out:
        print(f"all {len(found.left_out):,} are in {folder / LEFT_OUT}, each with its reason")
    print(f"{found.games:,} games in {folder}")
    for line in seat_sentences(Context(found.dataset(), "p1")):
        print(line)
    print(f"next: whimbrel report {shlex.quote(str(folder))}")


LEFT_OUT = "left_out.csv"


def write(folder: Path, found: Imported, sources: list[Path]) -> None:
    """Write a data set: parts, what was left out, copies of the files, and last the manifest."""
    import csv
    import io

    from sim.batch.store import (
        CELLS,
        MANIFEST,
        append_commit,
        check_folder,
        locked,
        parquet_bytes,
        write_bytes,
        write_json,
        write_part,
    )

    if check_folder(folder):
        raise Refusal(
            f"'{folder}' holds a data set already; it is not overwritten: choose another folder with -o"
        )
    with locked(folder):
        parts = {}
        for table, frame in found.tables.items():
            (folder / table).mkdir(exist_ok=True)
            parts[table] = write_part(folder, table, 0, frame)
        if sources:
            (folder / "inputs").mkdir(exist_ok=True)
            for source in sources:
                write_bytes(folder / "inputs" / source.name, source.read_bytes())
        if found.left_out:
            text = io.StringIO(newline="")
            writer = csv.writer(text, delimiter=";")
            writer.writerow(["file", "line", "reason", "row"])
            writer.writerows([one.file, one.line, one.reason, one.text] for one in found.left_out)
            write_bytes(folder / LEFT_OUT, text.getvalue().encode("utf-8-sig"))
        write_bytes(folder / CELLS, parquet_bytes(found.cells, statistics=False))
        append_commit(folder, {"chunk": 0, "first_game_id": 0, "games": found.games, "parts": parts})
        write_json(folder / MANIFEST, found.manifest)
