"""Sentences of the short answer on drafts, drawn levels, bans, matchups, roles and series, claims, and stand-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.bans_and_drafts.ban_sets import MOST_EVEN
from analysis.changes.levels import word_of
from analysis.data.measures import MINUTES, STOPPED
from analysis.report import words
from analysis.report.blocks import TONES, Block, Statement
from analysis.report.levels import measured
from analysis.report.variants import FEWEST_GAMES
from analysis.stats import together
from analysis.stats.verdicts import NO_VERDICT, TOO_FEW

CLAIMED_UNDER = 6  # settings under which claims are counted in a sentence

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context


def _say(context: Context, text: str, verdict: str) -> Statement:
    return Statement(text, words.soften(verdict, context.doubtful), TONES.get(verdict, "note"))


def _share(row: dict[str, Any]) -> str:
    return words.share(row["estimate"], row["low"], row["high"], row.get("fair"))


def drafts(context: Context) -> list[Block]:
    """Who is picked, and whether it matters who splits first."""
    blocks: list[Block] = []
    picks = context.made("draft_picks")
    if picks is not None:
        rows = picks.sort("estimate", descending=True, nulls_last=True).to_dicts()
        eager = [r["piece"] for r in rows if r["flag"] == "eager"]
        shy = [r["piece"] for r in rows[::-1] if r["flag"] == "reluctant"]
        parts = [f"{words.listing(eager)} picked eagerly"] if eager else []
        parts += [f"{words.listing(shy)} reluctantly"] if shy else []
        text = f"In the draft {' and '.join(parts)}, {context.play}." if parts else ""
        if text:
            blocks.append(
                _say(
                    context,
                    text.replace("picked", "is picked" if len(eager) == 1 else "are picked", 1),
                    "beyond chance",
                )
            )
    seats = context.made("draft_seats")
    if seats is not None:
        for r in seats.filter(seats["position"] == 0).iter_rows(named=True):
            table = f"With {words.table(r)}, who" if context.many_tables else "Who"
            text = (
                f"{table} splits first in the draft wins {_share(r)}, where a fair share is "
                f"{words.percent(r['fair'])}"
            )
            text += ", with the seat taken off." if r["adjusted"] else "; the seat cannot be taken off."
            blocks.append(_say(context, text, str(r["verdict"])))
    return blocks


def drawn_levels(context: Context) -> list[Block]:
    """What each level that was drawn for a deal changes."""
    import polars as pl

    frame = context.made("level_effects")
    if frame is None:
        return []
    blocks: list[Block] = []
    for (column,), part in frame.group_by("column", maintain_order=True):
        many = word_of(context.d, str(column), many=True)
        clear = part.filter(pl.col("q").fill_null(1.0) < context.alpha)
        found = [
            block
            for measure in (MINUTES, "turns", "first seat", STOPPED, "piece")
            for block in _level_sentence(clear.filter(pl.col("measure") == measure), measure, many, context)
        ]
        if MINUTES in clear["measure"]:
            found = [b for b in found if not b.text.startswith(f"{many.capitalize()} change the turns")]
        text = (
            f"No {word_of(context.d, str(column))} changes length, seats or {context.word('pieces')} "
            f"beyond chance"
        )

        blocks += found or [_say(context, f"{text} {context.scope}.", "undecided")]
    return blocks


def _level_sentence(rows: pl.DataFrame, measure: str, many: str, context: Context) -> list[Statement]:
    import polars as pl

    if rows.is_empty():
        return []
    listed = rows.sort(pl.col("estimate").abs(), descending=True).to_dicts()
    parts = [
        f"{r['level']} {measured(measure, r['estimate'], True)}{' for ' + r['piece'] if r['piece'] else ''}"
        + (f" with {words.table(r)}" if r["players"] and context.many_tables else "")
        for r in listed
    ]
    leads = {"first seat": "seats", "piece": f"strength of {context.word('pieces')}"}
    leads |= {"turns": "length", MINUTES: "minutes", STOPPED: "games that are stopped"}
    unit = {"turns": "turns", MINUTES: "minutes", "first seat": "points of Seat A's win share"}
    unit |= {"piece": "points for each copy", STOPPED: "points of games"}
    text = (
        f"{many.capitalize()} change the {leads[measure]}, against {listed[0]['against']} {context.scope}: "
        f"{words.listing(parts, 4)} {unit[measure]}."
    )
    return [_say(context, text, "beyond chance")]


def seat_levels(context: Context) -> list[Block]:
    """What of that which each seat has helps most."""
    import polars as pl

    frame = context.made("seat_level_effects")
    if frame is None:
        return []
    blocks: list[Block] = []
    for _, part in frame.group_by("column", maintain_order=True):
        for table, rows in context.by_table(part):
            known = rows.filter(pl.col("estimate").is_not_null()).sort("estimate", descending=True).to_dicts()
            if len(known) < 2:
                continue
            best, last = known[0], known[-1]
            how = "goes with winning most" if best["chosen"] else "helps most"
            text = (
                f"Of what each seat has{table}, the {best['word']} {best['level']} {how}: {_points(best)} "
                f"points "
                f"of win share against the average other; least {last['level']} {_points(last)}, "
                f"{context.play}."
            )
            clear = best["q"] is not None and best["q"] < context.alpha
            word = "goes with" if best["chosen"] else str(best["verdict"])
            blocks.append(_say(context, text, word if clear or not best["chosen"] else "undecided"))
    return blocks


def _points(row: dict[str, Any]) -> str:
    return words.change(row["estimate"], row["low"], row["high"])


def matchups(context: Context) -> list[Block]:
    """Who does best against the field."""
    frame, field = context.made("matchups"), context.made("standing")
    if frame is None or field is None or len(field) < 3:
        return []
    best, of = field.row(0, named=True), str(field["of"][0])
    ahead = [r for r in frame.iter_rows(named=True) if r["verdict"] in ("ahead", "above")]
    beaten = [r["row"] for r in ahead if r["column"] == best["name"]]
    text = (
        f"Against the field the {of} {best['name']} does best {context.scope}: it wins "
        f"{_share(best)} of its pairings"
    )
    text += (
        f"; {words.listing(beaten)} {'beats' if len(beaten) == 1 else 'beat'} it."
        if beaten
        else "; nobody beats it beyond chance."
    )
    clear = best["low"] is not None and best["low"] > 0.5
    return [_say(context, text, "beyond chance" if clear else "undecided")]


def roles(context: Context) -> list[Block]:
    """Whether the lead seat, or who has it once in a series, wins more than a fair share."""
    return [*_roles(context), *_series(context)]


def _roles(context: Context) -> list[Block]:
    frame = context.made("role_effect")
    if frame is None:
        return []
    blocks: list[Block] = []
    name = context.word("role")
    for _, part in context.by_table(frame.filter(frame["role"] == name)):
        plain, apart = sorted(part.to_dicts(), key=lambda r: r["apart"])
        if apart["estimate"] is None:
            continue  # the role is one seat or one turn here, and the sentence on the seats says it all
        text = (
            f"With {words.table(plain)} the {name} wins {_share(plain)}, where a fair share is "
            f"{words.percent(plain['fair'])}, {context.scope}"
        )
        text += f"; with the seat and the first turn taken off, {_share(apart)}."
        blocks.append(_say(context, text, str(plain["verdict"])))
    return blocks


def _series(context: Context) -> list[Block]:
    import polars as pl

    frame = context.made("series_balance")
    if frame is None:
        return []
    blocks: list[Block] = []
    for _, part in context.by_table(frame.filter(pl.col("measure") == "series won")):
        rows = part.to_dicts()
        far = max(rows, key=lambda r: abs(r["estimate"] - r["fair"]))
        every = together([str(r["verdict"]) for r in rows])
        word = every if every in ("balanced", *NO_VERDICT) else str(far["verdict"])
        text = (
            f"Over a series of {far['players']} games, furthest from a fair {words.percent(far['fair'])} of "
            f"series won is {far['who']} with "
            f"{_share(far)} {context.play}."
        )
        blocks.append(_say(context, text, word))
    return blocks


def claims(context: Context) -> list[Block]:
    """How many of the author's claims hold, under each setting by itself."""
    frame = context.made("claims")
    if frame is None:
        return []
    tried = frame.filter((frame["games"] > 0) | (frame["status"] != "cannot tell"))
    if tried.is_empty():
        total = words.plural(frame["id"].n_unique(), "claim")
        text = f"None of the {total} that the game's author makes can be tried on these games."
        return [_say(context, text, "see claims")]
    parts = frame.partition_by("tier", maintain_order=True)
    if len(parts) == 1:
        total = words.plural(len(frame), "claim")
        text = f"Of {total} that the game's author makes, {_claimed(frame, f' {context.play}')}."
        return [_say(context, text, "see claims")]
    total = words.plural(frame["id"].n_unique(), "claim")
    told = [f"{_under(part, context)}: {_claimed(part)}." for part in parts[:CLAIMED_UNDER]]
    if len(parts) > len(told):
        told.append(f"{len(parts) - len(told)} more settings below.")
    head = f"Of {total} that the game's author makes, {context.play}:"
    return [_say(context, "\n".join([head, *told]), "see claims")]


