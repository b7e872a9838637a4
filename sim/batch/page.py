"""A replayed game as one page that needs nothing else: pictures, what was done, and what a bot thinks of it."""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.replay import Moment

WIDTH = 8.0
"""Inches of a picture; the page shows it as wide as there is room."""
MOST_CHOICES = 8


def write_page(
    shown: Sequence[Moment], path: Path, title: str, bot: str | None = None, coordinates: bool = False
) -> Path:
    """Write the page.

    Parameters
    ----------
    shown
        Of one game, in order.
    path
        The HTML file.
    bot
        Whose opinion of the choices is shown, as in ``search:playouts=400``; None: nobody's.
    coordinates
        Whether places in pictures bear their coordinates.

    Raises
    ------
    Refusal
        The file cannot be written, or the bot cannot say what it thinks.
    """
    from sim.show.sheet import Sheet

    if not path.parent.is_dir():
        raise Refusal(f"there is no folder '{path.parent}'")
    sheet = Sheet(WIDTH)
    steps = [_step(moment, sheet, bot, coordinates) for moment in shown]
    data = json.dumps({"bot": bot, "steps": steps}, ensure_ascii=False, separators=(",", ":"))
    page = (files(__package__) / "page.html").read_text(encoding="utf-8")
    page = page.replace("{{title}}", html.escape(title)).replace("{{data}}", data.replace("</", "<\\/"))
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"cannot write '{path}': {error.strerror or error}") from None
    return path


def _step(moment: Moment, sheet: Any, bot: str | None, coordinates: bool) -> dict[str, Any]:
    position = moment.position
    sheet.draw(partial(position.draw, **({"coordinates": True} if coordinates else {})))
    picture = gzip.compress(sheet.svg(), mtime=0)
    return {
        "turn": position.turn,
        "seat": position.seat,
        "done": [[seat, words] for seat, words, _ in moment.done],
        "text": position.text,
        "options": len(position.legal),
        "choices": _choices(position, bot) if bot is not None and len(position.legal) > 1 else [],
        "svg": base64.b64encode(picture).decode(),
    }


def _choices(position: Any, bot: str) -> list[dict[str, Any]]:
    """Return the best choices to a bot, and the one that was played."""
    from sim.batch.opinion_words import said
    from sim.batch.opinions import order_of

    judged = position.judged(bot)
    order = order_of(judged)
    played = position.step.actions.index(position.step.action)
    places = [place for place in order if judged[place]["value"] is not None][:MOST_CHOICES]
    places += [played] if played not in places else []
    rows = []
    for place in places:
        row = judged[place]
        told: dict[str, Any] = {"words": position.legal[place], "said": said(row), "played": place == played}
        if "low" in row:
            told |= {key: round(row[key], 4) for key in ("value", "low", "high")}
        rows.append(told)
    return rows
