"""Files as tables: Parquet, Arrow, CSV, TSV and JSON lines."""
