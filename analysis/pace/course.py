"""How long games last, how wide the choice is, how they end, and how often the lead changes. (T1, T2, T6)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.data.measures import MINUTES, minutes, pace_of

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None
Floats = NDArray[np.float64]

TAKEN = ("turns", "decisions", MINUTES)
QUANTILES = {"q10": 0.1, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q90": 0.9}


def length(d: Dataset, by: By = None) -> pl.DataFrame:
    """Length of games in turns and in decisions, and in minutes where there is a pace.

    Games stopped by the cap count as "at least so long": quantiles are Kaplan and Meier's, null where they
    are not reached, and the mean is a lower bound then (the note says so).

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, measure`` (``turns``, ``decisions``, ``minutes``), ``estimate`` (mean), ``low,
        high, q10, q25, q50, q75, q90, least, most, capped`` (share stopped), ``games, deals, blocks, method,
        note``.
    """
    import polars as pl

    have = d.games.collect_schema().names()
    games = read_games(d, by, [name for name in TAKEN if name in have])
    stopped = games.stopped
    taken = {name: floats(games.frame, name) for name in TAKEN if name in have}
    pace = None if MINUTES in taken else pace_of(d)
    if pace and {"turns", "decisions"} <= set(have):
        taken[MINUTES] = minutes(games)
    if not any(np.isfinite(each).any() for each in taken.values()):
        raise Refusal(f"{d.name}: how long games took was not recorded (none of {', '.join(TAKEN)})")
    rows = []
    for labels, every in games.groups(split_players=True):
        for measure, each in taken.items():
            members = _of(every, each)
            if len(members) == 0:
                continue
            blocks, cut, values = games.blocks[members], stopped[members], each[members]
            mean, cov = stats.block_means(values[:, None], blocks)
            low, high = stats.effects(mean, np.sqrt(cov[0]), blocks.number, values.std()).interval()
            behind = games.average(
                members, "mean; quantiles by Kaplan-Meier" if cut.any() else "mean; quantiles"
            )
            if measure == MINUTES and pace:
                behind["method"] = f"{pace.label}; {behind['method']}"
            if cut.any():
                behind["note"] = _and(behind["note"], "the mean is a lower bound: some games were stopped")
            behind["note"] = _and(behind["note"], _unknown(len(every) - len(members), measure))
            rows.append(
                {
                    **labels,
                    "measure": measure,
                    "estimate": mean[0],
                    "low": low[0],
                    "high": high[0],
                    **_quantiles(values, cut),
                    "least": values.min(),
                    "most": values.max(),
                    "capped": float(cut.mean()),
                    **behind,
                }
            )
    head = [
        *games.by,
        "players",
        "sides",
        "measure",
        "estimate",
        "low",
        "high",
        *QUANTILES,
        "least",
        "most",
        "capped",
    ]
    return tidy(pl.DataFrame(rows, infer_schema_length=None), head)


def _and(note: str, more: str) -> str:
    return "; ".join(part for part in (note, more) if part)


def _unknown(games: int, what: str) -> str:
    return f"{what} of {games:,} {'game is' if games == 1 else 'games are'} not known" if games else ""


def _known(games: Games, name: str) -> Floats:
    """A column of games as numbers; refuses one without any."""
    values = floats(games.frame, name)
    if not np.isfinite(values).any():
        raise Refusal(f"{games.data.name}: '{name}' of the games has no value at all")
    return values


def ties(d: Dataset, by: By = None) -> pl.DataFrame:
    """Share of games in which several players (or sides) share the first place.

    Returns
    -------
    polars.DataFrame
        ``by.., players, estimate, low, high, games, deals, blocks, method, note``.
    """
    games = read_games(d, by, ("tied",))
    return _share_frame(
        games, {"tied": _known(games, "tied") > 1}, None, np.isfinite(floats(games.frame, "tied"))
    )


def end_reasons(d: Dataset, by: By = None) -> pl.DataFrame:
    """How games ended, as shares of all games; no game is left out.

    Returns
    -------
    polars.DataFrame
        ``by.., players, ended, estimate, low, high, count, games, deals, blocks, method, note``.
    """
    import polars as pl

    games = read_games(d, by, ("ended",))
    ended = games.frame["ended"].cast(pl.String).fill_null("not recorded").to_numpy()
    listed = [str(c) for c in (d.manifest.get("categories") or {}).get("ended", [])]
    seen = set(ended.tolist())
    return _share_frame(games, {c: ended == c for c in [*listed, *sorted(seen - set(listed))]}, "ended")


def lead_changes(d: Dataset, by: By = None) -> pl.DataFrame:
    """How often the lead changes hands in a game.

    Returns
    -------
    polars.DataFrame
        ``by.., players, lead_changes, estimate`` (share of games), ``low, high, mean, mean_low, mean_high``
        (changes a game, the same in all rows of a group), ``games`` (with so many changes), ``of_games,
        deals, blocks, method, note``.
    """
    import polars as pl

    games = read_games(d, by, ("lead_changes",))
    each = _known(games, "lead_changes")
    rows: list[dict[str, Any]] = []
    for labels, every in games.groups(split_players=True):
        members = _of(every, each)
        if len(members) == 0:
            continue
        blocks, values = games.blocks[members], each[members].astype(np.int64)
        mean, cov = stats.block_means(values[:, None].astype(np.float64), blocks)
        low, high = stats.effects(mean, np.sqrt(cov[0]), blocks.number, values.std()).interval()
        behind = games.average(members, "share of games")
        behind["note"] = _and(behind["note"], _unknown(len(every) - len(members), "the lead changes"))
        for value in range(int(values.min()), int(values.max()) + 1):
            count = int((values == value).sum())
            row = {**labels, "lead_changes": value, **_share(values == value, blocks)}
            row |= {"mean": mean[0], "mean_low": max(low[0], 0.0), "mean_high": high[0]}
            rows.append({**row, **behind, "games": count, "of_games": len(members)})
    head = [
        *games.by,
        "players",
        "sides",
        "lead_changes",
        "estimate",
        "low",
        "high",
        "mean",
        "mean_low",
        "mean_high",
    ]
    return tidy(pl.DataFrame(rows, infer_schema_length=None), head)


def _of(every: NDArray[np.int64], each: Floats) -> NDArray[np.int64]:
    """The games of `every` in which a measure is known; itself where it is in all."""
    known = np.isfinite(each[every])
    return every if known.all() else every[known]


def choice_width(d: Dataset) -> pl.DataFrame:
    """How many options a decision offers: over whole games, and turn by turn where decisions were logged.

    Returns
    -------
    polars.DataFrame
        ``players, sides, scope`` (``game`` or ``turn``), ``turn`` (null for ``game``), ``estimate`` (mean
        options at a decision), ``low, high, q10, q50, q90`` (of decisions in a turn; of seats' means in a
        game), ``decisions, games, deals, blocks, method, note``.
    """
    import polars as pl

    if missing := {"decisions", "options_mean"} - set(d.seats.collect_schema().names()):
        raise Refusal(
            f"{d.name}: how many options there were was not recorded ({', '.join(sorted(missing))})"
        )
    games = read_games(d)
    seats = d.seats.select("game_id", "decisions", "options_mean").with_columns(
        width=pl.col("options_mean").cast(pl.Float64) * pl.col("decisions")
    )
    per_game = (
        seats.filter(pl.col("options_mean").is_not_null())
        .group_by("game_id")
        .agg(pl.col("width").sum(), pl.col("decisions").sum())
        .collect()
    )
    rows: list[dict[str, Any]] = []
    whole = games.frame.select("game_id").join(per_game, on="game_id", how="left", maintain_order="left")
    total, number = (whole[c].fill_null(0).to_numpy().astype(np.float64) for c in ("width", "decisions"))
    spread = (
        d.seats.filter(pl.col("options_mean").is_not_null())
        .join(_tables(games), on="game_id")
        .group_by("players", "sides")
        .agg(*(pl.col("options_mean").quantile(q).cast(pl.Float64).alias(n) for n, q in _spread().items()))
        .collect()
    )
    for labels, members in games.groups(split_players=True):
        here = (pl.col("players") == labels["players"]) & (pl.col("sides") == labels["sides"])
        quantiles = spread.filter(here).drop("players", "sides").to_dicts()
        if number[members].sum() > 0:
            row = _ratio_row(games, members, total[members], number[members])
            rows.append(
                {**labels, "scope": "game", "turn": None, **row, **(quantiles[0] if quantiles else {})}
            )
    if d.has("decisions"):
        rows += _by_turn(d, games)
    head = ["players", "sides", "scope", "turn", "estimate", "low", "high", *_spread(), "decisions"]
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col("turn").cast(pl.Int64))
    return tidy(frame, head)


def _by_turn(d: Dataset, games: Games) -> list[dict[str, Any]]:
    import polars as pl

    sums = (
        d.decisions.group_by("game_id", "turn")
        .agg(pl.col("options").cast(pl.Float64).sum().alias("width"), pl.len().alias("number"))
        .sort("turn", "game_id")
        .collect()
    )
    spread = (
        d.decisions.join(_tables(games), on="game_id")
        .group_by("players", "sides", "turn")
        .agg(*(pl.col("options").quantile(q).cast(pl.Float64).alias(n) for n, q in _spread().items()))
        .collect()
    )
    known = {(row["players"], row["sides"], row["turn"]): row for row in spread.iter_rows(named=True)}
    ids = games.frame["game_id"].to_numpy()
    rows: list[dict[str, Any]] = []
    for (turn,), part in sums.group_by("turn", maintain_order=True):
        at = np.searchsorted(ids, part["game_id"].to_numpy())
        for n, sides in games.tables:
            these = games.at_table(n, sides)[at]
            if not these.any():
                continue
            total = part["width"].to_numpy()[these]
            number = part["number"].to_numpy()[these].astype(np.float64)
            quantiles = {name: known[n, sides, turn][name] for name in _spread()}
            row = _ratio_row(games, at[these], total, number)
            rows.append({"players": n, "sides": sides, "scope": "turn", "turn": turn, **row, **quantiles})
    return sorted(rows, key=lambda row: (row["players"], row["sides"], row["turn"]))


def _tables(games: Games) -> pl.LazyFrame:
    import polars as pl

    return games.frame.select("game_id", "players", sides=pl.Series(games.sides)).lazy()


def _spread() -> dict[str, float]:
    return {name: QUANTILES[name] for name in ("q10", "q50", "q90")}


def _ratio_row(games: Games, members: NDArray[np.int64], total: Floats, number: Floats) -> dict[str, Any]:
    """Mean options at a decision: a ratio of sums, with errors by block."""
    mean = float(total.sum() / number.sum())
    blocks = games.blocks[members]
    influence = (total - mean * number) / number.sum()
    se = float(np.sqrt(stats.covariance(influence[:, None], blocks)[0, 0]))
    low, high = stats.effects(mean, se, blocks.number).interval()
    return {
        "estimate": mean,
        "low": low[0],
        "high": high[0],
        "decisions": int(number.sum()),
        **games.average(members, "mean over decisions", blocks),
    }


def _share(flags: NDArray[np.bool_], blocks: stats.Blocks) -> dict[str, float]:
    mean, cov = stats.block_means(flags[:, None].astype(np.float64), blocks)
    low, high = stats.shares(mean, cov[0], blocks).interval()
    return {"estimate": float(mean[0]), "low": low[0], "high": high[0]}


def _share_frame(
    games: Games,
    flags: dict[str, NDArray[np.bool_]],
    name: str | None,
    known: NDArray[np.bool_] | None = None,
) -> pl.DataFrame:
    import polars as pl

    rows: list[dict[str, Any]] = []
    for labels, every in games.groups(split_players=True):
        members = every if known is None else every[known[every]]
        if len(members) == 0:
            continue
        blocks = games.blocks[members]
        behind = games.average(members, "share of games", blocks)
        for word, flag in flags.items():
            own = {} if name is None else {name: word}
            row = {**labels, **own, **_share(flag[members], blocks), "count": int(flag[members].sum())}
            rows.append({**row, **behind})
    head = [*games.by, "players", "sides", *([name] if name else []), "estimate", "low", "high", "count"]
    return tidy(pl.DataFrame(rows, infer_schema_length=None), head)


def _quantiles(values: Floats, cut: NDArray[np.bool_]) -> dict[str, float]:
    """Quantiles of lengths of which some are only known to be at least so long; NaN where not reached."""
    from scipy.stats import CensoredData, ecdf

    if not cut.any():
        found = np.quantile(values, list(QUANTILES.values()), method="inverted_cdf")
        return dict(zip(QUANTILES, found.tolist(), strict=True))
    if cut.all():
        return dict.fromkeys(QUANTILES, float("nan"))
    curve = ecdf(CensoredData(uncensored=values[~cut], right=values[cut])).cdf
    at, share = curve.quantiles, curve.probabilities
    out = {}
    for name, q in QUANTILES.items():
        reached = np.flatnonzero(share >= q - 1e-12)
        out[name] = float(at[reached[0]]) if len(reached) else float("nan")
    return out
