"""Files as tables: Parquet, Arrow, CSV, TSV and JSON lines, read in parts and never as a whole.

Read `scan` first, which opens a file by its ending. `arrow` reads Parquet and Arrow. A text file goes through `encoded`
(bytes to UTF-8), `lines`, `cells` or `json_lines`, and `cell_types` to `text_table`. `file_state` refuses files that
change between two queries.

One more line in a file is at most one more record, whatever the line holds.
"""
