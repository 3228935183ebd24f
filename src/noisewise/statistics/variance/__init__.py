"""Variance and standard deviation.

Read `variance` first. `variance_upper`, `variance_lower` and `variance_bound` say how far edits can move it; the
others work out the variances of many groups side by side.
"""
