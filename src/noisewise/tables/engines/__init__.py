"""Tables behind an engine (Polars, DuckDB, Spark), answered by queries."""
