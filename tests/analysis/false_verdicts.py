"""How often a verdict is false: simulated data sets of known truth, asked through the public functions.

    python -m tests.analysis.false_verdicts [TRIALS]     prints the share of data sets with any false verdict

A case makes data sets in which the truth is known and says which words are false of it. Ties are 20 % everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.small import from_shares

TIES = 0.2
ALLOWED = 0.05
SHOWN = (
    "favoured",
    "unfavoured",
    "above",
    "below",
    "strong",
    "weak",
    "unbalanced",
    "uneven",
    "ahead",
    "behind",
)
BALANCED, DEPENDS, CLEAR = ("balanced",), ("depends",), ("clear",)
BEYOND = ("favoured", "unfavoured", "strong", "weak", "unbalanced")


@dataclass(frozen=True)
class Case:
    """What is simulated, and whether one data set led to a false verdict."""

    name: str
    is_false: Callable[[np.random.Generator], bool]


def with_ties(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Win shares of which a fifth are ties of the winner and a seat that is drawn at random."""
    games, n = shares.shape
    tied = np.flatnonzero(rng.random(games) < TIES)
    winner = np.argmax(shares[tied], axis=1)
    other = (winner + rng.integers(1, n, len(tied))) % n
    out = shares.copy()
    out[tied] = 0.0
    out[tied, winner] = out[tied, other] = 0.5
    return out


def drawn(chance: np.ndarray, games: int, rng: np.random.Generator) -> np.ndarray:
    """Win shares (games, seats): untied winners by the `chance` of each seat."""
    return np.eye(len(chance))[rng.choice(len(chance), games, p=chance)]


def seats(games: int, n: int, gap: float = 0.0, rows: int = 1) -> Callable[[np.random.Generator], Dataset]:
    """Tables of `n` seats whose first wins `gap` more than a fair share; `rows` games a deal, rotated."""
    # A tie gives the first seat its fair part of what it does not win alone.
    lift = gap / (1 - TIES / 2 * n / (n - 1))
    chance = np.full(n, (1 - 1 / n - lift) / (n - 1))
    chance[0] = 1 / n + lift

    def make(rng: np.random.Generator) -> Dataset:
        if rows == 1:
            return from_shares(with_ties(drawn(chance, games, rng), rng))
        deals = games // rows
        luck = rng.gumbel(size=(deals, n))  # what a deal gives to each player, who moves on to the next seat
        parts = [np.roll(luck, k, axis=1) + rng.gumbel(size=(deals, n)) for k in range(rows)]
        won = np.concatenate([np.eye(n)[np.argmax(part, axis=1)] for part in parts])
        return from_shares(with_ties(won, rng), deal=np.tile(np.arange(deals), rows))

    return make


def pieces(games: int, strength: float = 0.0, kinds: int = 8) -> Callable[[np.random.Generator], Dataset]:
    """Two players with four pieces each; a copy of the first kind adds `strength` of win share."""
    names = [f"P{k}" for k in range(kinds)]

    def make(rng: np.random.Generator) -> Dataset:
        counts = rng.multinomial(4, [1 / kinds] * kinds, size=(games, 2))
        pull = strength / (0.25 * (1 - TIES)) * counts[..., 0]
        won = np.eye(2)[np.argmax(pull + rng.gumbel(size=(games, 2)), axis=1)]
        return from_shares(with_ties(won, rng), counts=counts, pieces=names)

    return make


