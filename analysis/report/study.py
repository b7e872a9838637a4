"""The page of a command that searches or proves: its own chapters, then those that every page ends with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from analysis.data.errors import Refusal
from analysis.report import about, balance, page
from analysis.report.blocks import Block, Part, Section
from analysis.report.context import Context


def write_page(
    context: Context,
    question: str,
    lead: str,
    chapters: Mapping[str, tuple[str, Sequence[Block]]],
    out: Path,
    health: str = "Health of the proof",
) -> Path:
    """Write one page and return its path.

    Parameters
    ----------
    context
        Of the data set that the page's last chapters are about.
    question, lead
        The heading, and what stands beneath it.
    chapters
        Name -> title and blocks, in order; those without blocks are left out.
    health
        Title of the chapter on the health of the data.

    Raises
    ------
    Refusal
        The file cannot be written.
    """
    whole = {
        **chapters,
        "health": (health, balance.health(context)),
        "played": ("What was played", about.played(context)),
        "stand-ins": ("Stand-ins and rulings", about.stand_ins(context)),
    }
    sections = [Section(name, title, list(blocks)) for name, (title, blocks) in whole.items() if blocks]
    name = context.whole.name
    title = f"{context.game_title}, {name}"
    part = Part(context.key, name, title, question, lead, [], sections, context.alarm)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page.render([part], []), encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{out}: cannot be written ({error.strerror or error})") from None
    return out
