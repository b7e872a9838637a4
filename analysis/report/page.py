"""From data sets to one HTML file: which sections, in which order, and the template that renders them."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.data.errors import Refusal, nearest
from analysis.report import (
    about,
    answer,
    balance,
    closer,
    compare,
    drafting,
    factors,
    glance,
    ladder,
    levels,
    over_play,
    pace,
    people,
    piece_page,
    pieces,
    publisher,
    screening,
    striking,
    variants,
    words,
)
from analysis.report.blocks import Block, Part, Section, Table, Text, Tone
from analysis.report.context import Context
from analysis.report.formats import FORMATS, as_json, as_markdown, long_frame, parquet_text
from analysis.report.openings import opening
from analysis.report.packed import packed, plain_rows

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset

MAPS_LISTED = 8
# A word in braces is the game's own for it.
SECTIONS: dict[str, tuple[str, Callable[[Context], list[Block]]]] = {
    "glance": ("At a glance", glance.glance),
    "answer": ("The short answer", answer.short_answer),
    "health": ("Health of the data", balance.health),
    "screen": ("Which numbers matter", screening.screening),
    "over-play": ("Verdicts over play", over_play.over_play),
    "seats": ("Seats", balance.seats),
    "pieces": ("{pieces}", pieces.pieces),
    "bans": ("{sets}", balance.bans),
    "drafts": ("Drafts", drafting.drafts),
    "levels": ("What was drawn for each deal", levels.levels),
    "seat-levels": ("What each seat has", levels.seat_levels),
    "matchups": ("Matchups", variants.matchups),
    "roles": ("Roles and series", variants.roles),
    "people": ("Who played", people.people),
    "harm": ("Harm to the others", variants.harm),
    "claims": ("The author's claims", variants.claims),
    "factors": ("What was varied", factors.factors),
    "pace": ("Pace", pace.pace),
    "ladder": ("The ladder of play", ladder.ladder),
    "luck": ("Luck and skill", pace.luck),
    "games": ("Striking games", striking.section),
    **closer.SECTIONS,
    "played": ("What was played", about.played),
    "stand-ins": ("Stand-ins and rulings", about.stand_ins),
    "definitions": ("What the words mean", about.definitions),
}


OF_DESIGNS = ("pieces", "bans", "drafts", "levels", "seat-levels", "claims", "luck", "stand-ins")
"""Sections on what was drawn by lot or set by an experiment: people's games have none of it."""
AVERAGED = (
    "bans",
    "drafts",
    "levels",
    "seat-levels",
    "matchups",
    "roles",
    "harm",
    "pace",
    "luck",
    "places",
    "closer",
)
"""Sections that show averages over what was compared, and say so."""

OF_SCREENS = ("answer", "health", "screen", "played", "stand-ins", "definitions")
"""Sections on a screen: the others would average over cells of extremes, which nobody means to play."""


def write(
    folders: Path | str | Dataset | Sequence[Path | str | Dataset],
    out: Path | str | None = None,
    one_page: bool = False,
    only: str | Sequence[str] | None = None,
    old: Sequence[Sequence[str]] = (),
    kind: str = "html",
    replays: Sequence[Mapping[int, str]] = (),
) -> Path:
    """Write the report on one or several data sets and return its path.

    Parameters
    ----------
    folders
        Folders of data sets (or data sets already loaded). Several become one report: a table that compares
        them by name, then a part for each.
    out
        The HTML file; by default `report.html` in the folder, or beside the first of several folders.
    one_page
        For a publisher: the answer, a picture, how it was tested, its limits, date and
        versions, on one printed page.
    only
        Names of sections (`SECTIONS`) to keep, or ``piece.NAME``: one piece's own page. A failed check of the
        data is shown all the same.
    old
        For each data set, what it was played with that is of another version now: said at its top.
    kind
        One of `FORMATS`: ``html``, ``md``, ``json``, or ``csv`` (all tables, one row a cell of a table).
    replays
        For each data set, pages beside the report that step through a game: its number -> the link.

    Raises
    ------
    Refusal
        No folder, a folder that is no data set, an unknown section, or a file that cannot be written.
    """
    from analysis.data.dataset import Dataset, load

    given = [folders] if isinstance(folders, Path | str | Dataset) else list(folders)
    if not given:
        raise Refusal("report: name at least one folder of a data set")
    if kind not in FORMATS:
        raise Refusal(
            f"report: no format is called '{kind}'{nearest(kind, FORMATS)} (there are {', '.join(FORMATS)})"
        )
    wanted = _wanted(only)
    target = target_of(given, out, kind)
    contexts = []
    for number, item in enumerate(given, start=1):
        contexts.append(Context(item if isinstance(item, Dataset) else load(item), f"p{number}"))
    for context, links in zip(contexts, replays):
        context.replays = dict(links)
    told = [*map(list, old), *([] for _ in contexts)]
    parts = [
        replace(_part(context, wanted, one_page), old=said, folder=shlex.quote(context.folder_name))
        for context, said in zip(contexts, told)
    ]
    comparison = [*people.covered(contexts), *compare.side_by_side(contexts)] if len(contexts) > 1 else []
    text = _text(kind, parts, comparison, one_page)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{target}: cannot be written ({error.strerror or error})") from None
    return target


def _text(kind: str, parts: Sequence[Part], comparison: Sequence[Block], one_page: bool) -> str:
    if kind == "json":
        return as_json(parts, comparison)
    if kind == "md":
        return as_markdown(parts, comparison)
    if kind == "csv":
        return long_frame(parts).write_csv()
    return render(parts, comparison, one_page)