def maps(
    deals: int, strength: float, kinds: int = 6, levels: int = 4
) -> Callable[[np.random.Generator], Dataset]:
    """The same deals on several maps that change nothing; a copy of the first kind adds `strength` everywhere."""

    def make(rng: np.random.Generator) -> Dataset:
        counts = rng.multinomial(4, [1 / kinds] * kinds, size=(deals, 2))
        pull = strength / (0.25 * (1 - TIES)) * counts[..., 0]
        luck = rng.gumbel(size=(deals, 2))
        parts = []
        for _ in range(levels):
            fresh = rng.random((deals, 1)) < 0.5
            best = np.argmax(pull + np.where(fresh, rng.gumbel(size=(deals, 2)), luck), axis=1)
            parts.append(with_ties(np.eye(2)[best], rng))
        cells = pl.DataFrame({"cell": pl.Series(range(levels), dtype=pl.Int32), "map": list("abcd")[:levels]})
        return from_shares(
            np.concatenate(parts),
            counts=np.tile(counts, (levels, 1, 1)),
            pieces=[f"P{k}" for k in range(kinds)],
            deal=np.tile(np.arange(deals), levels),
            cell=np.repeat(np.arange(levels), deals).astype(np.int32),
            cells=cells,
        )

    return make


def bans(deals: int, kinds: int = 5) -> Callable[[np.random.Generator], Dataset]:
    """Each deal bans one kind of piece or none, and that changes nothing; the pieces are alike."""

    def make(rng: np.random.Generator) -> Dataset:
        out = rng.integers(0, kinds + 1, deals)
        chance = (np.arange(kinds) != out[:, None]) / np.where(out == kinds, kinds, kinds - 1)[:, None]
        counts = np.stack([rng.multinomial(4, chance) for _ in range(2)], axis=1)
        names = [*(f"P{k}" for k in range(kinds)), "none"]
        won = np.eye(2)[rng.integers(0, 2, deals)]
        return from_shares(
            with_ties(won, rng), counts=counts, pieces=names[:kinds], bans=np.array(names)[out]
        )

    return make


SETS = ("none", "P0", "P1", "P2", "P0+P1", "P3+P4")
"""Sets of bans that are played on the same deals."""


def ban_sets(
    deals: int, lead: float = 0.0, names: Sequence[str] = SETS, kinds: int = 5
) -> Callable[[np.random.Generator], Dataset]:
    """The same deals without a ban and under each set, which changes nothing: the first seat's lead stays as it is."""
    banned = np.array([[f"P{k}" in name.split("+") for k in range(kinds)] for name in names])

    def make(rng: np.random.Generator) -> Dataset:
        ahead = np.array([lead, 0.0])
        luck = rng.gumbel(size=(deals, 2)) + ahead
        counts, parts = [], []
        for out in banned:
            counts.append(rng.multinomial(4, ~out / (~out).sum(), size=(deals, 2)))
            fresh = rng.random((deals, 1)) < 0.5
            best = np.argmax(np.where(fresh, rng.gumbel(size=(deals, 2)) + ahead, luck), axis=1)
            parts.append(with_ties(np.eye(2)[best], rng))
        cells = pl.DataFrame({"cell": pl.Series(range(len(names)), dtype=pl.Int32), "bans": list(names)})
        return from_shares(
            np.concatenate(parts),
            counts=np.concatenate(counts),
            pieces=[f"P{k}" for k in range(kinds)],
            deal=np.tile(np.arange(deals), len(names)),
            cell=np.repeat(np.arange(len(names)), deals).astype(np.int32),
            cells=cells,
        )

    return make


def cards(games: int, kinds: int = 4) -> Callable[[np.random.Generator], Dataset]:
    """Cards that change nothing, drawn oftener on the map where games are long, the first seat and a piece strong."""

    def make(rng: np.random.Generator) -> Dataset:
        long = np.arange(games) % 2 == 1
        card = np.where(rng.random(games) < np.where(long, 0.8, 0.3), rng.integers(0, 3, games), 3)
        counts = rng.multinomial(4, [1 / kinds] * kinds, size=(games, 2))
        pull = rng.gumbel(size=(games, 2)) + np.where(long, 0.4, 0.0)[:, None] * counts[..., 0]
        pull[:, 0] += 0.6 * long
        cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["short", "long"]})
        d = from_shares(
            with_ties(np.eye(2)[np.argmax(pull, axis=1)], rng),
            counts=counts,
            pieces=[f"P{k}" for k in range(kinds)],
            cell=long.astype(np.int32),
            cells=cells,
            turns=(20 + 15 * long + rng.integers(-3, 4, games)).astype(np.int32),
            event=np.array(["Flood", "Famine", "Feast", "none"])[card],
        )
        return Dataset({**d.manifest, "drawn": {"event": {"kind": "card"}}}, d.cells, d._tables)

    return make


