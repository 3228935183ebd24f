"""Distances between quantiles, and the median absolute deviation."""
