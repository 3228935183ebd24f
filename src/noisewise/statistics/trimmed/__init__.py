"""Means without the extremes."""
