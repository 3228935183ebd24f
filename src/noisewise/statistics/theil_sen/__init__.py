"""The median slope of all pairs of rows."""
