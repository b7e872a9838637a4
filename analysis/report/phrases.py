"""Phrases that stand in many sections: for whose play, on which maps, of how many games."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from analysis.bans_and_drafts.ban_effects import done_word, set_columns
from analysis.data.questions import short
from analysis.report import words
from analysis.report.blocks import Block, Text

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

MAPS_NAMED = 3  # more maps are named once, in the lead, and counted elsewhere
WEAK_BOTS = {"random", "greedy"}
WORDS = {
    "piece": "piece",
    "pieces": "pieces",
    "points": "points",
    "role": "lead seat",
    "ending": "Ending is a choice: who is ahead may take it.",
}  # unless the card has others


class Phrases:
    """What is said of a data set in the same words wherever it is said (see `analysis.report.context.Context`)."""

    d: Dataset
    whole: Dataset

    @property
    def game_title(self) -> str:
        """The game's name as its card gives it."""
        return str(self.d.card.get("title") or self.d.manifest.get("game") or "the game")

    def word(self, name: str) -> str:
        """What the game calls a piece, pieces, points, or the role at the table; a general word without that."""
        return str((self.d.card.get("words") or {}).get(name) or WORDS[name])

    @property
    def sets(self) -> str:
        """What was done with sets of pieces, as a heading: "Bans", "Left out"."""
        columns = set_columns(self.d)
        if columns in ([], ["bans"]):
            return "Bans"
        return words.listing(done_word(self.d, name) for name in columns).capitalize()

    @cached_property
    def maps(self) -> list[str]:
        """Names of the maps played on; empty when the game has none. A drawn board has the name of its family."""
        import polars as pl

        d = self.d
        boards = [name for name, entry in d.drawn.items() if entry.get("kind") == "board"]
        name = boards[0] if boards else "map"
        if d.of_cells(name):
            found = d.cells[name].cast(pl.String).unique()
        elif boards:
            found = d.games.select(pl.col(name).cast(pl.String).unique()).collect()[name]
        else:
            return []
        return sorted(short(str(name)) for name in found.drop_nulls())

    def by_table(self, frame: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
        """The frame by kind of table, each with ' with 4 players' to put into a sentence (nothing if all are alike)."""
        keys = [name for name in ("players", "sides") if name in frame.columns]
        parts = frame.partition_by(keys, maintain_order=True)
        return [(f" with {words.table(p.row(0, named=True))}" if self.many_tables else "", p) for p in parts]

    @cached_property
    def many_tables(self) -> bool:
        """Whether tables differ in players or sides."""
        return len(self.d.tables) > 1

    @property
    def play(self) -> str:
        """For whose play a verdict of this part holds."""
        return f"for {self.d.play}"

    @property
    def by_lot(self) -> str:
        """Why the worth of a piece is its own doing, and for whose play."""
        lever = (self.d.manifest.get("lever") or {}).get("text", "random assignment")
        return (
            f"{self.word('pieces').capitalize()} were dealt by lot ({lever}), so this is what holding one does "
            f"{self.play}; players of another kind may do otherwise."
        )

    @property
    def scope(self) -> str:
        """For whose play, and on which maps, a verdict of this part holds."""
        return f"{self.play} {self.on_maps}".strip()

    @property
    def on_maps(self) -> str:
        """On which maps a verdict holds; empty when the game has none."""
        if len(self.maps) > MAPS_NAMED:
            return f"on the {len(self.maps):,} maps played"
        return f"on {words.listing(self.maps)}" if self.maps else ""

    @cached_property
    def map_choice(self) -> str | None:
        """What the game's card says of how the maps came about; None where it says nothing."""
        if not self.maps:
            return None
        given = (self.d.card.get("words") or {}).get("map_given")
        said = {str(entry.get("name")): entry.get("says") for entry in self.d.card.get("maps") or []}
        families: list[str] = [*self.maps]
        if "map" in self.d.cells.columns:
            families = sorted({str(name) for name in self.d.cells["map"].drop_nulls()})
        texts = {name: str(said.get(name) or given or "") for name in families}
        found = dict.fromkeys(text for text in texts.values() if text)
        if len(set(texts.values())) == 1:
            return next(iter(found), None)
        return (
            " ".join(f"{words.listing(n for n in texts if texts[n] == t)}: {t}" for t in found)
            if found
            else None
        )

    @property
    def competence(self) -> str | None:
        """A warning when only the simplest bots played."""
        bots = [str(bot) for bot in self.whole.manifest.get("bots_used") or []]
        if not bots or {bot.split(":")[0] for bot in bots} - WEAK_BOTS:
            return None
        return f"{words.listing(bots)} only: bots may be too weak to tell"

    @property
    def amount(self) -> str:
        """How many games on how many deals; of a very large data set also how many of them are read."""
        read, d = self.whole.read, self.whole
        if read is None:
            return f"{words.plural(d.n_games, 'game')} on {words.plural(d.n_deals, 'deal')}"
        return (
            f"{words.plural(read.games(d), 'game')}, of which {d.n_games:,} on {words.plural(d.n_deals, 'deal')} "
            f"are read ({read.how()})"
        )

    def says_so(self) -> list[Block]:
        """The note that names the games which a part of the page reads."""
        read = self.whole.read
        if read is None:
            return []
        return [Text(f"Read here: {self.d.n_games:,} of {read.games(self.d):,} games, {read.how()}.", "note")]

    @cached_property
    def lines(self) -> str:
        """How many distinct lines of play there are."""
        import polars as pl

        if "line" not in self.whole.games.collect_schema().names():
            return "not logged"
        count = int(self.whole.games.select(pl.col("line").n_unique()).collect().item())
        return f"{words.plural(count, 'distinct line')} in {words.plural(self.whole.n_games, 'game')}"
