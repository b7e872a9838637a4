"""From an experiment to a data set: cells, blocks, chunks of games, Parquet parts, resume."""
