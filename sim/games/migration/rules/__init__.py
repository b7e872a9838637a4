"""The compiled rules of Migration, in the order of the rulebook. Nothing here imports matplotlib or reads files."""
