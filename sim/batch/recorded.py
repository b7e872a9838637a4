"""Choices that were made at a table, as a bot's file: so a game with people is a data set like any other.

The n-th decision of a seat is told by the n-th number of its own stream, which is drawn for it and for nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sim.core.notation import LETTERS

RANGE = 2**31

_HEAD = '''"""What was chosen at the table, by the number that the seat's own stream gives for the decision."""


class _Chosen:
    choices = {}

    def choose(self, view):
        number = view.below(2**31)
        if number in self.choices:
            return self.choices[number]
        return view.actions[number % len(view.actions)]  # the game was left before: any action
'''


def draws(seed: int, player: int, n: int) -> list[int]:
    """Return the first `n` numbers of a player's stream in a deal."""
    from sim.core.rng import BOT, below, start

    stream = np.zeros(1, dtype=np.uint64)
    start(stream, np.uint64(seed), BOT, player)
    return [int(below(stream, RANGE)) for _ in range(n)]


def recorded_source(
    seed: int, chosen: Mapping[int, tuple[int, Sequence[int]]], about: Mapping[int, str]
) -> str:
    """Return the text of the file: a class a seat, named by its letter.

    Parameters
    ----------
    seed
        Of the deal.
    chosen
        By seat: the player there, and the actions that it chose where there was a choice.
    about
        By seat, who chose.
    """
    parts = [_HEAD]
    for seat, (player, actions) in sorted(chosen.items()):
        pairs = zip(draws(seed, player, len(actions)), actions)
        rows = "".join(f"        {number}: {action},\n" for number, action in pairs)
        table = f"{{\n{rows}    }}" if rows else "{}"
        name = LETTERS[seat]
        parts.append(f'class {name}(_Chosen):\n    """{about[seat]}"""\n\n    choices = {table}\n')
    return "\n\n".join(parts)
