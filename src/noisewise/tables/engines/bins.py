"""Counts of records in declared bins, or with declared labels. An engine joins small tables, and counts in groups.

The bin of a number is the number of thresholds up to it. A tree finds it: a node compares the number with RADIX - 1 of
the rising thresholds and so chooses one of RADIX children, until a leaf is left. The query contains the thresholds of
the first node. A small table that is joined holds the others, one row for each node. Comparisons of float64 alone
decide, as in memory. Labels are joined by equality, text byte by byte.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import NumberBins
from noisewise.tables.columns.labels import Labels
from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.engines.engine_records import signless
from noisewise.tables.engines.sums import counted

RADIX = 16


@dataclass(frozen=True, slots=True, repr=False)
class GroupCounts(Secret):
    """The count in each bin of each group, sorted by group. Counts of zero are left out. ``size`` is the number of
    bins."""

    groups: Integers
    bins: Integers
    counts: Integers
    size: int

    def of(self, group: int) -> Integers:
        """The counts of all bins in one group."""
        start, stop = np.searchsorted(self.groups, [group, group + 1])
        every_bin = np.zeros(self.size, np.int64)
        every_bin[self.bins[start:stop]] = self.counts[start:stop]
        return every_bin


def in_bins(dialect: Dialect, frame: Frame, bins: NumberBins) -> GroupCounts:
    """How many numbers ``d`` of each ``group`` lie in each bin. Numbers are float64, and may be missing."""
    import narwhals.stable.v2 as nw

    (low, high), d, size = bins.ends, nw.col("d"), bins.thresholds.size + 1
    # a NaN is left out, whether the engine takes it for unordered or for the largest number
    frame = frame.select("d", "group").filter((d >= low) & (d <= high))
    return _group_counts(dialect, _with_bins(dialect, frame, bins.thresholds), size)


def of_labels(dialect: Dialect, frame: Frame, labels: Labels, kind: type[float] | type[str]) -> GroupCounts:
    """How many records ``d`` have each label in each group. Records are float64 or text, and may be missing.

    ``kind`` is the type of the records. Labels of another type have none."""
    import narwhals.stable.v2 as nw

    declared = {
        key: index
        for key, index in labels.indices.items()
        if isinstance(key, kind) and dialect.spells(str(key))
    }
    if not declared:
        nothing = np.empty(0, np.int64)
        return GroupCounts(nothing, nothing, nothing, len(labels.names))
    frame = frame.select("d", "group")
    if kind is float:
        frame = frame.with_columns(signless(nw.col("d")).alias("d"))
    keys = [key + 0.0 if isinstance(key, float) else key for key in declared]
    declared_labels = dialect.small_table(frame, {"label": keys, "bin": np.array([*declared.values()])})
    joined = frame.join(declared_labels, left_on="d", right_on="label", how="inner")
    return _group_counts(dialect, joined, len(labels.names))


def _group_counts(dialect: Dialect, frame: Frame, size: int) -> GroupCounts:
    groups, bins, counts = counted(dialect, frame, "group", "bin")
    return GroupCounts(groups, bins, counts, size)


def _with_bins(dialect: Dialect, frame: Frame, thresholds: NDArray[np.float64]) -> Frame:
    """The frame with a column ``bin``: the number of thresholds that are less than or equal to ``d``."""
    import narwhals.stable.v2 as nw

    depth = 1
    while RADIX**depth <= thresholds.size:
        depth += 1
    padded = np.full(RADIX**depth - 1, np.inf)
    padded[: thresholds.size] = thresholds
    for level in range(depth):
        nodes, step = RADIX**level, RADIX ** (depth - 1 - level)
        leaves = np.arange(nodes)[:, np.newaxis] * RADIX + np.arange(1, RADIX)  # where the children begin
        names = [f"threshold{child}" for child in range(1, RADIX)]
        table = dict(zip(names, padded[leaves * step - 1].T, strict=True))
        if level == 0:
            compared = [nw.lit(float(threshold[0])) for threshold in table.values()]
            before = nw.lit(0, nw.Int64)
        else:
            small_table = dialect.small_table(frame, {"node": np.arange(nodes), **table})
            frame = frame.join(small_table, left_on="bin", right_on="node", how="inner")
            compared, before = [nw.col(name) for name in table], nw.col("bin") * RADIX
        for threshold in compared:
            before = before + nw.when(nw.col("d") >= threshold).then(nw.lit(1)).otherwise(nw.lit(0))
        frame = frame.select("d", "group", before.cast(nw.Int64).alias("bin"))
    return frame.with_columns(nw.col("bin").clip(0, thresholds.size))  # infinity is not below the padding
