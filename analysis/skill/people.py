"""Seats among equally strong players, decks and cards beside each other, and how strong each player is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.stats.mixed import TAKEN, MixedFit, mixed_logit

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
ASSOCIATION = "an association: nobody was told by lot where to sit or what to play"
CANNOT_TELL = "cannot be told apart"
MOST_COLUMNS = 400


@dataclass(frozen=True)
class _Model:
    """Columns of the model: seats of each kind of table (free), players, decks and cards (drawn)."""

    games: Games
    fit: MixedFit
    seats: dict[tuple[int, int], NDArray[np.int64]]
    players: list[str]
    held: list[tuple[str, str]]
    first_player: int
    first_mean: int
    first_held: int
    flat: NDArray[np.float32]
    code: NDArray[np.int64]
    means: Floats

    @property
    def who(self) -> NDArray[np.int64]:
        """Columns that belong to the players."""
        return np.arange(self.first_player, self.first_held)

    @property
    def strength(self) -> Floats:
        """What each player's strength is made of (players, k): an own effect, and that of where players like to sit."""
        out = np.zeros((len(self.players), len(self.fit.beta)))
        out[:, self.first_player : self.first_mean] = np.eye(len(self.players))
        out[:, self.first_mean : self.first_held] = self.means
        return out


def _model(d: Dataset, held: bool, rated: bool = True) -> _Model:
    games = read_games(d)
    names, code = _players(d, games) if rated else ([], np.zeros(len(games.seat), dtype=np.int64))
    seats: dict[tuple[int, int], NDArray[np.int64]] = {}
    k = 0
    for n, sides in games.tables:
        seats[n, sides] = np.arange(k, k + n - 1)
        k += n - 1
    first_player = k
    first_mean = k = k + len(names)
    k += first_player if names else 0
    what = _held(d, games) if held else {}
    first_held, k = k, k + len(what)
    if k > MOST_COLUMNS:
        raise Refusal(
            f"{d.name}: {k} players, decks and cards: more than {MOST_COLUMNS} are not adjusted for"
        )
    flat = np.zeros((len(games.seat), k), dtype=np.float32)
    for (n, sides), columns in seats.items():
        here = games.at_table(n, sides)[games.game]
        for seat in range(n - 1):
            flat[here & (games.seat == seat), columns[seat]] = 1
            # effects against the average seat: the last one has minus the sum of the others
        flat[np.ix_(here & (games.seat == n - 1), columns)] = -1
    means = np.zeros((len(names), first_player))
    if names:
        flat[np.arange(len(flat)), first_player + code] = 1
        # Strong players may like some seats. An effect that is drawn towards 0 would leave part of their strength to
        # the seat; where each of them sits on average takes it up (Mundlak 1978).
        often = np.bincount(code, minlength=len(names))
        for column in range(first_player):
            means[:, column] = np.bincount(code, weights=flat[:, column], minlength=len(names)) / often
        flat[:, first_mean : first_mean + first_player] = means[code]
    for i, values in enumerate(what.values()):
        flat[:, first_held + i] = values
    rows = np.arange(len(games))
    x, credit, mask = games.choices(flat, rows)
    groups = [np.arange(first_player, first_player + len(names))] if names else []
    groups += [
        np.array([first_held + i for i, key in enumerate(what) if key[0] == kind])
        for kind in dict.fromkeys(key[0] for key in what)
    ]
    fit = mixed_logit(x, credit, groups, games.blocks, mask)
    return _Model(
        games, fit, seats, names, list(what), first_player, first_mean, first_held, flat, code, means
    )


def _players(d: Dataset, games: Games) -> tuple[list[str], NDArray[np.int64]]:
    if "player" not in d.seats.collect_schema().names() or not (d.manifest.get("categories") or {}).get(
        "player"
    ):
        raise Refusal(f"{d.name}: the players are not named")
    who = games.who("player")
    names, code = np.unique(who, return_inverse=True)
    if len(names) < 2:
        raise Refusal(f"{d.name}: only one player is named")
    return [str(name) for name in names], code.ravel()


def _held(d: Dataset, games: Games) -> dict[tuple[str, str], Floats]:
    """Decks and cards that seats held, as columns over flat seats."""
    out: dict[tuple[str, str], Floats] = {}
    if "deck" in d.seats.collect_schema().names():
        decks = games.who("deck")
        for name in sorted(set(decks.tolist()) - {""}):
            out["deck", name] = (decks == name).astype(np.float64)
    if d.has("pieces") and "owned" in d.pieces.collect_schema().names():
        counts = games.piece_counts("owned", d.piece_names)
        for i, name in enumerate(d.piece_names):
            out["card", name] = counts[:, i].astype(np.float64)
    return {key: values for key, values in out.items() if 0 < (values > 0).mean() < 1}


