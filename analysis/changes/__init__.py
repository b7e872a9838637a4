"""What does a change do: of a rule, of an event that was drawn, of a guess at what the rulebook leaves out?

`settings`: `analysis.compare` (each setting that was compared by itself, beside the base, and the tested difference:
never an average over them). `ban_settings`: `analysis.compare_bans` (the same of what bans do). `rules`:
`analysis.rule_changes` (cells that differ in one thing, deal by deal). `runs`: `analysis.compare_runs` (one run against
another: a primary question and guards). `levels`: `analysis.level_effects`
(one event or card drawn for each deal). `screening`: `analysis.screen` (which of many
numbers matter, for what). `response`: `analysis.response` (how a measure moves with a number, where it reaches a
target; `shapes` fits the line and the quadratic). `dependence`: `analysis.depends_on` (what is found of
a seat or a piece: does it depend on the map, on anything that was varied?). `stand_ins`: `analysis.under_stand_ins` (do
the verdicts hold under other guesses?). `contrasts` holds what both kinds of change are told by: every measure, the
seats, the pieces.
`no_harm`: `analysis.no_harm` (what did not move by more than a margin). `shrunk`: `analysis.shrunk_levels` (seats and
pieces at each level, shrunk).

Promised: only games that are alike in everything else are compared; differences carry the error of the difference,
over the deals that both groups share; q values are corrected within a measure.
"""
