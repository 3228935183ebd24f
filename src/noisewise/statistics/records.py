"""Column, Groups, Rows and Graph: the few numbers that a statistic may read of the data, wherever that is."""

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
    """How many records there are, their exact sum and, where it is wanted, their exact sum of squares."""

    count: int
    total: int
    squares: int


class Column(Protocol):
    """Records as lattice indices. Everything here but ``lattice`` and ``neighbors`` is secret."""

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def count(self) -> int:
        """How many records there are: those not missing under add/remove, all of them under swap."""

    def ranks(self, start: int, stop: int) -> NDArray[np.int64]:
        """The order statistics of ranks start..stop-1, counted from 1, with 1 <= start <= stop <= count + 1."""

    def extremes(self, records: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """So many of the smallest records and of the largest, both rising; at most ``count`` of them."""

    def sums(self, *, squares: bool = False) -> Sums:
        """Exact sums over all records, of indices counted from ``lattice.low``."""

    def below(self, index: int, *, squares: bool = False) -> Sums:
        """Exact sums over the records at or below an index, of indices counted from ``lattice.low``."""

    def ordered(self) -> NDArray[np.int64]:
        """All records, sorted. Only a column in memory has this."""


@dataclass(frozen=True, slots=True, repr=False)
class Tally(Secret):
    """Rising indices and how many records each has, with how many records lie below them all."""

    before: int
    indices: NDArray[np.int64]
    counts: NDArray[np.int64]


class CountedColumn(Column, Protocol):
    """A column that stays where it is: equal records are counted there, and never handed out one by one."""

    def gather(self, windows: list[tuple[int, int]]) -> None:
        """Read what several windows of ranks need at once, so that asking for one of them later takes no pass."""

    def tally(self, start: int, stop: int) -> Tally:
        """The indices of ranks start..stop-1, start < stop, each with all of its records, whatever their ranks."""

    def upto(self, index: int) -> int:
        """How many records are at or below an index."""


@dataclass(frozen=True, slots=True, repr=False)
class SummedBins(Secret):
    """All records in bins that do not overlap, rising: how many each has, and their exact sum. None is empty.

    Indices are counted from ``lattice.low``. A bin of one index holds records that are known one by one.
    """

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    counts: NDArray[np.int64]
    sums: NDArray[np.object_]

    def chosen(self, where: NDArray[np.bool_] | NDArray[np.int64]) -> "SummedBins":
        """Some of the bins, or all in another order."""
        return SummedBins(self.firsts[where], self.lasts[where], self.counts[where], self.sums[where])


@runtime_checkable
class SummedColumn(Protocol):
    """A column that stays where it is, and adds up its records there."""

    def summed_bins(self, look: Callable[[SummedBins], list[tuple[int, int]]]) -> SummedBins:
        """Bins that become finer until all bins in the ranges that ``look`` returns have one index.

        It is asked again after each pass. A range goes from its first to its last index, both included.
        """


class Groups(Protocol):
    """A column in groups, one after the other. Everything here but ``lattice``, ``neighbors`` and `len` is secret."""

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    def __len__(self) -> int:
        """How many groups are declared. Public."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many records each group has; maybe none."""

    def ranks(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.int64]:
        """The order statistics of ranks starts[g]..stops[g]-1 of each group g, one group after the other.

        As in `Column.ranks`: 1 <= start <= stop <= count + 1.
        """

    def sums(self) -> list[int]:
        """The exact sum of each group, of indices counted from ``lattice.low``."""

    def below(self, indices: NDArray[np.int64], *, squares: bool = False) -> list[Sums]:
        """Exact sums over the records of each group g at or below indices[g], as in `Column.below`."""

    def group(self, group: int) -> Column:
        """One group as a column by itself. Only groups in memory have this."""


class OneGroup(Secret):
    """A column as the only group, for statistics that answer all groups at once."""

    def __init__(self, column: Column) -> None:
        self.column, self.lattice, self.neighbors = column, column.lattice, column.neighbors
        self._sums: Sums | None = None

    def __len__(self) -> int:
        return 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """An engine counts the records together with their sum, so the sum is asked for first where both are needed."""
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
    """How many rows are positive and how many negative, and over all pairs of one of each, added up: 2 where the score
    of the positive one is higher, 1 where both have the same."""

    positives: int
    negatives: int
    twice_right: int


class Rows(Protocol):
    """Rows of several columns, wherever they are. Everything here but ``lattice`` and ``neighbors`` is secret.

    What a statistic reads of rows, it says by formulas: they are computed alike in memory and by an engine.
    """

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def count(self) -> int:
        """How many rows there are: those with nothing missing under add/remove, all of them under swap."""

    def numbers(self, number: RowNumber) -> Column:
        """One number per row as a column of its own, on ``lattice``."""

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[int]:
        """The exact sum over all rows of each term: of a product of two of the whole numbers, of one, or of ones."""

    def right_pairs(self, positive: RowWhole, score: int) -> RightPairs:
        """Which pairs a column of scores puts in the right order, where ``positive`` is 1 for some rows and 0 for the
        others."""


class RowsInMemory(Rows, Protocol):
    """Rows whose numbers are at hand, for a statistic that reads more than formulas say."""

    @property
    def values(self) -> tuple[NDArray[np.float64], ...]:
        """One float64 array per column, in the order of the data; never NaN, maybe infinite.

        Rows with something missing are left out under add/remove; under swap each is the statistic's fill row.
        """

    def column(self, values: NDArray[np.float64]) -> Column:
        """One number per row as a column of its own, on ``lattice``. NaN counts as missing."""


class Graph(Protocol):
    """An undirected graph on the declared nodes 0..nodes-1. Its edges are secret, and all that is counted from them."""

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def nodes(self) -> int:
        """How many nodes are declared. Public."""

    @property
    def edges(self) -> NDArray[np.int64]:
        """One row (i, j) per edge, i < j, sorted, each once."""

    @property
    def degrees(self) -> NDArray[np.int64]:
        """How many edges each node has: as many numbers as there are nodes."""

    def compact(self) -> "Graph":
        """The same edges on fewer nodes: those with an edge, renamed in their order, then at most two others.

        Declared nodes may be a hundred million where there are a few edges; what it holds grows with the edges alone.
        Two nodes without an edge are enough to know whether some pair of nodes of given degrees is not joined.
        """
