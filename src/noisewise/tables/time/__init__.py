"""Dates, times and durations as whole numbers of microseconds.

Read `clock` first. `ticks` reads the numbers that a library stores, `text` the text in files. A value beyond the
calendar is missing, or becomes the nearer bound. It raises no error.
"""
