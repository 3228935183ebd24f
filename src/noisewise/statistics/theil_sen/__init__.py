"""The median slope of all pairs of rows.

Read `theil_sen` first; `slopes`, `all_pairs` and `crossings` count slopes without listing all of them.
"""
