"""Anybody's games as a data set: from the files that people keep to tables that every analysis reads.

`sheets` reads a file as rows of text under headings, `headings` says which column is what (by itself, or as it is told
once), `rows` makes games of the rows and says of each row that is none why, `counts` does the same for a bare table of
wins, `tables` turns games into the tables of a data set. Nothing is lost: what is left out is kept with its reason.
"""

from analysis.data.importing.counts import games_of_counts
from analysis.data.importing.headings import Mapping, read_mapping
from analysis.data.importing.sheets import LeftOut, Sheet, read_sheet
from analysis.data.importing.tables import Imported, import_games
from analysis.data.importing.template import TEMPLATE

__all__ = [
    "TEMPLATE",
    "Imported",
    "LeftOut",
    "Mapping",
    "Sheet",
    "games_of_counts",
    "import_games",
    "read_mapping",
    "read_sheet",
]
