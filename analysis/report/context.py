"""What the sections of one part share: the data set, its estimates (computed once), and standing phrases."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.bans_and_drafts.ban_effects import set_columns
from analysis.changes.levels import NOTHING
from analysis.changes.settings import SETTING, Settings, settings
from analysis.data.dataset import SIZE
from analysis.data.errors import Refusal
from analysis.data.parts import TABLES
from analysis.data.questions import COMPARED, PIECES, Question, questions, told
from analysis.report import words
from analysis.report.blocks import Cell, Picture
from analysis.report.phrases import Phrases
from analysis.report.svg import inline_svg
from analysis.stats import ALPHA

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from analysis.data.dataset import Dataset

MOST_LEVELS = 8  # a factor with more levels gets no picture and no columns of its own
TABLE = ("players", "players.count")  # who sits at the table: not compared as other factors are
OF_BOTS = ("matchups", "standing", "luck_and_skill", "ladder")


def _called(path: Path) -> str:
    """The folder from where one stands; of one that lies elsewhere only the name, for reports travel."""
    here, there = os.getcwd(), os.path.abspath(path)
    try:
        shared = os.path.commonpath([here, there])
    except ValueError:  # another drive
        return Path(there).name
    return Path(os.path.relpath(there)).as_posix() if os.path.dirname(shared) != shared else Path(there).name


class Context(Phrases):
    """One data set being reported.

    Attributes
    ----------
    whole
        The data set, with all its tiers of play; of a very large one the part that is read (`Dataset.sample`).
    d
        What is judged: at its strongest tier, without cells in which unlike bots meet, where those only measure skill.
    all
        The data set with all its games: for what is counted without holding them.
    apart
        How many cells those are.
    key
        Prefix of the ids of this part, unique on the page.
    folder_name
        The folder that it was loaded from, as it is called from where the report is made: commands run there.
    why_not
        Estimates that could not be made -> the one line that says why.
    """

    def __init__(self, d: Dataset, key: str) -> None:
        d = d.sample()
        self.whole = d.all_tiers
        at_tier = d.at_tier() if len(d.tiers) > 1 else d
        self.d = at_tier.plain_play()
        self.all = self.whole if self.whole.read is None else self.whole.read.whole
        self.apart = at_tier.cells.height - self.d.cells.height
        self.key = key
        self.folder_name = _called(d.path) if d.path is not None else d.name
        self.why_not: dict[str, str] = {}
        self.beside = 1
        """How many settings are told beside each other, this one among them."""
        self.replays: dict[int, str] = {}
        """Pages beside the report that step through a game, by its number."""
        self._parts: dict[Any, Context] = {}
        self._few: dict[int, Context] = {}
        self._pictures = 0
        self._frames: dict[tuple[str, str], pl.DataFrame | None] = {}

    # -- estimates -----------------------------------------------------------------------------------

    def ask(self, name: str, make: Callable[[], pl.DataFrame]) -> pl.DataFrame | None:
        """Return a frame, or None when the analysis refuses or finds nothing; `why_not` keeps the reason."""
        try:
            frame = make()
        except Refusal as refusal:
            self.why_not[name] = str(refusal).removeprefix(f"{self.d.name}: ")
            return None
        finally:
            if self.beside > 1:
                self.d.forget()  # of many settings, one at a time is held
        if frame.is_empty():
            self.why_not[name] = "nothing of this kind is in the data"
            return None
        return frame

    @cached_property
    def audit(self) -> pl.DataFrame | None:
        """The checks of the data."""
        import analysis

        return self.ask("health", lambda: analysis.audit(self.whole))

    @cached_property
    def alarm(self) -> list[str]:
        """One line for each failed check."""
        if self.audit is None:
            return []
        failed = self.audit.filter(~self.audit["ok"].fill_null(True))
        return [
            f"{row['check']}: {row['detail'] or words.plain(row['value'])}"
            for row in failed.iter_rows(named=True)
        ]

    @property
    def doubtful(self) -> bool:
        """Whether a check failed, which softens every verdict."""
        return bool(self.alarm)

    @cached_property
    def seats(self) -> pl.DataFrame | None:
        """Win share of each seat."""
        import analysis

        return self.ask("seats", lambda: analysis.seat_balance(self.d))

    @cached_property
    def seat_tests(self) -> pl.DataFrame | None:
        """Whether the seats of each table size are even."""
        import analysis

        return self.ask("seats", lambda: analysis.seat_tests(self.d))

    @cached_property
    def pieces(self) -> pl.DataFrame | None:
        """Strength of each piece, where pieces were assigned at random."""
        import analysis

        return self.ask("pieces", lambda: analysis.piece_strength(self.d))

    @cached_property
    def told(self) -> list[str]:
        """Factors that tell the cells apart, as the experiment names them."""
        return told(self.d.manifest, self.d.cells)

    @cached_property
    def factors(self) -> list[str]:
        """Factors of the cells with 2 to `MOST_LEVELS` levels, and `players` where tables differ in size."""
        cells = self.d.cells
        names = [
            name
            for name in self.told
            if name not in (*set_columns(self.d), *TABLE)
            and name in cells.columns
            and 1 < cells[name].n_unique() <= MOST_LEVELS
        ]
        size = SIZE if self.d.varies_pairings else "players"
        return [*([size] if len(self.d.n_players) > 1 else []), *names]

    @property
    def cell_factors(self) -> list[str]:
        """Factors that tell the cells apart, other than who plays whom (see the matchups)."""
        return [name for name in self.told if name != "players"]

    def pieces_by(self, factor: str) -> pl.DataFrame | None:
        """Strength of each piece at each level of a factor (computed once)."""
        import analysis

        if self.pieces is None:
            return None
        return self._once(f"pieces by {factor}", lambda: analysis.piece_strength(self.d, by=factor))

    @cached_property
    def depends(self) -> pl.DataFrame | None:
        """What of the seats and pieces differs between levels of the factors, all of them judged together."""
        import analysis

        names = [name for name in self.factors if not (name == "variant" and self.over_stand_ins)]
        return self.ask("depends", lambda: analysis.depends_on(self.d, names)) if names else None

    def level_of(self, factor: str, text: str) -> str:
        """A level of a factor, given as text, in words."""
        known = {str(v): v for v in self.d.cells[factor]} if factor in self.d.cells.columns else {}
        return words.level([factor], {factor: known.get(text, text)})

    def seat_tests_by(self, factor: str) -> pl.DataFrame | None:
        """Whether the seats are even at each level of a factor (computed once); None for `players` itself."""
        import analysis

        if factor in TABLE:
            return None
        return self._once(f"seats by {factor}", lambda: analysis.seat_tests(self.d, by=factor))

    def win_shares(self, column: str, of: str) -> pl.DataFrame | None:
        """Win shares at each level of a column and their changes, with readable names (computed once)."""
        import polars as pl

        import analysis

        frame = self._once(f"factor {column}", lambda: analysis.win_share_by(self.d, column, of=of), of)
        if frame is None or of != "seat":
            return frame
        return frame.with_columns(
            who=pl.Series([words.seat(int(who)) for who in frame["who"]], dtype=pl.String)
        )

    def made(self, name: str) -> pl.DataFrame | None:
        """The frame of the analysis called `name` (computed once); None where the data hold nothing of its kind.

        `why_not` keeps the reason.
        """
        import analysis

        d = self.whole if name in OF_BOTS else self.d
        return self._once(name, lambda: getattr(analysis, name)(d))

    @cached_property
    def over_stand_ins(self) -> bool:
        """Whether the variants are other guesses, of which a sentence of its own tells."""
        return self.made("under_stand_ins") is not None

    def of_at_most(self, games: int) -> Context:
        """A context of a part of the games, for what takes many fits; itself where there are no more."""
        if self.d.n_games <= games:
            return self
        if games not in self._few:
            share = games / self.d.n_games  # unlike bots are beside what is judged, and are given up alike
            self._few[games] = Context(self.whole.sample(int(share * self.whole.n_games)), self.key)
        return self._few[games]

    # -- what was compared ---------------------------------------------------------------------------

    @cached_property
    def asks(self) -> tuple[Question, ...]:
        """What the opening answers, in its order."""
        # Who meets whom is told of the whole, unlike bots and all.
        named = {name: self.whole.manifest.get(name) for name in ("categories", "tiers")}
        manifest = {**self.d.manifest, **named}
        return questions(manifest, self.d.cells, [name for name in TABLES if self.d.has(name)])

    @cached_property
    def skill(self) -> Dataset:
        """The games that tell of players, bots and decks: those of unlike bots too."""
        return self.whole.at_tier() if len(self.whole.tiers) > 1 else self.whole

    def settings(
        self, sizes: bool = False, without: Sequence[str] = (), d: Dataset | None = None
    ) -> Settings | None:
        """The cells under the settings that are compared, `without` some factors; of `d`, or of what is judged."""
        first = (self if d is None else d).asks[0]
        across = [one for one in first.across if one.factor not in without]
        apart = [name for name in first.apart if name not in without]
        try:
            return settings(d or self.d, across, apart, sizes=sizes)
        except Refusal:
            return None

    @cached_property
    def single(self) -> bool:
        """Whether nothing that was compared may be averaged over, but for tables that differ in size."""
        told = self.settings()
        return told is None or len(told.names) == 1

    @cached_property
    def compared(self) -> pl.DataFrame | None:
        """The base, each level and the tested differences of all that is asked for: one family."""
        import analysis

        first = self.asks[0]
        wanted = [question for question in self.asks if question.what in COMPARED]
        pieces = [piece for question in wanted if question.what == PIECES for piece in question.about]
        kinds = [question.what for question in wanted]
        if not kinds:
            return None
        return self.ask(
            "compared", lambda: analysis.compare(self.d, first.across, kinds, pieces, first.apart)
        )

    @cached_property
    def every(self) -> pl.DataFrame | None:
        """The same of everything, asked for or not, as the sections below the opening show it."""
        import analysis

        first = self.asks[0]
        kinds = {question.what for question in self.asks if not question.about}
        if set(COMPARED) <= kinds:
            return self.compared
        return self.ask("compared", lambda: analysis.compare(self.d, first.across, COMPARED, (), first.apart))

    def parts(
        self, sizes: bool = False, without: Sequence[str] = (), d: Dataset | None = None
    ) -> list[tuple[str, Context]]:
        """Each setting and a context of it alone; one without a name where there is only one."""
        told = self.settings(sizes, without, d)
        if told is None:
            return []
        if len(told.names) == 1:
            every = (d or self.d).cells.height == told.d.cells.height
            return [("", self if every else self._part(told.d, 1))]
        return [
            (
                name,
                self._part(
                    told.d.with_cells(told.d.cells.filter(told.d.cells[SETTING] == name)), len(told.names)
                ),
            )
            for name in told.names
        ]

    def part_of(self, name: str, sizes: bool = False) -> Context | None:
        """The context of one setting."""
        found = dict(self.parts(sizes))
        return found.get(name) or found.get("")

    def _part(self, d: Dataset, beside: int) -> Context:
        key = ("part", tuple(d.cells["cell"].to_list()))
        if key not in self._parts:
            part = Context(d.with_cells(d.cells.drop(SETTING)), self.key)
            part.beside = beside
            part.__dict__["alarm"] = self.alarm  # checked once, as a whole
            self._parts[key] = part
        return self._parts[key]

    def whether(self, columns: Sequence[str]) -> list[str]:
        """Factors that say whether anything is drawn at all in one of these columns."""
        import polars as pl

        named = {*(one.factor for one in self.asks[0].across), *self.asks[0].apart}
        found = []
        for column in columns:
            if column not in self.d.drawn:
                continue
            text = pl.col(column).cast(pl.String).fill_null("none")
            games = self.d.games.select("cell", nothing=text.is_in(list(NOTHING))).collect()
            for name in sorted(named - {SIZE}):
                levels = self.d.cells.select("cell", level=pl.col(name).cast(pl.String))
                kinds = games.join(levels, on="cell").group_by("level").agg(pl.col("nothing").all())
                if kinds["nothing"].any():
                    found.append(name)
        return list(dict.fromkeys(found))

    @property
    def alpha(self) -> float:
        """The chance of a false alarm that each of the settings told beside each other may have."""
        return ALPHA / self.beside

    def scope_of(self, question: Question) -> str:
        """For whose play an answer holds; and on which maps, where these are not what is compared."""
        names = {*(one.factor for one in question.across), *question.apart}
        return self.play if "map" in names or len(self.maps) > 1 else self.scope

    def length_by(self, factor: str) -> pl.DataFrame | None:
        """Length of games at each level of a factor (computed once)."""
        import analysis

        return self._once(f"length by {factor}", lambda: analysis.length(self.d, by=factor))

    def enders_by(self, factor: str) -> pl.DataFrame | None:
        """Win share of who ends the game at each level of a factor (computed once)."""
        import analysis

        return self._once(f"enders by {factor}", lambda: analysis.enders(self.d, by=factor))

    def _once(self, name: str, make: Callable[[], pl.DataFrame], of: str = "") -> pl.DataFrame | None:
        if (name, of) not in self._frames:
            self._frames[name, of] = self.ask(name, make)
        return self._frames[name, of]

    @cached_property
    def associations(self) -> pl.DataFrame | None:
        """Figures that go with winning; no verdicts."""
        import analysis

        return self.ask("associations", lambda: analysis.goes_with_winning(self.d))

    @cached_property
    def bans_on_pieces(self) -> pl.DataFrame | None:
        """What a ban does to the strength of other pieces."""
        import analysis

        return self.ask("bans", lambda: analysis.ban_effects_on_pieces(self.d))

    @cached_property
    def bans_on_seats(self) -> pl.DataFrame | None:
        """What a ban does to the balance of the seats."""
        import analysis

        return self.ask("bans", lambda: analysis.ban_effects_on_seats(self.d))

    def by_tier(self) -> pl.DataFrame | None:
        """Strength of each piece at each tier of play (computed once); None without pieces that are judged."""
        import analysis

        if self.pieces is None or len(self.whole.tiers) < 2:
            return None
        return self._once("pieces by tier", lambda: analysis.piece_strength(self.whole, by="tier"))

    @cached_property
    def cells(self) -> pl.DataFrame:
        """The cells with the number of games played in each."""
        import polars as pl

        counts = self.all.games.group_by("cell").agg(games=pl.len()).collect(engine="streaming")
        cells = self.whole.cells.drop("games", strict=False)
        return (
            cells.join(counts, on="cell", how="left").with_columns(pl.col("games").fill_null(0)).sort("cell")
        )

    # -- small makers --------------------------------------------------------------------------------

    def picture(self, ax: Axes, question: str, note: str = "", wide: bool = False) -> Picture:
        """Return the figure of `ax` as a picture with ids of its own."""
        self._pictures += 1
        return Picture(question, inline_svg(ax, f"{self.key}-f{self._pictures}", question), note, wide)

    def behind(self, row: dict[str, Any]) -> Cell:
        """Return the cell that says how many games and deals stand behind a row."""
        return Cell(f"{words.number(row['games'])} / {words.number(row['deals'])}", row["games"])

    def count(self, value: int | None) -> Cell:
        """Return a cell with a number of games or deals."""
        return Cell(words.number(value), value)