def set_words(d: Dataset) -> set[str]:
    """What is said of equal sets of bans by their rank."""
    return set(analysis.ban_sets(d)["verdict"])


def measure_words(measure: str) -> Callable[[Dataset], set[str]]:
    """ "clear" where a card is said to change a measure beyond chance."""

    def read(d: Dataset) -> set[str]:
        q = analysis.level_effects(d).filter(pl.col("measure") == measure)["q"]
        return {"clear"} if (q < 0.05).any() else set()

    return read


def seat_ban_words(d: Dataset) -> set[str]:
    """ "clear" where a ban is said to change the gap between the seats, or the first seat."""
    frame = analysis.ban_effects_on_seats(d)
    return {"clear"} if (frame["q"] < 0.05).any() else set()


def piece_ban_words(d: Dataset) -> set[str]:
    """ "clear" where a ban is said to change what a piece is worth."""
    return {"clear"} if (analysis.ban_effects_on_pieces(d)["q"] < 0.05).any() else set()


def compare_words(d: Dataset) -> set[str]:
    """ "clear" where a setting is said to differ from its base."""
    frame = analysis.compare(d, "bans", what=["seats", "pieces"])
    return {"clear"} if (frame["q"] < 0.05).any() else set()


def ban_words(d: Dataset) -> set[str]:
    """ "clear" where a ban is said to change a piece or the seats beyond chance."""
    seats, on_pieces = analysis.ban_effects_on_seats(d), analysis.ban_effects_on_pieces(d)
    q = [*seats["q"], *on_pieces["q"]]
    return {"clear"} if any(one is not None and one < 0.05 for one in q) else set()


def claim_words(d: Dataset) -> set[str]:
    """The status of every claim that is false of pieces and seats that are alike."""
    names = d.piece_names
    tests: list[dict[str, object]] = [{"kind": "seat_favoured", "seat": seat} for seat in "AB"]
    tests += [
        {"kind": f"piece_{side}_average", "piece": name} for name in names for side in ("above", "below")
    ]
    tests += [{"kind": "stronger_than", "piece": a, "than": b} for a in names for b in names if a != b]
    listed = [{"id": str(k), "claim": "", "source": "", "test": test} for k, test in enumerate(tests)]
    manifest = {**d.manifest, "card": {**d.card, "claims": listed}}
    return set(analysis.claims(Dataset(manifest, d.cells, d._tables))["status"])


def dependence_words(d: Dataset) -> set[str]:
    """ "depends" where anything is said to depend on the map."""
    return {"depends"} if analysis.depends_on(d, "map")["depends"].any() else set()


def label_words(d: Dataset) -> set[str]:
    """What comparing the verdicts of the maps by their words would say."""
    by = analysis.piece_strength(d, by="map").filter(
        ~pl.col("verdict").is_in(["undecided", "too few to say"])
    )
    return (
        {"depends"} if by.group_by("piece").agg(pl.col("verdict").n_unique())["verdict"].max() > 1 else set()
    )


def seat_words(d: Dataset) -> set[str]:
    """All verdicts on the seats of a data set."""
    return {*analysis.seat_balance(d)["verdict"], *analysis.seat_tests(d)["verdict"]}


def piece_words(d: Dataset) -> set[str]:
    """All verdicts on the pieces of a data set."""
    return set(analysis.piece_strength(d)["verdict"])


def first_word(d: Dataset) -> set[str]:
    """The verdict on the first kind of piece."""
    return {analysis.piece_strength(d)["verdict"][0]}


def case(
    name: str,
    make: Callable[[np.random.Generator], Dataset],
    read: Callable[[Dataset], set[str]],
    false: tuple[str, ...],
) -> Case:
    """A case whose data sets are false when any of the words is said."""
    return Case(name, lambda rng: bool(read(make(rng)) & set(false)))


