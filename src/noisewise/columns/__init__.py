"""Where the data lives, and the few numbers a statistic may ask of it."""

from noisewise.columns.arrays import ArrayColumn, declare
from noisewise.columns.column import Column, Graph, Neighbors, Rows
from noisewise.columns.graphs import declare_graph
from noisewise.columns.rows import declare_rows

__all__ = ["ArrayColumn", "Column", "Graph", "Neighbors", "Rows", "declare", "declare_graph", "declare_rows"]
