"""The Gini coefficient.

Read `gini` first; `gini_bound` and `gini_search` say how far edits can move it.
"""
