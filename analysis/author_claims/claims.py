"""Do bots find what a game's author says of its pieces? (A1)

The claims travel in the manifest: ``card["claims"]`` is a list of

    {"id": "knights-win", "claim": "Knights win games", "source": "p. 3",
     "test": {"kind": "piece_above_average", "piece": "Knight"}}

`claim` is in one's own words, `source` says where the author's are. `test` names the contrast that would bear
the claim out. Its kinds, and the keys that each takes (``[x]``: may be left out):

``piece_above_average``, ``piece_below_average``: piece
    A copy adds more (less) win share than the average other piece.
``stronger_than``: piece, than
    A copy adds more win share than a copy of `than`.
``pieces_even``
    Every piece lies within the margins of [judge].
``ban_raises``, ``ban_lowers``: ban, piece
    Banning `ban` makes a copy of `piece` worth more (less).
``ban_raises``, ``ban_lowers``: ban, column, [per]
    Banning `ban` raises (lowers) the mean of a column of ``games``, or of the sum of a column of ``pieces``
    over all pieces, divided by the sum of the column `per`.
``countered_by``: piece, by
    A copy is worth less, the more copies of `by` the opponents were given.
``raises_for_owner``, ``lowers_for_owner``, ``raises_for_opponents``, ``lowers_for_opponents``: piece, column
    One more copy raises (lowers) a column of ``seats`` (score, passes, ...), of its owner or the opponents'
    mean.
``share_above``, ``share_below``: piece, column, [per], than
    The sum of a column of ``pieces``, divided by that of the column `per` (``played``), is above (below)
    `than`.
``more_than_others``, ``less_than_others``: piece, column, [per]
    The same share is above (below) that of all other pieces together.
``often_at_least``: piece, column, [per], least, than
    Where the piece was played, column / per is at least `least` in more than the share `than` of cases.
``decides_close_games``: piece, margin
    In games won by at most `margin` points, the winner would not have won without the points of this piece,
    and that oftener than for the average other piece.
``comebacks``: at, than
    More than the share `than` of games are won by who was behind when the share `at` of the turns was over
    (needs log = "turns").
``games_share_above``, ``games_share_below``: column, than, and ``is``, or ``least`` and/or ``most``
    The share of games with this property (``tied`` least 2; ``ended`` is "turn_cap"; ``minutes`` least 15
    most 30) is above (below) `than`. Here and in the next two lines, ``of = "events"`` makes `column` one of
    ``pieces``, summed over the seats and the kinds whose group on the card begins so.
``mean_above``, ``mean_below``: column, than; ``mean_between``: column, low, high
    The mean of a measure is above (below) `than`, or within the range.
``quantile_between``: column, at, low, high
    The quantile `at` (0.5: the median) of a measure lies within the range.
``ender_favoured``: [margin]; ``ender_not_favoured``: [margin]
    Who ends the game wins more than a fair share; wins no more than a fair share and the margin (default:
    that of [judge] for seats).
``seat_favoured``: seat, [margin]; ``seat_not_favoured``: seat, [margin]; ``seats_even``
    The same of a seat ("A", "B", ...); every seat lies within the margin of [judge].
``change_raises``, ``change_lowers``: factor, from, to, column, [least]
    Changing a parameter (any column of ``cells``, ``variant`` and ``players.count`` too), all else alike,
    raises (lowers) the mean of a measure by more than `least` (default: 0).
``level_raises``, ``level_lowers``: in, level, column, [least]
    A level drawn for each deal (an event), named in the column `in` of ``games``, raises (lowers) the mean of a
    measure by more than `least`, against the games without, or with the other levels.
``beats``: bot, other, [than]
    `bot` finishes ahead of `other` in more than the share `than` (0.5) of the pairings.
``not_measured``: why
    Said for completeness: nothing in a data set can show it.

Measures are the number columns of ``games``, and ``minutes`` (by the pace), ``stopped``, ``shared``,
``ender``, ``first seat``, ``points``: see `analysis.data.measures`. Every test may have ``where``, a table of
columns of cells or games and their values: only these games count. Bans are those of the column ``in``, by
default the first drawn column of kind ``piece set``.

A claim is ``reproduced`` when the contrast lies on its side beyond chance, ``not`` when it lies on the other
side beyond chance or an equivalence test finds no difference worth the name, else ``cannot tell``. Where the seats
or pieces are judged on the same numbers, the verdict says which. A range is ``reproduced`` when an equivalence test
places the value inside, ``not`` when it lies outside beyond chance. How long a game takes in minutes is only asked
at a pace that the experiment gives: the game's own guess may have been made to fit the claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.author_claims.evidence import Evidence, Finding
from analysis.author_claims.piece_kinds import KINDS
from analysis.changes.settings import SETTING, settings
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import tidy
from analysis.data.questions import compared
from analysis.stats import ALPHA

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


def claims(data: Dataset | Sequence[Dataset], by: str | None = None) -> pl.DataFrame:
    """Each claim of the game's author against what the bots did.

    Parameters
    ----------
    data : Dataset or list of Dataset
        Several data sets may hold the play of several bots; each gives its own rows.
    by : str, optional
        Column of cells: one set of rows a level; by default the players, where they were varied, else every setting
        that was compared. Then a claim on a change of the rules, one that names its setting and one that nothing
        can show have one row. "all": on all games together, whatever was compared.

    Returns
    -------
    polars.DataFrame
        ``data, tier, id, claim, source, kind, status, estimate, low, high, null, direction, unit, p, q,
        q_same, games, deals, method, note``. ``status`` is ``reproduced``, ``not`` or ``cannot tell``;
        ``tier`` names the bots, or the setting, that it holds for; ``direction`` is 1 where the claim says more
        than `null`, -1 for less, 0 for ``range_low .. range_high``. q values are corrected over all rows; ``q_same`` is
        that of the equivalence test. A claim that the data cannot speak to says why in `note`.
    """
    import polars as pl

    sets = [data] if not isinstance(data, Sequence) else list(data)
    rows: list[dict[str, Any]] = []
    for d in sets:
        listed = d.card.get("claims") or []
        if not listed:
            raise Refusal(f"{d.name}: the game's card holds no claims")
        known: dict[str, dict[str, Evidence]] = {}
        for tier, part, mine in _tried(d, by, listed):
            evidence = known.setdefault(tier, {})
            rows += [{"data": d.name, "tier": tier, **_row(part, evidence, claim)} for claim in mine]
    q = stats.bh([row["p"] for row in rows])
    same = stats.bh([row.pop("p_same") for row in rows])
    for i, row in enumerate(rows):
        row |= {"q": q[i], "q_same": same[i]}
        if row["status"] is None:
            row["status"] = _status(row)
    frame = pl.DataFrame([_plain(row) for row in rows], infer_schema_length=None, nan_to_null=True)
    head = [
        "data",
        "tier",
        "id",
        "claim",
        "source",
        "kind",
        "status",
        "estimate",
        "low",
        "high",
        "null",
        "direction",
    ]
    return tidy(frame.drop("enough", "said", "modest"), [*head, "unit", "p", "q", "q_same"])


Claim = dict[str, Any]
ALL = "all"


def _tried(d: Dataset, by: str | None, listed: Sequence[Claim]) -> Iterator[tuple[str, Dataset, list[Claim]]]:
    """What each claim is tried on: every setting that was compared by itself, for a mean over them is nobody's game.

    A claim on what a change of the rules does is tried on all of them, and one that names a setting on that alone.
    """
    column = by or ("players" if "players" in d.factors else None)
    if column == ALL:
        yield d.play, d, list(listed)
        return
    if column is not None:
        if column not in d.cells.columns:
            raise Refusal(f"{d.name}: no column '{column}' in cells{nearest(column, d.cells.columns)}")
        for level in dict.fromkeys(d.cells[column].to_list()):
            yield str(level), d.filter(**{column: level}), list(listed)
        return
    told = settings(d, *compared(d.manifest, d.cells))
    if len(told.names) == 1:
        yield d.play, told.d, list(listed)
        return
    own = [claim for claim in listed if _says_where(claim, d)]
    if own:
        yield d.play, d, own
    rest = [claim for claim in listed if claim not in own]
    for name in told.names:
        yield name, told.d.filter(None, **{SETTING: name}), rest


def _says_where(claim: Claim, d: Dataset) -> bool:
    """Whether a claim sets settings against each other, says itself under which it holds, or is tried under none."""
    test = dict(claim.get("test") or {})
    named = {one.factor for one in compared(d.manifest, d.cells)[0]}
    kind = str(test.get("kind", ""))
    return kind.startswith("change_") or kind == "not_measured" or bool(named & set(test.get("where") or {}))


def _row(d: Dataset, known: dict[str, Evidence], claim: dict[str, Any]) -> dict[str, Any]:
    test = dict(claim.get("test") or {})
    kind, where = str(test.pop("kind", "")), dict(test.pop("where", None) or {})
    head = {name: str(claim.get(name) or "") for name in ("id", "claim", "source")}
    if kind not in KINDS:
        raise Refusal(f"claim '{head['id']}': no kind of test is called '{kind}'{nearest(kind, KINDS)}")
    try:
        key = repr(sorted(where.items()))
        if key not in known:
            known[key] = Evidence(d.filter(**where) if where else d)
        found = KINDS[kind](known[key], test)
    except KeyError as missing:
        raise Refusal(f"claim '{head['id']}': a test of kind '{kind}' needs {missing}") from None
    except Refusal as refusal:
        found = Finding(note=str(refusal).removeprefix(f"{d.name}: "), status="cannot tell")
    return {**head, "kind": kind, **vars(found)}


def _status(row: dict[str, Any]) -> str:
    if not row["enough"] or not np.isfinite(row["estimate"]):
        return "cannot tell"
    if row["said"] is not None:
        # "Above" was corrected over the seats or pieces; among all the claims it may be luck.
        shown = row["said"] if not row["modest"] or row["q"] < ALPHA else 0
        return {1: "reproduced", -1: "not", 0: "cannot tell"}[shown]
    if row["direction"] == 0:
        if row["q_same"] < ALPHA:
            return "reproduced"
        return "not" if row["q"] < ALPHA else "cannot tell"
    if row["q_same"] < ALPHA:
        return "not"
    if row["q"] < ALPHA:
        return "reproduced" if row["direction"] * (row["estimate"] - row["null"]) > 0 else "not"
    return "cannot tell"


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Numpy numbers as plain ones, so that columns keep one type."""
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in row.items()}
