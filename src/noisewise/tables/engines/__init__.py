"""Tables behind an engine (Polars, DuckDB, Spark, PostgreSQL), answered by queries; the data stays where it is.

Read `dialect` (what an engine must provide), `engine_table` and `engine_records` first: a table, and its records as
distances on a lattice. `engine_column` asks for the numbers of one column, `selection` finds order statistics by
counting in bins, `summed_bins`, `products` and `right_pairs` sum exactly, `rows` reads several columns. `groups`,
`group_column`, `group_rows` and `group_tables` do so for all groups at once. `passing` applies conditions, `people`
chooses a person's records, `key_counts` counts the people of each key, and `fetch` brings columns over where no query
will do. `polars`, `duckdb`, `spark` and `postgres` hold the code of one engine each.

A query must give the numbers that memory gives: docs/proofs/engines.md.
"""