def _under(frame: pl.DataFrame, context: Context) -> str:
    """The setting that claims were tried on; those that set settings against each other were tried on all."""
    name = str(frame["tier"][0])
    return "what compares settings, or names its own" if name == context.d.play else name


def _claimed(frame: pl.DataFrame, play: str = "") -> str:
    """How many claims hold, of those that were tried together."""
    tried = frame.filter((frame["games"] > 0) | (frame["status"] != "cannot tell"))
    counts = {word: int((tried["status"] == word).sum()) for word in ("reproduced", "not", "cannot tell")}
    left = len(frame) - len(tried)
    text = (
        f"{counts['reproduced']} {_are(counts['reproduced'])} seen{play}, {counts['not']} "
        f"{_are(counts['not'])} not seen in this "
        f"play, and {counts['cannot tell']} cannot be told"
    )
    return text + (f"; {left} cannot be tried on these games" if left else "")


def most_even(context: Context) -> list[Block]:
    """Which sets of bans make the game most even, beside playing without a ban where that was played."""
    frame = context.made("ban_sets")
    if frame is None:
        return []
    blocks: list[Block] = []
    for table, part in context.by_table(frame):
        rows = part.sort("tier", "best", descending=[False, True], nulls_last=True).to_dicts()
        many = words.plural(len(rows), "set")
        typical = float(part["games"].median())  # type: ignore[arg-type]
        if rows[0]["tier"] is None or typical < FEWEST_GAMES:
            text = (
                f"{many} of bans{table} with {words.number(typical, 0)} games each are too few games "
                f"to rank them."
            )

            blocks.append(_say(context, text, TOO_FEW))
            continue
        tied = [r for r in rows if r["tier"] == 1]
        text = (
            f"Most even of {many} of bans{table} {context.scope}: {_set(rows[0])} {_uneven(rows[0])}, the "
            f"most even of "
            f"all with a chance of {words.percent(rows[0]['best'], 0)}; "
        )
        text += (
            f"{words.plural(len(tied) - 1, 'other')} cannot be told from it"
            if len(tied) > 1
            else "all others are less even"
        )
        plain = [r for r in rows if r["bans"] == "none"]
        if plain and plain[0] is not rows[0]:
            told = "cannot be told from it" if plain[0]["tier"] == 1 else "is less even"
            text += f"; without a ban, {_uneven(plain[0])}, the game {told}"
        blocks.append(
            _say(context, f"{text}. Points are how far a seat or piece typically lies from even.", MOST_EVEN)
        )
    return blocks


