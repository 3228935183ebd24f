"""The questions as functions. Each takes data and returns one paid and private answer. There is a file for each theme.

All take the same keywords, in the same order. ``bounds`` and ``epsilon`` have no default and are never read off the
data. Each function is one statistic, or one of the `composites`. The decorator registers it, and
``python -m scripts.registered`` adds it to every list of questions.
"""
