"""Where the data lives, and the few numbers a statistic may ask of it."""

from noisewise.columns.arrays import ArrayColumn, declare
from noisewise.columns.column import Column, Neighbors, Rows
from noisewise.columns.rows import declare_rows

__all__ = ["ArrayColumn", "Column", "Neighbors", "Rows", "declare", "declare_rows"]
