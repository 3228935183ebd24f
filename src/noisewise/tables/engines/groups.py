"""A column in groups, behind an engine. The engine joins rows with the declared keys, counts, sums and ranks them.

Keys are compared as text or as whole numbers wherever this is possible. So every key can be converted to the type of
the column, and every row to the type of the keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Sums
from noisewise.statistics.row_formulas import Term
from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.engines.engine_column import SQUARES, TOTAL, EngineColumn, sums_of
from noisewise.tables.engines.engine_records import floored, key_in_time
from noisewise.tables.engines.selection import RankBins, Selection, first_shift
from noisewise.tables.engines.sums import counted, sums_of_terms
from noisewise.tables.groups.key_parts import Key, Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.time.ticks import since_1970

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


@dataclass(frozen=True, slots=True, repr=False)
class GroupBins(Secret):
    """The bins of all groups that are not empty, sorted by group and distance, and their counts.

    Bin b of a group holds the 2^shift distances from b * 2^shift on.
    """

    groups: Integers
    bins: Integers
    counts: Integers
    shift: int

    def around(
        self, groups: Integers, starts: Integers, stops: Integers
    ) -> tuple[Integers, Integers, Integers]:
        """Find the bins that hold the ranks from ``starts`` to ``stops - 1``, counted from 1, in each of some groups.

        Return three arrays with one number per group: how many of its distances lie below these bins, and the lowest
        and the highest distance that the bins can hold.
        """
        last_ranks = np.cumsum(self.counts)
        before = np.append(0, last_ranks)
        others = before[np.searchsorted(self.groups, groups)]  # the number of records in earlier groups
        first, last = (np.searchsorted(last_ranks, others + rank) for rank in (starts, stops - 1))
        lowest, beyond = self.bins[first] << self.shift, (self.bins[last] + 1) << self.shift
        return before[first] - others, lowest, beyond - 1

    def within(self, group: int) -> RankBins:
        """The bins of one group."""
        own = slice(*np.searchsorted(self.groups, [group, group + 1]).tolist())
        return RankBins.of((self.bins[own], self.counts[own]), self.shift)


class EngineGroups(Secret):
    """A column in groups. A lazy frame has a distance ``d`` and the index of a key, ``group``, for each record.

    Distances below 0 stand for missing records, and are left out.

    If the lattices of all groups together have at most `selection.HISTOGRAM` points, every number comes from one query.
    """

    def __init__(
        self, dialect: Dialect, frame: Frame, groups: int, lattice: Lattice, neighbors: Neighbors
    ) -> None:
        import narwhals.stable.v2 as nw

        self.dialect, self._groups = dialect, groups
        self.frame = dialect.evaluated_once(frame.filter(nw.col("d") >= 0.0).select("d", "group"))
        self.lattice, self.neighbors = lattice, neighbors
        self._width = lattice.high - lattice.low
        self._shift = first_shift(self._width, groups)

    def __len__(self) -> int:
        return self._groups

    @property
    def counts(self) -> Integers:
        counts = np.zeros(self._groups, np.int64)
        np.add.at(counts, self.bins.groups, self.bins.counts)
        return counts

    def ranks(self, starts: Integers, stops: Integers) -> Integers:
        """The records of the wanted ranks. A second query sorts only the records in the bins of these ranks."""
        import narwhals.stable.v2 as nw

        wanted = np.flatnonzero(starts < stops)
        if wanted.size == 0:
            return np.empty(0, np.int64)
        if self.is_counted_by_point:
            return self._counted_ranks(starts, stops)
        skipped, lowest, highest = self.bins.around(wanted, starts[wanted], stops[wanted])
        ends = {"lowest": lowest.astype(np.float64), "highest": highest.astype(np.float64)}
        window = {"start": starts[wanted] - skipped, "stop": stops[wanted] - skipped}
        limits = self.dialect.small_table(self.frame, {"limited": wanted, **ends, **window})
        rows = self.frame.join(limits, left_on="group", right_on="limited", how="inner")
        rows = rows.filter((nw.col("d") >= nw.col("lowest")) & (nw.col("d") <= nw.col("highest")))
        rank = nw.col("one").cum_sum().over("group", order_by="d")
        ranked = rows.with_columns(nw.lit(1, nw.Int64).alias("one")).with_columns(rank.alias("rank"))
        inside = ranked.filter((nw.col("rank") >= nw.col("start")) & (nw.col("rank") < nw.col("stop")))
        groups, distances = self.dialect.arrays(inside.select("group", "d"))
        order = np.lexsort((distances, groups))
        return self._as_many(
            groups[order].astype(np.int64), distances[order].astype(np.int64), stops - starts
        )

    def _counted_ranks(self, starts: Integers, stops: Integers) -> Integers:
        """The result of `ranks` if each bin is one distance. This needs no second query."""
        last_ranks, sizes = np.cumsum(self.bins.counts), stops - starts
        others = np.append(0, last_ranks)[np.searchsorted(self.bins.groups, np.arange(self._groups))]
        before = np.cumsum(sizes) - sizes
        ranks = np.repeat(others + starts - before, sizes) + np.arange(sizes.sum())
        distances: Integers = self.bins.bins[np.searchsorted(last_ranks, ranks)]
        return distances + self.lattice.low

    def _as_many(self, groups: Integers, distances: Integers, sizes: Integers) -> Integers:
        """The lattice indices of exactly ``sizes[g]`` records of each group g.

        If the table has changed since it was counted, there may be more or fewer distances. Distances that are too many
        are dropped. Each one that is missing is replaced by the highest index, because an error would reveal that some
        are missing.
        """
        records = np.full(sizes.sum(), self.lattice.high)
        nth = np.arange(groups.size) - np.searchsorted(groups, groups)
        kept = nth < sizes[groups]
        places = (np.cumsum(sizes) - sizes)[groups] + nth
        records[places[kept]] = distances[kept] + self.lattice.low
        return records

    @property
    def is_counted_by_point(self) -> bool:
        """Whether one query counts the records of every lattice point. The lattice and the number of groups decide."""
        return self._shift == 0

    @cached_property
    def bins(self) -> GroupBins:
        """The number of distances in each bin of each group. One query counts them."""
        return self._counted(self._shift)

    @cached_property
    def points(self) -> GroupBins:
        """The number of records at each lattice point in each group."""
        return self.bins if self.is_counted_by_point else self._counted(0)

    def _counted(self, shift: int) -> GroupBins:
        import narwhals.stable.v2 as nw

        bin_of = floored(nw.col("d") * 2.0**-shift).alias("bin")
        groups, bins, counts = counted(self.dialect, self.frame.select("group", bin_of), "group", "bin")
        return GroupBins(groups, bins, counts, shift)

    def sums(self) -> list[int]:
        return [sums.total for sums in self.all_sums]

    def below(self, indices: Integers, *, squares: bool = False) -> list[Sums]:
        import narwhals.stable.v2 as nw

        if np.all(indices >= self.lattice.high):
            return self.all_squares if squares else self.all_sums
        tops = (indices - self.lattice.low).astype(np.float64)
        limits = self.dialect.small_table(self.frame, {"limited": np.arange(self._groups), "highest": tops})
        frame = self.frame.join(limits, left_on="group", right_on="limited", how="inner")
        return self._summed(frame.filter(nw.col("d") <= nw.col("highest")), SQUARES if squares else TOTAL)

    @cached_property
    def all_sums(self) -> list[Sums]:
        """The sum of each group."""
        return self._summed(self.frame, TOTAL)

    @cached_property
    def all_squares(self) -> list[Sums]:
        """The sum of each group, and the sum of its squares."""
        return self._summed(self.frame, SQUARES)

    def _summed(self, frame: Frame, terms: Sequence[Term]) -> list[Sums]:
        import narwhals.stable.v2 as nw

        rows = frame.select(nw.col("d").alias("n0"), "group")
        sums = sums_of_terms(
            self.dialect, lambda _: rows, [self._width], terms, by=["group"], groups=self._groups
        )
        nothing = dict.fromkeys(terms, 0)
        return [sums_of(sums.get((group,), nothing)) for group in range(self._groups)]

    def group(self, group: int) -> "EngineGroup":
        return EngineGroup(self, group)


class EngineGroup(EngineColumn):
    """The records of one group, as a column.

    Counts and sums of all groups come from one query. So do order statistics if all lattices together have few
    points, or if the engine is on this computer: then one histogram of all groups is fetched. An engine on other
    computers counts for each group in turn, because a large histogram may not fit into the memory of this computer.
    """

    def __init__(self, groups: EngineGroups, group: int) -> None:
        import narwhals.stable.v2 as nw

        self._groups, self._group = groups, group
        rows = groups.frame.filter(nw.col("group") == group).select("d")
        super().__init__(groups.dialect, rows, groups.lattice, groups.neighbors)

    def sums(self, *, squares: bool = False) -> Sums:
        return (self._groups.all_squares if squares else self._groups.all_sums)[self._group]

    @property
    def _is_counted_by_point(self) -> bool:
        return self._dialect.local or self._groups.is_counted_by_point

    @cached_property
    def _selection(self) -> Selection:
        bins = self._groups.points if self._is_counted_by_point else self._groups.bins
        return Selection(self._width, bins.within(self._group), self._counted)


def in_groups(dialect: Dialect, frame: Frame, keys: Keys, kinds: tuple[Kind, ...]) -> Frame:
    """The rows whose key, in the columns ``key0``, ``key1``, ..., is declared. ``group`` is the index of the key."""
    import narwhals.stable.v2 as nw

    schema, declared = frame.collect_schema(), dict[str, list[str | int | float]]()
    for index, (column, kind) in enumerate(zip(keys.columns, kinds, strict=True)):
        name = f"key{index}"
        common = _common_type(schema[name], column, kind)
        frame = key_in_time(dialect, frame, name, kind).with_columns(nw.col(name).cast(common))
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


def _common_type(
    dtype: "nw.dtypes.DType", column: tuple[Key, ...], kind: Kind
) -> "type[nw.Float64 | nw.Int64 | nw.String]":
    """The type in which rows and keys are compared. It can hold every row and every key."""
    import narwhals.stable.v2 as nw

    if kind in ("number", "single"):
        return nw.Float64
    wide = dtype in (nw.UInt64, nw.Int128, nw.UInt128)
    if kind == "whole" and (wide or not all(-(2**63) <= part < 2**63 for part in column)):  # type: ignore[operator]
        return nw.String
    return nw.String if kind == "text" else nw.Int64


def _compared(part: Key, text: bool) -> str | int | float:
    """A part of a key as it is compared: as text if ``text``, else as a number."""
    if isinstance(part, date):
        return since_1970(part)
    return str(part) if text else int(part) if isinstance(part, bool) else part
