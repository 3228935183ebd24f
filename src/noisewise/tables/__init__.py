"""Where data lives: tables in memory, in files and behind engines, with their columns, groups and times.

Read `table` (what a dataset needs) and `local` (a table in memory) first, then `columns/`. `conditions` says
which rows take part, `people` which records of a person. `files/` reads Parquet, Arrow, CSV, TSV and JSON lines;
`engines/` asks Polars, DuckDB, Spark and PostgreSQL; `groups/` holds keys and columns in groups; `time/` dates and
durations.

The choice of records and the reading of them carry privacy: docs/proofs/people.md and docs/proofs/engines.md.

It imports the kernel and statistics, whose protocols it implements. Questions and all that stands above may import it.
"""
