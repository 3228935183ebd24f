"""Groups of rows in memory: the keys that are declared or counted, and columns in groups.

Read `keys` first: the groups there are, declared without a look at the data; `key_parts` says when two spellings are
one key. `key_indices` finds the group of each row, `grouped_column` is a column in groups, `one_by_one` each group as a
table by itself. `key_counts` counts the people of each key, for a search of keys.
"""
