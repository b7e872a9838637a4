"""Sentences of the short answer on drafts, cards, matchups, Founder and series, claims, and stand-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.report import words
from analysis.report.blocks import TONES, Block, Statement

if TYPE_CHECKING:
    from analysis.report.context import Context


def statements(context: Context) -> list[Block]:
    """Return the sentences, each with its verdict."""
    return [
        *_drafts(context),
        *_cards(context),
        *_matchups(context),
        *_founder(context),
        *_series(context),
        *_claims(context),
        *_stand_ins(context),
    ]


def _say(context: Context, text: str, verdict: str) -> Statement:
    return Statement(text, words.soften(verdict, context.doubtful), TONES.get(verdict, "note"))


def _share(row: dict[str, Any]) -> str:
    return f"{words.percent(row['estimate'])} ({words.percent_range(row['low'], row['high'])})"


def _drafts(context: Context) -> list[Block]:
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
            table = f"With {r['players']} players, who" if len(context.d.n_players) > 1 else "Who"
            text = (
                f"{table} splits first in the draft wins {_share(r)}, where a fair share is "
                f"{words.percent(r['fair'])}"
            )
            text += ", with the seat taken off." if r["adjusted"] else "; the seat cannot be taken off."
            blocks.append(_say(context, text, str(r["verdict"])))
    return blocks


def _cards(context: Context) -> list[Block]:
    import polars as pl

    frame = context.made("card_effects")
    if frame is None:
        return []
    clear = frame.filter(pl.col("q").fill_null(1.0) < 0.05)
    blocks: list[Block] = []
    for measure, unit in (
        ("turns", "turns"),
        ("first seat", "points of Seat A's win share"),
        ("piece", "points a copy"),
    ):
        rows = (
            clear.filter(pl.col("measure") == measure)
            .sort(pl.col("estimate").abs(), descending=True)
            .to_dicts()
        )
        if not rows:
            continue
        parts = [
            f"{r['card']} {_change(r)}{' for ' + r['piece'] if r['piece'] else ''}"
            + (f" with {r['players']} players" if r["players"] and len(context.d.n_players) > 1 else "")
            for r in rows
        ]
        lead = {"turns": "length", "first seat": "seats", "piece": "strength of pieces"}[measure]
        text = (
            f"Cards change the {lead}, against {rows[0]['against']} {context.scope}: "
            f"{words.listing(parts, 4)} {unit}."
        )
        blocks.append(_say(context, text, "beyond chance"))
    if not blocks:
        blocks.append(
            _say(
                context,
                f"No card changes length, seats or pieces beyond chance {context.scope}.",
                "undecided",
            )
        )
    return blocks


def _change(row: dict[str, Any]) -> str:
    if row["measure"] == "turns":
        return f"{row['estimate']:+.1f}".replace("-", "−")
    return words.points(row["estimate"])


def _matchups(context: Context) -> list[Block]:
    frame, field = context.made("matchups"), context.made("standing")
    if frame is None or field is None or len(field) < 3:
        return []
    best, of = field.row(0, named=True), str(field["of"][0])
    ahead = [r for r in frame.iter_rows(named=True) if r["verdict"] == "ahead"]
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


def _founder(context: Context) -> list[Block]:
    frame = context.made("founder_effect")
    if frame is None:
        return []
    blocks: list[Block] = []
    for (n,), part in frame.filter(frame["role"] == "Founder").group_by("players", maintain_order=True):
        plain, apart = sorted(part.to_dicts(), key=lambda r: r["apart"])
        if apart["estimate"] is None:
            continue  # the Founder is one seat or one turn here, and the sentence on the seats says it all
        text = (
            f"With {n} players the Founder wins {_share(plain)}, where a fair share is "
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
    for (n,), part in frame.filter(pl.col("measure") == "series won").group_by(
        "players", maintain_order=True
    ):
        rows = part.to_dicts()
        far = max(rows, key=lambda r: abs(r["estimate"] - r["fair"]))
        verdicts = {r["verdict"] for r in rows}
        word = (
            str(far["verdict"])
            if verdicts & {"favoured", "unfavoured"}
            else ("balanced" if verdicts == {"balanced"} else "undecided")
        )
        text = (
            f"Over a series of {n} games, furthest from a fair {words.percent(far['fair'])} of "
            f"series won is {far['who']} with "
            f"{_share(far)} {context.play}."
        )
        blocks.append(_say(context, text, word))
    return blocks


def _claims(context: Context) -> list[Block]:
    frame = context.made("claims")
    if frame is None:
        return []
    counts = {word: int((frame["status"] == word).sum()) for word in ("reproduced", "not", "cannot tell")}
    total = words.plural(len(frame), "claim")
    text = (
        f"Of {total} that the game's author makes, {counts['reproduced']} are reproduced, "
        f"{counts['not']} are not, and "
        f"{counts['cannot tell']} cannot be told {context.play}."
    )
    return [_say(context, text, "see claims")]


def _stand_ins(context: Context) -> list[Block]:
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
    shown = [r for r in rows if not r["depends"] and r["verdict"] != "undecided"]
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
    if row["players"] is not None and len(context.d.n_players) > 1:
        name += f" of {row['players']} players"
    return f"{name} in {row['variant']}" if row["variant"] else name
