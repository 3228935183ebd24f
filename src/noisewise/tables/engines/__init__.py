"""Tables behind an engine (Polars, DuckDB, Spark), asked by queries."""
