"""Tables behind an engine (Polars, DuckDB, Spark, PostgreSQL), answered by queries.

Read `dialect` (what an engine must provide), `engine_table` and `engine_records` first. `polars`, `duckdb`, `spark`
and `postgres` hold the code of one engine each.
"""
