"""The page of `whimbrel sensitivity`: the screen, then the strongest numbers as curves on fresh deals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.report import answer, screening
from analysis.report.context import Context
from analysis.report.study import write_page

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
    chapters = {
        "answer": ("The short answer", answer.short_answer(context)),
        "screen": ("Which numbers matter", screening.screening(context)),
    }
    if curves is not None:
        swept = Context(curves if isinstance(curves, Dataset) else load(curves), "p2")
        chapters["curves"] = ("The strongest, one at a time", screening.curves(swept))
    lead = f"{context.amount}, {context.scope}."
    return write_page(
        context, "Which numbers of the rules matter?", lead, chapters, out, health="Health of the data"
    )
