"""What a designer writes: one class, its parameters, and a table that holds whatever the game keeps."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from sim.core.errors import Refusal
from sim.plain.copying import copied
from sim.plain.luck import Luck

Action = Hashable
"""What a seat may do: a text, a number, a tuple of these, ..."""


_OURS = frozenset(
    ("_asked", "_luck", "_waits", "_over", "_said", "_deck", "_decks", "_who", "_own", "_dealt")
)
_TOLD = frozenset(("players", "turn", "chosen"))
"""What a table has that is not the game's: kept for us, and told to the game."""


class Parameter:
    """A number, switch or choice of the game that an experiment may set and vary.

    Parameters
    ----------
    default
        A whole number, a float, True or False, or one of `choices`.
    help
        What it is, in a few words.
    low, high
        Smallest and largest value that may be set.
    choices
        The texts that it may be.
    """

    def __init__(
        self,
        default: int | float | bool | str,
        help: str,
        low: float | None = None,
        high: float | None = None,
        choices: Sequence[str] = (),
    ) -> None:
        self.default, self.help, self.low, self.high, self.choices = default, help, low, high, tuple(choices)
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, game: Any, kind: type) -> Any:
        return self if game is None else game.__dict__.get(self.name, self.default)


class Table:
    """All that lies on the table. A game keeps what it likes in attributes: lists, numbers, texts, dicts, sets.

    Attributes
    ----------
    players, seats
        How many play; ``range(players)``.
    points
        Points of each seat; 0 at first.
    turn
        Turns completed. A turn ends when another seat is asked, or all have chosen.
    chosen
        What seats have chosen in secret and not yet shown: only `PlainGame.value` finds it, and only its own seat's.
    """

    players: int
    points: list[Any]
    turn: int
    chosen: Mapping[int, Action]

    def __init__(
        self,
        who: Sequence[int],
        luck: Luck,
        deck: Mapping[str, int],
        decks: Sequence[dict[str, int] | None],
    ) -> None:
        players = len(who)
        self.players, self.points, self.turn, self.chosen = players, [0] * players, 0, {}
        self._asked: tuple[int, ...] = ()
        self._luck: Luck | None = luck
        self._waits, self._over = False, False
        self._said: tuple[str, ...] = ()
        self._deck, self._decks, self._who, self._own = deck, tuple(decks), tuple(who), False
        self._dealt: tuple[tuple[str, ...], ...] = ()

    # --- what comes next -------------------------------------------------------------------------------------

    def ask(self, *seats: int) -> None:
        """Let a seat choose next; of several, each chooses in secret, and `PlainGame.reveal` gets all choices.

        Without it the seat after the last one is next; those who chose in secret are asked again.
        """
        for seat in seats:
            if seat not in range(self.players):
                raise Refusal(f"ask({seat!r}): seats are numbered 0 to {self.players - 1}")
        if not seats or len(set(seats)) < len(seats):
            raise Refusal(f"ask{seats}: name each seat once")
        self._asked, self._waits = tuple(sorted(seats)), False

    def ask_chance(self) -> None:
        """Let `PlainGame.chance` come next."""
        self._waits = True

    def end(self) -> None:
        """End the game."""
        self._over = True

    def after(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return (seat + 1) % self.players

    # --- chance ----------------------------------------------------------------------------------------------

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.players)

    @property
    def luck(self) -> Luck:
        """Dice and shuffles: in `setup`, `chance`, `reveal` and `guess` only, for a choice never draws."""
        if self._luck is None:
            raise Refusal("a choice never draws: call ask_chance() and draw in chance(), or in reveal()")
        return self._luck

    def deck_of(self, seat: int) -> dict[str, int] | None:
        """Return the copies of each piece in the deck that the player at `seat` brought; None: it brought none."""
        return self._decks[self._who[seat]]

    def deal(self, each: int, own: bool = False) -> tuple[list[list[str]], Any]:
        """Deal so many of the game's pieces to each seat at random; return the hands, and what is left.

        Reports read the strength of pieces from it: who gets what is chance, so what it does is no coincidence.

        Parameters
        ----------
        own
            Each seat gets its own from a full set, or from the deck that its player brought; what is left is then a
            list for each seat. Where a player brought a deck it is always so.
        """
        self._own = own or any(deck is not None for deck in self._decks)
        hands: list[list[str]] = [[] for _ in self.seats]
        rest: list[list[str]] = [[] for _ in self.seats]
        if self._own:  # what is dealt belongs to the player, wherever it sits
            for seat, player in enumerate(self._who):
                pieces = self.luck.mixed(self._decks[player] or self._deck, player)
                hands[seat], rest[seat] = self._cut(pieces, each, each)
        else:
            dealt, left = self._cut(self.luck.mixed(self._deck, 0), each * self.players, each)
            hands = [dealt[player * each : (player + 1) * each] for player in self._who]
        self._dealt = tuple(map(tuple, hands))
        return hands, rest if self._own else left

    def _cut(self, pieces: list[str], wanted: int, each: int) -> tuple[list[str], list[str]]:
        if wanted > len(pieces):
            raise Refusal(f"deal({each}): {wanted} pieces are wanted, there are {len(pieces)}")
        return pieces[:wanted], pieces[wanted:]

    def say(self, text: str) -> None:
        """Tell in words what happened; a replay shows it where chance or a secret choice was resolved."""
        self._said = (*self._said, " ".join(str(text).split()))

    # --- copies ----------------------------------------------------------------------------------------------

    def copy(self) -> Table:
        """Return a copy in which everything may be changed."""
        twin = Table.__new__(Table)
        for name, value in self.__dict__.items():  # ours are replaced, never changed
            twin.__dict__[name] = value if name in _OURS else copied(value)
        return twin

    def things(self) -> dict[str, Any]:
        """Return what the game keeps on the table, by name."""
        return {k: v for k, v in self.__dict__.items() if k not in _OURS and k not in _TOLD}


