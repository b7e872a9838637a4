"""Several runs as one data set: categories joined, ids kept apart, and what differs in their design named.

Deals that come from one seed are one deal in all runs, so that versions that were played on the same deals are
compared on them. Runs of one design are more games of the same; runs that differ in it have the column `RUN` in their
cells, which is a factor: nothing is averaged over it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.data.errors import Refusal
from analysis.data.parts import TABLES, with_categories
from analysis.data.questions import told
from analysis.data.uneven import shares
from analysis.stats.spending import least_alpha

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

RUN = "run"
SAME = ("game", "schema")
LABELS = ("name", "question", "design_version", "judge", "pace", "ask", "seed", "games")
"""Keys of an experiment that change no game."""
MOST_TOLD = 12


def pool(runs: Sequence[Dataset], apart: bool | None = None) -> Dataset:
    """Several data sets of one game as one.

    Parameters
    ----------
    runs : list of Dataset
    apart : bool, optional
        Whether cells say which run they are of (`RUN`, a factor); by default where the designs differ.

    Raises
    ------
    Refusal
        The runs are of different games.
    """
    import polars as pl

    from analysis.data.dataset import Dataset

    if len(runs) < 2:
        raise Refusal("pool: name at least two data sets")
    games = list(dict.fromkeys(str(d.manifest.get("game")) for d in runs))
    if len(games) > 1:
        raise Refusal(f"games of {' and of '.join(games)} cannot be pooled")
    names = run_names(runs)
    differences = design_differences(runs)
    split = bool(differences) if apart is None else apart
    deals, shared = _deals(runs)
    people = list(dict.fromkeys(name for d in runs for name in _people(d)))
    tables: dict[str, list[pl.LazyFrame]] = {name: [] for name in TABLES if all(d.has(name) for d in runs)}
    cells, first = [], [0, 0]
    ended: dict[int, float] = {}
    for d, name, numbers in zip(runs, names, deals, strict=True):
        ids = d.games.select(
            pl.col("game_id").min().alias("low"), pl.col("game_id").max().alias("high")
        ).collect()
        if ids["low"][0] is None:
            raise Refusal(f"{d.name}: no games")
        numbered = np.sort(d.cells["cell"].to_numpy())
        move_game, move_cell = first[0] - int(ids["low"][0]), first[1] - int(numbered[0])
        for table in tables:
            codes = [people.index(one) for one in _people(d)] if table == "seats" else []
            tables[table].append(_moved(d.table(table), move_game, move_cell, numbers, codes))
        moved = d.cells.with_columns((pl.col("cell") + move_cell).cast(pl.Int32))
        cells.append(moved.with_columns(pl.lit(name).alias(RUN)) if split else moved)
        ended |= {cell + move_cell: share for cell, share in shares(d.manifest).items()}
        first = [move_game + int(ids["high"][0]) + 1, move_cell + int(numbered[-1]) + 1]
    manifest = _manifest(runs, names, differences, split, shared)
    looks = [alpha for d in runs if (alpha := least_alpha(d.manifest.get("stop")))]
    manifest["stop"] = {"alpha": min(looks), "shares": ended} if looks else None
    joined = {
        table: with_categories(pl.concat(frames, how="diagonal_relaxed"), manifest)
        for table, frames in tables.items()
    }
    whole = pl.concat([_as_text(frame, cells) for frame in cells], how="diagonal_relaxed")
    return Dataset(manifest, whole, joined, None, [], conditioned={c for d in runs for c in d.conditioned})


def design_differences(runs: Sequence[Dataset]) -> list[str]:
    """What tells the runs' designs apart, each as one line: ``players.count: 2 / 3``."""
    found = []
    flat = [_design(d) for d in runs]
    for key in dict.fromkeys(key for one in flat for key in one):
        values = [str(one.get(key, "not set")) for one in flat]
        if len(set(values)) > 1:
            found.append(f"{key}: {' / '.join(values)}")
    return found


def _design(d: Dataset) -> dict[str, Any]:
    """Everything that makes its games what they are, under dotted keys."""
    experiment = {k: v for k, v in (d.manifest.get("experiment") or {}).items() if k not in LABELS}
    out = dict(_flat(experiment))
    out["rules"] = d.manifest.get("rules_version")
    for bot, version in (d.manifest.get("bots_versions") or {}).items():
        out[f"bot {bot}"] = version
    if d.manifest.get("imported"):
        out["played by"] = "people"
    return {k: v for k, v in out.items() if v not in (None, "", [], {})}


def _flat(table: Mapping[str, Any], head: str = "") -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = []
    for key, value in table.items():
        out += _flat(value, f"{head}{key}.") if isinstance(value, Mapping) else [(f"{head}{key}", value)]
    return out


