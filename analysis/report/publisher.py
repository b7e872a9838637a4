"""One printed page for a publisher: a sentence, a picture, how it was tested, its limits, its date, its versions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from analysis.data.questions import PIECES
from analysis.report import about, balance, over_play, pieces, words
from analysis.report.blocks import Block, Command, Facts, Glance, Picture, Section
from analysis.report.first import first

if TYPE_CHECKING:
    from analysis.report.context import Context


def sections(context: Context) -> list[Section]:
    """The sections of the page."""
    head = first(context)
    answer: list[Block] = [Glance(head, [])] if head is not None else []
    lead = context.asks[0].what if context.asks else ""
    makers = (pieces.pieces, balance.seats) if lead == PIECES else (balance.seats, pieces.pieces)
    drawn = next(([b] for make in makers for b in make(context) if isinstance(b, Picture)), [])
    found = [
        Section("glance", "The answer", answer),
        Section("picture", "The picture", list(drawn)),
        Section("tested", "How it was tested", [Facts(tested(context))]),
        Section("limits", "What it does not say", [Facts(limits(context))]),
        Section("played", "To repeat it", [Command("\n".join(about.commands(context)))]),
    ]
    return [section for section in found if section.blocks]


def tested(context: Context) -> list[tuple[str, str]]:
    """Games, bots, settings, date and versions."""
    d, manifest = context.whole, context.whole.manifest
    facts = [
        ("Games", f"{context.amount}, {words.tables(d.tables)}"),
        ("Players", f"{context.d.play}; verdicts are read there" if len(d.tiers) > 1 else context.d.play),
    ]
    if context.maps:
        facts.append(("Maps", words.listing(context.maps, 8)))
    if d.factors:
        facts.append(("Compared", words.listing(context.told or d.factors, 8)))
    facts.append(("Date of the data", date(context)))
    versions = [f"rules {manifest['rules_version']}"] if manifest.get("rules_version") else []
    versions += [f"design {manifest['design_version']}"] if manifest.get("design_version") else []
    versions += [f"whimbrel {manifest['whimbrel']}"] if manifest.get("whimbrel") else []
    facts.append(("Versions", ", ".join(versions) or "not stated"))
    return facts


def date(context: Context) -> str:
    """When the last chunk of games was written."""
    path = context.whole.path
    log = path / "commits.jsonl" if path is not None else None
    if log is None or not log.is_file():
        return "not known"
    return datetime.fromtimestamp(log.stat().st_mtime, UTC).strftime("%d %B %Y")


def limits(context: Context) -> list[tuple[str, str]]:
    """For whom it holds, what was guessed, what is open."""
    facts = [
        (
            "For whom",
            f"{words.an('finding').capitalize()} here is one {context.play}; people may play otherwise.",
        )
    ]
    badge = over_play.badge(context)
    if badge:
        facts.append(("Over levels of play", badge))
    guesses = len(context.whole.card.get("stand_ins", []))
    if guesses:
        facts.append(
            ("Guesses", f"{words.plural(guesses, 'fact')} that the rulebook leaves out stood at our guess")
        )
    if context.audit is not None:
        failed = len(context.alarm)
        told = f"{context.audit.height} checks, {'none failed' if not failed else f'{failed} failed'}"
        facts.append(("Health of the data", told))
    return facts
