"""A column behind an engine: every number that a statistic needs is a query, and the column stays where it is."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import NoisewiseError, SchemaError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import SummedBins, Sums, Tally
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_records import Limbs
from noisewise.tables.engines.selection import Counted, Ranges, Selection
from noisewise.tables.engines.summed_bins import Summed, closer


def rows_of(dialect: Dialect, frame: Frame, ones: str) -> int:
    """How many rows a frame has, by its column of ones.

    Under swap that is public, and counted before the debit. An error of the user's own query may show a record, so
    another is raised.
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
    """Distances from the low end in the column ``d`` of a lazy frame; those below 0 are missing."""

    def __init__(self, dialect: Dialect, frame: Frame, lattice: Lattice, neighbors: Neighbors) -> None:
        self._dialect, self._frame = dialect, dialect.evaluated_once(frame)
        self.lattice, self.neighbors = lattice, neighbors

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
        top = min(index, self.lattice.high) - self.lattice.low
        limbs = Limbs(top, squares)
        taken = self._frame.filter((nw.col("d") >= 0.0) & (nw.col("d") <= float(top)))
        return limbs.sums_of(self._dialect.totals(limbs.split(taken, "d").select(*limbs.aggregates())))

    def summed_bins(self, look: Callable[[SummedBins], Ranges]) -> SummedBins:
        return closer(self.lattice.high - self.lattice.low, self._summed, look)

    def ordered(self) -> NDArray[np.int64]:
        """Fetched whole; only questions to an engine on this computer need this."""
        import narwhals.stable.v2 as nw

        (distances,) = self._dialect.arrays(self._frame.filter(nw.col("d") >= 0.0).select("d"))
        return np.sort(distances).astype(np.int64) + self.lattice.low

    @cached_property
    def _selection(self) -> Selection:
        return Selection(self.lattice.high - self.lattice.low, self._counted)

    def _counted(self, shift: int, ranges: Ranges) -> Counted:
        """Bins are integers, which engines group faster than floats. A missing record is in bin -1, and left out here.

        The first pass is over all distances, and then there is nothing to filter.
        """
        import narwhals.stable.v2 as nw

        frame = self._frame
        if ranges != [(0, self.lattice.high - self.lattice.low)]:
            frame = frame.filter(_inside(ranges))
        counted = frame.select(_bin(shift), nw.lit(1, nw.Int64).alias("one"))
        counted = counted.group_by("bin").agg(nw.col("one").sum().cast(nw.Int64))
        bins, counts = self._dialect.arrays(counted.select("bin", "one"))
        present = bins >= 0
        return bins[present].astype(np.int64), counts[present].astype(np.int64)

    def _summed(self, shift: int, ranges: Ranges) -> Summed:
        """The same, with the exact sum of each bin."""
        import narwhals.stable.v2 as nw

        limbs = Limbs(self.lattice.high - self.lattice.low, squares=False)
        inside = self._frame.filter((nw.col("d") >= 0.0) & _inside(ranges))
        binned = limbs.split(inside, "d").with_columns(_bin(shift)).select("bin", *limbs.names)
        added = binned.group_by("bin").agg(*limbs.aggregates())
        bins, *totals = self._dialect.arrays(added.select("bin", *limbs.names))
        every = [limbs.sums_of([int(total) for total in each]) for each in zip(*totals, strict=True)]
        sums = np.array([each.total for each in every], object)
        return bins.astype(np.int64), np.array([each.count for each in every], np.int64), sums


def _inside(ranges: Ranges) -> Expression:
    """Whether a distance lies in one of the ranges."""
    import narwhals.stable.v2 as nw

    d = nw.col("d")
    inside = [(d >= float(low)) & (d <= float(high)) for low, high in ranges]
    return nw.any_horizontal(*inside, ignore_nulls=True)


def _bin(shift: int) -> Expression:
    """The number of a distance's bin, 2^shift wide."""
    import narwhals.stable.v2 as nw

    return (nw.col("d") * 2.0**-shift).floor().cast(nw.Int64).alias("bin")
