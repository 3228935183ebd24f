"""Tables behind an engine (Polars, DuckDB, Spark, PostgreSQL). Queries answer questions, and the data is not fetched.

Read `dialect` (what an engine must provide), `engine_table` (a table) and `engine_records` (its records as distances on
a lattice) first. `queries` runs the queries of one question about a table or about all its groups. `engine_column`
reads one column, `groups` a column in groups, and `rows` several columns. `selection` finds order statistics by counts
in bins, `sums` adds exactly, `summed_bins` does both, and `right_pairs` counts pairs. `arithmetic` computes formulas of
rows, and `written` compares them. `passing` applies conditions, `people` chooses a person's records, `key_counts`
counts the people of each key, and `fetch` fetches columns for questions that no query answers. `polars`, `duckdb`,
`spark` and `postgres` hold the code of one engine each.

A query must return the numbers that memory returns: docs/proofs/engines.md.
"""
