"""Faults in what is told of placements, of picks and bans, and of kingmaking."""

from __future__ import annotations

from tests.analysis.planting import Fault

PLACING = "pieces/test_planted_placing.py"
JUDGED, KINGS = "bans_and_drafts/test_planted_misjudged.py", "pace/test_planted_kingmaking.py"

FAULTS = (
    Fault(
        "a place that only those reach who put most is not told apart",
        "pieces/placing.py",
        "beside = _dummies(games.seat[users], total[users], copies)",
        "beside = _dummies(games.seat[users])",
        f"{PLACING}::test_the_place_that_helps_is_found_and_the_one_where_winners_arrive_is_not",
    ),
    Fault(
        "a piece bends the line that it is measured by",
        "bans_and_drafts/misjudged.py",
        "rest = np.arange(len(x)) != k",
        "rest = np.arange(len(x)) != -1",
        f"{JUDGED}::test_the_strong_piece_that_nobody_bans_stands_out",
    ),
    Fault(
        "whoever moved last made the king",
        "pace/kingmaking.py",
        "made[there] = (\n            self.out[at] & ",
        "made[there] = (\n            ",
        f"{KINGS}::test_who_cannot_touch_the_others_makes_no_king",
    ),
)
