"""Variance and standard deviation.

Read `variance` first. `reach` says how far edits can move it. `group_variances` works out the variances of many groups
together.
"""