def run_names(runs: Sequence[Dataset]) -> list[str]:
    """A name for each run: that of its experiment, of its folder where two are alike, numbered at last."""
    names = [d.name for d in runs]
    if len(set(names)) < len(names):
        names = [d.path.resolve().name if d.path else d.name for d in runs]
    if len(set(names)) < len(names):
        names = [f"{name} ({k})" for k, name in enumerate(names, 1)]
    return names


def _deals(runs: Sequence[Dataset]) -> tuple[list[pl.DataFrame], int]:
    """Numbers of the deals of each run (``deal``, ``new``), equal where the seed is, and how many deals are shared."""
    import polars as pl

    frames = []
    for k, d in enumerate(runs):
        have = d.games.collect_schema().names()
        key = pl.col("seed").cast(pl.String) if "seed" in have else pl.lit(None, dtype=pl.String)
        own = pl.format("{}:{}", pl.lit(k), pl.col("deal"))
        frame = d.games.select("deal", key=pl.coalesce(key, own)).unique(subset="deal", maintain_order=True)
        frames.append(frame.collect())
    every = pl.concat([frame.select("key").unique() for frame in frames])
    counts = every.group_by("key", maintain_order=True).len().with_row_index("new")
    number = counts.select("key", pl.col("new").cast(pl.Int64))
    out = [
        frame.join(number, on="key", how="left", maintain_order="left").select("deal", "new")
        for frame in frames
    ]
    return out, int((counts["len"] > 1).sum())


def _people(d: Dataset) -> list[str]:
    """Names of the players, by which column `player` counts."""
    return [str(name) for name in (d.manifest.get("categories") or {}).get("player") or []]


def _moved(
    frame: pl.LazyFrame, game: int, cell: int, deals: pl.DataFrame, codes: Sequence[int]
) -> pl.LazyFrame:
    import polars as pl

    schema = frame.collect_schema()
    moved = [(pl.col("game_id").cast(pl.Int64) + game)]
    if codes and "player" in schema:
        moved.append(pl.col("player").cast(pl.Int64).replace(dict(enumerate(codes))))
    if "cell" in schema:
        moved.append((pl.col("cell").cast(pl.Int32) + cell).cast(pl.Int32))
    texts = [
        pl.col(name).cast(pl.String)
        for name, kind in schema.items()
        if isinstance(kind, pl.Enum | pl.Categorical)
    ]
    frame = frame.with_columns(*moved, *texts)
    if "deal" not in schema:
        return frame
    known = deals.lazy().with_columns(pl.col("deal").cast(schema["deal"]))
    joined = frame.join(known, on="deal", how="left", maintain_order="left")
    return joined.with_columns(pl.col("new").alias("deal")).drop("new")


def _as_text(frame: pl.DataFrame, every: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The cells with columns as texts where the runs have them in several types."""
    import polars as pl

    kinds: dict[str, set[str]] = {}
    for one in every:
        for name, kind in one.schema.items():
            kinds.setdefault(name, set()).add("number" if kind.is_numeric() else str(kind))
    return frame.with_columns(pl.col(n).cast(pl.String) for n in frame.columns if len(kinds[n]) > 1)


def _manifest(
    runs: Sequence[Dataset], names: list[str], differences: list[str], split: bool, shared: int
) -> dict[str, Any]:
    manifest = dict(runs[0].manifest)
    every = [d.manifest.get("categories") or {} for d in runs]
    manifest["categories"] = {
        kind: list(dict.fromkeys(str(value) for one in every for value in one.get(kind) or []))
        for kind in dict.fromkeys(kind for one in every for kind in one)
    }
    manifest["name"] = " + ".join(names)
    manifest["bots_used"] = list(
        dict.fromkeys(bot for d in runs for bot in d.manifest.get("bots_used") or [])
    )
    factors = list(dict.fromkeys(f for d in runs for f in told(d.manifest, d.cells)))
    manifest["factors"] = [*([RUN] if split else []), *factors]
    manifest["drawn"] = {k: v for d in runs for k, v in (d.manifest.get("drawn") or {}).items()}
    manifest["lever"] = runs[0].manifest.get("lever") if all(d.manifest.get("lever") for d in runs) else None
    manifest["tiers"] = None
    manifest["rotations"] = runs[0].manifest.get("rotations") if not differences else None
    manifest["piece_total"] = runs[0].manifest.get("piece_total") if not differences else None
    manifest["log"] = runs[0].manifest["log"] if len({d.manifest["log"] for d in runs}) == 1 else "games"
    for key in ("schema_tables", "experiment_hash", "stand_ins_run", "games_per_cell", "places"):
        manifest.pop(key, None)
    experiment = dict(manifest.get("experiment") or {})
    experiment.pop("ask", None)
    if split:
        experiment["vary"] = {RUN: names, **(experiment.get("vary") or {})}
    if experiment:
        manifest["experiment"] = experiment
    manifest["pooled"] = {"runs": names, "differences": differences, "shared_deals": shared}
    return manifest