def _wanted(only: str | Sequence[str] | None) -> list[str]:
    if only is None:
        return list(SECTIONS)
    names = [only] if isinstance(only, str) else list(only)
    own = [name for name in names if name.startswith(piece_page.KEY)]
    if own and len(own) < len(names):
        raise Refusal(f"report: '{own[0]}' is a page of its own; ask for it without other sections")
    if own:
        return own[:1]
    for name in names:
        if name not in SECTIONS:
            known = ", ".join(SECTIONS)
            raise Refusal(
                f"report: no section is called '{name}'{nearest(name, SECTIONS)} (there are {known})"
            )
    return [name for name in SECTIONS if name in names]


def target_of(given: Sequence[Any], out: Path | str | None, kind: str = "html") -> Path:
    """The file that a report is written to."""
    if out is not None:
        target = Path(out)
        return target / f"report.{kind}" if target.is_dir() else target
    first = given[0] if isinstance(given[0], Path | str) else given[0].path
    if first is None:
        raise Refusal("report: a data set without a folder needs a file to write to (out=...)")
    folder = Path(first)
    return (folder if len(given) == 1 else folder.resolve().parent) / f"report.{kind}"


def _part(context: Context, wanted: Sequence[str], one_page: bool) -> Part:
    sections = []
    pieces_asked = [name for name in wanted if name.startswith(piece_page.KEY)]
    if one_page:
        sections = publisher.sections(context)
    elif pieces_asked:
        sections = [
            s for name in pieces_asked for s in piece_page.sections(piece_page.named(name, context), context)
        ]
    else:
        screened = bool(context.d.manifest.get("screen"))
        for name in wanted:
            if screened != (name in OF_SCREENS) and (screened or name == "screen"):
                continue
            if name in OF_DESIGNS and context.whole.manifest.get("imported"):
                continue
            title, make = SECTIONS[name]
            blocks = make(context)
            if blocks and name in AVERAGED and not context.single:
                blocks = [Text(_average(context), "note"), *blocks]
            if blocks:
                blocks = opening(name, blocks, context)
                sections.append(Section(name, _titled(title, context), blocks))
    d = context.whole
    version = d.manifest.get("design_version")
    title = f"{context.game_title}, {d.name}" + (f", design {version}" if version else "")
    facts = [
        context.amount,
        words.tables(d.tables),
        f"{context.d.play} {_where(context)}".strip(),
    ]
    lead = "; ".join(facts) + "." + (f" {context.map_choice}" if context.map_choice else "")
    badge = over_play.badge(context)
    badges: list[tuple[str, Tone]] = [(badge, "note")] if badge else []
    question = d.question or d.name
    if pieces_asked:
        question = f"What is {piece_page.named(pieces_asked[0], context)} worth, and who answers it?"
    return Part(context.key, d.name, title, question, lead, badges, sections, context.alarm)


def _where(context: Context) -> str:
    """The maps by name, once; more than fit a line, as where land is drawn anew for each deal, are counted."""
    few = 0 < len(context.maps) <= MAPS_LISTED
    return f"on {words.listing(context.maps, MAPS_LISTED)}" if few else context.on_maps


def _average(context: Context) -> str:
    first = context.asks[0]
    names = [*(one.factor for one in first.across), *first.apart]
    return (
        f"Where nothing else is said, this section averages over what was compared "
        f"({words.listing(names)}); the short "
        "answer does not."
    )


def _titled(title: str, context: Context) -> str:
    text = title.format(pieces=context.word("pieces"), sets=context.sets)
    return text[:1].upper() + text[1:]


def render(parts: Sequence[Part], comparison: Sequence[Block], one_page: bool = False) -> str:
    """Return the page; every text is escaped by the template."""
    import importlib.metadata

    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("analysis.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"runs": _runs, "packed": packed, "plain_rows": plain_rows}
    source = environment.loader
    assert source is not None
    css, js = (source.get_source(environment, name)[0] for name in ("report.css", "report.js"))
    try:
        version = importlib.metadata.version("whimbrel")
    except importlib.metadata.PackageNotFoundError:
        version = ""
    title = (
        parts[0].question
        if len(parts) == 1
        else f"{len(parts)} data sets: " + words.listing(p.name for p in parts)
    )
    return environment.get_template("report.html").render(
        parts=parts,
        comparison=comparison,
        one_page=one_page,
        css=css,
        js=js,
        version=version,
        title=title,
        data=parquet_text(parts),
        name=re.sub(r"\W+", "-", parts[0].name),
    )


def _runs(blocks: Iterable[Block]) -> list[tuple[str, list[Block]]]:
    """Group neighbouring blocks of one kind: pictures stand side by side, statements form one list.

    A lone picture and the open table after it become a "pair", side by side where the page is wide enough.
    """
    runs = [(kind, list(group)) for kind, group in itertools.groupby(blocks, key=lambda block: block.kind)]
    out: list[tuple[str, list[Block]]] = []
    for kind, group in runs:
        first = group[0]
        before = out[-1] if out else ("", [])
        lone = before[0] == "picture" and len(before[1]) == 1 and not getattr(before[1][0], "wide", True)
        if lone and isinstance(first, Table) and not first.folded:
            out[-1] = ("pair", [*before[1], first])
            group = group[1:]
        if group:
            out.append((kind, group))
    return out
