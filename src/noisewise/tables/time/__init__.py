"""Dates, times and durations as whole numbers of microseconds.

Read `clock` first. `ticks` reads what a library keeps, `text` what is written in files. A value that no calendar holds
is missing, or at the nearer bound; it raises nothing.
"""
