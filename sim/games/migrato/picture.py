"""A picture of a position: both sides' columns, arrived piles and hands, with deck and discards between them.

All sizes are in card widths. Species are told apart by letter and name, night cards by their dark face, so that a copy
without colours says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sim.core.contract import OVER
from sim.games.migrato import notation
from sim.games.migrato.rules import state as records
from sim.games.migrato.rules.params import LETTERS, SPECIES
from sim.show.drawing import INK, Pen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FILL = ("#d9c9a3", "#d7a08a", "#b7c6d8", "#e8d877", "#a9c7a0")  # day faces by species, apart in brightness
_NIGHT = "#3f4a66"
_DANGER = "#b5443c"
_W, _H, _STEP = 1.0, 1.4, 0.62
_ROW = 1.5  # of a hand
_WIDTH, _MIDDLE = 17.0, 2.3
_HEAD, _FOOT = 1.3, 0.5  # of a side, above its cards and below
_USUAL = 4
"""Cards of a column that there is always room for, so that frames of a film do not jump."""
_SHOWN_DISCARDS = 12


def _card(pen: Pen, x: float, y: float, piece: int, below: str = "", forgotten: bool = False) -> None:
    """Draw a card with its upper left corner at `x`, `y`; `below` is a mark in its lower half."""
    face, ink, top = _DANGER, "white", notation.SHORT[piece]
    if piece < len(records.SPECIES_OF) - 3:
        species = int(records.SPECIES_OF[piece])
        night = bool(records.NIGHT_OF[piece])
        face, ink = (_NIGHT, "white") if night else (_FILL[species], INK)
        top = f"{LETTERS[species]}{int(records.BIRDS_OF[piece])}"
    style = {"lw": 0.035, "linestyle": "--" if forgotten else "-", "zorder": 3}
    pen.card(x + 0.06, y - _H + 0.06, x + _W - 0.06, y - 0.06, face, **style)
    pen.text(x + _W / 2, y - 0.36, top, 0.4, within=0.74, color=ink, weight="bold")
    if below:
        pen.text(x + _W / 2, y - 1.05, below, 0.26, within=0.8, color=ink)


def _label(pen: Pen, x: float, y: float, text: str) -> None:
    pen.text(x, y, text, 0.32, ha="left")


def _fan(pen: Pen, x: float, y: float, cards: Sequence[tuple[int, str, bool]]) -> None:
    """Lay cards downwards over one another, the last one on top; so that each number stays visible."""
    for k, (piece, below, forgotten) in enumerate(cards):
        _card(pen, x, y - k * _STEP, piece, below if k == len(cards) - 1 else "", forgotten)


def _height(state: Any, seat: int) -> float:
    """Return the height of the band of a seat."""
    longest = max(_USUAL, int(state["length"][seat].max()), int(state["pile_size"][seat].max()))
    rows = -(-int(state["hand_size"][seat]) // 3)
    return _HEAD + max((longest - 1) * _STEP + _H, rows * _ROW) + _FOOT


def _side(pen: Pen, top: float, seat: int, state: Any, score: float, to_move: bool) -> None:
    """Draw what belongs to one seat in a band below `top`."""
    mark = "  to move" if to_move else ""
    pen.text(
        0.2, top - 0.35, f"{notation.SEATS[seat]}: {score:g} points{mark}", 0.42, ha="left", weight="bold"
    )
    _label(pen, 0.2, top - 1.0, "hand")
    _label(pen, 4.2, top - 1.0, "columns in flight (dark: face down)")
    _label(pen, 11.4, top - 1.0, "arrived (the last card scores)")
    y = top - _HEAD
    for k in range(int(state["hand_size"][seat])):
        card = int(state["hand"][seat, k]) - 1
        row, place = divmod(k, 3)
        _card(pen, 0.15 + place * 1.1, y - row * _ROW, card, "known" if state["star"][seat, k] else "")
    columns = int(state["n_columns"][seat])
    for c in range(columns):
        bytes_ = notation.column_bytes(state, seat, c)
        cards = [
            ((byte & records.CARD) - 1, "down" if byte & records.DOWN else "", bool(byte & records.LOST))
            for byte in bytes_
        ]
        x = 4.1 + c * 1.15
        _fan(pen, x, y, cards)
        pen.text(x + _W / 2, y - (len(cards) - 1) * _STEP - _H - 0.18, str(c + 1), 0.3)
    if not columns:
        _label(pen, 4.2, top - 1.8, "none")
    piles = [notation.pile_pieces(state, seat, species) for species in range(len(SPECIES))]
    for k, pile in enumerate([pile for pile in piles if pile]):
        last = len(pile) - 1
        _fan(
            pen,
            11.3 + k * 1.1,
            y,
            [(piece, "" if i < last else "scores", False) for i, piece in enumerate(pile)],
        )
    if not any(piles):
        _label(pen, 11.4, top - 1.8, "none")


def _middle(pen: Pen, top: float, state: Any) -> None:
    """Draw deck and discards in a band of height `_MIDDLE` below `top`."""
    pen.box(0, top - _MIDDLE, _WIDTH, top, "#e6e0d0", zorder=1)
    _label(pen, 0.2, top - 0.35, f"deck: {int(state['deck_size'])} cards")
    size = int(state["discard_size"])
    last = [int(card) - 1 for card in state["discard"][max(0, size - _SHOWN_DISCARDS) : size]]
    what = (
        f"the last {len(last)} of {size}, oldest first" if size > len(last) else f"{size} cards, oldest first"
    )
    _label(pen, 4.2, top - 0.35, f"discards: {what if size else 'none'}")
    if int(state["deck_size"]):
        pen.box(0.2, top - 2.05, 1.1, top - 0.75, "#8a8577", edgecolor=INK, zorder=3)
    for k, piece in enumerate(last):
        _card(pen, 4.1 + k * 1.05, top - 0.65, piece)


def draw_position(ax: Axes, rules: Any, state: Any, scores: Sequence[float], title: str = "") -> None:
    """Draw a position on `ax`, whose contents and limits are replaced; hidden cards are shown too.

    Parameters
    ----------
    ax
        Axes of any size; about 8 x 8 inches show a position well.
    rules, state
        Records of the game.
    scores
        Points of both seats.
    title
        Text above the picture.
    """
    heights = [_height(state, seat) for seat in range(2)]
    top = sum(heights) + _MIDDLE
    pen = Pen(ax, 0, 0, _WIDTH, top + 0.9)
    over = int(state["phase"]) == OVER
    turn = f"over after {int(state['turn'])} turns" if over else f"turn {int(state['turn']) + 1}"
    pen.text(0.2, top + 0.45, title, 0.42, ha="left", weight="bold", within=_WIDTH - 4)
    pen.text(_WIDTH - 0.2, top + 0.45, turn, 0.36, ha="right")
    mover = -1 if over else int(state["seat"])
    _side(pen, top, 0, state, scores[0], mover == 0)
    _middle(pen, top - heights[0], state)
    _side(pen, heights[1], 1, state, scores[1], mover == 1)
