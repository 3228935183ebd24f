"""Column, Groups, Rows and Graph: the few numbers that a statistic may read, from data in memory or in a database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.row_formulas import RowNumber, RowWhole, Term


@dataclass(frozen=True, slots=True, repr=False)
class Sums:
    """The number of records, their exact sum and, if asked for, their exact sum of squares."""

    count: int
    total: int
    squares: int


class Column(Protocol):
    """Records as lattice indices. Everything except ``lattice`` and ``neighbors`` is secret."""

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def count(self) -> int:
        """The number of records: under add/remove those that are not missing, under swap all."""

    def ranks(self, start: int, stop: int) -> NDArray[np.int64]:
        """The sorted records of ranks start to stop - 1. Ranks begin at 1, and 1 <= start <= stop <= count + 1."""

    def extremes(self, records: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The smallest ``records`` records and the largest ones, both in rising order; at most ``count`` of each."""

    def sums(self, *, squares: bool = False) -> Sums:
        """Exact sums over all records. Indices are counted from ``lattice.low``."""

    def below(self, index: int, *, squares: bool = False) -> Sums:
        """Exact sums over the records at or below an index. Indices are counted from ``lattice.low``."""

    def ordered(self) -> NDArray[np.int64]:
        """All records, sorted. Only columns in memory have this."""


@dataclass(frozen=True, slots=True, repr=False)
class Tally(Secret):
    """Indices in rising order, the number of records at each, and the number of records below all of them."""

    before: int
    indices: NDArray[np.int64]
    counts: NDArray[np.int64]


class CountedColumn(Column, Protocol):
    """A column that stays in its database. Equal records are counted there instead of being fetched one by one."""

    def gather(self, windows: list[tuple[int, int]]) -> None:
        """Read several windows of ranks in one pass. Asking for one of them later then takes no further pass."""

    def tally(self, start: int, stop: int) -> Tally:
        """The indices of the records of ranks start to stop - 1, and how many records of the whole column have each
        index."""

    def upto(self, index: int) -> int:
        """The number of records at or below an index."""


@dataclass(frozen=True, slots=True, repr=False)
class SummedBins(Secret):
    """All records in bins, in rising order: the number and the exact sum of the records in each. No bin is empty.

    Indices are counted from ``lattice.low``. A bin of one index holds records that are known one by one.
    """

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    counts: NDArray[np.int64]
    sums: NDArray[np.object_]

    def chosen(self, where: NDArray[np.bool_] | NDArray[np.int64]) -> "SummedBins":
        """These bins, in this order."""
        return SummedBins(self.firsts[where], self.lasts[where], self.counts[where], self.sums[where])


@runtime_checkable
class SummedColumn(Protocol):
    """A column that stays in its database, which adds up the records."""

    def summed_bins(self, look: Callable[[SummedBins], list[tuple[int, int]]]) -> SummedBins:
        """Bins that are made finer until every bin within the ranges that ``look`` returns has one index.

        ``look`` is called again after each pass. A range goes from its first to its last index, both included.
        """


class Groups(Protocol):
    """A column in groups, one after the other. Everything except ``lattice``, ``neighbors`` and `len` is secret."""

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    def __len__(self) -> int:
        """The number of declared groups. Public."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of records in each group, which can be 0."""

    def ranks(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sorted records of ranks starts[g] to stops[g] - 1 of each group g, one group after the other.

        As in `Column.ranks`: 1 <= start <= stop <= count + 1.
        """

    def sums(self) -> list[int]:
        """The exact sum of each group. Indices are counted from ``lattice.low``."""

    def below(self, indices: NDArray[np.int64], *, squares: bool = False) -> list[Sums]:
        """Exact sums over the records of each group g at or below indices[g], as in `Column.below`."""

    def group(self, group: int) -> Column:
        """One group as a column. Only groups in memory have this."""


class OneGroup(Secret):
    """A column as the only group, for statistics that answer all groups at once."""

    def __init__(self, column: Column) -> None:
        self.column, self.lattice, self.neighbors = column, column.lattice, column.neighbors
        self._sums: Sums | None = None

    def __len__(self) -> int:
        return 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of records. A query for the sum also counts records. If both are needed, ask for the sum first."""
        return np.array([self.column.count if self._sums is None else self._sums.count])

    def ranks(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.column.ranks(int(starts[0]), int(stops[0]))

    def sums(self) -> list[int]:
        self._sums = self.column.sums()
        return [self._sums.total]

    def below(self, indices: NDArray[np.int64], *, squares: bool = False) -> list[Sums]:
        index = int(indices[0])
        if index >= self.lattice.high:
            return [self.column.sums(squares=squares)]
        return [self.column.below(index, squares=squares)]

    def group(self, group: int) -> Column:
        return self.column


def extremes_of(groups: Groups, records: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`Column.extremes` of each group, records[g] of group g on either side, one group after the other."""
    if isinstance(groups, OneGroup):
        return groups.column.extremes(int(records[0]))  # both ends by one pass
    counts = groups.counts
    return groups.ranks(np.ones_like(counts), records + 1), groups.ranks(counts - records + 1, counts + 1)


class RightPairs(NamedTuple):
    """The number of positive rows, of negative rows, and twice the number of pairs in the right order.

    A pair is a positive and a negative row. It is in the right order if the score of the positive row is higher; a pair
    with equal scores counts half.
    """

    positives: int
    negatives: int
    twice_right: int


class Rows(Protocol):
    """Rows of several columns, in memory or in a database. Everything except ``lattice`` and ``neighbors`` is secret.

    A statistic says by formulas what it reads of rows. Formulas have the same results in memory and in an engine.
    """

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def count(self) -> int:
        """The number of rows: under add/remove those without a missing value, under swap all."""

    def numbers(self, number: RowNumber) -> Column:
        """A column with one number per row, on ``lattice``."""

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[int]:
        """The exact sum over rows of each term. A term is the product of two of ``wholes``, one of them, or 1."""

    def right_pairs(self, positive: RowWhole, score: int) -> RightPairs:
        """How many pairs the scores in a column put in the right order. ``positive`` is 1 or 0 for each row."""


class RowsInMemory(Rows, Protocol):
    """Rows in memory, for a statistic that needs the numbers themselves and not only formulas of them."""

    @property
    def values(self) -> tuple[NDArray[np.float64], ...]:
        """One float64 array per column, in the order of the data; never NaN, maybe infinite.

        Under add/remove, rows with a missing value are left out. Under swap, the statistic's ``fill`` replaces each.
        """

    def column(self, values: NDArray[np.float64]) -> Column:
        """A column with one number per row, on ``lattice``. NaN counts as missing."""


class Graph(Protocol):
    """An undirected graph on the declared nodes 0 to nodes - 1. Its edges are secret, and so is all that follows."""

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def nodes(self) -> int:
        """The number of declared nodes. Public."""

    @property
    def edges(self) -> NDArray[np.int64]:
        """A sorted row (i, j) for each edge, with i < j."""

    @property
    def degrees(self) -> NDArray[np.int64]:
        """The number of edges of each node."""

    def compact(self) -> "Graph":
        """The same edges on fewer nodes: all nodes with an edge, renumbered in their order, and at most two others.

        There may be a hundred million declared nodes and few edges. The size of the result depends on the edges alone.
        Two nodes without an edge are enough to find pairs of nodes that no edge joins.
        """