def _set(row: dict[str, Any]) -> str:
    return words.listing(str(row["bans"]).split("+"))


def _uneven(row: dict[str, Any]) -> str:
    low, high = (f"{100 * row[end]:.1f}" for end in ("low", "high"))
    return f"{100 * row['estimate']:.1f} points ({low} to {high})"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def stand_ins(context: Context) -> list[Block]:
    """How the verdicts fare under other guesses; those that nothing speaks against share one sentence."""
    frame = context.made("under_stand_ins")
    if frame is None:
        return []
    rows = [{**r, "name": _verdict_name(r, context)} for r in frame.iter_rows(named=True)]
    blocks: list[Block] = []
    for r in rows:
        if r["depends"]:
            text = (
                "Under other guesses at what the rulebook leaves out, the verdict on "
                f"{r['name']} ({r['verdict']}) {r['says']}."
            )
            blocks.append(_say(context, text, "depends"))
    shown = [r for r in rows if not r["depends"] and r["verdict"] not in NO_VERDICT]
    firm = [r for r in shown if r["same"] == r["guesses"]]
    loose = [r for r in shown if r["same"] < r["guesses"]]
    for part, says in (
        (firm, f"under all {rows[0]['guesses']} guesses at what the rulebook leaves out"),
        (loose, "under some guesses at what the rulebook leaves out, and are undecided under the others"),
    ):
        if part:
            own = words.listing((f"{r['name']} ({r['verdict']})" for r in part), 14)
            text = f"These verdicts hold {says}: {own}."
            blocks.append(_say(context, text, "holds" if part is firm else "undecided"))
    return blocks


def _verdict_name(row: dict[str, Any], context: Context) -> str:
    name = str(row["about"]) if row["about"] else "the seats"
    if row["players"] is not None and context.many_tables:
        name += f" of {words.table(row)}"
    return f"{name} in {row['variant']}" if row["variant"] else name
