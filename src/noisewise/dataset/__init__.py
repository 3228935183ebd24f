"""Tables of private records, and their questions as methods, for all rows or for each group."""
