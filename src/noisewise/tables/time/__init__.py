"""Dates, times and durations as whole numbers: `clock` first."""
