"""What was played, and can it be trusted? Every other chapter reads a data set through this one.

`analysis.load` opens a folder that a run wrote (`dataset`), `analysis.audit` checks the design and the log before
any estimate (`audit`). Beneath them: `parts` reads the committed Parquet parts, `frames` hands tables to the
estimators as arrays in the order of the games, `measures` holds what can be measured of a game as one number.
`views` takes some of its cells or games, `sampling` a part of a data set that is too large to be held.
`importing` makes data sets of games that people kept (`analysis.import_games`), `served` says what any table needs and
fills in what can be told, `pooling` makes one data set of several (`analysis.pool`).

Promised: only whole, committed chunks are read; the answer does not depend on the order of files or rows; what is
wrong with a data set, or with a name that was asked for, is a `Refusal` of one line. Nothing here estimates.
"""
