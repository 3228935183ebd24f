"""Where data lives: tables in memory, in files and behind engines, with their columns, groups and times.

Read `table` (what a dataset needs) and `local` (a table in memory) first, then `columns/`. `conditions` says
which rows take part, `people` which records of a person. `files/` reads Parquet, Arrow, CSV, TSV and JSON lines;
`engines/` queries Polars, DuckDB, Spark and PostgreSQL; `groups/` holds keys and columns in groups; `time/` dates and
durations.

Privacy rests on how records are chosen and read: docs/proofs/people.md and docs/proofs/engines.md.

It imports the kernel and statistics, whose protocols it implements. Questions and all folders above them may import it.
"""
