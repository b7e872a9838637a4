"""Files as people keep them, as rows of text under headings: CSV, TSV, Parquet, JSON lines, spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from analysis.data.errors import Refusal, nearest

KINDS = (".csv", ".txt", ".tsv", ".tab", ".parquet", ".jsonl", ".ndjson", ".json", ".xlsx")
SEPARATORS = ";\t,|"
NAMES = {";": "semicolons", "\t": "tabs", ",": "commas", "|": "bars"}
COMMENT = "#"


@dataclass(frozen=True)
class LeftOut:
    """A row that is not in the data set: its file, its line, why, and what it says."""

    file: str
    line: int
    reason: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


@dataclass(frozen=True)
class Row:
    """A row of a file: its line, and the text under each heading."""

    file: str
    line: int
    cells: dict[str, str]

    def out(self, reason: str) -> LeftOut:
        """The row as one that is left out."""
        return LeftOut(self.file, self.line, reason, ";".join(self.cells.values()))


@dataclass(frozen=True)
class Sheet:
    """A file as rows.

    Attributes
    ----------
    name : str
        The file's name.
    heads : tuple of str
    rows : list of Row
    left_out : list of LeftOut
        Rows that do not fit under the headings.
    notes : list of str
        How the file was read, where that is not a matter of course.
    """

    name: str
    heads: tuple[str, ...]
    rows: list[Row]
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_sheet(path: Path) -> Sheet:
    """Read a file by the ending of its name.

    Raises
    ------
    Refusal
        The file cannot be read, is empty, is of no known kind, or has two columns of one name.
    """
    ending = path.suffix.lower()
    if ending not in KINDS:
        raise Refusal(
            f"{path}: files that can be read end in {', '.join(KINDS)}; not '{path.suffix}'{nearest(ending, KINDS)}"
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refusal(f"{path}: cannot be read ({error.strerror})") from None
    if not data.strip():
        raise Refusal(f"{path}: the file is empty")
    if ending == ".parquet":
        return _of_parquet(path)
    if ending == ".xlsx":
        return _of_spreadsheet(path)
    text, notes = _decoded(path, data)
    if ending in (".jsonl", ".ndjson", ".json"):
        return _of_json(path, text, notes)
    return _of_text(path, text, notes)


def _decoded(path: Path, data: bytes) -> tuple[str, list[str]]:
    """The text of a file, whatever the program that wrote it takes for text."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16"), ["read as UTF-16"]
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), ["read as Windows-1252, for it is no UTF-8"]
    except UnicodeDecodeError:
        raise Refusal(f"{path}: this is no text, neither UTF-8 nor Windows-1252") from None


def _of_text(path: Path, text: str, notes: list[str]) -> Sheet:
    lines = text.splitlines(keepends=True)
    skipped = 0
    while skipped < len(lines) and (not lines[skipped].strip() or lines[skipped].startswith(COMMENT)):
        skipped += 1
    if skipped == len(lines):
        raise Refusal(f"{path}: the file has no line with headings")
    head = lines[skipped]
    if head[:4].lower() == "sep=":  # spreadsheets write it for each other
        skipped, head = skipped + 1, lines[skipped + 1] if skipped + 1 < len(lines) else ""
    found = max(SEPARATORS, key=lambda mark: len(next(csv.reader([head], delimiter=mark), [])))
    if found != "," and found in head:
        notes = [*notes, f"columns are set apart by {NAMES[found]}"]
    reader = csv.reader(io.StringIO("".join(lines[skipped:]), newline=""), delimiter=found)
    records, last = [], 0
    try:
        for cells in reader:
            first, last = last + 1, reader.line_num
            if not (cells and cells[0].startswith(COMMENT)):
                records.append((skipped + first, cells))
    except csv.Error as error:
        raise Refusal(f"{path}, line {skipped + reader.line_num}: {error}") from None
    if not records:  # "sep=;" and nothing behind it
        raise Refusal(f"{path}: the file has no line with headings")
    return _sheet(path, list(records[0][1]), records[1:], notes)


def _of_parquet(path: Path) -> Sheet:
    import polars as pl

    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Refusal(f"{path}: not readable as Parquet ({str(error).splitlines()[0]})") from None
    return _sheet(
        path, frame.columns, [(k, [plain(v) for v in row]) for k, row in enumerate(frame.rows(), 1)], []
    )


