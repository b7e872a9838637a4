"""Pictures of a replayed game: one PNG a moment, or an animated GIF."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.replay import Moment

FRAME_MS = 900
LAST_MS = 4000


def write_pictures(
    shown: Sequence[Moment], png: Path | None, gif: Path | None, coordinates: bool = False
) -> Iterator[Path]:
    """Write the pictures and yield the files written, each one when it is.

    Raises
    ------
    Refusal
        A file or folder cannot be written.
    """
    from sim.show.sheet import Sheet

    options = {"coordinates": True} if coordinates else {}
    try:
        if png is not None:
            png.mkdir(parents=True, exist_ok=True)
        if gif is not None and not gif.parent.is_dir():
            raise Refusal(f"there is no folder '{gif.parent}'")
        sheet = Sheet()
        images = []
        for moment in shown:
            position = moment.position
            sheet.draw(partial(position.draw, **options), moment.caption)
            data = sheet.png()
            if png is not None:
                path = png / f"{position.number:04d}-turn-{moment.turn}.png"
                path.write_bytes(data)
                yield path
            if gif is not None:
                images.append(data)
        if gif is not None:
            _write_gif(images, gif)
            yield gif
    except OSError as error:
        raise Refusal(f"cannot write pictures: {error.strerror or error}") from None


def _write_gif(pictures: Sequence[bytes], path: Path) -> None:
    """Write frames of one size: each picture lies in the upper left corner."""
    from PIL import Image

    images = [Image.open(io.BytesIO(data)) for data in pictures]
    size = (max(image.width for image in images), max(image.height for image in images))
    frames = [_frame(image, size) for image in images]
    times = [FRAME_MS] * (len(frames) - 1) + [LAST_MS]
    frames[0].save(path, format="GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)


def _frame(image: Any, size: tuple[int, int]) -> Any:
    from PIL import Image

    frame = Image.new("RGB", size, "white")
    frame.paste(image, (0, 0))
    return frame.convert("P", palette=Image.Palette.ADAPTIVE)
