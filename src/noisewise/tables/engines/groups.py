"""A column in groups, behind an engine: rows are joined with the declared keys, counted, summed and ranked there.

Only the order statistics that a question needs leave the engine. Keys are compared as text or as whole numbers wherever
they can be, so that no key fails to be turned into a column's type, and no row into a key's.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column, Sums
from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.engines.engine_column import EngineColumn
from noisewise.tables.engines.engine_records import Limbs, days_since_1970, floored, since_1970
from noisewise.tables.engines.group_column import EngineGroup, GroupReads, added
from noisewise.tables.engines.selection import BITS
from noisewise.tables.groups.grouped_column import LocalGroups
from noisewise.tables.groups.key_parts import Key, Kind
from noisewise.tables.groups.keys import Keys

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

MOST_BINS = 20
"""All groups together are counted in at most 2^MOST_BINS bins, or in one each."""


@dataclass(frozen=True, slots=True, repr=False)
class GroupBins(Secret):
    """Bins of distances that are not empty, by group and from low to high, 2^shift distances wide."""

    groups: Integers
    bins: Integers
    counts: Integers
    shift: int

    def around(
        self, groups: Integers, starts: Integers, stops: Integers
    ) -> tuple[Integers, Integers, Integers]:
        """For a window of each group: how many distances lie before its bins, and where these begin and end."""
        last_ranks = np.cumsum(self.counts)
        before = np.append(0, last_ranks)
        others = before[np.searchsorted(self.groups, groups)]  # in the groups that come first
        first, last = (np.searchsorted(last_ranks, others + rank) for rank in (starts, stops - 1))
        lowest, beyond = self.bins[first] << self.shift, (self.bins[last] + 1) << self.shift
        return before[first] - others, lowest, beyond - 1

    def within(self, group: int) -> tuple[int, int]:
        """Where the bins of one group begin and end."""
        first, last = np.searchsorted(self.groups, [group, group + 1]).tolist()
        return first, last

    def ranks(self, group: int, start: int, stop: int) -> Integers:
        """The bins of the distances of ranks start..stop-1 in one group."""
        first, last = self.within(group)
        last_ranks = np.cumsum(self.counts[first:last])
        found: Integers = self.bins[first:last][np.searchsorted(last_ranks, np.arange(start, stop))]
        return found


class EngineGroups(Secret):
    """Distances ``d`` and indices of keys ``group`` in a lazy frame; distances below 0 are missing."""

    def __init__(
        self, dialect: Dialect, frame: Frame, groups: int, lattice: Lattice, neighbors: Neighbors
    ) -> None:
        import narwhals.stable.v2 as nw

        self._dialect, self._groups = dialect, groups
        self._frame = dialect.evaluated_once(frame.filter(nw.col("d") >= 0.0).select("d", "group"))
        self.lattice, self.neighbors = lattice, neighbors

    def __len__(self) -> int:
        return self._groups

    @property
    def counts(self) -> Integers:
        counts = np.zeros(self._groups, np.int64)
        np.add.at(counts, self._bins.groups, self._bins.counts)
        return counts

    def ranks(self, starts: Integers, stops: Integers) -> Integers:
        """Only what lies in the bins of a window, not a whole group, is put in order."""
        import narwhals.stable.v2 as nw

        wanted = np.flatnonzero(starts < stops)
        if wanted.size == 0:
            return np.empty(0, np.int64)
        skipped, lowest, highest = self._bins.around(wanted, starts[wanted], stops[wanted])
        ends = {"lowest": lowest.astype(np.float64), "highest": highest.astype(np.float64)}
        window = {"start": starts[wanted] - skipped, "stop": stops[wanted] - skipped}
        limits = self._dialect.small_table(self._frame, {"limited": wanted, **ends, **window})
        rows = self._frame.join(limits, left_on="group", right_on="limited", how="inner")
        rows = rows.filter((nw.col("d") >= nw.col("lowest")) & (nw.col("d") <= nw.col("highest")))
        rank = nw.col("one").cum_sum().over("group", order_by="d")
        ranked = rows.with_columns(nw.lit(1, nw.Int64).alias("one")).with_columns(rank.alias("rank"))
        inside = ranked.filter((nw.col("rank") >= nw.col("start")) & (nw.col("rank") < nw.col("stop")))
        groups, distances = self._dialect.arrays(inside.select("group", "d"))
        order = np.lexsort((distances, groups))
        return self._as_many(
            groups[order].astype(np.int64), distances[order].astype(np.int64), stops - starts
        )

    def _as_many(self, groups: Integers, distances: Integers, sizes: Integers) -> Integers:
        """So many records of each group. A table that changed since it was counted may have more, or fewer: then the
        highest stands for those that are gone, since an error would say that there were fewer.
        """
        records = np.full(sizes.sum(), self.lattice.high)
        nth = np.arange(groups.size) - np.searchsorted(groups, groups)
        kept = nth < sizes[groups]
        places = (np.cumsum(sizes) - sizes)[groups] + nth
        records[places[kept]] = distances[kept] + self.lattice.low
        return records

    @cached_property
    def _bins(self) -> "GroupBins":
        """One pass: how many distances each group has, and roughly where."""
        import narwhals.stable.v2 as nw

        width = (self.lattice.high - self.lattice.low).bit_length()
        shift = max(width - min(max(MOST_BINS - self._groups.bit_length(), 0), BITS), 0)
        bin_of = floored(nw.col("d") * 2.0**-shift).alias("bin")
        ones = self._frame.select("group", bin_of, nw.lit(1, nw.Int64).alias("one"))
        counted = ones.group_by("group", "bin").agg(nw.col("one").sum().cast(nw.Int64))
        columns = self._dialect.arrays(counted.select("group", "bin", "one"))
        groups, bins, counts = (column.astype(np.int64) for column in columns)
        order = np.lexsort((bins, groups))
        return GroupBins(groups[order], bins[order], counts[order], shift)

    def sums(self) -> list[int]:
        return [summed.total for summed in self._summed(self._frame, squares=False)]

    def below(self, indices: Integers, *, squares: bool = False) -> list[Sums]:
        import narwhals.stable.v2 as nw

        frame = self._frame
        if np.any(indices < self.lattice.high):
            tops = (indices - self.lattice.low).astype(np.float64)
            limits = self._dialect.small_table(frame, {"limited": np.arange(self._groups), "highest": tops})
            frame = frame.join(limits, left_on="group", right_on="limited", how="inner")
            frame = frame.filter(nw.col("d") <= nw.col("highest"))
        return self._summed(frame, squares)

    def _summed(self, frame: Frame, squares: bool) -> list[Sums]:
        """One row per group that has any: whatever the records are, 2^45 of them add up without overflow."""
        limbs = Limbs(self.lattice.high - self.lattice.low, squares)
        summed = limbs.split(frame.select("group", "d"), "d").group_by("group").agg(*limbs.aggregates())
        groups, *totals = self._dialect.arrays(summed.select("group", *limbs.names))
        sums = [Sums(0, 0, 0)] * self._groups
        for group, *row in zip(groups.tolist(), *(total.tolist() for total in totals), strict=True):
            sums[int(group)] = limbs.sums_of(row)
        return sums

    def group(self, group: int) -> Column:
        import narwhals.stable.v2 as nw

        if self._dialect.local:
            return self._fetched.group(group)
        rows = self._frame.filter(nw.col("group") == group).select("d")
        return EngineColumn(self._dialect, rows, self.lattice, self.neighbors)

    @property
    def exact(self) -> bool:
        """Whether each bin is one distance, so that the bins say what every record is."""
        return self._bins.shift == 0

    def counted_ranks(self, group: int, start: int, stop: int) -> Integers:
        """The order statistics of one group where bins are exact."""
        return self._bins.ranks(group, start, stop) + self.lattice.low

    def counted_below(self, group: int, index: int, *, squares: bool) -> Sums:
        """Exact sums over the records of one group at or below an index, where bins are exact."""
        first, last = self._bins.within(group)
        bins, counts = self._bins.bins[first:last], self._bins.counts[first:last]
        inside = bins <= index - self.lattice.low
        return added(Sums(0, 0, 0), bins[inside].tolist(), counts[inside].tolist(), squares=squares)

    def streamed(self, group: int) -> EngineGroup:
        """One group as a column by itself, whose queries are about all groups at once."""
        return EngineGroup(self._reads, group)

    @cached_property
    def _reads(self) -> GroupReads:
        return GroupReads(self)

    @cached_property
    def _fetched(self) -> LocalGroups:
        """All groups in memory: on this computer, that is faster than a query for each."""
        groups, distances = self._dialect.arrays(self._frame.select("group", "d"))
        groups, indices = groups.astype(np.int64), distances.astype(np.int64) + self.lattice.low
        offsets = np.concatenate([[0], np.cumsum(np.bincount(groups, minlength=self._groups))])
        order = np.lexsort((indices, groups))
        return LocalGroups(indices[order], offsets, self.lattice, self.neighbors)


def in_groups(dialect: Dialect, frame: Frame, keys: Keys, kinds: tuple[Kind, ...]) -> Frame:
    """The rows whose key ``key0``, ``key1``, ... is declared, with the index of its key as ``group``."""
    import narwhals.stable.v2 as nw

    schema, declared = frame.collect_schema(), dict[str, list[str | int | float]]()
    for index, (column, kind) in enumerate(zip(keys.columns, kinds, strict=True)):
        name = f"key{index}"
        common = _common_type(schema[name], column, kind)
        if kind == "date":
            frame = days_since_1970(dialect, frame, name)
        if kind in ("time", "zoned"):
            frame = since_1970(dialect, frame, name, "datetime" if kind == "time" else "zoned")
        frame = frame.with_columns(nw.col(name).cast(common))
        if common == nw.String:
            frame = dialect.bytewise(frame, name)
        declared[name] = [_compared(part, common == nw.String) for part in column]
    if len(set(zip(*declared.values(), strict=True))) < len(keys):  # a row would be in two groups
        raise ParameterError("keys", "must differ from each other as their columns hold them") from None
    spelled = [
        group
        for group, parts in enumerate(zip(*declared.values(), strict=True))
        if all(dialect.spells(part) for part in parts if isinstance(part, str))
    ]
    if not spelled:
        return frame.with_columns(nw.lit(0, nw.Int64).alias("group")).filter(nw.col("group") > 0)
    columns = {name: [parts[group] for group in spelled] for name, parts in declared.items()}
    declared_keys = dialect.small_table(frame, columns | {"group": np.array(spelled)})
    return frame.join(declared_keys, on=list(declared), how="inner")


def in_one_group(frame: Frame) -> Frame:
    """The frame with all rows in one ``group``, the first."""
    import narwhals.stable.v2 as nw

    return frame.with_columns(nw.lit(0, nw.Int64).alias("group"))


def _common_type(
    dtype: "nw.dtypes.DType", column: tuple[Key, ...], kind: Kind
) -> "type[nw.Float64 | nw.Int64 | nw.String]":
    """The type that rows and keys are compared in: one that holds every row and every key."""
    import narwhals.stable.v2 as nw

    if kind in ("number", "single"):
        return nw.Float64
    wide = dtype in (nw.UInt64, nw.Int128, nw.UInt128)
    if kind == "whole" and (wide or not all(-(2**63) <= part < 2**63 for part in column)):  # type: ignore[operator]
        return nw.String
    return nw.String if kind == "text" else nw.Int64


def _compared(part: Key, text: bool) -> str | int | float:
    """A part of a key in that type."""
    if isinstance(part, datetime):
        zone = None if part.tzinfo is None else UTC
        return (part - datetime(1970, 1, 1, tzinfo=zone)) // timedelta(microseconds=1)
    if isinstance(part, date):
        return (part - date(1970, 1, 1)).days
    return str(part) if text else int(part) if isinstance(part, bool) else part
