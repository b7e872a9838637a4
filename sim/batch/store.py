"""Files of a data set: parts that appear whole or not at all, the commit log, the lock on the folder."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal

if TYPE_CHECKING:
    import polars as pl

MANIFEST, COMMITS, EXPERIMENT, CELLS = "manifest.json", "commits.jsonl", "experiment.toml", "cells.parquet"
TABLES = ("games", "seats", "pieces", "drafts", "turns", "decisions")
_OURS = (".lock", EXPERIMENT, CELLS, COMMITS, "inputs", *TABLES)


def write_bytes(path: Path, data: bytes, wait: bool = True) -> None:
    """Write a file that is there whole or not at all, also after a power cut.

    Without `wait` its name may be lost in one until its folder is synced.
    """
    temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}.tmp")
    with open(temporary, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    if wait:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable (where the system can)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def parquet_bytes(frame: pl.DataFrame, statistics: bool) -> bytes:
    """Return a frame as the bytes of a Parquet file (zstd)."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", statistics=statistics)
    return buffer.getvalue()


def write_part(
    folder: Path, table: str, chunk: int, frame: pl.DataFrame, wait: bool = True
) -> dict[str, Any]:
    """Write one part and return its entry for the commit log.

    The name ends with the content's hash: the same games give the same name, so that a part whose commit was
    lost is replaced by itself. Without `wait` it is `append_commit` that makes the name durable.
    """
    data = parquet_bytes(frame, statistics=table == "games")  # others are read whole; it costs a quarter
    digest = hashlib.sha256(data).hexdigest()
    name = f"{table}/part-{chunk:05d}-{digest[:8]}.parquet"
    write_bytes(folder / name, data, wait)
    return {"file": name, "rows": frame.height, "bytes": len(data), "sha256": digest}


def append_commit(folder: Path, *entries: Mapping[str, Any]) -> None:
    """Append lines to the commit log, once the names of their parts are durable; wait until they are on the disk."""
    for table in sorted({table for entry in entries for table in entry["parts"]}):
        sync_folder(folder / table)
    with open(folder / COMMITS, "ab") as file:
        file.write(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))
        file.flush()
        os.fsync(file.fileno())


def read_commits(folder: Path, cut: bool = False) -> list[dict[str, Any]]:
    """Read the commit log.

    Parameters
    ----------
    cut
        Remove a torn last line from the file, so that the next line starts on its own.

    Raises
    ------
    Refusal
        A line before the last one is damaged.
    """
    path = folder / COMMITS
    if not path.exists():
        return []
    data = path.read_bytes()
    entries: list[dict[str, Any]] = []
    good = 0
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        end = good + len(line) + 1
        try:
            entry = json.loads(line) if line.strip() else None
            torn = entry is not None and (number == len(lines) or "parts" not in entry)
        except (ValueError, RecursionError):
            entry, torn = None, True
        if torn:
            if number < len(lines) and any(rest.strip() for rest in lines[number:]):
                raise Refusal(f"'{path}', line {number} is damaged; this data set cannot be used")
            break
        if entry is not None:
            entries.append(entry)
        good = min(end, len(data))
    if cut and good < len(data):
        with open(path, "r+b") as file:
            file.truncate(good)
            os.fsync(file.fileno())
    return entries


def covered(entry: Mapping[str, Any]) -> list[Any]:
    """Return what a line of the commit log holds (`sim.batch.layout.Done`).

    Of each chunk of the layout its number, first rank, rank behind the last, and its cells where these are not all.
    """
    if "covers" in entry:  # several chunks that were put together
        return [tuple(part) for part in entry["covers"]]
    some = [entry["cells"]] if "cells" in entry else []
    return [(entry["of"], entry["from"], entry["to"], *some)]


