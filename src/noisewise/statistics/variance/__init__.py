"""Variance and standard deviation.

Read `variance` first. `reach` says how far edits can move it; `groups` works out the variances of many groups side by
side.
"""