def seats_among_equals(d: Dataset) -> pl.DataFrame:
    """Win share of each seat as it was, and among equally strong players.

    A conditional logit of who won on seat and player within games; players' strengths are drawn from a bell curve whose
    spread is found from the data, so that who played twice is not thought to be a master.

    Returns
    -------
    polars.DataFrame
        ``players, sides, seat, fair, raw, raw_low, raw_high, estimate, low, high, low_joint, high_joint, p, q,
        verdict, sits`` (by how much those who sat there were stronger than the others at their tables, in win share),
        ``own`` (share of the information on the seats that does not hang on who sat there), ``spread`` (of the players,
        in log odds), ``named`` (players), ``games, deals, blocks, method, note``. Where the same people always sit in
        the same seats the verdict is ``cannot be told apart``. Everything here is an association.
    """
    import polars as pl

    model = _model(d, held=False)
    games, fit = model.games, model.fit
    rating = (model.strength @ fit.beta)[model.code]
    rows: list[dict[str, Any]] = []
    found: list[stats.Estimates] = []
    for (n, sides), columns in model.seats.items():
        members = np.flatnonzero(games.at_table(n, sides))
        own = fit.own(columns, model.who)
        shares, cov = _among_equals(fit, columns, n, sides, games, members)
        blocks = games.blocks[members]
        found.append(stats.shares(shares, np.diag(cov), blocks, fitted=True))
        won = games.pad(games.win_share, members)
        mean, spread = stats.block_means(won, blocks)
        raw_low, raw_high = stats.shares(mean, np.diag(spread), blocks).interval()
        strong = games.pad(rating, members)
        sits = (strong - strong.mean(axis=1, keepdims=True)).mean(axis=0) * n / (n - 1) * fit.slope
        behind = games.average(members, "conditional logit within games on seat and player (drawn)", blocks)
        behind["note"] = "; ".join(part for part in (behind["note"], ASSOCIATION) if part)
        for seat in range(n):
            rows.append(
                {
                    "players": n,
                    "sides": sides,
                    "seat": seat,
                    "fair": 1 / sides,
                    "raw": mean[seat],
                    "raw_low": raw_low[seat],
                    "raw_high": raw_high[seat],
                    "sits": float(sits[seat]),
                    "own": own,
                    "spread": fit.spreads[0],
                    "named": len(model.players),
                    **behind,
                }
            )
    every = stats.join(found)
    fair = np.array([row["fair"] for row in rows])
    margin = d.judge.seat
    tests = float(sum(1 if len(part) == 2 else len(part) for part in found))
    ruled = stats.judge(
        every, fair - margin, fair + margin, stats.FAVOUR, tests=tests, instead=games.no_verdict
    )
    low, high = every.interval()
    words = [CANNOT_TELL if row["own"] < TAKEN else word for row, word in zip(rows, ruled.words)]
    frame = pl.DataFrame(rows, nan_to_null=True).with_columns(
        estimate=pl.Series(every.value),
        low=pl.Series(low),
        high=pl.Series(high),
        low_joint=pl.Series(ruled.low),
        high_joint=pl.Series(ruled.high),
        p=pl.Series(every.p(fair)),
        q=pl.Series(ruled.q),
        verdict=pl.Series(words),
    )
    head = ["players", "sides", "seat", "fair", "raw", "raw_low", "raw_high", "estimate", "low", "high"]
    return tidy(
        frame, [*head, "low_joint", "high_joint", "p", "q", "verdict", "sits", "own", "spread", "named"]
    )


