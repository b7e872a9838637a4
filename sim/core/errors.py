"""The one error that a user may cause, and the search for the name that was meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class Refusal(ValueError):
    """Something a user asked for cannot be done.

    The message is one line: what, where, and the nearest valid name where there is one. The command line prints it
    without a traceback and exits with 2.
    """

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(str(message).split()))


def nearest(name: object, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Suggest the valid name nearest to `name`.

    Parameters
    ----------
    name
        What the user wrote.
    names
        The valid names.
    cutoff
        How near they must be, from 0 to 1 (the same).

    Returns
    -------
    str
        ``"; did you mean 'x'?"``, or ``""`` when nothing is near. Ready to be appended to a message.
    """
    valid = {str(n).lower(): str(n) for n in names}
    wanted = str(name).lower()
    found = difflib.get_close_matches(wanted, list(valid), n=1, cutoff=cutoff)
    if not found and cutoff <= 0.6:  # 'rats' for 'rats_points': a beginning that only one name has
        starts = [low for low in valid if len(wanted) >= 3 and low.startswith(wanted)]
        found = starts if len(starts) == 1 else []
    return f"; did you mean '{valid[found[0]]}'?" if found else ""
