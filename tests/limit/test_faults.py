"""Faults planted one at a time in a small game: `check-game` finds each at the promise that it breaks."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from sim.checks.suite import BROKEN, Promise, Settings, check_game
from sim.core.errors import Refusal
from sim.core.game import get_game

pytestmark = pytest.mark.plain

TRICKS = (Path(__file__).parent / "tricks.py").read_text(encoding="utf-8")
CASE = """
[[case]]
id = "a tie goes to the second"
position = { hands = [[0, 0, 1, 0, 0], [0, 0, 1, 0, 0]], deck = [0, 0, 0, 0, 0] }
do = ["play Three", "play Three"]
after = { ended = true, winner = "B", scores = { A = 0, B = 1 }, turn = 1 }
"""
_numbers = count(1)
FAULTS: dict[str, tuple[str, str]] = {
    # promise: a line of the game, and what stands there instead
    "face": ('@implements("score", State)\n', ""),
    "setting": (
        "    def lever(self",
        "    def fill(self, rules, parameters, n):\n        rules['coins'] = 1\n\n    def lever(self",
    ),
    "set-up": ("        state.won[seat] = 0\n", ""),
    "actions": ("            out[n] = rank\n", "            out[n] = 1\n"),
    "end": ("    state.turn += 1\n", ""),
    "looking": ("    out[0] = state.won[seat] -", "    state.last = seat\n    out[0] = state.won[seat] -"),
    "features": ("    out[1] = 0.0\n", "    out[1] = np.inf if state.turn > 2 else 0.0\n"),
    "pieces": ("    out[:, :] = 0\n", "    out[:6, :] = 0\n"),
    "scores": (
        '@implements("score", State)',
        '@implements("side", State)\ndef side(rules, state, seat):\n    return 2 * seat\n\n\n'
        '@implements("score", State)',
    ),
    "replay": ("below(stream, left - seat)", "np.random.randint(left - seat)"),
    "order": (
        "    state.phase = PLAY\n    state.players = SEATS",
        "    rules.games += 1\n    state.phase = PLAY\n    state.seat = 0\n    state.players = SEATS",
    ),
    "seating": ("seat = 0 if who[0] == player else 1", "seat = player"),
    "sight": (
        "        out[1] += rank * state.hands[seat, rank]",
        "        out[1] += rank * state.hands[1 - seat, rank]",
    ),
    "redraw": (
        "    other = 1 - seat\n",
        "    other = 1 - seat\n    if state.hands[other, 4] > 0:\n        below(stream, 2)\n",
    ),
    "carrying out": ("state.won[taker] += rules.worth", "state.won[taker] += rules.worth + state.deck[4] % 2"),
    "words": ('f"play {self.pieces[action]}"', '"play a card"'),
    "parameters": ("ge=1, le=5)", "ge=1, le=8)"),
    "cases": ("action >= state.table", "action > state.table"),
    "perft": ("    max_actions = RANKS\n", "    max_actions = RANKS\n    perft = (3, 7)\n"),
}  # fmt: skip


def first_broken(folder: Path, old: str = "", new: str = "") -> Promise | None:
    """Return the first broken promise of the game with one change."""
    assert not old or TRICKS.count(old) == 1, f"{old!r} is there {TRICKS.count(old)} times"
    name = f"tricks{next(_numbers)}"
    text = (TRICKS.replace(old, new) if old else TRICKS).replace('"tricks"', f'"{name}"')
    if "rules.games" in new:  # the more games were played before, the more a trick counts
        text = text.replace("+= rules.worth", "+= rules.worth + rules.games // 3")
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "cases.toml").write_text(CASE)
    try:
        game = get_game(str(folder / f"{name}.py"))
    except Refusal as error:
        return Promise("face", "", BROKEN, str(error))
    promises = check_game(game, Settings(name, games=4, compiled=False, folder=folder))
    return next((promise for promise in promises if promise.state == BROKEN), None)


def test_the_game_itself_keeps_all(tmp_path: Path) -> None:
    assert first_broken(tmp_path) is None


@pytest.mark.parametrize("promise", FAULTS)
def test_a_planted_fault_breaks_its_promise(tmp_path: Path, promise: str) -> None:
    found = first_broken(tmp_path, *FAULTS[promise])
    assert found is not None, "nothing was found"
    assert (found.name, "\n" in found.found) == (promise, False), found
    assert len(found.found) > 10
