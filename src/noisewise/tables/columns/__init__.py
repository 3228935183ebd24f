"""Where the data lives, and the few numbers a statistic may ask of it."""

from noisewise.statistics.records import Column, Graph, Rows
from noisewise.tables.columns.array_column import ArrayColumn, declare
from noisewise.tables.columns.array_rows import declare_rows
from noisewise.tables.columns.edge_lists import declare_graph

__all__ = ["ArrayColumn", "Column", "Graph", "Rows", "declare", "declare_graph", "declare_rows"]
