"""Groups of rows: their keys, declared or counted, and columns in groups."""