def _among_equals(
    fit: MixedFit, columns: NDArray[np.int64], n: int, sides: int, games: Games, members: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Win shares of the seats of equally strong players, and their covariance (delta method)."""
    against = np.vstack([np.eye(n - 1), -np.ones((1, n - 1))])  # effects of all seats from those of the model
    side = games.pad(games.side, members[:1])[0]
    joined = np.zeros((sides, n))
    joined[side, np.arange(n)] = 1
    design = joined @ against
    eta = design @ fit.beta[columns]
    weight = np.exp(eta - eta.max())
    p = weight / weight.sum()
    slope = (np.diag(p) - np.outer(p, p)) @ design
    cov = slope @ fit.covariance[np.ix_(columns, columns)] @ slope.T
    return p[side], cov[np.ix_(side, side)]


def rated_players(d: Dataset) -> pl.DataFrame:
    """How strong each named player is: chance to win against one average player, beside the plain figures.

    Returns
    -------
    polars.DataFrame
        ``player, games, raw`` (wins), ``fair`` (wins if all were equal), ``estimate`` (chance against one average
        player, with the seat allowed for), ``low, high, log_odds, method, note``, the strongest first. Estimates are
        drawn towards a half, the more the fewer games there are.
    """
    import polars as pl
    from scipy.special import expit

    model = _model(d, held=False)
    games, fit = model.games, model.fit
    code, k = model.code, len(model.players)
    against = model.strength - model.strength.mean(axis=0)
    value = against @ fit.beta
    se = np.sqrt(np.clip(np.diag(against @ fit.covariance @ against.T), 0, None))
    played = np.bincount(code, minlength=k)
    frame = pl.DataFrame(
        {
            "player": model.players,
            "games": played,
            "raw": np.bincount(code, weights=games.win_share, minlength=k) / played,
            "fair": np.bincount(code, weights=games.fair, minlength=k) / played,
            "estimate": expit(value),
            "low": expit(value - 1.96 * se),
            "high": expit(value + 1.96 * se),
            "log_odds": value,
        }
    ).sort("estimate", descending=True)
    method = "conditional logit within games on seat and player; strengths drawn from a bell curve"
    return frame.with_columns(method=pl.lit(method), note=pl.lit(f"spread {fit.spreads[0]:.2f} log odds"))


def held_adjusted(d: Dataset) -> pl.DataFrame:
    """What goes with winning: decks and cards by themselves, and beside each other, the seat and the player.

    Returns
    -------
    polars.DataFrame
        ``what`` (``deck`` or ``card``), ``name, raw, raw_low, raw_high`` (win share that one more goes with, each by
        itself), ``estimate, low, high`` (beside all others, seat and player; drawn towards 0), ``p, q`` (Benjamini and
        Hochberg), ``clear, seats, games, deals, blocks, method, note``. An association, whatever it is adjusted for:
        nothing here is called strong, weak, or a cause.
    """
    import polars as pl

    named = bool((d.manifest.get("categories") or {}).get("player"))
    model = _model(d, held=True, rated=named)
    if not model.held:
        raise Refusal(f"{d.name}: neither decks nor cards held were recorded, or all held the same")
    games, fit = model.games, model.fit
    columns = np.arange(model.first_held, model.first_held + len(model.held))
    value = fit.beta[columns] * fit.slope
    se = np.sqrt(np.diag(fit.covariance)[columns]) * fit.slope
    found = stats.effects(value, se, games.blocks.number)
    low, high = found.interval()
    rows = np.arange(len(games))
    out: list[dict[str, Any]] = []
    for i, (what, name) in enumerate(model.held):
        own = model.flat[:, columns[i]].astype(np.float64)
        x, credit, mask = games.choices(own[:, None], rows)
        alone = stats.conditional_logit(x, credit, games.blocks, mask)
        one = np.ones((1, 1))
        effect, cov = alone.contrast(one)
        raw = stats.effects(effect * alone.slope, np.sqrt(np.diag(cov)) * alone.slope, games.blocks.number)
        raw_low, raw_high = raw.interval()
        known = alone.converged and bool(alone.identified(one)[0])
        out.append(
            {
                "what": what,
                "name": name,
                "raw": raw.value[0] if known else None,
                "raw_low": raw_low[0] if known else None,
                "raw_high": raw_high[0] if known else None,
                "estimate": value[i],
                "low": low[i],
                "high": high[i],
                "p": found.p()[i],
                "seats": int((own > 0).sum()),
            }
        )
    beside = "seat, player, decks and cards" if named else "seat, decks and cards"
    behind = games.average(rows, f"conditional logit within games on {beside} (drawn)")
    behind["note"] = "; ".join(part for part in (behind["note"], ASSOCIATION) if part)
    frame = pl.DataFrame([{**row, **behind} for row in out], infer_schema_length=None, nan_to_null=True)
    q = stats.bh(floats(frame, "p"))
    frame = frame.with_columns(
        q=pl.Series(q), clear=pl.Series(q < stats.ALPHA) & pl.lit(games.no_verdict is None)
    )
    return tidy(
        frame,
        ["what", "name", "raw", "raw_low", "raw_high", "estimate", "low", "high", "p", "q", "clear", "seats"],
    )
