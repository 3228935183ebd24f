"""Counts in declared bins and of declared labels, by an engine: small tables are joined, and rows counted there, by
group and bin.

A number's bin is how many of the rising thresholds are not above it. A tree finds it: a node compares the number with
RADIX - 1 of the thresholds and so chooses one of RADIX children, until a leaf is left. The thresholds of the first node
are written into the query, those of further nodes are joined as a small table, one row for each node. Comparisons of
float64 are all that decides, as in memory. Labels are joined by equality, text byte by byte.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import NumberBins
from noisewise.tables.columns.labels import Labels
from noisewise.tables.engines.dialect import Dialect, Frame

RADIX = 16


@dataclass(frozen=True, slots=True, repr=False)
class GroupCounts(Secret):
    """Counts above zero of each group and bin, by group; ``size`` is how many bins there are."""

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
    """How many numbers ``d``, float64 and maybe missing, lie in each bin in each group ``group``."""
    import narwhals.stable.v2 as nw

    (low, high), d, size = bins.ends, nw.col("d"), bins.thresholds.size + 1
    frame = frame.select("d", "group").filter(
        (d >= low) & (d <= high)
    )  # a NaN is not, be it unordered or above all
    return _counted(dialect, _with_bins(dialect, frame, bins.thresholds), size)


def of_labels(dialect: Dialect, frame: Frame, labels: Labels, kind: type[float] | type[str]) -> GroupCounts:
    """How many records ``d``, float64 or text and maybe missing, have each label in each group; those of another kind
    have none."""
    import narwhals.stable.v2 as nw

    declared = {
        key: index
        for key, index in labels.indices.items()
        if isinstance(key, kind) and dialect.spells(str(key))
    }
    if not declared:
        nothing = np.empty(0, np.int64)
        return GroupCounts(nothing, nothing, nothing, len(labels.names))
    frame, d = frame.select("d", "group"), nw.col("d")
    if kind is float:
        signless = nw.when(d == 0.0).then(nw.lit(0.0)).otherwise(d)  # 0.0 for -0.0, as in the labels below
        frame = frame.with_columns(signless.alias("d"))
    keys = [key + 0.0 if isinstance(key, float) else key for key in declared]
    declared_labels = dialect.small_table(frame, {"label": keys, "bin": np.array([*declared.values()])})
    joined = frame.join(declared_labels, left_on="d", right_on="label", how="inner")
    return _counted(dialect, joined, len(labels.names))


def _with_bins(dialect: Dialect, frame: Frame, thresholds: NDArray[np.float64]) -> Frame:
    """The frame with how many of the thresholds are not above ``d``, as ``bin``."""
    import narwhals.stable.v2 as nw

    depth = 1
    while RADIX**depth <= thresholds.size:
        depth += 1
    padded = np.full(RADIX**depth - 1, np.inf)
    padded[: thresholds.size] = thresholds
    for level in range(depth):
        nodes, step = RADIX**level, RADIX ** (depth - 1 - level)
        firsts = np.arange(nodes)[:, np.newaxis] * RADIX + np.arange(
            1, RADIX
        )  # the leaves where children begin
        table = dict(
            zip((f"threshold{child}" for child in range(1, RADIX)), padded[firsts * step - 1].T, strict=True)
        )
        if level == 0:
            compared, before = (
                [nw.lit(float(threshold[0])) for threshold in table.values()],
                nw.lit(0, nw.Int64),
            )
        else:
            small_table = dialect.small_table(frame, {"node": np.arange(nodes), **table})
            frame = frame.join(small_table, left_on="bin", right_on="node", how="inner")
            compared, before = [nw.col(name) for name in table], nw.col("bin") * RADIX
        for threshold in compared:
            before = before + nw.when(nw.col("d") >= threshold).then(nw.lit(1)).otherwise(nw.lit(0))
        frame = frame.select("d", "group", before.cast(nw.Int64).alias("bin"))
    return frame.with_columns(nw.col("bin").clip(0, thresholds.size))  # infinity is not below the padding


def _counted(dialect: Dialect, frame: Frame, size: int) -> GroupCounts:
    import narwhals.stable.v2 as nw

    ones = frame.select("group", "bin", nw.lit(1, nw.Int64).alias("one"))
    counted = ones.group_by("group", "bin").agg(nw.col("one").sum().cast(nw.Int64))
    columns = dialect.arrays(counted.select("group", "bin", "one"))
    groups, bins, counts = (column.astype(np.int64) for column in columns)
    order = np.argsort(groups, kind="stable")
    return GroupCounts(groups[order], bins[order], counts[order], size)
