"""Pictures of a replayed game: one PNG a position, or an animated GIF."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.replay import Position

SIZE = 7.0
"""Inches a side; with DPI this gives 700 pixels."""
DPI = 100
FRAME_MS = 900
LAST_MS = 4000


def write_pictures(positions: Sequence[Position], png: Path | None, gif: Path | None) -> Iterator[Path]:
    """Write the pictures and yield the files written.

    Raises
    ------
    Refusal
        A file or folder cannot be written.
    """
    try:
        if png is not None:
            png.mkdir(parents=True, exist_ok=True)
        if gif is not None and not gif.parent.is_dir():
            raise Refusal(f"there is no folder '{gif.parent}'")
        images = []
        for position, data in zip(positions, map(_png, positions)):
            if png is not None:
                path = png / f"{position.number:03d}.png"
                path.write_bytes(data)
                yield path
            if gif is not None:
                images.append(_image(data))
        if gif is not None:
            times = [FRAME_MS] * (len(images) - 1) + [LAST_MS]
            images[0].save(gif, format="GIF", save_all=True, append_images=images[1:], duration=times, loop=0)
            yield gif
    except OSError as error:
        raise Refusal(f"cannot write pictures: {error.strerror or error}") from None


def _png(position: Position) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIZE, SIZE), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    position.draw(axes)
    if position.action is not None:
        figure.supxlabel(f"{'ABCDEFGH'[position.seat]}: {position.action}", fontsize=10)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _image(data: bytes) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(data)).convert("P", palette=Image.Palette.ADAPTIVE)
