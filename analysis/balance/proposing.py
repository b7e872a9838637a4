"""A whole search: rounds of changes that are played and read, then proposals that are proved on fresh games.

How games are played is not this package's business: `Play` does it, and gives back a data set whose variants are the
changes that it was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from analysis import stats
from analysis.balance.gauge import Reading, gauge
from analysis.balance.proof import Verdict, judge
from analysis.balance.search import Search
from analysis.balance.space import Change, Space
from analysis.data.errors import Refusal
from analysis.targets.table import Target
from analysis.targets.verdicts import PROVEN, REFUTED, UNDECIDED

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset

LOOKS = 2
"""Looks at the proof: the second, at what is undecided, with `MORE` times the games."""
MORE = 4
DEAR = 2
"""Changes for each proposal that the dearest tier looks at before the proof,"""
PART = 4
"""with a part of the games of the proof."""
ROUNDS = ((16, 1), (8, 2), (4, 4))
"""Changes that are played in each round after the first, and how many times the games."""

Named = Sequence[tuple[str, Mapping[str, Any]]]


class Play(Protocol):
    """Who plays. Variants have the names that they were asked for by."""

    def round(self, number: int, changes: Named, games: int) -> Dataset:
        """Play a round of the search, on deals that all its changes share."""

    def screen(self, changes: Named, games: int) -> Dataset | None:
        """Play changes at the dearest tier, on deals that nothing else has; None where there is one tier."""

    def prove(self, look: int, changes: Named, games: int) -> Dataset:
        """Play proposals on fresh seeds; of the second look the games of the first are a part."""

    def impossible(self, name: str, settings: Mapping[str, Any]) -> str:
        """Say why a change cannot be played; empty where it can."""


@dataclass(frozen=True)
class Proposal:
    """A change, how large it is, and what fresh games say of it."""

    name: str
    change: Change
    settings: dict[str, Any]
    size: float
    distance: float
    verdict: Verdict


@dataclass
class Found:
    """What came of a search.

    Attributes
    ----------
    proposals
        The proven ones first, smaller changes before larger ones.
    now
        What fresh games say of the game as it is.
    tried
        Name, size and distance from the targets of every change that was played, by the search's model.
    left_out
        Changes that cannot be played, and why.
    """

    proposals: list[Proposal]
    now: Proposal
    tried: list[tuple[str, float, float]]
    looked_at: int
    games: int
    proof_games: int
    left_out: list[str] = field(default_factory=list)

    @property
    def word(self) -> str:
        """``proven`` where some proposal, or the game as it is, is; ``refuted`` where all are; else ``undecided``."""
        words = {p.verdict.word for p in (*self.proposals, self.now)}
        if PROVEN in words:
            return PROVEN
        return REFUTED if words <= {REFUTED} else UNDECIDED


def propose(
    play: Play,
    space: Space,
    targets: Sequence[Target],
    games: int,
    proof: int,
    *,
    most: int = 3,
    wanted: int = 4,
    news: Callable[[str], None] = lambda text: None,
) -> Found:
    """Search, and prove what was found.

    Parameters
    ----------
    games
        Of each change in the first round.
    proof
        Of each proposal, at the first look.
    most
        Settings that are changed at once.
    wanted
        Proposals that are proved.
    """
    search, left = Search(space), []
    begin: list[Change] = []
    for one in space.singles():
        if said := play.impossible(space.words(one), space.settings(one)):
            search.impossible.add(one)
            left.append(f"{space.words(one)}: {said}")
        else:
            begin.append(one)
    if not begin:
        raise Refusal(f"none of the changes can be played: {'; '.join(left)}")
    _round(play, search, targets, 0, begin, games)
    news(f"round 1: {len(begin)} single changes")
    _decidable(search, proof, wanted)
    for number, (picked, times) in enumerate(ROUNDS, start=1):
        changes = _possible(play, search, lambda: search.next(proof, most, picked), left)  # noqa: B023
        _round(play, search, targets, number, changes, games * times)
        best = min(changes, key=lambda c: search.distance(c, proof))
        news(
            f"round {number + 1}: {len(changes)} changes of {search.looked_at:,}; nearest: {space.words(best)}"
        )
    finals = _nearest(search, proof, most, wanted * DEAR)
    dear = _at_the_dearest(play, search, targets, finals, proof, news)
    finals = _nearest(dear or search, proof, most, wanted)
    judged = _proved(play, search, targets, [(), *finals], proof, news)
    order = {PROVEN: 0, UNDECIDED: 1, REFUTED: 2}
    proposals = sorted(
        judged[1:], key=lambda p: (order[p.verdict.word], p.size if p.verdict.word == PROVEN else p.distance)
    )
    tried = [(space.words(c), space.size(c), search.distance(c, proof)) for c in sorted(search.played)]
    total = sum(n for *_, n in search.seen)
    return Found(proposals, judged[0], tried, search.looked_at, total, proof, left)


def _decidable(search: Search, proof: int, wanted: int) -> None:
    """Refuse bands that even the last look at a proposal right in their middle could hardly show to be met."""
    reach = stats.quantile(1e9, 1 - 2 * stats.ALPHA / (LOOKS * (wanted + 1)))
    cap = proof * MORE ** (LOOKS - 1)
    needed, name = max((search.games_to_tell(name, reach), name) for name in search.bands)
    if needed > cap:
        least = -(-int(needed) // MORE ** (LOOKS - 1))
        raise Refusal(
            f"the target of {name} cannot be decided within {cap:,} games of a proposal: its band is too narrow for "
            f"fewer than about {int(needed):,}; widen it, or play more (--proof {least})"
        )


def _nearest(search: Search, proof: int, most: int, wanted: int) -> list[Change]:
    """Changes that were played and lie nearest to the targets for their size; then the next nearest ones."""
    finals = search.front(proof, most, played=True)[-wanted:]
    for change in search.ranked(proof, most):
        more = any(set(one) <= set(change) for one in finals)  # the same, and something that is not needed
        if change and change in search.played and not more and len(finals) < wanted:
            finals.append(change)
    return finals


def _at_the_dearest(
    play: Play,
    search: Search,
    targets: Sequence[Target],
    finals: list[Change],
    proof: int,
    news: Callable[[str], None],
) -> Search | None:
    """Look at the finals with the dearest tier: what is nearest for weak players need not be so for strong ones.

    What was seen at the cheapest tier counts for nothing here but that these are the finals; and what is seen here
    counts for nothing in the proof.
    """
    space, games = search.space, max(2, proof // PART)
    named = [(space.words(change), space.settings(change)) for change in [(), *finals]]
    d = play.screen(named, games) if finals else None
    if d is None:
        return None
    dear = Search(space, impossible=set(search.impossible))
    _read(dear, gauge(d, targets), 0, [(), *finals], games)
    told = dear.front(proof, most=max(map(len, finals)), played=True)
    news(
        f"dearest tier, {games:,} games of {len(finals)}: nearest: {space.words(told[-1]) if told else 'none'}"
    )
    return dear


def _possible(play: Play, search: Search, picks: Callable[[], list[Change]], left: list[str]) -> list[Change]:
    """Ask for changes until all of them can be played."""
    while True:
        changes, said = picks(), ""
        for change in changes:
            if change not in search.played and (
                said := play.impossible(search.space.words(change), search.space.settings(change))
            ):
                search.impossible.add(change)
                left.append(f"{search.space.words(change)}: {said}")
        if not any(change in search.impossible for change in changes):
            return changes


def _round(
    play: Play, search: Search, targets: Sequence[Target], number: int, changes: Sequence[Change], games: int
) -> None:
    space = search.space
    every = [(), *changes]
    names = {space.words(change): change for change in every}
    d = play.round(number, [(name, space.settings(change)) for name, change in names.items()], games)
    _read(search, gauge(d, targets), number, every, games)


def _read(
    search: Search, readings: Sequence[Reading], number: int, changes: Sequence[Change], games: int
) -> None:
    """Take in what a round says of its changes."""
    read: dict[str, list[Reading]] = {}
    for reading in readings:
        read.setdefault(reading.variant, []).append(reading)
    for change in changes:
        name = search.space.words(change)
        own = read.get(name, [])
        values = {r.what: (r.value, r.se) for r in own}
        bands = {r.what: r.band for r in own}
        search.add(number, change, values, bands, max((r.games for r in own), default=games))


def _proved(
    play: Play,
    search: Search,
    targets: Sequence[Target],
    changes: list[Change],
    games: int,
    news: Callable[[str], None],
) -> list[Proposal]:
    """Judge changes on fresh games, the undecided ones again with more of them; in the order given."""
    space, tests = search.space, LOOKS * len(changes)
    verdicts: dict[Change, Verdict] = {}
    open_ = list(changes)
    for look in range(LOOKS):
        if not open_:
            break
        names = {space.words(change): change for change in open_}
        named = [(name, space.settings(change)) for name, change in names.items()]
        d = play.prove(look, named, games * MORE**look)
        read: dict[str, list[Reading]] = {}
        for reading in gauge(d, targets):
            read.setdefault(reading.variant, []).append(reading)
        for name, change in names.items():
            verdicts[change] = judge(read.get(name, []), tests)
        told = [f"{name}: {verdicts[change].word}" for name, change in names.items()]
        news(f"proof, {games * MORE**look:,} games a cell: {'; '.join(told)}")
        least = min((space.size(c) for c in changes if verdicts[c].word == PROVEN), default=float("inf"))
        open_ = [  # a larger change than one that is proven already decides nothing
            c
            for c in open_
            if verdicts[c].word == UNDECIDED and c and _may_pass(verdicts[c]) and space.size(c) < least
        ]
    return [
        Proposal(space.words(c), c, space.settings(c), space.size(c), search.distance(c, games), verdicts[c])
        for c in changes
    ]


def _may_pass(verdict: Verdict) -> bool:
    """Whether more games could still prove it: every estimate lies inside its band."""
    return verdict.needed is not None
