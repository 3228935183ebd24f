"""A column behind an engine. Queries compute every number that a statistic needs, and the column is not fetched."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import NoisewiseError, SchemaError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import SummedBins, Sums, Tally
from noisewise.statistics.row_formulas import Term
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.selection import Counted, Ranges, Selection, first_shift
from noisewise.tables.engines.summed_bins import Summed, closer
from noisewise.tables.engines.sums import counted, sums_of_terms

TOTAL: tuple[Term, ...] = ((), (0,))
SQUARES: tuple[Term, ...] = (*TOTAL, (0, 0))


def rows_of(dialect: Dialect, frame: Frame, ones: str) -> int:
    """How many rows a frame has. ``ones`` is the name of its column of ones.

    Under swap this number is public, and counted before the debit. An error of the user's own query may show a record,
    so another error is raised in its place.
    """
    import narwhals.stable.v2 as nw

    try:
        return dialect.totals(frame.select(nw.col(ones).sum()))[0]
    except (KeyboardInterrupt, SystemExit, NoisewiseError):
        raise
    except BaseException:  # a panic of an engine is no Exception
        pass
    raise SchemaError("frame", "must be a query that does not fail", got="one that does") from None


class EngineColumn(Secret):
    """Distances ``d`` from the low end of a lattice, in a lazy frame. Distances below 0 are missing records.

    On a small lattice (`selection.first_shift`) every number comes from one query. On a larger one each sum takes
    one query, and order statistics take the queries that `Selection` describes.
    """

    def __init__(self, dialect: Dialect, frame: Frame, lattice: Lattice, neighbors: Neighbors) -> None:
        self._dialect, self._frame = dialect, dialect.evaluated_once(frame)
        self.lattice, self.neighbors = lattice, neighbors
        self._width = lattice.high - lattice.low

    @property
    def count(self) -> int:
        return self._selection.size

    def ranks(self, start: int, stop: int) -> NDArray[np.int64]:
        (distances,) = self._selection.ranks([(start, stop)])
        return distances + self.lattice.low

    def extremes(self, records: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if records == 0:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        ends = [(1, records + 1), (self.count - records + 1, self.count + 1)]
        smallest, largest = self._selection.ranks(ends)
        return smallest + self.lattice.low, largest + self.lattice.low

    def gather(self, windows: list[tuple[int, int]]) -> None:
        self._selection.gather(windows)

    def tally(self, start: int, stop: int) -> Tally:
        before, distances, counts = self._selection.tally(start, stop)
        return Tally(before, distances + self.lattice.low, counts)

    def upto(self, index: int) -> int:
        return self._selection.upto(index - self.lattice.low)

    def sums(self, *, squares: bool = False) -> Sums:
        return self.below(self.lattice.high, squares=squares)

    def below(self, index: int, *, squares: bool = False) -> Sums:
        import narwhals.stable.v2 as nw

        if index < self.lattice.low:
            return Sums(0, 0, 0)
        top = min(index - self.lattice.low, self._width)
        if self._is_counted_by_point:
            return self._selection.below(top, squares=squares)
        distances = self._frame.filter((nw.col("d") >= 0.0) & (nw.col("d") <= float(top)))
        rows, terms = distances.select(nw.col("d").alias("n0")), SQUARES if squares else TOTAL
        return sums_of(sums_of_terms(self._dialect, lambda _: rows, [top], terms)[()])

    def summed_bins(self, look: Callable[[SummedBins], Ranges]) -> SummedBins:
        return closer(self._width, self._summed, look)

    def ordered(self) -> NDArray[np.int64]:
        return self.ranks(1, self.count + 1)

    @property
    def _is_counted_by_point(self) -> bool:
        """Whether one query counts the records of every point of the lattice. The lattice decides, so it is public."""
        return first_shift(self._width) == 0

    @cached_property
    def _selection(self) -> Selection:
        return Selection.counted(self._width, self._counted)

    def _counted(self, shift: int, ranges: Ranges) -> Counted:
        """Count the distances of some ranges in bins of 2^shift distances. Missing records, in bin -1, are left out.

        Bins are integers, which engines group faster than floats. The range of all distances needs no filter.
        """
        frame = self._frame
        if ranges != [(0, self._width)]:
            frame = frame.filter(_inside(ranges))
        bins, counts = counted(self._dialect, frame.select(_bin(shift)), "bin")
        return bins[bins >= 0], counts[bins >= 0]

    def _summed(self, shift: int, ranges: Ranges) -> Summed:
        """The bins with their counts and with the exact sum of the distances in each bin."""
        import narwhals.stable.v2 as nw

        inside = self._frame.filter((nw.col("d") >= 0.0) & _inside(ranges))
        rows = inside.select(_bin(shift), nw.col("d").alias("n0"))
        bins = sums_of_terms(self._dialect, lambda _: rows, [self._width], TOTAL, by=["bin"])
        counts, totals = ([sums[term] for sums in bins.values()] for term in TOTAL)
        numbers = np.array([number for (number,) in bins], np.int64)
        return numbers, np.array(counts, np.int64), np.array(totals, object)


def sums_of(sums: dict[Term, int]) -> Sums:
    """The count, sum and sum of squares of a column, from the sums of its terms."""
    return Sums(sums[()], sums[(0,)], sums.get((0, 0), 0))


def _inside(ranges: Ranges) -> Expression:
    """Whether a distance lies in one of the ranges."""
    import narwhals.stable.v2 as nw

    d = nw.col("d")
    inside = [(d >= float(low)) & (d <= float(high)) for low, high in ranges]
    return nw.any_horizontal(*inside, ignore_nulls=True)


def _bin(shift: int) -> Expression:
    """The number of the bin of a distance. Bins are 2^shift distances wide."""
    import narwhals.stable.v2 as nw

    return (nw.col("d") * 2.0**-shift).floor().cast(nw.Int64).alias("bin")
