"""Is there one line of play, deck or bot that beats every other? (S5)"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, tidy
from analysis.skill.pairings import Pairings, read_pairings
from analysis.stats.verdicts import TOO_FEW, UNDECIDED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

DOMINANT, BEATEN, NONE = "dominant", "beaten", "none"
CHALLENGER = "challenger"
EVEN = 0.5
SENT_AGAINST = re.compile(r"(\d+) against (.+)")  # names of the variants of a search for what breaks the game


def dominant(d: Dataset, of: str | None = None) -> pl.DataFrame:
    """The worst pairing of each deck, player or bot, and whether one of them beats all that it can meet.

    Games in which numbered challengers were sent against a pool of bots (variants ``0 against greedy``, ``0 against
    search``, ...) are read by challenger: the first player named in the experiment, who has to beat the pool and not
    the other challengers (one that stands in the pool too, with the same deck, is one entrant with it).

    Parameters
    ----------
    of : str, optional
        ``deck``, ``player`` or ``bot``; by default challengers where there are any, else the first of deck, player
        and bot of which there are several.

    Returns
    -------
    polars.DataFrame
        ``name, estimate, low, high`` (share of pairings won against the opponent it does worst against, ties half),
        ``against`` (who that is in these games), ``verdict, answer, opponents`` (how many it met), ``of, games, deals,
        blocks, method, note``; best first. ``verdict``: ``dominant`` (met all the others, and even its worst pairing
        is above 1/2 beyond chance), ``beaten`` (loses to somebody beyond chance), ``undecided``, or why nothing is
        said. ``answer``, the same in all rows: ``dominant`` where one is, ``none`` where all are beaten, else
        ``undecided``. Players that are alike are no opponents of each other.

    Notes
    -----
    The intervals of all pairings hold at once, at 95 % (Bonferroni); so do those of the worst ones, which run from the
    lowest lower end of an entrant to its lowest upper end, and nobody has to be measured again for having been picked
    as the best of many. A pairing of too few deals may be anything. The estimate is the lowest of several, and so
    somewhat too low where they are alike. No more is said than of those who took part: a line that nobody plays
    beats nobody.
    """
    import polars as pl

    pairs, entrants, rivals = _field(d, of)
    games, k = pairs.games, len(pairs.names)
    met = np.flatnonzero(~pairs.alike[pairs.first, pairs.second])
    if len(met) == 0:
        raise Refusal(f"{d.name}: no two {pairs.of}s that differ met as opponents: those who met are alike")
    kinds, where = np.unique(pairs.first[met] * k + pairs.second[met], return_inverse=True)
    found: list[stats.Estimates] = []
    for n in range(len(kinds)):
        at = met[where == n]
        blocks = games.blocks[pairs.game[at]]
        mean, cov = stats.block_means(pairs.score[at][:, None], blocks)
        found.append(stats.shares(mean, cov[0], blocks))
    every = stats.join(found)
    low, high = every.interval(1 - stats.ALPHA / len(kinds))
    known = every.enough & np.isfinite(low) & np.isfinite(high)
    low, high = np.where(known, low, 0.0), np.where(known, high, 1.0)
    first, second = kinds // k, kinds % k
    rows: list[dict[str, Any]] = []
    for i in entrants:
        own = np.flatnonzero((first == i) | (second == i))
        if len(own) == 0:
            continue
        turned = first[own] != i
        other = np.where(turned, first[own], second[own])
        score = np.where(turned, 1 - every.value[own], every.value[own])
        ends = np.where(turned, 1 - high[own], low[own]), np.where(turned, 1 - low[own], high[own])
        least, most = (float(end.min()) for end in ends)
        missed = [pairs.names[j] for j in rivals if not pairs.alike[i, j] and j not in other]
        rows.append(
            {
                "name": pairs.names[i],
                "of": pairs.of,
                "estimate": float(score.min()),
                "low": least,
                "high": most,
                "against": pairs.names[other[np.argmin(score)]],
                "verdict": _verdict(least, most, bool(known[own].all()), bool(missed)),
                "opponents": len(own),
                **_behind(games, pairs.game[met[np.isin(where, own)]], missed),
            }
        )
    words = {row["verdict"] for row in rows}
    answer = DOMINANT if DOMINANT in words else NONE if words == {BEATEN} else UNDECIDED
    if words == {TOO_FEW}:
        answer = TOO_FEW
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(answer=pl.lit(answer))
    if games.no_verdict is not None:
        frame = frame.with_columns(verdict=pl.lit(games.no_verdict), answer=pl.lit(games.no_verdict))
    head = ["name", "estimate", "low", "high", "against", "verdict", "answer", "opponents"]
    return tidy(frame.sort("estimate", "name", descending=[True, False]), head)


def _verdict(low: float, high: float, known: bool, missed: bool) -> str:
    if low > EVEN and not missed:
        return DOMINANT
    if high < EVEN:
        return BEATEN
    return UNDECIDED if known else TOO_FEW


def _behind(games: Games, game: NDArray[np.int64], missed: list[str]) -> dict[str, Any]:
    what = "mean score of the worst pairing, band over all pairings"
    behind = games.behind(np.unique(game), what, games.blocks[game])
    notes = [behind["note"]]
    if games.data.manifest.get("rotations") is False:
        notes.append("seats were not exchanged: the seat is part of it")
    if missed:
        notes.append(f"never met {', '.join(missed)}")
    return {**behind, "note": "; ".join(note for note in notes if note)}


def _field(d: Dataset, of: str | None) -> tuple[Pairings, list[int], list[int]]:
    """The pairings, who is entered, and whom the entrants have to beat."""
    players = (d.manifest.get("categories") or {}).get("player") or []
    if of is None and "variant" in d.cells.columns and len(players) > 1:
        sent = [SENT_AGAINST.fullmatch(str(name)) for name in d.cells["variant"]]
        texts = [(one.group(1), one.group(2)) for one in sent if one]
        if texts and len(texts) == len(sent):
            return _challengers(d, dict(zip(d.cells["cell"].to_list(), texts, strict=True)))
    pairs = read_pairings(d, of)
    everybody = list(range(len(pairs.names)))
    return pairs, everybody, everybody


def _challengers(d: Dataset, texts: dict[int, tuple[str, str]]) -> tuple[Pairings, list[int], list[int]]:
    """The pairings of the first player with the others; `texts` says of each cell who they are."""
    pairs = read_pairings(d, "player")
    games = pairs.games
    mine = pairs.names.index(str(d.manifest["categories"]["player"][0]))
    cell = games.frame["cell"].to_numpy()
    sides = [list(dict.fromkeys(text[side] for text in texts.values())) for side in (0, 1)]
    entered = len(sides[0])
    code = np.zeros((int(max(texts)) + 1, 2), dtype=np.int64)
    for number, text in texts.items():
        code[number] = sides[0].index(text[0]), entered + sides[1].index(text[1])
    # Who they are: the bot and the deck of all their seats.
    (bot, bots), (deck, decks) = games.named("bot"), games.named("deck")
    own = games.seat_values("player").astype(np.int64) == 0
    name = np.where(own, code[cell[games.game], 0], code[cell[games.game], 1])
    kinds = [np.unique((bot * len(decks) + deck)[name == n]).tolist() for n in range(code.max() + 1)]
    who = [[(bots[one // len(decks)], decks[one % len(decks)]) for one in every] for every in kinds]
    # A challenger that stands in the pool as well is one entrant: whoever beats it there has beaten it.
    same = np.arange(len(who))
    for n, one in enumerate(who):
        if all(bot for bot, _ in one):  # without names nobody is known to be the same
            same[n] = who.index(one)
    at = np.flatnonzero((pairs.first == mine) | (pairs.second == mine))
    one, other = same[code[cell[pairs.game[at]]]].T
    back = other < one
    turned = (pairs.first[at] != mine) ^ back
    sent = replace(
        pairs,
        of=CHALLENGER,
        names=_names(sides[0], who[:entered]) + sides[1],
        game=pairs.game[at],
        first=np.where(back, other, one),
        second=np.where(back, one, other),
        score=np.where(turned, 1 - pairs.score[at], pairs.score[at]),
        earlier=pairs.earlier[at] ^ turned,
        alike=same[:, None] == same[None, :],
    )
    return sent, sorted(set(same[:entered].tolist())), sorted(set(same[entered:].tolist()))


def _names(texts: list[str], who: list[list[tuple[str, str]]]) -> list[str]:
    """The bot, or bot and deck, where that tells them apart; else what the variants call them."""
    if all(len(one) == 1 for one in who):
        bots = [one[0][0] for one in who]
        for names in (bots, [f"{bot}, deck {deck}" for ((bot, deck),) in who]):
            if all(bots) and len(set(names)) == len(names):
                return names
    return texts
