"""Suites that a statistic or a mechanism inherits: its laws, checked on every small dataset in exact arithmetic."""
