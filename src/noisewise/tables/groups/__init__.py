"""Groups of rows in memory: the keys that are declared or counted, and columns in groups.

Read `keys` first: the groups, which are declared without a look at the data. `key_parts` says which spellings are the
same key. `key_indices` finds the group of each row, `grouped_column` is a column in groups, and `one_by_one` makes each
group a table. `key_counts` counts the people of each key, for questions that search for keys.
"""
