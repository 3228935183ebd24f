"""Groups of rows: declared or found keys, and columns in groups."""