CASES = [
    *(
        case(f"fair seats: {n} players, {games} games", seats(games, n), seat_words, SHOWN)
        for n, games in [
            (2, 10),
            (2, 100),
            (3, 30),
            (4, 10),
            (4, 30),
            (4, 100),
            (6, 10),
            (7, 60),
            (8, 10),
            (8, 100),
            (5, 1_000),
        ]
    ),
    *(
        case(
            f"fair seats: {n} players, {games} games, {rows} a deal",
            seats(games, n, 0.0, rows),
            seat_words,
            SHOWN,
        )
        for n, games, rows in [(2, 40, 2), (4, 80, 4), (4, 800, 4)]
    ),
    *(
        case(f"a seat 1.7 off, margin 2: {games} games", seats(games, 2, 0.017), seat_words, BEYOND)
        for games in (1_000, 10_000)
    ),
    case("a seat 2 off, margin 2, called beyond: 20000 games", seats(20_000, 2, 0.02), seat_words, BEYOND),
    case(
        "a seat 2 off, margin 2, called balanced: 20000 games", seats(20_000, 2, 0.02), seat_words, BALANCED
    ),
    *(case(f"pieces alike: {games} games", pieces(games), piece_words, SHOWN) for games in (60, 300, 2_000)),
    *(
        case(f"a piece 2.4 off, margin 3: {games} games", pieces(games, 0.024), piece_words, BEYOND)
        for games in (600, 6_000)
    ),
    case("a piece 3 off, margin 3, called beyond: 6000 games", pieces(6_000, 0.03), first_word, BEYOND),
    case("a piece 3 off, margin 3, called balanced: 6000 games", pieces(6_000, 0.03), first_word, BALANCED),
    *(
        case(
            f"nothing depends on the map: 4 maps of {deals} games",
            maps(deals, 0.04),
            dependence_words,
            DEPENDS,
        )
        for deals in (100, 1_000)
    ),
    *(
        case(f"bans that change nothing: {deals} deals", bans(deals), ban_words, CLEAR)
        for deals in (300, 2_000)
    ),
    case("sets of bans against none, seats: 60 deals", ban_sets(60), seat_ban_words, CLEAR),
    case("sets of bans against none, uneven seats: 600 deals", ban_sets(600, 0.8), seat_ban_words, CLEAR),
    case("sets of bans against none, pieces: 30 deals", ban_sets(30), piece_ban_words, CLEAR),
    case("sets of bans against none, pieces: 600 deals", ban_sets(600), piece_ban_words, CLEAR),
    case("sets of bans against none, compared: 300 deals", ban_sets(300), compare_words, CLEAR),
    *(
        case(
            f"cards on two maps that change nothing, {measure}: 1500 games",
            cards(1_500),
            measure_words(measure),
            CLEAR,
        )
        for measure in ("turns", "first seat", "seat gap", "piece")
    ),
    *(
        case(f"claims that are false: {games} games", pieces(games, kinds=5), claim_words, ("reproduced",))
        for games in (100, 1_000)
    ),
]


def share_false(one: Case, trials: int, seed: int = 0) -> float:
    """Share of data sets with any false verdict."""
    return sum(one.is_false(np.random.default_rng([seed, t])) for t in range(trials)) / trials


def main(trials: int = 500) -> int:
    """Print every case; 1 when one is above 5 % by more than chance allows over the family."""
    from scipy.stats import binom

    most = binom.ppf(1 - 0.01 / len(CASES), trials, ALLOWED) / trials
    shares = []
    for one in CASES:
        shares.append(share_false(one, trials))
        print(f"{100 * shares[-1]:5.1f}%  {one.name}", flush=True)
    print(f"of {trials} data sets a case; chance allows up to {100 * most:.1f}% where 5% is true")
    return int(max(shares) > most)


if __name__ == "__main__":
    sys.exit(main(*(int(arg) for arg in sys.argv[1:2])))
