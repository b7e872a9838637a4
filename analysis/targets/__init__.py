"""Are the targets met? Every target of a table is proven, refuted or undecided, and what would settle it is said.

`table` reads the one table of targets that there is: ``[judge]`` of an experiment and ``[judge]`` of a targets file are
the same. `judging` tests each target (`analysis.check_targets`), `looks` allows for looks at a run that is going on,
`stopping` for looks after planned batches (``[stop]``), `lines` says a tested target in words
(`analysis.report.target_lines`: as text, Markdown, JUnit).

Promised: *proven* is an equivalence test, all of them together at 5 %; *refuted* needs the interval, corrected for all
that is judged, outside; each setting that was compared is judged by itself. Nothing is proven by a missing star.
"""
