"""Pages beside a report that step through its striking games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sim.core.errors import Refusal


def write_replays(folders: Sequence[Path], report: Path) -> list[dict[int, str]]:
    """Write a page for each striking game of each data set; returns their links, as seen from the report.

    A game that cannot be played again (of older rules, recorded play) is left to the report without a page.
    """
    import analysis
    from analysis.report.striking import striking
    from sim.batch.page import write_page
    from sim.batch.progress import say
    from sim.batch.replay import moments, replay

    links: list[dict[int, str]] = []
    beside = report.with_name(f"{report.stem}-games")
    for number, folder in enumerate(folders):
        found: dict[int, str] = {}
        for one in striking(analysis.load(folder)):
            try:
                positions = replay(folder, one.game)
                beside.mkdir(parents=True, exist_ok=True)
                name = f"{'' if len(folders) == 1 else f'{number + 1}-'}{one.what.replace(' ', '-')}.html"
                title = (
                    f"The {one.what} game of {folder.resolve().name} ({one.how}): {positions[-1].game.title}"
                )

                write_page(moments(positions, "turn"), beside / name, title, None, False)
            except Refusal as refusal:
                say(f"no page of game {one.game}: {refusal}")
                continue
            found[one.game] = f"{beside.name}/{name}"
        links.append(found)
    return links