class PlainGame:
    """A game as one plain Python class: slow, and quickly written.

    A game has `setup`, `actions` and `apply` (or `reveal`, where seats choose in secret), and ends with ``t.end()``;
    all else has a default. The first line of its docstring says what it is. CONTRIBUTING tells how one is written.

    Attributes
    ----------
    players
        How many play: a number, or (fewest, most).
    pieces
        What actions use and hands hold: names, or {name: copies}. Copies are parameters: ``copies.Knight``.
    hidden
        What seats do not see: {attribute: "owner"} for a list with an entry a seat that its owner sees,
        {attribute: "nobody"} for a list that nobody sees. What stands in one dict is redrawn together; a list of dicts
        where it is not.
    weights
        {name: weight} where `value` returns named numbers.
    most_actions, most_decisions
        Of a position and of a game: what has more is counted as endless.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    players: ClassVar[int | tuple[int, int]] = 2
    pieces: ClassVar[Sequence[str] | Mapping[str, int]] = ()
    hidden: ClassVar[Mapping[str, str] | Sequence[Mapping[str, str]]] = ()
    weights: ClassVar[Mapping[str, float]] = {}
    most_actions: ClassVar[int] = 1000
    most_decisions: ClassVar[int] = 2000

    def setup(self, t: Table) -> None:
        """Lay everything out, drawing from ``t.luck`` and with ``t.deal``."""
        raise NotImplementedError

    def actions(self, t: Table, seat: int) -> Iterable[Action]:
        """Return what `seat` may do: texts, numbers or tuples, each once. Looks only at what the seat may see."""
        raise NotImplementedError

    def apply(self, t: Table, seat: int, action: Any) -> None:
        """Carry out a choice; `t` is a copy and may be changed."""
        raise NotImplementedError

    def reveal(self, t: Table, choices: dict[int, Any]) -> None:
        """Carry out what several seats have chosen in secret, by seat."""
        raise NotImplementedError

    def chance(self, t: Table) -> None:
        """Draw from ``t.luck`` what is due after ``t.ask_chance()``."""
        raise NotImplementedError

    def scores(self, t: Table) -> Sequence[float]:
        """Return the points of each seat if the game ended now; most points win."""
        return t.points

    def merit(self, t: Table, seat: int, points: float) -> float:
        """Return what ranks a seat, where that is more than its points (a tie-break, say); more is better."""
        return points

    def value(self, t: Table, seat: int) -> float | Mapping[str, float]:
        """Return how good the position is for `seat`, as far as it sees: what greedy and search go by.

        By default the points that it is ahead of the best other. Named numbers where `weights` has a weight for each.
        """
        points = self.scores(t)
        return points[seat] - max(p for s, p in enumerate(points) if s != seat)

    def guess(self, t: Table, seat: int) -> None:
        """Redraw with ``t.luck`` what `seat` cannot know; it never reads what it redraws. By default after `hidden`."""
        from sim.plain.hiding import redraw

        redraw(self, t, seat)

    def held(self, t: Table, seat: int) -> Iterable[str]:
        """Return the pieces that `seat` holds, for the log; by default those that it was dealt."""
        return t._dealt[seat] if t._dealt else ()

    def piece(self, action: Action) -> str | None:
        """Return the piece that an action uses; by default the one that its words name."""
        named = [word for word in self.words(action).replace(",", " ").split() if word in self.pieces]
        whole = self.words(action)
        return whole if whole in self.pieces else named[0] if named else None

    def words(self, action: Action) -> str:
        """Return an action in words."""
        return " ".join(map(str, action)) if isinstance(action, tuple) else str(action)

    def text(self, t: Table) -> str:
        """Return the position as text, a line for each thing."""
        from sim.plain.words import lines_of

        return "\n".join(lines_of({**t.things(), "points": list(self.scores(t))}, t.players))
