"""Groups of rows: `keys` that are declared or counted, and columns in groups."""
