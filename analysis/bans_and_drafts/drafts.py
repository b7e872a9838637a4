"""Drafts of the kind "I split, you choose": what is picked, what it buys, and whether drafting first is fair.

D1 `draft_picks`, D2 `pick_value`, D3 `draft_seats`, P2 `offered_taken_played`. What is dealt is chance, so
being offered something is a cause; what is taken or played was chosen, and goes with winning at best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.fairness.judging import judged
from analysis.pieces.strength import Part, PieceModel, seats_and_bots, strength_rows
from analysis.stats.blocks import FEWEST_BLOCKS

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None
Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

CHOSEN, FOLLOWED = "to choose from", ("offered", "taken", "played")
HOW = {
    CHOSEN: "in groups that the seat chose from",
    "offered": "in groups that the seat split or chose from",
    "taken": "taken",
    "played": "played",
}


@dataclass
class Offers:
    """Every group that was split and chosen from, in the order of play.

    Attributes
    ----------
    games : Games
    names : list of str
        Kinds of piece.
    game, round, splitter, chooser : int arrays (offers,)
        Row of the game, round, and the two seats.
    piles : int array (offers, 2, pieces)
        Copies in each pile.
    chosen : int array (offers,)
        The pile that the chooser took.
    """

    games: Games
    names: list[str]
    game: Whole
    round: Whole
    splitter: Whole
    chooser: Whole
    piles: NDArray[np.int16]
    chosen: Whole

    @cached_property
    def position(self) -> Whole:
        """Place of every seat (flat) in the order in which seats first split; seats that never do come last."""
        n = self.games.players
        flat = self.games.first_row[self.game] + self.splitter
        seats, first = np.unique(flat, return_index=True)
        out = np.repeat(n - 1, n)
        order = seats[np.argsort(first)]
        game = np.repeat(np.arange(len(n)), n)[order]
        order = order[np.argsort(game, kind="stable")]
        game = np.sort(game)
        start = np.searchsorted(game, game)
        out[order] = np.arange(len(game)) - start
        return out

    def of_choosers(self) -> NDArray[np.int16]:
        """Copies in the groups that each seat (flat) chose from; (seats, pieces)."""
        out = np.zeros((int(self.games.players.sum()), len(self.names)), dtype=np.int16)
        np.add.at(out, self.games.first_row[self.game] + self.chooser, self.piles.sum(axis=1))
        return out


def read_offers(d: Dataset, by: By = None, extra: Sequence[str] = ()) -> Offers:
    """Read the table of drafts; refuses a data set without one, or with piles that are not two."""
    import polars as pl

    names = d.piece_names
    code = pl.col("piece").cast(pl.String).cast(pl.Enum(names)).to_physical().cast(pl.UInt16).alias("code")
    frame = d.drafts.with_row_index("order").with_columns(code).drop("piece").collect()
    if frame.height == 0:
        raise Refusal(f"{d.name}: no game was drafted")
    games = read_games(_drafted(d, frame), by, extra)
    keys = ["game_id", "round", "splitter", "chooser"]
    frame = frame.sort(
        ["game_id", "round", pl.col("order").min().over(keys), "splitter", "chooser", "pile", "code"]
    )
    if not frame["pile"].is_in([0, 1]).all():
        raise Refusal(f"{d.name}: the drafts have piles other than 0 and 1")
    new = np.ones(frame.height, dtype=bool)
    new[1:] = np.any([(frame[k].to_numpy()[1:] != frame[k].to_numpy()[:-1]) for k in keys], axis=0)
    offer = np.cumsum(new) - 1
    first = frame.filter(pl.Series(new))
    game = np.searchsorted(games.frame["game_id"].to_numpy(), first["game_id"].to_numpy())
    pile = frame["pile"].to_numpy().astype(np.int64)
    piles = np.zeros((len(first), 2, len(names)), dtype=np.int16)
    np.add.at(piles, (offer, pile, frame["code"].to_numpy()), 1)
    took = frame["taken"].to_numpy()
    # Who takes an empty pile leaves no row with `taken`: all rows lie in the other one.
    chosen = np.zeros(len(first), dtype=np.int64)
    chosen[offer] = np.where(took, pile, 1 - pile)
    number, splitter, chooser = (
        first[k].to_numpy().astype(np.int64) for k in ("round", "splitter", "chooser")
    )
    return Offers(games, names, game, number, splitter, chooser, piles, chosen)


def _drafted(d: Dataset, drafts: pl.DataFrame) -> Dataset:
    """A view of the games that were drafted: a run may compare them with games that were not."""
    ids = drafts.select("game_id").unique()
    if len(ids) == d.n_games:
        return d
    return d.filter(_pl().col("game_id").is_in(ids["game_id"].implode()))


def draft_picks(d: Dataset, by: By = None) -> pl.DataFrame:
    """How eagerly each kind of piece is chosen (D1).

    Returns
    -------
    polars.DataFrame
        ``by.., piece, estimate, low, high, p, q, flag`` (what one copy in a pile adds to the chance that this
        pile is chosen, against the average other piece), ``picked, picked_low, picked_high`` (share of the
        copies dealt that lay in the chosen pile), ``picked_all`` (the same over all pieces: choosers like big
        piles), ``log_odds, eb, dealt`` (copies), ``offers, games, deals, blocks, method, note``. The pick
        value comes from a conditional logit of the pile choice on what lies in the piles; where the choosers
        never stray from it the logit has no end, and a linear model of the choice takes over.
    """
    import polars as pl

    offers = read_offers(d, by)
    rows: list[dict[str, Any]] = []
    for labels, members in offers.games.groups(split_players=False):
        rows += _pick_rows(offers, labels, np.flatnonzero(np.isin(offers.game, members)), members)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, [*offers.games.by, "piece", "estimate", "low", "high", "p", "q", "flag"])


def _pick_rows(offers: Offers, labels: dict[str, Any], at: Whole, members: Whole) -> list[dict[str, Any]]:
    if len(at) == 0:
        return []
    games, piles, chosen = offers.games, offers.piles[at], offers.chosen[at]
    blocks = games.blocks[offers.game[at]]
    dealt = piles.sum(axis=1).astype(np.float64)
    got = piles[np.arange(len(at)), chosen].astype(np.float64)
    total = dealt.sum(axis=0)
    share = np.divide(got.sum(axis=0), total, out=np.full(len(total), np.nan), where=total > 0)
    each = np.divide(got - share * dealt, total, out=np.zeros_like(got), where=total > 0)
    low, high = stats.shares(share, np.diag(stats.covariance(each, blocks)), blocks).interval()
    value, se, odds, what = _pick_values(piles, chosen, blocks)
    found = stats.effects(value, se, blocks.number)
    value_low, value_high = found.interval()
    p = found.p()
    q = stats.bh(p)
    shrunk = stats.empirical_bayes(value, se, centre=0.0)
    behind = games.behind(members, what, blocks)
    return [
        {
            **labels,
            "piece": name,
            "estimate": value[k],
            "low": value_low[k],
            "high": value_high[k],
            "p": p[k],
            "q": q[k],
            "flag": ("eager" if value[k] > 0 else "reluctant")
            if q[k] < 0.05 and blocks.number >= FEWEST_BLOCKS
            else "",
            "picked": share[k],
            "picked_low": low[k],
            "picked_high": high[k],
            "picked_all": float(got.sum() / dealt.sum()),
            "log_odds": odds[k],
            "eb": shrunk.estimate[k],
            "dealt": int(total[k]),
            "offers": len(at),
            **behind,
        }
        for k, name in enumerate(offers.names)
    ]


def _pick_values(
    piles: NDArray[np.int16], chosen: Whole, blocks: stats.Blocks
) -> tuple[Floats, Floats, Floats, str]:
    """Chance that a copy adds against the average other piece, its error, log odds, and the method."""
    present: NDArray[np.bool_] = np.asarray(piles.any(axis=(0, 1)))
    k = len(present)
    wanted = stats.against_rest(present)
    value, se, odds = (np.full(k, np.nan) for _ in range(3))
    credit = (np.arange(2) == chosen[:, None]).astype(np.float64)
    fit = stats.conditional_logit(piles, credit, blocks)
    known: NDArray[np.bool_] = np.asarray(np.isfinite(wanted).all(axis=1))
    if fit.converged and known.any():
        known[known] = fit.identified(wanted[known])
        odds[known], cov = fit.contrast(wanted[known])
        value[known], se[known] = fit.slope * odds[known], fit.slope * np.sqrt(np.diag(cov))
        return value, se, odds, "conditional logit of the pile chosen"
    line = stats.linear(
        piles[:, 0] - piles[:, 1], np.where(chosen == 0, 0.5, -0.5), np.arange(len(chosen)), blocks
    )
    known[known] = line.identified(wanted[known])
    if known.any():
        value[known], cov = line.contrast(wanted[known])
        se[known] = np.sqrt(np.diag(cov))
    return value, se, odds, "linear model of the pile chosen"


def pick_value(d: Dataset, by: By = None) -> pl.DataFrame:
    """What a good group of pieces buys, round by round, to who splits it and to who chooses from it (D2).

    A group is as good as the pick values of its pieces add up to. Groups are dealt by chance, so this is a
    cause.

    Returns
    -------
    polars.DataFrame
        ``by.., round, role, estimate, low, high, p, q, games, deals, blocks, method, note``. ``role`` is
        ``splitting``, ``choosing``, or ``choosing rather than splitting`` (the only one that two players
        allow: both share in every group). ``estimate`` is the win share that a group better by one standard
        deviation adds.
    """
    import polars as pl

    offers = read_offers(d, by)
    games = offers.games
    value = _pick_values(offers.piles, offers.chosen, games.blocks[offers.game])[0]
    if not np.isfinite(value).any():
        raise Refusal(f"{d.name}: the choices tell nothing of what the pieces are worth to who picks them")
    good = offers.piles.sum(axis=1) @ np.nan_to_num(value)
    good = (good - good.mean()) / max(float(good.std()), 1e-12)
    rounds = np.unique(offers.round)
    columns = np.zeros((int(games.players.sum()), 2 * len(rounds)))
    which = np.searchsorted(rounds, offers.round)
    for offset, seat in ((0, offers.splitter), (len(rounds), offers.chooser)):
        np.add.at(columns, (games.first_row[offers.game] + seat, which + offset), good)
    flat = np.concatenate([columns, seats_and_bots(games)], axis=1)
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=False):
        x, credit, mask = games.choices(flat, members)
        fit = stats.conditional_logit(x, credit, games.blocks[members], mask)
        behind = games.behind(members, "conditional logit on how good each group is, seat and bot")
        for i, number in enumerate(rounds):
            split, choose = np.zeros(flat.shape[1]), np.zeros(flat.shape[1])
            split[i], choose[i + len(rounds)] = 1.0, 1.0
            wanted = {
                "splitting": split,
                "choosing": choose,
                "choosing rather than splitting": choose - split,
            }
            for role, c in wanted.items():
                if not fit.converged or not fit.identified(c[None, :])[0]:
                    continue
                odds, cov = fit.contrast(c[None, :])
                gain, se = fit.slope * float(odds[0]), fit.slope * float(np.sqrt(cov[0, 0]))
                found = stats.effects(gain, se, fit.blocks.number)
                low, high = found.interval()
                rows.append(
                    {
                        **labels,
                        "round": int(number),
                        "role": role,
                        "estimate": gain,
                        "low": low[0],
                        "high": high[0],
                        "p": found.p()[0],
                        **behind,
                    }
                )
    if not rows:
        raise Refusal(f"{d.name}: the deals of the draft never set splitting and choosing apart")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    frame = frame.with_columns(pl.Series("q", stats.bh(floats(frame, "p")), nan_to_null=True))
    return tidy(frame, [*games.by, "round", "role", "estimate", "low", "high", "p", "q"])


def draft_seats(d: Dataset, by: By = None) -> pl.DataFrame:
    """Is it better to split first? Win share by the order of the draft, apart from the seat (D3).

    Returns
    -------
    polars.DataFrame
        ``by.., players, position, fair, estimate, low, high, low_joint, high_joint, p, q, p_equivalence, verdict,
        raw, adjusted, games, deals, blocks, method, note``. ``position`` 0 splits first. ``raw`` is the plain mean win
        share; ``estimate`` takes off what seat and bot explain, where the order of the draft was not tied to
        the seat (``adjusted``).
    """
    import polars as pl

    offers = read_offers(d, by)
    games, position = offers.games, offers.position
    others = seats_and_bots(games)
    rows: list[dict[str, Any]] = []
    found: list[stats.Estimates] = []
    tests = 0
    for labels, members in games.groups(split_players=True):
        n, fair = int(games.players[members[0]]), 1 / int(games.sides[members[0]])
        places = position[:, None] == np.arange(n)
        flat = np.concatenate([places.astype(np.int16), others], axis=1)
        credit, blocks = games.pad(games.win_share, members), games.blocks[members]
        share = (games.pad(places, members) * credit[:, :, None]).sum(axis=1)
        raw, cov = stats.block_means(share, blocks)
        x, won, mask = games.choices(flat, members)
        fit = stats.conditional_logit(x, won, blocks, mask)
        wanted = stats.against_rest(np.ones(n, dtype=bool), flat.shape[1])
        free = bool(fit.converged and fit.identified(wanted).all())
        value = raw
        if free:
            odds, cov = fit.contrast(wanted)
            value, cov = fair + fit.slope * odds, fit.slope**2 * cov
        found += [stats.shares(value, np.diag(cov), blocks, fitted=free)[[k]] for k in range(n)]
        tests += stats.free_tests(share)
        what = "mean win share by order of the draft"
        behind = games.behind(
            members, f"{what}, seat and bot taken off by conditional logit" if free else what
        )
        if not free:
            tied = "who splits first is tied to the seat here: the two cannot be told apart"
            behind["note"] = f"{behind['note']}; {tied}" if behind["note"] else tied
        for k in range(n):
            row = {"players": n, "position": k, "fair": fair, "raw": raw[k], "adjusted": free}
            rows.append({**labels, **row, **behind})
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return judged(frame, found, d.judge.seat, [*games.by, "players", "position"], tests, games.no_verdict)


def offered_taken_played(d: Dataset, by: By = None) -> pl.DataFrame:
    """What a copy is worth when it is offered, taken and played, side by side (P2).

    Returns
    -------
    polars.DataFrame
        ``by.., piece, measure, cause, estimate, low, high, p, q, verdict, log_odds, log_odds_low,
        log_odds_high, games, deals, blocks, method, note``. ``estimate`` is win share a copy against the
        average other piece. Only what is dealt by chance is a cause and carries a verdict: ``to choose from``
        (copies in groups that the seat chose from) and ``offered`` (also those it split; at a table of two
        both seats are offered the same, so it tells nothing). ``taken`` and ``played`` go with winning. Seat,
        bot and the order of the draft are taken off.
    """
    import polars as pl

    offers = read_offers(d, by)
    games, names = offers.games, offers.names
    have = d.pieces.collect_schema().names()
    counts = {CHOSEN: offers.of_choosers()}
    for column in FOLLOWED:
        if column in have:
            counts[column] = games.piece_counts(column, names)
    n = np.repeat(games.players, games.players)
    place = [offers.position == k for k in range(1, int(n.max()))]
    others = np.concatenate([seats_and_bots(games), np.stack(place, axis=1).astype(np.int16)], axis=1)
    columns: list[tuple[int, int | None]] = [(p, None) for p in range(len(names))]
    parts: dict[bool, list[Part]] = {True: [], False: []}
    for measure, held in counts.items():
        model = PieceModel(games, names, held, columns, others, held)
        cause = measure in (CHOSEN, "offered")
        for labels, members in games.groups(split_players=False):
            parts[cause].append(Part(model, {**labels, "measure": measure}, members, HOW[measure]))
    rows = [{**row, "cause": not games.conditioned} for row in strength_rows(d, parts[True])]
    # What was chosen is no cause: it is told, and never judged.
    chosen = strength_rows(d, parts[False]) if parts[False] else []
    rows += [{**row, "cause": False, "verdict": None, "flag": None} for row in chosen]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head = ["piece", "measure", "cause", "estimate", "low", "high", "p", "q", "verdict"]
    return tidy(frame.drop("copy", "target_low", "target_high", "used"), [*games.by, *head])


def _pl() -> Any:
    import polars

    return polars
