"""Files as tables: Parquet, Arrow, CSV, TSV and JSON lines, read in passes and never as a whole.

Read `scan` first. A text file goes through `encoded`, `lines`, `cells` and `cell_types` to `text_table`.
"""