def _of_json(path: Path, text: str, notes: list[str]) -> Sheet:
    entries: list[tuple[int, Any]] = []
    if path.suffix.lower() == ".json":
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Refusal(f"{path}: not readable as JSON ({error})") from None
        if not isinstance(whole, list):
            raise Refusal(f"{path}: a list of games is wanted, [{{...}}, {{...}}]")
        entries = list(enumerate(whole, 1))
    left_out = []
    if path.suffix.lower() != ".json":
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            try:
                entries.append((number, json.loads(line)))
            except (ValueError, RecursionError) as error:
                left_out.append(LeftOut(path.name, number, f"not readable as JSON ({error})", line.strip()))
    records = []
    for number, entry in entries:
        if isinstance(entry, dict):
            records.append((number, dict(_flat(entry))))
        else:
            left_out.append(LeftOut(path.name, number, "not a game in braces, {...}", json.dumps(entry)))
    heads = list(dict.fromkeys(head for _, cells in records for head in cells))
    sheet = _sheet(path, heads, [(k, [cells.get(h, "") for h in heads]) for k, cells in records], notes)
    return Sheet(sheet.name, sheet.heads, sheet.rows, [*left_out, *sheet.left_out], sheet.notes)


def _flat(entry: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """Names and texts; lists become ``score 1``, ``score 2``, ..., and lists of players ``name 1``, ``score 1``, ..."""
    for name, value in entry.items():
        if isinstance(value, list) and value and not all(isinstance(one, dict) for one in value):
            if all(isinstance(one, str) for one in value) and name.lower() in (
                "cards",
                "bans",
                "winner",
                "winners",
            ):
                yield name, "+".join(value)
            else:
                for k, one in enumerate(value, 1):
                    yield f"{name} {k}", plain(one)
        elif isinstance(value, list):
            for k, one in enumerate(value, 1):
                for key, text in _flat(one):
                    yield f"{key} {k}", text
        elif isinstance(value, dict):
            for key, text in _flat(value):
                yield f"{name} {key}", text
        else:
            yield name, plain(value)


def _of_spreadsheet(path: Path) -> Sheet:
    try:
        import openpyxl
    except ImportError:
        raise Refusal(
            f"{path}: to read spreadsheets, install the extra: pip install 'whimbrel[xlsx]' (or save it as CSV)"
        ) from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # the library raises whatever its parts raise
        raise Refusal(f"{path}: not readable as a spreadsheet ({str(error).splitlines()[0]})") from None
    names = book.sheetnames
    notes = [f"of {len(names)} sheets the first is read ('{names[0]}')"] if len(names) > 1 else []
    records = [
        (k, [plain(v) for v in row])
        for k, row in enumerate(book.worksheets[0].iter_rows(values_only=True), 1)
    ]
    book.close()
    while records and not any(records[0][1]):
        records = records[1:]
    if not records:
        raise Refusal(f"{path}: the sheet '{names[0]}' is empty")
    return _sheet(path, records[0][1], records[1:], notes)


def plain(value: Any) -> str:
    """A value as a person would have typed it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return (
            ""
            if value != value
            else str(int(value))
            if value == int(value) and abs(value) < 1e15
            else repr(value)
        )
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == value.time().min else value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, date) else str(value).strip()


def _sheet(
    path: Path, heads: Sequence[str], records: Iterable[tuple[int, Sequence[str]]], notes: list[str]
) -> Sheet:
    titles = [head.strip() for head in heads]
    while titles and not titles[-1]:
        titles.pop()
    titles = [title or f"column {k}" for k, title in enumerate(titles, 1)]
    if not titles:
        raise Refusal(f"{path}: the first line names no columns")
    folded = [title.casefold() for title in titles]
    for k, title in enumerate(folded):
        if title in folded[:k]:
            raise Refusal(
                f"{path}: two columns are called '{titles[k]}' (columns {folded.index(title) + 1} and {k + 1})"
            )
    rows, left_out = [], []
    for line, cells in records:
        texts = [cell.strip() for cell in cells]
        if not any(texts):
            continue
        beyond = [cell for cell in texts[len(titles) :] if cell]
        if beyond:
            reason = f"{len(texts)} cells where there are {len(titles)} columns"
            left_out.append(LeftOut(path.name, line, reason, ";".join(texts)))
            continue
        texts += [""] * (len(titles) - len(texts))
        rows.append(Row(path.name, line, dict(zip(titles, texts))))
    if not rows and not left_out:
        raise Refusal(f"{path}: there is no row below the headings")
    return Sheet(path.name, tuple(titles), rows, left_out, notes)
