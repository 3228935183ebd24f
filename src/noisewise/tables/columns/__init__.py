"""Columns of a table. Their declared types are checked before the debit, and their records are read after it.

Read `array_column` first; `array_rows`, `labels` and `edge_lists` are its siblings for rows, categories and graphs.
`indicators` reads a column as ones and zeros. `selection` and `sums` are the fast and exact ways to order statistics
and totals, `magnitudes` sorts records into buckets for private bounds. `conversions` says how to convert a
column whose type is refused. `watched` remembers how many records an answer was made of.

Errors here depend on declared types alone, and never on records.
"""

from noisewise.statistics.records import Column, Graph, Rows
from noisewise.tables.columns.array_column import ArrayColumn, declare
from noisewise.tables.columns.array_rows import declare_rows
from noisewise.tables.columns.edge_lists import declare_graph

__all__ = ["ArrayColumn", "Column", "Graph", "Rows", "declare", "declare_graph", "declare_rows"]