def last_chunk(entry: Mapping[str, Any]) -> int:
    """Return the number of the last chunk that a line of the commit log holds."""
    return int(entry.get("last", entry["chunk"]))


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a data set.

    Raises
    ------
    Refusal
        The folder is missing, holds something else, or its manifest is damaged.
    """
    if not folder.is_dir():
        raise Refusal(f"there is no folder '{folder}'")
    path = folder / MANIFEST
    if not path.is_file():
        raise Refusal(f"'{folder}' is not a Whimbrel data set: it has no {MANIFEST}")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8-sig"))
        schema = manifest["schema"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise Refusal(f"'{path}' is damaged: it cannot be read as a manifest") from None
    if schema not in (1, 2):
        raise Refusal(f"'{folder}' has schema version {schema}; this Whimbrel reads versions 1 and 2")
    return dict(manifest)


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write readable JSON, whole or not at all."""
    write_bytes(path, (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())


def check_folder(folder: Path) -> bool:
    """Return whether `folder` already holds a data set.

    Raises
    ------
    Refusal
        It is a file, or holds things that no run of ours has left there.
    """
    if not folder.exists():
        return False
    if not folder.is_dir():
        raise Refusal(f"'{folder}' is a file, not a folder")
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError as error:
        raise Refusal(f"cannot read the folder '{folder}': {error.strerror}") from None
    if MANIFEST in names:
        return True
    strange = [name for name in names if name not in _OURS and not name.endswith(".tmp")]
    if strange:
        raise Refusal(
            f"'{folder}' holds other things ('{min(strange)}') and no data set; choose another folder"
        )
    return False


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder and hold it: two runs must not mix their games.

    Raises
    ------
    Refusal
        Another run holds it, or it cannot be written to.
    """
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(str(folder / ".lock"), timeout=0)
        lock.acquire()
    except Timeout:
        raise Refusal(
            f"another run is writing into '{folder}'; wait for it, or choose another folder"
        ) from None
    except (OSError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Refusal(f"cannot write into the folder '{folder}': {reason}") from None
    try:
        yield
    finally:
        lock.release()


def sweep(folder: Path, committed: list[dict[str, Any]]) -> None:
    """Remove what killed runs have left: temporary files and parts that were never committed."""
    kept = {part["file"] for entry in committed for part in entry["parts"].values()}
    for table in TABLES:
        for path in (folder / table).glob("*"):
            if path.name.endswith(".tmp") or (
                path.suffix == ".parquet" and f"{table}/{path.name}" not in kept
            ):
                path.unlink(missing_ok=True)
    for path in folder.glob(".*.tmp"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def broken(folder: Path, committed: Sequence[dict[str, Any]], deep: bool = False) -> dict[str, str]:
    """Return the committed parts that are not as they were written, and what is the matter with each.

    Parameters
    ----------
    deep
        Read and hash every part; else only missing files and other sizes are seen.
    """
    found = {}
    for entry in committed:
        for part in entry["parts"].values():
            path = folder / part["file"]
            try:
                size = path.stat().st_size
                if size != part.get("bytes", size):
                    found[part["file"]] = f"is damaged: {size:,} bytes where {part['bytes']:,} were committed"
                elif deep and digest(path) != part.get("sha256", digest(path)):
                    found[part["file"]] = "is damaged: its content is not what was committed"
            except FileNotFoundError:
                found[part["file"]] = "is missing"
            except OSError as error:
                found[part["file"]] = f"cannot be read: {error.strerror}"
    return found


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_parts(folder: Path, committed: list[dict[str, Any]]) -> None:
    """Refuse a data set with a committed part that is missing or cut short."""
    for file, matter in broken(folder, committed).items():
        raise Refusal(
            f"'{folder}' is damaged: '{file}' {matter}; the same command with --repair plays it again"
        )


def drop_broken(folder: Path, committed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Take the chunks of broken parts out of the commit log and return what is left; their games are played again."""
    bad = broken(folder, committed, deep=True)
    left = [entry for entry in committed if not any(part["file"] in bad for part in entry["parts"].values())]
    if len(left) < len(committed):
        write_bytes(folder / COMMITS, b"".join(json.dumps(entry).encode() + b"\n" for entry in left))
    return left
