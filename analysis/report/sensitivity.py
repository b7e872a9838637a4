"""The page of `whimbrel sensitivity`: the screen, then the strongest numbers as curves on fresh deals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.data.errors import Refusal
from analysis.report import about, answer, balance, page, screening
from analysis.report.blocks import Part, Section
from analysis.report.context import Context

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset


def write(screen: Path | Dataset, curves: Path | Dataset | None, out: Path) -> Path:
    """Write the page and return its path.

    Parameters
    ----------
    screen
        The data set of the screen.
    curves
        That of the sweeps on fresh deals, or None.
    """
    from analysis.data.dataset import Dataset, load

    context = Context(screen if isinstance(screen, Dataset) else load(screen), "p1")
    blocks = {
        "answer": ("The short answer", answer.short_answer(context)),
        "screen": ("Which numbers matter", screening.screening(context)),
    }
    if curves is not None:
        swept = Context(curves if isinstance(curves, Dataset) else load(curves), "p2")
        blocks["curves"] = ("The strongest, one at a time", screening.curves(swept))
    blocks["health"] = ("Health of the data", balance.health(context))
    blocks["played"] = ("What was played", about.played(context))
    blocks["stand-ins"] = ("Stand-ins and rulings", about.stand_ins(context))
    sections = [Section(key, title, found) for key, (title, found) in blocks.items() if found]
    d = context.whole
    lead = f"{d.n_games:,} games on {d.n_deals:,} deals, {context.scope}."
    title = f"{context.game_title}, {d.name}"
    part = Part(
        context.key, d.name, title, "Which numbers of the rules matter?", lead, [], sections, context.alarm
    )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page.render([part], []), encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{out}: cannot be written ({error.strerror or error})") from None
    return out
