"""A picture of a position: both sides' columns, arrived piles and hands, with deck and discards between them.

All sizes are in card widths and text is scaled with them, so nothing collides at another figure size. Species are told
apart by letter and name, night cards by their dark face, so that a copy without colours says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sim.core.contract import OVER
from sim.games.migrato import notation
from sim.games.migrato.rules import state as records
from sim.games.migrato.rules.params import LETTERS, SPECIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FILL = ("#d9c9a3", "#d7a08a", "#b7c6d8", "#e8d877", "#a9c7a0")  # day faces by species, apart in brightness
_NIGHT = "#3f4a66"
_DANGER = "#b5443c"
_INK, _PAPER = "#222222", "#fbf8f0"
_W, _H, _STEP = 1.0, 1.4, 0.62
_WIDTH, _SIDE, _MIDDLE = 17.0, 6.6, 2.3
_SHOWN_DISCARDS = 12


class _Pen:
    """Draws on an axes in card widths; text sizes too."""

    def __init__(self, ax: Axes, height: float) -> None:
        self.ax = ax
        figure = ax.get_figure()
        assert figure is not None
        box = ax.get_position(original=True)
        width = box.width * figure.bbox.width / _WIDTH
        tall = box.height * figure.bbox.height / height
        self.points = 72 / figure.dpi * min(width, tall)

    def text(self, x: float, y: float, text: str, size: float, **given: Any) -> None:
        options: dict[str, Any] = {"ha": "left", "va": "center", "color": _INK, "zorder": 6} | given
        self.ax.text(x, y, text, fontsize=size * self.points, **options)

    def card(self, x: float, y: float, piece: int, below: str = "", forgotten: bool = False) -> None:
        """Draw a card with its upper left corner at `x`, `y`; `below` is a mark in its lower half."""
        from matplotlib.patches import FancyBboxPatch

        face, ink, top = _DANGER, "white", "X"
        if piece < len(records.SPECIES_OF) - 3:
            species = int(records.SPECIES_OF[piece])
            night = bool(records.NIGHT_OF[piece])
            face = _NIGHT if night else _FILL[species]
            ink = "white" if night else _INK
            top = f"{LETTERS[species]}{int(records.BIRDS_OF[piece])}"
        else:
            top = notation.SHORT[piece]
        self.ax.add_patch(
            FancyBboxPatch(
                (x + 0.06, y - _H + 0.06),
                _W - 0.12,
                _H - 0.12,
                boxstyle="round,pad=0,rounding_size=0.1",
                facecolor=face,
                edgecolor=_INK,
                lw=0.035 * self.points,
                linestyle="--" if forgotten else "-",
                zorder=3,
            )
        )
        self.text(x + _W / 2, y - 0.36, top, 0.4, ha="center", color=ink, weight="bold")
        if below:
            self.text(x + _W / 2, y - 1.05, below, 0.26, ha="center", color=ink)


def _fan(pen: _Pen, x: float, y: float, cards: Sequence[tuple[int, str, bool]], step: float = _STEP) -> None:
    """Lay cards downwards over one another, the last one on top; so that each number stays visible."""
    for k, (piece, below, forgotten) in enumerate(cards):
        pen.card(x, y - k * step, piece, below if k == len(cards) - 1 else "", forgotten)


def _side(pen: _Pen, top: float, seat: int, state: Any, score: float, to_move: bool) -> None:
    """Draw what belongs to one seat in a band of height `_SIDE` below `top`."""
    name = notation.SEATS[seat]
    mark = "  to move" if to_move else ""
    pen.text(0.2, top - 0.35, f"{name}: {score:g} points{mark}", 0.42, weight="bold")
    size = int(state["hand_size"][seat])
    pen.text(0.2, top - 1.0, "hand", 0.32)
    columns = int(state["n_columns"][seat])
    pen.text(4.2, top - 1.0, "columns in flight (dark: face down)", 0.32)
    pen.text(11.4, top - 1.0, "arrived (the last card scores)", 0.32)
    for k in range(size):
        card = int(state["hand"][seat, k]) - 1
        row, place = divmod(k, 3)
        pen.card(0.15 + place * 1.1, top - 1.3 - row * 1.5, card, "known" if state["star"][seat, k] else "")
    for c in range(columns):
        cards = [
            (
                (byte & records.CARD) - 1,
                "down" if byte & records.DOWN else "",
                bool(byte & records.LOST),
            )
            for byte in notation.column_bytes(state, seat, c)
        ]
        x = 4.1 + c * 1.15
        _fan(pen, x, top - 1.3, cards)
        pen.text(x + _W / 2, top - 1.3 - (len(cards) - 1) * _STEP - _H - 0.18, str(c + 1), 0.3, ha="center")
    if not columns:
        pen.text(4.2, top - 1.8, "none", 0.32)
    piles = [(s, notation.pile_pieces(state, seat, s)) for s in range(len(SPECIES))]
    for k, (_, pile) in enumerate([pair for pair in piles if pair[1]]):
        last = len(pile) - 1
        cards = [(piece, "" if i < last else "scores", False) for i, piece in enumerate(pile)]
        _fan(pen, 11.3 + k * 1.1, top - 1.3, cards)
    if not any(pile for _, pile in piles):
        pen.text(11.4, top - 1.8, "none", 0.32)


def _middle(pen: _Pen, top: float, state: Any) -> None:
    """Draw deck and discards in a band of height `_MIDDLE` below `top`."""
    from matplotlib.patches import Rectangle

    pen.ax.add_patch(Rectangle((0, top - _MIDDLE), _WIDTH, _MIDDLE, facecolor="#e6e0d0", lw=0, zorder=1))
    pen.text(0.2, top - 0.35, f"deck: {int(state['deck_size'])} cards", 0.32)
    size = int(state["discard_size"])
    last = [int(card) - 1 for card in state["discard"][max(0, size - _SHOWN_DISCARDS) : size]]
    what = (
        f"the last {len(last)} of {size}, oldest first" if size > len(last) else f"{size} cards, oldest first"
    )
    pen.text(4.2, top - 0.35, f"discards: {what if size else 'none'}", 0.32)
    if int(state["deck_size"]):
        pen.ax.add_patch(
            Rectangle((0.2, top - 2.05), 0.9, 1.3, facecolor="#8a8577", edgecolor=_INK, lw=1, zorder=3)
        )
    for k, piece in enumerate(last):
        pen.card(4.1 + k * 1.05, top - 0.65, piece)


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
    longest = max([int(n) for n in state["length"].flat] + [int(n) for n in state["pile_size"].flat] + [1])
    side = max(_SIDE, 2.1 + (longest - 1) * _STEP + _H)
    height = 1.0 + 2 * side + _MIDDLE
    ax.clear()
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(0, _WIDTH)
    ax.set_ylim(0, height)
    ax.set_facecolor(_PAPER)
    pen = _Pen(ax, height)
    over = int(state["phase"]) == OVER
    turn = f"over after {int(state['turn'])} turns" if over else f"turn {int(state['turn']) + 1}"
    pen.text(0.2, height - 0.45, title, 0.42, weight="bold")
    pen.text(_WIDTH - 0.2, height - 0.45, turn, 0.36, ha="right")
    mover = -1 if over else int(state["seat"])
    _side(pen, height - 1.0, 0, state, scores[0], mover == 0)
    _middle(pen, height - 1.0 - side, state)
    _side(pen, side, 1, state, scores[1], mover == 1)
